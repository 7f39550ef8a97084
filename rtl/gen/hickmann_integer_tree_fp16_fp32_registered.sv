// Unit hickmann-integer-tree-fp16-fp32. Hickmann and Bradford's tree of integer adders: 4 fp16 products, fp32 addend and result, 24-bit window.
//
//     d = convert(c + a[0]*b[0] + ... + a[3]*b[3])
//
//     products        4
//     formats         a binary16, b binary16, c binary32, d binary32
//     product         exact, in [1, 4), not normalised
//     alignment       23 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor  none
//     carry bits      3, as many as any sum can need
//     conversion      truncation, overflow to infinity
//     subnormals      operands kept, addend flushed, result flushed
//     NaN and zero    every NaN is 0x7fc00000, an exact zero sum is +0
//     latency         0 cycles; the module named _registered: 2
//
// The sum, in units of 2^(anchor - F):
//
//     bit      28    27..25   24..23     22..0
//     sum   | sign | carry  | integer | fraction |
//     bit 23 weighs 2^anchor, bit 0 weighs 2^(anchor - 23); lower bits of a term are cut
//
// Where the constants come from:
//
//     alignment.exponent_floor: [chosen] not said; none: it could not act, every product of fp16 numbers lies above
//     alignment.fraction_bits: [stated] Hickmann and Bradford, Experimental Analysis of Matrix Multiplication
//       Functional Units: the datapath is 24 bits wide; the leading bit of the largest term and 23 below it
//     alignment.normalise_products: [chosen] not said; as in the units of V100
//     alignment.rounding: [stated] Hickmann and Bradford, Experimental Analysis of Matrix Multiplication Functional
//       Units: all bits after the 24th are truncated, not rounded
//     conversion.exact_zero: [chosen] the test vectors of the slides answer 0.0; its sign is not said
//     conversion.nan: [chosen] not said; the canonical NaN
//     conversion.overflow: [chosen] not said; infinity
//     conversion.rounding: [stated] Hickmann and Bradford, Experimental Analysis of Matrix Multiplication Functional
//       Units: fp32 results are normalised and truncated to 24 bits, the second rounding point
//     formats: [stated] Hickmann and Bradford, Experimental Analysis of Matrix Multiplication Functional Units: fp16
//       operands, fp16 or fp32 accumulator; here fp32
//     products: [stated] Hickmann and Bradford, Experimental Analysis of Matrix Multiplication Functional Units: d0 =
//       a3 b3 + a2 b2 + a1 b1 + a0 b0 + c0 is the smallest element
//     scheme: [stated] Hickmann and Bradford, Experimental Analysis of Matrix Multiplication Functional Units, slides
//       'Possible Micro-Architectures - Tree of INT Adds' and 'Results - Internal Architecture': neither a chain of
//       FMAs nor a tree of floating-point adders, no internal rounding
//     subnormals: [conflict] Hickmann and Bradford, Experimental Analysis of Matrix Multiplication Functional Units:
//       fp32 subnormals are flushed to zero; taken for addend and result. Fasi et al. 2021, section 3.1.1, find them
//       kept. fp16 subnormals are handled
//     sum.carry_bits: [chosen] the integer overflow test normalises 1 + 1 to the right and cuts again, so there are
//       some; as many as always suffice
//
// Emitted; regenerate with: tensorsmith emit hickmann-integer-tree-fp16-fp32 --out DIR

// This module puts registers in front of and behind the core hickmann_integer_tree_fp16_fp32: a result appears two cycles of enable_i after its
// operands. enable_i = 0 holds every register; valid_o follows valid_i through the same two stages.

module hickmann_integer_tree_fp16_fp32_registered #(
    // Fixed by the unit's description, as in the core.
    parameter int Products      =    4,  // L: products summed at once
    parameter int OperandAWidth =   16,  // encoded a, binary16
    parameter int OperandBWidth =   16,  // encoded b, binary16
    parameter int AddendWidth   =   32,  // encoded c, binary32
    parameter int ResultWidth   =   32,  // encoded d, binary32
    parameter int FractionBits  =   23,  // F: bits kept below the anchor
    parameter int CarryBits     =    3,  // integer bits of the sum above the window's two
    parameter int AnchorFloor   = -126   // lowest exponent of a term, of -28 and -126; zero terms carry it
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

  hickmann_integer_tree_fp16_fp32 #(
      .Products     (Products),
      .OperandAWidth(OperandAWidth),
      .OperandBWidth(OperandBWidth),
      .AddendWidth  (AddendWidth),
      .ResultWidth  (ResultWidth),
      .FractionBits (FractionBits),
      .CarryBits    (CarryBits),
      .AnchorFloor  (AnchorFloor)
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
