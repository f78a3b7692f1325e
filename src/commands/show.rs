//! `yose show`: positions drawn as boards.

use std::fmt::Write as _;
use std::io::{self, IsTerminal};
use std::path::Path;

use anyhow::{Result, bail};
use clap::ValueEnum;

use yose::drawing::text::{Style, beside, lines};
use yose::drawing::{Board, svg};
use yose::othello::{Diagram, Move, Score};
use yose::records::{Entry, Item, Notes, Problem, ReadOptions, Reader, Source};
use yose::{Options, Solver};

use super::input::{ReadArgs, arguments, usage_error};
use super::{Exit, print, read_argument};

/// Draw positions, with their legal moves
///
/// The position is an argument: 64 squares as X, O and -, then the side to move; a whole line of
/// OBF; or a game, such as f5d6c3, of which the last position is drawn. Or the arguments are files
/// in any format that `yose solve` reads, of which all positions are drawn. The last move of a game
/// has a mark.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  yose show '---------------------------OX------XO--------------------------- X'
  yose show f5 d6 c3
  yose show --at-empties 20 WTH_2024.wtb
  yose show --format svg --all-moves --at-empties 12 game.txt > board.svg

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

    /// Format of the drawing
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: DrawingFormat,

    /// Solve the positions, and write the score of each move on its square
    ///
    /// A position with many empties takes long.
    #[arg(long)]
    all_moves: bool,

    /// Draw boards beside each other, as many as fit in N columns
    ///
    /// The default is the width of the terminal; elsewhere boards stand below each other.
    #[arg(long, value_name = "N")]
    columns: Option<usize>,

    #[command(flatten)]
    read: ReadArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum DrawingFormat {
    /// Text: ASCII, or Unicode and colours on a terminal that has them
    Text,
    /// One SVG with all boards
    Svg,
}

/// The symbols and colours that standard output has. The variables are those of POSIX locales, and
/// `NO_COLOR` of <https://no-color.org>.
pub fn style() -> Style {
    if !io::stdout().is_terminal() {
        return Style::default();
    }
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(variable);
    let locale = locale.iter().find(|value| !value.is_empty()).map_or("", String::as_str);
    let locale = locale.to_lowercase();
    let dumb = variable("TERM") == "dumb";
    Style {
        unicode: !dumb && (locale.contains("utf-8") || locale.contains("utf8")),
        colour: !dumb && variable("NO_COLOR").is_empty(),
    }
}

/// The number of boards that are laid out at once beside each other.
const AT_ONCE: usize = 64;

/// A position that is drawn.
struct Drawn {
    id: Option<String>,
    problem: Problem,
    board: Board,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit> {
    let options = ReadOptions { notes: true, ..args.read.reading() };
    let words = args.position.join(" ");
    let is_file = |word: &String| word == "-" || Path::new(word).exists();
    let files: &[String] = if args.position.iter().all(is_file) { &args.position } else { &[] };
    let mut texts = args.positions.clone();
    if files.is_empty() && !args.position.is_empty() {
        // A board may begin with two empty squares too.
        let begins_name = |c: char| c.is_ascii_lowercase() && !matches!(c, 'x' | 'o' | 'b' | 'w');
        let is_option = |word: &&String| {
            word.strip_prefix("--").is_some_and(|name| name.starts_with(begins_name))
        };
        if let Some(option) = args.position.iter().find(is_option) {
            bail!("`{option}` stands behind the position; put all options before it");
        }
        texts.push(words);
    }
    let mut solver = if args.all_moves { Some(Solver::new()?) } else { None };
    let mut draw = |id: Option<String>, problem: Problem, notes: &Notes| {
        let last = notes.game.as_ref().and_then(|game| game.last_move);
        let board = Board { last, ..Board::new(problem.diagram) };
        let board = match &mut solver {
            Some(solver) => board.with_scores(&all_moves(solver, &problem.diagram)),
            None => board,
        };
        Drawn { id, problem, board }
    };
    let mut printer = Printer::new(&args);
    // One position has no identifier, and its error is one of usage.
    if let ([lone], [], None) = (&texts[..], files, options.selection.empties) {
        let (problem, notes) = read_argument(lone, options)?;
        printer.add(draw(None, problem, &notes))?;
        printer.flush()?;
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
    for item in Reader::new(sources, options) {
        match item {
            Item::Entry(Entry { id, problem: Ok(problem), notes, .. }) => {
                printer.add(draw(Some(id), problem, &notes))?;
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
    printer.flush()?;
    Ok(if messages.finish() { exit } else { Exit::Failure })
}

/// The exact scores of all moves.
fn all_moves(solver: &mut Solver, diagram: &Diagram) -> Vec<(Move, Score)> {
    let options = Options { all_moves: true, ..Options::default() };
    let moves = solver.solve_with(&diagram.position, &options).moves;
    moves.into_iter().filter_map(|(mv, bounds)| Some((mv, bounds.exact()?))).collect()
}

/// Prints positions one below the other as they come, or all together at the end.
struct Printer {
    svg: bool,
    style: Style,
    /// The columns for boards beside each other.
    columns: Option<usize>,
    printed: bool,
    waiting: Vec<Drawn>,
}

impl Printer {
    fn new(args: &Args) -> Printer {
        let width = || {
            let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
            Some(usize::from(width.0))
        };
        Printer {
            svg: args.format == DrawingFormat::Svg,
            style: style(),
            columns: args.columns.or_else(width),
            printed: false,
            waiting: Vec::new(),
        }
    }

    fn add(&mut self, drawn: Drawn) -> Result<()> {
        if self.svg || self.columns.is_some() {
            self.waiting.push(drawn);
            // A long list must not fill the memory.
            return if self.waiting.len() < AT_ONCE || self.svg { Ok(()) } else { self.flush() };
        }
        let blank = if std::mem::replace(&mut self.printed, true) { "\n" } else { "" };
        let id = drawn.id.as_ref().map(|id| format!("{id}\n")).unwrap_or_default();
        print(&format!("{blank}{id}{}", text(&drawn.problem, &drawn.board, self.style)))
    }

    /// Prints the boards that wait.
    fn flush(&mut self) -> Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        if self.svg {
            let name = |drawn: &Drawn| drawn.id.clone().unwrap_or_default();
            let boards: Vec<(String, Board)> =
                self.waiting.iter().map(|drawn| (name(drawn), drawn.board.clone())).collect();
            return print(&svg::files(&boards));
        }
        let block = |drawn: &Drawn| {
            let text = text(&drawn.problem, &drawn.board, self.style);
            drawn.id.iter().cloned().chain(text.lines().map(str::to_owned)).collect()
        };
        let blocks: Vec<Vec<String>> = self.waiting.iter().map(block).collect();
        self.waiting.clear();
        let blank = if std::mem::replace(&mut self.printed, true) { "\n" } else { "" };
        print(&format!("{blank}{}", beside(&blocks, self.columns.unwrap_or(0))))
    }
}

/// The board, and the position in words.
fn text(problem: &Problem, board: &Board, style: Style) -> String {
    let diagram = &problem.diagram;
    let mut text = lines(board, style).join("\n") + "\n";
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

#[cfg(test)]
mod tests {
    use yose::othello::Colour;

    use super::*;

    fn shown(line: &str) -> String {
        let problem = yose::records::obf::read(line).expect("a position");
        text(&problem, &Board::new(problem.diagram), Style::default())
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
