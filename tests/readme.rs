//! What the README tells to type works, and what it shows is so.

mod common;

use std::path::Path;
use std::process::Command;

use common::Folder;
use yose::records::{Entry, Item, Problem, ReadOptions, Reader, Source};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn readme() -> String {
    std::fs::read_to_string(root().join("README.md")).expect("the README")
}

/// The lines of all code blocks of this language.
fn code<'a>(text: &'a str, language: &str) -> Vec<&'a str> {
    let blocks =
        text.split("```").skip(1).step_by(2).filter_map(|block| block.strip_prefix(language));
    blocks.flat_map(str::lines).filter(|line| !line.is_empty()).collect()
}

/// Runs each command with `yose` on the path, in a folder that has the `positions` and nothing else.
#[test]
#[cfg(unix)]
fn every_command_works() {
    let text = readme();
    let folder = Folder::new();
    std::os::unix::fs::symlink(root().join("positions"), folder.path("positions"))
        .expect("a link to the positions");
    let program = assert_cmd::cargo::cargo_bin!("yose");
    let path = format!("{}:{}", program.parent().expect("its folder").display(), env!("PATH"));
    let mut count = 0;
    // What cargo does is for `.ci/run` to try.
    for line in code(&text, "sh").into_iter().filter(|line| !line.starts_with("cargo ")) {
        let mut command = Command::new("sh");
        let output = command
            .args(["-c", line])
            .current_dir(folder.path(""))
            .env("PATH", &path)
            .output()
            .expect("a shell");
        assert!(output.status.success(), "{line}: {output:#?}");
        count += 1;
    }
    assert!(count >= 8, "{count} commands: are the code blocks still marked `sh`?");
}

#[test]
fn the_first_two_commands_are_these() {
    let text = readme();
    let commands = code(&text, "sh");
    assert_eq!(
        commands[..2],
        ["cargo run --release -- solve positions/ffo-20-39.obf", "cargo test"]
    );
}

/// Nodes and seconds change with the search; positions, empties and scores do not.
#[test]
fn the_table_that_it_shows_has_the_right_scores() {
    let text = readme();
    let name = "positions/ffo-20-39.obf";
    let problems: Vec<(String, Problem)> =
        Reader::new(vec![Source::File(root().join(name))], ReadOptions::default())
            .map(|item| match item {
                Item::Entry(Entry { id, problem: Ok(problem), .. }) => (id, problem),
                other => panic!("{other:?}"),
            })
            .collect();
    let rows: Vec<&str> =
        code(&text, "text").into_iter().filter(|line| line.starts_with(name)).collect();
    assert!(rows.len() >= 3, "{rows:?}");
    for row in rows {
        let words: Vec<&str> = row.split_ascii_whitespace().collect();
        let (_, problem) = problems
            .iter()
            .find(|(id, _)| id.ends_with(words[0]))
            .unwrap_or_else(|| panic!("{row}"));
        assert_eq!(words[1], problem.diagram.position.empties().count().to_string(), "{row}");
        let best = problem.claimed_score().expect("a claim");
        assert_eq!(words[2], best.to_string(), "{row}");
    }
}
