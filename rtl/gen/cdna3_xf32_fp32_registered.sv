// Unit cdna3-xf32-fp32. AMD CDNA3 (MI300) matrix core: one block of 4 xf32 (tf32) products, then c, fp32 result.
//
//     d = convert(c + (a[0]*b[0] + ... + a[3]*b[3]))
//
//     products          4
//     formats           a tf32, b tf32, c binary32, d binary32
//     product           exact, in [1, 4), not normalised
//     groups            all products share one anchor
//     alignment         24 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor    none
//     product overflow  from 2^128 on infinite
//     addition          32 fraction bits of the sum, 24 of the addend, rounded downward
//     addition floor    -126
//     addend            every distance
//     total             31 fraction bits, rounded downward
//     conversion        to nearest, ties to even, overflow to infinity
//     subnormals        operands kept, addend kept, result kept
//     NaN and zero      every NaN is 0x7fc00000, an exact zero sum is +0
//     latency           0 cycles; the module named _registered: 2
//
// The sum of a group, and that with the addend:
//
//     group  29 bits: sign, 4 integer, 24 fraction; bit 24 weighs 2^(anchor of the group)
//     bit      38    37..36   35..32     31..0
//     sum   | sign | carry  | integer | fraction |
//     bit 32 weighs 2^anchor, bit 0 weighs 2^(anchor - 32); lower bits of a term are cut
//
// Where the constants come from:
//
//     addition.addend_fraction_bits: [stated] Xie et al., arXiv 2511.10909v2
//     addition.addend_reach: [stated] c takes part at every distance: Xie et al., arXiv 2511.10909v2
//     addition.exponent_floor: [stated] a zero c has the exponent -126: Xie et al., arXiv 2511.10909v2
//     addition.groups: [stated] Xie et al., arXiv 2511.10909v2
//     addition.product_overflow: [stated] products of 2^128 and above are infinite: Xie et al., arXiv 2511.10909v2;
//       that an infinite c of the other sign then gives NaN is after IEEE 754
//     addition.rounding: [stated] downward, sum and c each: Xie et al., arXiv 2511.10909v2
//     addition.sum_fraction_bits: [conflict] 32: the public model MMA-Sim 2.0.0 to 2.1.1, later than the paper; 31:
//       Xie et al., arXiv 2511.10909v2
//     addition.total_fraction_bits: [conflict] 31 of the normalised total, rounded downward: the public model MMA-Sim
//       2.0.0 to 2.1.1, later than the paper; no such cut: Xie et al., arXiv 2511.10909v2
//     alignment.exponent_floor: [conflict] none, and zero products have no exponent; the public model MMA-Sim gives a
//       zero operand the exponent -126, so that zero times a large number can raise the anchor
//     alignment.fraction_bits: [stated] Xie et al., arXiv 2511.10909v2
//     alignment.normalise_products: [stated] products are aligned as they are: Xie et al., arXiv 2511.10909v2
//     alignment.rounding: [stated] Xie et al., arXiv 2511.10909v2
//     conversion.exact_zero: [chosen] plus zero, as IEEE 754 rounding to nearest gives; the published model adds
//       numbers without signs of zero
//     conversion.nan: [chosen] 0x7fc00000, the canonical quiet NaN of IEEE 754; no source says which NaN the hardware
//       gives
//     conversion.overflow: [stated] infinity, as IEEE 754 rounding to nearest gives
//     conversion.rounding: [stated] to nearest, ties to even: Xie et al., arXiv 2511.10909v2
//     products: [stated] blocks of 4, the first one first, chained through c: Xie et al., arXiv 2511.10909v2
//     scheme: [stated] the products are summed first, then c is added: Xie et al., arXiv 2511.10909v2
//     subnormals: [stated] kept: Xie et al., arXiv 2511.10909v2, whose public model MMA-Sim flushes none for CDNA3
//
// Emitted; regenerate with: tensorsmith emit cdna3-xf32-fp32 --out DIR

// This module puts registers in front of and behind the core cdna3_xf32_fp32: a result appears two cycles of enable_i after its
// operands. enable_i = 0 holds every register; valid_o follows valid_i through the same two stages.

module cdna3_xf32_fp32_registered #(
    // Fixed by the unit's description, as in the core.
    parameter int Products      =    4,  // L: products summed at once
    parameter int OperandAWidth =   32,  // encoded a, tf32
    parameter int OperandBWidth =   32,  // encoded b, tf32
    parameter int AddendWidth   =   32,  // encoded c, binary32
    parameter int ResultWidth   =   32,  // encoded d, binary32
    parameter int FractionBits  =   32,  // F: bits kept below the anchor
    parameter int CarryBits     =    2,  // integer bits of the sum above the window's 4
    parameter int AnchorFloor   = -126   // least exponent of the anchor; zero terms carry it
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

  cdna3_xf32_fp32 #(
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
