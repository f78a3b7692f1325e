use super::*;
use crate::othello::{Diagram, Position};
use crate::search::RecordedMove;

/// The start of the game, with four moves, and the position after the first of them, with three.
fn records() -> Vec<NodeRecord> {
    let start = Position::START;
    let next = start.play(start.moves().first().expect("a move")).expect("legal");
    let of = |position: Position, alpha: i8, margin| {
        let recorded = |(nodes, square)| RecordedMove {
            square,
            value: 1000 - 700 * nodes as i32,
            is_hash_move: nodes == 2,
            fails_high: nodes >= 2,
            nodes,
        };
        NodeRecord {
            node: RecordedNode {
                position,
                alpha,
                moves: (1..).zip(position.moves()).map(recorded).collect(),
            },
            margin,
        }
    };
    vec![of(start, -65, 0.5), of(next, 63, -60.1)]
}

fn text() -> String {
    let mut writer = Writer::new(Vec::new()).expect("a vector accepts all bytes");
    records().iter().for_each(|record| writer.write(record).expect("a vector accepts all bytes"));
    String::from_utf8(writer.finish().expect("a vector accepts all bytes")).expect("text")
}

#[test]
fn a_written_file_reads_back() {
    let text = text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 1 + 4 + 3);
    assert_eq!(lines[0], COLUMNS.join(","));
    let start = Diagram::START;
    assert_eq!(lines[2], format!("1,{start},60,-65,0.5,c4,-400,true,true,2"));
    let read: Vec<NodeRecord> = Reader::new(text.as_bytes(), "file")
        .expect("the names of the columns")
        .collect::<Result<_, _>>()
        .expect("valid lines");
    assert_eq!(read, records());
}

#[test]
fn malformed_lines_are_refused_with_their_number() {
    let text = text();
    let read = |text: &str| -> String {
        let first = |reader: Reader<&[u8]>| reader.collect::<Result<Vec<_>, _>>();
        Reader::new(text.as_bytes(), "file").and_then(first).expect_err(text).to_string()
    };
    for (line, old, new, message) in [
        (
            1,
            "node,board",
            "board,node",
            "this is no file of records; `yose train record` makes one",
        ),
        (2, "60,-65", "60,-66", "alpha: it must be from -65 to 63 discs"),
        (2, "60,-65", "59,-65", "empties: the board has 60"),
        (3, "c4", "c5", "move: c5 is not legal"),
        (3, "c4", "x9", "move: "),
        (3, "c4", "d3", "move: d3 of node 1 is at line 2 too"),
        (3, ",2", "", "9 columns instead of 10"),
        (3, "-400", "many", "value: "),
        (3, "true,2", "perhaps,2", "fails_high: "),
        (4, "0.5", "0.6", "node 1 has another board, alpha or margin at line 2"),
        (4, "0.5", "NaN", "margin: this is no number of discs"),
        (5, "OX-", "OX?", "board: "),
        (5, ",4", ",-4", "nodes: "),
        (5, ",4", ",0", "nodes: a move has at least one node"),
        (5, "1,---", "2,---", "node 1 ends here with 3 of its 4 moves"),
    ] {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let wrong = &mut lines[line - 1];
        let at = wrong.rfind(old).expect("the line has it");
        wrong.replace_range(at..at + old.len(), new);
        // The error of an incomplete node names its last line.
        let line = if message.contains("ends here") { line - 1 } else { line };
        let error = read(&lines.join("\n"));
        assert!(error.starts_with(&format!("file:{line}: {message}")), "{error}");
    }
    let incomplete = text.lines().take(7).collect::<Vec<_>>().join("\n");
    assert_eq!(read(&incomplete), "file:7: node 2 ends here with 2 of its 3 moves");
    assert!(read("").starts_with("file:1: this is no file of records"));
}

#[test]
fn a_margin_is_the_value_minus_alpha_in_discs() {
    let position = Position::START;
    let evaluation = Evaluation::embedded();
    let value = f64::from(evaluation.value(&Features::of(&position), 60)) / f64::from(UNIT);
    let margin = |alpha| {
        NodeRecord::new(RecordedNode { position, alpha, moves: Vec::new() }, &evaluation).margin
    };
    assert!((margin(-9) - (value + 9.0)).abs() <= 0.05 + 1e-9);
    assert!((margin(9) - (value - 9.0)).abs() <= 0.05 + 1e-9);
    assert_eq!(margin(9).to_string().split('.').nth(1).map_or(0, str::len), 1);
}
