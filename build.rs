//! Verilates the units of `sim/linked_units.txt` and links the models and the C++ bridge into the crate.
//!
//! Reads `rtl/` and `sim/` only. Without the feature `rtl` it only asks the compiler for its version.

#[cfg(feature = "rtl")]
#[path = "sim/build_units.rs"]
mod build_units;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-env=TENSORSMITH_RUSTC={}", compiler());
    #[cfg(feature = "rtl")]
    build_units::main();
}

/// What the compiler of the crate calls itself.
fn compiler() -> String {
    let program = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let answer = std::process::Command::new(program).arg("--version").output().ok();
    let text = answer.and_then(|answer| String::from_utf8(answer.stdout).ok());
    text.map_or("a compiler that does not say its version".to_owned(), |text| text.trim().to_owned())
}
