//! Tests of the reader with whole files.

use std::io::Write as _;

use proptest::prelude::*;
use sha2::{Digest, Sha256};

use super::*;
use crate::digest::hex;
use crate::othello::Colour;
use crate::othello::Move;
use crate::records::game::samples;
use crate::records::wthor::samples as database;
use crate::records::{Entry, FileError, Format, Selection, Span, wthor};

const START: &str = "---------------------------OX------XO--------------------------- X";

/// The error for an input with content and without positions.
const NO_POSITIONS: &str = "no position was found in the input, although it is not empty";

/// The items of a file of these bytes as texts, and the digest of the file.
fn read(bytes: &[u8], reading: ReadOptions) -> (Vec<String>, Option<String>) {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("it can be written");
    let name = file.path().to_string_lossy().into_owned();
    let mut reader = Reader::new(vec![Source::File(file.path().to_owned())], reading);
    let words = reader.by_ref().map(|item| {
        let words = match item {
            Item::Entry(Entry { id, problem: Ok(problem), .. }) => {
                format!("{id} {}", problem.claims.len())
            }
            Item::Entry(Entry { problem: Err(error), .. }) => error.to_string(),
            Item::Empty(empty) => empty.to_string(),
            Item::MissingPositions(short) => short.to_string(),
            Item::Failure(error) => error.to_string(),
        };
        words.replace(&name, "F")
    });
    (words.collect(), reader.inputs()[0].sha256.clone())
}

#[test]
fn every_leniency() {
    let text = format!("\u{feff}% head\r\n\r\n{START}\r\n  \n{START}; d3:+0; % é\n{START}");
    assert_eq!(read(text.as_bytes(), ReadOptions::default()).0, ["F:3 0", "F:5 1", "F:6 0"]);
    let latin = [START.as_bytes(), b" % caf\xe9\n"].concat();
    assert_eq!(read(&latin, ReadOptions::default()).0, ["F:1 0"]);
    let side = ReadOptions { side: Some(Colour::White), ..ReadOptions::default() };
    assert_eq!(read(&START.as_bytes()[..64], side).0, ["F:1 0"]);
}

#[test]
fn a_bad_line_costs_one_line_and_is_placed_in_characters() {
    let text = format!("\u{feff}é{START}\n{START}\n{}\n", START.replacen('O', "?", 1));
    let (found, _) = read(text.as_bytes(), ReadOptions::default());
    assert!(found[0].starts_with("F:1:1: 'é' is not a square"), "{}", found[0]);
    assert_eq!(found[1], "F:2 0");
    assert!(
        found[2].starts_with("F:3:28: '?' is not a square (square 28 of 64); "),
        "{}",
        found[2]
    );
    let long = format!("{}\n{START}", "-".repeat(100_000));
    let (found, _) = read(long.as_bytes(), ReadOptions::default());
    assert_eq!(
        found,
        [
            "F:1:1: the line is longer than 65536 bytes; each position has a line of its own",
            "F:2 0"
        ]
    );
}

#[test]
fn a_forced_format_is_kept_to() {
    let text = format!("{START}; d3:+0;\n{}", &START[..64]);
    let plain = ReadOptions {
        format: Some(Format::Plain),
        side: Some(Colour::Black),
        ..ReadOptions::default()
    };
    let (found, _) = read(text.as_bytes(), plain);
    assert!(found[0].contains("read the file as OBF") && found[1] == "F:2 0", "{found:?}");
    let (found, _) = read(text.as_bytes(), ReadOptions { format: Some(Format::Obf), ..plain });
    assert!(found[0] == "F:1 1" && found[1].contains("X or O stands after"), "{found:?}");
}

#[test]
fn line_ends_of_every_kind_give_the_same_entries_with_the_same_line_numbers() {
    let csv = format!("id,position\na,{START}\nb,wrong\n");
    let jsonl = format!("{{\"type\":\"run\"}}\n{{\"position\":\"{START}\"}}\n");
    let solved = format!("obf,score_lowerbound,score_upperbound\n{START};,0,0\n");
    let ggf = "(;B[f5]\nW[d6];)\n2 (;B[f5];)(;B[f5]\nW[a1];)\n";
    let lists = format!("% a list\n{START}\n\n{START}; d3:+0;\nf5d6\nf5a1\nwrong\n");
    for text in [&csv, &jsonl, &solved, ggf, &lists] {
        let expected = read(text.as_bytes(), ReadOptions::default()).0;
        assert!(expected.len() > 1 || text.starts_with(['{', 'o']), "{expected:?}");
        let mut ends = ["\r\n", "\n", "\r"].into_iter().cycle();
        let mixed: String = text
            .split_inclusive('\n')
            .map(|line| line.replace('\n', ends.next().expect("a cycle")))
            .collect();
        for other in [text.replace('\n', "\r"), text.replace('\n', "\r\n"), mixed] {
            assert_eq!(read(other.as_bytes(), ReadOptions::default()).0, expected, "{other:?}");
        }
    }
}

