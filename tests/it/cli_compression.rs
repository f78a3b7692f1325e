//! Compressed files: read by every command, written where the name asks for it.

use std::fs;
use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

use super::common::{Folder, column, random_list};

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).expect("memory");
    encoder.finish().expect("memory")
}

fn gunzip(bytes: &[u8]) -> String {
    let mut text = String::new();
    MultiGzDecoder::new(bytes).read_to_string(&mut text).expect("gzip");
    text
}

/// A short list.
fn list() -> String {
    random_list(30, 4..=8, 9).join("\n") + "\n"
}

/// The columns that do not depend on time.
fn scores(csv: &str) -> [Vec<String>; 3] {
    ["position", "score", "nodes"].map(|name| column(csv, name))
}

#[test]
fn a_compressed_list_is_read_as_the_list() {
    let folder = Folder::new().with("list", list()).with("list.gz", gzip(&list()));
    let plain = folder.run(&["solve", "list", "--format", "csv", "--deterministic"]);
    // The name does not matter, nor does a file or standard input.
    let parts = [gzip(&list()[..670]), gzip(&list()[670..])].concat();
    fs::write(folder.path("parts"), &parts).expect("it can be written");
    for file in ["list.gz", "parts"] {
        let read = folder.run(&["solve", file, "--format", "csv", "--deterministic"]);
        assert_eq!(scores(&read.out), scores(&plain.out), "{file}");
        assert_eq!((read.err.as_str(), read.status), ("", 0));
    }
    let read = folder.run_on(&["solve", "--format", "csv", "--deterministic"], parts);
    assert_eq!(scores(&read.out), scores(&plain.out));
    // The digest is that of the list.
    let digest = |file: &str| {
        let json = folder.run(&["solve", file, "--format", "jsonl"]).out;
        let run: serde_json::Value =
            serde_json::from_str(json.lines().next().expect("the run")).expect("JSON");
        run["inputs"][0]["sha256"].as_str().expect("a digest").to_owned()
    };
    assert_eq!(digest("list"), digest("list.gz"));
}

#[test]
fn a_torn_file_is_reported_and_what_is_whole_is_solved() {
    let bytes = gzip(&random_list(3000, 2..=3, 9).join("\n"));
    let folder = Folder::new().with("list.gz", &bytes[..bytes.len() / 2]);
    let torn = folder.run(&["solve", "list.gz", "--format", "csv"]);
    assert_eq!(torn.status, 2, "{}", torn.err);
    assert!(torn.err.contains("reading failed"), "{}", torn.err);
    assert!(torn.out.lines().count() > 500, "{}", torn.out.lines().count());
    let planned = folder.run(&["plan", "list.gz", "-o", "p", "--nodes-per-second", "1e6"]);
    assert_eq!(planned.status, 2);
    assert!(planned.err.contains("so no plan is made") && !folder.path("p").exists());
}

#[test]
fn the_name_of_the_output_asks_for_compression() {
    let folder = Folder::new().with("list", list());
    let plain = folder.run(&["solve", "list", "--format", "csv", "--deterministic"]);
    for name in ["out.csv.gz", "out.csv.zst", "out.jsonl.gz", "out.jsonl.zst"] {
        let written =
            folder.run(&["solve", "list", "-o", name, "--deterministic", "--progress", "none"]);
        assert_eq!((written.err.as_str(), written.status), ("", 0), "{name}");
        let bytes = fs::read(folder.path(name)).expect("the output");
        let magic: &[u8] =
            if name.ends_with("gz") { &[0x1f, 0x8b] } else { &[0x28, 0xb5, 0x2f, 0xfd] };
        assert!(bytes.starts_with(magic), "{name}");
        // It is a list again, with its claims.
        let verified = folder.run(&["verify", name, "-o", &format!("{name}.verdicts.csv.gz")]);
        assert_eq!(verified.status, 0, "{verified:#?}");
        let again = folder.run(&["solve", name, "--format", "csv", "--deterministic"]);
        assert_eq!(scores(&again.out), scores(&plain.out), "{name}");
    }
    let text = gunzip(&fs::read(folder.path("out.csv.gz")).expect("the output"));
    assert_eq!(scores(&text), scores(&plain.out));
    let json = gunzip(&fs::read(folder.path("out.jsonl.gz")).expect("the output"));
    assert_eq!(json.lines().count(), 32);
    let again = folder.run(&["solve", "list", "-o", "out.csv.gz"]);
    assert_eq!(again.status, 2);
    assert!(again.err.contains("exists already"), "{again:#?}");
    let resumed = folder.run(&["solve", "list", "-o", "new.csv.gz", "--resume"]);
    assert_eq!(resumed.status, 2);
    assert!(resumed.err.contains("--resume cannot continue a compressed file"), "{resumed:#?}");
}

