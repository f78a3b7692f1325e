//! The output file as a journal: no finished result is lost, however the program ends.

use std::fs;
use std::io::Write;
use std::time::Duration;

use crate::common::{Folder, HARD, PLAIN, program, random_list};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

const LONG: Duration = Duration::from_secs(120);

/// `id status score` of each line of a CSV file.
fn records(text: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let words = |record: csv::StringRecord| {
        [&record[0], &record[3], &record[4]].join(" ").trim_end().to_owned()
    };
    reader.records().map(|record| words(record.expect("CSV"))).collect()
}

/// Whether a line is the record of a solved position, and not the summary of a finished run.
fn is_result(line: &str) -> bool {
    line.contains("exact") && !line.contains("\"type\":\"summary\"")
}

/// The whole lines of a file that may end in a torn one.
fn whole(text: &str) -> &str {
    &text[..text.rfind('\n').map_or(0, |end| end + 1)]
}

/// The files of a folder other than these.
fn left_over(folder: &Folder, known: &[&str]) -> Vec<String> {
    let names = fs::read_dir(folder.path(""))
        .expect("the folder")
        .map(|file| file.expect("a file").file_name());
    names
        .map(|name| name.to_string_lossy().into_owned())
        .filter(|name| !known.contains(&name.as_str()))
        .collect()
}

#[test]
fn the_file_is_in_order_at_the_end() {
    let folder = Folder::new().with("list", random_list(1000, 4..=10, 11).join("\n"));
    let expected = folder.run(&["solve", "list", "-t", "1"]).records();
    for (name, arguments) in [("a.csv", &["-t", "3"][..]), ("b.csv", &["-t", "1"])] {
        let ran = folder.run(&[&["solve", "list", "-o", name], arguments].concat());
        assert_eq!((ran.out.as_str(), ran.err.as_str(), ran.status), ("", "", 0));
        assert_eq!(records(&folder.read(name)), expected);
    }
    assert_eq!(folder.run(&["solve", "list", "-o", "c.csv", "-t", "3", "--unordered"]).status, 0);
    let mut unordered = records(&folder.read("c.csv"));
    assert_ne!(unordered, expected);
    unordered.sort();
    let mut sorted = expected.clone();
    sorted.sort();
    assert_eq!(unordered, sorted);
    assert_eq!(left_over(&folder, &["list", "a.csv", "b.csv", "c.csv"]), [""; 0]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode =
            |name: &str| fs::metadata(folder.path(name)).expect("a file").permissions().mode();
        assert_eq!(mode("a.csv"), mode("list"), "a new file is one like others");
    }
}

/// Kills runs over a list at random moments until one reaches its end. Returns the number of
/// killed runs.
#[cfg(unix)]
fn killed(
    positions: usize,
    empties: std::ops::RangeInclusive<u32>,
    most: u32,
    within: u64,
    form: &str,
) -> u32 {
    let out = format!("out.{form}");
    let folder = Folder::new().with("list", random_list(positions, empties, 12).join("\n"));
    let expected = folder.run(&["solve", "list", "--progress", "none"]).records();
    let arguments = ["solve", "list", "-o", &out, "--resume", "--progress", "none", "-t", "2"];
    let mut rng = SmallRng::seed_from_u64(13);
    let (mut kills, mut before) = (0, String::new());
    while kills < most {
        let mut running = folder.start(&arguments);
        std::thread::sleep(Duration::from_micros(rng.random_range(500..within)));
        if running.0.try_wait().expect("its state").is_some() {
            break;
        }
        running.signal("KILL");
        running.wait(LONG);
        kills += 1;
        let now = fs::read_to_string(folder.path(&out)).unwrap_or_default();
        for line in whole(&before).lines().filter(|line| is_result(line)) {
            assert!(now.contains(line), "a finished result is lost: {line}");
        }
        before = now;
    }
    let ran = folder.start(&arguments).end(LONG);
    assert_eq!((ran.err.as_str(), ran.status), ("", 0));
    let text = folder.read(&out);
    for line in whole(&before).lines().filter(|line| is_result(line)) {
        assert!(text.contains(line), "a finished result is lost: {line}");
    }
    if form == "csv" {
        assert_eq!(records(&text), expected);
    } else {
        let lines: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(
            (&lines[0]["type"], &lines[positions + 1]["type"]),
            (&"run".into(), &"summary".into())
        );
        assert_eq!(lines.len(), positions + 2);
        let said = |line: &serde_json::Value| {
            let word = |key: &str| line[key].as_str().expect("a text").to_owned();
            format!("{} {} {}", word("id"), word("status"), line["score"])
        };
        assert_eq!(lines[1..=positions].iter().map(said).collect::<Vec<_>>(), expected);
    }
    kills
}

