// SPDX-License-Identifier: MIT OR Apache-2.0
// Signed sum of Count addends, wrapping to SumWidth bits: a balanced tree of Count - 1 adders.
//
// The addends are nodes 0 to Count - 1; each later node joins the two oldest nodes not yet joined, so that
// node n joins 2 * (n - Count) and the one after it, and the depth is the least possible.
//
//     addend    |        s | s ............. |      AddendWidth bits with sign s
//     leaf      | s .... s | s ............. |      SumWidth bits: extended, or its high bits dropped
//
// With Cut a register stands on every path, where a quarter to a half of the levels are still to come:
//
//     Count = 5     4   2   3   0   1      behind 3 joins two nodes are left, 6 and 7
//
// It never saturates. A SumWidth too small for the sum is legal, and the result is then the low bits of it.

module tensorsmith_adder_tree #(
    parameter int Count       = 5,   // addends, at least 1
    parameter int AddendWidth = 26,  // each addend, two's complement, sign included
    parameter int Cut         = 0,   // 1: registers on the way
    parameter int SumWidth    = 29   // sum, two's complement, sign included; may be any width
) (
    input  logic                                clk_i,      // rising edge
    input  logic                                ce_i,       // 1: registers take their values
    input  logic        [Count*AddendWidth-1:0] addends_i,  // addends, the first in the lowest bits
    output logic signed [SumWidth-1:0]          sum_o       // their sum modulo 2^SumWidth
);

  // Count leaves and Count - 1 adders; the last node is the root.
  localparam int NodeCount = 2 * Count - 1;

  // So many nodes hold the whole sum where the registers stand: the first ones not yet joined after Count - CutNodes joins.
  localparam int Levels   = $clog2(Count);
  localparam int CutNodes = 1 << (Levels / 2);
  localparam int CutFirst = 2 * (Count - CutNodes);

  for (genvar node = 0; node < NodeCount; node++) begin : gen_node
    logic signed [SumWidth-1:0] joined;
    logic signed [SumWidth-1:0] value;

    tensorsmith_delay #(
        .Width  (SumWidth),
        .Latency(Cut != 0 && node >= CutFirst && node < CutFirst + CutNodes ? 1 : 0)
    ) u_cut (
        .clk_i  (clk_i),
        .ce_i   (ce_i),
        .value_i(joined),
        .value_o(value)
    );

    if (node < Count) begin : gen_leaf
      assign joined = SumWidth'($signed(addends_i[node*AddendWidth +: AddendWidth]));
    end else begin : gen_join
      // The two children, both numbered lower than this node.
      localparam int Left  = 2 * (node - Count);
      localparam int Right = Left + 1;

      assign joined = gen_node[Left].value + gen_node[Right].value;
    end
  end

  assign sum_o = gen_node[NodeCount-1].value;

endmodule
