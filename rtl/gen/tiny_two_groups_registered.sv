// Unit tiny-two-groups. Small enough for all 2^24 inputs: an even and an odd e2m1 product, each with its own anchor, then c, and a cut total.
//
//     d = convert(c + ((a[0]*b[0] + ... + a[0]*b[0]) + (a[1]*b[1] + ... + a[1]*b[1])))
//
//     products          2
//     formats           a e2m1, b e2m1, c e5m2, d e5m2
//     product           exact, in [1, 4), not normalised
//     groups            products of even and of odd index, each with its own anchor
//     alignment         1 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor    none
//     product overflow  none
//     addition          5 fraction bits of the sum, 3 of the addend, rounded downward
//     addition floor    -12
//     addend            dropped where its exponent lies more than 6 below the anchor
//     total             3 fraction bits, rounded downward
//     conversion        to nearest, ties to even, overflow to infinity
//     subnormals        operands kept, addend kept, result kept
//     NaN and zero      every NaN is 0x7e, an exact zero sum is +0
//     latency           0 cycles; the module named _registered: 2
//
// The sum of a group, and that with the addend:
//
//     group  4 bits: sign, 2 integer, 1 fraction; bit 1 weighs 2^(anchor of the group)
//     bit      10    9..8     7..5       4..0
//     sum   | sign | carry | integer | fraction |
//     bit 5 weighs 2^anchor, bit 0 weighs 2^(anchor - 5); lower bits of a term are cut
//
// Where the constants come from:
//
//     addition.addend_reach: [chosen] short enough that c is dropped often
//     addition.exponent_floor: [chosen] above the least exponent of c
//     addition.total_fraction_bits: [chosen] short enough that totals lose bits often, and a bit more than d has, so
//       that what is cut tells ties
//     alignment.fraction_bits: [chosen] small enough that a product alone loses bits
//
// Emitted; regenerate with: tensorsmith emit tiny-two-groups --out DIR

// This module puts registers in front of and behind the core tiny_two_groups: a result appears two cycles of enable_i after its
// operands. enable_i = 0 holds every register; valid_o follows valid_i through the same two stages.

module tiny_two_groups_registered #(
    // Fixed by the unit's description, as in the core.
    parameter int Products      =   2,  // L: products summed at once
    parameter int OperandAWidth =   4,  // encoded a, e2m1
    parameter int OperandBWidth =   4,  // encoded b, e2m1
    parameter int AddendWidth   =   8,  // encoded c, e5m2
    parameter int ResultWidth   =   8,  // encoded d, e5m2
    parameter int FractionBits  =   5,  // F: bits kept below the anchor
    parameter int CarryBits     =   2,  // integer bits of the sum above the window's 3
    parameter int AnchorFloor   = -12   // least exponent of the anchor; zero terms carry it
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

  tiny_two_groups #(
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
