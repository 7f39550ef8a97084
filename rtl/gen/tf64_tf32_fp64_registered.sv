// Unit tf64-tf32-fp64. TF64 with fewer fraction bits: 4 tf32 products, fp64 result.
//
//     d = convert(c + a[0]*b[0] + ... + a[3]*b[3])
//
//     products        4
//     formats         a tf32, b tf32, c binary64, d binary64
//     product         exact, in [1, 4), not normalised
//     alignment       53 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor  none
//     carry bits      3, as many as any sum can need
//     conversion      truncation, overflow to infinity
//     subnormals      operands kept, addend kept, result kept
//     NaN and zero    every NaN is 0x7fffffffffffffff, an exact zero sum is +0
//     latency         0 cycles; the module named _registered: 2
//
// The sum, in units of 2^(anchor - F):
//
//     bit      58    57..55   54..53     52..0
//     sum   | sign | carry  | integer | fraction |
//     bit 53 weighs 2^anchor, bit 0 weighs 2^(anchor - 53); lower bits of a term are cut
//
// Where the constants come from:
//
//     alignment.exponent_floor: [chosen] none: no floor near the least exponent of fp64 could act, every product lies
//       far above
//     alignment.fraction_bits: [chosen] as TF32 on Ampere, which keeps one fraction bit more than its result has: 24
//       for fp32, 53 for fp64. As on Hopper it would be 54
//     alignment.normalise_products: [chosen] products stay in [1, 4), as TF32's on Ampere
//     alignment.rounding: [chosen] terms are cut in magnitude, as TF32's on Ampere
//     conversion.exact_zero: [chosen] plus zero, as TF32's on Ampere
//     conversion.nan: [chosen] all ones but the sign, as TF32's on Ampere
//     conversion.overflow: [chosen] infinity, as TF32's on Ampere
//     conversion.rounding: [chosen] truncated, as TF32's on Ampere
//     formats: [stated] Valero-Lara et al., SC-W 2023, section 5, asks for TF64 formats of even lower precision, with
//       fewer exponent and fraction bits; here 10 fraction bits
//     products: [chosen] 16 bytes of a, as on Ampere: 4 tf32 words, 8 fp16 numbers, 16 fp8 numbers; so 4 tf32 words.
//       On Hopper it is twice that
//     scheme: [chosen] Valero-Lara et al., SC-W 2023, section 2.4, extends the TF32 framework: exact products,
//       accumulation in fp64. How it accumulates is not said: as TF32 does on the same tensor cores, here those of
//       Ampere, on which the paper measures
//     subnormals: [chosen] kept, as TF32's on Ampere
//     sum.carry_bits: [chosen] ceil(log2(L + 1)), as many as always suffice
//
// Emitted; regenerate with: tensorsmith emit tf64-tf32-fp64 --out DIR

// This module puts registers in front of and behind the core tf64_tf32_fp64: a result appears two cycles of enable_i after its
// operands. enable_i = 0 holds every register; valid_o follows valid_i through the same two stages.

module tf64_tf32_fp64_registered #(
    // Fixed by the unit's description, as in the core.
    parameter int Products      =     4,  // L: products summed at once
    parameter int OperandAWidth =    32,  // encoded a, tf32
    parameter int OperandBWidth =    32,  // encoded b, tf32
    parameter int AddendWidth   =    64,  // encoded c, binary64
    parameter int ResultWidth   =    64,  // encoded d, binary64
    parameter int FractionBits  =    53,  // F: bits kept below the anchor
    parameter int CarryBits     =     3,  // integer bits of the sum above the window's two
    parameter int AnchorFloor   = -1022   // lowest exponent of a term, of -252 and -1022; zero terms carry it
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

  tf64_tf32_fp64 #(
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
