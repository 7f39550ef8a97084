// Fused multiply-add on encodings: d = round(a * b + c), rounded once (IEEE 754-2019, 5.4.1).
//
// It is a fused sum of two terms whose alignment rounds to odd: the last bit of the window also tells whether
// anything was lost, so that the one rounding at the end decides as if it saw the exact sum (S. Boldo,
// G. Melquiond: Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to odd, 2008).
//
//     c        | 1. .......... | 0 .................. 0 |      p(d) bits, then zeros down to u
//     a * b    | 0 ......... 0 | xx. .................. |      p(a) + p(b) bits; what lies below u is ORed into it
//                                                      ^ u = 2^(anchor - F), F = p(a) + p(b) + p(d)
//
// p(x) is the precision of x, hidden bit included. That F suffices, because
//
//     1. at most one term loses bits, and the other is an even multiple of u: then the sum of the aligned
//        terms is the exact sum rounded to odd at u. The last bit of c weighs 2^(anchor - p(d) + 1) if c has the
//        larger exponent; that of the product 2^(anchor - p(a) - p(b) + 2) if the product has. At the floor
//        the last bit of c weighs 2^(floor - p(d) + 1) at least.
//     2. if a term loses bits, the last place of d weighs at least 4u: results and the middles between them are
//        even multiples of u, and rounding to odd keeps every sum on its side of them. Worst is a product of
//        subnormal operands: it may be as small as 2^(anchor - p(a) - p(b) + 2), and c loses bits where it is below
//        2^(anchor - p(a) - p(b) - 1). The sum is above 2^(anchor - p(a) - p(b) + 1), where the last
//        place of d is 4u. One bit less in F, and it would be 2u.
//
// The window of F + 2 bits is the 3p + 2 of the classic data path. The floor of the anchor is d's least normal
// exponent: no place of d lies below 2^(floor - p(d) + 1), so that terms of any smallness fit the window.
//
// It raises no flags, passes on no NaN's payload, and never rounds the product.

