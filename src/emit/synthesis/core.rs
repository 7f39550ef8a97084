//! What is mapped: a module with what it consists of, and its ports.

use super::super::tile::Tile;
use super::super::{EmitError, SourceFile, module};
use crate::describe::unit::{Flags, Unit};

/// Ports beside the clock: names and widths.
type Ports = Vec<(&'static str, u32)>;

/// A module to be mapped.
#[derive(Debug, Clone)]
pub(super) struct Core {
    /// As people call it.
    pub name: String,
    /// The module at the top.
    pub module: String,
    pub files: Vec<SourceFile>,
    /// Modules that are mapped once, however often they are there.
    pub repeated: Vec<String>,
    pub inputs: Ports,
    pub outputs: Ports,
    /// How it is connected to `clk_i` and `ce_i`.
    pub clock: &'static str,
}

impl Core {
    /// The module of a unit.
    pub(super) fn of_unit(unit: &Unit) -> Result<Core, EmitError> {
        let formats = &unit.formats;
        let scales = unit.interface().scale_widths();
        Ok(Core {
            name: unit.name.clone(),
            module: unit.module_name(),
            files: module(unit)?,
            repeated: Vec::new(),
            inputs: vec![
                ("a_i", unit.products * formats.a.width()),
                ("b_i", unit.products * formats.b.width()),
                ("scale_a_i", unit.scale_count() * scales[0]),
                ("scale_b_i", unit.scale_count() * scales[1]),
                ("c_i", if unit.has_addend() { formats.c.width() } else { 0 }),
            ],
            outputs: vec![
                ("d_o", formats.d.width()),
                ("flags_o", if unit.conversion.flags { Flags::WIDTH } else { 0 }),
            ],
            clock: if unit.build.cuts.is_empty() { "" } else { ".clk_i(clk_i), .ce_i(ce_i), " },
        })
    }

    /// The module of a tile. It is reset as often as an operand has a bit that says so.
    pub(super) fn of_tile(tile: &Tile) -> Result<Core, EmitError> {
        let instruction = &tile.instruction;
        let results = tile.size.cells() as u32 * instruction.d().width();
        Ok(Core {
            name: format!("the {} tile of {}", tile.size, instruction.name),
            module: tile.module_name(),
            files: tile.sources()?,
            repeated: instruction.units().map(Unit::module_name).collect(),
            inputs: vec![
                ("aresetn", 1),
                ("s_axis_tdata", tile.operand_bits()),
                ("s_axis_tvalid", 1),
                ("s_axis_tlast", 1),
                ("s_axis_tid", tile.slot_bits),
                ("m_axis_tready", 1),
            ],
            outputs: vec![
                ("s_axis_tready", 1),
                ("m_axis_tdata", results),
                ("m_axis_tvalid", 1),
                ("m_axis_tid", tile.slot_bits),
            ],
            clock: ".aclk(clk_i), ",
        })
    }

    /// The lines of a script that read the files, and keep what is repeated as it is.
    pub(super) fn reading(&self, more: &[SourceFile]) -> String {
        let names: Vec<&str> = self.files.iter().chain(more).map(|file| file.name.as_str()).collect();
        let kept = self.repeated.iter().map(|module| format!("setattr -mod -set keep_hierarchy 1 {module}\n"));
        format!("read_verilog -sv {}\n{}", names.join(" "), kept.collect::<String>())
    }
}
