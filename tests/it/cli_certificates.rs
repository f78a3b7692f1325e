//! Certificates of the program: `certify`, `solve --certificate`, `verify --certificates`.

use std::path::Path;
use std::time::Duration;

use yose_check::{Claim, check, read_claim};

use crate::cli_output_files::run_on_full_disk;
use crate::common::{FFO_20, Folder, HARD, PASS, PLAIN, Ran, random_list};

/// What each file of a folder proves, in the order of their names.
fn proved(folder: &Path) -> Vec<Claim> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|file| file.expect("a file").path())
        .collect();
    files.sort();
    let prove = |file| {
        let content = std::fs::read(file).expect("a certificate");
        check(&content, [1 << 26, 1 << 28], &|| false).expect("it is accepted").0
    };
    files.iter().map(prove).collect()
}

#[test]
fn the_command_writes_files_once() {
    let list = random_list(3, 8..=10, 4).join("\n") + "\nXO\n";
    let folder = Folder::new().with("list.txt", list);
    let arguments = ["certify", "list.txt", "-o", "new/proofs", "-t", "1"];
    let first = folder.run(&arguments);
    assert_eq!((first.status, first.out.lines().count()), (3, 4), "{first:#?}");
    assert!(first.err.starts_with("list.txt:4:"), "{first:#?}");
    let names: Vec<&str> =
        first.out.lines().skip(1).filter_map(|line| line.split(' ').next_back()).collect();
    assert_eq!(proved(&folder.path("new/proofs")).len(), 3);
    // A file that is damaged is made again, now with other leaves. The others are kept.
    std::fs::write(folder.path("new/proofs").join(names[1]), "damaged").expect("a file");
    let second = folder.run(&[&arguments[..], &["--leaf-empties", "3"]].concat());
    assert_eq!((second.status, second.out.lines().count()), (3, 4), "{second:#?}");
    for (name, leaf) in names.iter().zip([12, 3, 12]) {
        let bytes = std::fs::read(folder.path("new/proofs").join(name)).expect("a certificate");
        assert_eq!(read_claim(&bytes).map(|claim| claim.leaf_empties), Ok([leaf; 2]));
    }
    assert_eq!(proved(&folder.path("new/proofs")).len(), 3);
    // A window: the claim is a bound, or the score between its ends.
    let window = folder.run(&["certify", "list.txt", "-o", "wld", "--goal", "wld", "-t", "1"]);
    assert_eq!((window.status, window.out.lines().count()), (3, 4), "{window:#?}");
    // An exact certificate takes the place of a bound, and not the other way round.
    let claims = proved(&folder.path("wld"));
    assert!(claims.iter().any(|claim| claim.lower != claim.upper), "{claims:?}");
    for goal in ["exact", "wld"] {
        folder.run(&["certify", "list.txt", "-o", "wld", "--goal", goal, "-t", "1"]);
        let claims = proved(&folder.path("wld"));
        assert!(claims.iter().all(|claim| claim.lower == claim.upper), "{claims:?}");
    }
    let over = folder.run(&["certify", "list.txt", "-o", "wld", "--leaf-empties", "15"]);
    assert_eq!(over.status, 2);
}

