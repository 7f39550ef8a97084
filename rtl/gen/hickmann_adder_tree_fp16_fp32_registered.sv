// Unit hickmann-adder-tree-fp16-fp32. Tree of rounded fp32 additions of four fp16 products and c, a candidate of Hickmann and Bradford.
//
//     d = ((a[0]*b[0] + a[1]*b[1]) + (a[2]*b[2] + a[3]*b[3])) + c
//
//     products        4
//     formats         a binary16, b binary16, c binary32, d binary32
//     step            a product, rounded once; or a sum of two, rounded once: the two oldest values that wait, c last
//     product window  28 bits, 26 of them fraction; lower bits are sticky
//     sum window      27 bits, 26 of them fraction; lower bits are sticky
//     conversion      to nearest, ties to even, overflow to what IEEE 754 says
//     subnormals      operands kept, addend kept, result kept, at each step
//     NaN and zero    every NaN is 0x7fc00000, exact zero sums as in IEEE 754-2019, 6.3
//     latency         0 cycles; the module named _registered: 2
//
// The sum of two, in units of 2^(anchor - F):
//
//     bit      28     27       26       25..0
//     sum   | sign | carry | integer | fraction |
//     bit 26 weighs 2^anchor, bit 0 weighs 2^(anchor - 26); lower bits of a term are ORed into bit 0
//
// Where the constants come from:
//
//     conversion.rounding: [chosen] to nearest, ties to even
//     products: [stated] Hickmann and Bradford, ARITH 2019, slides, Possible Micro-Architectures: four products, as in
//       the HMMA of Volta
//     scheme: [stated] Hickmann and Bradford, ARITH 2019, slides, Possible Micro-Architectures: a tree of FP adds;
//       that c is added last is chosen
//     subnormals: [chosen] kept
//
// Emitted; regenerate with: tensorsmith emit hickmann-adder-tree-fp16-fp32 --out DIR

// This module puts registers in front of and behind the core hickmann_adder_tree_fp16_fp32: a result appears two cycles of enable_i after its
// operands. enable_i = 0 holds every register; valid_o follows valid_i through the same two stages.

module hickmann_adder_tree_fp16_fp32_registered #(
    // Fixed by the unit's description, as in the core.
    parameter int Products      =  4,  // L: products, added in a tree
    parameter int OperandAWidth = 16,  // encoded a, binary16
    parameter int OperandBWidth = 16,  // encoded b, binary16
    parameter int AddendWidth   = 32,  // encoded c, binary32
    parameter int ResultWidth   = 32   // encoded d, binary32, and result of each step
) (
    input  logic                              clk_i,     // rising edge
    input  logic                              rst_ni,    // asynchronous reset, active low: clears valid_o
    input  logic                              enable_i,  // 1: registers advance
    input  logic                              valid_i,   // a_i, b_i and c_i hold operands
    input  logic [Products*OperandAWidth-1:0] a_i,       // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,       // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,       // c
    output logic                              valid_o,   // d_o holds a result
    output logic [ResultWidth-1:0]            d_o        // d
);

  // ---------------------------------------------------------------------------------------------- operands

  logic                              operands_valid_q;
  logic [Products*OperandAWidth-1:0] a_q;
  logic [Products*OperandBWidth-1:0] b_q;
  logic [AddendWidth-1:0]            c_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      operands_valid_q <= 1'b0;
      a_q              <= '0;
      b_q              <= '0;
      c_q              <= '0;
    end else if (enable_i) begin
      operands_valid_q <= valid_i;
      a_q              <= a_i;
      b_q              <= b_i;
      c_q              <= c_i;
    end
  end

  // ---------------------------------------------------------------------------------------------- core

  logic [ResultWidth-1:0] result_d;

  hickmann_adder_tree_fp16_fp32 #(
      .Products     (Products),
      .OperandAWidth(OperandAWidth),
      .OperandBWidth(OperandBWidth),
      .AddendWidth  (AddendWidth),
      .ResultWidth  (ResultWidth)
  ) u_core (
      .a_i(a_q),
      .b_i(b_q),
      .c_i(c_q),
      .d_o(result_d)
  );

  // ---------------------------------------------------------------------------------------------- result

  logic                   result_valid_q;
  logic [ResultWidth-1:0] result_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      result_valid_q <= 1'b0;
      result_q       <= '0;
    end else if (enable_i) begin
      result_valid_q <= operands_valid_q;
      result_q       <= result_d;
    end
  end

  assign valid_o = result_valid_q;
  assign d_o     = result_q;

endmodule
