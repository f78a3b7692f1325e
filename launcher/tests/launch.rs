//! The launcher from outside: what it starts gets everything as the launcher got it.
//!
//! It carries three stand-ins (`stand_in/program.rs`) instead of Yose, so the tests need no build
//! of Yose.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::ffi::OsStr;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::{env, fs};

/// The launcher with the stand-ins in it.
static LAUNCHER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("launcher");
    fs::create_dir_all(&folder).expect("a folder");
    let mut cargo = Command::new(env!("CARGO"));
    // The caller's environment may have settings of Cargo.
    cargo.env_remove("CARGO_BUILD_TARGET").env_remove("CARGO_TARGET_DIR");
    for (tier, variable) in [
        ("portable", "YOSE_IMAGE_PORTABLE"),
        ("x86-64-v3", "YOSE_IMAGE_V3"),
        ("x86-64-v4", "YOSE_IMAGE_V4"),
    ] {
        let program = folder.join(tier);
        let compiled = Command::new(env::var_os("RUSTC").unwrap_or("rustc".into()))
            .args(["--edition=2024", "-C", "strip=symbols", "-o"])
            .arg(&program)
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stand_in/program.rs"))
            .env("STAND_IN_TIER", tier)
            .status()
            .expect("rustc");
        assert!(compiled.success(), "{tier}");
        cargo.env(variable, program);
    }
    cargo
        .args(["build", "--quiet", "--offline", "--bin", "yose-all-tiers", "--target-dir"])
        .arg(&folder)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("RUSTFLAGS", "-C target-cpu=x86-64");
    assert!(cargo.status().expect("cargo").success());
    folder.join("debug/yose-all-tiers")
});

/// The launcher with these arguments, in an environment that has no tier.
fn launcher(arguments: &[&str]) -> Command {
    let mut command = Command::new(&*LAUNCHER);
    command.args(arguments).env_remove("YOSE_TIER").stdin(Stdio::null());
    command
}

/// The launcher, started by a shell script as `"$0"`.
fn from_shell(script: &str) -> Output {
    let mut shell = Command::new("sh");
    shell.args(["-c", script]).arg(&*LAUNCHER).env_remove("YOSE_TIER").stdin(Stdio::null());
    shell.output().expect("a shell")
}

/// What the stand-in reports, by the first words of the lines.
struct Report(String);

impl Report {
    fn of(output: &Output) -> Report {
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && errors.is_empty(), "{:?}: {errors}", output.status);
        Report(String::from_utf8(output.stdout.clone()).expect("text"))
    }

    #[track_caller]
    fn get(&self, what: &str) -> &str {
        let line = self.0.lines().find_map(|line| line.strip_prefix(what));
        line.unwrap_or_else(|| panic!("no {what} in {}", self.0)).trim()
    }

    /// Whether a signal is in a set of signals of `/proc/self/status`.
    fn has_signal(&self, set: &str, signal: u32) -> bool {
        let signals = u64::from_str_radix(self.get(set), 16).expect("a number");
        signals >> (signal - 1) & 1 != 0
    }

    fn descriptors(&self) -> Vec<&str> {
        self.0.lines().filter_map(|line| line.strip_prefix("descriptor ")).collect()
    }
}

fn report(command: &mut Command) -> Report {
    Report::of(&command.output().expect("the launcher"))
}

/// The message of a launcher that must refuse.
fn refusal(command: &mut Command) -> String {
    let output = command.output().expect("the launcher");
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &b""[..]));
    String::from_utf8(output.stderr).expect("text")
}

/// The tiers that this CPU can run, the fastest first, as the standard library detects them.
fn tiers() -> Vec<&'static str> {
    let v3 = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("movbe");
    let v4 = v3
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl");
    match (v3, v4, is_x86_feature_detected!("avx512vbmi2")) {
        (false, _, _) => vec!["portable"],
        (true, false, _) => vec!["x86-64-v3", "portable"],
        (true, true, false) => vec!["x86-64-v3", "x86-64-v4", "portable"],
        (true, true, true) => vec!["x86-64-v4", "x86-64-v3", "portable"],
    }
}

#[test]
fn the_fastest_tier_is_run() {
    assert_eq!(report(&mut launcher(&[])).get("tier"), tiers()[0]);
    assert_eq!(report(launcher(&[]).env("YOSE_TIER", "")).get("tier"), tiers()[0]);
}

#[test]
fn another_tier_can_be_asked_for() {
    for tier in tiers() {
        assert_eq!(report(&mut launcher(&["--tier", tier])).get("tier"), tier);
        assert_eq!(report(launcher(&["solve"]).env("YOSE_TIER", tier)).get("tier"), tier);
        let equals = format!("--tier={tier}");
        assert_eq!(report(launcher(&["a", &equals]).env("YOSE_TIER", "x")).get("tier"), tier);
    }
}

