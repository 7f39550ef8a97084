//! The extension module `tensorsmith._native`: what the Python package asks of the Rust library. Arrays come and go as buffers of
//! encodings; what they mean to NumPy is known on the Python side alone.
//!
//! Architecture invariant: a bad argument is an exception, never a panic; while something is computed the interpreter's lock is
//! released, and an interrupt ends it.

mod boxes;
mod catalogue;
mod failure;
mod job;
mod matrices;
mod memory;
mod numbers;
mod subject;

use pyo3::prelude::*;

/// The wheel holds the functions of the C library too, for the package's part that uses them.
use tensorsmith_c as _;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<memory::Words>()?;
    module.add_class::<subject::Subject>()?;
    module.add_function(wrap_pyfunction!(catalogue::devices, module)?)?;
    module.add_function(wrap_pyfunction!(catalogue::units, module)?)?;
    module.add_function(wrap_pyfunction!(catalogue::instructions, module)?)?;
    module.add_function(wrap_pyfunction!(catalogue::instructions_of, module)?)?;
    module.add_function(wrap_pyfunction!(catalogue::instruction_for, module)?)?;
    module.add_function(wrap_pyfunction!(matrices::multiply, module)?)?;
    module.add_function(wrap_pyfunction!(boxes::cosim, module)?)?;
    module.add_function(wrap_pyfunction!(boxes::infer, module)?)?;
    module.add_function(wrap_pyfunction!(boxes::infer_recorded, module)?)?;
    module.add_function(wrap_pyfunction!(boxes::distinguish, module)?)
}
