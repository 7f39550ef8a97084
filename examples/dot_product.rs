//! A dot product as three generations of NVIDIA's tensor cores compute it. Exactly it is -0.875.
//!
//!     cargo run --no-default-features --example dot_product

use tensorsmith::compute::Inputs;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::{Overflow, Rounding};
use tensorsmith::engine::{Emulator, EngineError};

fn main() -> Result<(), EngineError> {
    for name in ["volta-fp16-fp32", "ampere-fp16-fp32", "hopper-fp16-fp32"] {
        let unit = catalogue::unit(name).expect("a unit of the catalogue");
        let formats = &unit.formats;

        // Operands are encodings; places that are not given are zero.
        let half = |value: &f64| formats.a.from_f64(*value, Rounding::NearestEven, Overflow::Infinity);
        let mut a: Vec<u64> = [-8192.0, -0.5, -0.25, -0.125].iter().map(half).collect();
        let mut b: Vec<u64> = [1024.0, 1.0, 1.0, 1.0].iter().map(half).collect();
        a.resize(unit.products as usize, 0);
        b.resize(unit.products as usize, 0);
        let c = formats.c.from_f64(8_388_608.0, Rounding::NearestEven, Overflow::Infinity);

        let d = Emulator::new(&unit).evaluate(Inputs::unscaled(&a, &b, c))?;
        println!("{name}: {}", formats.d.to_f64(d));
    }
    Ok(())
}
