// Unit ada-e5m2-fp16. NVIDIA Ada: one block of 16 e5m2 products, fp16 result.
//
//     d = convert(c + a[0]*b[0] + ... + a[15]*b[15])
//
//     products        16
//     formats         a e5m2, b e5m2, c binary16, d binary16
//     product         exact, in [1, 4), not normalised
//     alignment       13 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor  -21
//     carry bits      5, as many as any sum can need
//     conversion      to nearest, ties to even, overflow to infinity
//     subnormals      operands kept, addend kept, result kept
//     NaN and zero    every NaN is 0x7fff, an exact zero sum is +0, and so is one that is rounded to zero
//     latency         0 cycles; the module named _registered: 2
//
// The sum, in units of 2^(anchor - F):
//
//     bit      20    19..15   14..13     12..0
//     sum   | sign | carry  | integer | fraction |
//     bit 13 weighs 2^anchor, bit 0 weighs 2^(anchor - 13); lower bits of a term are cut
//
// Where the constants come from:
//
//     alignment.exponent_floor: [conflict] -21 or -132, no effect: every product is a multiple of 2^-32, and the
//       window at the floor ends at 2^-34
//     alignment.fraction_bits: [replayed] Khattak and Mikaitis, public recordings (MATLAB-tensor-core), every row of
//       Ada, L40S
//     alignment.normalise_products: [stated] as with fp16 operands
//     alignment.rounding: [replayed] Khattak and Mikaitis, public recordings (MATLAB-tensor-core), every row of Ada,
//       L40S
//     conversion.exact_zero: [stated] plus zero: Xie et al., arXiv 2511.10909. The recordings do not test it
//     conversion.nan: [stated] Xie et al., arXiv 2511.10909. The recordings hold no NaN
//     conversion.overflow: [stated] Xie et al., arXiv 2511.10909. The recordings do not test it
//     conversion.rounded_zero: [stated] plus zero whatever the sum: MMA-Sim 2.1.1; an H100 answers so
//     conversion.rounding: [replayed] Khattak and Mikaitis, public recordings (MATLAB-tensor-core), every row of Ada,
//       L40S
//     formats: [replayed] Khattak and Mikaitis, public recordings (MATLAB-tensor-core), every row of Ada, L40S
//     products: [replayed] Khattak and Mikaitis, public recordings (MATLAB-tensor-core), every row of Ada, L40S
//     subnormals: [stated] kept: Xie et al., arXiv 2511.10909
//     sum.carry_bits: [stated] ceil(log2(L + 1)) always suffice; one less would with significands as short as these
//
// Emitted; regenerate with: tensorsmith emit ada-e5m2-fp16 --out DIR

module ada_e5m2_fp16 #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_fused.
    localparam int Products      = 16,  // L: products summed at once
    localparam int OperandAWidth =  8,  // encoded a, e5m2
    localparam int OperandBWidth =  8,  // encoded b, e5m2
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
      .Products(16),
      // a: e5m2
      .OperandASignBits(1), .OperandAExponentBits(5), .OperandAFractionBits(2), .OperandAPaddingBits(0),
      .OperandABias(15), .OperandANonFinite(1),
      // b: e5m2
      .OperandBSignBits(1), .OperandBExponentBits(5), .OperandBFractionBits(2), .OperandBPaddingBits(0),
      .OperandBBias(15), .OperandBNonFinite(1),
      // c: binary16
      .AddendSignBits(1), .AddendExponentBits(5), .AddendFractionBits(10), .AddendPaddingBits(0), .AddendBias(15),
      .AddendNonFinite(1),
      // d: binary16
      .ResultExponentBits(5), .ResultFractionBits(10), .ResultPaddingBits(0), .ResultBias(15), .ResultNonFinite(1),
      // alignment and sum: lower bits cut off in sign and magnitude
      .FractionBits(13), .AlignmentRounding(0), .NormaliseProducts(0), .ExponentFloor(-21), .CarryBits(-1),
      // conversion: to nearest, ties to even
      .ResultRounding(1), .Overflow(1), .FlushOperands(0), .FlushAddend(0), .FlushResult(0), .ZeroNegative(0),
      .RoundedZero(1), .HasFlags(0), .NanWord(16'h7fff)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o), .flags_o(unused_flags)
  );

endmodule
