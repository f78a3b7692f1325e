//! Output files: a file has its final name only when it is complete, for every command that writes
//! one. The journals of `yose solve` and `yose verify` are the exception; `cli_journal` and
//! `cli_verify_journal` test them.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::common::{FFO_20, Folder, HARD, PLAIN, Ran, program, random_list};

const LONG: Duration = Duration::from_secs(60);

/// The names of the files in a folder, sorted.
fn names(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir(folder.path("")).expect("the folder");
    let name = |entry: std::io::Result<fs::DirEntry>| {
        entry.expect("a file").file_name().to_string_lossy().into_owned()
    };
    let mut names: Vec<String> = entries.map(name).collect();
    names.sort();
    names
}

/// Runs the program with a limit on the size of files, which acts like a full disk. The unit is a
/// block of 512 or 1024 bytes. It is the soft limit, as an executable with all tiers cannot start
/// below a hard one (launcher/).
#[cfg(unix)]
pub fn run_on_full_disk(folder: &Folder, blocks: u32, arguments: &[&str]) -> Ran {
    let script = format!(r#"trap '' XFSZ; ulimit -S -f {blocks}; exec "$0" "$@""#);
    let mut command = std::process::Command::new("sh");
    let program = program();
    command.current_dir(folder.path("")).env("YOSE_HASH", "1MiB");
    let output =
        command.args(["-c", &script]).arg(program).args(arguments).output().expect("a shell");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let status = output.status.code().expect("no signal");
    Ran { out: text(output.stdout), err: text(output.stderr), status }
}

/// Two shards of a list, in both formats.
fn shards() -> Folder {
    let folder = Folder::new().with("list", random_list(40, 3..=6, 51).join("\n"));
    for (shard, name) in [("1/2", "a"), ("2/2", "b")] {
        for form in ["csv", "jsonl"] {
            let out = format!("{name}.{form}");
            assert_eq!(folder.run(&["solve", "list", "--shard", shard, "-o", &out]).status, 0);
        }
    }
    folder
}

/// The text without its last line.
fn without_last_line(text: &str) -> &str {
    &text[..text.trim_end().rfind('\n').expect("several lines") + 1]
}

#[test]
fn merge_reports_files_that_are_not_finished() {
    let folder = shards();
    let cut = without_last_line(&folder.read("b.jsonl")).to_owned();
    let torn_summary = folder.read("b.jsonl")[..cut.len() + 20].to_owned();
    let torn_record = folder.read("b.csv")[..folder.read("b.csv").len() - 3].to_owned();
    let lines = torn_record.lines().count();
    let folder = folder
        .with("cut.jsonl", cut)
        .with("torn.jsonl", &torn_summary)
        .with("torn.csv", &torn_record);
    for (first, second, message, records) in [
        ("a.jsonl", "cut.jsonl", "cut.jsonl: has no summary, so its run did not finish", 40),
        (
            "a.jsonl",
            "torn.jsonl",
            &*format!(
                "torn.jsonl:{}: the last line is torn and is left out",
                torn_summary.lines().count()
            ),
            40,
        ),
        (
            "a.csv",
            "torn.csv",
            &*format!("torn.csv:{lines}: the last line is torn and is left out"),
            39,
        ),
    ] {
        let ran = folder.run(&["merge", first, second]);
        let err = format!(
            "{message}\nyose: {records} results from 2 files; 1 of the files are not finished\n"
        );
        assert_eq!((ran.err, ran.status), (err, 4));
        assert!(!ran.out.contains(r#"{"type":"summary""#), "an unfinished file looks finished");
        assert_eq!(ran.out.matches("list:").count(), records);
    }
    // The input shows that no record is missing.
    let ran = folder.run(&["merge", "a.jsonl", "cut.jsonl", "--input", "list"]);
    assert!(ran.status == 0 && ran.out.contains(r#"{"type":"summary","positions":40"#), "{ran:?}");
    let ran = folder.run(&["merge", "a.csv", "torn.csv", "--input", "list"]);
    assert!(ran.status == 4 && ran.err.contains("\nyose: 39 results from 2 files, 1 missing;"));
    // What is merged so is not finished, and can be continued.
    assert_eq!(folder.run(&["merge", "a.csv", "torn.csv", "-o", "all.csv"]).status, 4);
    let ran = folder.run(&["solve", "list", "-o", "all.csv", "--resume"]);
    assert_eq!((ran.err.as_str(), ran.status), ("", 0));
    assert_eq!(folder.read("all.csv").lines().count(), 41);
}

#[test]
fn merge_reports_a_file_that_is_being_written() {
    use std::io::Write;
    let folder = Folder::new();
    let mut running = folder.start(&["solve", "-o", "out.csv"]);
    let mut input = running.0.stdin.take().expect("its input");
    writeln!(input, "{PLAIN}").expect("it reads");
    while !fs::read_to_string(folder.path("out.csv")).is_ok_and(|text| text.contains("stdin:1")) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let ran = folder.run(&["merge", "out.csv", "-o", "all.csv"]);
    let err = "out.csv: a run is still writing it\n\
               yose: 1 results from 1 files; 1 of the files are not finished\n";
    assert_eq!((ran.err.as_str(), ran.status), (err, 4));
    let ran = folder.run(&["merge", "all.csv", "-o", "out.csv", "--force"]);
    assert_eq!((ran.err.as_str(), ran.status), ("yose: out.csv: another run is writing it\n", 2));
    drop(input);
    assert_eq!(running.end(LONG).status, 0);
    let ran = folder.run(&["merge", "out.csv"]);
    assert_eq!((ran.err.as_str(), ran.status), ("yose: 1 results from 1 files\n", 0));
}

#[test]
#[cfg(unix)]
fn a_full_disk_leaves_no_partial_file() {
    let folder = shards().with("one", FFO_20);
    folder.run(&["train", "positions", "--empties", "5", "--count", "9", "-o", "positions"]);
    let before = names(&folder);
    for arguments in [
        &["merge", "a.csv", "-o", "out"][..],
        &["fingerprint", "--list", "one", "--write", "out"],
        &["solve", "list", "--format", "obf", "-o", "out"],
        &["solve", "list", "--format", "table", "-o", "out"],
        &["verify", "one", "--format", "table", "-o", "out"],
        &["train", "positions", "--empties", "5", "--count", "9", "-o", "out"],
        &["train", "label", "positions", "-o", "out"],
    ] {
        let ran = run_on_full_disk(&folder, 0, arguments);
        assert!(
            ran.err.contains("yose: out: ") || ran.err.contains("yose: out.part: "),
            "the file is named: {ran:?}"
        );
        assert!(ran.err.contains("File too large") && ran.status == 2, "{arguments:?}: {ran:?}");
        let _ = fs::remove_file(folder.path("out.part")).inspect(|()| {
            assert_eq!(arguments[1], "label", "it continues its partial file");
        });
        assert_eq!(names(&folder), before, "{arguments:?}");
    }
    // An existing file stays as it is.
    let old = folder.read("b.csv");
    let ran = run_on_full_disk(&folder, 0, &["merge", "a.csv", "-o", "b.csv", "--force"]);
    assert!(ran.err.starts_with("yose: b.csv: ") && ran.status == 2, "{ran:?}");
    assert_eq!((folder.read("b.csv"), names(&folder)), (old, before));
}

#[test]
#[cfg(unix)]
fn a_full_disk_keeps_the_results_of_long_work_in_a_partial_file() {
    let folder = shards();
    let claims = folder.run(&["solve", "list", "--format", "obf"]).out;
    let folder = folder.with("claims.obf", claims);
    let before = names(&folder);
    for arguments in [
        &["solve", "list", "-t", "1", "--format", "obf", "-o", "out"][..],
        &["verify", "claims.obf", "-t", "1", "--format", "table", "-o", "out"],
    ] {
        let ran = run_on_full_disk(&folder, 1, arguments);
        assert!(
            ran.err.contains("yose: out.part: the output cannot be written after ")
                && ran.err.contains("File too large"),
            "{ran:?}"
        );
        assert_eq!(ran.status, 2, "{ran:?}");
        assert!(!folder.path("out").exists() && folder.read("out.part").contains('\n'));
        let ran = folder.run(arguments);
        let err = "yose: out.part: exists already, and has the results of a run that did not end; \
                   give another name, or --force to replace it\n";
        assert_eq!((ran.err.as_str(), ran.status), (err, 2));
        assert_eq!(folder.run(&[arguments, &["--force"]].concat()).status, 0);
        assert!(!folder.path("out.part").exists());
        fs::remove_file(folder.path("out")).expect("it is there");
        assert_eq!(names(&folder), before);
    }
}

/// Waits until `out.part` has so many lines.
#[cfg(unix)]
#[track_caller]
fn wait_for_lines(folder: &Folder, lines: usize) {
    let start = std::time::Instant::now();
    let path = folder.path("out.part");
    while !fs::read_to_string(&path).is_ok_and(|text| text.matches('\n').count() >= lines) {
        assert!(start.elapsed() < LONG, "nothing is written");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
#[cfg(unix)]
fn a_run_that_is_ended_has_no_final_file() {
    let folder = Folder::new().with("list", format!("{PLAIN}\n{HARD}\n"));
    let folder = folder.with("claims", format!("{FFO_20}\n{HARD}; D1:+2;\n"));
    for (arguments, lines, err) in [
        (
            &["solve", "list", "--format", "obf", "-o", "out"][..],
            1,
            "yose: terminated: 1 of 2 positions are solved, 1 are not; \
             the results are in out.part\n",
        ),
        (
            &["verify", "claims", "--format", "table", "-o", "out"],
            2,
            "yose: terminated; the remaining claims are not verified\n\
             yose: the verdicts are in out.part\n",
        ),
    ] {
        let running = folder.start(arguments);
        wait_for_lines(&folder, lines);
        running.signal("TERM");
        let ran = running.end(LONG);
        assert!(ran.err.starts_with(err) && ran.status == 75, "{ran:?}");
        assert_eq!(names(&folder), ["claims", "list", "out.part"]);
        fs::remove_file(folder.path("out.part")).expect("it is there");

        let mut running = folder.start(arguments);
        wait_for_lines(&folder, lines);
        running.signal("KILL");
        running.wait(LONG);
        assert_eq!(names(&folder), ["claims", "list", "out.part"]);
        fs::remove_file(folder.path("out.part")).expect("it is there");
    }
}

#[test]
#[cfg(unix)]
fn devices_and_pipes_are_written_directly() {
    let folder = shards();
    let before = names(&folder);
    let ran = folder.run(&["merge", "a.csv", "-o", "/dev/stdout"]);
    assert_eq!((ran.status, ran.out), (0, folder.read("a.csv")));
    let ran = folder.run(&["solve", "list", "--shard", "1/2", "--format", "csv"]);
    let on_device = ["solve", "list", "--shard", "1/2", "--format", "csv", "-o", "/dev/stdout"];
    assert_eq!(folder.run(&on_device).records(), ran.records());
    assert_eq!(folder.run(&["fingerprint", "--list", "list", "--write", "/dev/null"]).status, 0);
    let ran = folder.run(&["merge", "a.csv", "-o", "/dev/full"]);
    assert!(ran.err.starts_with("yose: /dev/full: the output cannot be written: No space left"));
    assert_eq!((ran.status, names(&folder)), (2, before));
}

/// The files under `folder` that end in `.rs`.
fn sources(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.extension() {
            _ if path.is_dir() => files.extend(sources(&path)),
            Some(extension) if extension == "rs" => files.push(path),
            _ => {}
        }
    }
    files
}

/// Where files are created, and why nothing unfinished can have a final name there. Journals
/// continue after an interruption. The run file of a journal without a summary is recognised as
/// unfinished by its own missing summary.
const CREATORS: [(&str, &str); 11] = [
    ("batch/journal/mod.rs", "a journal"),
    ("batch/run_file.rs", "the run file of a journal"),
    ("commands/messages.rs", "the log of messages, which is of use while it is written"),
    ("output_file.rs", "output files, which have their name when they are complete"),
    ("plan/make.rs", "files in a folder that has its name when it is complete"),
    ("plan/sort.rs", "temporary files of a sort"),
    ("plan/staging.rs", "the lock of such a folder"),
    ("plan/task.rs", "the lock of a task, which is empty"),
    ("process_name.rs", "the name of the process, which is no file on a disk"),
    ("training/label.rs", "a journal"),
    ("training/tune/log.rs", "a journal"),
];

#[test]
fn no_other_code_creates_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut creating = Vec::new();
    for path in sources(&root) {
        let text = fs::read_to_string(&path).expect("a text");
        let name = path.strip_prefix(&root).expect("a file of the source").display().to_string();
        let name = name.replace(std::path::MAIN_SEPARATOR, "/");
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(&text);
        let mut code = code.to_owned();
        for checked in ["OutputFile::create", "RunFile::create", "DigestFile::create"] {
            code = code.replace(checked, "");
        }
        let creates = ["File::create", "fs::write", ".create(true)", ".create_new(true)"];
        if !name.ends_with("tests.rs") && creates.iter().any(|call| code.contains(call)) {
            creating.push(name);
        }
    }
    creating.sort();
    assert_eq!(creating, CREATORS.map(|(name, _)| name));
}