#[test]
fn content_without_positions_is_an_error() {
    let found = |text: &str| read(text.as_bytes(), ReadOptions::default()).0;
    let none = "F: holds no positions";
    for (text, what) in [
        ("id,position\n", "; its only line is a header or describes a run"),
        (
            "{\"type\":\"run\"}\n{\"type\":\"summary\"}\n",
            "; its 2 lines are headers or describe a run",
        ),
    ] {
        assert_eq!(found(text), [&format!("{none}{what}"), NO_POSITIONS], "{text}");
    }
    for text in ["", "\u{feff}", "\r\r\n\n% a comment\r"] {
        assert_eq!(found(text), [none], "{text:?}");
    }
    let missing = "F: 1 of 1 game has no position with 9 empties";
    let (found, _) = read(b"f5d6\n", selecting(None, Some(Span::of(9))));
    assert_eq!(found, [missing, NO_POSITIONS]);
}

fn selecting(games: Option<Span>, empties: Option<Span>) -> ReadOptions {
    ReadOptions { selection: Selection { games, empties }, ..ReadOptions::default() }
}

/// A database of games that end early or late, with the theoretical scores at this number of
/// empties.
fn database(lengths: &[usize], empties: u8) -> Vec<u8> {
    let mut bytes = database::header(lengths.len() as u32, empties).to_vec();
    for &length in lengths {
        let moves: Vec<Move> =
            samples::random(&[3; 64]).into_iter().filter(|&mv| mv != Move::Pass).collect();
        bytes.extend(database::record(&moves[..length], 32, 33));
    }
    bytes
}

#[test]
fn formats_may_be_mixed_in_a_file() {
    let text = format!(
        "{START}\n{START}; d3:+0;\nf5d6 % a game\n2 (;B[f5];)(;B[f5]\nW[d6];)\n\
         id,position,score\na%b,{START},2\n{{\"position\":\"{START}\",\"lower\":0}}\nf5\n\
         obf,score_lowerbound,score_upperbound\n{START};,0,0\n% the end\n"
    );
    let expected =
        ["F:1 0", "F:2 1", "F:3 0", "F#2 0", "F#3 0", "a%b 1", "F:8 1", "F:9 0", "F:11 1"];
    assert_eq!(read(text.as_bytes(), ReadOptions::default()).0, expected);
}

#[test]
fn each_format_can_be_forced() {
    let first = |text: &str, format| {
        let (found, _) =
            read(text.as_bytes(), ReadOptions { format: Some(format), ..ReadOptions::default() });
        found[0].clone()
    };
    for (format, text, good) in [
        (Format::Obf, START.to_owned(), "F:1 0"),
        (Format::Plain, START.to_owned(), "F:1 0"),
        (
            Format::Transcript,
            "pass".to_owned(),
            "F:1:1: move 1: X cannot pass; the legal moves are d3 c4 f5 e6",
        ),
        (
            Format::Ggf,
            "f5".to_owned(),
            "F:1:1: something stands between games; a game is `(;...;)`",
        ),
        (Format::Csv, format!("position\n{START}"), "F:2 0"),
        (Format::Solved, format!("obf\n{START};"), "F:2 0"),
        (Format::JsonLines, format!("[{START}]"), "F:1:3: invalid number; "),
    ] {
        assert!(first(&text, format).starts_with(good), "{format:?}: {}", first(&text, format));
    }
    let head =
        "the head of the file is missing, so all of it is skipped; its first line names a column";
    assert_eq!(first("% a list\nobf\n", Format::Csv), format!("F:2: {head} `position`"));
    assert_eq!(first("position\n", Format::Solved), format!("F:1: {head} `obf`"));
    assert!(first(START, Format::Wthor).starts_with("F: is no WTHOR database; "));
    assert!(first("", Format::Wthor).starts_with("F: is no WTHOR database; "));
}

#[test]
fn positions_of_games_are_selected_and_named() {
    let text = "f5d6c3\n(;B[f5];)\nf5d6\nf5d6c3d3\n";
    let found = |reading| read(text.as_bytes(), reading).0;
    let span = |first, last| Some(Span { first, last });
    assert_eq!(found(ReadOptions::default()), ["F:1 0", "F#2 0", "F:3 0", "F:4 0"]);
    let short = "F: 2 of 4 games have no position with 57 empties";
    assert_eq!(found(selecting(None, span(57, 57))), ["F:1 0", "F:4 0", short]);
    assert_eq!(found(selecting(span(2, 3), span(58, 59))), ["F#2@59 0", "F:3@59 0", "F:3@58 0"]);
    let none = ["F: holds no positions; none of its 4 games is selected", NO_POSITIONS];
    assert_eq!(found(selecting(span(9, 9), None)), none);
    // What is wrong costs its game, whichever positions are wanted; games that are not wanted are
    // not complained of.
    let bad = b"f5a1\n(;B[a1];)\n";
    let (found, _) = read(bad, selecting(None, span(59, 59)));
    assert!(
        found[0].starts_with("F:1:3: move 2: ") && found[1].starts_with("F:2:5: move 1: "),
        "{found:?}"
    );
    assert_eq!(read(bad, selecting(span(2, 2), None)).0.len(), 1);
}

