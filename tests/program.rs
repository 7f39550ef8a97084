//! The command line, the readers of files, the rules of the tree, the book, and how large the main units are.

mod cli;
mod quality;
mod readers_never_panic;
mod support;
mod tidy;
