//! A parsed program: kernels as lists of statements whose operands are numbers of registers. No text of PTX is looked at
//! after this.

use super::types::Type;
use crate::matrix::{Mma, Wgmma, WmmaMemory, WmmaMultiply};

/// A register of a kernel.
pub type Register = usize;

/// A special register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Special {
    Tid(usize),
    Ntid(usize),
    Ctaid(usize),
    Nctaid(usize),
    LaneId,
    WarpId,
}

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Register(Register),
    Immediate(u64),
    Special(Special),
}

/// An address: a base and an offset in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Address {
    pub base: Source,
    pub offset: i64,
}

/// A state space of loads and stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Space {
    Global,
    Shared,
}

/// A comparison of setp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// A computation of one thread on one to three values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Computation {
    Move,
    Add,
    Sub,
    MulLo,
    MulWide,
    MadLo,
    MadWide,
    Shl,
    Shr,
    And,
    Or,
    Xor,
    Not,
    Min,
    Max,
    Rem,
    Div,
    Set(Comparison),
    Select,
    /// From another integer type.
    Convert(Type),
    /// Generic address to shared.
    ToShared,
    /// Shared address to generic.
    FromShared,
}

/// What a statement does.
#[derive(Debug, Clone)]
pub enum Operation {
    Compute {
        computation: Computation,
        kind: Type,
        d: Register,
        sources: Vec<Source>,
    },
    /// d = {low, ..., high}; each part is `width` bits wide.
    Pack {
        d: Register,
        parts: Vec<Source>,
        width: u32,
    },
    /// {low, ..., high} = a.
    Unpack {
        d: Vec<Register>,
        a: Register,
        width: u32,
    },
    LoadParameter {
        d: Register,
        kind: Type,
        offset: usize,
    },
    Load {
        space: Space,
        kind: Type,
        d: Vec<Register>,
        address: Address,
    },
    Store {
        space: Space,
        kind: Type,
        sources: Vec<Source>,
        address: Address,
    },
    Branch {
        target: usize,
    },
    Barrier,
    Exit,
    /// fence.proxy.async.
    ProxyFence,
    WgmmaFence,
    WgmmaCommit,
    WgmmaWait {
        groups: usize,
    },
    Nothing,
    Mma(Box<Mma>),
    WmmaLoad(Box<WmmaMemory>),
    WmmaStore(Box<WmmaMemory>),
    WmmaMultiply(Box<WmmaMultiply>),
    Wgmma(Box<Wgmma>),
}

/// One instruction.
#[derive(Debug, Clone)]
pub struct Statement {
    pub line: u32,
    pub text: String,
    /// Executed where the predicate has this value.
    pub guard: Option<(Register, bool)>,
    pub operation: Operation,
    /// The registers that it names.
    pub touched: Vec<Register>,
}

/// A parameter of a kernel.
#[derive(Debug, Clone)]
pub struct Parameter {
    pub name: String,
    pub kind: Type,
    pub offset: usize,
}

/// A kernel.
#[derive(Debug, Clone, Default)]
pub struct Kernel {
    pub name: String,
    pub parameters: Vec<Parameter>,
    /// Types of the registers.
    pub registers: Vec<Type>,
    pub statements: Vec<Statement>,
    /// One past the last byte of static shared memory.
    pub shared_end: usize,
    /// .reqntid, or the largest block of .maxntid.
    pub required_block: Option<[u32; 3]>,
    pub largest_block: Option<u32>,
}

/// A loaded module.
#[derive(Debug, Clone, Default)]
pub struct Program {
    pub kernels: Vec<Kernel>,
}
