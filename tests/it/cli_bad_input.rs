//! Bad input of every kind: a clear message, the right exit status, and the good lines solved.

use crate::common::{FFO_20, Folder, OVER, PLAIN, program, random_list};

const BOARD: &str = "a position is 64 squares of X, O and -, then the side to move, X or O";
const SCORE: &str = "a score is an even number from -64 to +64";

/// Runs on three lines, the second of which is bad, and checks what is said of it.
#[track_caller]
fn bad(line: &str, column: usize, message: &str) {
    let ran = Folder::new().run_on(&["solve"], format!("{PLAIN}\n{line}\n{OVER}\n"));
    let records = ["stdin:1 exact 6", "stdin:2 invalid", "stdin:3 exact 64"];
    ran.expect(&records, &format!("stdin:2:{column}: {message}\n"), 3);
}

#[test]
fn too_few_squares() {
    bad(&PLAIN[1..64], 64, &format!("the board ends after 63 of 64 squares; {BOARD}"));
    bad(
        &format!("{};", &PLAIN[..20]),
        21,
        &format!("the board ends after 20 of 64 squares; {BOARD}"),
    );
    // The side to move is not taken for the 64th square.
    bad(&PLAIN[1..], 64, &format!("the board ends after 63 of 64 squares; {BOARD}"));
}

#[test]
fn too_many_squares() {
    bad(&format!("-{PLAIN}"), 65, &format!("the board has more than 64 squares; {BOARD}"));
    // The 65th square is taken for the side to move.
    let hint =
        "a plain position is 64 squares and one side to move; fields of an OBF line begin with `;`";
    bad(
        &format!("X{}X X", &PLAIN[..63]),
        67,
        &format!("something follows the side to move; {hint}"),
    );
}

#[test]
fn an_unknown_symbol() {
    let hint = format!("is not a square (square 5 of 64); {BOARD}");
    bad(&format!("{}?{}", &PLAIN[..4], &PLAIN[5..]), 5, &format!("'?' {hint}"));
    // Columns count characters.
    bad(&format!("{}é{}", &PLAIN[..4], &PLAIN[5..]), 5, &format!("'é' {hint}"));
    bad(&format!("{} Z", &PLAIN[..64]), 66, &format!("'Z' is not a side to move; {BOARD}"));
}

#[test]
fn a_missing_side() {
    let missing = "the side to move is missing";
    bad(
        &PLAIN[..64],
        65,
        &format!("{missing}; write X or O after the 64 squares, or name one side for all"),
    );
    bad(
        &format!("{}; H5:+6;", &PLAIN[..64]),
        65,
        &format!("{missing}; X or O stands after the 64 squares"),
    );
}

#[test]
fn wrong_fields() {
    let legal = "the legal moves are h5 f6 g6 h6";
    bad(&format!("{PLAIN}; H5:+6; A1:+64; G6:-2;"), 76, &format!("X cannot play a1; {legal}"));
    bad(&format!("{PLAIN}; PS:+6;"), 69, &format!("X cannot pass; {legal}"));
    bad(&format!("{PLAIN}; H5:+5;"), 72, &format!("`+5` is an odd score; {SCORE}"));
    bad(&format!("{PLAIN}; H5:six;"), 72, &format!("`six` is not a score; {SCORE}"));
    let field = "a field is `MOVE:SCORE`, with a move from a1 to h8, or PS for a pass";
    bad(&format!("{PLAIN}; H9:+6;"), 69, &format!("`H9` is not a move; {field}"));
    bad(&format!("{PLAIN}; H5:+6; H5:+6;"), 76, "a second score for h5; each move has one field");
    let over = "the game is over: its score stands in a field of its own";
    bad(&format!("{OVER}; A8:+64;"), 69, &format!("X cannot play a8; {over}"));
}

#[test]
fn a_message_cannot_play_with_the_terminal() {
    let ran = Folder::new().run_on(&["solve"], format!("{PLAIN}; \x1b[2J\x07:+6;\n\x1b[31m\n"));
    assert!(!ran.err.contains(|c: char| c.is_control() && c != '\n'), "{ran:?}");
    assert_eq!(ran.err.lines().count(), 2, "{ran:?}");
}

