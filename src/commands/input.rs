//! The arguments for input files, which all commands that read positions share.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::error::ErrorKind;
use clap::{CommandFactory, ValueEnum, ValueHint};

use yose::othello::Colour;
use yose::records::{Format, MalformedClaims, ReadOptions, Selection, Source, Span};

use super::Cli;
use super::messages::MessageArgs;

/// The input: files, or positions and games in arguments.
#[derive(Debug, clap::Args)]
pub struct InputArgs {
    /// Files with positions or games; `-` is standard input
    ///
    /// Without files and --position, standard input is read. Write `./-` for a file with the name
    /// `-`.
    #[arg(value_name = "FILES", value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,

    /// Read this position or game too, in any text format; can be given several times
    ///
    /// Such as `XXXOX...OOO- X`, or `f5 d6 c3` for a game. It is read before the files. Its
    /// identifier is `argument:N`.
    #[arg(
        short = 'p',
        long = "position",
        value_name = "TEXT",
        allow_hyphen_values = true,
        value_parser = parse_position
    )]
    positions: Vec<String>,

    #[command(flatten)]
    pub read: ReadArgs,
}

/// How the input is read.
#[derive(Debug, clap::Args)]
pub struct ReadArgs {
    #[command(flatten)]
    selection: SelectionArgs,

    #[command(flatten)]
    pub messages: MessageArgs,
}

/// What the input files have, and which of their positions are used.
#[derive(Debug, clap::Args)]
pub struct SelectionArgs {
    /// Format of the input
    #[arg(long, value_name = "FORMAT", default_value = "auto")]
    input_format: InputFormat,

    /// Side to move in positions that do not have one
    #[arg(long, value_name = "SIDE", ignore_case = true)]
    side: Option<Side>,

    /// Select from each game the position with N empties, or those with A to B: N or A-B
    ///
    /// The default is the last position; in a WTHOR database it is the position of the theoretical
    /// score. A position in which the side to move must pass is replaced by the one after the
    /// pass. Games without such a position are counted, and the count is printed at the end of
    /// their file. The option does not affect positions that are not part of a game.
    #[arg(long, value_name = "N", value_parser = parse_empties)]
    at_empties: Option<Span>,

    /// Select from each file the games A to B, or game A alone: A-B or A
    ///
    /// Games are counted from 1.
    #[arg(long, value_name = "A-B", value_parser = parse_games)]
    games: Option<Span>,
}

/// A format of the library's list; `None`: recognised from the content.
#[derive(Clone, Copy, Debug)]
struct InputFormat(Option<Format>);

impl InputFormat {
    const ALL: [InputFormat; Format::ALL.len() + 1] = {
        let mut all = [InputFormat(None); Format::ALL.len() + 1];
        let mut index = 0;
        while index < Format::ALL.len() {
            all[index + 1] = InputFormat(Some(Format::ALL[index]));
            index += 1;
        }
        all
    };
}

impl ValueEnum for InputFormat {
    fn value_variants<'a>() -> &'a [InputFormat] {
        &InputFormat::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, help) = match self.0 {
            None => ("auto", "Recognised from the content of each file and each line"),
            Some(format) => (format.name(), format.description()),
        };
        Some(PossibleValue::new(name).help(help))
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Side {
    /// Black
    #[value(name = "X")]
    Black,
    /// White
    #[value(name = "O")]
    White,
}

impl InputArgs {
    /// The files. `command` is the name of the command that reads them; where none can be read, the
    /// program ends with its usage.
    pub fn sources(&self, command: &str) -> Vec<Source> {
        if self.files.is_empty() && self.positions.is_empty() {
            if io::stdin().is_terminal() {
                usage_error(
                    command,
                    "no position files are given; name some, or `-` to type positions here",
                );
            }
            return vec![Source::Stdin];
        }
        let files = self.files.iter().map(|file| Source::of_argument(file));
        let sources: Vec<Source> = arguments(&self.positions).into_iter().chain(files).collect();
        if sources.iter().filter(|&source| *source == Source::Stdin).count() > 1 {
            usage_error(command, "`-` is given twice, but standard input can be read only once");
        }
        sources
    }
}

/// A source with positions and games of the command line, each in a line; `None` if there are none.
pub fn arguments(texts: &[String]) -> Option<Source> {
    let lines: Vec<String> = texts.iter().map(|text| text.replace(['\n', '\r'], " ")).collect();
    (!lines.is_empty())
        .then(|| Source::Memory { name: "argument", bytes: lines.join("\n").into_bytes().into() })
}

/// A position or a game in an argument.
pub fn parse_position(text: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err("it is empty".to_owned()) } else { Ok(text.to_owned()) }
}

impl ReadArgs {
    /// The options for reading the input.
    pub fn reading(&self) -> ReadOptions {
        self.selection.reading()
    }
}

impl SelectionArgs {
    /// The options for reading the files.
    pub fn reading(&self) -> ReadOptions {
        ReadOptions {
            format: self.input_format.0,
            side: self.side.map(|side| match side {
                Side::Black => Colour::Black,
                Side::White => Colour::White,
            }),
            selection: Selection { games: self.games, empties: self.at_empties },
            notes: false,
            malformed_claims: MalformedClaims::Refuse,
        }
    }
}

fn parse_empties(text: &str) -> Result<Span, String> {
    let span: Span = text.parse()?;
    if span.last <= 60 {
        Ok(span)
    } else {
        Err(format!("a game has at most 60 empties, not {}", span.last))
    }
}

fn parse_games(text: &str) -> Result<Span, String> {
    let span: Span = text.parse()?;
    if span.first > 0 { Ok(span) } else { Err("games are counted from 1".to_owned()) }
}

/// Ends the program with the usage of a command and this message.
pub fn usage_error(command: &str, message: &str) -> ! {
    let mut cli = Cli::command();
    cli.build();
    let command = cli.find_subcommand_mut(command).expect("a command");
    command.error(ErrorKind::MissingRequiredArgument, message).exit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_have_limits() {
        assert_eq!(parse_empties("0-60"), Ok(Span { first: 0, last: 60 }));
        assert_eq!(parse_empties("12-61"), Err("a game has at most 60 empties, not 61".to_owned()));
        assert_eq!(parse_games("0"), Err("games are counted from 1".to_owned()));
        assert_eq!(parse_games("3-4"), Ok(Span { first: 3, last: 4 }));
    }
}
