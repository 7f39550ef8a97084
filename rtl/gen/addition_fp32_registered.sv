// Unit addition-fp32. Correctly rounded addition of fp32 numbers: a * 1 + c, a sticky bit 27 places below the larger one, rounded to nearest.
//
//     d = convert(c + a[0]*b[0] + ... + a[0]*b[0])
//
//     products        1
//     formats         a binary32, b e2m1, c binary32, d binary32
//     product         exact, in [1, 4), not normalised
//     alignment       27 fraction bits, rounded to odd
//     exponent floor  none
//     carry bits      1, as many as any sum can need
//     conversion      to nearest, ties to even, overflow to what IEEE 754 says
//     subnormals      operands kept, addend kept, result kept
//     NaN and zero    every NaN is 0x7fffffff, an exact zero sum is +0
//     latency         0 cycles; the module named _registered: 2
//
// The sum, in units of 2^(anchor - F):
//
//     bit      30     29     28..27     26..0
//     sum   | sign | carry | integer | fraction |
//     bit 27 weighs 2^anchor, bit 0 weighs 2^(anchor - 27); lower bits of a term are ORed into bit 0
//
// Where the constants come from:
//
//     alignment.fraction_bits: [chosen] more than the precision plus two: with rounding to odd the sum rounds as the
//       exact one (Boldo and Melquiond, 2008)
//     conversion.exact_zero: [chosen] plus zero, also for two minus zeros, where IEEE 754 has minus zero; no recording
//       tests it
//
// Emitted; regenerate with: tensorsmith emit addition-fp32 --out DIR

// This module puts registers in front of and behind the core addition_fp32: a result appears two cycles of enable_i after its
// operands. enable_i = 0 holds every register; valid_o follows valid_i through the same two stages.

module addition_fp32_registered #(
    // Fixed by the unit's description, as in the core.
    parameter int Products      =    1,  // L: products summed at once
    parameter int OperandAWidth =   32,  // encoded a, binary32
    parameter int OperandBWidth =    4,  // encoded b, e2m1
    parameter int AddendWidth   =   32,  // encoded c, binary32
    parameter int ResultWidth   =   32,  // encoded d, binary32
    parameter int FractionBits  =   27,  // F: bits kept below the anchor
    parameter int CarryBits     =    1,  // integer bits of the sum above the window's two
    parameter int AnchorFloor   = -126   // lowest exponent of a term, of -126 and -126; zero terms carry it
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

  addition_fp32 #(
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