#[test]
fn a_line_without_end() {
    let ran =
        Folder::new().run_on(&["solve"], format!("{PLAIN}\n{}\n{OVER}\n", "-".repeat(1 << 20)));
    let err =
        "stdin:2:1: the line is longer than 65536 bytes; each position has a line of its own\n";
    ran.expect(&["stdin:1 exact 6", "stdin:2 invalid", "stdin:3 exact 64"], err, 3);
}

#[test]
fn other_line_ends_are_no_fault() {
    let text = format!("\u{feff}{PLAIN}\r\n\r\n  % a comment\r\n{FFO_20} % FFO 20\r\n{OVER}");
    let ran = Folder::new().run_on(&["solve"], text);
    ran.expect(&["stdin:1 exact 6", "stdin:4 exact 6", "stdin:5 exact 64"], "", 0);
}

#[test]
fn a_forced_format_is_kept_to() {
    let folder = Folder::new();
    let ran = folder.run_on(&["solve", "--input-format", "plain"], format!("{FFO_20}\n{PLAIN}\n"));
    let hint = "a plain position has none; read the file as OBF";
    let err = format!("stdin:1:67: fields follow the position; {hint}\n");
    ran.expect(&["stdin:1 invalid", "stdin:2 exact 6"], &err, 3);
    let ran = folder.run_on(
        &["solve", "--input-format", "obf", "--side", "X"],
        format!("{PLAIN}\n{}\n", &PLAIN[..64]),
    );
    let err = "stdin:2:65: the side to move is missing; X or O stands after the 64 squares\n";
    ran.expect(&["stdin:1 exact 6", "stdin:2 invalid"], err, 3);
}

#[test]
fn files_that_cannot_be_read_do_not_stop_the_others() {
    let binary = [PLAIN.as_bytes(), b"\n\x7fELF\0\0\n\n1\n2\n3\n"].concat();
    let folder = Folder::new()
        .with("binary", binary)
        .with("latin", b"Z\xfcrich\n1\n2\n")
        .with("good", PLAIN);
    std::fs::create_dir(folder.path("folder")).expect("a folder");
    let ran = folder.run(&["solve", "none", "folder", "binary", "latin", "good"]);
    let not_text = "not a text file, so the rest of it is skipped; position files are ASCII or UTF-8 text, or WTHOR databases";
    let err = format!(
        "none: cannot be opened: No such file or directory (os error 2)\n\
         folder: is a directory; name the files in it\n\
         binary:2: {not_text}\n\
         latin:1: {not_text}\n"
    );
    ran.expect(&["binary:1 exact 6", "good:1 exact 6"], &err, 2);
}

#[test]
fn an_empty_file_is_told_and_is_no_failure() {
    let folder =
        Folder::new().with("empty", "").with("comments", "% nothing\n\n").with("good", PLAIN);
    let ran = folder.run(&["solve", "empty", "comments", "good"]);
    let err = "empty: holds no positions\ncomments: holds no positions\n";
    ran.expect(&["good:1 exact 6"], err, 0);
    folder.run_on(&["solve"], "").expect(&[], "stdin: holds no positions\n", 0);
}

#[test]
fn a_file_named_as_standard_input() {
    let folder = Folder::new().with("-", OVER);
    folder.run_on(&["solve", "-"], PLAIN).expect(&["stdin:1 exact 6"], "", 0);
    folder.run_on(&["solve", "./-"], PLAIN).expect(&["./-:1 exact 64"], "", 0);
    let ran = folder.run_on(&["solve", "-", "-"], PLAIN);
    assert!(
        ran.err.contains("`-` is given twice, but standard input can be read only once"),
        "{ran:?}"
    );
    assert_eq!(ran.status, 2);
}

/// What the program says and how it ends when its output is closed after one line.
#[cfg(unix)]
fn closed_pipe(arguments: &[&str]) -> (String, Option<i32>) {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};

    let folder = Folder::new().with("list", format!("{PLAIN}\n").repeat(20_000));
    let mut child = Command::new(program())
        .current_dir(folder.path(""))
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
    let mut err = String::new();
    child.stderr.take().expect("its messages").read_to_string(&mut err).expect("text");
    (err, child.wait().expect("its end").code())
}

