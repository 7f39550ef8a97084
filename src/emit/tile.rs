//! A tile of an instruction: a grid of its units between two streams, which adds step by step along K.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::instance::{NON_FINITE, code};
use super::kit::with_registers;
use super::shape::ports;
use super::{EmitError, SourceFile, add_new, context, library, module, render_with};
use crate::describe::catalogue;
use crate::describe::format::{Format, Overflow, Rounding};
use crate::describe::instruction::{Instruction, Order, Start};
use crate::describe::interface::Interface;
use crate::describe::unit::{Build, Cut, Family, Scheme, Unit};

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        /// Modules of tiles alone: name and text.
        pub const MODULES: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../rtl/tile/", $name)))),*];
    };
}

files!("tensorsmith_ring.sv", "tensorsmith_widen.sv");

/// The module that a tile has beside these where whole packets come at once.
const INTERLEAVE: (&str, &str) =
    ("tensorsmith_interleave.sv", include_str!("../../rtl/tile/tensorsmith_interleave.sv"));

/// Places of K in a line of an emitted constant.
const PLACES: usize = 8;
/// Most rows or columns of a tile.
const SIZE_MAX: u32 = 64;

/// How many rows and columns of D a tile has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size {
    pub rows: u32,
    pub columns: u32,
}

impl Size {
    /// One element.
    pub const ONE: Size = Size { rows: 1, columns: 1 };
    /// What a text for a size has to be.
    pub const ALLOWED: &str = "ROWSxCOLUMNS, such as 4x4, each 1 to 64";

    /// Elements of D in a tile.
    pub fn cells(self) -> usize {
        (self.rows * self.columns) as usize
    }

    /// Elements of D in a tile of which no two share a row of A or a column of B.
    pub fn apart(self) -> usize {
        self.rows.min(self.columns) as usize
    }

    /// Row and column of one of these, on a diagonal that is another one in every tile.
    pub fn diagonal(self, tile: usize, index: usize) -> (usize, usize) {
        match self.rows <= self.columns {
            true => (index, (index + tile) % self.columns as usize),
            false => ((index + tile) % self.rows as usize, index),
        }
    }

    /// Bits of the rows of A, the columns of B, scales and C of a tile whose elements take these operands.
    pub fn bits_of(self, element: &Interface) -> u32 {
        let Interface { products, formats, .. } = element;
        let count = element.scale_count();
        let [scale_a, scale_b] = element.scale_widths();
        self.rows * (products * formats.a.width() + count * scale_a)
            + self.columns * (products * formats.b.width() + count * scale_b)
            + self.rows * self.columns * formats.c.width()
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let number = |text: &str| {
            let is_plain = !text.starts_with('0') && text.bytes().all(|digit| digit.is_ascii_digit());
            text.parse().ok().filter(|number| is_plain && (1..=SIZE_MAX).contains(number))
        };
        let sizes = text.split_once('x').and_then(|(rows, columns)| number(rows).zip(number(columns)));
        let size = sizes.map(|(rows, columns)| Size { rows, columns });
        size.ok_or_else(|| format!("allowed: {}", Size::ALLOWED))
    }
}

impl fmt::Display for Size {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{}x{}", self.rows, self.columns)
    }
}

/// An instruction whose units have registers, as tiles have them where nobody said otherwise.
pub fn pipelined(instruction: &Instruction) -> Instruction {
    instruction.with_units(registered)
}

/// The unit with registers: its own, or those of the longest measured row, or behind every step, or one at every place.
fn registered(unit: &Unit) -> Unit {
    let steps = unit.scheme == Scheme::Steps || unit.scheme.rounds_each_operation();
    match unit.scheme.family() {
        _ if !unit.build.cuts.is_empty() => unit.clone(),
        Family::Fused => with_registers(unit.clone()),
        _ if steps => unit.with_cuts([Cut::Input, Cut::Step]),
        _ => unit.with_cuts(Cut::places(unit.scheme).iter().copied()),
    }
}

