//! `yose report`: pages of all kinds of results. `scripts/report-browser-test.py` opens them in a
//! browser.

use crate::cli_review::ggf;
use crate::common::{Folder, random_list};

/// Names that a page must show as text.
const HOSTILE: &str = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>\u{202e}abc";

/// A list, and its results in a folder.
fn folder() -> Folder {
    let list = random_list(30, 4..=9, 7).join("\n");
    let folder = Folder::new()
        .with("list.txt", list + "\nwrong\n")
        .with(
            "claims.obf",
            "----OX----OOXX---OOOXX-XOOXXOOOOOXXOXXOOOXXXOOOOOXXXXOXO--OOOOOX X; d1:+4;\n",
        )
        .with("games.ggf", ggf("Ann", HOSTILE.replace([']', '['], "").as_str()));
    for (format, name) in [("csv", "a.csv"), ("jsonl", "b.jsonl")] {
        folder.run(&["solve", "list.txt", "--format", format, "-o", name]);
    }
    folder
}

fn page(folder: &Folder, files: &[&str]) -> String {
    let mut arguments = vec!["report"];
    arguments.extend(files);
    arguments.extend(["--format", "html"]);
    let ran = folder.run(&arguments);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_eq!(ran.out.matches("<html").count(), 1);
    // It loads nothing.
    for part in ["<link", "src=\"", "url(", "@import", "href=\"http"] {
        assert!(!ran.out.contains(part), "{part}");
    }
    ran.out
}

#[test]
fn a_run_has_plots_boards_and_a_table() {
    let folder = folder();
    for file in ["a.csv", "b.jsonl"] {
        let page = page(&folder, &[file]);
        assert_eq!(page.matches("<figure class=\"plot\">").count(), 4);
        // Eight slow positions, and the board of the row.
        assert_eq!(page.matches("<svg class=\"board\"").count(), 9);
        assert_eq!(page.matches("<tr data-p=").count(), 30);
        assert!(page.contains("Invalid lines"), "{file}");
        assert!(page.contains("30 exact, 1 invalid"), "{file}");
    }
}

#[test]
fn two_runs_are_compared() {
    let folder = folder();
    let both = page(&folder, &["a.csv", "b.jsonl"]);
    assert!(both.contains("Scores that differ</dt><dd><span><bdi>0<"), "{both}");
    assert_eq!(both.matches("<figure class=\"plot\">").count(), 10);
    let text = folder.run(&["report", "a.csv", "b.jsonl", "--format", "md"]).out;
    assert!(text.starts_with("## b.jsonl against a.csv\n\n|  |  |\n|---|---|\n"), "{text}");
    assert!(text.contains("| scores that differ | 0 |"), "{text}");
    let changed = folder.read("a.csv").replacen(",exact,", ",exact,+", 1);
    let score = changed.split(",exact,+").nth(1).expect("a score");
    let score = score.split(',').next().expect("a score");
    let wrong: i32 = score.parse::<i32>().expect("a number") + 2;
    let lines = changed.replacen(&format!(",exact,+{score},"), &format!(",exact,{wrong},"), 1);
    let folder = folder.with("wrong.csv", lines);
    let differing = page(&folder, &["b.jsonl", "wrong.csv"]);
    assert!(differing.contains("The runs disagree"), "{score}");
}

#[test]
fn refuted_claims_and_games_can_be_stepped_through() {
    let folder = folder();
    let verify = folder.run(&["verify", "claims.obf", "-o", "claims.jsonl"]);
    assert_eq!(verify.status, 1, "{}", verify.err);
    folder.run(&["verify", "claims.obf", "-o", "claims.csv"]);
    for file in ["claims.jsonl", "claims.csv"] {
        let page = page(&folder, &[file]);
        assert_eq!(page.matches("class=\"stepper\"").count(), 1, "{file}");
        assert!(page.contains("d1 +4"), "{file}");
        assert!(page.contains("<dt>Refuted</dt><dd><span class=\"bad\"><bdi>1<"), "{file}");
    }
    let reviewed =
        folder.run(&["review", "games.ggf", "--from", "10", "-o", "games.jsonl", "--hash", "1MiB"]);
    assert_eq!(reviewed.status, 0, "{}", reviewed.err);
    let page = page(&folder, &["games.jsonl"]);
    assert_eq!(page.matches("class=\"stepper\"").count(), 1);
    assert_eq!(page.matches("<tr data-step=").count(), 10);
    assert!(page.contains("a turning point"));
    // Each of the costliest mistakes has a board, and a link to its position.
    let mistakes = page.matches(" discs lost</span>").count();
    assert!((1..=8).contains(&mistakes), "{mistakes}");
    assert_eq!(page.matches("<a href=\"#s1-1\" data-step=").count(), mistakes);
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(!page.contains("<script>alert"));
}

