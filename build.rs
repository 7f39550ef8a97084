//! Verilates every unit of `rtl/gen` and links the models and the C++ bridge into the crate.
//!
//! Reads `rtl/` and `sim/` only. Without the feature `rtl` it does nothing.

#[cfg(feature = "rtl")]
#[path = "sim/build_units.rs"]
mod build_units;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "rtl")]
    build_units::main();
}
