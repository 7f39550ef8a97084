//! Where the elements of a tile lie in the registers or in the memory of the threads that multiply it.
//!
//! A tile's *image* is what these threads load or store: register by register, and in each register lane by lane, so that
//! neighbouring lanes load neighbouring words. Matrix instructions place elements by the bits of lane, register and position
//! within the register: each of these bits counts along one axis of the tile. A list of such steps is the whole layout.
//!
//! Architecture invariant: no driver and no kernel here; a layout is a table.

mod mfma;
mod mma;
mod tcgen05;
mod tile;
mod wgmma;
mod wmma;

pub use tile::{Tile, columns};
pub use wgmma::core_strides;

use crate::describe::instruction::{Form, Instruction};

/// The columns of D where an instruction leaves them open.
const OPEN_COLUMNS: usize = 64;

impl Tile {
    /// The tile of an instruction, or why there is none.
    ///
    /// # Errors
    /// The layout of this kind of instruction is not known here.
    pub fn of(instruction: &Instruction) -> Result<Tile, String> {
        Tile::with_columns(instruction, OPEN_COLUMNS)
    }

    /// The tile of an instruction, with so many columns where the instruction leaves their number open.
    ///
    /// # Errors
    /// The layout of this kind of instruction is not known here.
    pub fn with_columns(instruction: &Instruction, columns: usize) -> Result<Tile, String> {
        let form =
            instruction.form.ok_or_else(|| format!("{} names no matrix instruction of a GPU", instruction.name))?;
        if let Some(scales) = &instruction.unit.scales {
            let format = &scales.a.name;
            return Err(format!("no kernel gives {} its scales ({format}) yet", instruction.name));
        }
        match form {
            Form::Mma => mma::tile(instruction),
            Form::Wmma => Ok(wmma::tile(instruction)),
            Form::Wgmma => Ok(wgmma::tile(instruction, columns)),
            Form::Mfma => mfma::tile(instruction),
            Form::Tcgen05 => Ok(tcgen05::tile(instruction, columns)),
        }
    }
}

/// An axis of a tile. Some instructions multiply several independent tiles, their blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    Row,
    Column,
    Block,
}

/// How far one bit of a place goes along an axis.
pub type Step = (Axis, usize);

/// Elements of one operand of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub blocks: usize,
    pub rows: usize,
    pub columns: usize,
}

impl Size {
    fn count(self) -> usize {
        self.blocks * self.rows * self.columns
    }
}

/// What the place of an element is made of, least significant bit first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    pub lanes: Vec<Step>,
    pub registers: Vec<Step>,
    /// Positions within a register.
    pub elements: Vec<Step>,
}

/// Places of one operand's elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fragment {
    pub size: Size,
    /// Bits of the container of an element.
    width: u32,
    /// Bits by which the element is shifted left in its container.
    shift: u32,
    /// Bytes of the image of a tile.
    pub bytes: usize,
    /// Bit offset of every element within the image; blocks, then rows, then columns.
    offsets: Vec<u32>,
}

/// The index that the bits of `number` reach along each axis.
fn reached(steps: &[Step], number: usize, index: &mut [usize; 3]) {
    for (bit, (axis, stride)) in steps.iter().enumerate() {
        index[*axis as usize] += (number >> bit & 1) * stride;
    }
}

impl Fragment {
    /// Elements in registers. Registers have 32 bits, or the width of an element where that is more.
    ///
    /// # Panics
    /// The steps do not reach every element exactly once.
    pub fn in_registers(size: Size, width: u32, places: &Places) -> Fragment {
        let (lanes, elements) = (1 << places.lanes.len(), 1 << places.elements.len());
        let register_width = width.max(32) as usize;
        assert_eq!(elements * width as usize, register_width, "elements fill their register");
        // The last bit of the register's number need not be used up: 24 columns are three times 8.
        let registers = size.count() / (lanes * elements);
        let mut offsets = vec![u32::MAX; size.count()];
        for register in 0..registers {
            for lane in 0..lanes {
                for element in 0..elements {
                    let mut index = [0; 3];
                    reached(&places.lanes, lane, &mut index);
                    reached(&places.registers, register, &mut index);
                    reached(&places.elements, element, &mut index);
                    let [row, column, block] = index;
                    assert!(row < size.rows && column < size.columns && block < size.blocks, "within the tile");
                    let offset = &mut offsets[(block * size.rows + row) * size.columns + column];
                    assert_eq!(*offset, u32::MAX, "each element once");
                    *offset = ((register * lanes + lane) * register_width + element * width as usize) as u32;
                }
            }
        }
        assert!(!offsets.contains(&u32::MAX), "each element");
        Fragment { size, width, shift: 0, bytes: registers * lanes * register_width / 8, offsets }
    }

    /// Elements in memory, at the bit offsets that `place` gives for row and column.
    ///
    /// # Panics
    /// The size has more than one block.
    pub fn in_memory(size: Size, width: u32, place: impl Fn(usize, usize) -> usize) -> Fragment {
        assert_eq!(size.blocks, 1, "one block in memory");
        let indices = (0..size.rows).flat_map(|row| (0..size.columns).map(move |column| (row, column)));
        let offsets: Vec<u32> = indices.map(|(row, column)| place(row, column) as u32).collect();
        let end = offsets.iter().max().map_or(0, |last| last + width);
        Fragment { size, width, shift: 0, bytes: end as usize / 8, offsets }
    }

    /// The same places, with elements shifted left in their containers.
    pub fn shifted(self, shift: u32) -> Fragment {
        Fragment { shift, ..self }
    }

    /// 32-bit words of the image.
    pub fn words(&self) -> usize {
        self.bytes / 4
    }

    fn offset(&self, block: usize, row: usize, column: usize) -> usize {
        self.offsets[(block * self.size.rows + row) * self.size.columns + column] as usize
    }

    /// Puts an element into the image.
    #[inline]
    pub fn put(&self, image: &mut [u8], [block, row, column]: [usize; 3], element: u64) {
        let offset = self.offset(block, row, column);
        let (byte, element) = (offset / 8, element << self.shift);
        if self.width < 8 {
            // The element may lie across the border of two bytes.
            let (low, mask) = (offset as u32 % 8, (1 << self.width) - 1);
            let across = offset / 8 != (offset + self.width as usize - 1) / 8;
            let last = if across { byte + 1 } else { byte };
            let word = u16::from_le_bytes([image[byte], image[last]]);
            let [first, second] = (word & !(mask << low) | (element as u16) << low).to_le_bytes();
            image[last] = second;
            image[byte] = first;
            return;
        }
        let bytes = self.width as usize / 8;
        image[byte..][..bytes].copy_from_slice(&element.to_le_bytes()[..bytes]);
    }

    /// The element in the image.
    #[inline]
    pub fn get(&self, image: &[u8], [block, row, column]: [usize; 3]) -> u64 {
        let offset = self.offset(block, row, column);
        let (byte, last) = (offset / 8, (offset + self.width as usize - 1) / 8);
        let mut word = [0; 8];
        word[..=last - byte].copy_from_slice(&image[byte..=last]);
        u64::from_le_bytes(word) >> (offset % 8) >> self.shift & (u64::MAX >> (64 - self.width))
    }
}

/// Steps of 1, 2, 4 ... up to but not including `end`, times `stride`.
fn doubling(axis: Axis, stride: usize, end: usize) -> Vec<Step> {
    std::iter::successors(Some(stride), |step| Some(step * 2))
        .take_while(|step| *step < end)
        .map(|step| (axis, step))
        .collect()
}
