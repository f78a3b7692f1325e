//! `yose bench --against` with a stand-in for another solver, and `yose verify --solver-output`.

use crate::common::{FFO_20, Folder, PLAIN, column};

/// A program that prints the table of Edax with this score for each position.
#[cfg(unix)]
fn solver(score: &str) -> Folder {
    use std::os::unix::fs::PermissionsExt;

    let script = format!(
        "#!/bin/sh\nn=0\nwhile read -r line; do n=$((n + 1))\n\
         printf '%3d|    6   {score}        0:00.002           60      30000  H5\\n' $n\n\
         done < \"$1\"\n"
    );
    let folder = Folder::new().with("solver", script).with("suite", format!("{FFO_20}\n{PLAIN}\n"));
    let rights = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder.path("solver"), rights).expect("an executable file");
    folder
}

#[cfg(unix)]
#[test]
fn another_solver_runs_on_the_same_suite() {
    let folder = solver("+06");
    let bench = |arguments: &[&str]| {
        let mut all = vec!["bench", "suite", "-t", "1", "--against", "./solver {}"];
        all.extend(arguments);
        folder.run(&all)
    };
    let ran = bench(&["--runs", "2"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("Nodes, Yose to the other: 0."), "{}", ran.out);
    assert!(ran.out.contains("All 2 scores agree."), "{}", ran.out);
    assert!(ran.out.lines().nth(1).is_some_and(|row| row.contains("60")), "{}", ran.out);
    let json = bench(&["--json"]).out;
    assert!(json.contains("\"solver\":\"./solver {}\""), "{json}");
    let folder = solver("+06").with("both.json", json);
    let page = folder.run(&["report", "both.json", "--format", "html"]);
    assert!(page.out.contains("both.json, ./solver {}"), "{}", page.err);
    assert!(
        page.out
            .contains("<h2><bdi>both.json, ./solver {}</bdi> against <bdi>both.json, 1 thread<"),
        "{}",
        page.err
    );
    let pattern = r"regex:^ *(?<number>\d+)\| +6 +(?<score>\S+)";
    let by_pattern = bench(&["--output-format", pattern]);
    assert_eq!(by_pattern.status, 0, "{}", by_pattern.err);
    assert!(!by_pattern.out.contains("Nodes, Yose"), "{}", by_pattern.out);
}

#[cfg(unix)]
#[test]
fn a_solver_that_is_wrong_or_fails_is_reported() {
    let wrong = solver("-04").run(&["bench", "suite", "--against", "./solver {}"]);
    assert_eq!(wrong.status, 1, "{}", wrong.err);
    assert!(wrong.err.contains("suite:1: the score is +6, but the other solver has -4"));
    for (command, part) in [
        ("./none {}", "`./none {}` cannot be run"),
        ("false", "`false` cannot be run: exit status: 1"),
        ("echo {}", "the output has results for 0 of 2 positions"),
        (" ", "cannot be run: it is empty"),
    ] {
        let ran = solver("+06").run(&["bench", "suite", "--against", command]);
        assert_eq!(ran.status, 2, "{command}");
        assert!(ran.err.contains(part), "{}", ran.err);
    }
    let several = solver("+06").run(&["bench", "suite", "-t", "1,2", "--against", "./solver {}"]);
    assert_eq!(several.status, 2);
}

#[test]
fn the_output_of_another_solver_is_verified() {
    let folder = Folder::new()
        .with("list", format!("{PLAIN}\n{PLAIN}\n"))
        .with(
            "edax.txt",
            "  1|    6   +06   0:00.002  60  30000  H5\n  2|    6   +08   0:00  60 1\n",
        )
        .with("other.txt", "first: +6\nsecond: +6\n")
        .with("empty.txt", "");
    let verify = |arguments: &[&str]| {
        let mut all = vec!["verify", "list", "--format", "csv", "--solver-output"];
        all.extend(arguments);
        folder.run(&all)
    };
    let edax = verify(&["edax.txt"]);
    assert_eq!(column(&edax.out, "verdict"), ["confirmed", "refuted"]);
    assert!(column(&edax.out, "place")[1].starts_with("edax.txt:2:"), "{}", edax.out);
    let other = verify(&["other.txt", "--output-format", r"regex:: (?<score>\S+)$"]);
    assert_eq!(column(&other.out, "verdict"), ["confirmed", "confirmed"], "{}", other.err);
    let empty = verify(&["empty.txt"]);
    assert_eq!(empty.status, 2);
    assert!(empty.err.contains("empty.txt: the output has results for 0 of 2 positions"));
    assert_eq!(verify(&["none"]).status, 2);
}