module tensorsmith_fma #(
    // Format of a, as tensorsmith_unpack takes it.
    parameter int OperandASignBits     = 1,
    parameter int OperandAExponentBits = 8,
    parameter int OperandAFractionBits = 23,
    parameter int OperandAPaddingBits  = 0,
    parameter int OperandABias         = 127,
    parameter int OperandANonFinite    = 1,

    // Format of b.
    parameter int OperandBSignBits     = 1,
    parameter int OperandBExponentBits = 8,
    parameter int OperandBFractionBits = 23,
    parameter int OperandBPaddingBits  = 0,
    parameter int OperandBBias         = 127,
    parameter int OperandBNonFinite    = 1,

    // Format of c and d, which has a sign.
    parameter int ResultExponentBits = 8,
    parameter int ResultFractionBits = 23,
    parameter int ResultPaddingBits  = 0,
    parameter int ResultBias         = 127,
    parameter int ResultNonFinite    = 1,

    parameter int FlushOperands = 0,  // subnormal a and b, 1: read as zero of the same sign, 2: as +0
    parameter int FlushAddend   = 0,  // subnormal c, the same
    parameter int FlushResult   = 0,  // as in tensorsmith_round_sum

    parameter int Rounding = 1,  // as in tensorsmith_round
    parameter int ZeroSign = 0,  // exact zero sum, 0: as IEEE 754-2019, 6.3 says, 1: always +0, 2: always -0

    // 1: a result of that sign above the largest finite number is infinite, 0: it is the largest.
    parameter int OverflowInfinityPositive = 1,
    parameter int OverflowInfinityNegative = 1,

    // Every NaN result, sign and padding included.
    parameter logic [ResultExponentBits+ResultFractionBits+ResultPaddingBits:0] NanWord = {(ResultExponentBits+ResultFractionBits+ResultPaddingBits+1){1'b1}}
) (
    input  logic [OperandASignBits+OperandAExponentBits+OperandAFractionBits+OperandAPaddingBits-1:0] a_i,  // a
    input  logic [OperandBSignBits+OperandBExponentBits+OperandBFractionBits+OperandBPaddingBits-1:0] b_i,  // b
    input  logic [ResultExponentBits+ResultFractionBits+ResultPaddingBits:0]                          c_i,  // c
    output logic [ResultExponentBits+ResultFractionBits+ResultPaddingBits:0]                          d_o   // d
);

  function automatic int max(input int x, input int y);
    max = x > y ? x : y;
  endfunction

  function automatic int min(input int x, input int y);
    min = x < y ? x : y;
  endfunction

  // Bits of the narrowest two's complement number that holds low to high.
  function automatic int signed_width(input int low, input int high);
    signed_width = 1 + max($clog2(low < 0 ? -low : low + 1), $clog2(high < 0 ? -high : high + 1));
  endfunction

  // Significands with their hidden bits.
  localparam int OperandAPrecision = OperandAFractionBits + 1;
  localparam int OperandBPrecision = OperandBFractionBits + 1;
  localparam int ResultPrecision   = ResultFractionBits + 1;

  // Exact product: 2 integer bits, the others fraction.
  localparam int IntegerBits         = 2;
  localparam int ProductWidth        = OperandAPrecision + OperandBPrecision;
  localparam int ProductFractionBits = ProductWidth - IntegerBits;
  // F, as derived above; it holds either fraction, so that alignment has no guard bits.
  localparam int FractionBits     = ProductWidth + ResultPrecision;
  localparam int ProductPlaceLeft = FractionBits - ProductFractionBits;
  localparam int AddendPlaceLeft  = FractionBits - ResultFractionBits;

  // Window, and a sign. The product stays below 4 and the addend below 2: their sum needs one carry bit.
  localparam int WindowWidth  = IntegerBits + FractionBits;
  localparam int AlignedWidth = 1 + WindowWidth;
  localparam int CarryBits    = 1;
  localparam int SumWidth     = 1 + CarryBits + WindowWidth;
  // Its magnitude's top bit weighs 2^(anchor + TopExponentOffset).
  localparam int TopExponentOffset = SumWidth - 2 - FractionBits;

  // Least normal exponent of d: the floor of the anchor.
  localparam int ResultExponentMin = 1 - ResultBias;
  // Two's complement of every exponent, from those of subnormals to that of an all-ones field, and of the sum's top.
  localparam int OperandAExponentMin = 1 - OperandABias;
  localparam int OperandBExponentMin = 1 - OperandBBias;
  localparam int OperandAExponentMax = (1 << OperandAExponentBits) - 1 - OperandABias;
  localparam int OperandBExponentMax = (1 << OperandBExponentBits) - 1 - OperandBBias;
  localparam int ResultExponentMax   = (1 << ResultExponentBits) - 1 - ResultBias;
  localparam int ExponentLowest      = min(min(OperandAExponentMin + OperandBExponentMin, ResultExponentMin),
                                           min(OperandAExponentMin, OperandBExponentMin));
  localparam int ExponentHighest     = max(max(OperandAExponentMax + OperandBExponentMax, ResultExponentMax) + TopExponentOffset,
                                           max(OperandAExponentMax, OperandBExponentMax));
  localparam int ExponentWidth       = signed_width(ExponentLowest, ExponentHighest);

  // ---------------------------------------------------------------------------------------------- unpacked

  logic                         unpacked_a_negative, unpacked_a_zero, unpacked_a_infinite, unpacked_a_nan;
  logic [ExponentWidth-1:0]     unpacked_a_exponent;
  logic [OperandAPrecision-1:0] unpacked_a_significand;
  logic                         unpacked_b_negative, unpacked_b_zero, unpacked_b_infinite, unpacked_b_nan;
  logic [ExponentWidth-1:0]     unpacked_b_exponent;
  logic [OperandBPrecision-1:0] unpacked_b_significand;
  logic                         unpacked_c_negative, unpacked_c_infinite, unpacked_c_nan;
  logic [ExponentWidth-1:0]     unpacked_c_exponent;
  logic [ResultPrecision-1:0]   unpacked_c_significand;
  logic                         unused_c_zero;  // exponent and significand tell as much

  tensorsmith_unpack #(
      .SignBits(OperandASignBits), .ExponentBits(OperandAExponentBits), .FractionBits(OperandAFractionBits),
      .PaddingBits(OperandAPaddingBits), .Bias(OperandABias), .NonFinite(OperandANonFinite),
      .FlushSubnormals(FlushOperands), .ExponentWidth(ExponentWidth)
  ) u_unpack_a (
      .operand_i(a_i), .negative_o(unpacked_a_negative), .exponent_o(unpacked_a_exponent),
      .significand_o(unpacked_a_significand), .zero_o(unpacked_a_zero), .infinite_o(unpacked_a_infinite),
      .nan_o(unpacked_a_nan)
  );

  tensorsmith_unpack #(
      .SignBits(OperandBSignBits), .ExponentBits(OperandBExponentBits), .FractionBits(OperandBFractionBits),
      .PaddingBits(OperandBPaddingBits), .Bias(OperandBBias), .NonFinite(OperandBNonFinite),
      .FlushSubnormals(FlushOperands), .ExponentWidth(ExponentWidth)
  ) u_unpack_b (
      .operand_i(b_i), .negative_o(unpacked_b_negative), .exponent_o(unpacked_b_exponent),
      .significand_o(unpacked_b_significand), .zero_o(unpacked_b_zero), .infinite_o(unpacked_b_infinite),
      .nan_o(unpacked_b_nan)
  );

  tensorsmith_unpack #(
      .ExponentBits(ResultExponentBits), .FractionBits(ResultFractionBits), .PaddingBits(ResultPaddingBits),
      .Bias(ResultBias), .NonFinite(ResultNonFinite), .FlushSubnormals(FlushAddend),
      .ExponentWidth(ExponentWidth)
  ) u_unpack_c (
      .operand_i(c_i), .negative_o(unpacked_c_negative), .exponent_o(unpacked_c_exponent),
      .significand_o(unpacked_c_significand), .zero_o(unused_c_zero), .infinite_o(unpacked_c_infinite),
      .nan_o(unpacked_c_nan)
  );

  // ---------------------------------------------------------------------------------------------- product

  logic                     product_negative;
  logic [ExponentWidth-1:0] product_exponent;
  logic [ProductWidth-1:0]  product_significand;

  tensorsmith_product #(
      .SignificandAWidth(OperandAPrecision), .SignificandBWidth(OperandBPrecision),
      .ExponentWidth(ExponentWidth), .ExponentFloor(ResultExponentMin)
  ) u_product (
      .a_negative_i(unpacked_a_negative), .a_exponent_i(unpacked_a_exponent),
      .a_significand_i(unpacked_a_significand), .a_zero_i(unpacked_a_zero), .b_negative_i(unpacked_b_negative),
      .b_exponent_i(unpacked_b_exponent), .b_significand_i(unpacked_b_significand),
      .b_zero_i(unpacked_b_zero), .negative_o(product_negative), .exponent_o(product_exponent),
      .significand_o(product_significand)
  );

  // ---------------------------------------------------------------------------------------------- anchor

  logic [ExponentWidth-1:0] anchor;

  // The addend's exponent, also that of a zero, is at least the floor: it is unpacked from d's format.
  tensorsmith_maximum_tree #(
      .Count(2), .Width(ExponentWidth)
  ) u_anchor (
      .values_i({unpacked_c_exponent, product_exponent}), .maximum_o(anchor)
  );

  // ---------------------------------------------------------------------------------------------- aligned

  logic [2*AlignedWidth-1:0] aligned;  // the product, the addend on top
  logic [AlignedWidth-1:0]   row_product;
  logic                      up_product;
  logic [AlignedWidth-1:0]   row_addend;
  logic                      up_addend;

  assign aligned = {row_addend + AlignedWidth'(up_addend), row_product + AlignedWidth'(up_product)};

  //     placed     | integer | fraction | 0 .. 0 |      F fraction bits with the zeros
  //     shifted    | 0 .... 0 | integer | fraction |    to the right by anchor - exponent; ORed into the last bit
  tensorsmith_align #(
      .SignificandWidth(ProductWidth), .PlaceLeft(ProductPlaceLeft), .ExponentWidth(ExponentWidth),
      .AlignedWidth(AlignedWidth), .Rounding(5)
  ) u_align_product (
      .clk_i(1'b0), .ce_i(1'b0),
      .negative_i(product_negative), .exponent_i(product_exponent), .significand_i(product_significand),
      .anchor_i(anchor), .row_o(row_product), .up_o(up_product)
  );

  tensorsmith_align #(
      .SignificandWidth(ResultPrecision), .PlaceLeft(AddendPlaceLeft), .ExponentWidth(ExponentWidth),
      .AlignedWidth(AlignedWidth), .Rounding(5)
  ) u_align_addend (
      .clk_i(1'b0), .ce_i(1'b0),
      .negative_i(unpacked_c_negative), .exponent_i(unpacked_c_exponent),
      .significand_i(unpacked_c_significand), .anchor_i(anchor),
      .row_o(row_addend), .up_o(up_addend)
  );

  // ---------------------------------------------------------------------------------------------- sum

  logic [SumWidth-1:0] sum;

  tensorsmith_adder_tree #(
      .Count(2), .AddendWidth(AlignedWidth), .SumWidth(SumWidth)
  ) u_sum (
      .clk_i(1'b0), .ce_i(1'b0),
      .addends_i(aligned), .sum_o(sum)
  );

  // ---------------------------------------------------------------------------------------------- result

  logic special_nan;
  logic special_infinite;
  logic special_negative;

  tensorsmith_special #(
      .Products(1)
  ) u_special (
      .a_nan_i(unpacked_a_nan), .a_infinite_i(unpacked_a_infinite), .a_zero_i(unpacked_a_zero),
      .a_negative_i(unpacked_a_negative), .b_nan_i(unpacked_b_nan), .b_infinite_i(unpacked_b_infinite),
      .b_zero_i(unpacked_b_zero), .b_negative_i(unpacked_b_negative), .c_nan_i(unpacked_c_nan),
      .c_infinite_i(unpacked_c_infinite), .c_negative_i(unpacked_c_negative), .nan_o(special_nan),
      .infinite_o(special_infinite), .negative_o(special_negative)
  );

  tensorsmith_round_sum #(
      .SumWidth(SumWidth), .ExponentWidth(ExponentWidth), .TopExponentOffset(TopExponentOffset),
      .ResultExponentBits(ResultExponentBits), .ResultFractionBits(ResultFractionBits),
      .ResultPaddingBits(ResultPaddingBits), .ResultBias(ResultBias), .ResultNonFinite(ResultNonFinite),
      .FlushResult(FlushResult), .Rounding(Rounding), .ZeroSign(ZeroSign),
      .OverflowInfinityPositive(OverflowInfinityPositive), .OverflowInfinityNegative(OverflowInfinityNegative),
      .NanWord(NanWord)
  ) u_round_sum (
      .sum_i(sum), .anchor_i(anchor), .first_negative_i(product_negative), .second_negative_i(unpacked_c_negative),
      .nan_i(special_nan), .infinite_i(special_infinite), .infinite_negative_i(special_negative), .d_o(d_o)
  );

endmodule
