//! `tensorsmith completions`: what a shell needs to complete the command line.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::output::say;
use super::{Failure, Verdict};

/// Print completions for a shell
///
/// Put them where the shell reads completions, or evaluate them when it starts.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  tensorsmith completions bash > ~/.local/share/bash-completion/completions/tensorsmith\n  tensorsmith completions zsh > ~/.zfunc/_tensorsmith\n  tensorsmith completions fish > ~/.config/fish/completions/tensorsmith.fish"
)]
pub(super) struct Arguments {
    /// The shell
    shell: Shell,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let mut command = super::Arguments::command();
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "tensorsmith", &mut text);
    say!("{}", String::from_utf8_lossy(&text).trim_end());
    Ok(Verdict::Agreed)
}
