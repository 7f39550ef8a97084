//! The command line, the Python package, the readers of files, the rules of the tree, the book, and how large the main units are.

mod cli;
mod python;
mod quality;
mod readers_never_panic;
mod support;
mod tidy;