#[test]
fn merged_results_are_compressed_too() {
    let folder = Folder::new().with("list.gz", gzip(&list()));
    folder.run(&["plan", "list.gz", "-o", "p", "--nodes-per-second", "1e6"]);
    assert_eq!(folder.run(&["task", "p", "--number", "1", "--progress", "none"]).status, 0);
    assert_eq!(folder.run(&["merge", "p", "-o", "merged.csv.gz"]).status, 0);
    let text = gunzip(&fs::read(folder.path("merged.csv.gz")).expect("the output"));
    assert_eq!(column(&text, "status"), vec!["exact"; 30]);
    folder.run(&["solve", "list.gz", "-o", "one.csv", "--progress", "none"]);
    folder.run(&["merge", "one.csv", "-o", "again.csv.zst"]);
    let again = folder.run(&["verify", "again.csv.zst", "-o", "verdicts.csv"]);
    assert_eq!(again.status, 0, "{again:#?}");
}

#[test]
fn pages_and_reviews_read_compressed_results() {
    let game = "f5d6c3d3c4f4f6g5e3f3g4h3e6g3g6f7h4h5c7d2e2c2d1c1e1f1f2e7e8c6d7c8f8d8b8c5b6b4b5g1a3b3\
                a2a4a5b2g2h1h2a7a6a1b1b7a8g7h8g8h6h7";
    let folder = Folder::new().with("list", list()).with("game.txt", game);
    folder.run(&["solve", "list", "--deterministic", "-o", "a.jsonl"]);
    folder.run(&["solve", "list", "--deterministic", "-o", "a.jsonl.zst"]);
    let page = |name: &str| folder.run(&["report", name, "--format", "md"]);
    let (plain, packed) = (page("a.jsonl"), page("a.jsonl.zst"));
    assert_eq!(packed.status, 0, "{packed:?}");
    let nodes =
        |page: &str| page.lines().find(|line| line.starts_with("| Nodes |")).map(str::to_owned);
    assert!(nodes(&plain.out).is_some() && nodes(&plain.out) == nodes(&packed.out));
    let review = ["review", "game.txt", "--from", "6", "-t", "1", "-o", "r.jsonl.gz"];
    assert_eq!(folder.run(&review).status, 0);
    let again = folder.run(&[&review[..], &["--resume"]].concat());
    assert_eq!(again.status, 0, "{again:?}");
    let page = folder.run(&["report", "r.jsonl.gz", "-o", "r.html"]);
    assert_eq!(page.status, 0, "{page:?}");
}

#[test]
fn compressed_shards_are_joined() {
    let folder = Folder::new().with("list", list());
    let solve = ["solve", "list", "--deterministic", "--progress", "none", "-o"];
    folder.run(&[&solve[..], &["whole.jsonl"]].concat());
    for (shard, name) in [("1/3", "1.jsonl.gz"), ("2/3", "2.jsonl.zst"), ("3/3", "3.jsonl")] {
        assert_eq!(folder.run(&[&solve[..], &[name, "--shard", shard]].concat()).status, 0);
    }
    let shards = ["merge", "3.jsonl", "1.jsonl.gz", "2.jsonl.zst", "--input", "list", "-o"];
    let joined = folder.run(&[&shards[..], &["joined.jsonl"]].concat());
    assert_eq!((joined.err.as_str(), joined.status), ("yose: 30 results from 3 files\n", 0));
    let scores = |name: &str| {
        let text = folder.read(name);
        let lines = text.lines().filter_map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
            line.get("id").map(|id| (id.clone(), line["score"].clone(), line["nodes"].clone()))
        });
        lines.collect::<Vec<_>>()
    };
    assert_eq!(scores("joined.jsonl"), scores("whole.jsonl"));
    // A torn one is an error: its records cannot be told from a whole file's.
    let bytes = fs::read(folder.path("1.jsonl.gz")).expect("the shard");
    fs::write(folder.path("torn.gz"), &bytes[..bytes.len() / 2]).expect("a file");
    let torn = folder.run(&["merge", "torn.gz", "-o", "torn.jsonl"]);
    assert_eq!(torn.status, 2, "{torn:?}");
    assert!(torn.err.starts_with("yose: torn.gz:") && !folder.path("torn.jsonl").exists());
}
