// Unit volta-fp16-fp16-from-fp32. NVIDIA Volta: one block of 4 fp16 products, fp32 addend, fp16 result.
//
//     d = convert(c + a[0]*b[0] + ... + a[3]*b[3])
//
//     products        4
//     formats         a binary16, b binary16, c binary32, d binary16
//     product         exact, in [1, 4), not normalised
//     alignment       23 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor  -19
//     carry bits      3, as many as any sum can need
//     conversion      to nearest, ties to even, overflow to infinity
//     subnormals      operands kept, addend kept, result kept
//     NaN and zero    every NaN is 0x7fff, an exact zero sum is +0
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
//     alignment.exponent_floor: [conflict] -19, -20, or none, as with fp32 addends; no recording can tell. 2^-12 *
//       2^-13 + 2^-24 * 2^-19 decides between -19 and the others
//     alignment.fraction_bits: [stated] the value of the fp32 results
//     alignment.normalise_products: [stated] as in the unit with fp32 results, whose recordings refute normalised
//       products
//     alignment.rounding: [stated] Valpey et al. 2025, section 4.2
//     conversion.exact_zero: [stated] plus zero: Xie et al., arXiv 2511.10909. No recording tests it
//     conversion.nan: [stated] 0x7fff: Xie et al., arXiv 2511.10909. No recording holds a NaN
//     conversion.overflow: [stated] infinity also when truncating; Xie et al., arXiv 2511.10909. No recording tests it
//     conversion.rounding: [stated] to nearest for fp16 results: Fasi et al. 2021, section 3.1.3
//     formats: [stated] C and D are chosen one by one: Valpey et al. 2025, section 3. No recording has an fp32 addend
//       and an fp16 result
//     products: [stated] as the other units of Volta: Fasi et al. 2021, section 3
//     subnormals: [conflict] kept in operands, addend and result: Fasi et al. 2021, section 3.1.1; Hickmann and
//       Bradford 2019 report flushing of the addend on V100
//     sum.carry_bits: [stated] ceil(log2(L + 1)) always suffice; Valpey et al. 2025, section 4.3, counted above two
//       integer bits
//
// Emitted; regenerate with: tensorsmith emit volta-fp16-fp16-from-fp32 --out DIR

// This module puts registers in front of and behind the core volta_fp16_fp16_from_fp32: a result appears two cycles of enable_i after its
// operands. enable_i = 0 holds every register; valid_o follows valid_i through the same two stages.

module volta_fp16_fp16_from_fp32_registered #(
    // Fixed by the unit's description, as in the core.
    parameter int Products      =   4,  // L: products summed at once
    parameter int OperandAWidth =  16,  // encoded a, binary16
    parameter int OperandBWidth =  16,  // encoded b, binary16
    parameter int AddendWidth   =  32,  // encoded c, binary32
    parameter int ResultWidth   =  16,  // encoded d, binary16
    parameter int FractionBits  =  23,  // F: bits kept below the anchor
    parameter int CarryBits     =   3,  // integer bits of the sum above the window's two
    parameter int AnchorFloor   = -19   // least exponent of the anchor; zero terms carry it
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

  volta_fp16_fp16_from_fp32 #(
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
