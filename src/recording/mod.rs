//! Recorded answers: files of our own, and the text layout of a public repository, and exchange with other programs.

#![doc = include_str!("RECORDING.md")]

mod answers;
mod bytes;
pub mod exchange;
mod header;
mod npy_header;
mod operand;
mod packs;
pub mod public;
mod reader;
mod recorded;
mod stream;
mod writer;

pub use answers::{Answers, AnswersError};
pub use header::{Header, Layout, Part, VERSION};
pub use npy_header::npy_header;
pub use operand::{OperandRule, ParseError, Parsed, of_container, of_number, parse, parse_exactly};
pub use packs::{PackError, Packed, Packs};
pub use reader::{PackedChunk, Reader, Unpacker};
pub use recorded::{Described, Recorded, difference_of_answers, unlike_catalogue};
pub use stream::{CHUNK_VECTORS, Chunk, StreamError};
pub use writer::{Compressed, Locked, Packer, Writer};