#[test]
fn a_bench_is_a_run() {
    let folder = folder();
    let bench = folder.run(&["bench", "ffo-1-19", "--threads", "1,2", "--json"]);
    let folder = folder.with("bench.json", bench.out);
    let page = page(&folder, &["bench.json"]);
    assert!(
        page.contains(
            "<h2><bdi>bench.json, 2 threads</bdi> against <bdi>bench.json, 1 thread</bdi>"
        ),
        "{}",
        &page[..3000]
    );
}

#[test]
fn hostile_names_are_texts_and_cut() {
    let record = |id: &str| {
        let board = crate::common::PLAIN;
        serde_json::json!({
            "type": "position", "id": id, "position": board, "empties": 6, "status": "exact",
            "score": 6, "lower": 6, "upper": 6, "pv": "h5", "nodes": 30, "seconds": 0.1,
        })
        .to_string()
    };
    let ids = [HOSTILE.to_owned(), "x".repeat(10_000), "</td></table>".to_owned()];
    let lines: Vec<String> = ids.iter().map(|id| record(id)).collect();
    let folder = Folder::new().with("ids.jsonl", lines.join("\n") + "\n");
    let page = page(&folder, &["ids.jsonl"]);
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(!page.contains("<img") && !page.contains("<script>alert"));
    assert!(!page.contains('\u{202e}'), "the mark would turn the words behind the name");
    assert!(page.contains("<bdi>xxxx") && !page.contains(&"x".repeat(200)));
    assert!(page.contains("&lt;/td&gt;"));
    let md = folder.run(&["report", "ids.jsonl", "ids.jsonl", "--format", "md"]).out;
    assert!(!md.contains('\u{202e}') && !md.contains("<script"), "{md}");
}

#[test]
fn long_lists_are_sampled() {
    let lines: Vec<String> = random_list(10_000, 10..=20, 3)
        .into_iter()
        .enumerate()
        .map(|(n, board)| {
            let moves = "a1 b2 c3 d4 e5 f6 g7 h8";
            format!("/home/user/lists/long-name-of-a-list.obf:{n},{board},15,exact,2,2,2,a1,{moves},{},0.123456,win", 1000 + n)
        })
        .collect();
    let header = "id,position,empties,status,score,lower,upper,best_move,pv,nodes,seconds,wld";
    let folder = Folder::new().with("long.csv", format!("{header}\n{}\n", lines.join("\n")));
    let page = page(&folder, &["long.csv"]);
    assert!(page.len() < yose::report::LARGEST, "{}", page.len());
    assert!(page.contains("of 10,000 positions are listed: a sample"));
}

#[test]
fn other_files_are_refused() {
    let folder = Folder::new()
        .with("list.txt", "no results\n")
        .with("empty", "")
        .with("bad.jsonl", "{\"type\":\"run\",\"schema\":1}\n{\"type\":\"position\"}\n")
        .with("latin", b"\xff\xfe\n");
    for (file, part) in [
        ("list.txt", "list.txt: is no result of solve"),
        ("empty", "empty: is no result of"),
        ("bad.jsonl", "bad.jsonl:2: is no record of a position"),
        ("latin", "latin: cannot be read"),
        ("none", "none: cannot be read"),
    ] {
        let ran = folder.run(&["report", file]);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""));
        assert!(ran.err.contains(part), "{}", ran.err);
    }
    assert_eq!(folder.run(&["report"]).status, 2);
}
