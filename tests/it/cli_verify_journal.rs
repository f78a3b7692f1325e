//! The output of `yose verify` as a journal: resumed runs and shards give what one run gives.

use std::fmt::Write as _;
use std::fs;
use std::time::Duration;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

#[cfg(unix)]
use crate::cli_output_files::run_on_full_disk;
use crate::common::{FFO_20, Folder, HARD, Ran, random_list};

const LONG: Duration = Duration::from_secs(120);

/// Claims of all kinds: bounds and scores, true and wrong; best moves; positions that occur twice,
/// some with contradictory claims; an odd score, a line that cannot be read, one without a claim.
fn claims(positions: usize, empties: std::ops::RangeInclusive<u32>) -> String {
    let list = random_list(positions, empties, 31);
    let mut text = "position,score,lower,upper\n".to_owned();
    for (number, position) in list.iter().enumerate() {
        let claim = match number % 4 {
            0 => ",2,",
            1 => ",,-2",
            2 => "0,,",
            _ => ",-10,10",
        };
        writeln!(text, "{position},{claim}").expect("a text");
        if number % 5 == 0 {
            writeln!(text, "{position},,-64,-40").expect("a text");
        }
    }
    text + &format!("{},3,,\nwrong,1,,\n{},,,\n", list[0], list[1])
}

/// The cells of each record that do not depend on the order of the searches.
fn findings(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let stable = |record: csv::StringRecord| {
        let cells = record.iter().take(10).chain(record.get(16));
        cells.map(str::to_owned).collect()
    };
    reader.records().map(|record| stable(record.expect("CSV"))).collect()
}

/// The same of JSON Lines. The last object has the counts of the summary.
fn json_findings(text: &str) -> Vec<serde_json::Value> {
    let object = |line: &str| {
        let mut object: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let map = object.as_object_mut().expect("an object");
        for key in ["score", "lower", "upper", "pv", "nodes", "seconds", "kept", "kept_nodes"] {
            map.remove(key);
        }
        object
    };
    text.lines().skip(1).map(object).collect()
}

/// The summary on standard error without the lines that differ between runs.
fn summary(ran: &Ran) -> Vec<&str> {
    let lines = ran.err.lines().skip_while(|line| !line.starts_with("    "));
    lines
        .filter(|line| !line.contains(" nodes in ") && !line.contains(" of an earlier run"))
        .collect()
}

/// Kills runs after some findings each, until one reaches its end. Returns the number of killed
/// runs.
fn killed(list: &str, most: u32, form: &str) -> u32 {
    let (whole, out) = (format!("whole.{form}"), format!("out.{form}"));
    let folder = Folder::new().with("list.csv", list);
    let expected = folder.run(&["verify", "list.csv", "-o", &whole, "-t", "2"]);
    let arguments = ["verify", "list.csv", "-o", &out, "--resume", "-t", "2"];
    let mut rng = SmallRng::seed_from_u64(32);
    let (mut kills, mut before) = (0, String::new());
    let settled = |line: &&str| line.contains("confirmed") || line.contains("refuted");
    while kills < most {
        let mut running = folder.start(&arguments);
        let lines = before.lines().count() + rng.random_range(0..8);
        let lines_now =
            || fs::read_to_string(folder.path(&out)).map_or(0, |text| text.lines().count());
        while lines_now() < lines && running.0.try_wait().expect("its state").is_none() {
            std::thread::sleep(Duration::from_micros(200));
        }
        if running.0.try_wait().expect("its state").is_some() {
            break;
        }
        running.0.kill().expect("it runs");
        running.0.wait().expect("its end");
        kills += 1;
        let now = fs::read_to_string(folder.path(&out)).unwrap_or_default();
        let records = before.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        for line in records.filter(|line| !line.contains("\"type\":\"summary\"")).filter(settled) {
            assert!(now.contains(line), "a finding is lost: {line}");
        }
        before = now;
    }
    let ran = folder.start(&arguments).end(LONG);
    assert_eq!(ran.status, expected.status, "{ran:?}");
    assert_eq!(summary(&ran), summary(&expected));
    let (text, whole) = (folder.read(&out), folder.read(&whole));
    if form == "csv" {
        assert_eq!(findings(&text), findings(&whole));
    } else {
        assert_eq!(json_findings(&text), json_findings(&whole));
    }
    kills
}