/// What the test of a tile gives it, and what has to come out: lines of memory files.
#[derive(Debug, Clone, Default)]
pub struct Golden {
    /// A line a step: its operands, and on top of them whether it is the last one of its tile. Slots take turns.
    pub steps: Vec<String>,
    /// A line a tile of D.
    pub results: Vec<String>,
}

/// Why an instruction has no tile.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TileError {
    #[error("{0} has no c, to which a tile adds step by step")]
    Addend(String),
    #[error("{0} has exception flags, which a tile does not gather")]
    Flags(String),
    #[error("{name}: {from} becomes {to}, which a tile does for floating-point numbers only")]
    Integer { name: String, from: String, to: String },
    #[error("a {size} tile of {name} takes or gives {bits} bits at once; a board {most} at most")]
    Wide { name: String, size: Size, bits: u32, most: u32 },
}

/// A tile of an instruction.
#[derive(Debug, Clone)]
pub struct Tile {
    /// With the registers of the tile's units.
    pub instruction: Instruction,
    pub size: Size,
    /// Two to this power tiles of D are under way at once.
    pub slot_bits: u32,
}

impl Tile {
    /// A tile of these many units, with the registers that the instruction's units have. It has as many slots as it takes for a
    /// step in every clock.
    ///
    /// # Errors
    /// The instruction has none.
    pub fn new(instruction: &Instruction, size: Size) -> Result<Tile, TileError> {
        let name = || instruction.name.clone();
        if !instruction.unit.has_addend() {
            return Err(TileError::Addend(name()));
        }
        if instruction.units().any(|unit| unit.conversion.flags) {
            return Err(TileError::Flags(name()));
        }
        let instruction = instruction.clone();
        let slot_bits = (instruction.unit.latency() + 1).next_power_of_two().ilog2().max(1);
        let tile = Tile { instruction, size, slot_bits };
        for (from, to) in tile.widenings() {
            if from != to && from.is_integer() {
                return Err(TileError::Integer { name: name(), from: from.name.clone(), to: to.name.clone() });
            }
        }
        Ok(tile)
    }

    /// Name of its module.
    pub fn module_name(&self) -> String {
        format!("{}_tile", self.stem())
    }

    /// What the names of its files begin with.
    fn stem(&self) -> String {
        self.instruction.name.replace('-', "_")
    }

    /// What it takes of the stream at a step: the instruction's operands, but only the unit's number of products.
    pub fn step(&self) -> Interface {
        Interface { products: self.instruction.unit.products, ..self.instruction.interface() }
    }

    /// Bits of the operands of a step.
    pub fn operand_bits(&self) -> u32 {
        self.size.bits_of(&self.step())
    }

    /// From the instruction's formats to those of its units: of a, b, c, and of sums to c.
    fn widenings(&self) -> [(&Format, &Format); 4] {
        let Instruction { unit, final_addition, a, b, c, .. } = &self.instruction;
        let own = &unit.formats;
        let (unit_a, unit_b) = if self.instruction.exchanged() { (&own.b, &own.a) } else { (&own.a, &own.b) };
        let adder = final_addition.as_ref().unwrap_or(unit);
        [(a, unit_a), (b, unit_b), (c, &adder.formats.c), (if self.chains() { &own.d } else { &own.c }, &own.c)]
    }

    /// Whether a sum can be the c of the next step; else a packet has one step.
    fn chains(&self) -> bool {
        let own = &self.instruction.unit.formats;
        own.c.holds(&own.d)
    }

    /// All sources, each behind what it instantiates; the last one is the tile.
    ///
    /// # Errors
    /// A template is broken.
    pub fn sources(&self) -> Result<Vec<SourceFile>, EmitError> {
        let mut files = Vec::new();
        for unit in self.instruction.units() {
            add_new(&mut files, module(unit)?);
        }
        for name in ["tensorsmith_stream", "tensorsmith_leading_zeros", "tensorsmith_unpack"] {
            add_new(&mut files, library(name));
        }
        files.extend(MODULES.iter().map(SourceFile::from));
        let text = render_with("tile.sv", &self.context())?;
        files.push(SourceFile { name: format!("{}.sv", self.module_name()), text });
        Ok(files)
    }