#[test]
fn a_database_is_known_by_its_header() {
    let bytes = database(&[40, 36, 20], 24);
    let (found, digest) = read(&bytes, ReadOptions::default());
    assert_eq!(found, ["F#1 1", "F#2 1", "F: 1 of 3 games has no position with 24 empties"]);
    assert_eq!(digest, Some(hex(&Sha256::digest(&bytes))));
    let (found, _) = read(&bytes, selecting(Some(Span::of(1)), Some(Span { first: 23, last: 25 })));
    assert_eq!(found, ["F#1@25 0", "F#1@24 1", "F#1@23 0"]);
    let forced = ReadOptions { format: Some(Format::Wthor), ..ReadOptions::default() };
    assert_eq!(read(&bytes, forced).0.len(), 3);
    let text = ReadOptions { format: Some(Format::Plain), ..ReadOptions::default() };
    assert!(read(&bytes, text).0[0].starts_with("F:1: not a text file"));
    let none = ["F: holds no positions; its header counts no games", NO_POSITIONS];
    assert_eq!(read(&database(&[], 24), ReadOptions::default()).0, none);
}

#[test]
fn a_damaged_database_is_told() {
    let good = database(&[40, 40], 24);
    let (found, digest) = read(&good[..good.len() - 1], ReadOptions::default());
    let cut = "F#2: the file ends within this game, though the header counts 2; get the whole file";
    assert_eq!(found, ["F#1 1", cut]);
    assert_eq!(digest, None);
    let (found, digest) = read(&[&good[..], b"more"].concat(), ReadOptions::default());
    let more =
        "F: the file goes on after the 2 games that its header counts; the rest of it is skipped";
    assert_eq!((found[2].as_str(), digest), (more, None));
    let edited = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        read(&bytes, ReadOptions::default()).0
    };
    assert_eq!(edited(12, 10), ["F: its games have a board of 10x10 squares; only 8x8 is read"]);
    let depth = "F: the header does not say which positions have the theoretical scores; \
                 select them by their number of empties";
    assert_eq!(edited(14, 0), [depth]);
    assert!(edited(2, 13)[0].starts_with("F:1: not a text file"));
    let found = edited(wthor::HEADER + wthor::RECORD + 8, 11);
    assert_eq!(found[1], "F#2:9: move 1: X cannot play a1; the legal moves are d3 c4 f5 e6");
}

#[test]
fn what_is_no_text_is_said_once() {
    for tail in [&b"\0\x01\n\n\nx\n"[..], b"\xff\xfe\n\n\nx\n"] {
        let (found, digest) =
            read(&[START.as_bytes(), b"\n", tail].concat(), ReadOptions::default());
        assert_eq!(found.len(), 2);
        assert_eq!(found[0], "F:1 0");
        assert!(found[1].starts_with("F:2: not a text file"), "{}", found[1]);
        assert_eq!(digest, None, "it was not read to its end");
    }
}

#[test]
fn the_digest_is_of_every_byte() {
    let (found, digest) = read(b"", ReadOptions::default());
    assert_eq!(found, ["F: holds no positions"]);
    assert_eq!(
        digest.as_deref(),
        Some("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    );
    let (found, digest) = read(b"% abc\r\n", ReadOptions::default());
    assert_eq!(found, ["F: holds no positions"]);
    assert_eq!(digest, Some(hex(&Sha256::digest(b"% abc\r\n"))));
}

#[test]
fn a_file_that_is_not_there_does_not_stop_the_others() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let good = folder.path().join("good");
    std::fs::write(&good, START).expect("it can be written");
    let sources = [folder.path().join("none"), folder.path().to_owned(), good].map(Source::File);
    let items: Vec<Item> = Reader::new(sources.to_vec(), ReadOptions::default()).collect();
    assert!(matches!(
        items[..],
        [
            Item::Failure(FileError::Open { .. }),
            Item::Failure(FileError::Directory { .. }),
            Item::Entry(_)
        ]
    ));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_line_gives_one_entry(lines: Vec<(u8, String)>) {
        // Good lines and others, none of them blank, a comment, or two lines in one.
        let lines = lines.into_iter().map(|(kind, text)| match kind % 3 {
            0 => START.to_owned(),
            1 => format!("{START}; {}", text.replace(['\n', '\r', '\0'], "?")),
            _ => format!("?{}", text.replace(['\n', '\r', '\0'], "?")),
        });
        let lines: Vec<String> = lines.collect();
        let (found, _) = read(lines.join("\n").as_bytes(), ReadOptions::default());
        let places: Vec<String> = (1..=lines.len()).map(|line| format!("F:{line}")).collect();
        prop_assert_eq!(found.len(), lines.len().max(1));
        for (words, place) in found.iter().zip(places) {
            prop_assert!(words.starts_with(&place), "{}", words);
        }
    }
}