#[test]
fn a_tier_that_does_not_exist_is_refused() {
    let tiers = "the tiers are portable, x86-64-v3 and x86-64-v4";
    assert_eq!(
        refusal(&mut launcher(&["--tier", "v9"])),
        format!("yose: --tier is `v9`; {tiers}\n")
    );
    assert_eq!(
        refusal(launcher(&[]).env("YOSE_TIER", "V3")),
        format!("yose: the environment variable YOSE_TIER is `V3`; {tiers}\n")
    );
    let no_text = OsStr::from_bytes(b"\xff");
    assert!(refusal(launcher(&[]).env("YOSE_TIER", no_text)).contains("is `\u{fffd}`; "));
}

#[test]
fn a_launcher_without_yose_reports_it() {
    let message = refusal(&mut Command::new(env!("CARGO_BIN_EXE_yose-all-tiers")));
    assert!(message.contains("scripts/build-all-tiers.sh"), "{message}");
}

#[test]
fn arguments_variables_and_folder_are_passed_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().canonicalize().expect("its path");
    let mut command = launcher(&["", "a b", "--", "--tier", "none"]);
    command.arg(OsStr::from_bytes(b"\xfe")).arg0("own name").current_dir(&folder);
    command.env("STAND_IN_VARIABLE", OsStr::from_bytes(b"\xfd"));
    let report = report(&mut command);
    assert_eq!(
        report.get("arguments"),
        r#"["own name", "", "a b", "--", "--tier", "none", "\xFE"]"#
    );
    assert_eq!(report.get("variable"), r#"Some("\xFD")"#);
    assert_eq!(Path::new(report.get("folder")), folder);
}

#[test]
fn exit_statuses_are_those_of_the_program() {
    for status in [0, 1, 2, 3, 4, 75, 130, 255] {
        let output = launcher(&["exit", &status.to_string()]).output().expect("the launcher");
        assert_eq!(output.status.code(), Some(status));
    }
}

#[test]
fn an_abort_is_that_of_the_program() {
    const SIGABRT: i32 = 6;
    let status = launcher(&["abort"]).status().expect("the launcher");
    assert_eq!(status.signal(), Some(SIGABRT));
}

#[test]
fn the_process_stays_the_same() {
    let mut command = launcher(&[]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a process");
    let id = child.id().to_string();
    let output = child.wait_with_output().expect("the output");
    assert_eq!(Report::of(&output).get("process"), id);
}

#[test]
fn standard_streams_are_passed_on() {
    let mut command = launcher(&["copy"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("a process");
    let text = "line\n".repeat(100_000);
    let mut input = child.stdin.take().expect("a pipe");
    let sent = text.clone();
    let writer = std::thread::spawn(move || input.write_all(sent.as_bytes()));
    let output = child.wait_with_output().expect("the output");
    writer.join().expect("the thread").expect("all is read");
    assert!(output.status.success());
    assert!(output.stdout == text.as_bytes() && output.stderr == text.as_bytes());
}

#[test]
fn no_descriptor_is_left_to_the_program() {
    let descriptors = |report: &Report| -> Vec<String> {
        report.descriptors().iter().map(|line| line.replace(char::is_numeric, "")).collect()
    };
    let own = report(&mut launcher(&[]));
    let direct = LAUNCHER.ancestors().nth(2).expect("the folder").join("portable");
    let direct = report(Command::new(direct).stdin(Stdio::null()));
    assert_eq!(descriptors(&own), descriptors(&direct));
    // A closed stream is still closed.
    let output = from_shell("\"$0\" <&-");
    let closed = Report::of(&output);
    assert!(!closed.descriptors().iter().any(|line| line.starts_with("0 ")), "{}", closed.0);
}

#[test]
fn dispositions_of_signals_are_passed_on() {
    let (interrupt, pipe, terminate, size) = (2, 13, 15, 25);
    // Test programs in Rust ignore SIGPIPE, and `Command` undoes that.
    let plain = report(&mut launcher(&[]));
    let ignored = Report::of(&from_shell("trap '' INT PIPE XFSZ; exec \"$0\""));
    for signal in [interrupt, pipe, size] {
        assert!(!plain.has_signal("SigIgn:", signal), "{signal}");
        assert!(ignored.has_signal("SigIgn:", signal), "{signal}");
    }
    for report in [&plain, &ignored] {
        assert!(!report.has_signal("SigIgn:", terminate));
        assert_eq!(report.get("SigCgt:"), "0000000000000000");
        assert_eq!(report.get("SigBlk:"), "0000000000000000");
    }
}

#[test]
fn a_limit_of_file_sizes_does_not_stop_the_launcher_and_is_passed_on() {
    let report = Report::of(&from_shell("ulimit -S -f 1; exec \"$0\""));
    let limit = report.get("Max file size");
    assert!(limit.starts_with("512 ") || limit.starts_with("1024 "), "{limit}");
    assert!(!report.has_signal("SigIgn:", 25));
    // Where it cannot be raised there is a message and no signal.
    let output = from_shell("ulimit -f 1; exec \"$0\"");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("File too large"));
}
