// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit hopper-e4m3-fp32. NVIDIA Hopper wgmma: one block of 32 e4m3 products, fp32 result with 13 fraction bits.
//
//     d = convert(c + a[0]*b[0] + ... + a[31]*b[31])
//
//     products        32
//     formats         a e4m3, b e4m3, c binary32, d e8m13
//     product         exact, in [1, 4), not normalised
//     alignment       13 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor  -133
//     carry bits      6, as many as any sum can need
//     conversion      truncation, overflow to infinity
//     subnormals      operands kept, addend kept, result kept
//     NaN and zero    every NaN is 0x7fffffff, an exact zero sum is +0
//     latency         0 cycles; the module named _registered: 2
//
// The sum, in units of 2^(anchor - F):
//
//     bit      21    20..15   14..13     12..0
//     sum   | sign | carry  | integer | fraction |
//     bit 13 weighs 2^anchor, bit 0 weighs 2^(anchor - 13); 10 guard bits and lower are cut
//
// Where the constants come from:
//
//     alignment.exponent_floor: [stated] Xie et al., arXiv 2511.10909; it cannot act: with fp8 operands and a binary32
//       addend every term lies above
//     alignment.fraction_bits: [replayed] Khattak and Mikaitis, public recordings (MATLAB-tensor-core), every row of
//       H100, H200, recorded with c = 0: how c is aligned is not tested
//     alignment.normalise_products: [stated] as with fp16 operands
//     alignment.rounding: [replayed] Khattak and Mikaitis, public recordings (MATLAB-tensor-core), every row of H100,
//       H200, recorded with c = 0: how c is aligned is not tested
//     conversion.exact_zero: [live] plus zero: Xie et al., arXiv 2511.10909; answers of an H100, recorded in
//       tests/data/recordings
//     conversion.nan: [live] 0x7fffffff: Xie et al., arXiv 2511.10909; answers of an H100, recorded in
//       tests/data/recordings
//     conversion.overflow: [live] infinity also when truncating: Xie et al., arXiv 2511.10909; answers of an H100,
//       recorded in tests/data/recordings
//     conversion.rounding: [replayed] Khattak and Mikaitis, public recordings (MATLAB-tensor-core), every row of H100,
//       H200, recorded with c = 0: how c is aligned is not tested
//     formats: [replayed] results have 13 fraction bits in a binary32 word; Khattak and Mikaitis, public recordings
//       (MATLAB-tensor-core), every row of H100, H200, recorded with c = 0: how c is aligned is not tested
//     products: [replayed] Khattak and Mikaitis, public recordings (MATLAB-tensor-core), every row of H100, H200,
//       recorded with c = 0: how c is aligned is not tested
//     subnormals: [live] kept in operands, addend and result: Fasi et al. 2021, section 3.1.1; answers of an H100,
//       recorded in tests/data/recordings
//     sum.carry_bits: [stated] ceil(log2(L + 1)) always suffice; one less would with significands as short as these
//
// Emitted; regenerate with: tensorsmith emit hopper-e4m3-fp32 --out DIR

module hopper_e4m3_fp32 #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_fused.
    localparam int Products      = 32,  // L: products summed at once
    localparam int OperandAWidth =  8,  // encoded a, e4m3
    localparam int OperandBWidth =  8,  // encoded b, e4m3
    localparam int AddendWidth   = 32,  // encoded c, binary32
    localparam int ResultWidth   = 32   // encoded d, e8m13
) (
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,  // c
    output logic [ResultWidth-1:0]            d_o   // d
);

  logic [1:0] unused_flags;  // always 0

  tensorsmith_fused #(
      .Products(32),
      // a: e4m3
      .OperandASignBits(1), .OperandAExponentBits(4), .OperandAFractionBits(3), .OperandAPaddingBits(0),
      .OperandABias(7), .OperandANonFinite(2),
      // b: e4m3
      .OperandBSignBits(1), .OperandBExponentBits(4), .OperandBFractionBits(3), .OperandBPaddingBits(0),
      .OperandBBias(7), .OperandBNonFinite(2),
      // c: binary32
      .AddendSignBits(1), .AddendExponentBits(8), .AddendFractionBits(23), .AddendPaddingBits(0), .AddendBias(127),
      .AddendNonFinite(1),
      // d: e8m13
      .ResultExponentBits(8), .ResultFractionBits(13), .ResultPaddingBits(10), .ResultBias(127), .ResultNonFinite(1),
      // alignment and sum: lower bits cut off in sign and magnitude
      .FractionBits(13), .AlignmentRounding(0), .NormaliseProducts(0), .ExponentFloor(-133), .CarryBits(-1),
      // conversion: truncation
      .ResultRounding(0), .Overflow(1), .FlushOperands(0), .FlushAddend(0), .FlushResult(0), .ZeroNegative(0),
      .RoundedZero(0), .HasFlags(0), .NanWord(32'h7fffffff)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o), .flags_o(unused_flags)
  );

endmodule
