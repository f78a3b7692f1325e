//! Many positions on several threads, as a user solves them: order, limits, signals.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::common::{FFO_20, Folder, HARD, OVER, PASS, PLAIN, Ran, Running, program, random_list};
use yose::othello::{Diagram, Move, Symmetry};

/// FFO 40: 20 empties, +38.
const FFO_40: &str = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X";

/// A limit that no test here comes near.
const LONG: Duration = Duration::from_secs(60);

/// The fields of the records.
fn fields(ran: &Ran) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(ran.out.as_bytes());
    reader
        .records()
        .map(|record| record.expect("CSV").iter().map(str::to_owned).collect())
        .collect()
}

#[test]
fn records_are_in_the_order_of_the_input_with_any_number_of_threads() {
    let list = random_list(3000, 0..=11, 1);
    let folder = Folder::new().with("list", list.join("\n"));
    let one = folder.run(&["solve", "list", "-t", "1"]);
    assert_eq!((one.status, one.err.as_str()), (0, ""));
    let ids: Vec<String> = fields(&one).iter().map(|record| record[0].clone()).collect();
    assert_eq!(ids, (1..=3000).map(|line| format!("list:{line}")).collect::<Vec<_>>());
    for threads in ["2", "7"] {
        let several = folder.run(&["solve", "list", "-t", threads]);
        assert_eq!(several.records(), one.records(), "{threads} threads");
    }
    let mut unordered = folder.run(&["solve", "list", "-t", "3", "--unordered"]).records();
    assert_ne!(unordered, one.records(), "the longest come first");
    unordered.sort_by_key(|record| {
        record[5..record.find(' ').expect("a blank")].parse::<u32>().expect("a line")
    });
    assert_eq!(unordered, one.records());
}

#[test]
fn messages_are_in_the_order_of_the_input() {
    let lines: Vec<String> = random_list(400, 8..=12, 2)
        .into_iter()
        .enumerate()
        .map(|(n, line)| if n % 5 == 0 { "X".into() } else { line })
        .collect();
    let folder = Folder::new();
    let ran = folder.run_on(&["solve", "-t", "3", "--errors", "errors"], lines.join("\n"));
    let said: Vec<u32> = folder
        .read("errors")
        .lines()
        .map(|line| line.split(':').nth(1).expect("a line").parse().expect("a number"))
        .collect();
    assert_eq!(said, (1..=400).step_by(5).collect::<Vec<_>>());
    assert_eq!((ran.status, ran.records().len()), (3, 400));
}

#[test]
fn one_position_is_solved_by_all_threads() {
    let ran = Folder::new().run_on(&["solve", "-t", "4"], FFO_40);
    ran.expect(&["stdin:1 exact 38"], "", 0);
}

#[test]
fn one_thread_and_deterministic_threads_search_the_same_nodes_each_time() {
    let list = random_list(200, 8..=13, 3);
    let folder = Folder::new().with("list", list.join("\n"));
    let nodes = |arguments: &[&str]| -> Vec<String> {
        let ran = folder.run(&[&["solve", "list", "--progress", "none"], arguments].concat());
        assert_eq!(ran.status, 0, "{ran:?}");
        fields(&ran).iter().map(|record| record[9].clone()).collect()
    };
    assert_eq!(nodes(&["-t", "1"]), nodes(&["-t", "1"]));
    let alone = nodes(&["-t", "1", "--deterministic"]);
    assert_eq!(nodes(&["-t", "3", "--deterministic"]), alone);
    // They do not depend on earlier positions.
    let last = folder.run_on(&["solve", "--deterministic"], list[199].as_str());
    assert_eq!(fields(&last)[0][9], alone[199]);
}

#[test]
fn a_limit_ends_a_position_with_its_proven_bounds() {
    for limit in [
        ["--node-limit", "1"],
        ["--node-limit", "5000"],
        ["--time-limit", "1ms"],
        ["--time-limit", "20ms"],
    ] {
        let folder = Folder::new().with("list", format!("{HARD}\n{FFO_40}\n{PLAIN}\n"));
        let start = Instant::now();
        let ran = folder.start(&[&["solve", "list", "-t", "3"][..], &limit].concat()).end(LONG);
        assert!(start.elapsed() < Duration::from_secs(20), "{limit:?} took {:?}", start.elapsed());
        assert_eq!(ran.status, 4, "{limit:?}: {ran:?}");
        assert!(ran.err.starts_with("yose: some positions hit a limit: "), "{ran:?}");
        let records = fields(&ran);
        assert_eq!((records.len(), &records[0][3][..]), (3, "limit"), "{limit:?}: {ran:?}");
        for (record, score) in records[1..].iter().zip([38, 6]) {
            let bound = |field: usize| record[field].parse::<i32>().expect("a bound");
            assert!((bound(5)..=bound(6)).contains(&score), "{record:?}");
            assert_eq!(record[3] == "exact", !record[8].is_empty(), "{record:?}");
        }
    }
}

