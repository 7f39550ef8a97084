// SPDX-License-Identifier: MIT OR Apache-2.0
// Signed maximum of Count values: a balanced tree of Count - 1 comparators.
//
// The values are nodes 0 to Count - 1; each later node joins the two oldest nodes not yet joined, so that
// node n joins 2 * (n - Count) and the one after it, and the depth is the least possible.
//
//     Count = 5     2   3      0   1
//                    \ /        \ /
//                     6     4    5
//                      \     \  /
//                       \     7
//                        \   /
//                          8           the root, node 2 * Count - 2
//
// It never tells which value was the largest. With the sign bit turned, signed values lie in the order of unsigned ones, which
// Yosys' synth_ecp5 compares in one carry chain; that of a signed comparison is left and entered once more.

module tensorsmith_maximum_tree #(
    parameter int Count = 5,  // values, at least 1
    parameter int Width = 9   // each value, two's complement, sign included
) (
    input  logic        [Count*Width-1:0] values_i,  // values, the first in the lowest bits
    output logic signed [Width-1:0]       maximum_o  // the largest
);

  // Count leaves and Count - 1 comparators; the last node is the root.
  localparam int NodeCount = 2 * Count - 1;
  localparam logic [Width-1:0] Sign = Width'(1) << (Width - 1);

  for (genvar node = 0; node < NodeCount; node++) begin : gen_node
    logic [Width-1:0] value;  // sign bit turned

    if (node < Count) begin : gen_leaf
      assign value = values_i[node*Width +: Width] ^ Sign;
    end else begin : gen_join
      // The two children, both numbered lower than this node.
      localparam int Left  = 2 * (node - Count);
      localparam int Right = Left + 1;

      assign value = gen_node[Left].value > gen_node[Right].value ? gen_node[Left].value
                                                                  : gen_node[Right].value;
    end
  end

  assign maximum_o = gen_node[NodeCount-1].value ^ Sign;

endmodule