#[test]
fn killed_and_resumed_runs_give_what_one_run_gives() {
    // The first claim takes longer than all others.
    let list = claims(40, 8..=11).replacen(
        '\n',
        &format!("\n{},2,,\n", random_list(1, 16..=16, 35)[0]),
        1,
    );
    let kills = killed(&list, 4, "csv") + killed(&list, 4, "jsonl");
    assert!(kills >= 4, "{kills}: the list is too short to be killed");
}

/// `cargo test --release --test it -- --ignored --nocapture cli_verify_journal::`
#[test]
#[ignore = "takes minutes"]
fn fifty_kills() {
    let list = claims(600, 10..=15);
    for form in ["csv", "jsonl"] {
        println!("{form}: {} kills", killed(&list, 50, form));
    }
}

#[test]
fn a_torn_file_is_continued() {
    let list = claims(12, 4..=7);
    for form in ["csv", "jsonl"] {
        let out = format!("out.{form}");
        let folder = Folder::new().with("list.csv", &list);
        let whole = folder.run(&["verify", "list.csv", "-o", &out]);
        let full = folder.read(&out);
        for length in [0, 1, 10, 70, full.len() / 3, full.len() / 2, full.len() - 1, full.len()] {
            fs::write(folder.path(&out), &full[..length]).expect("the file");
            let ran = folder.run(&["verify", "list.csv", "-o", &out, "--resume"]);
            assert_eq!((summary(&ran), ran.status), (summary(&whole), whole.status), "{length}");
            let now = folder.read(&out);
            if form == "csv" {
                assert_eq!(findings(&now), findings(&full), "torn after {length} bytes");
            } else {
                assert_eq!(json_findings(&now), json_findings(&full), "{length} bytes");
            }
        }
    }
}

#[test]
fn unsettled_claims_are_verified_again_and_others_are_kept() {
    // FFO 20 is solved within the limit. The second claim is not.
    let hard = &random_list(1, 20..=20, 33)[0];
    let list = format!("position,score\n{},8\n{hard},64\n", &FFO_20[..66]);
    let folder = Folder::new().with("list.csv", list);
    let first = folder.run(&["verify", "list.csv", "-o", "out.csv", "--node-limit", "2000"]);
    assert!(first.err.contains("higher limits and --resume continue out.csv\n"), "{first:#?}");
    let before = folder.read("out.csv");
    let ran = folder.run(&["verify", "list.csv", "-o", "out.csv", "--resume"]);
    let after = folder.read("out.csv");
    assert_eq!(before.lines().nth(1), after.lines().nth(1), "the record stays as it is");
    assert!(!after.contains("open") && !after.contains("consistent"), "{after}");
    assert!(ran.err.starts_with("list.csv:2:68: refuted: "), "it is reported again: {ran:#?}");
    assert!(ran.err.contains("\n1 finding of an earlier run\n"), "{ran:#?}");
    assert_eq!(ran.status, 1);
}