/// No limit that is reached at the start makes a thread wait for ever.
#[test]
fn limits_that_are_reached_at_the_start_end_the_run() {
    let list = [OVER, PASS, PLAIN, FFO_20, HARD].join("\n");
    let past = "2001-01-01T00:00:00Z";
    for arguments in [
        &["--node-limit", "1"],
        &["--time-limit", "0s"],
        &["--deadline", "0s"],
        &["--deadline", past],
    ] {
        for threads in ["1", "8"] {
            let folder = Folder::new().with("list", &list);
            let ran = folder
                .start(&[&["solve", "list", "-t", threads][..], arguments].concat())
                .end(LONG);
            assert_eq!(
                ran.status,
                if arguments[0] == "--deadline" { 75 } else { 4 },
                "{arguments:?}: {ran:?}"
            );
            assert_eq!(ran.records().len(), 5, "{arguments:?}: {ran:?}");
        }
    }
    // Games that are over, and forced moves, with more threads than positions.
    for position in [OVER, PASS, PLAIN, ""] {
        let folder = Folder::new().with("list", position);
        for arguments in [&["--deterministic"][..], &[], &["--unique", "--all-moves"]] {
            let ran = folder.start(&[&["solve", "list", "-t", "8"], arguments].concat()).end(LONG);
            assert_eq!(ran.status, 0, "{ran:?}");
        }
    }
}

#[test]
fn at_the_deadline_every_line_gets_its_record() {
    let list: Vec<String> = [HARD.to_owned()]
        .into_iter()
        .chain(random_list(50, 6..=8, 4))
        .chain(vec![HARD.to_owned(); 3])
        .collect();
    let folder = Folder::new().with("list", list.join("\n"));
    let start = Instant::now();
    let ran = folder.start(&["solve", "list", "-t", "5", "--deadline", "500ms"]).end(LONG);
    assert!((Duration::from_millis(500)..Duration::from_secs(20)).contains(&start.elapsed()));
    assert_eq!(ran.status, 75, "{ran:?}");
    assert_eq!(
        ran.err,
        "yose: the deadline is reached: 50 of 54 positions are solved, 4 are not\n"
    );
    let statuses: Vec<String> = fields(&ran).iter().map(|record| record[3].clone()).collect();
    for (line, status) in statuses.iter().enumerate() {
        assert_eq!(status, if list[line] == HARD { "interrupted" } else { "exact" }, "{ran:?}");
    }
    assert_eq!(statuses.len(), 54);
}

#[test]
#[cfg(unix)]
fn a_signal_ends_a_run_with_a_record_for_every_position() {
    for (signal, status, word) in
        [("INT", 130, "interrupted"), ("TERM", 75, "terminated"), ("HUP", 75, "terminated")]
    {
        let folder = Folder::new();
        let mut running = folder.start(&["solve", "-t", "4", "--unordered"]);
        let mut input = running.0.stdin.take().expect("its input");
        // The reader waits for more when the signal comes.
        writeln!(input, "{PLAIN}\n{HARD}\n{HARD}\n{HARD}").expect("it reads");
        std::thread::sleep(Duration::from_secs(1));
        let start = Instant::now();
        // `timeout` sends its signal to the program and to its process group.
        running.signal(signal);
        running.signal(signal);
        let ran = running.end(LONG);
        assert!(start.elapsed() < Duration::from_secs(5), "{signal} took {:?}", start.elapsed());
        assert_eq!(ran.status, status, "{ran:?}");
        assert_eq!(ran.err, format!("yose: {word}: 1 of 4 positions are solved, 3 are not\n"));
        let mut records = ran.records();
        records.sort();
        assert_eq!(
            records,
            [
                "stdin:1 exact 6",
                "stdin:2 interrupted",
                "stdin:3 interrupted",
                "stdin:4 interrupted"
            ]
        );
    }
}

#[test]
#[cfg(unix)]
fn a_second_ctrl_c_ends_at_once() {
    // The output is not read, and a pipe holds less than this.
    let folder = Folder::new().with("list", random_list(3000, 2..=3, 5).join("\n"));
    let mut running = folder.start(&["solve", "list"]);
    std::thread::sleep(Duration::from_millis(500));
    running.signal("INT");
    std::thread::sleep(Duration::from_millis(300));
    running.signal("INT");
    std::thread::sleep(Duration::from_millis(900));
    assert_eq!(running.0.try_wait().expect("its state"), None, "the first one lets it write");
    running.signal("INT");
    assert_eq!(running.wait(Duration::from_secs(5)), 130);
}

