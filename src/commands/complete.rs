//! `yose completions` and `yose man`, generated from the definition of the command line.

use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;

use super::{Cli, Exit, print};

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Runs `yose completions`.
pub fn completions(args: Args) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "yose", &mut script);
    print(&String::from_utf8(script)?)?;
    Ok(Exit::Done)
}

/// Runs `yose man`: one page, with a chapter for each command.
pub fn man() -> Result<Exit> {
    let mut command = Cli::command();
    command.build();
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    for chapter in command.get_subcommands().filter(|command| command.get_name() != "help") {
        let chapter = chapter.clone().display_name(format!("yose {}", chapter.get_name()));
        let man = clap_mangen::Man::new(chapter);
        man.render_description_section(&mut page)?;
        man.render_synopsis_section(&mut page)?;
        man.render_options_section(&mut page)?;
    }
    print(&String::from_utf8(page)?)?;
    Ok(Exit::Done)
}
