//! A core between registers, so that it has a clock rate.

use super::core::Core;
use crate::emit::SourceFile;

/// The module's name, which no unit has.
pub(super) const CLOCKED: &str = "tensorsmith_clocked";

/// The core with registers around it. It has four pins, whatever the core: operands are shifted in, and the result's parity
/// comes out. Each bit of the operands is another one of the input, and each bit of the result counts, so that nothing of the
/// core can be left out.
pub(super) fn around(core: &Core) -> SourceFile {
    let (operands, operand_bits) = slices("operands_q", &core.inputs);
    let (results, result_bits) = slices("result_d", &core.outputs);
    let text = format!(
        "// {name} between registers: operands are shifted in, the result's parity is shifted out.

module {CLOCKED} (
    input  logic clk_i,     // rising edge
    input  logic ce_i,      // 1: registers take their values
    input  logic serial_i,  // operands, a bit a clock
    output logic parity_o   // of the result
);

  logic [{operands_top}:0] operands_q;
  logic [{result_top}:0] result_d, result_q;

  always_ff @(posedge clk_i) begin
    if (ce_i) begin
      operands_q <= {{operands_q[{operands_top}-1:0], serial_i}};
      result_q   <= result_d;
      parity_o   <= ^result_q;
    end
  end

  {module} u_core (
      {clock}{operands}, {results}
  );

endmodule
",
        name = core.name,
        module = core.module,
        clock = core.clock,
        operands_top = operand_bits - 1,
        result_top = result_bits - 1,
    );
    SourceFile { name: format!("{CLOCKED}.sv"), text }
}

/// Ports, each connected to bits of its own of a vector, and the bits of all. A port of no bits is not there.
fn slices(vector: &str, ports: &[(&str, u32)]) -> (String, u32) {
    let mut low = 0;
    let mut connections = Vec::new();
    for (port, width) in ports.iter().filter(|(_, width)| *width > 0) {
        connections.push(format!(".{port}({vector}[{low} +: {width}])"));
        low += width;
    }
    (connections.join(", "), low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::describe::catalogue;
    use crate::describe::unit::{Cut, Unit};

    fn around_unit(unit: &Unit) -> String {
        around(&Core::of_unit(unit).expect("a core")).text
    }

    #[test]
    fn every_port_has_bits_of_its_own() {
        let text = |name: &str| around_unit(&catalogue::unit(name).expect("a unit of the catalogue"));
        let tiny = text("tiny-truncating");
        assert!(tiny.contains(
            "tiny_truncating u_core (\n      .a_i(operands_q[0 +: 8]), .b_i(operands_q[8 +: 8]), .c_i(operands_q[16 +: 8]), \
             .d_o(result_d[0 +: 8])\n"
        ));
        assert!(tiny.contains("logic [23:0] operands_q;") && tiny.contains("logic [7:0] result_d, result_q;"));
        let flags = text("tiny-riscv");
        assert!(flags.contains(".flags_o(result_d[") && !flags.contains(".c_i("), "{flags}");
        let scaled = text("tiny-scaled");
        assert!(scaled.contains(".scale_a_i(operands_q[14 +: 4]), .scale_b_i(operands_q[18 +: 2]), .c_i("), "{scaled}");
        let mut unit = catalogue::unit("tiny-truncating").expect("a unit of the catalogue");
        unit.build.cuts = [Cut::Input].into();
        assert!(around_unit(&unit).contains("(\n      .clk_i(clk_i), .ce_i(ce_i), .a_i("));
    }
}
