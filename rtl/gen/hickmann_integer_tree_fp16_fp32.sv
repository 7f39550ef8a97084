// Unit hickmann-integer-tree-fp16-fp32. Hickmann and Bradford's tree of integer adders: 4 fp16 products, fp32 addend and result, 24-bit window.
//
//     d = convert(c + a[0]*b[0] + ... + a[3]*b[3])
//
//     products        4
//     formats         a binary16, b binary16, c binary32, d binary32
//     product         exact, in [1, 4), not normalised
//     alignment       23 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor  none
//     carry bits      3, as many as any sum can need
//     conversion      truncation, overflow to infinity
//     subnormals      operands kept, addend flushed, result flushed
//     NaN and zero    every NaN is 0x7fc00000, an exact zero sum is +0
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
//     alignment.exponent_floor: [chosen] not said; none: it could not act, every product of fp16 numbers lies above
//     alignment.fraction_bits: [stated] Hickmann and Bradford, Experimental Analysis of Matrix Multiplication
//       Functional Units: the datapath is 24 bits wide; the leading bit of the largest term and 23 below it
//     alignment.normalise_products: [chosen] not said; as in the units of V100
//     alignment.rounding: [stated] Hickmann and Bradford, Experimental Analysis of Matrix Multiplication Functional
//       Units: all bits after the 24th are truncated, not rounded
//     conversion.exact_zero: [chosen] the test vectors of the slides answer 0.0; its sign is not said
//     conversion.nan: [chosen] not said; the canonical NaN
//     conversion.overflow: [chosen] not said; infinity
//     conversion.rounding: [stated] Hickmann and Bradford, Experimental Analysis of Matrix Multiplication Functional
//       Units: fp32 results are normalised and truncated to 24 bits, the second rounding point
//     formats: [stated] Hickmann and Bradford, Experimental Analysis of Matrix Multiplication Functional Units: fp16
//       operands, fp16 or fp32 accumulator; here fp32
//     products: [stated] Hickmann and Bradford, Experimental Analysis of Matrix Multiplication Functional Units: d0 =
//       a3 b3 + a2 b2 + a1 b1 + a0 b0 + c0 is the smallest element
//     scheme: [stated] Hickmann and Bradford, Experimental Analysis of Matrix Multiplication Functional Units, slides
//       'Possible Micro-Architectures - Tree of INT Adds' and 'Results - Internal Architecture': neither a chain of
//       FMAs nor a tree of floating-point adders, no internal rounding
//     subnormals: [conflict] Hickmann and Bradford, Experimental Analysis of Matrix Multiplication Functional Units:
//       fp32 subnormals are flushed to zero; taken for addend and result. Fasi et al. 2021, section 3.1.1, find them
//       kept. fp16 subnormals are handled
//     sum.carry_bits: [chosen] the integer overflow test normalises 1 + 1 to the right and cuts again, so there are
//       some; as many as always suffice
//
// Emitted; regenerate with: tensorsmith emit hickmann-integer-tree-fp16-fp32 --out DIR

module hickmann_integer_tree_fp16_fp32 #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_fused.
    localparam int Products      =  4,  // L: products summed at once
    localparam int OperandAWidth = 16,  // encoded a, binary16
    localparam int OperandBWidth = 16,  // encoded b, binary16
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
      .Products(4),
      // a: binary16
      .OperandASignBits(1), .OperandAExponentBits(5), .OperandAFractionBits(10), .OperandAPaddingBits(0),
      .OperandABias(15), .OperandANonFinite(1),
      // b: binary16
      .OperandBSignBits(1), .OperandBExponentBits(5), .OperandBFractionBits(10), .OperandBPaddingBits(0),
      .OperandBBias(15), .OperandBNonFinite(1),
      // c: binary32
      .AddendSignBits(1), .AddendExponentBits(8), .AddendFractionBits(23), .AddendPaddingBits(0), .AddendBias(127),
      .AddendNonFinite(1),
      // d: binary32
      .ResultExponentBits(8), .ResultFractionBits(23), .ResultPaddingBits(0), .ResultBias(127), .ResultNonFinite(1),
      // alignment and sum: lower bits cut off in sign and magnitude
      .FractionBits(23), .AlignmentRounding(0), .NormaliseProducts(0), .ExponentFloor(-1000000), .CarryBits(-1),
      // conversion: truncation
      .ResultRounding(0), .Overflow(1), .FlushOperands(0), .FlushAddend(1), .FlushResult(1), .ZeroNegative(0),
      .RoundedZero(0), .HasFlags(0), .NanWord(32'h7fc00000)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o), .flags_o(unused_flags)
  );

endmodule
