//! Standard output and standard error that cannot be written, the environment, the manual page.

use std::process::{Command, Stdio};

use crate::common::{FFO_20, Folder, PLAIN, program};

/// A folder with a list, a file of results and a list that cannot be read.
fn folder() -> Folder {
    let folder = Folder::new().with("list", format!("{FFO_20}\n")).with("junk", "junk\n");
    assert_eq!(folder.run(&["solve", "list", "-o", "results.csv"]).status, 0);
    folder
}

/// Every command that prints to standard output, on an input that takes little time.
const COMMANDS: [&[&str]; 16] = [
    &["solve", "list"],
    &["solve", "list", "--format", "jsonl"],
    &["verify", "list"],
    &["estimate", "list", "--trial", "1ms"],
    &["show", PLAIN],
    &["perft", "2"],
    &["fingerprint", "--list", "list"],
    &["merge", "results.csv"],
    &["bench", "list"],
    &["bench", "list", "--json"],
    &["train", "show", "embedded"],
    &["completions", "bash"],
    &["man"],
    &["--help"],
    &["solve", "--help"],
    &["--version"],
];

/// The message on standard error and the exit status, with this standard output.
fn run_with_output(folder: &Folder, arguments: &[&str], output: Stdio) -> (String, Option<i32>) {
    let output = Command::new(program())
        .current_dir(folder.path(""))
        .env("YOSE_HASH", "1MiB")
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(Stdio::piped())
        .output()
        .expect("the program");
    (String::from_utf8(output.stderr).expect("UTF-8"), output.status.code())
}

