//! The argument and the display of progress.

mod display;
mod text;
mod window_result;

use std::io::{self, IsTerminal};

use clap::ValueEnum;

pub use display::{Display, Style};

/// The argument for the display of progress.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct ProgressArgs {
    /// Display of progress on standard error
    #[arg(long, value_name = "STYLE", default_value = "auto")]
    progress: ProgressStyle,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ProgressStyle {
    /// A bar on a terminal, plain lines elsewhere
    Auto,
    /// A bar with the remaining time, if standard error is a terminal
    Bar,
    /// A line every ten seconds
    Plain,
    /// Nothing
    None,
}

impl ProgressArgs {
    /// The style; `auto` depends on standard error.
    pub fn style(self) -> Style {
        match self.progress {
            ProgressStyle::Auto if io::stderr().is_terminal() => Style::Bar,
            ProgressStyle::Auto | ProgressStyle::Plain => Style::Plain,
            ProgressStyle::Bar => Style::Bar,
            ProgressStyle::None => Style::Silent,
        }
    }
}