#[test]
fn a_file_of_another_input_is_refused_and_not_changed() {
    let folder = Folder::new()
        .with("list.csv", claims(6, 4..=6))
        .with("other.csv", format!("position,score\n{},6\n", &FFO_20[..66]))
        .with("notes", "buy milk\nand eggs\n");
    folder.run(&["verify", "list.csv", "-o", "out.csv"]);
    folder.run(&["solve", "list.csv", "-o", "solved.csv"]);
    for (arguments, message) in [
        (
            &["other.csv", "-o", "out.csv"][..],
            "out.csv: has 8 results for positions that the input",
        ),
        (&["list.csv", "-o", "notes"], "notes:1:1: does not begin as a file of findings does; "),
        (&["list.csv", "-o", "solved.csv"], "solved.csv:1:1: does not begin as a file of findings"),
        (
            &["list.csv", "-o", "out.csv", "--format", "jsonl"],
            "out.csv:1:1: begins a file of findings in another format; ",
        ),
        (&["list.csv", "-o", "out.txt", "--format", "table"], "only CSV and JSON Lines can be "),
        (&["list.csv", "-o", "/dev/null"], "--resume needs a file that can be read again; "),
    ] {
        let file = folder.path(arguments[2]);
        let before = fs::read(&file).ok();
        let ran = folder.run(&[&["verify"], arguments, &["--resume"]].concat());
        assert!(ran.err.starts_with(&format!("yose: {message}")), "{arguments:?}: {ran:?}");
        assert_eq!((ran.status, fs::read(&file).ok()), (2, before), "{arguments:?}");
    }
}

#[test]
#[cfg(unix)]
fn a_signal_leaves_a_file_that_can_be_resumed() {
    let list = format!("{FFO_20}\n{HARD}; +2;\n");
    let folder = Folder::new().with("list.obf", list);
    let running = folder.start(&["verify", "list.obf", "-o", "out.csv", "-t", "2"]);
    while !fs::read_to_string(folder.path("out.csv")).is_ok_and(|text| text.contains("h6 -10")) {
        std::thread::sleep(Duration::from_millis(5));
    }
    running.signal("TERM");
    let ran = running.end(LONG);
    let message = "yose: terminated; the remaining claims are not verified; \
                   the same command with --resume continues out.csv\n";
    assert!(ran.err.starts_with(message) && ran.status == 75, "{ran:?}");
    let before = folder.read("out.csv");
    let arguments = ["verify", "list.obf", "-o", "out.csv", "--resume", "--node-limit", "1000"];
    let ran = folder.run(&arguments);
    assert_eq!(ran.status, 4, "{ran:?}");
    let records = |text: &str| text.lines().take(5).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(records(&folder.read("out.csv")), records(&before), "they are kept");
}

#[test]
#[cfg(unix)]
fn a_full_disk_loses_no_finding_that_was_written() {
    let folder = Folder::new().with("list.csv", claims(60, 3..=6));
    let whole = folder.run(&["verify", "list.csv", "-o", "whole.csv"]);
    let arguments = ["verify", "list.csv", "-o", "out.csv"];
    let ran = run_on_full_disk(&folder, 8, &arguments);
    assert!(ran.err.contains("yose: out.csv: the output cannot be written after "), "{ran:?}");
    assert!(ran.err.contains("File too large") && ran.status == 2, "{ran:?}");
    let before = folder.read("out.csv");
    let written: Vec<&str> =
        before.split_inclusive('\n').filter(|line| line.ends_with('\n')).collect();
    assert!(written.len() > 5, "{before}");
    // There is no space for the new file either. The old one stays.
    let ran = run_on_full_disk(&folder, 1, &[&arguments[..], &["--resume"]].concat());
    assert!(ran.err.contains("File too large") && ran.status == 2, "{ran:?}");
    assert_eq!(folder.read("out.csv"), before);
    let ran = folder.run(&[&arguments[..], &["--resume"]].concat());
    assert_eq!((summary(&ran), ran.status), (summary(&whole), whole.status));
    let after = folder.read("out.csv");
    let settled = |line: &&&str| line.contains(",confirmed,") || line.contains(",refuted,");
    assert!(written.iter().filter(settled).all(|line| after.contains(line)));
    assert_eq!(findings(&after), findings(&folder.read("whole.csv")));
}

