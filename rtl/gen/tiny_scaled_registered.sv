// Unit tiny-scaled. Small enough for all 2^24 inputs: two products, each with scales of its own.
//
//     d = convert(c + scale_a[0]*scale_b[0] * (a[0]*b[0] + ...) + ... + scale_a[1]*scale_b[1] * (... + a[1]*b[1]))
//
//     products        2
//     formats         a e2m1, b e1m1, c e2m1, d e2m1
//     scales          a ue1m1, b ue1m0, one of each for 1 products
//     term            exact product; exponents of a, b and both scales added; not normalised
//     alignment       2 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor  0
//     carry bits      2, as many as any sum can need
//     conversion      truncation, overflow to infinity
//     subnormals      operands kept, addend kept, result kept
//     NaN and zero    every NaN is 0x7, an exact zero sum is +0
//     latency         0 cycles; the module named _registered: 2
//
// The sum, in units of 2^(anchor - F):
//
//     bit      7     6..5     4..2       1..0
//     sum   | sign | carry | integer | fraction |
//     bit 2 weighs 2^anchor, bit 0 weighs 2^(anchor - 2); 1 guard bits and lower are cut
//
// Where the constants come from:
//
//     alignment.exponent_floor: [chosen] above the exponents of some terms, so that it acts
//     alignment.fraction_bits: [chosen] so few that many sums lose bits
//     formats: [chosen] as few bits as leave subnormals, infinities and overflow
//     scales: [chosen] zero and a subnormal on one side, a power of two and NaN on the other
//
// Emitted; regenerate with: tensorsmith emit tiny-scaled --out DIR

// This module puts registers in front of and behind the core tiny_scaled: a result appears two cycles of enable_i after its
// operands. enable_i = 0 holds every register; valid_o follows valid_i through the same two stages.

module tiny_scaled_registered #(
    // Fixed by the unit's description, as in the core.
    parameter int Products      = 2,  // L: products summed at once
    parameter int OperandAWidth = 4,  // encoded a, e2m1
    parameter int OperandBWidth = 3,  // encoded b, e1m1
    parameter int Scales        = 2,  // scales of a, and as many of b
    parameter int ScaleAWidth   = 2,  // encoded scale of a, ue1m1
    parameter int ScaleBWidth   = 1,  // encoded scale of b, ue1m0
    parameter int AddendWidth   = 4,  // encoded c, e2m1
    parameter int ResultWidth   = 4,  // encoded d, e2m1
    parameter int FractionBits  = 2,  // F: bits kept below the anchor
    parameter int CarryBits     = 2,  // integer bits of the sum above the window's 3
    parameter int AnchorFloor   = 0   // least exponent of the anchor; zero terms carry it
) (
    input  logic                              clk_i,     // rising edge
    input  logic                              rst_ni,    // asynchronous reset, active low: clears valid_o
    input  logic                              enable_i,  // 1: registers advance
    input  logic                              valid_i,   // a_i, b_i, scale_a_i, scale_b_i and c_i hold operands
    input  logic [Products*OperandAWidth-1:0] a_i,       // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,       // b, element 0 in the lowest bits
    input  logic [Scales*ScaleAWidth-1:0]     scale_a_i, // scales of a, block 0 in the lowest bits
    input  logic [Scales*ScaleBWidth-1:0]     scale_b_i, // scales of b, block 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,       // c
    output logic                              valid_o,   // d_o holds a result
    output logic [ResultWidth-1:0]            d_o        // d
);

  // ---------------------------------------------------------------------------------------------- operands

  logic                              operands_valid_q;
  logic [Products*OperandAWidth-1:0] a_q;
  logic [Products*OperandBWidth-1:0] b_q;
  logic [Scales*ScaleAWidth-1:0]     scale_a_q;
  logic [Scales*ScaleBWidth-1:0]     scale_b_q;
  logic [AddendWidth-1:0]            c_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      operands_valid_q <= 1'b0;
      a_q              <= '0;
      b_q              <= '0;
      scale_a_q        <= '0;
      scale_b_q        <= '0;
      c_q              <= '0;
    end else if (enable_i) begin
      operands_valid_q <= valid_i;
      a_q              <= a_i;
      b_q              <= b_i;
      scale_a_q        <= scale_a_i;
      scale_b_q        <= scale_b_i;
      c_q              <= c_i;
    end
  end

  // ---------------------------------------------------------------------------------------------- core

  logic [ResultWidth-1:0] result_d;

  tiny_scaled #(
      .Products     (Products),
      .OperandAWidth(OperandAWidth),
      .OperandBWidth(OperandBWidth),
      .Scales       (Scales),
      .ScaleAWidth  (ScaleAWidth),
      .ScaleBWidth  (ScaleBWidth),
      .AddendWidth  (AddendWidth),
      .ResultWidth  (ResultWidth),
      .FractionBits (FractionBits),
      .CarryBits    (CarryBits),
      .AnchorFloor  (AnchorFloor)
  ) u_core (
      .a_i(a_q),
      .b_i(b_q),
      .scale_a_i(scale_a_q),
      .scale_b_i(scale_b_q),
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
