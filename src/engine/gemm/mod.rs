//! Products of whole matrices by any engine: by the kernel that is made for them where it has the instruction, else element by
//! element; promoted and split sums.

mod matrices;
mod product;
mod promoted;

pub(super) use matrices::with_matrices;
pub use product::{Answer, Multiplied, Operands};
pub use promoted::{PARTS_MAX, Promoted, gives_binary32, places_of_part};
pub use tensorsmith_numerics::engine::gemm::*;
