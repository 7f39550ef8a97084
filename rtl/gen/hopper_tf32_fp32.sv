// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit hopper-tf32-fp32. NVIDIA Hopper, and Blackwell mma: one block of 8 tf32 products, fp32 result.
//
//     d = convert(c + a[0]*b[0] + ... + a[7]*b[7])
//
//     products        8
//     formats         a tf32, b tf32, c binary32, d binary32
//     product         exact, in [1, 4), not normalised
//     alignment       25 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor  -133
//     carry bits      4, as many as any sum can need
//     conversion      truncation, overflow to infinity
//     subnormals      operands kept, addend kept, result kept
//     NaN and zero    every NaN is 0x7fffffff, an exact zero sum is +0, and so is one that is rounded to zero
//     latency         0 cycles; the module named _registered: 2
//
// The sum, in units of 2^(anchor - F):
//
//     bit      31    30..27   26..25     24..0
//     sum   | sign | carry  | integer | fraction |
//     bit 25 weighs 2^anchor, bit 0 weighs 2^(anchor - 25); lower bits of a term are cut
//
// Where the constants come from:
//
//     alignment.exponent_floor: [live] -133: answers of an H100, recorded in tests/data/recordings
//     alignment.fraction_bits: [replayed] Khattak and Mikaitis, public recordings (MATLAB-tensor-core), every row of
//       H100, H200, B200
//     alignment.normalise_products: [stated] Khattak and Mikaitis, public recordings (MATLAB-tensor-core): normalised
//       products miss 205 to 409 of 2,500 rows (fp16 to fp32)
//     alignment.rounding: [replayed] Valpey et al. 2025, section 4.2: each term is cut, not the exact sum rounded
//       toward zero; Khattak and Mikaitis, public recordings (MATLAB-tensor-core)
//     conversion.exact_zero: [live] plus zero: Xie et al., arXiv 2511.10909; answers of an H100, recorded in
//       tests/data/recordings
//     conversion.nan: [live] 0x7fffffff: Xie et al., arXiv 2511.10909; answers of an H100, recorded in
//       tests/data/recordings
//     conversion.overflow: [live] infinity also when truncating: Xie et al., arXiv 2511.10909; answers of an H100,
//       recorded in tests/data/recordings
//     conversion.rounded_zero: [live] plus zero whatever the sum: answers of an H100, recorded in
//       tests/data/recordings
//     conversion.rounding: [replayed] Fasi et al. 2021, section 3.1.3; Khattak and Mikaitis, public recordings
//       (MATLAB-tensor-core)
//     products: [live] 8: answers of an H100, recorded in tests/data/recordings; the public recordings have K = 4
//     subnormals: [live] kept in operands, addend and result: Fasi et al. 2021, section 3.1.1; answers of an H100,
//       recorded in tests/data/recordings
//     sum.carry_bits: [stated] ceil(log2(L + 1)) always suffice; Valpey et al. 2025, section 4.3, counted above two
//       integer bits
//
// Emitted; regenerate with: tensorsmith emit hopper-tf32-fp32 --out DIR

module hopper_tf32_fp32 #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_fused.
    localparam int Products      =  8,  // L: products summed at once
    localparam int OperandAWidth = 32,  // encoded a, tf32
    localparam int OperandBWidth = 32,  // encoded b, tf32
    localparam int AddendWidth   = 32,  // encoded c, binary32
    localparam int ResultWidth   = 32   // encoded d, binary32
) (
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,  // c
    output logic [ResultWidth-1:0]            d_o   // d
);

  logic [1:0] unused_flags;  // always 0

  tensorsmith_fused #(
      .Products(8),
      // a: tf32
      .OperandASignBits(1), .OperandAExponentBits(8), .OperandAFractionBits(10), .OperandAPaddingBits(13),
      .OperandABias(127), .OperandANonFinite(1),
      // b: tf32
      .OperandBSignBits(1), .OperandBExponentBits(8), .OperandBFractionBits(10), .OperandBPaddingBits(13),
      .OperandBBias(127), .OperandBNonFinite(1),
      // c: binary32
      .AddendSignBits(1), .AddendExponentBits(8), .AddendFractionBits(23), .AddendPaddingBits(0), .AddendBias(127),
      .AddendNonFinite(1),
      // d: binary32
      .ResultExponentBits(8), .ResultFractionBits(23), .ResultPaddingBits(0), .ResultBias(127), .ResultNonFinite(1),
      // alignment and sum: lower bits cut off in sign and magnitude
      .FractionBits(25), .AlignmentRounding(0), .NormaliseProducts(0), .ExponentFloor(-133), .CarryBits(-1),
      // conversion: truncation
      .ResultRounding(0), .Overflow(1), .FlushOperands(0), .FlushAddend(0), .FlushResult(0), .ZeroNegative(0),
      .RoundedZero(1), .HasFlags(0), .NanWord(32'h7fffffff)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o), .flags_o(unused_flags)
  );

endmodule
