// Product of two encoded numbers: d = round(a * b), rounded once to the format of d (IEEE 754-2019, 5.4.1).
//
//     a * b    | xx. .................. |      exact, p(a) + p(b) bits
//     aligned  | 0 .... xx. ........... |      below the floor: what lies below u is ORed into it
//                                     ^ u = 2^(anchor - F), F = p(a) + p(b) - 2, or p(d) + 2 if that is more
//
// p(x) is the precision of x, hidden bit included. The anchor is the exponent of the product, but not below d's least
// normal exponent. Above that floor nothing is lost. At the floor the last place of d weighs 8u at least, and 4u where
// tininess is looked at: results and the middles between them are even multiples of u, and rounding to odd keeps
// every product on its side of them.
//
// It raises no flags and passes on no NaN's payload. A zero has the sign of the product.

module tensorsmith_multiply #(
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

    // Format of d, which has a sign.
    parameter int ResultExponentBits = 8,
    parameter int ResultFractionBits = 23,
    parameter int ResultPaddingBits  = 0,
    parameter int ResultBias         = 127,
    parameter int ResultNonFinite    = 1,

    parameter int FlushOperands = 0,  // subnormal a and b, 1: read as zero of the same sign, 2: as +0
    parameter int FlushResult   = 0,  // as in tensorsmith_round_sum

    parameter int Rounding = 1,  // as in tensorsmith_round

    // 1: a result of that sign above the largest finite number is infinite, 0: it is the largest.
    parameter int OverflowInfinityPositive = 1,
    parameter int OverflowInfinityNegative = 1,

    // Every NaN result, sign and padding included.
    parameter logic [ResultExponentBits+ResultFractionBits+ResultPaddingBits:0] NanWord = {(ResultExponentBits+ResultFractionBits+ResultPaddingBits+1){1'b1}}
) (
    input  logic [OperandASignBits+OperandAExponentBits+OperandAFractionBits+OperandAPaddingBits-1:0] a_i,  // a
    input  logic [OperandBSignBits+OperandBExponentBits+OperandBFractionBits+OperandBPaddingBits-1:0] b_i,  // b
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
  // F, as derived above.
  localparam int FractionBits     = ProductFractionBits > ResultPrecision + 2
                                  ? ProductFractionBits : ResultPrecision + 2;
  localparam int ProductPlaceLeft = FractionBits - ProductFractionBits;

  // Window, and a sign: the "sum" is the product alone.
  localparam int WindowWidth       = IntegerBits + FractionBits;
  localparam int SumWidth          = 1 + WindowWidth;
  // The magnitude's top bit weighs 2^(anchor + TopExponentOffset).
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

  tensorsmith_maximum_tree #(
      .Count(2), .Width(ExponentWidth)
  ) u_anchor (
      .values_i({ExponentWidth'(ResultExponentMin), product_exponent}), .maximum_o(anchor)
  );

  // ---------------------------------------------------------------------------------------------- aligned

  logic [SumWidth-1:0] aligned;
  logic [SumWidth-1:0] row;
  logic                up;

  assign aligned = row + SumWidth'(up);

  //     placed     | integer | fraction | 0 .. 0 |      F fraction bits with the zeros
  //     shifted    | 0 .... 0 | integer | fraction |    to the right by anchor - exponent; ORed into the last bit
  tensorsmith_align #(
      .SignificandWidth(ProductWidth), .PlaceLeft(ProductPlaceLeft), .ExponentWidth(ExponentWidth),
      .AlignedWidth(SumWidth), .Rounding(5)
  ) u_align (
      .clk_i(1'b0), .ce_i(1'b0),
      .negative_i(product_negative), .exponent_i(product_exponent), .significand_i(product_significand),
      .anchor_i(anchor), .row_o(row), .up_o(up)
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
      .b_zero_i(unpacked_b_zero), .b_negative_i(unpacked_b_negative), .c_nan_i(1'b0),
      .c_infinite_i(1'b0), .c_negative_i(1'b0), .nan_o(special_nan),
      .infinite_o(special_infinite), .negative_o(special_negative)
  );

  tensorsmith_round_sum #(
      .SumWidth(SumWidth), .ExponentWidth(ExponentWidth), .TopExponentOffset(TopExponentOffset),
      .ResultExponentBits(ResultExponentBits), .ResultFractionBits(ResultFractionBits),
      .ResultPaddingBits(ResultPaddingBits), .ResultBias(ResultBias), .ResultNonFinite(ResultNonFinite),
      .FlushResult(FlushResult), .Rounding(Rounding),
      .OverflowInfinityPositive(OverflowInfinityPositive), .OverflowInfinityNegative(OverflowInfinityNegative),
      .NanWord(NanWord)
  ) u_round_sum (
      .sum_i(aligned), .anchor_i(anchor), .first_negative_i(product_negative), .second_negative_i(product_negative),
      .nan_i(special_nan), .infinite_i(special_infinite), .infinite_negative_i(special_negative), .d_o(d_o)
  );

endmodule