#[test]
#[cfg(unix)]
fn kill_at_any_moment_loses_nothing_that_was_finished() {
    let kills = killed(300, 10..=14, 4, 250_000, "csv") + killed(300, 10..=14, 4, 250_000, "jsonl");
    assert!(kills >= 4, "{kills}: the list is too short to be killed");
}

/// `cargo test --release --test it -- --ignored --nocapture cli_journal::`
#[test]
#[ignore = "takes minutes"]
#[cfg(unix)]
fn fifty_kills() {
    for form in ["csv", "jsonl"] {
        println!("{form}: {} kills", killed(2000, 10..=16, 50, 600_000, form));
    }
}

#[test]
fn a_torn_line_is_solved_again() {
    let list = random_list(40, 5..=8, 14).join("\n");
    for form in ["csv", "jsonl"] {
        let out = format!("out.{form}");
        let folder = Folder::new().with("list", &list);
        assert_eq!(folder.run(&["solve", "list", "-o", &out, "-t", "1"]).status, 0);
        let full = folder.read(&out);
        let ids = |text: &str| text.matches("list:").count();
        for length in [0, 1, 10, 70, full.len() / 3, full.len() / 2, full.len() - 1] {
            fs::write(folder.path(&out), &full[..length]).expect("the file");
            let ran = folder.run(&["solve", "list", "-o", &out, "--resume"]);
            assert_eq!(
                (ran.err.as_str(), ran.status),
                ("", 0),
                "{form}, torn after {length} bytes"
            );
            let now = folder.read(&out);
            assert_eq!((now.lines().count(), ids(&now)), (full.lines().count(), ids(&full)));
            // What was there is there as it was.
            let kept = whole(&full[..length]).lines().filter(|line| line.contains("exact"));
            assert!(kept.clone().all(|line| now.contains(line)));
            assert_eq!(
                kept.count(),
                whole(&full[..length]).matches("exact,").count()
                    + whole(&full[..length]).matches("\"exact\",").count()
            );
        }
    }
}

#[test]
fn a_file_of_another_input_is_refused_and_not_changed() {
    let lines = random_list(10, 4..=6, 15);
    let folder = Folder::new()
        .with("list", lines.join("\n"))
        .with("other", random_list(10, 4..=6, 16).join("\n"));
    let folder = folder
        .with("short", lines[..7].join("\n"))
        .with("notes", "buy milk\nand eggs\n")
        .with("note", "id");
    assert_eq!(folder.run(&["solve", "list", "-o", "out.csv"]).status, 0);
    assert_eq!(folder.run(&["solve", "list", "-o", "out.jsonl"]).status, 0);
    fs::copy(folder.path("other"), folder.path("changed")).expect("a copy");
    let changed = folder.read("out.csv").replace("list:", "changed:");
    let short = folder.read("out.csv").replace("list:", "short:");
    let folder = folder.with("changed.csv", changed).with("short.csv", short);
    for (arguments, message) in [
        (
            &["other", "-o", "out.csv"][..],
            "out.csv: has 10 results for positions that the input does not have, such as list:1; \
             give the same files and --shard as before",
        ),
        (
            &["changed", "-o", "changed.csv"],
            "changed.csv: has 10 results for positions that the input does not have, \
             such as changed:1; give the same files and --shard as before",
        ),
        (
            &["short", "-o", "short.csv"],
            "short.csv: has 3 results for positions that the input does not have, \
             such as short:8; give the same files and --shard as before",
        ),
        (
            &["list", "-o", "out.csv", "--all-moves"],
            "out.csv: its results do not have the score of every move; \
             give the same --format, --all-moves, --game-columns and --comments as before",
        ),
        (
            &["list", "-o", "out.csv", "--format", "jsonl"],
            "out.csv: its results are in another format; \
             give the same --format, --all-moves, --game-columns and --comments as before",
        ),
        (
            &["list", "-o", "notes"],
            "notes:1:1: does not begin as a file of results does; \
             --resume needs an unchanged file of results",
        ),
        (
            &["list", "-o", "out.txt", "--format", "table"],
            "only CSV and JSON Lines can be resumed; give --format csv or --format jsonl",
        ),
        (
            &["list", "-o", "/dev/null"],
            "--resume needs a file that can be read again; name one with --output",
        ),
        (&["list", "-o", "list"], "list: is one of the inputs; give --output another name"),
    ] {
        let file = folder.path(arguments[2]);
        let before = fs::read(&file).ok();
        let ran = folder.run(&[&["solve"], arguments, &["--resume"]].concat());
        assert_eq!(
            (ran.err.as_str(), ran.status),
            (format!("yose: {message}\n").as_str(), 2),
            "{arguments:?}"
        );
        assert_eq!(fs::read(&file).ok(), before, "{arguments:?}");
    }
    // Further lines of the input are solved.
    let folder = folder.with("short", lines.join("\n"));
    assert_eq!(folder.run(&["solve", "short", "-o", "short.csv", "--resume"]).status, 0);
    assert_eq!(records(&folder.read("short.csv")).len(), 10);
    assert_eq!(left_over(&folder, &[]).iter().filter(|name| name.ends_with(".tmp")).count(), 0);
}