    /// The sources, and on top of them a module that takes the operands of whole tiles at once.
    ///
    /// # Errors
    /// A template is broken.
    pub fn whole_sources(&self) -> Result<Vec<SourceFile>, EmitError> {
        let mut files = self.sources()?;
        files.push(SourceFile::from(&INTERLEAVE));
        let Instruction { shape, unit, .. } = &self.instruction;
        let blocks = self.instruction.blocks();
        let none = shape.k as usize;
        let places = blocks.iter().flat_map(|block| {
            let missing = unit.products as usize - block.len();
            block.iter().copied().chain(std::iter::repeat_n(none, missing))
        });
        let places: Vec<String> = places.map(|place| format!("32'd{place}")).collect();
        let mut context = self.context();
        context.insert("k", &shape.k);
        context.insert("steps", &blocks.len());
        // The first one is the lowest, which stands last.
        let mut lines: Vec<String> = places
            .rchunks(PLACES)
            .map(|line| line.iter().rev().cloned().collect::<Vec<_>>().join(", ") + ",")
            .collect();
        if let Some(last) = lines.last_mut() {
            last.pop();
        }
        context.insert("places", &lines);
        let text = render_with("tile_stream.sv", &context)?;
        files.push(SourceFile { name: format!("{}_stream.sv", self.module_name()), text });
        Ok(files)
    }

    /// The sources, a list of them in the order in which tools read them, a test with golden matrices, and the descriptions of the
    /// units.
    ///
    /// # Errors
    /// A template is broken.
    pub fn files(&self, golden: &Golden) -> Result<Vec<SourceFile>, EmitError> {
        let mut files = self.sources()?;
        let list = files.iter().map(|file| format!("{}\n", file.name)).collect();
        files.push(SourceFile { name: format!("{}.f", self.module_name()), text: list });
        let mut context = self.context();
        context.insert("steps", &golden.steps.len());
        context.insert("tiles", &golden.results.len());
        let test = render_with("tile_test.sv", &context)?;
        files.push(SourceFile { name: format!("{}_test.sv", self.module_name()), text: test });
        for (what, lines) in [("steps", &golden.steps), ("results", &golden.results)] {
            let text = lines.iter().map(|line| format!("{line}\n")).collect();
            files.push(SourceFile { name: format!("{}_{what}.hex", self.module_name()), text });
        }
        for unit in self.instruction.units() {
            files.push(SourceFile { name: format!("{}.toml", unit.module_name()), text: unit.to_toml() });
        }
        Ok(files)
    }

    fn context(&self) -> tera::Context {
        let Instruction { name, unit, final_addition, start, .. } = &self.instruction;
        let interface = self.step();
        let mut context = tera::Context::new();
        context::stream(&interface, &mut context);
        let latency = unit.latency();
        context.insert("instruction", name);
        context.insert("module", &self.stem());
        context.insert("command", &self.command());
        context.insert("rows", &self.size.rows);
        context.insert("columns", &self.size.columns);
        context.insert("slot_bits", &self.slot_bits);
        context.insert("shape", &ports(&interface, "places of K in a step", None));
        context.insert("products", &unit.products);
        context.insert("order", &self.order());
        context.insert("chains", &self.chains());
        context.insert("addend_comes", self.addend_comes());
        context.insert("adds_at_end", &(*start == Start::Zero));
        context.insert("latency", &latency);
        context.insert("latency_1", &(latency + 1));
        context.insert("pipelined", &(latency > 0));
        context.insert("unit_module", &unit.module_name());
        context.insert("exchanged", &self.instruction.exchanged());
        context.insert("zero", &encoding(&unit.formats.c, unit.formats.c.zero(false)));
        let widenings = self.widenings();
        for (name, (from, to)) in ["widen_a", "widen_b", "widen_c", "widen_sum"].into_iter().zip(widenings) {
            context.insert(name, &widening(from, to));
        }
        context.insert("unit_a_width", &widenings[0].1.width());
        context.insert("unit_b_width", &widenings[1].1.width());
        context.insert("unit_c_width", &unit.formats.c.width());
        context.insert("sum_width", &unit.formats.d.width());
        if let Some(adder) = final_addition {
            let formats = &adder.formats;
            context.insert("adder_module", &adder.module_name());
            context.insert("adder_pipelined", &!adder.build.cuts.is_empty());
            context.insert("adder_latency", &adder.latency());
            context.insert("adder_c_width", &formats.c.width());
            let one = formats.b.from_f64(1.0, Rounding::NearestEven, Overflow::Ieee);
            context.insert("one", &encoding(&formats.b, one));
        }
        context
    }

