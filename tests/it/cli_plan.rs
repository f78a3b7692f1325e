//! `yose plan`, `yose task` and `yose merge` with the folder of a plan.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::common::{Folder, HARD, OVER, PASS, Ran, column, random_list};

/// A list with positions that are equal but for symmetry, a pass, a finished game, and an invalid
/// line.
fn list() -> String {
    let mut lines = random_list(40, 6..=11, 5);
    lines.extend([PASS, OVER, "no position", "", "% a comment"].map(str::to_owned));
    for line in random_list(8, 6..=11, 5) {
        let (squares, side) = line.split_at(64);
        // Turned by half, and with the colours exchanged.
        lines.push(squares.chars().rev().collect::<String>() + side);
        lines.push(
            line.chars()
                .map(|c| {
                    if c == 'X' {
                        'O'
                    } else if c == 'O' {
                        'X'
                    } else {
                        c
                    }
                })
                .collect(),
        );
    }
    lines.join("\n") + "\n"
}

/// Arguments that cut such a list into several tasks.
const PLAN: [&str; 8] =
    ["plan", "list", "-o", "p", "--task-minutes", "0.001", "--nodes-per-second", "200000"];

/// The files of all tasks of a plan, in their order.
fn tasks(folder: &Folder) -> Vec<PathBuf> {
    let files = fs::read_dir(folder.path("p/tasks/00000")).expect("the tasks");
    let files = files.map(|file| file.expect("a file").path());
    let mut tasks: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|end| end == "csv")).collect();
    tasks.sort();
    tasks
}

fn solve(folder: &Folder, task: &Path) -> Ran {
    folder.run(&["task", &task.display().to_string(), "-t", "1", "--progress", "none"])
}

/// The columns that do not depend on the threads and the tables.
fn proven(csv: &str) -> Vec<Vec<String>> {
    ["id", "position", "empties", "status", "score", "lower", "upper", "wld"]
        .map(|name| column(csv, name))
        .to_vec()
}

/// Checks that the merged results of the plan are those of one run.
#[track_caller]
fn expect_equal(folder: &Folder, options: &[&str]) {
    let merged = folder.run(&["merge", "p", "-o", "merged.csv", "--force"]);
    assert_eq!(merged.status, 0, "{merged:#?}");
    let solve = ["solve", "list", "-o", "one.csv", "--force", "--progress", "none"];
    folder.run(&[&solve, options].concat());
    assert_eq!(proven(&folder.read("merged.csv")), proven(&folder.read("one.csv")));
    let verified = folder.run(&["verify", "merged.csv", "-o", "verdicts.csv", "--force"]);
    assert!(verified.status == 0 || verified.status == 3, "{verified:#?}");
}