#[test]
fn a_line_that_is_not_a_record_is_reported() {
    let folder = Folder::new().with("list", random_list(5, 4..=6, 17).join("\n"));
    assert_eq!(folder.run(&["solve", "list", "-o", "out.csv"]).status, 0);
    let text = folder.read("out.csv").replacen("exact", "perhaps", 2);
    let folder = folder.with("out.csv", &text);
    let ran = folder.run(&["solve", "list", "-o", "out.csv", "--resume"]);
    let message = "`perhaps` is not a status; --resume needs an unchanged file of results";
    assert_eq!(
        (ran.err.as_str(), ran.status),
        (format!("yose: out.csv:2:77: {message}\n").as_str(), 2)
    );
    assert_eq!(folder.read("out.csv"), text);
}

#[test]
fn results_that_were_cut_short_or_have_another_goal_are_solved_again() {
    let list = [random_list(30, 10..=13, 18).join("\n"), "nonsense".to_owned()].join("\n");
    let folder = Folder::new().with("list", &list);
    let expected = folder.run(&["solve", "list"]).records();
    for arguments in [
        &["--node-limit", "3000"][..],
        &["--goal", "wld"],
        &["--deadline", "0s"],
        &["--window", "-5,9"],
    ] {
        let ran = folder.run(&[&["solve", "list", "-o", "out.csv", "--force"], arguments].concat());
        assert_ne!(ran.status, 0, "{arguments:?}");
        let before = records(&folder.read("out.csv"));
        assert!(before.len() == 31 && before != expected, "{arguments:?}");
        let kept: Vec<String> = folder
            .read("out.csv")
            .lines()
            .filter(|line| line.contains(",exact,"))
            .map(str::to_owned)
            .collect();
        let ran = folder.run(&["solve", "list", "-o", "out.csv", "--resume"]);
        assert_eq!(ran.status, 3, "the nonsense is reported again: {ran:?}");
        assert!(ran.err.starts_with("list:31:1: "), "{ran:?}");
        let text = folder.read("out.csv");
        assert_eq!(records(&text), expected, "{arguments:?}");
        assert!(kept.iter().all(|line| text.contains(line)), "{arguments:?}");
    }
}

#[test]
#[cfg(unix)]
fn a_signal_leaves_a_file_that_can_be_resumed() {
    let list = [random_list(200, 4..=8, 19).join("\n"), HARD.to_owned()].join("\n");
    let folder = Folder::new().with("list", &list);
    let running = folder.start(&["solve", "list", "-o", "out.csv", "-t", "2"]);
    std::thread::sleep(Duration::from_millis(600));
    running.signal("TERM");
    let ran = running.end(LONG);
    let err = "yose: terminated: 200 of 201 positions are solved, 1 are not; \
               the same command with --resume continues out.csv\n";
    assert_eq!((ran.err.as_str(), ran.status), (err, 75));
    let before = folder.read("out.csv");
    assert!(records(&before)[200].starts_with("list:201 interrupted"), "{before}");
    assert_eq!(records(&before).len(), 201);
    let ran = folder.run(&[
        "solve",
        "list",
        "-o",
        "out.csv",
        "-t",
        "2",
        "--resume",
        "--time-limit",
        "100ms",
    ]);
    assert!(
        ran.status == 4 && ran.err.contains("; higher limits and --resume continue out.csv\n"),
        "{ran:?}"
    );
    let after = folder.read("out.csv");
    let lines = |text: &str| text.lines().take(201).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines(&after), lines(&before), "nothing was solved twice");
}

