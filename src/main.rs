//! The command `tensorsmith`.

use std::process::ExitCode;

fn main() -> ExitCode {
    tensorsmith::cli::main()
}
