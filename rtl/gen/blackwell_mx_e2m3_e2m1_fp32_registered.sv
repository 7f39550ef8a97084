// Unit blackwell-mx-e2m3-e2m1-fp32. NVIDIA Blackwell MXFP8, MXFP6 and MXFP4: one block of 32 products e2m3 x e2m1 with ue8m0 scales, fp32 result.
//
//     d = convert(c + scale_a[0]*scale_b[0] * (a[0]*b[0] + ... + a[31]*b[31]))
//
//     products        32
//     formats         a e2m3, b e2m1, c binary32, d binary32
//     scales          a ue8m0, b ue8m0, one of each for 32 products
//     term            exact product; exponents of a, b and both scales added; not normalised
//     alignment       25 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor  -133
//     carry bits      6, as many as any sum can need
//     conversion      truncation, overflow to infinity
//     subnormals      operands kept, addend kept, result kept
//     NaN and zero    every NaN is 0x7fffffff, an exact zero sum is +0
//     latency         0 cycles; the module named _registered: 2
//
// The sum, in units of 2^(anchor - F):
//
//     bit      33    32..27   26..25     24..0
//     sum   | sign | carry  | integer | fraction |
//     bit 25 weighs 2^anchor, bit 0 weighs 2^(anchor - 25); lower bits of a term are cut
//
// Where the constants come from:
//
//     alignment.exponent_floor: [stated] Xie et al., arXiv 2511.10909: -133
//     alignment.fraction_bits: [stated] Xie et al., arXiv 2511.10909: 25
//     alignment.normalise_products: [stated] Xie et al., arXiv 2511.10909: products are not normalised
//     alignment.rounding: [stated] toward zero in magnitude: Xie et al., arXiv 2511.10909
//     conversion.exact_zero: [stated] plus zero: Xie et al., arXiv 2511.10909
//     conversion.nan: [stated] 0x7fffffff: Xie et al., arXiv 2511.10909
//     conversion.overflow: [stated] infinity: Xie et al., arXiv 2511.10909
//     conversion.rounding: [stated] Xie et al., arXiv 2511.10909: truncation to binary32
//     formats: [stated] Xie et al., arXiv 2511.10909; OCP Microscaling 1.0
//     products: [stated] Xie et al., arXiv 2511.10909: 32 products at once
//     scales: [stated] Xie et al., arXiv 2511.10909; PTX ISA: ue8m0, one for 32 elements of K; the exponents of both
//       are added before alignment
//     scheme: [stated] Xie et al., arXiv 2511.10909; no recording of the instruction was replayed
//     subnormals: [stated] kept: Xie et al., arXiv 2511.10909
//     sum.carry_bits: [stated] as many as the aligned terms and the addend can need: ceil(log2(terms + 1))
//
// Emitted; regenerate with: tensorsmith emit blackwell-mx-e2m3-e2m1-fp32 --out DIR

// This module puts registers in front of and behind the core blackwell_mx_e2m3_e2m1_fp32: a result appears two cycles of enable_i after its
// operands. enable_i = 0 holds every register; valid_o follows valid_i through the same two stages.

module blackwell_mx_e2m3_e2m1_fp32_registered #(
    // Fixed by the unit's description, as in the core.
    parameter int Products      =   32,  // L: products summed at once
    parameter int OperandAWidth =    6,  // encoded a, e2m3
    parameter int OperandBWidth =    4,  // encoded b, e2m1
    parameter int Scales        =    1,  // scales of a, and as many of b
    parameter int ScaleAWidth   =    8,  // encoded scale of a, ue8m0
    parameter int ScaleBWidth   =    8,  // encoded scale of b, ue8m0
    parameter int AddendWidth   =   32,  // encoded c, binary32
    parameter int ResultWidth   =   32,  // encoded d, binary32
    parameter int FractionBits  =   25,  // F: bits kept below the anchor
    parameter int CarryBits     =    6,  // integer bits of the sum above the window's two
    parameter int AnchorFloor   = -133   // least exponent of the anchor; zero terms carry it
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

  blackwell_mx_e2m3_e2m1_fp32 #(
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