#[test]
fn a_file_is_written_by_one_run_at_a_time() {
    let folder = Folder::new();
    let mut running = folder.start(&["solve", "-o", "out.csv"]);
    let mut input = running.0.stdin.take().expect("its input");
    writeln!(input, "{PLAIN}").expect("it reads");
    while !fs::read_to_string(folder.path("out.csv")).is_ok_and(|text| text.contains("stdin:1")) {
        std::thread::sleep(Duration::from_millis(5));
    }
    for way in ["--resume", "--force"] {
        let ran = folder.run_on(&["solve", "-o", "out.csv", way], PLAIN);
        assert_eq!(
            (ran.err.as_str(), ran.status),
            ("yose: out.csv: another run is writing it\n", 2)
        );
    }
    drop(input);
    assert_eq!(running.end(LONG).status, 0);
    // A run from a pipe can be resumed too.
    let ran = folder.run_on(&["solve", "-o", "out.csv", "--resume"], format!("{PLAIN}\n{PLAIN}\n"));
    assert_eq!((ran.err.as_str(), ran.status), ("", 0));
    assert_eq!(records(&folder.read("out.csv")), ["stdin:1 exact 6", "stdin:2 exact 6"]);
    // Results of another input are found at the end, and are kept.
    let ran = folder.run_on(&["solve", "-o", "out.csv", "--resume"], format!("{PLAIN}\n"));
    assert!(ran.err.starts_with(
        "yose: out.csv: has 1 results for positions that the input does not have, such as stdin:2; "
    ));
    assert_eq!((ran.status, records(&folder.read("out.csv")).len()), (2, 2));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_reported_and_loses_no_written_result() {
    let folder = Folder::new().with("list", random_list(4000, 4..=7, 20).join("\n"));
    let ran = folder.run(&["solve", "list", "-o", "/dev/full"]);
    assert!(
        ran.err.starts_with(
            "yose: /dev/full: the output cannot be written after 0 results: No space left"
        ),
        "{ran:?}"
    );
    assert_eq!(ran.status, 2);

    // A limit on the size of files, 256 blocks of 512 bytes or 1024, acts like a full disk. It is
    // the soft one, as an executable with all tiers cannot start below a hard one (launcher/).
    let script = r#"trap '' XFSZ; ulimit -S -f 256; exec "$0" "$@""#;
    let mut command = assert_cmd::Command::new("sh");
    let program = program();
    command.current_dir(folder.path("")).env("YOSE_HASH", "1MiB").args(["-c", script]).arg(program);
    let output = command.args(["solve", "list", "-o", "out.csv"]).output().expect("a shell");
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        err.starts_with("yose: out.csv: the output cannot be written after ")
            && err.contains("File too large"),
        "{err}"
    );
    assert_eq!(output.status.code(), Some(2));
    let reported: usize = err.split(' ').nth(8).expect("a number").parse().expect("a number");
    let before = folder.read("out.csv");
    let lines: Vec<&str> = whole(&before).lines().skip(1).collect();
    assert!(
        reported > 0 && lines.len() >= reported,
        "{reported} results were reported as written, {} are",
        lines.len()
    );

    let ran = folder.run(&["solve", "list", "-o", "out.csv", "--resume"]);
    assert_eq!((ran.err.as_str(), ran.status), ("", 0));
    let after = folder.read("out.csv");
    assert!(lines.iter().all(|line| after.contains(line)));
    assert_eq!(records(&after), folder.run(&["solve", "list"]).records());
}

