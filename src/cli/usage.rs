//! Command lines that are refused, and help. What a line quotes is shown as any text from outside.

use std::io;
use std::process::ExitCode;

use clap::error::{ContextValue, ErrorKind};

use super::output::note;
use super::{Failure, closed, reports};
use tensorsmith::describe::text::{Foreign, NAME_MAX};

/// Shows why a command line is refused, or the help that it asks for.
pub(super) fn show(command: &clap::Command, error: clap::Error) -> ExitCode {
    if !error.use_stderr() {
        return help(&error);
    }
    let message = message(error);
    note!("{message}");
    reports::refuse(command, message.trim_start_matches("error: "));
    ExitCode::from(2)
}

/// Why a command line is refused.
fn message(mut error: clap::Error) -> String {
    if error.kind() == ErrorKind::InvalidUtf8 {
        let mut arguments = std::env::args_os();
        let found = arguments.find(|argument| argument.to_str().is_none()).unwrap_or_default();
        return format!("error: argument {found:?}: no text in UTF-8; allowed: UTF-8");
    }
    let shown = error.context().filter_map(|(kind, value)| match value {
        ContextValue::String(text) => Some((kind, ContextValue::String(short(text)))),
        ContextValue::Strings(texts) => {
            Some((kind, ContextValue::Strings(texts.iter().map(|text| short(text)).collect())))
        }
        _ => None,
    });
    for (kind, value) in shown.collect::<Vec<_>>() {
        error.insert(kind, value);
    }
    error.render().to_string().trim_end().to_owned()
}

/// A word of the command line as one line, of a long one the beginning.
fn short(text: &str) -> String {
    let mut shown: String = text.chars().take(NAME_MAX).collect::<String>().shown();
    if text.chars().count() > NAME_MAX {
        shown += &format!("... ({} bytes)", text.len());
    }
    shown
}

/// Help and the version are no errors, unless they are lost.
fn help(text: &clap::Error) -> ExitCode {
    let printed = if closed::was_closed() { Err(closed::error()) } else { text.print() };
    match printed {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            super::fail(&Failure(format!("standard output: cannot be written: {error}")))
        }
        _ => ExitCode::SUCCESS,
    }
}
