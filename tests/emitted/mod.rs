//! The emitted SystemVerilog: equal to the committed files, clean in three tools, leaves and wrapper tested by themselves.

use std::path::Path;
use std::sync::OnceLock;

use tensorsmith::describe::catalogue;
use tensorsmith::emit;

use crate::support;

/// A folder with the modules of every unit of the catalogue, written once.
fn modules() -> &'static Path {
    static WRITTEN: OnceLock<&Path> = OnceLock::new();
    WRITTEN.get_or_init(|| {
        let folder = Path::new(concat!(env!("CARGO_TARGET_TMPDIR"), "/modules"));
        for unit in catalogue::units() {
            let files = [emit::core(&unit), emit::registered(&unit)].map(|file| file.expect("rendered"));
            emit::write(folder, &files).expect("written");
        }
        folder
    })
}

mod benches;
mod derivations;
mod files;
mod guards;
mod kits;
mod lint;
mod overridden;
mod overrides;
mod package;
mod pipelines;
mod tools;
