//! What a board holds: a unit, or a tile of an instruction.

use crate::describe::instruction::{Instruction, Shape};
use crate::describe::interface::Interface;
use crate::describe::subject::Subject;
use crate::describe::unit::{Evidence, Grade, Unit};
use crate::emit::tile::{Size, Tile, TileError};
use crate::emit::{EmitError, SourceFile, context, design, digest};

/// Hexadecimal digits of the digest of a description that a board tells.
const DIGEST_DIGITS: usize = 32;

/// Most bits of a vector that a board takes, and of what it answers: a good deal more than today's have room for.
pub const BITS_MAX: u32 = 1 << 16;

/// A unit, or a tile of an instruction, with the registers that it has on the board.
#[derive(Debug, Clone)]
#[expect(clippy::large_enum_variant, reason = "one a board")]
pub enum Held {
    Unit(Unit),
    Tile(Tile),
}

impl From<Unit> for Held {
    fn from(unit: Unit) -> Held {
        Held::Unit(unit)
    }
}

impl TryFrom<Tile> for Held {
    type Error = TileError;

    /// # Errors
    /// A vector of the tile, or what it answers, has more than [`BITS_MAX`] bits.
    fn try_from(tile: Tile) -> Result<Held, TileError> {
        let (size, interface) = (tile.size, tile.instruction.interface());
        let bits = size.bits_of(&interface).max(size.cells() as u32 * interface.answer_width());
        match bits > BITS_MAX {
            true => Err(TileError::Wide { name: tile.instruction.name, size, bits, most: BITS_MAX }),
            false => Ok(Held::Tile(tile)),
        }
    }
}

impl Held {
    /// Name of the unit or the instruction.
    pub fn name(&self) -> &str {
        match self {
            Held::Unit(unit) => &unit.name,
            Held::Tile(tile) => &tile.instruction.name,
        }
    }

    /// What it is, at the beginning of a sentence.
    pub(super) fn title(&self) -> String {
        match self {
            Held::Unit(unit) => format!("Unit {}", unit.name),
            Held::Tile(tile) => format!("{} tile of {}", tile.size, tile.instruction.name),
        }
    }

    /// What the names of its files begin with, but for its description's.
    pub(super) fn stem(&self) -> String {
        match self {
            Held::Unit(unit) => unit.module_name(),
            Held::Tile(tile) => tile.module_name(),
        }
    }

    /// Name of the module at the end of the line.
    pub fn module_name(&self) -> String {
        format!("{}_board", self.stem())
    }

    /// What is asked of it, whoever answers.
    pub fn subject(&self) -> Subject {
        match self {
            Held::Unit(unit) => unit.clone().into(),
            Held::Tile(tile) => tile.instruction.clone().into(),
        }
    }

    /// Formats and products of an element of D.
    pub fn interface(&self) -> Interface {
        match self {
            Held::Unit(unit) => unit.interface(),
            Held::Tile(tile) => tile.instruction.interface(),
        }
    }

    /// How many elements of D it makes of a vector; none of a unit, which makes one.
    pub fn size(&self) -> Option<Size> {
        match self {
            Held::Unit(_) => None,
            Held::Tile(tile) => Some(tile.size),
        }
    }

    /// Clocks that a vector takes when others follow.
    pub fn steps(&self) -> usize {
        match self {
            Held::Unit(_) => 1,
            Held::Tile(tile) => tile.instruction.blocks().len(),
        }
    }

    /// Bits of a vector: of a tile all rows of A, columns of B and elements of C that it takes.
    pub fn operand_bits(&self) -> u32 {
        match self {
            Held::Unit(unit) => unit.interface().input_bits(),
            Held::Tile(tile) => tile.size.bits_of(&tile.instruction.interface()),
        }
    }

    fn units(&self) -> Vec<&Unit> {
        match self {
            Held::Unit(unit) => vec![unit],
            Held::Tile(tile) => tile.instruction.units().collect(),
        }
    }

    /// Registers between operands and result, of each of its units.
    pub(super) fn latency(&self) -> u32 {
        self.units()[0].latency()
    }

    /// Where its units have registers, as text.
    pub(super) fn cuts(&self) -> String {
        let cuts: Vec<&str> = self.units()[0].build.cuts.iter().map(|cut| cut.name()).collect();
        if cuts.is_empty() { "none".to_owned() } else { cuts.join("+") }
    }

    /// What boards have in common that answer alike by their descriptions.
    pub(super) fn digest(&self) -> String {
        match self {
            Held::Unit(unit) => digest_of_unit(unit),
            Held::Tile(tile) => digest_of_tile(&tile.instruction),
        }
    }

    /// Its modules, each behind what it instantiates; the last one has two streams.
    ///
    /// # Errors
    /// A template is broken.
    pub(super) fn sources(&self) -> Result<Vec<SourceFile>, EmitError> {
        match self {
            Held::Unit(unit) => {
                let mut files = design(unit)?;
                let registered = format!("{}_registered.sv", unit.module_name());
                files.retain(|file| file.name.ends_with(".sv") && file.name != registered);
                Ok(files)
            }
            Held::Tile(tile) => tile.whole_sources(),
        }
    }

    /// The files that describe it; the host takes the first one.
    pub(super) fn descriptions(&self) -> Vec<SourceFile> {
        let of_unit = |unit: &Unit| SourceFile { name: format!("{}.toml", unit.module_name()), text: unit.to_toml() };
        match self {
            Held::Unit(unit) => vec![of_unit(unit)],
            Held::Tile(Tile { instruction, .. }) => {
                let mut files: Vec<SourceFile> = instruction.units().map(of_unit).collect();
                let text = instruction.to_toml(&files[0].name, files.get(1).map(|file| file.name.as_str()));
                let name = format!("{}.toml", instruction.name.replace('-', "_"));
                if instruction.is_alone() {
                    return files;
                }
                let is_taken = files.iter().any(|file| file.name == name);
                let name = if is_taken { name.replace(".toml", "_instruction.toml") } else { name };
                files.insert(0, SourceFile { name, text });
                files
            }
        }
    }

    /// The command that writes it without a board.
    pub(super) fn command(&self) -> String {
        match self {
            Held::Unit(unit) => context::of(unit)
                .get("command")
                .and_then(|text| text.as_str().map(str::to_owned))
                .expect("the context of a unit has its command"),
            Held::Tile(tile) => tile.command(),
        }
    }
}

/// The digest that boards with a unit tell.
pub fn digest_of_unit(unit: &Unit) -> String {
    told(&Unit { name: "unit".to_owned(), ..unit.clone() }.arithmetic_to_toml())
}

/// The digest that boards with a tile of an instruction tell, whatever its size.
pub fn digest_of_tile(instruction: &Instruction) -> String {
    let units = instruction.with_units(|unit| Unit { name: "unit".to_owned(), ..unit.clone() });
    let plain = Instruction {
        name: "instruction".to_owned(),
        summary: String::new(),
        shape: Shape { m: 1, n: 1, ..units.shape },
        form: None,
        kind: None,
        tiles: None,
        evidence: Evidence { grade: Grade::Inferred, source: String::new() },
        recordings: Vec::new(),
        ..units
    };
    let adder = plain.final_addition.as_ref().map(|_| "final-addition.toml");
    let texts = std::iter::once(plain.to_toml("unit.toml", adder)).chain(plain.units().map(Unit::arithmetic_to_toml));
    told(&texts.collect::<String>())
}

fn told(text: &str) -> String {
    digest(text.as_bytes())[..DIGEST_DIGITS].to_owned()
}
