//! `yose show`: a position drawn as a board.

use std::fmt::Write as _;

use anyhow::Result;

use yose::othello::{Diagram, EMPTY, Square};
use yose::records::Problem;

use super::{Exit, position, print};

/// Draw a position, with its legal moves
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  yose show '---------------------------OX------XO--------------------------- X'")]
pub struct Args {
    /// The position: 64 squares as X, O and -, then the side to move; or a whole line of OBF
    #[arg(
        value_name = "POSITION",
        required = true,
        allow_hyphen_values = true,
        trailing_var_arg = true
    )]
    position: Vec<String>,
}

/// The symbol of a legal move.
const LEGAL: char = '.';

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    print(&text(&position(&args.position)?))?;
    Ok(Exit::Done)
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
        let symbol = match diagram.symbol(square) {
            EMPTY if legal.contains(square) => LEGAL,
            symbol => symbol,
        };
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