#[test]
fn shards_are_solved_separately_and_joined() {
    let mut lines = random_list(300, 3..=8, 21);
    lines[100] = "nonsense".to_owned();
    let folder = Folder::new().with("list", lines.join("\n"));
    for form in ["csv", "jsonl"] {
        let part = |number: usize| format!("part{number}.{form}");
        for number in 1..=3 {
            let shard = format!("{number}/3");
            let status =
                folder.run(&["solve", "list", "--shard", &shard, "-o", &part(number)]).status;
            assert_eq!(
                status,
                if number == 1 { 3 } else { 0 },
                "the line that cannot be read is the first's"
            );
            let size = folder.read(&part(number)).lines().count();
            assert!((60..140).contains(&size), "{size} of 300");
        }
        let all = format!("all.{form}");
        let parts = [part(1), part(2), part(3)];
        let ran =
            folder.run(&["merge", &parts[2], &parts[0], &parts[1], "-o", &all, "--input", "list"]);
        assert_eq!(
            (ran.err.as_str(), ran.status),
            ("yose: 300 results from 3 files, 1 invalid\n", 0)
        );
        let ran = folder.run(&["merge", &parts[1], &parts[0], &parts[2]]);
        let merged = folder.read(&all);
        let order = |text: &str| {
            let id = |line: &str| {
                line.split(['"', ',']).find(|word| word.starts_with("list:")).map(str::to_owned)
            };
            text.lines().filter_map(id).collect::<Vec<_>>()
        };
        let ids: Vec<String> = (1..=300).map(|line| format!("list:{line}")).collect();
        assert_eq!((order(&merged), order(&ran.out)), (ids.clone(), ids));
        if form == "csv" {
            assert_eq!(records(&merged), folder.run(&["solve", "list"]).records());
            // A whole like any other: nothing is left to solve.
            let ran = folder.run(&["solve", "list", "-o", &all, "--resume"]);
            assert_eq!((ran.status, folder.read(&all)), (3, merged));
        }
        let ran = folder
            .run(&["merge", &parts[0], &parts[2], "-o", "some", "--force", "--input", "list"]);
        assert!(ran.status == 4 && ran.err.contains("\nno result: "), "{ran:?}");
    }
    let ran = folder.run(&["solve", "list", "--shard", "2/3", "-o", "part1.csv", "--resume"]);
    assert!(
        ran.err.contains("give the same files and --shard as before") && ran.status == 2,
        "{ran:?}"
    );
}

#[test]
fn contradictions_are_reported() {
    let folder = Folder::new().with("list", [PLAIN, PLAIN, PLAIN, PLAIN].join("\n"));
    assert_eq!(folder.run(&["solve", "list", "-o", "a.csv"]).status, 0);
    let text = folder.read("a.csv");
    let lines: Vec<&str> = text.lines().collect();
    let wrong = [
        lines[0].to_owned(),
        lines[1].replace(",exact,6,6,6,", ",exact,8,8,8,"),
        lines[2].replace(",exact,6,6,6,", ",bounds,,8,64,"),
        lines[3].replace(",exact,6,6,6,", ",limit,,-64,12,"),
        lines[4].replace(" X,", " O,"),
        lines[4].replace("list:4", "list:5") + "\n",
    ];
    let folder = folder.with("b.csv", wrong.join("\n"));
    let ran = folder.run(&["merge", "a.csv", "b.csv", "-o", "c.csv", "--input", "list"]);
    assert_eq!(ran.status, 1, "{ran:?}");
    let said: Vec<&str> = ran.err.lines().collect();
    assert_eq!(
        said,
        [
            "contradiction: list:1: a.csv:2 has +6, b.csv:2 has +8",
            "contradiction: list:2: a.csv:3 has +6, b.csv:3 has >=+8",
            &format!("contradiction: list:4: a.csv:5 has {PLAIN}, b.csv:5 has {}O", &PLAIN[..65]),
            "not in the input: list:4",
            "not in the input: list:5",
            "yose: 6 results from 2 files, 3 repeated, 3 contradictions",
        ]
    );
    let ran = folder.run(&["merge", "a.csv", "list"]);
    assert!(
        ran.err.starts_with("yose: list:1:1: does not begin as a file of results does; ")
            && ran.status == 2,
        "{ran:?}"
    );
}