#[test]
fn an_interrupted_list_is_continued_by_the_same_command() {
    let easy = random_list(2, 8..=8, 5).join("\n");
    let folder = Folder::new().with("list.txt", format!("{easy}\n{HARD}\n"));
    let running = folder.start(&["certify", "list.txt", "-o", "proofs", "-t", "1"]);
    let complete = || std::fs::read_dir(folder.path("proofs")).map_or(0, Iterator::count);
    for _ in 0..600 {
        if complete() >= 2 {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    running.signal("TERM");
    let ran = running.end(Duration::from_secs(60));
    assert_eq!(ran.status, 75, "{ran:#?}");
    assert!(ran.err.contains("the same command continues it"), "{ran:#?}");
    assert_eq!(proved(&folder.path("proofs")).len(), 2, "nothing unfinished is left");
}

#[test]
fn a_full_disk_leaves_no_certificate() {
    let folder = Folder::new().with("list.txt", random_list(2, 9..=9, 6).join("\n"));
    let certify = run_on_full_disk(&folder, 0, &["certify", "list.txt", "-o", "a", "-t", "1"]);
    assert_eq!(certify.status, 2, "{certify:#?}");
    assert!(certify.err.contains(".yosecert: "), "{certify:#?}");
    assert!(proved(&folder.path("a")).is_empty());
    // The scores are written all the same.
    let arguments = ["solve", "list.txt", "--certificate", "b", "--format", "csv", "-t", "1"];
    let solve = run_on_full_disk(&folder, 0, &arguments);
    assert_eq!((solve.status, solve.out.lines().count()), (2, 3), "{solve:#?}");
    assert!(solve.err.contains("certificates that could not be written: 2; b/"), "{solve:#?}");
    assert!(proved(&folder.path("b")).is_empty());
}

#[test]
fn solve_writes_certificates_beside_its_scores() {
    let list = random_list(4, 9..=11, 8).join("\n");
    let folder = Folder::new().with("list.txt", &list);
    let common = ["solve", "list.txt", "--format", "csv", "--certificate"];
    for (name, options) in [
        ("exact", &["-t", "2"][..]),
        ("wld", &["-t", "1", "--goal", "wld"]),
        ("window", &["-t", "1", "--window", "-5,7", "--unique"]),
        ("deterministic", &["-t", "1", "--deterministic", "--hash", "1MiB"]),
        ("moves", &["-t", "1", "--all-moves"]),
    ] {
        let ran = folder.run(&[&common[..], &[name], options].concat());
        assert_eq!((ran.status, ran.out.lines().count(), &*ran.err), (0, 5, ""), "{ran:#?}");
        let mut written: Vec<_> = crate::common::column(&ran.out, "lower")
            .into_iter()
            .zip(crate::common::column(&ran.out, "upper"))
            .collect();
        written.sort();
        let mut claimed: Vec<_> = proved(&folder.path(name))
            .iter()
            .map(|claim| (claim.lower.to_string(), claim.upper.to_string()))
            .collect();
        claimed.sort();
        assert_eq!(claimed, written, "{name}");
    }
    // The nodes are those without certificates.
    let nodes = |ran: &Ran| crate::common::column(&ran.out, "nodes");
    let with = folder.run(&[&common[..], &["new", "--deterministic", "-t", "1"]].concat());
    let without = folder.run(&["solve", "list.txt", "--format", "csv", "--deterministic"]);
    assert_eq!(nodes(&with), nodes(&without));
    // What proves as much is kept.
    let again = folder.run(&[&common[..], &["exact", "--goal", "wld"]].concat());
    assert_eq!(again.status, 0, "{again:#?}");
    assert!(proved(&folder.path("exact")).iter().all(|claim| claim.lower == claim.upper));
}

#[test]
fn certificates_that_an_interruption_prevents_are_counted() {
    let folder = Folder::new().with("list.txt", format!("{PLAIN}\n{HARD}\n"));
    let arguments = ["solve", "list.txt", "-o", "r.csv", "-t", "1", "--certificate", "c"];
    let ran = folder.run(&[&arguments[..], &["--deadline", "1s"]].concat());
    assert_eq!(ran.status, 75, "{ran:#?}");
    assert!(proved(&folder.path("c")).len() <= 2, "{ran:#?}");
}

/// The verdicts, nodes and notes of the records.
fn verdicts(ran: &Ran) -> Vec<[String; 3]> {
    let column = |name| crate::common::column(&ran.out, name);
    let rows = column("verdict").into_iter().zip(column("nodes")).zip(column("note"));
    rows.map(|((verdict, nodes), note)| [verdict, nodes, note]).collect()
}

#[test]
fn claims_with_certificates_are_confirmed_without_a_search() {
    // FFO 20 with the scores of its moves, one of them wrong, and bounds.
    let wrong = FFO_20.replace("F6:-4", "F6:-6");
    let bounds = format!("id,position,lower,upper\na,{PLAIN},2,64\n");
    let folder = Folder::new().with("list.obf", wrong).with("bounds.csv", bounds);
    let made = folder.run(&["certify", "--claims", "list.obf", "bounds.csv", "-o", "c", "-t", "1"]);
    assert_eq!((made.status, made.out.lines().count()), (0, 6), "{made:#?}");
    assert_eq!(proved(&folder.path("c")).len(), 5);
    let verify = ["verify", "list.obf", "bounds.csv", "--certificates", "c", "-t", "1"];
    let ran = folder.run(&[&verify[..], &["--format", "csv"]].concat());
    assert_eq!(ran.status, 1, "{ran:#?}");
    let alone = ["confirmed", "0", "by a certificate"].map(str::to_owned);
    let rows = verdicts(&ran);
    assert_eq!((&rows[0], &rows[1], &rows[3], &rows[4]), (&alone, &alone, &alone, &alone));
    // The certificate refutes the wrong one, and a search with an empty table does so again.
    assert_eq!((&*rows[2][0], &*rows[2][2]), ("refuted", ""), "{rows:?}");
    assert!(ran.err.contains("f6 is claimed to lead to -6 for X, and leads to -4"), "{ran:#?}");
    assert!(ran.err.contains("\n4 claims confirmed by certificates alone\n"), "{ran:#?}");
    let json = folder.run(&[&verify[..], &["--format", "jsonl"]].concat());
    assert!(json.out.contains(r#""certificates":"c""#), "{json:#?}");
    assert!(json.out.contains(r#""by_certificate":4,"#), "{json:#?}");
    // A journal that is continued counts them again.
    for _ in 0..2 {
        let ran = folder.run(&[&verify[..], &["-o", "v.csv", "--resume"]].concat());
        assert!(ran.err.contains("\n4 claims confirmed by certificates alone\n"), "{ran:#?}");
    }
}

#[test]
fn a_certificate_that_is_refused_is_reported_and_the_claim_is_searched() {
    let folder = Folder::new().with("list.txt", format!("{PLAIN}; H5:+6;\n"));
    folder.run(&["certify", "--claims", "list.txt", "-o", "c", "-t", "1"]);
    let file = std::fs::read_dir(folder.path("c")).expect("a folder").next().expect("a file");
    let file = file.expect("a file").path();
    let content = std::fs::read(&file).expect("a certificate");
    let verify = ["verify", "list.txt", "--certificates", "c", "-t", "1", "--format", "csv"];
    let mut damaged = content.clone();
    *damaged.last_mut().expect("a byte") ^= 1;
    // That of another position, under this name.
    folder.run(&["certify", "-p", PASS, "-o", "other", "-t", "1"]);
    let other = std::fs::read_dir(folder.path("other")).expect("a folder").next();
    let other = std::fs::read(other.expect("a file").expect("a file").path()).expect("a file");
    for (content, why) in
        [(damaged, "the digest differs"), (other, "it is the certificate of another position")]
    {
        std::fs::write(&file, content).expect("a file");
        let ran = folder.run(&verify);
        let rows = verdicts(&ran);
        assert_eq!((ran.status, &*rows[0][0], &*rows[0][2]), (0, "confirmed", ""), "{ran:#?}");
        assert_ne!(rows[0][1], "0", "it is searched");
        assert!(ran.err.contains(why) && ran.err.contains("list.txt:1:69: "), "{ran:#?}");
    }
    // A true certificate that proves too little.
    folder.run(&["certify", "-p", PLAIN, "-o", "weak", "--window", "-1,1", "-t", "1"]);
    let score = folder.run_on(
        &["verify", "--certificates", "weak", "-t", "1", "--format", "csv"],
        format!("id,position,score\na,{PLAIN},6\n"),
    );
    let rows = verdicts(&score);
    assert_eq!((score.status, &*rows[0][0], &*rows[0][2]), (0, "confirmed", ""), "{score:#?}");
    let missing = folder.run(&["verify", "list.txt", "--certificates", "none"]);
    assert_eq!(missing.status, 2, "{missing:#?}");
    assert!(missing.err.contains("none"), "{missing:#?}");
}
