//! The command line, the readers of files, and the rules of the tree.

mod cli;
mod readers_never_panic;
mod support;
mod tidy;
