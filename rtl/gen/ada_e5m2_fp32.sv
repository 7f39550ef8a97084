// Unit ada-e5m2-fp32. NVIDIA Ada: one block of 16 e5m2 products, fp32 result with 13 fraction bits.
//
//     d = convert(c + a[0]*b[0] + ... + a[15]*b[15])
//
//     products        16
//     formats         a e5m2, b e5m2, c binary32, d e8m13
//     product         exact, in [1, 4), not normalised
//     alignment       13 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor  -132
//     carry bits      5, as many as any sum can need
//     conversion      truncation, overflow to infinity
//     subnormals      operands kept, addend kept, result kept
//     NaN and zero    every NaN is 0x7fffffff, an exact zero sum is +0
//     latency         0 cycles; the module named _registered: 2
//
// The sum, in units of 2^(anchor - F):
//
//     bit      20    19..15   14..13     12..0
//     sum   | sign | carry  | integer | fraction |
//     bit 13 weighs 2^anchor, bit 0 weighs 2^(anchor - 13); 10 guard bits and lower are cut
//
// Where the constants come from:
//
//     alignment.exponent_floor: [stated] Xie et al., arXiv 2511.10909; it cannot act: with fp8 operands and a binary32
//       addend every term lies above
//     alignment.fraction_bits: [replayed] Khattak and Mikaitis, public recordings (MATLAB-tensor-core), every row of
//       Ada, L40S
//     alignment.normalise_products: [stated] as with fp16 operands
//     alignment.rounding: [replayed] Khattak and Mikaitis, public recordings (MATLAB-tensor-core), every row of Ada,
//       L40S
//     conversion.exact_zero: [stated] plus zero: Xie et al., arXiv 2511.10909. The recordings do not test it
//     conversion.nan: [stated] Xie et al., arXiv 2511.10909. The recordings hold no NaN
//     conversion.overflow: [stated] Xie et al., arXiv 2511.10909. The recordings do not test it
//     conversion.rounding: [replayed] Khattak and Mikaitis, public recordings (MATLAB-tensor-core), every row of Ada,
//       L40S
//     formats: [replayed] results have 13 fraction bits in a binary32 word; Khattak and Mikaitis, public recordings
//       (MATLAB-tensor-core), every row of Ada, L40S
//     products: [replayed] Khattak and Mikaitis, public recordings (MATLAB-tensor-core), every row of Ada, L40S
//     subnormals: [stated] kept: Xie et al., arXiv 2511.10909
//     sum.carry_bits: [stated] ceil(log2(L + 1)) always suffice; one less would with significands as short as these
//
// Emitted; regenerate with: tensorsmith emit ada-e5m2-fp32 --out DIR

module ada_e5m2_fp32 #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_fused.
    localparam int Products      = 16,  // L: products summed at once
    localparam int OperandAWidth =  8,  // encoded a, e5m2
    localparam int OperandBWidth =  8,  // encoded b, e5m2
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
      .Products(16),
      // a: e5m2
      .OperandASignBits(1), .OperandAExponentBits(5), .OperandAFractionBits(2), .OperandAPaddingBits(0),
      .OperandABias(15), .OperandANonFinite(1),
      // b: e5m2
      .OperandBSignBits(1), .OperandBExponentBits(5), .OperandBFractionBits(2), .OperandBPaddingBits(0),
      .OperandBBias(15), .OperandBNonFinite(1),
      // c: binary32
      .AddendSignBits(1), .AddendExponentBits(8), .AddendFractionBits(23), .AddendPaddingBits(0), .AddendBias(127),
      .AddendNonFinite(1),
      // d: e8m13
      .ResultExponentBits(8), .ResultFractionBits(13), .ResultPaddingBits(10), .ResultBias(127), .ResultNonFinite(1),
      // alignment and sum: lower bits cut off in sign and magnitude
      .FractionBits(13), .AlignmentRounding(0), .NormaliseProducts(0), .ExponentFloor(-132), .CarryBits(-1),
      // conversion: truncation
      .ResultRounding(0), .Overflow(1), .FlushOperands(0), .FlushAddend(0), .FlushResult(0), .ZeroNegative(0),
      .RoundedZero(0), .HasFlags(0), .NanWord(32'h7fffffff)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o), .flags_o(unused_flags)
  );

endmodule