#[test]
fn shards_have_all_findings_once() {
    let folder = Folder::new().with("list.csv", claims(30, 4..=8));
    let whole = folder.run(&["verify", "list.csv", "--format", "csv"]);
    let (mut all, mut counts) = (Vec::new(), [0u64; 4]);
    for part in ["1/3", "2/3", "3/3"] {
        let file = part.replace('/', "-") + ".jsonl";
        let ran = folder.run(&["verify", "list.csv", "--format", "csv", "--shard", part]);
        let found = findings(&ran.out);
        assert!(!found.is_empty() && found.len() < 30, "{part}: {found:?}");
        all.extend(found);
        folder.run(&["verify", "list.csv", "-o", &file, "--shard", part]);
        let text = folder.read(&file);
        assert!(text.lines().next().is_some_and(|line| line.contains(&format!("\"{part}\""))));
        let summary: serde_json::Value =
            serde_json::from_str(text.lines().last().expect("a summary")).expect("JSON");
        for (sum, key) in counts.iter_mut().zip(["claims", "refuted", "malformed", "repeated"]) {
            *sum += summary[key].as_u64().expect("a count");
        }
    }
    // The files in one are the whole.
    for form in ["csv", "jsonl"] {
        let parts = ["1/3", "2/3", "3/3"].map(|part| {
            let file = format!("part{}.{form}", &part[..1]);
            folder.run(&["verify", "list.csv", "-o", &file, "--shard", part, "--force"]);
            folder.read(&file)
        });
        let (joined, single) = (format!("joined.{form}"), format!("single.{form}"));
        fs::write(folder.path(&joined), parts.concat()).expect("the file");
        let of_parts = folder.run(&["verify", "list.csv", "-o", &joined, "--resume"]);
        let of_one = folder.run(&["verify", "list.csv", "-o", &single]);
        assert_eq!(summary(&of_parts), summary(&of_one));
        let (joined, single) = (folder.read(&joined), folder.read(&single));
        if form == "csv" {
            assert_eq!(findings(&joined), findings(&single));
        } else {
            assert_eq!(json_findings(&joined), json_findings(&single));
        }
    }
    let mut expected = findings(&whole.out);
    let [claims, refuted, malformed, _] = counts;
    let with = |verdict: &str| expected.iter().filter(|row| row[9] == verdict).count() as u64;
    assert_eq!((refuted, malformed), (with("refuted"), with("malformed")));
    assert_eq!(claims, expected.len() as u64 - malformed - with("unclaimed"));
    all.sort();
    expected.sort();
    assert_eq!(all, expected, "comparisons included: equal positions are in the same part");
}

#[test]
fn estimates_of_shards_sum_up() {
    let folder = Folder::new().with("list", random_list(40, 8..=12, 34).join("\n") + "\nwrong\n");
    let positions = |arguments: &[&str]| -> (u64, i32) {
        let ran = folder.run(&[&["estimate", "list", "--trial", "1ms"], arguments].concat());
        let all = ran.out.lines().find(|line| line.trim_start().starts_with("all"));
        let count = all.and_then(|line| line.split_whitespace().nth(1)?.parse().ok());
        (count.expect("a number"), ran.status)
    };
    let (first, second) = (positions(&["--shard", "1/2"]), positions(&["--shard", "2/2"]));
    assert_eq!((first.0 + second.0, positions(&[])), (40, (40, 3)));
    assert_eq!((first.1, second.1), (3, 0), "the invalid line belongs to the first part");
}

#[test]
fn every_position_of_an_estimate_is_in_a_row() {
    let board = "-".repeat(62);
    let position = |rest: &str| format!("{board}{rest} X");
    let (two, none) = (position("XO"), position("--"));
    let ran = Folder::new().run(&["estimate", "-p", &two, "-p", &none, "--trial", "1ms"]);
    let rows: Vec<&str> =
        ran.out.lines().skip(1).filter_map(|row| row.split_whitespace().next()).collect();
    assert_eq!(rows[..3], ["62", "64", "all"], "{ran:?}");
}