    /// When C comes, as sentences.
    fn addend_comes(&self) -> &'static str {
        let Instruction { start, c, .. } = &self.instruction;
        match start {
            Start::Zero if !self.chains() => {
                "Sums start from zero. C comes with each step, and is added at the end: a packet has one."
            }
            Start::Zero => {
                "Sums start from zero. C comes with the last step, is not looked at in the others, and is added at the end."
            }
            Start::Addend if !self.chains() => "C comes with each step: a packet has one.",
            Start::Addend if c.holds(self.instruction.d()) => {
                "C comes with the first step and is not looked at in the others. More steps are more of the instruction: D is the next C."
            }
            Start::Addend => "C comes with the first step and is not looked at in the others.",
        }
    }

    /// The command that writes the files again.
    pub(super) fn command(&self) -> String {
        let Instruction { name, unit, .. } = &self.instruction;
        let plain = |unit: &Unit| Unit { build: Build::default(), ..unit.clone() };
        let same = self.instruction.with_units(plain);
        let known =
            catalogue::instruction(name).or_else(|| catalogue::unit(name).map(Instruction::alone)) == Some(same);
        let subject = if known { name.as_str() } else { "FILE" };
        let options = unit.build.options(&registered(&unit.combinational()).build.cuts);
        format!("tensorsmith emit {subject} --tile {}{options} --out DIR", self.size)
    }

    /// Which places of K a step takes, as a sentence.
    fn order(&self) -> String {
        let Instruction { shape, order, unit, .. } = &self.instruction;
        let steps = self.instruction.blocks().len();
        let zeros = if shape.k < steps as u32 * unit.products { " What is missing are zeros." } else { "" };
        match order {
            Order::Contiguous => format!("K is {}: {steps} of them, in its order.{zeros}", shape.k),
            Order::InterleavedPairs => {
                format!("K is {}: first its places i with i / 2 even, then those with i / 2 odd.{zeros}", shape.k)
            }
        }
    }
}

/// An encoding as SystemVerilog has it.
fn encoding(format: &Format, bits: u64) -> String {
    format!("{}'h{bits:x}", format.width())
}

/// The parameters of tensorsmith_widen, in lines; none where nothing changes.
pub fn widening(from: &Format, to: &Format) -> Vec<String> {
    if from == to {
        return Vec::new();
    }
    let format = |side: &str, format: &Format| {
        let fields = [
            ("SignBits", i64::from(format.signed)),
            ("ExponentBits", format.exponent_bits.into()),
            ("FractionBits", format.fraction_bits.into()),
            ("PaddingBits", format.padding_bits.into()),
            ("Bias", format.bias.into()),
            ("NonFinite", code(&NON_FINITE, format.non_finite) as i64),
        ];
        let given = fields.map(|(name, value)| format!(".{side}{name}({value})"));
        format!("{},  // {}", given.join(", "), format.name)
    };
    vec![format("From", from), format("To", to), format!(".Nan(64'h{:x})", to.nan().unwrap_or(0))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        assert_eq!("4x16".parse(), Ok(Size { rows: 4, columns: 16 }));
        for text in ["", "4", "0x4", "4x65", "04x4", "4x4x4", "+4x4", "4X4"] {
            assert_eq!(text.parse::<Size>(), Err(format!("allowed: {}", Size::ALLOWED)), "{text}");
        }
    }
}
