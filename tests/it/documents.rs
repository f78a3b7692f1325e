//! The documents are true: their commands work, the output that they quote is what the program
//! prints, their links and the files that they name exist.
//!
//! What is run:
//! - each line of a code block marked `sh`; it must succeed;
//! - each line of a block marked `console` that begins with `$ `; the lines below it are compared
//!   with what it prints, where `...` stands for any lines and one time is as good as another;
//! - code in a sentence that begins with `yose` or `cargo run`.
//!
//! The program runs in a folder of its own for each document, with the `positions` of the
//! repository. [`NOT_RUN`] has the commands that are not run, and [`SHORTENED`] the lists of which
//! only the first lines are there.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{Folder, program};

/// Commands that are not run, by how they begin, and why.
const NOT_RUN: [(&str, &str); 16] = [
    ("cargo test", "this is it"),
    ("RUSTFLAGS=", "another build of the whole program: .ci/run does it"),
    ("cargo build", "another build of the whole program: .ci/run does it"),
    ("cargo install", "another build of the whole program, and the network"),
    ("cargo run --release --example", "another build of the whole program"),
    ("cargo run --release --features", "another build of the whole program"),
    ("pip install", "another build of the whole library: .ci/run tests the package"),
    ("python3 -m venv", "it needs the network afterwards"),
    ("venv/bin/", "another build of the whole library, and the network"),
    ("maturin build", "another build of the whole library"),
    ("scripts/", "minutes to hours"),
    ("SCALE=", "minutes"),
    ("YOSE_TEST_PROGRAM=", "all of these tests once more"),
    ("yose train nodes --hash 64MiB", "of an experiment, and without its list"),
    ("yose train record", "needs a build with the feature record"),
    ("yose train tune --log", "minutes"),
];

/// Lists that would take long, and how many of their lines are there.
const SHORTENED: [(&str, usize); 2] = [("ffo-20-39.obf", 8), ("ffo-40-59.obf", 2)];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A Markdown file of the repository.
struct Document {
    /// Its path from the root.
    name: String,
    text: String,
}

/// The README, the other documents of the root, and all of `docs`.
fn documents() -> Vec<Document> {
    let mut paths: Vec<PathBuf> =
        ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root().join(name)).into();
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of documents") {
            let path = entry.expect("an entry of a folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths.iter().map(|path| Document::read(path)).collect()
}

/// A command of a document.
struct Step {
    command: String,
    /// The output that the document quotes, if it quotes one.
    output: Option<Vec<String>>,
}

impl Document {
    fn read(path: &Path) -> Document {
        let name = path.strip_prefix(root()).expect("a path below the root").display().to_string();
        Document { name, text: fs::read_to_string(path).expect("a document") }
    }

    /// The code blocks: the language, and the lines.
    fn blocks(&self) -> Vec<(&str, Vec<&str>)> {
        let block = |text: &str| text.split_once('\n').map(|(head, _)| head.len());
        let blocks = self.text.split("```").skip(1).step_by(2);
        blocks
            .filter_map(|text| block(text).map(|end| (text[..end].trim(), &text[end + 1..])))
            .map(|(language, text)| (language, text.lines().collect()))
            .collect()
    }

    /// The document without its code blocks.
    fn prose(&self) -> String {
        self.text.split("```").step_by(2).collect::<Vec<_>>().join("\n")
    }

    /// The code in sentences and tables, each in one line.
    fn spans(&self) -> Vec<String> {
        let prose = self.prose();
        let spans = prose.split('`').skip(1).step_by(2);
        spans.map(|span| span.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    }

    /// The commands in their order: those of the code blocks, then those in sentences.
    fn steps(&self) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        for (language, lines) in self.blocks() {
            for line in lines {
                match (language, line.strip_prefix("$ ")) {
                    ("sh", _) if !line.is_empty() && !line.starts_with('#') => {
                        steps.push(Step { command: line.to_owned(), output: None });
                    }
                    ("console", Some(command)) => {
                        let command = command.to_owned();
                        steps.push(Step { command, output: Some(Vec::new()) });
                    }
                    ("console", None) => {
                        let output = steps.last_mut().and_then(|step| step.output.as_mut());
                        output.expect("a command above its output").push(line.to_owned());
                    }
                    _ => {}
                }
            }
        }
        let of_a_command = |span: &String| {
            let mut words = span.split(' ');
            match (words.next(), words.next()) {
                (Some("yose"), Some(_)) => true,
                (first, second) => first == Some("cargo") && second == Some("run"),
            }
        };
        let spans = self.spans().into_iter().filter(of_a_command);
        steps.extend(spans.map(|command| Step { command, output: None }));
        steps
    }
}

/// Whether a command stands in [`NOT_RUN`].
fn is_left_out(command: &str) -> bool {
    NOT_RUN.iter().any(|(beginning, _)| command.starts_with(beginning))
}

