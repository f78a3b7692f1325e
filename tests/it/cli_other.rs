//! The smaller commands, help and versions as a user sees them.

use crate::common::{FFO_20, Folder, OVER, PASS, PLAIN, Ran, other_program};
use yose::eval::{EMBEDDED, Evaluation, Weights};
use yose::records::output::readable;

const START: &str = "---------------------------OX------XO--------------------------- X";

#[test]
fn without_arguments_there_is_help() {
    let ran = Folder::new().run(&[]);
    assert_eq!((ran.out.as_str(), ran.status), ("", 2));
    assert!(
        ran.err.starts_with("Solve Othello endgames perfectly")
            && ran.err.contains("Usage: yose [OPTIONS] <COMMAND>")
    );
}

#[test]
fn help_reads_well() {
    let folder = Folder::new();
    for arguments in [&["--help"][..], &["solve", "--help"], &["fingerprint", "--help"]] {
        // With `stats` there is one option more.
        if cfg!(feature = "stats") && arguments[0] == "solve" {
            continue;
        }
        // No environment variable of the tests' own is shown.
        let mut command = folder.yose(arguments);
        let output = command
            .env_remove("YOSE_HASH")
            .env_remove("COLUMNS")
            .output()
            .expect("the program runs");
        assert!(output.status.success());
        insta::assert_snapshot!(
            arguments.join("_").replace("--", ""),
            String::from_utf8_lossy(&output.stdout)
        );
    }
}

#[test]
fn versions() {
    let folder = Folder::new();
    assert_eq!(folder.run(&["-V"]).out, concat!("yose ", env!("CARGO_PKG_VERSION"), "\n"));
    let long = folder.run(&["--version"]).out;
    let mut head =
        format!("yose {}\nbuild tier: {}\n", env!("CARGO_PKG_VERSION"), yose::tier::NAME);
    if let Some(tier) = yose::tier::faster() {
        head += &format!("faster on this CPU: {tier}, with RUSTFLAGS=");
        head += &format!("\"-C target-cpu={tier}\" cargo install yose\n");
    }
    let weights = long.strip_prefix(&head).unwrap_or_else(|| panic!("{long}"));
    let expected = format!(
        "weights: embedded, {} stages, {} bytes in a file, {} in memory\norigin of the weights: ",
        Weights::embedded().expect("sound weights").stages().len(),
        readable(EMBEDDED.len() as u64),
        readable(Evaluation::embedded().bytes() as u64),
    );
    assert!(weights.starts_with(&expected) && weights.lines().count() == 2, "{long}");
}

#[test]
fn a_build_has_its_own_tier_alone() {
    let folder = Folder::new();
    let own = yose::tier::NAME;
    for arguments in [&["--tier", own, "perft", "1"][..], &["perft", "1", "--tier", own]] {
        assert_eq!(folder.run(arguments).status, 0);
    }
    let with_variable = |arguments: &[&str], value: &str| {
        let mut command = folder.yose(arguments);
        command.env("YOSE_TIER", value);
        Ran::of(command)
    };
    for value in ["", own] {
        assert_eq!(with_variable(&["perft", "1"], value).status, 0);
    }
    // The option comes before the variable.
    assert_eq!(with_variable(&["perft", "1", "--tier", own], "none").status, 0);
    // A released program may have all tiers, which it names instead. The tests of the launcher have
    // the rest.
    let all = "; the tiers are portable, x86-64-v3 and x86-64-v4\n";
    let refused = with_variable(&["perft", "1"], "none");
    let reason = if other_program().is_some() && refused.err.ends_with(all) {
        all.to_owned()
    } else {
        format!(
            ", but this program was built for the tier {own} alone; only an executable with \
             several tiers has a choice\n"
        )
    };
    for (refused, what) in [
        (refused, "the environment variable YOSE_TIER"),
        (folder.run(&["--tier", "none", "perft", "1"]), "--tier"),
    ] {
        assert_eq!((refused.status, refused.out.as_str()), (2, ""));
        assert_eq!(refused.err, format!("yose: {what} is `none`{reason}"));
    }
    assert_eq!(folder.run(&["perft", "1", "--tier"]).status, 2);
}

#[test]
fn perft_counts() {
    let folder = Folder::new();
    let counts = |arguments: &[&str]| -> Vec<String> {
        let ran = folder.run(arguments);
        assert_eq!((ran.err.as_str(), ran.status), ("", 0));
        let words = ran
            .out
            .lines()
            .skip(1)
            .map(|line| line.split_whitespace().take(2).collect::<Vec<_>>().join(" "));
        words.collect()
    };
    let start = ["1 4", "2 12", "3 56", "4 244", "5 1,396", "6 8,200"];
    assert_eq!(counts(&["perft", "6"]), start);
    assert_eq!(counts(&["perft", "6", START]), start);
    assert_eq!(
        counts(&["perft", "6", &START[..64], "X"]),
        start,
        "a shell cuts a position at its blank"
    );
    assert_eq!(counts(&["perft", "3", PASS]), ["1 1", "2 1", "3 1"]);
    let ran = folder.run(&["perft", "21"]);
    assert!(ran.err.contains("21 is not in 1..=20"), "{ran:?}");
    assert_eq!(ran.status, 2);
}

