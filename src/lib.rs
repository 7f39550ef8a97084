//! tensorsmith: describe a multi-operand floating-point dot-product unit once; get SystemVerilog, a bit-exact emulator and
//! evidence that they agree with each other and with real matrix hardware.
//!
//! The folders tell the story in order; each depends only on those above it. A library of its own, `src/numerics`, holds
//! what is computed often: [`describe`] says what a unit is, [`compute`] what it answers, fast engines answer, and the
//! stimulus draws vectors. Then [`emit`] says what a unit looks like, [`engine`] are all the things that answer, [`recording`]
//! keeps answers, [`check`] asks whether engines agree, [`literature`] holds them against published experiments, [`study`] whole products
//! against the truth, [`infer`] finds a description from answers alone, [`prove`] settles what testing cannot,
//! [`report`] says what came of it. The command line, `src/cli`, belongs to the program.
//!
//! ```
//! use tensorsmith::check::compare::{Source, compare};
//! use tensorsmith::check::stimulus::Stimulus;
//! use tensorsmith::describe::subject::Subject;
//! use tensorsmith::engine::{Kind, Opened};
//!
//! // An instruction of two blocks, by its definition and by the datapath text.
//! let subject = Subject::named("ampere-mma-m16n8k16-fp16-fp32").expect("an instruction of the catalogue");
//! let mut engines = Vec::new();
//! for kind in [Kind::Emulator, Kind::Reference] {
//!     let Opened::Ready(engine) = kind.open_subject(&subject)? else { panic!("they need nothing") };
//!     engines.push(engine);
//! }
//! let source = Source::Shaped { stimulus: Stimulus::shaped(&subject.frame(), 1), count: 1_000 };
//! let comparison = compare(engines, &source, &mut |_| {})?;
//! assert_eq!((comparison.compared, comparison.mismatches), (1_000, 0));
//! # Ok::<(), tensorsmith::engine::EngineError>(())
//! ```
//!
//! The folder `examples` has a dot product, a matrix product and an engine of one's own; the book in `docs` the rest.

pub use tensorsmith_numerics::{compute, describe, isa};

pub mod emit;

pub mod design;

pub mod engine;

pub mod recording;

pub mod check;

pub mod literature;

pub mod study;

pub mod infer;

pub mod prove;

pub mod report;

// One recipe and one cache for the build script and for run time, and how programs are run.
#[cfg_attr(not(feature = "rtl"), allow(dead_code, unused_imports, reason = "without RTL only the cache is used"))]
#[path = "../sim/verilate.rs"]
mod verilate;