#[test]
#[cfg(target_os = "linux")]
fn an_ignored_hangup_stays_ignored() {
    let folder = Folder::new();
    let mut command = std::process::Command::new("sh");
    command.current_dir(folder.path(".")).env("YOSE_HASH", "1MiB");
    command.args(["-c", r#"trap "" HUP; exec "$0" solve"#]);
    command.arg(program());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = Running(command.spawn().expect("a shell"));
    let mut input = running.0.stdin.take().expect("its input");
    std::thread::sleep(Duration::from_millis(300));
    running.signal("HUP");
    std::thread::sleep(Duration::from_millis(300));
    writeln!(input, "{PLAIN}").expect("it still reads");
    drop(input);
    let ran = running.end(LONG);
    assert_eq!((ran.status, ran.records()), (0, vec!["stdin:1 exact 6".to_owned()]), "{ran:?}");
}

/// A script that starts a job with `&` has SIGINT ignored in it.
#[test]
#[cfg(target_os = "linux")]
fn a_job_in_the_background_is_ended_by_sigterm_and_not_by_sigint() {
    let folder = Folder::new().with("list", format!("{PLAIN}\n{HARD}\n"));
    // The shell does what scripts do: no job control. It prints the process of the job and waits.
    let mut command = std::process::Command::new("sh");
    command.current_dir(folder.path(".")).env("YOSE_HASH", "1MiB");
    command.args(["-c", r#""$0" solve list -o out.csv & echo $!; wait $!"#]);
    command.arg(program());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut shell = command.spawn().expect("a shell");
    let mut job = String::new();
    let out = shell.stdout.take().expect("its output");
    BufReader::new(out).read_line(&mut job).expect("a line");
    let signal = |name: &str| {
        let sent = std::process::Command::new("kill").args(["-s", name, job.trim()]).status();
        assert!(sent.expect("kill").success(), "{name} to {job}");
    };
    let ended = |text: &str| text.contains("list:2,");
    let start = Instant::now();
    while !std::fs::read_to_string(folder.path("out.csv")).is_ok_and(|t| t.contains("list:1,")) {
        assert!(start.elapsed() < LONG, "nothing is written");
        std::thread::sleep(Duration::from_millis(5));
    }
    signal("INT");
    std::thread::sleep(Duration::from_millis(1200));
    assert_eq!(shell.try_wait().expect("its state"), None, "SIGINT stays ignored");
    assert!(!ended(&folder.read("out.csv")));
    signal("TERM");
    let ran = Running(shell).end(LONG);
    let err = "yose: terminated: 1 of 2 positions are solved, 1 are not; \
               the same command with --resume continues out.csv\n";
    assert_eq!((ran.err.as_str(), ran.status), (err, 75));
    assert!(ended(&folder.read("out.csv")));
}

#[test]
fn equal_positions_are_solved_once() {
    let diagram: Diagram = FFO_20[..66].parse().expect("a position");
    let images: Vec<Diagram> = Symmetry::ALL
        .map(|symmetry| Diagram {
            position: symmetry.position(diagram.position),
            to_move: diagram.to_move,
        })
        .into();
    let list: Vec<String> = (0..100)
        .flat_map(|_| &images)
        .map(Diagram::to_string)
        .chain(random_list(20, 5..=9, 6))
        .collect();
    let folder = Folder::new().with("list", list.join("\n"));
    for threads in ["1", "3"] {
        let ran = folder.run(&["solve", "list", "--unique", "-t", threads]);
        let records = fields(&ran);
        assert_eq!((ran.status, records.len()), (0, 820), "{ran:?}");
        let searched = records[..800].iter().filter(|record| record[9] != "0").count();
        assert_eq!(searched, 1, "{threads} threads");
        for record in &records[..800] {
            assert_eq!(record[3..7], ["exact", "6", "6", "6"]);
            let diagram: Diagram = record[1].parse().expect("a position");
            let line = record[8].split(' ').map(|mv| mv.parse::<Move>().expect("a move"));
            let end = line
                .fold(diagram.position, |position, mv| position.make(mv).expect("a legal move"));
            assert!(end.is_over(), "{record:?}");
        }
    }
}

/// The processor time of a process, in hundredths of a second.
#[cfg(target_os = "linux")]
fn busy(id: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).expect("its state");
    let fields: Vec<&str> = text.rsplit_once(") ").expect("a name").1.split(' ').collect();
    fields[11].parse::<u64>().expect("user time") + fields[12].parse::<u64>().expect("system time")
}

#[test]
#[cfg(target_os = "linux")]
fn waiting_costs_nothing() {
    for arguments in [&["solve", "-t", "4"][..], &["solve", "-t", "4", "--deterministic"]] {
        let mut running = Folder::new().start(arguments);
        let mut input = running.0.stdin.take().expect("its input");
        writeln!(input, "{PLAIN}").expect("it reads");
        std::thread::sleep(Duration::from_millis(500));
        let before = busy(running.0.id());
        std::thread::sleep(Duration::from_millis(700));
        assert!(busy(running.0.id()) - before <= 3, "it works on nothing");
        drop(input);
        running.end(LONG).expect(&["stdin:1 exact 6"], "", 0);
    }
}

/// Positions are handed over in chunks, but none waits for others: the record of a line is there
/// before the next line is written.
#[test]
fn each_line_of_a_pipe_has_its_record_at_once() {
    for threads in ["1", "2"] {
        let arguments = ["solve", "-t", threads, "--format", "csv", "--progress", "none"];
        let mut running = Folder::new().start(&arguments);
        let mut input = running.0.stdin.take().expect("its input");
        let output = BufReader::new(running.0.stdout.take().expect("its output"));
        let (sender, lines) = mpsc::channel();
        let reader = std::thread::spawn(move || {
            output.lines().map_while(Result::ok).for_each(|line| {
                let _ = sender.send(line);
            });
        });
        let next = || lines.recv_timeout(LONG).expect("a line at once");
        assert!(next().starts_with("id,"), "the header comes before the first position");
        for number in 1..=20 {
            writeln!(input, "{PLAIN}").expect("it reads");
            input.flush().expect("it reads");
            let record = next();
            assert!(record.starts_with(&format!("stdin:{number},")), "{record}");
        }
        drop(input);
        reader.join().expect("no panic");
        running.end(LONG).expect(&[], "", 0);
    }
}

#[test]
fn memory_is_bounded_while_the_first_position_holds_up_the_rest() {
    // The first position is never solved, so no record can be written. Reading must stop long
    // before the end of the list.
    let folder = Folder::new();
    let mut running = folder.start(&["solve", "-t", "2", "--progress", "none", "--deadline", "4s"]);
    let mut input = running.0.stdin.take().expect("its input");
    let writer = std::thread::spawn(move || {
        let mut lines = 0;
        let mut text = format!("{HARD}\n");
        while input.write_all(text.as_bytes()).is_ok() {
            (lines, text) = (lines + 1, format!("{PLAIN}\n"));
        }
        lines
    });
    let ran = running.end(LONG);
    let lines = writer.join().expect("no panic");
    assert_eq!(ran.status, 75, "{}", ran.err);
    let records = ran.records();
    assert!(
        (4000..5000).contains(&records.len()) && lines < 8000,
        "{} records, {lines} lines",
        records.len()
    );
    assert_eq!(records[..2], ["stdin:1 interrupted", "stdin:2 exact 6"]);
}

#[test]
fn a_suite_is_measured() {
    let folder = Folder::new();
    let ran = folder.run(&["bench", "ffo-1-19", "-t", "1,2", "--runs", "2"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{ran:?}");
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines.len(), 2 * (1 + 19 + 1 + 1) + 3, "{}", ran.out);
    assert!(lines[1].starts_with("ffo-1-19:3        14    +18  "), "{}", ran.out);
    assert!(
        lines[20].starts_with("1 thread ") && lines[42].starts_with("2 threads "),
        "{}",
        ran.out
    );
    assert!(
        lines[45].trim_start().starts_with("1 ")
            && lines[45].ends_with(" 1.00               100.0%"),
        "{}",
        ran.out
    );

    let ran = folder.run(&["bench", "ffo-1-19", "-t", "2", "--each", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((&json["way"], &json["measurements"][0]["threads"]), (&"each".into(), &2.into()));
    let positions = json["measurements"][0]["positions"].as_array().expect("positions");
    assert!(
        positions.len() == 19 && positions.iter().all(|one| one["score"] == one["claim"]),
        "{}",
        ran.out
    );

    let folder = folder.with("wrong.obf", format!("{PLAIN}; H5:+8;\n"));
    let ran = folder.run(&["bench", "wrong.obf"]);
    assert_eq!(ran.err, "yose: wrong.obf:1: the score is +6, but the suite has +8\n");
    assert_eq!(ran.status, 1);
    let ran = folder.run(&["bench", "ffo"]);
    assert!(
        ran.err.contains(
            "ffo: neither a file nor a built-in suite; the built-in suites are ffo-1-19,"
        ) && ran.status == 2,
        "{ran:?}"
    );
}

#[test]
fn shells_and_manual_readers_are_served() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish"] {
        let ran = folder.run(&["completions", shell]);
        assert!(ran.status == 0 && ran.out.contains("node-limit"), "{ran:?}");
    }
    let ran = folder.run(&["man"]);
    assert!(
        ran.status == 0 && ran.out.contains(".TH yose") && ran.out.contains("yose solve"),
        "{ran:?}"
    );
}
