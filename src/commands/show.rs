//! `yose show`: positions drawn as boards.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;

use yose::othello::{Diagram, Square};
use yose::records::{Entry, Item, Problem, Reader, Source};

use super::input::{ReadArgs, arguments, usage_error};
use super::{Exit, print, read_argument};

/// Draw positions, with their legal moves
///
/// The position is an argument: 64 squares as X, O and -, then the side to move; a whole line of
/// OBF; or a game, such as f5d6c3, of which the last position is drawn. Or the arguments are files
/// in any format that `yose solve` reads, of which all positions are drawn.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  yose show '---------------------------OX------XO--------------------------- X'
  yose show f5 d6 c3
  yose show --at-empties 20 WTH_2024.wtb

Exit status:
  0  done
  2  wrong usage, or a position or a file that cannot be read
  3  some lines of the files are invalid; all others are drawn")]
pub struct Args {
    /// A position or a game, or files; `-` is standard input
    ///
    /// Words of which one is no file are one position or game, as a shell may have split it at its
    /// blanks. All options stand before it.
    #[arg(value_name = "POSITION", allow_hyphen_values = true, trailing_var_arg = true)]
    position: Vec<String>,

    /// Draw this position or game too; can be given several times
    #[arg(short = 'p', long = "position", value_name = "TEXT", allow_hyphen_values = true)]
    positions: Vec<String>,

    #[command(flatten)]
    read: ReadArgs,
}

/// The symbol of a legal move.
const LEGAL: char = '.';

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let options = args.read.reading();
    let words = args.position.join(" ");
    let is_file = |word: &String| word == "-" || Path::new(word).exists();
    let files: &[String] = if args.position.iter().all(is_file) { &args.position } else { &[] };
    let mut texts = args.positions;
    if files.is_empty() && !args.position.is_empty() {
        texts.push(words);
    }
    // One position has no identifier, and its error is one of usage.
    if let ([lone], [], None) = (&texts[..], files, options.selection.empties) {
        print(&text(&read_argument(lone, options)?))?;
        return Ok(Exit::Done);
    }
    let files = files.iter().map(|file| Source::of_argument(Path::new(file)));
    let sources: Vec<Source> = arguments(&texts).into_iter().chain(files).collect();
    if sources.is_empty() {
        usage_error("show", "no position is given");
    }
    args.read.messages.check(&sources, None)?;
    let messages = args.read.messages.open()?;
    let mut exit = Exit::Done;
    for (number, item) in Reader::new(sources, options).enumerate() {
        match item {
            Item::Entry(Entry { id, problem: Ok(problem), .. }) => {
                let blank = if number > 0 { "\n" } else { "" };
                print(&format!("{blank}{id}\n{}", text(&problem)))?;
            }
            Item::Entry(Entry { problem: Err(error), .. }) => {
                messages.print(&error);
                exit = if exit == Exit::Done { Exit::Invalid } else { exit };
            }
            Item::Empty(empty) => messages.print(&empty),
            Item::MissingPositions(missing) => messages.print(&missing),
            Item::Failure(error) => {
                messages.print(&error);
                exit = Exit::Failure;
            }
        }
    }
    Ok(if messages.finish() { exit } else { Exit::Failure })
}

fn text(problem: &Problem) -> String {
    let diagram = &problem.diagram;
    let mut text = board(diagram);
    let (position, side) = (&diagram.position, diagram.to_move);
    let discs =
        |count: u32| if count == 1 { "1 disc".to_owned() } else { format!("{count} discs") };
    let _ = writeln!(
        text,
        "\nX {}, O {}, {} empties",
        discs(diagram.black().count()),
        discs(diagram.white().count()),
        position.empties().count()
    );
    let moves: Vec<String> =
        position.moves().into_iter().map(|square| square.to_string()).collect();
    let _ = if position.is_over() {
        writeln!(text, "The game is over: {}", result(diagram))
    } else if position.must_pass() {
        writeln!(text, "{side} to move must pass")
    } else {
        let count =
            if moves.len() == 1 { "1 move".to_owned() } else { format!("{} moves", moves.len()) };
        writeln!(text, "{side} to move, {count}: {}", moves.join(" "))
    };
    if !problem.claims.is_empty() {
        // OBF has only exact claims.
        let claims =
            problem.claims.iter().filter_map(|claim| claim.statement.exact()).map(|(mv, score)| {
                match mv {
                    Some(mv) => format!("{mv} {score}"),
                    None => format!("position {score}"),
                }
            });
        let _ = writeln!(text, "Given scores: {}", claims.collect::<Vec<_>>().join("  "));
    }
    text
}

/// The winner and the score.
fn result(diagram: &Diagram) -> String {
    let score = diagram.position.final_score().discs();
    let winner = if score > 0 { diagram.to_move } else { diagram.to_move.other() };
    match score {
        0 => "a draw".to_owned(),
        _ => format!("{winner} wins by {}, empties included", score.abs()),
    }
}

fn board(diagram: &Diagram) -> String {
    let legal = diagram.position.moves();
    let mut text = "  a b c d e f g h\n".to_owned();
    for square in Square::all() {
        if square.file() == 0 {
            let _ = write!(text, "{}", square.rank() + 1);
        }
        let symbol = if legal.contains(square) { LEGAL } else { diagram.symbol(square) };
        let _ = write!(text, " {symbol}");
        if square.file() == 7 {
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use yose::othello::Colour;

    use super::*;

    fn shown(line: &str) -> String {
        text(&yose::records::obf::read(line).expect("a position"))
    }

    #[test]
    fn the_start_of_the_game() {
        insta::assert_snapshot!(shown(
            "---------------------------OX------XO--------------------------- X; d3:+0; +0"
        ));
    }

    #[test]
    fn passes_and_finished_games_are_reported() {
        let with = |row: &str, side: Colour| shown(&format!("{row}{} {side}", "-".repeat(56)));
        assert!(with("-XO-----", Colour::White).contains("\nO to move, 1 move: a1\n"));
        assert!(with("XO------", Colour::White).contains("\nO to move must pass\n"));
        assert!(
            with("XX------", Colour::White)
                .contains("\nThe game is over: X wins by 64, empties included\n")
        );
        assert!(with("X-O-----", Colour::White).contains("\nThe game is over: a draw\n"));
    }
}