#[test]
#[cfg(unix)]
fn a_closed_pipe() {
    for format in ["csv", "jsonl", "table"] {
        let (err, status) = closed_pipe(&["solve", "list", "--hash", "1MiB", "--format", format]);
        let written = err
            .strip_prefix("yose: the output was closed after ")
            .unwrap_or_else(|| panic!("{err}"));
        let (count, rest) = written.split_once(' ').expect("a count");
        count.parse::<u64>().expect("a count");
        assert!(rest.ends_with("; the rest was not solved\n"), "{err}");
        assert_eq!(status, Some(2), "{err}");
    }
    let (err, status) = closed_pipe(&["fingerprint", "--list", "list"]);
    assert_eq!((err.as_str(), status), ("yose: the output was closed\n", Some(2)));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk() {
    let ran = Folder::new().run_on(&["solve", "-o", "/dev/full"], PLAIN);
    assert!(
        ran.err.starts_with("yose: /dev/full: the output cannot be written after 0 results: "),
        "{ran:?}"
    );
    assert_eq!(ran.status, 2);
}

#[test]
fn a_table_that_does_not_fit() {
    let ran = Folder::new().run_on(&["solve", "--hash", "4096T"], PLAIN);
    let what = "yose: a table of 4194304.0 GiB does not fit into the memory of ";
    assert!(
        ran.err.starts_with(what) && ran.err.ends_with(" GiB; --hash gives it another size\n"),
        "{ran:?}"
    );
    assert_eq!((ran.out.as_str(), ran.status), ("", 2));
    // Alone each of these would fit, or the machine could not run the test.
    let ran =
        Folder::new().run_on(&["solve", "--hash", "1G", "-t", "4096", "--deterministic"], PLAIN);
    let what = "yose: 4096 tables of 1.0 GiB each do not fit into the memory of ";
    assert!(
        ran.err.starts_with(what) && ran.err.ends_with(" GiB; --hash gives them another size\n"),
        "{ran:?}"
    );
    assert_eq!((ran.out.as_str(), ran.status), ("", 2));
}

#[test]
fn threads_that_do_not_fit() {
    for command in ["solve", "verify", "estimate"] {
        let ran = Folder::new().run_on(&[command, "-t", "100000000"], PLAIN);
        let (start, end) = match command {
            "solve" | "verify" => ("yose: 100000000 threads of ", "; --threads starts fewer\n"),
            _ => ("yose: 100000000 tables of ", "; --hash gives them another size\n"),
        };
        assert!(ran.err.starts_with(start) && ran.err.ends_with(end), "{ran:?}");
        assert!(ran.err.contains(" do not fit into the memory of "), "{ran:?}");
        assert_eq!(ran.status, 2);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn threads_beyond_a_limit_of_the_memory() {
    let limited = |threads: &str, kilobytes: u32, list: &str| {
        let folder = Folder::new().with("list", list);
        let script = format!(r#"ulimit -v {kilobytes}; exec "$0" "$@""#);
        let program = program();
        let output = std::process::Command::new("sh")
            .args(["-c", &script])
            .arg(program)
            .args(["solve", "list", "--hash", "1M"])
            .args(["--format", "csv", "--progress", "none", "-t", threads])
            .current_dir(folder.path(""))
            .output()
            .expect("a shell");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        (text(output.stdout), text(output.stderr), output.status.code())
    };
    // The limit counts as memory does.
    let (out, err, status) = limited("20000", 4 << 20, PLAIN);
    assert!(err.starts_with("yose: 20000 threads of ") && err.contains(" of 4.0 GiB; "), "{err}");
    assert_eq!((out.as_str(), status), ("", Some(2)));
    // Each stack takes 64 MiB of the address space. Fewer threads than wanted do the work.
    let list = random_list(60, 14..=14, 22).join("\n");
    let (out, err, status) = limited("40", 600 << 10, &list);
    assert!(err.contains("; the run continues with fewer threads\n"), "{err}");
    assert_eq!(
        (out.lines().filter(|line| line.contains(",exact,")).count(), status),
        (60, Some(0))
    );
}

#[test]
fn weights_that_cannot_be_used() {
    let good = yose::eval::Weights::zero().write();
    let (mut damaged, mut other) = (good.clone(), good.clone());
    *damaged.last_mut().expect("a byte") ^= 1;
    let digit = other.iter().position(|&byte| byte == b'3').expect("the format's number");
    other[digit] = b'1';
    let folder = Folder::new().with("list", PLAIN).with("damaged", damaged).with("other", other);
    let folder = folder.with("cut", &good[..30]).with("empty", "").with("text", "weights\n");
    std::fs::create_dir(folder.path("folder")).expect("a folder");
    for (file, message) in [
        ("none", "cannot be read: No such file or directory (os error 2)"),
        ("folder", "cannot be read: Is a directory (os error 21)"),
        ("text", "this is not a weight file; `yose train fit` makes one"),
        ("empty", "this is not a weight file; `yose train fit` makes one"),
        ("other", "this weight file was made for another version of yose; fit the weights again"),
        ("cut", "this weight file is damaged: it is cut short"),
        ("damaged", "this weight file is damaged: its checksum is wrong"),
    ] {
        for arguments in [
            &["solve", "list", "-o", "out"][..],
            &["fingerprint", "--list", "list", "--write", "out"],
        ] {
            let ran = folder.run(&[arguments, &["--weights", file]].concat());
            let err = format!("yose: {file}: {message}\n");
            assert_eq!(
                (ran.out.as_str(), ran.err.as_str(), ran.status),
                ("", err.as_str(), 2),
                "{arguments:?}"
            );
            assert!(!folder.path("out").exists(), "{arguments:?}");
        }
    }
}

#[test]
fn wrong_usage() {
    let folder = Folder::new().with("list", PLAIN);
    for (arguments, message) in [
        (&["solve", "list", "--window", "3,3"][..], "no score lies between +3 and +3"),
        (&["solve", "list", "--window", "-3"], "there is no comma"),
        (
            &["solve", "list", "--window=-3,3", "--goal", "wld"],
            "cannot be used with '--goal <GOAL>'",
        ),
        (
            &["solve", "list", "--hash", "much"],
            "write a size as 256MiB, 1GiB, 512M, 2G, or a number of bytes",
        ),
        (&["solve", "list", "-t", "0"], "no thread would solve; give 1 or more"),
        (&["solve", "list", "-t", "many"], "it is not a whole number"),
        (&["solve", "list", "-o", "."], ".: is a directory; give --output the name of a file"),
        (&["solve", "list", "-o", ".", "--resume"], ".: is a directory; give"),
        (&["solve", "list", "--format", "xml"], "values: table, csv, jsonl, obf, parquet]"),
        (&["solve", "list", "--force"], "--output <FILE>"),
        (&["solve", "list", "--side", "Y"], "[possible values: X, O]"),
        (&["solv", "list"], "unrecognized subcommand 'solv'"),
    ] {
        let ran = folder.run(arguments);
        assert!(ran.err.contains(message), "{arguments:?}: {ran:?}");
        assert_eq!((ran.out.as_str(), ran.status), ("", 2), "{arguments:?}");
    }
}

/// Lines about something else than a position are skipped.
#[test]
fn json_lines_lose_no_position() {
    let bare = &PLAIN[..64];
    let lines = [
        r#"{"type":"run"}"#.to_owned(),
        r#"{"type":"remark","text":"positions follow"}"#.to_owned(),
        format!(r#"{{"type":"Position","position":"{PLAIN}"}}"#),
        r#"{"type":"game","transcript":"f5d6c3"}"#.to_owned(),
        format!(r#"{{"position":"{bare}","side":"X","side":"O"}}"#),
        format!(r#"{{"position":"{bare}","side":"X"}}"#),
    ];
    let ran = Folder::new().run_on(&["solve", "--side", "X"], lines.join("\n"));
    let invalid = ["stdin:3 invalid", "stdin:4 invalid", "stdin:5 invalid"];
    assert_eq!(ran.records(), [&invalid[..], &["stdin:6 exact 6"]].concat(), "{ran:#?}");
    for message in [
        "stdin:3:10: the type is `Position`; a line with a position or a transcript has ",
        "stdin:4:10: the type is `game`; ",
        "duplicate field `side`",
    ] {
        assert!(ran.err.contains(message), "{ran:#?}");
    }
    assert_eq!(ran.status, 3);
}