#[test]
#[cfg(unix)]
fn every_command_ends_quietly_when_its_output_is_closed() {
    let folder = folder();
    for arguments in COMMANDS {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let (err, status) = run_with_output(&folder, arguments, writer.into());
        assert!(
            err.starts_with("yose: the output was closed") && err.lines().count() == 1,
            "{arguments:?}: {err}"
        );
        assert!(!err.contains("os error") && status == Some(2), "{arguments:?}: {err}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn every_command_reports_an_output_that_is_full() {
    let folder = folder();
    for arguments in COMMANDS {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
        let (err, status) = run_with_output(&folder, arguments, full.into());
        assert!(
            err.contains("the output cannot be written") && err.contains("No space left"),
            "{arguments:?}: {err}"
        );
        assert_eq!(status, Some(2), "{arguments:?}: {err}");
    }
}

/// What cannot be said on standard error does not change what is done, and is no panic.
#[test]
#[cfg(target_os = "linux")]
fn no_command_needs_standard_error() {
    let folder = folder();
    for (arguments, status) in [
        (&["solve", "junk"][..], 3),
        (&["verify", "junk"], 3),
        (&["estimate", "junk", "--trial", "1ms"], 2),
        (&["estimate", "list", "junk", "--trial", "1ms"], 3),
        (&["show", "junk"], 3),
        (&["merge", "results.csv"], 0),
        (&["merge", "junk"], 2),
        (&["bench", "junk"], 2),
        (&["train", "show", "junk"], 2),
        (&["junk"], 2),
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
        let ended = Command::new(program())
            .current_dir(folder.path(""))
            .env("YOSE_HASH", "1MiB")
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(full)
            .status()
            .expect("the program");
        assert_eq!(ended.code(), Some(status), "{arguments:?}");
    }
}

#[test]
fn the_size_in_the_environment_is_named() {
    let folder = folder();
    let run = |value: &str, arguments: &[&str]| {
        let output = folder.yose(arguments).env("YOSE_HASH", value).output().expect("the program");
        let err = String::from_utf8(output.stderr).expect("UTF-8");
        (err, output.status.code())
    };
    for arguments in [&["solve", "list"][..], &["verify", "list"], &["bench", "list"]] {
        let (err, status) = run("junk", arguments);
        let expected = "yose: the environment variable YOSE_HASH is `junk`: it does not begin with \
                        a whole number; write a size as 256MiB, 1GiB, 512M, 2G, or a number of \
                        bytes\n";
        assert_eq!((err.as_str(), status), (expected, Some(2)), "{arguments:?}");
        let (err, status) = run("1000", arguments);
        assert!(err.contains("YOSE_HASH is `1000`: 1000 bytes are too few") && status == Some(2));
        // An argument is preferred to the variable, whatever that is.
        let with_argument = [arguments, &["--hash", "1MiB"]].concat();
        assert_eq!(run("junk", &with_argument).1, Some(0), "{arguments:?}");
        let (err, status) = run("junk", &[arguments, &["--hash", "more"]].concat());
        assert!(err.contains("'more' for '--hash <SIZE>'") && status == Some(2), "{err}");
    }
    // An empty variable is one that is not set.
    let run = |value: Option<&str>| {
        let mut command = folder.yose(&["solve", "list", "--format", "jsonl"]);
        match value {
            Some(value) => command.env("YOSE_HASH", value),
            None => command.env_remove("YOSE_HASH"),
        };
        let output = command.output().expect("the program");
        assert!(output.status.success());
        let out = String::from_utf8(output.stdout).expect("UTF-8");
        let line: serde_json::Value =
            serde_json::from_str(out.lines().next().expect("a run")).expect("JSON");
        line["table_bytes"].as_u64().expect("a size")
    };
    let auto = 16 << 20;
    assert_eq!([run(None), run(Some("")), run(Some("auto"))], [auto; 3], "a small list");
    assert_eq!(run(Some("2MiB")), 2 << 20);
}

/// The JSON object of a run, and what is printed to standard error.
fn described(command: &mut assert_cmd::Command) -> (serde_json::Value, String) {
    let output = command.args(["--format", "jsonl", "--progress", "none"]).output().expect("yose");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let (out, err) = (text(output.stdout), text(output.stderr));
    assert!(output.status.success(), "{err}");
    (serde_json::from_str(out.lines().next().expect("a run")).expect("JSON"), err)
}

#[test]
fn an_automatic_size_is_recorded_and_explained() {
    let folder = folder();
    let from_file = described(&mut folder.yose(&["solve", "list", "--hash", "auto", "-v"]));
    let mut piped = folder.yose(&["solve", "--hash", "auto", "--verbose"]);
    let from_pipe = described(piped.write_stdin(folder.read("list")));
    for (run, bytes, predicted) in
        [(&from_file.0, 16 << 20, true), (&from_pipe.0, 256 << 20, false)]
    {
        let number = |name: &str| run["auto_table"][name].as_u64();
        let (limit, free) = (number("limit_bytes"), number("free_bytes"));
        let (limit, free) = (limit.expect("a limit"), free.expect("a figure of the system"));
        assert_eq!(run["table_bytes"].as_u64(), Some(bytes.min(limit)), "{run}");
        assert!(limit <= free / 2, "{run}");
        assert_eq!(number("predicted_nodes").is_some(), predicted, "{run}");
    }
    let nodes = "yose: table: 16.0 MiB for ";
    assert!(from_file.1.starts_with(nodes), "{}", from_file.1);
    assert!(from_pipe.1.starts_with("yose: table: 256.0 MiB without a prediction for the input; "));
    for (_, err) in [from_file, from_pipe] {
        assert!(err.contains(" if the search needs it: ") && err.contains(" of memory are free\n"));
        assert!(err.ends_with("yose: table: 1.0 MiB were used\n"), "{err}");
    }
    let (run, err) = described(&mut folder.yose(&["verify", "list", "--hash", "auto", "-v"]));
    assert!(run["auto_table"]["limit_bytes"].is_u64() && err.starts_with(nodes), "{run} {err}");
    let (run, err) = described(&mut folder.yose(&["solve", "list", "-v"]));
    assert!(run["auto_table"].is_null() && run["table_bytes"] == 1 << 20, "{run}");
    assert!(err.starts_with("yose: table: 1.0 MiB at most, a fixed size\n"), "{err}");
    let bench = folder.run(&["bench", "list", "--hash", "auto", "-v", "--json"]);
    assert!(bench.err.starts_with(nodes) && bench.out.contains(r#""table_bytes":16777216,"#));
}

/// The size depends on the list, not on what is printed besides the scores.
#[test]
fn an_automatic_size_is_predicted_without_progress() {
    let folder = folder();
    let predicted = "yose: table: 16.0 MiB for ";
    for command in ["solve", "verify"] {
        for format in ["csv", "table", "jsonl"] {
            let arguments = [command, "list", "--hash", "auto", "-v", "--format", format];
            let done = folder.run(&[&arguments[..], &["--progress", "none"]].concat());
            assert!(done.err.starts_with(predicted), "{command} {format}: {}", done.err);
        }
    }
    let sampled = folder.run(&["verify", "list", "--hash", "auto", "-v", "--sample", "1"]);
    assert!(sampled.err.starts_with(predicted), "{}", sampled.err);
}

/// The node counts of a deterministic run do not depend on the memory of the machine.
#[test]
fn a_deterministic_run_has_no_automatic_size() {
    let folder = folder();
    let mut command = folder.yose(&["solve", "list", "--hash", "auto", "--deterministic"]);
    let (run, _) = described(&mut command);
    assert!(run["auto_table"].is_null() && run["table_bytes"] == 256 << 20, "{run}");
}

#[test]
#[cfg(target_os = "linux")]
fn an_automatic_size_fits_into_a_limit_of_the_memory() {
    let folder = folder();
    for (kibibytes, most) in [(800 << 10, 200 << 20), (400 << 10, 100 << 20)] {
        let script = format!(r#"ulimit -v {kibibytes}; exec "$0" "$@""#);
        let program = program();
        let mut command = assert_cmd::Command::new("sh");
        command.current_dir(folder.path("")).args(["-c", &script]).arg(program);
        command.args(["solve", "-t", "1", "--hash", "auto"]).write_stdin(folder.read("list"));
        let (run, _) = described(&mut command);
        let limit = run["auto_table"]["limit_bytes"].as_u64().expect("a limit");
        assert!(1 << 20 <= limit && limit < most, "{run}");
    }
}

#[test]
fn the_manual_page_has_every_command_and_names_no_other_pages() {
    let page = Folder::new().run(&["man"]).out;
    let version = page.split("\n.SH VERSION\n").nth(1).expect("a version");
    assert_eq!(version, concat!("v", env!("CARGO_PKG_VERSION"), "\n"));
    assert_eq!(page.matches("(1)").count(), 0, "no other page exists");
    for command in ["solve", "merge", "man", "train label", "train fit"] {
        let heading = format!("\n.SH \"YOSE {}\"\n", command.to_uppercase());
        assert!(page.contains(&heading), "{command}");
        let entry = format!("\n.TP\n\\fByose {command}\\fR\n");
        assert!(page.contains(&entry), "{command}");
    }
    assert!(!page.contains("EXTRA") && page.contains("\n.SH \"EXIT STATUS\"\n"));
}
