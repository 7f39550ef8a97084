//! The recipe that turns a unit's SystemVerilog into a linkable object or a loadable library.
//!
//! `build.rs` includes this file for the units of `rtl/gen`, the library for units built at run time, so that both make the
//! same code with the same flags and share one cache. It uses the standard library, SHA-256 and what a Unix offers only,
//! never reads `src/`, and never decides anything by a tool's version: a tool is asked to do its work on a trivial module.
//! How a program is run so that it ends with this one (`tied`), and how a folder is held (`held`), is used by others too.

#[path = "recipe/cache.rs"]
mod cache;
#[path = "recipe/command.rs"]
mod command;
#[path = "recipe/contents.rs"]
mod contents;
#[path = "recipe/design.rs"]
mod design;
#[path = "recipe/error.rs"]
mod error;
#[path = "recipe/held.rs"]
pub mod held;
#[path = "recipe/optimisation.rs"]
mod optimisation;
#[path = "recipe/plain.rs"]
pub mod plain;
#[path = "recipe/seal.rs"]
mod seal;
#[path = "recipe/steps.rs"]
mod steps;
#[path = "recipe/tied.rs"]
pub mod tied;
#[path = "recipe/tools.rs"]
mod tools;
#[path = "recipe/unit.rs"]
mod unit;

pub use cache::{Cache, Key};
pub use contents::{Contents, Entry, Kind};
pub use design::Design;
pub use error::Error;
pub use optimisation::Optimisation;
pub use seal::check as check_seal;
pub use steps::{Recipe, watch};
pub use tools::Tools;
pub use unit::{DIFFERENCES, Lint, Unit};

/// What is compiled around the generated code: file name and text.
const HARNESS: [(&str, &str); 12] = [
    ("board_model.cpp", include_str!("board_model.cpp")),
    ("containers.h", include_str!("containers.h")),
    ("design_model.cpp", include_str!("design_model.cpp")),
    ("entry.h", include_str!("entry.h")),
    ("phases.h", include_str!("phases.h")),
    ("ports.h", include_str!("ports.h")),
    ("runtime.cpp", include_str!("runtime.cpp")),
    ("runtime.h", include_str!("runtime.h")),
    ("tile_model.cpp", include_str!("tile_model.cpp")),
    ("unit_before.h", include_str!("unit_before.h")),
    ("unit_model.cpp", include_str!("unit_model.cpp")),
    ("unit_table.h", include_str!("unit_table.h")),
];

/// Raised when the steps change in a way that no text, flag or tool shows.
const RECIPE_VERSION: &str = "tensorsmith recipe 1";
