//! The border to C++: declares what sim/bridge.h offers. The only unsafe code of the simulated hardware.
//!
//! Holds no logic. `Model` in the neighbouring file is what the rest of the crate uses.

#![allow(unsafe_code, reason = "calls into verilated C++ models")]

#[cxx::bridge(namespace = "tensorsmith")]
pub(super) mod ffi {
    /// Element count and element widths in bits.
    struct Shape {
        products: u32,
        a_width: u32,
        b_width: u32,
        c_width: u32,
        d_width: u32,
        scales: u32,
        scale_a_width: u32,
        scale_b_width: u32,
    }

    /// A stage signal that a traced model can show.
    struct Signal {
        name: String,
        bits: u32,
    }

    /// How a design is driven: see tensorsmith_schedule in sim/unit_table.h.
    struct Schedule {
        seed: u64,
        phases: u32,
        rounds: u32,
        gaps: u32,
        stalls: u32,
        reset_after: u64,
        latency: u32,
        patience: u32,
        /// Empty for none.
        wave: String,
    }

    // SAFETY: the functions below check lengths and indices themselves, keep no reference to an argument after they
    // return, and report every C++ exception as an error.
    unsafe extern "C++" {
        include!("tensorsmith/sim/bridge.h");

        type Model;

        fn linked_modules() -> Vec<String>;
        fn open_linked(module: &str) -> Result<UniquePtr<Model>>;
        fn open_library(path: &str, sources: &str) -> Result<UniquePtr<Model>>;

        fn module(self: &Model) -> String;
        fn sources(self: &Model) -> String;
        fn shape(self: &Model) -> Shape;
        fn run(
            self: Pin<&mut Model>,
            a: &[u64],
            b: &[u64],
            scale_a: &[u64],
            scale_b: &[u64],
            c: &[u64],
            d: &mut [u64],
        ) -> Result<()>;
        fn configure(self: Pin<&mut Model>, schedule: &Schedule) -> Result<()>;
        fn signals(self: &Model) -> Vec<Signal>;
        fn read(self: &Model, index: u32) -> Vec<u32>;
    }
}

// SAFETY: a model owns its simulation context and shares no mutable state with another one; every call names the
// context to Verilator's run-time library anew, so a call may come from another thread than the one before.
unsafe impl Send for ffi::Model {}
