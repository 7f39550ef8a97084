//! A matrix product D = A B + C, each element as an instruction computes it; K is twice that of the instruction.
//!
//!     cargo run --no-default-features --example matrix_product

use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::{Format, Overflow, Rounding};
use tensorsmith::engine::Matrices;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let instruction = catalogue::instruction("hopper-mma-m16n8k8-tf32-fp32").expect("an instruction of the catalogue");

    let (m, n, k) = (2, 3, 16);
    let encode = |format: &Format, value: f64| format.from_f64(value, Rounding::NearestEven, Overflow::Infinity);
    let a = (0..m * k).map(|index| encode(&instruction.a, 1.0 + index as f64)).collect();
    let b = (0..k * n).map(|index| encode(&instruction.b, if index % 2 == 0 { 0.5 } else { -0.25 })).collect();
    let matrices = Matrices { m, n, k, a, b, c: vec![0; m * n], ..Matrices::default() };

    let d = instruction.multiply(&matrices)?;
    for row in d.chunks(n) {
        println!("{:?}", row.iter().map(|&bits| instruction.d().to_f64(bits)).collect::<Vec<f64>>());
    }
    Ok(())
}