/// A command as the shell of the test gets it.
fn as_run(Step { command, output }: &Step) -> String {
    let mut command = command.replace("cargo run --release -- ", "yose ");
    let words: Vec<&str> = command.split(' ').collect();
    // The name of a subcommand, which may lack arguments that it needs.
    let is_word = |word: &&str| word.bytes().all(|byte| byte.is_ascii_lowercase());
    if words[0] == "yose" && words.iter().all(is_word) {
        command += " --help";
    }
    // In a terminal it is the default.
    let last = command.rsplit("| ").next().expect("a last part");
    let has_a_table = last.starts_with("yose solve") || last.starts_with("yose verify");
    if output.is_some() && has_a_table && !last.contains("--format") {
        command += " --format table";
    }
    command
}

/// A folder with the `positions`, long lists cut short.
fn folder() -> Folder {
    let folder = Folder::new();
    fs::create_dir(folder.path("positions")).expect("a folder for positions");
    for entry in fs::read_dir(root().join("positions")).expect("the positions") {
        let path = entry.expect("an entry of a folder").path();
        let name = path.file_name().expect("a file").to_str().expect("a name").to_owned();
        let copy = folder.path("positions").join(&name);
        match SHORTENED.iter().find(|(list, _)| *list == name) {
            Some(&(_, lines)) => {
                let text = fs::read_to_string(&path).expect("a list");
                let text: String = text.split_inclusive('\n').take(lines).collect();
                fs::write(copy, text).expect("a shorter list");
            }
            None => drop(fs::copy(&path, copy).expect("a copy")),
        }
    }
    folder
}

/// Runs the commands of a document. The result lists what does not hold.
fn run(document: &Document) -> String {
    let folder = folder();
    let program = program();
    let path = format!("{}:{}", program.parent().expect("its folder").display(), env!("PATH"));
    let mut faults = String::new();
    for step in document.steps().iter().filter(|step| !is_left_out(&step.command)) {
        let command = as_run(step);
        let mut shell = Command::new("sh");
        shell.args(["-c", &command]).current_dir(folder.path("")).env("PATH", &path);
        let output = shell.output().expect("a shell");
        let printed = format!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        let holds = match &step.output {
            None => output.status.success(),
            Some(quoted) => agree(quoted, &printed.lines().collect::<Vec<_>>()),
        };
        if !holds {
            writeln!(faults, "{}: {command}\n{}\n{printed}", document.name, output.status)
                .expect("a text grows");
        }
    }
    faults
}

/// Whether quoted lines are those that were printed. A quoted `...` stands for any lines.
fn agree(quoted: &[String], printed: &[&str]) -> bool {
    match (quoted.split_first(), printed.split_first()) {
        (None, rest) => rest.is_none(),
        (Some((line, quoted)), printed_lines) if line == "..." => {
            agree(quoted, printed)
                || printed_lines
                    .is_some_and(|(_, rest)| agree(&[&["...".to_owned()], quoted].concat(), rest))
        }
        (Some(_), None) => false,
        (Some((line, quoted)), Some((other, printed))) => {
            same_words(line, other) && agree(quoted, printed)
        }
    }
}

/// Whether two lines have the same words. Numbers with decimals are times, and always the same.
fn same_words(quoted: &str, printed: &str) -> bool {
    let is_time = |word: &str| word.contains('.') && word.parse::<f64>().is_ok();
    let words = |line: &str| {
        let words = line.split([' ', ',']).filter(|word| !word.is_empty());
        words.map(|word| if is_time(word) { "TIME" } else { word }.to_owned()).collect::<Vec<_>>()
    };
    words(quoted) == words(printed)
}

