// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit ampere-bf16-fp32. NVIDIA Ampere and Ada: one block of 8 bf16 products, fp32 result.
//
//     d = convert(c + a[0]*b[0] + ... + a[7]*b[7])
//
//     products        8
//     formats         a bfloat16, b bfloat16, c binary32, d binary32
//     product         exact, in [1, 4), not normalised
//     alignment       24 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor  -132
//     carry bits      4, as many as any sum can need
//     conversion      truncation, overflow to infinity
//     subnormals      operands kept, addend kept, result kept
//     NaN and zero    every NaN is 0x7fffffff, an exact zero sum is +0, and so is one that is rounded to zero
//     latency         0 cycles; the module named _registered: 2
//
// The sum, in units of 2^(anchor - F):
//
//     bit      30    29..26   25..24     23..0
//     sum   | sign | carry  | integer | fraction |
//     bit 24 weighs 2^anchor, bit 0 weighs 2^(anchor - 24); lower bits of a term are cut
//
// Where the constants come from:
//
//     alignment.exponent_floor: [stated] Xie et al., arXiv 2511.10909
//     alignment.fraction_bits: [replayed] Khattak and Mikaitis, public recordings (MATLAB-tensor-core), every row of
//       A100, A2, Ada, L40S
//     alignment.normalise_products: [stated] Khattak and Mikaitis, public recordings (MATLAB-tensor-core): normalised
//       products miss 205 to 409 of 2,500 rows (fp16 to fp32)
//     alignment.rounding: [replayed] Valpey et al. 2025, section 4.2: each term is cut, not the exact sum rounded
//       toward zero; Khattak and Mikaitis, public recordings (MATLAB-tensor-core)
//     conversion.exact_zero: [stated] plus zero: Xie et al., arXiv 2511.10909. The recordings do not test it
//     conversion.nan: [stated] 0x7fffffff: Xie et al., arXiv 2511.10909. The recordings hold no NaN
//     conversion.overflow: [stated] infinity also when truncating; Xie et al., arXiv 2511.10909. The recordings do not
//       test it
//     conversion.rounded_zero: [stated] plus zero whatever the sum: MMA-Sim 2.1.1; an H100 answers so
//     conversion.rounding: [replayed] Fasi et al. 2021, section 3.1.3; Khattak and Mikaitis, public recordings
//       (MATLAB-tensor-core)
//     products: [replayed] Valpey et al. 2025, section 4; Khattak and Mikaitis, public recordings (MATLAB-tensor-core)
//     subnormals: [stated] kept in operands, addend and result: Fasi et al. 2021, section 3.1.1
//     sum.carry_bits: [stated] ceil(log2(L + 1)) always suffice; Valpey et al. 2025, section 4.3, counted above two
//       integer bits
//
// Emitted; regenerate with: tensorsmith emit ampere-bf16-fp32 --out DIR

module ampere_bf16_fp32 #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_fused.
    localparam int Products      =  8,  // L: products summed at once
    localparam int OperandAWidth = 16,  // encoded a, bfloat16
    localparam int OperandBWidth = 16,  // encoded b, bfloat16
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
      // a: bfloat16
      .OperandASignBits(1), .OperandAExponentBits(8), .OperandAFractionBits(7), .OperandAPaddingBits(0),
      .OperandABias(127), .OperandANonFinite(1),
      // b: bfloat16
      .OperandBSignBits(1), .OperandBExponentBits(8), .OperandBFractionBits(7), .OperandBPaddingBits(0),
      .OperandBBias(127), .OperandBNonFinite(1),
      // c: binary32
      .AddendSignBits(1), .AddendExponentBits(8), .AddendFractionBits(23), .AddendPaddingBits(0), .AddendBias(127),
      .AddendNonFinite(1),
      // d: binary32
      .ResultExponentBits(8), .ResultFractionBits(23), .ResultPaddingBits(0), .ResultBias(127), .ResultNonFinite(1),
      // alignment and sum: lower bits cut off in sign and magnitude
      .FractionBits(24), .AlignmentRounding(0), .NormaliseProducts(0), .ExponentFloor(-132), .CarryBits(-1),
      // conversion: truncation
      .ResultRounding(0), .Overflow(1), .FlushOperands(0), .FlushAddend(0), .FlushResult(0), .ZeroNegative(0),
      .RoundedZero(1), .HasFlags(0), .NanWord(32'h7fffffff)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o), .flags_o(unused_flags)
  );

endmodule