#[test]
fn the_summary_reports_the_last_run_and_the_whole_file() {
    let list = random_list(30, 8..=10, 22).join("\n");
    let folder = Folder::new().with("list", &list);
    let lines = |folder: &Folder| -> Vec<serde_json::Value> {
        let text = folder.read("out.jsonl");
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    let solve = ["solve", "list", "-o", "out.jsonl"];
    assert_eq!(folder.run(&solve).status, 0);
    let sums = |lines: &[serde_json::Value]| {
        let positions = lines.iter().filter(|line| line["type"] == "position");
        let nodes: u64 = positions.clone().map(|line| line["nodes"].as_u64().expect("nodes")).sum();
        let seconds: f64 = positions.map(|line| line["seconds"].as_f64().expect("a time")).sum();
        (nodes, seconds)
    };
    let first = lines(&folder);
    let whole = sums(&first);
    let summary = &first[31];
    assert_eq!((&summary["kept"], &summary["nodes"]), (&0.into(), &whole.0.into()));
    assert_eq!(summary["file_nodes"], whole.0);
    // The last ten records are lost, and solved again.
    let kept: Vec<&str> = list.lines().take(20).collect();
    let text = folder.read("out.jsonl");
    let cut: String = text.lines().take(21).map(|line| format!("{line}\n")).collect();
    let folder = folder.with("out.jsonl", cut);
    assert_eq!(folder.run(&[&solve[..], &["--resume"]].concat()).status, 0);
    let second = lines(&folder);
    let (whole, solved) = (sums(&second), sums(&second[kept.len() + 1..]));
    let summary = &second[31];
    assert_eq!((&summary["exact"], &summary["kept"]), (&30.into(), &20.into()));
    assert_eq!(summary["nodes"], solved.0, "of the last run");
    assert_eq!(summary["file_nodes"], whole.0, "of all records");
    let file_seconds = summary["file_seconds"].as_f64().expect("a time");
    assert!((file_seconds - whole.1).abs() < 1e-3, "{file_seconds} is not {}", whole.1);
    // Merged records are all the same.
    assert_eq!(folder.run(&["merge", "out.jsonl", "-o", "all.jsonl"]).status, 0);
    let merged: serde_json::Value =
        serde_json::from_str(folder.read("all.jsonl").lines().last().expect("a summary"))
            .expect("JSON");
    assert_eq!((&merged["nodes"], &merged["file_nodes"]), (&whole.0.into(), &whole.0.into()));
}

#[test]
fn a_result_that_contradicts_itself_is_refused_by_every_reader() {
    let folder = Folder::new().with("list", PLAIN);
    assert_eq!(folder.run(&["solve", "list", "-o", "out.csv"]).status, 0);
    assert_eq!(folder.run(&["solve", "list", "-o", "out.jsonl"]).status, 0);
    for (name, from, to) in [
        ("out.csv", ",exact,6,6,6,", ",exact,8,6,6,"),
        ("out.jsonl", r#""score":6,"lower""#, r#""score":8,"lower""#),
    ] {
        let text = folder.read(name).replace(from, to);
        let line = text.lines().nth(1).expect("a record");
        let column = line.find(to).expect("it was replaced") + to.find('8').expect("a score") + 1;
        fs::write(folder.path(name), &text).expect("the file");
        let fault = format!("{name}:2:{column}: the score +8 lies outside its bounds");
        for arguments in [
            &["solve", "list", "-o", name, "--resume"][..],
            &["merge", name],
            &["merge", name, "--input", "list"],
        ] {
            let ran = folder.run(arguments);
            assert!(ran.err.starts_with(&format!("yose: {fault}; ")), "{arguments:?}: {ran:?}");
            assert_eq!((ran.out.as_str(), ran.status), ("", 2), "{arguments:?}");
        }
        let ran = folder.run(&["verify", name]);
        assert!(ran.err.contains("the score +8 lies outside its bounds"), "{ran:?}");
    }
}

/// Sums of numbers that no run has written neither wrap nor panic.
#[test]
fn immense_numbers_in_a_journal_are_summed() {
    let list = random_list(2, 4..=5, 67).join("\n");
    let folder = Folder::new().with("list", list);
    assert_eq!(folder.run(&["solve", "list", "-o", "out.jsonl"]).status, 0);
    let record = |line: &str| {
        let mut record: serde_json::Value = serde_json::from_str(line).expect("JSON");
        if record["type"] == "position" {
            (record["nodes"], record["seconds"]) = (u64::MAX.into(), 1.8e19.into());
        }
        record.to_string() + "\n"
    };
    let text: String = folder.read("out.jsonl").lines().map(record).collect();
    fs::write(folder.path("out.jsonl"), text).expect("the file");
    let merged = folder.run(&["merge", "out.jsonl"]);
    assert_eq!((merged.err.as_str(), merged.status), ("yose: 2 results from 1 files\n", 0));
    let resumed = folder.run(&["solve", "list", "-o", "out.jsonl", "--resume"]);
    assert_eq!((resumed.err.as_str(), resumed.status), ("", 0));
    for text in [merged.out, folder.read("out.jsonl")] {
        let summary: serde_json::Value =
            serde_json::from_str(text.lines().last().expect("a summary")).expect("JSON");
        assert_eq!(summary["file_nodes"], u64::MAX);
    }
}