#[test]
#[cfg(unix)]
fn every_command_works_and_prints_what_is_quoted() {
    let documents = documents();
    let faults: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            documents.iter().map(|document| scope.spawn(move || run(document))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    assert!(faults.concat().is_empty(), "{}", faults.concat());
    let steps: Vec<Step> = documents.iter().flat_map(Document::steps).collect();
    let run = steps.iter().filter(|step| !is_left_out(&step.command)).count();
    assert!(run >= 40, "{run} commands: are the code blocks still marked `sh` and `console`?");
    for (beginning, why) in NOT_RUN {
        let found = steps.iter().any(|step| step.command.starts_with(beginning));
        assert!(found, "no document has `{beginning}`, which is not run: {why}");
    }
}

#[test]
fn the_readme_is_short_and_begins_with_two_commands() {
    let readme = Document::read(&root().join("README.md"));
    assert!(readme.text.lines().count() <= 120);
    let steps = readme.steps();
    let commands: Vec<&str> = steps.iter().map(|step| step.command.as_str()).collect();
    let first = ["cargo run --release -- solve positions/ffo-20-39.obf", "cargo test"];
    assert!(commands.starts_with(&first), "{commands:?}");
}

/// The anchor of a heading, as GitHub and mdBook make it.
fn anchor(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || [' ', '-', '_'].contains(c);
    heading.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")
}

#[test]
fn links_and_files_exist() {
    let mut faults = String::new();
    for document in documents() {
        let here = root().join(&document.name);
        let prose = document.prose();
        let links = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.starts_with("http")) {
            let (file, part) = link.split_once('#').map_or((link, None), |(f, p)| (f, Some(p)));
            let path = if file.is_empty() {
                here.clone()
            } else {
                here.with_file_name("x").parent().expect("a folder").join(file)
            };
            let has_part = |part: &str| {
                let text = fs::read_to_string(&path).unwrap_or_default();
                text.lines()
                    .filter_map(|line| line.strip_prefix('#'))
                    .any(|line| anchor(line.trim_start_matches('#').trim()) == part)
            };
            if !path.exists() || !part.is_none_or(has_part) {
                writeln!(faults, "{}: the link {link}", document.name).expect("a text grows");
            }
        }
        const FOLDERS: [&str; 9] = [
            "src/",
            "tests/",
            "benches/",
            "docs/",
            "examples/",
            "fuzz/",
            "positions/",
            "scripts/",
            ".ci/",
        ];
        for span in document.spans() {
            let is_path = FOLDERS.iter().any(|folder| span.starts_with(folder))
                && !span.contains([' ', '*', ':', '{', '<']);
            // The history of experiments may name files of older revisions.
            if is_path && !document.name.contains("experiments/") && !root().join(&span).exists() {
                writeln!(faults, "{}: the file {span}", document.name).expect("a text grows");
            }
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

#[test]
fn every_chapter_is_in_the_summary() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).expect("the summary");
    for document in documents() {
        if let Some(name) = document.name.strip_prefix("docs/")
            && name != "SUMMARY.md"
        {
            assert!(summary.contains(&format!("({name})")), "{name}");
        }
    }
}

/// The help texts of all commands have the options that documents mention.
#[test]
fn every_option_exists() {
    let help = |words: &[&str]| {
        let output = Command::new(program()).args(words).arg("--help").output();
        String::from_utf8(output.expect("the program runs").stdout).expect("a text")
    };
    let commands = |text: &str| -> Vec<String> {
        let lines = text.lines().skip_while(|line| *line != "Commands:").skip(1);
        let lines = lines.take_while(|line| !line.is_empty());
        let words = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
        words.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
    };
    let mut known = help(&[]);
    for command in commands(&known) {
        let text = help(&[&command]);
        for part in commands(&text).iter().filter(|_| command != "help") {
            known += &help(&[&command, part]);
        }
        known += &text;
    }
    let letters = |c: char| c.is_ascii_lowercase() || c == '-';
    let options = |text: &str| -> BTreeSet<String> {
        let words = text.split(|c| !letters(c));
        words.filter(|word| word.starts_with("--") && word.len() > 3).map(str::to_owned).collect()
    };
    let known = options(&known);
    // Of builds with features, and of other programs.
    let others = ["--stats", "--release", "--features", "--ignored", "--nocapture", "--test"];
    let mut faults = String::new();
    for document in documents() {
        for span in document.spans().iter().filter(|span| span.starts_with("--")) {
            for option in options(span.split(' ').next().expect("a word")) {
                if !known.contains(&option) && !others.contains(&option.as_str()) {
                    writeln!(faults, "{}: {option}", document.name).expect("a text grows");
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

/// The reference names every column and key, in their order.
#[test]
fn the_reference_has_every_column() {
    let reference = Document::read(&root().join("docs/output.md"));
    let verdicts = Document::read(&root().join("docs/verifying.md"));
    for (document, columns) in [
        (reference, &yose::records::output::COLUMNS[..]),
        (verdicts, &yose::verify::output::COLUMNS[..]),
    ] {
        let rows = document.text.lines().filter(|line| line.starts_with("| `"));
        let named: Vec<String> = rows
            .flat_map(|row| {
                let cell = row.split('|').nth(1).expect("a first cell").to_owned();
                cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()
            })
            .collect();
        let mut rest = named.iter();
        for column in columns {
            assert!(rest.any(|name| name == column), "{}: {column} in {named:?}", document.name);
        }
    }
}

/// The programs that documents show are examples, which `cargo test` compiles.
#[test]
fn every_program_is_an_example() {
    let examples: Vec<String> = fs::read_dir(root().join("examples"))
        .expect("the examples")
        .map(|entry| fs::read_to_string(entry.expect("an entry of a folder").path()))
        .collect::<Result<_, _>>()
        .expect("an example");
    for document in documents() {
        for (language, lines) in document.blocks() {
            let program = lines.join("\n");
            let is_known = examples.iter().any(|example| example.contains(&program));
            assert!(language != "rust" || is_known, "{}: {program}", document.name);
        }
    }
}
