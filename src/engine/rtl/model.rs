//! A verilated unit as a Rust value: vectors in, results out.
//!
//! Knows nothing of number formats and never builds a unit: it opens one that is linked into the program or a library
//! that `library` has made.

use super::bridge::ffi;
pub use super::bridge::ffi::Schedule;
use super::library::{BuildError, Library, Signal, check_library};
use crate::describe::text::Foreign;
use std::path::PathBuf;
use thiserror::Error;

/// How many elements a vector has, and the bits of each element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    pub products: u32,
    pub a_width: u32,
    pub b_width: u32,
    pub c_width: u32,
    pub d_width: u32,
    /// Scales of a per vector, and of b; 0 for a unit without scales, whose scale widths are 0 too.
    pub scales: u32,
    pub scale_a_width: u32,
    pub scale_b_width: u32,
}

/// Why a model could not be opened or stopped.
#[derive(Debug, Error)]
pub enum ModelError {
    /// No linked unit has that name.
    #[error("unit {module} is not linked into this program ({reason}); linked: {}", list(linked))]
    NotLinked { module: String, reason: String, linked: Vec<String> },
    /// The file is no unit library of this version.
    #[error("cannot load the unit library {}: {reason}", path.shown())]
    Load { path: PathBuf, reason: String },
    /// The library is missing or damaged.
    #[error(transparent)]
    Library(#[from] BuildError),
    /// Slices of unequal length, or the model itself gave up ($fatal, a failed assertion).
    #[error("unit {module}: {reason}")]
    Run { module: String, reason: String },
}

/// One running simulation of one unit.
pub struct Model {
    inner: cxx::UniquePtr<ffi::Model>,
}

impl Model {
    /// The modules linked into this program: those of `sim/linked_units.txt`.
    #[must_use]
    pub fn linked_modules() -> Vec<String> {
        ffi::linked_modules()
    }

    /// A new model of a linked unit.
    pub fn linked(module: &str) -> Result<Self, ModelError> {
        let inner = ffi::open_linked(module).map_err(|error| ModelError::NotLinked {
            module: module.to_string(),
            reason: error.what().to_string(),
            linked: ffi::linked_modules(),
        })?;
        Ok(Self { inner })
    }

    /// A new model of the unit in a library made by `library::build_library`; no other unit that lies in its place.
    pub fn load(library: &Library) -> Result<Self, ModelError> {
        let path = library.path.as_path();
        check_library(path)?;
        let refuse = |reason: String| ModelError::Load { path: path.to_path_buf(), reason };
        // A bare file name would be searched for in the system's library folders.
        let full = path.canonicalize().map_err(|error| refuse(error.to_string()))?;
        let name = full.to_str().ok_or_else(|| refuse("the path is not Unicode".to_string()))?;
        let inner = ffi::open_library(name, &library.sources).map_err(|error| refuse(error.what().to_string()))?;
        Ok(Self { inner })
    }

    /// Name of the top module.
    #[must_use]
    pub fn module(&self) -> String {
        self.inner.module()
    }

    /// The hash of the files that the unit was made from, as [`super::Request::sources_hash`] gives it.
    #[must_use]
    pub fn sources(&self) -> String {
        self.inner.sources()
    }

    #[must_use]
    pub fn shape(&self) -> Shape {
        let ffi::Shape { products, a_width, b_width, c_width, d_width, scales, scale_a_width, scale_b_width } =
            self.inner.shape();
        Shape { products, a_width, b_width, c_width, d_width, scales, scale_a_width, scale_b_width }
    }

    /// Runs as many vectors as `d` has elements. Element `i` of vector `v` is `a[v * products + i]`; bits above the
    /// element width are ignored. After an error the contents of `d` are undefined and the model can be used again.
    pub fn run(&mut self, a: &[u64], b: &[u64], c: &[u64], d: &mut [u64]) -> Result<(), ModelError> {
        self.run_scaled(a, b, &[], &[], c, d)
    }

    /// The same for a unit with scales: scale `s` of vector `v` is `scale_a[v * scales + s]`.
    pub fn run_scaled(
        &mut self,
        a: &[u64],
        b: &[u64],
        scale_a: &[u64],
        scale_b: &[u64],
        c: &[u64],
        d: &mut [u64],
    ) -> Result<(), ModelError> {
        let result = self.inner.pin_mut().run(a, b, scale_a, scale_b, c, d);
        result.map_err(|error| ModelError::Run { module: self.module(), reason: error.what().to_string() })
    }

    /// Says how a design is driven from now on, and starts it anew.
    ///
    /// # Errors
    /// The model is one of a unit, which is driven in one way only.
    pub fn configure(&mut self, schedule: &Schedule) -> Result<(), ModelError> {
        let result = self.inner.pin_mut().configure(schedule);
        result.map_err(|error| ModelError::Run { module: self.module(), reason: error.what().to_string() })
    }

    /// The signals of a traced model, in the order of the request; none for an ordinary one.
    #[must_use]
    pub fn signals(&self) -> Vec<Signal> {
        let signals = self.inner.signals();
        signals.into_iter().map(|ffi::Signal { name, bits }| Signal { name, bits }).collect()
    }

    /// The value of a signal after the last vector run, in 32-bit words, least significant first.
    /// Zero before the first vector and after an error; empty if there is no signal of that index.
    #[must_use]
    pub fn read(&self, index: usize) -> Vec<u32> {
        u32::try_from(index).map_or_else(|_| Vec::new(), |index| self.inner.read(index))
    }
}

fn list(modules: &[String]) -> String {
    if modules.is_empty() { "none".to_string() } else { modules.join(", ") }
}
