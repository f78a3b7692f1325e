//! `yose completions` and `yose man`, generated from the definition of the command line.

use anyhow::Result;
use clap::builder::Resettable;
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

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

/// Runs `yose man`: one page, with a chapter for each command. There are no other pages, so the
/// commands are listed by their names and not as pages.
pub fn man() -> Result<Exit> {
    // The long version is about this build: its tier and the origin of its weights.
    let mut command = Cli::command().long_version(Resettable::Reset);
    command.build();
    let page = Man::new(command.clone());
    let mut text = Vec::new();
    page.render_title(&mut text)?;
    page.render_name_section(&mut text)?;
    page.render_synopsis_section(&mut text)?;
    page.render_description_section(&mut text)?;
    page.render_options_section(&mut text)?;
    text.extend(section("COMMANDS"));
    let mut chapters = Vec::new();
    add_chapters(&command, "yose", &mut chapters);
    for (name, chapter) in &chapters {
        let about = chapter.get_about().map(ToString::to_string).unwrap_or_default();
        let mut entry = Roff::new();
        entry.control("TP", []).text([bold(name.as_str())]).text([roman(about)]);
        text.extend(entry.to_roff().into_bytes());
    }
    page.render_extra_section(&mut text)?;
    for (name, chapter) in chapters {
        text.extend(section(&name.to_uppercase()));
        let has_notes = chapter.get_after_help().is_some();
        let page = Man::new(chapter.display_name(name));
        let mut sections = Vec::new();
        page.render_synopsis_section(&mut sections)?;
        page.render_description_section(&mut sections)?;
        page.render_options_section(&mut sections)?;
        if has_notes {
            page.render_extra_section(&mut sections)?;
        }
        // Sections of a chapter are subsections of the page.
        text.extend(String::from_utf8(sections)?.replace("\n.SH ", "\n.SS ").into_bytes());
    }
    page.render_version_section(&mut text)?;
    let text = String::from_utf8(text)?;
    // What clap has as the help behind the options: examples, and exit statuses.
    let text = text.replace(".SH EXTRA\n", ".SH \"EXIT STATUS\"\n");
    print(&text.replace(".SS EXTRA\n", ".SS NOTES\n"))?;
    Ok(Exit::Done)
}

/// The heading of a section.
fn section(name: &str) -> Vec<u8> {
    let mut heading = Roff::new();
    heading.control("SH", [name]);
    heading.to_roff().into_bytes()
}

/// Adds the commands of `command` and theirs, with their full names.
fn add_chapters(command: &Command, name: &str, chapters: &mut Vec<(String, Command)>) {
    for command in command.get_subcommands().filter(|command| command.get_name() != "help") {
        let name = format!("{name} {}", command.get_name());
        chapters.push((name.clone(), command.clone()));
        add_chapters(command, &name, chapters);
    }
}
