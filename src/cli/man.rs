//! `tensorsmith man`: manual pages of the program and of each command.

use std::path::PathBuf;

use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;

use super::output::say;
use super::{Failure, Verdict};
use tensorsmith::describe::text::Foreign;
use tensorsmith::emit::{self, SourceFile};

/// Write manual pages, one for the program and one for each command
#[derive(Args)]
#[command(
    after_help = "Examples:\n  tensorsmith man ~/.local/share/man/man1\n  tensorsmith man man && man -l man/tensorsmith-cosim.1"
)]
pub(super) struct Arguments {
    /// Folder to write to; created if need be
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let mut command = super::Arguments::command().disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    add(&command, &mut pages)?;
    emit::write(&arguments.folder, &pages)?;
    say!("{} manual pages in {}", pages.len(), arguments.folder.shown());
    Ok(Verdict::Agreed)
}

/// The page of a command, and those of the commands in it.
fn add(command: &Command, pages: &mut Vec<SourceFile>) -> Result<(), Failure> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let mut text = Vec::new();
    Man::new(command.clone()).render(&mut text)?;
    pages.push(SourceFile { name: format!("{name}.1"), text: String::from_utf8_lossy(&text).into_owned() });
    command.get_subcommands().try_for_each(|inner| add(inner, pages))
}