#[test]
fn show_draws_a_board() {
    let folder = Folder::new();
    let ran = folder.run(&["show", FFO_20]);
    assert_eq!(ran.status, 0, "{ran:?}");
    insta::assert_snapshot!(ran.out);
    assert_eq!(folder.run(&["show", &PLAIN[..64], "X"]).status, 0);
    assert!(folder.run(&["show", PASS]).out.ends_with("\nX to move must pass\n"));
    assert!(
        folder
            .run(&["show", OVER])
            .out
            .ends_with("\nThe game is over: X wins by 64, empties included\n")
    );
    let late = folder.run(&["show", FFO_20, "--all-moves"]);
    assert!(late.err.contains("`--all-moves` stands behind the position"), "{late:?}");
    assert_eq!(late.status, 2);
    let ran = folder.run(&["show", &START[..64]]);
    let err = "yose: the position, column 65: the side to move is missing; \
               write X or O after the 64 squares, or name one side for all\n";
    assert_eq!((ran.out.as_str(), ran.err.as_str(), ran.status), ("", err, 2));
}

#[test]
fn a_fingerprint_is_written_and_checked() {
    let folder = Folder::new()
        .with("list", format!("{FFO_20}\n{PASS}\n"))
        .with("other", format!("{PASS}\n{OVER}\n"));
    let ran = folder.run(&["fingerprint", "--list", "list", "--write", "old"]);
    assert_eq!((ran.err.as_str(), ran.status), ("", 0));
    assert!(ran.out.ends_with("\nwritten to old\n"), "{ran:?}");

    let ran = folder.run(&["fingerprint", "--list", "list", "--check", "old"]);
    assert!(ran.out.ends_with("\nthe same as in old\n") && ran.status == 0, "{ran:?}");

    let ran = folder.run(&["fingerprint", "--list", "other", "--check", "old"]);
    assert!(ran.out.contains("\ndifferent from old, which has "), "{ran:?}");
    assert!(ran.out.contains("\n  other:2: is not in the file\n"), "{ran:?}");
    assert!(ran.out.contains("\n  old:3: is not in the list of positions\n"), "{ran:?}");
    assert_eq!(ran.status, 1, "{ran:?}");

    let edited = folder.read("old").replace(" +6\n", " +8\n");
    let ran =
        folder.with("edited", edited).run(&["fingerprint", "--list", "list", "--check", "edited"]);
    assert!(ran.err.contains("edited:6: the digest is not that of the lines"), "{ran:?}");
    assert_eq!(ran.status, 2, "{ran:?}");
}

#[test]
fn other_weights_have_another_fingerprint() {
    // FFO 21 has 15 empties: enough for the evaluation to be asked.
    let suite = include_str!("../../positions/ffo-20-39.obf");
    let lines: Vec<&str> =
        suite.lines().filter(|line| !line.is_empty() && !line.starts_with('%')).collect();
    let folder = Folder::new().with("list", lines[1]);
    assert_eq!(folder.run(&["fingerprint", "--list", "list", "--write", "old"]).status, 0);
    let with = |weights: &str| {
        folder.run(&["fingerprint", "--list", "list", "--check", "old", "--weights", weights])
    };
    assert_eq!(with("embedded").status, 0);
    let ran = with("zero");
    assert!(
        ran.status == 1 && ran.out.contains("  list:1: ") && !ran.out.contains("score +"),
        "{ran:?}"
    );
}

#[test]
fn a_fingerprint_takes_only_good_lists() {
    let folder = Folder::new().with("bad", format!("{PASS}\nX\n")).with("empty", "");
    for (list, message) in [
        ("bad", "yose: bad:2:2: the board ends after 1 of 64 squares; "),
        ("empty", "yose: empty: holds no positions"),
        ("none", "yose: none: cannot be opened: "),
    ] {
        let ran = folder.run(&["fingerprint", "--list", list]);
        assert!(ran.err.starts_with(message) && ran.status == 2, "{ran:?}");
    }
    let ran = folder.run(&["fingerprint", "--check", "none"]);
    assert!(ran.err.starts_with("yose: none: cannot be read: ") && ran.out.is_empty(), "{ran:?}");
    assert_eq!(ran.status, 2);
}
