// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit volta-fp16-fp16. NVIDIA Volta: one block of 4 fp16 products, fp16 result.
//
//     d = convert(c + a[0]*b[0] + ... + a[3]*b[3])
//
//     products        4
//     formats         a binary16, b binary16, c binary16, d binary16
//     product         exact, in [1, 4), not normalised
//     alignment       23 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor  -19
//     carry bits      3, as many as any sum can need
//     conversion      to nearest, ties to even, overflow to infinity
//     subnormals      operands kept, addend kept, result kept
//     NaN and zero    every NaN is 0x7fff, an exact zero sum is +0, and so is one that is rounded to zero
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
//     alignment.exponent_floor: [conflict] -19 or -20; the recordings cannot tell. 2^-12 * 2^-13 + 2^-24 * 2^-19
//       decides
//     alignment.fraction_bits: [stated] Khattak and Mikaitis, public recordings (MATLAB-tensor-core): the recordings
//       of fp16 results only bound F; the value is that of the fp32 results
//     alignment.normalise_products: [stated] Khattak and Mikaitis, public recordings (MATLAB-tensor-core): normalised
//       products miss 205 to 409 of 2,500 rows (fp16 to fp32)
//     alignment.rounding: [replayed] Valpey et al. 2025, section 4.2: each term is cut, not the exact sum rounded
//       toward zero; Khattak and Mikaitis, public recordings (MATLAB-tensor-core)
//     conversion.exact_zero: [stated] plus zero: Xie et al., arXiv 2511.10909. The recordings do not test it
//     conversion.nan: [stated] 0x7fff: Xie et al., arXiv 2511.10909. The recordings hold no NaN
//     conversion.overflow: [stated] infinity also when truncating; Xie et al., arXiv 2511.10909. The recordings do not
//       test it
//     conversion.rounded_zero: [stated] plus zero whatever the sum: MMA-Sim 2.1.1; an H100 answers so
//     conversion.rounding: [replayed] Fasi et al. 2021, section 3.1.3: fp16 results are rounded to nearest; Khattak
//       and Mikaitis, public recordings (MATLAB-tensor-core)
//     products: [replayed] Fasi et al. 2021, section 3; Khattak and Mikaitis, public recordings (MATLAB-tensor-core)
//     subnormals: [conflict] kept in operands, addend and result: Fasi et al. 2021, section 3.1.1; Hickmann and
//       Bradford 2019 report flushing of the addend on V100
//     sum.carry_bits: [stated] ceil(log2(L + 1)) always suffice; Valpey et al. 2025, section 4.3, counted above two
//       integer bits
//
// Emitted; regenerate with: tensorsmith emit volta-fp16-fp16 --out DIR

module volta_fp16_fp16 #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_fused.
    localparam int Products      =  4,  // L: products summed at once
    localparam int OperandAWidth = 16,  // encoded a, binary16
    localparam int OperandBWidth = 16,  // encoded b, binary16
    localparam int AddendWidth   = 16,  // encoded c, binary16
    localparam int ResultWidth   = 16   // encoded d, binary16
) (
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,  // c
    output logic [ResultWidth-1:0]            d_o   // d
);

  logic [1:0] unused_flags;  // always 0

  tensorsmith_fused #(
      .Products(4),
      // a: binary16
      .OperandASignBits(1), .OperandAExponentBits(5), .OperandAFractionBits(10), .OperandAPaddingBits(0),
      .OperandABias(15), .OperandANonFinite(1),
      // b: binary16
      .OperandBSignBits(1), .OperandBExponentBits(5), .OperandBFractionBits(10), .OperandBPaddingBits(0),
      .OperandBBias(15), .OperandBNonFinite(1),
      // c: binary16
      .AddendSignBits(1), .AddendExponentBits(5), .AddendFractionBits(10), .AddendPaddingBits(0), .AddendBias(15),
      .AddendNonFinite(1),
      // d: binary16
      .ResultExponentBits(5), .ResultFractionBits(10), .ResultPaddingBits(0), .ResultBias(15), .ResultNonFinite(1),
      // alignment and sum: lower bits cut off in sign and magnitude
      .FractionBits(23), .AlignmentRounding(0), .NormaliseProducts(0), .ExponentFloor(-19), .CarryBits(-1),
      // conversion: to nearest, ties to even
      .ResultRounding(1), .Overflow(1), .FlushOperands(0), .FlushAddend(0), .FlushResult(0), .ZeroNegative(0),
      .RoundedZero(1), .HasFlags(0), .NanWord(16'h7fff)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o), .flags_o(unused_flags)
  );

endmodule
