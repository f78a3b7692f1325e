//! How progress is shown: an argument of all commands that work on lists.

use std::io::{self, IsTerminal};

use clap::ValueEnum;

use yose::batch::Style;

/// In what way.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct ProgressArgs {
    /// How progress is shown on standard error
    #[arg(long, value_name = "STYLE", default_value = "auto")]
    progress: ProgressStyle,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ProgressStyle {
    /// A bar on a terminal, plain lines elsewhere
    Auto,
    /// A bar with the time that is left, if standard error is a terminal
    Bar,
    /// A line every ten seconds
    Plain,
    /// Nothing
    None,
}

impl ProgressArgs {
    /// The style that is asked for, or the one that suits standard error.
    pub fn style(self) -> Style {
        match self.progress {
            ProgressStyle::Auto if io::stderr().is_terminal() => Style::Bar,
            ProgressStyle::Auto | ProgressStyle::Plain => Style::Plain,
            ProgressStyle::Bar => Style::Bar,
            ProgressStyle::None => Style::None,
        }
    }
}
