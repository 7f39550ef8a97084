// Unit hopper-e4m3-fp16. NVIDIA Hopper wgmma: one block of 32 products of e4m3 and e4m3, fp16 result.
//
//     d = convert(c + a[0]*b[0] + ... + a[31]*b[31])
//
//     products        32
//     formats         a e4m3, b e4m3, c binary16, d binary16
//     product         exact, in [1, 4), not normalised
//     alignment       13 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor  -133
//     carry bits      6, as many as any sum can need
//     conversion      to nearest, ties to even, overflow to infinity
//     subnormals      operands kept, addend kept, result kept
//     NaN and zero    every NaN is 0x7fff, an exact zero sum is +0
//     latency         0 cycles; the module named _registered: 2
//
// The sum, in units of 2^(anchor - F):
//
//     bit      21    20..15   14..13     12..0
//     sum   | sign | carry  | integer | fraction |
//     bit 13 weighs 2^anchor, bit 0 weighs 2^(anchor - 13); lower bits of a term are cut
//
// Where the constants come from:
//
//     alignment.exponent_floor: [stated] as with fp32 results; without effect: the window at the floor ends far below
//       every product
//     alignment.fraction_bits: [stated] Xie et al., arXiv 2511.10909; no recording of wgmma has fp8 operands and fp16
//       results
//     alignment.normalise_products: [stated] as with fp16 operands
//     alignment.rounding: [stated] Xie et al., arXiv 2511.10909; no recording of wgmma has fp8 operands and fp16
//       results
//     conversion.exact_zero: [stated] plus zero: Xie et al., arXiv 2511.10909. No recording tests it
//     conversion.nan: [stated] 0x7fff: Xie et al., arXiv 2511.10909. No recording holds a NaN
//     conversion.overflow: [stated] infinity also when truncating; Xie et al., arXiv 2511.10909. No recording tests it
//     conversion.rounding: [stated] Xie et al., arXiv 2511.10909; no recording of wgmma has fp8 operands and fp16
//       results
//     products: [stated] Xie et al., arXiv 2511.10909; no recording of wgmma has fp8 operands and fp16 results
//     subnormals: [stated] kept: Xie et al., arXiv 2511.10909
//     sum.carry_bits: [stated] ceil(log2(L + 1)) always suffice; one less would with significands as short as these
//
// Emitted; regenerate with: tensorsmith emit hopper-e4m3-fp16 --out DIR

// This module puts registers in front of and behind the core hopper_e4m3_fp16: a result appears two cycles of enable_i after its
// operands. enable_i = 0 holds every register; valid_o follows valid_i through the same two stages.

module hopper_e4m3_fp16_registered #(
    // Fixed by the unit's description, as in the core.
    parameter int Products      =  32,  // L: products summed at once
    parameter int OperandAWidth =   8,  // encoded a, e4m3
    parameter int OperandBWidth =   8,  // encoded b, e4m3
    parameter int AddendWidth   =  16,  // encoded c, binary16
    parameter int ResultWidth   =  16,  // encoded d, binary16
    parameter int FractionBits  =  13,  // F: bits kept below the anchor
    parameter int CarryBits     =   6,  // integer bits of the sum above the window's two
    parameter int AnchorFloor   = -14   // lowest exponent of a term, of -12 and -14; zero terms carry it
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

  hopper_e4m3_fp16 #(
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