#[test]
fn the_tasks_of_a_plan_give_the_results_of_one_run() {
    for options in [&[][..], &["--goal", "wld"], &["--window", "-3,5"], &["--all-moves"]] {
        let folder = Folder::new().with("list", list());
        let planned = folder.run(&[&PLAN, options].concat());
        assert_eq!(planned.status, 3, "an invalid line: {planned:#?}");
        assert!(
            planned.out.contains("58 entries, 42 positions to solve, 1 invalid line"),
            "{planned:#?}"
        );
        let tasks = tasks(&folder);
        assert!(tasks.len() > 3, "{planned:#?}");
        for task in &tasks {
            let solved = solve(&folder, task);
            assert_eq!((solved.status, solved.err.as_str()), (0, ""), "{solved:#?}");
        }
        let again = solve(&folder, &tasks[0]);
        assert_eq!(again.status, 0);
        assert!(again.err.contains("is finished already"), "{again:#?}");
        expect_equal(&folder, options);

        // The same in JSON Lines, which says which plan it is of.
        assert_eq!(folder.run(&["merge", "p", "-o", "merged.jsonl"]).status, 0);
        let json = folder.read("merged.jsonl");
        assert_eq!(json.lines().count(), 1 + 59 + 1, "{json}");
        assert!(json.contains(r#""plan":""#) && json.contains("'n' is not a square"), "{json}");
        let verified = folder.run(&["verify", "merged.jsonl", "-o", "v.csv"]);
        assert_eq!(verified.status, 3, "{verified:#?}");
        // Only the first of equal positions has nodes.
        let nodes = column(&folder.read("merged.csv"), "nodes");
        assert_eq!(nodes.iter().filter(|nodes| *nodes == "0").count(), 16, "{nodes:?}");
    }
}

#[test]
fn a_plan_is_the_same_each_time_and_has_its_folder_only_when_it_is_complete() {
    let folder = Folder::new().with("list", list());
    folder.run(&PLAN);
    let other = PLAN.map(|word| if word == "p" { "q" } else { word });
    folder.run(&other);
    for name in ["plan.json", "tasks.jsonl", "ids.gz", "entries.bin", "tasks/00000/00000002.csv"] {
        let read = |plan: &str| fs::read(folder.path(&format!("{plan}/{name}"))).expect("a file");
        assert!(read("p") == read("q"), "{name}");
    }
    // The most expensive positions are in the first tasks.
    let means: Vec<f64> = folder
        .read("p/tasks.jsonl")
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"))
        .map(|line| {
            line["nodes"]["mean"].as_f64().expect("a number")
                / line["positions"].as_f64().expect("a number")
        })
        .collect();
    assert!(means.is_sorted_by(|one, other| one >= other), "{means:?}");

    let again = folder.run(&PLAN);
    assert_eq!(again.status, 2);
    assert!(again.err.contains("p: exists already, and may hold a plan"), "{again:#?}");
    for list in ["none", "empty", "."] {
        let folder = Folder::new().with("empty", "");
        let failed = folder.run(&["plan", list, "-o", "p", "--nodes-per-second", "1e6"]);
        assert_eq!(failed.status, 2, "{failed:#?}");
        assert!(failed.err.contains("so no plan is made"), "{failed:#?}");
        assert_eq!(
            fs::read_dir(folder.path(".")).expect("the folder").count(),
            1,
            "nothing is left"
        );
    }
    let no_plan = folder.run(&["merge", ".", "-o", "out.csv"]);
    assert_eq!(no_plan.status, 2);
    assert!(no_plan.err.contains("holds no finished plan"), "{no_plan:#?}");
}

#[test]
fn a_position_more_expensive_than_a_task_is_a_task_of_its_own() {
    let lines = [random_list(30, 4..=6, 3), random_list(2, 16..=16, 4)].concat();
    let folder = Folder::new().with("list", lines.join("\n"));
    let planned = folder.run(&PLAN);
    assert!(
        planned.out.contains("the first 2 are single positions that take longer"),
        "{planned:#?}"
    );
    let positions: Vec<usize> = tasks(&folder)
        .iter()
        .map(|task| fs::read_to_string(task).expect("a task").lines().count() - 1)
        .collect();
    assert_eq!(positions[..2], [1, 1]);
    assert_eq!(positions[2..].iter().sum::<usize>(), 30);
}

#[cfg(unix)]
#[test]
fn a_task_ends_within_a_second_of_sigterm_and_goes_on() {
    let lines = [random_list(20, 4..=6, 3), vec![HARD.to_owned()]].concat();
    let folder = Folder::new().with("list", lines.join("\n"));
    folder.run(&["plan", "list", "-o", "p", "--task-minutes", "1e12", "--nodes-per-second", "1e6"]);
    let task = tasks(&folder).remove(0).display().to_string();
    let running = folder.start(&["task", &task, "-t", "2", "--progress", "none"]);
    let journal = || {
        let files = fs::read_dir(folder.path("p/tasks/00000")).expect("the tasks");
        let mut names = files.map(|file| file.expect("a file").path());
        names.find(|path| path.extension().is_some_and(|end| end == "journal"))
    };
    let lines = || {
        journal()
            .and_then(|path| fs::read_to_string(path).ok())
            .map_or(0, |text| text.lines().count())
    };
    let start = Instant::now();
    while lines() < 21 {
        assert!(start.elapsed() < Duration::from_secs(60), "20 positions are solved");
        std::thread::sleep(Duration::from_millis(5));
    }
    let status = folder.run(&["merge", "p", "--status"]);
    assert_eq!(status.status, 0);
    assert!(
        status.out.contains("1 running, 0 left by a process that ended, 0 not begun"),
        "{status:#?}"
    );
    running.signal("TERM");
    let stopped = Instant::now();
    let ended = running.end(Duration::from_secs(60));
    assert!(stopped.elapsed() < Duration::from_secs(1), "{:?}", stopped.elapsed());
    assert_eq!(ended.status, 75, "{ended:#?}");
    assert!(ended.err.contains("terminated: 20 of 21 positions are solved"), "{ended:#?}");
    let status = folder.run(&["merge", "p", "--status"]);
    assert!(status.out.contains("0 running, 1 left by a process that ended"), "{status:#?}");

    // The next attempt has them already, and ends at its deadline.
    let ended = folder.run(&["task", &task, "-t", "1", "--deadline", "50ms", "--progress", "none"]);
    assert_eq!(ended.status, 75, "{ended:#?}");
    assert!(ended.err.contains("the deadline is reached: 20 of 21"), "{ended:#?}");
    let merged = folder.run(&["merge", "p", "-o", "part.csv"]);
    assert_eq!(merged.status, 4, "{merged:#?}");
    assert!(
        merged
            .err
            .contains("no result: list:21\nyose: 20 of 21 results; 0 of 1 tasks finished, 1 begun"),
        "{merged:#?}"
    );
}

#[cfg(unix)]
#[test]
fn killed_processes_and_two_at_once_lose_and_double_nothing() {
    let folder = Folder::new().with("list", random_list(30, 9..=11, 8).join("\n"));
    folder.run(&["solve", "list", "-o", "one.csv", "--progress", "none"]);
    let expected = proven(&folder.read("one.csv"));
    for round in 0..20 {
        let _ = fs::remove_dir_all(folder.path("p"));
        folder.run(&[
            "plan",
            "list",
            "-o",
            "p",
            "--task-minutes",
            "9",
            "--nodes-per-second",
            "1e6",
        ]);
        let task = tasks(&folder).remove(0).display().to_string();
        let mut arguments = vec!["task", &task, "-t", "1", "--progress", "none"];
        // As on a file system without locks.
        arguments.extend((round % 4 != 0).then_some("--no-lock"));
        let mut killed = folder.start(&arguments);
        std::thread::sleep(Duration::from_millis(round));
        killed.0.kill().expect("it is killed");
        killed.wait(Duration::from_secs(60));
        let both = [folder.start(&arguments), folder.start(&arguments)];
        for running in both {
            let ended = running.end(Duration::from_secs(60));
            assert_eq!(ended.status, 0, "{ended:#?}");
        }
        let left: Vec<String> = fs::read_dir(folder.path("p/tasks/00000"))
            .expect("the tasks")
            .map(|file| file.expect("a file").file_name().to_string_lossy().into_owned())
            .collect();
        assert!(left.iter().all(|name| !name.ends_with(".lock")), "{left:?}");
        let merged = folder.run(&["merge", "p", "-o", "merged.csv", "--force"]);
        assert_eq!(merged.status, 0, "{merged:#?}");
        assert_eq!(proven(&folder.read("merged.csv")), expected);
    }
}

#[test]
fn every_fault_of_a_file_is_reported_and_none_gets_into_the_results() {
    let folder = Folder::new().with("list", list());
    folder.run(&PLAN);
    let tasks = tasks(&folder);
    tasks.iter().for_each(|task| assert_eq!(solve(&folder, task).status, 0));
    let merge = || folder.run(&["merge", "p", "-o", "out.csv", "--force"]);
    let whole = || {
        merge();
        proven(&folder.read("out.csv"))
    };
    let expected = whole();
    let results = |task: &Path| {
        let marker = fs::read_to_string(task.with_extension("done")).expect("a marker");
        let marker: serde_json::Value = serde_json::from_str(&marker).expect("JSON");
        task.with_file_name(marker["results"].as_str().expect("a name"))
    };

    // A journal whose process was killed, beside the finished results: torn, with a result of
    // another plan, one for another position, and one that contradicts.
    let file = results(&tasks[1]);
    let text = fs::read_to_string(&file).expect("results");
    let (header, first) = text.split_once('\n').expect("a header");
    let first = first.lines().next().expect("a record");
    let plan = first.split('/').next().expect("the plan");
    let score = first.split(',').nth(4).expect("a score");
    let other = if score == "64" { "62" } else { "64" };
    let contradicting =
        first.replace(&format!(",{score},{score},{score},"), &format!(",{other},{other},{other},"));
    let foreign = first.replacen(plan, "0123456789ab", 1);
    let moved = first.replacen(":1,", ":2,", 1);
    let wld = |line: &str| line.rsplit_once(',').expect("wld").0.to_owned() + ",";
    let lines =
        [header, &foreign, &moved, &wld(&contradicting), "no,record", &first[..20]].join("\n");
    let journal = tasks[1].with_extension("x.journal");
    fs::write(&journal, lines).expect("it can be written");
    let merged = merge();
    assert_eq!(merged.status, 1, "{merged:#?}");
    for what in [
        "its last line is torn, and is left out",
        "has 1 results of another plan or task",
        "has 2 lines that are no results of this task",
        "contradiction in task 2",
    ] {
        assert!(merged.err.contains(what), "{what}: {merged:#?}");
    }
    assert_eq!(proven(&folder.read("out.csv")), expected);
    fs::remove_file(journal).expect("it was there");

    // Results that were changed after the task was finished: the whole lines are still used.
    fs::write(&file, &text[..text.len() - 5]).expect("it can be written");
    let merged = merge();
    assert_eq!(merged.status, 4, "{merged:#?}");
    assert!(merged.err.contains("is not as the finished task has written it"), "{merged:#?}");
    assert!(merged.err.contains("no result: list:"), "{merged:#?}");
    fs::write(&file, &text).expect("it can be written");

    // A marker of another plan.
    let marker = tasks[0].with_extension("done");
    let old = fs::read_to_string(&marker).expect("a marker");
    fs::write(&marker, old.replace(plan, "0123456789ab")).expect("it can be written");
    let merged = merge();
    assert!(merged.err.contains("is of another plan, 0123456789ab"), "{merged:#?}");
    assert_eq!(solve(&folder, &tasks[0]).status, 2, "it does not count as finished");
    fs::remove_file(&marker).expect("it was there");
    // Without a marker, the results of the attempt are read again.
    assert_eq!(solve(&folder, &tasks[0]).status, 0);
    assert_eq!(whole(), expected);
}

#[test]
fn changed_files_of_the_plan_are_reported() {
    let folder = Folder::new().with("list", list());
    folder.run(&PLAN);
    let tasks = tasks(&folder);
    tasks.iter().for_each(|task| assert_eq!(solve(&folder, task).status, 0));
    let merge = || folder.run(&["merge", "p", "-o", "out.csv", "--force"]);
    assert_eq!(merge().status, 0);
    let expected = proven(&folder.read("out.csv"));
    let task = fs::read_to_string(&tasks[0]).expect("a task");
    fs::write(&tasks[0], task.replacen("--", "X-", 1)).expect("it can be written");
    let merged = merge();
    assert_eq!(merged.status, 4);
    assert!(merged.err.contains("is not as the plan has written it"), "{merged:#?}");
    fs::write(&tasks[0], task).expect("it can be written");
    for name in ["p/entries.bin", "p/ids.gz", "p/tasks.jsonl", "p/plan.json"] {
        let whole = fs::read(folder.path(name)).expect("a file");
        let mut changed = whole.clone();
        changed.truncate(whole.len() - 7);
        fs::write(folder.path(name), changed).expect("it can be written");
        let merged = merge();
        assert_eq!(merged.status, 2, "{name}: {merged:#?}");
        assert!(merged.err.contains(name), "{merged:#?}");
        assert_eq!(proven(&folder.read("out.csv")).len(), 8, "the old output stays");
        fs::write(folder.path(name), whole).expect("it can be written");
    }
    assert_eq!(merge().status, 0);
    assert_eq!(proven(&folder.read("out.csv")), expected);
}

#[test]
fn wrong_usage_is_explained() {
    let folder = Folder::new().with("list", list());
    folder.run(&PLAN);
    for (arguments, what) in [
        (&["task", "list"][..], "is no task of a plan"),
        (&["task", "p/plan.json"], "is no task of a plan"),
        (&["task", "p", "--number", "99"], "there is no task 99; the plan has 1 to"),
        (&["task", "none"], "cannot be read"),
        (&["merge", "p", "--input", "list"], "a plan knows its input"),
        (&["merge", "list", "--status"], "--status needs the folder of a plan"),
        (&["merge", "p", "-o", "p/plan.json"], "is one of the inputs"),
        (&["plan", "list", "-o", "q", "--task-minutes", "0"], "it must be above 0"),
    ] {
        let ran = folder.run(arguments);
        assert_eq!(ran.status, 2, "{ran:#?}");
        assert!(ran.err.contains(what), "{what}: {ran:#?}");
    }
    if cfg!(target_os = "linux") {
        folder.run(&["task", "p", "--number", "1"]);
        let full = folder.run(&["merge", "p", "-o", "/dev/full"]);
        assert_eq!(full.status, 2, "{full:#?}");
        assert!(full.err.contains("cannot be written"), "{full:#?}");
    }
}
