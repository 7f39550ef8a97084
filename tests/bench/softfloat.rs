//! Berkeley SoftFloat's chain of fused multiply-adds, as a peer.

#![allow(unsafe_code, reason = "a function of a C library is called")]

use tensorsmith::report::speed::Speed;

use crate::harness::skip;

/// Its name.
pub const SOFTFLOAT: &str = "SoftFloat chain";

/// What a program has that knows of no tensor core: d = fma(a, b, d) along the products, in binary32.
#[cfg(target_arch = "x86_64")]
mod library {
    use std::hint::black_box;

    use softfloat_rs::{f32_mulAdd, float32_t};
    use tensorsmith::describe::format::Format;

    /// Whether it is there, and what.
    pub const VERSION: Result<&str, &str> = Ok("Berkeley SoftFloat 3, f32_mulAdd of operands in binary32");

    /// Operands as the chain takes them.
    #[derive(Clone, Copy)]
    pub struct Single(float32_t);

    /// The encodings of numbers in binary32.
    pub fn single(format: &Format, bits: &[u64]) -> Vec<Single> {
        bits.iter().map(|&bits| Single(float32_t { v: (format.to_f64(bits) as f32).to_bits() })).collect()
    }

    /// The chain from c on.
    pub fn chain(products: impl Iterator<Item = (Single, Single)>, c: Single) {
        let mut d = c.0;
        for (Single(a), Single(b)) in products {
            // SAFETY: numbers are passed by value; only the library's own state is touched.
            d = unsafe { f32_mulAdd(a, b, d) };
        }
        black_box(d.v);
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod library {
    use tensorsmith::describe::format::Format;

    pub const VERSION: Result<&str, &str> = Err("the crate that has it is for x86-64 only");

    #[derive(Clone, Copy)]
    pub struct Single;

    pub fn single(_: &Format, bits: &[u64]) -> Vec<Single> {
        vec![Single; bits.len()]
    }

    pub fn chain(_: impl Iterator<Item = (Single, Single)>, _: Single) {}
}

pub use library::{chain, single};

/// Notes which SoftFloat takes part, or why none does.
pub fn has_softfloat(speed: &mut Speed) -> bool {
    match library::VERSION {
        Ok(version) => speed.tools.insert(SOFTFLOAT.to_owned(), version.to_owned()),
        Err(reason) => {
            skip(speed, SOFTFLOAT, reason);
            return false;
        }
    };
    true
}
