//! What stands for the processor's instructions where there are none: nothing of it can be opened.

use super::block::{Lanes, Tile};
use super::{LaneOperation, TileOperation};

const REASON: &str = "this is no x86-64 processor under Linux";

/// No value of this type exists.
pub enum Tiles {}

/// No value of this type exists.
pub enum Vectors {}

/// Never asked: no engine is ready.
pub fn processor() -> String {
    REASON.to_owned()
}

impl Tiles {
    /// There is none.
    ///
    /// # Errors
    /// Always.
    pub fn open(_operation: TileOperation) -> Result<Tiles, String> {
        Err(REASON.to_owned())
    }

    pub fn run(&self, _tile: &mut Tile, _mxcsr: u32) -> u32 {
        match *self {}
    }
}

impl Vectors {
    /// There is none.
    ///
    /// # Errors
    /// Always.
    pub fn open(_operation: LaneOperation) -> Result<Vectors, String> {
        Err(REASON.to_owned())
    }

    pub fn run(&self, _lanes: &mut Lanes, _mxcsr: u32) -> u32 {
        match *self {}
    }
}
