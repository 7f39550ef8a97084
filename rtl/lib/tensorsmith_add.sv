// Sum of two encoded numbers of one format: d = round(x + y), rounded once (IEEE 754-2019, 5.4.1).
//
//     x        | 1. .......... | 0 0 0 |      p bits, then zeros down to u
//     y        | 0 . 0 1 ..... | ..... |      what lies below u is ORed into it
//                                    ^ u = 2^(anchor - F), F = p + 2
//
// p is the precision, hidden bit included, and x the term with the larger exponent. F suffices, because y loses
// bits only where it lies more than three binades below x, whose leading bit then stands at the anchor. The sum is
// above 2^(anchor - 1), where the last place weighs 4u: results and the middles between them are even multiples of u, and
// rounding to odd keeps every sum on its side of them. A sum below the least normal number is exact.
//
// It raises no flags and passes on no NaN's payload.

module tensorsmith_add #(
    // Format of x, y and d, which has a sign.
    parameter int ResultExponentBits = 8,
    parameter int ResultFractionBits = 23,
    parameter int ResultPaddingBits  = 0,
    parameter int ResultBias         = 127,
    parameter int ResultNonFinite    = 1,

    parameter int FlushAddend = 0,  // subnormal x and y, 1: read as zero of the same sign, 2: as +0
    parameter int FlushResult = 0,  // as in tensorsmith_round_sum

    parameter int Rounding = 1,  // as in tensorsmith_round
    parameter int ZeroSign = 0,  // exact zero sum, 0: as IEEE 754-2019, 6.3 says, 1: always +0, 2: always -0

    // 1: a result of that sign above the largest finite number is infinite, 0: it is the largest.
    parameter int OverflowInfinityPositive = 1,
    parameter int OverflowInfinityNegative = 1,

    // Every NaN result, sign and padding included.
    parameter logic [ResultExponentBits+ResultFractionBits+ResultPaddingBits:0] NanWord = {(ResultExponentBits+ResultFractionBits+ResultPaddingBits+1){1'b1}}
) (
    input  logic [ResultExponentBits+ResultFractionBits+ResultPaddingBits:0] x_i,  // one term
    input  logic [ResultExponentBits+ResultFractionBits+ResultPaddingBits:0] y_i,  // the other term
    output logic [ResultExponentBits+ResultFractionBits+ResultPaddingBits:0] d_o   // d
);

  function automatic int max(input int x, input int y);
    max = x > y ? x : y;
  endfunction

  // Bits of the narrowest two's complement number that holds low to high.
  function automatic int signed_width(input int low, input int high);
    signed_width = 1 + max($clog2(low < 0 ? -low : low + 1), $clog2(high < 0 ? -high : high + 1));
  endfunction

  // Significand with its hidden bit: 1 integer bit, the others fraction.
  localparam int IntegerBits     = 1;
  localparam int ResultPrecision = ResultFractionBits + 1;
  // F, as derived above.
  localparam int FractionBits = ResultPrecision + 2;
  localparam int PlaceLeft    = FractionBits - ResultFractionBits;

  // Window, and a sign. Both terms stay below 2: their sum needs one carry bit.
  localparam int WindowWidth  = IntegerBits + FractionBits;
  localparam int AlignedWidth = 1 + WindowWidth;
  localparam int CarryBits    = 1;
  localparam int SumWidth     = 1 + CarryBits + WindowWidth;
  // The magnitude's top bit weighs 2^(anchor + TopExponentOffset).
  localparam int TopExponentOffset = SumWidth - 2 - FractionBits;

  // Two's complement of every exponent, from that of subnormals to that of an all-ones field, and of the sum's top.
  localparam int ResultExponentMin = 1 - ResultBias;
  localparam int ResultExponentMax = (1 << ResultExponentBits) - 1 - ResultBias;
  localparam int ExponentWidth     = signed_width(ResultExponentMin, ResultExponentMax + TopExponentOffset);

  // ---------------------------------------------------------------------------------------------- unpacked

  logic                       unpacked_x_negative, unpacked_x_infinite, unpacked_x_nan;
  logic [ExponentWidth-1:0]   unpacked_x_exponent;
  logic [ResultPrecision-1:0] unpacked_x_significand;
  logic                       unused_x_zero;  // exponent and significand tell as much
  logic                       unpacked_y_negative, unpacked_y_infinite, unpacked_y_nan;
  logic [ExponentWidth-1:0]   unpacked_y_exponent;
  logic [ResultPrecision-1:0] unpacked_y_significand;
  logic                       unused_y_zero;

  tensorsmith_unpack #(
      .ExponentBits(ResultExponentBits), .FractionBits(ResultFractionBits), .PaddingBits(ResultPaddingBits),
      .Bias(ResultBias), .NonFinite(ResultNonFinite), .FlushSubnormals(FlushAddend),
      .ExponentWidth(ExponentWidth)
  ) u_unpack_x (
      .operand_i(x_i), .negative_o(unpacked_x_negative), .exponent_o(unpacked_x_exponent),
      .significand_o(unpacked_x_significand), .zero_o(unused_x_zero), .infinite_o(unpacked_x_infinite),
      .nan_o(unpacked_x_nan)
  );

  tensorsmith_unpack #(
      .ExponentBits(ResultExponentBits), .FractionBits(ResultFractionBits), .PaddingBits(ResultPaddingBits),
      .Bias(ResultBias), .NonFinite(ResultNonFinite), .FlushSubnormals(FlushAddend),
      .ExponentWidth(ExponentWidth)
  ) u_unpack_y (
      .operand_i(y_i), .negative_o(unpacked_y_negative), .exponent_o(unpacked_y_exponent),
      .significand_o(unpacked_y_significand), .zero_o(unused_y_zero), .infinite_o(unpacked_y_infinite),
      .nan_o(unpacked_y_nan)
  );

  // ---------------------------------------------------------------------------------------------- anchor

  logic [ExponentWidth-1:0] anchor;

  // Subnormals and zeros have the least normal exponent: the anchor needs no other floor.
  tensorsmith_maximum_tree #(
      .Count(2), .Width(ExponentWidth)
  ) u_anchor (
      .values_i({unpacked_y_exponent, unpacked_x_exponent}), .maximum_o(anchor)
  );

  // ---------------------------------------------------------------------------------------------- aligned

  logic [2*AlignedWidth-1:0] aligned;  // x, y on top
  logic [AlignedWidth-1:0]   row_x;
  logic                      up_x;
  logic [AlignedWidth-1:0]   row_y;
  logic                      up_y;

  assign aligned = {row_y + AlignedWidth'(up_y), row_x + AlignedWidth'(up_x)};

  //     placed     | integer | fraction | 0 0 0 |      F fraction bits with the zeros
  //     shifted    | 0 ... 0 | integer | fraction |    to the right by anchor - exponent; ORed into the last bit
  tensorsmith_align #(
      .SignificandWidth(ResultPrecision), .PlaceLeft(PlaceLeft), .ExponentWidth(ExponentWidth),
      .AlignedWidth(AlignedWidth), .Rounding(5)
  ) u_align_x (
      .clk_i(1'b0), .ce_i(1'b0),
      .negative_i(unpacked_x_negative), .exponent_i(unpacked_x_exponent),
      .significand_i(unpacked_x_significand), .anchor_i(anchor), .row_o(row_x), .up_o(up_x)
  );

  tensorsmith_align #(
      .SignificandWidth(ResultPrecision), .PlaceLeft(PlaceLeft), .ExponentWidth(ExponentWidth),
      .AlignedWidth(AlignedWidth), .Rounding(5)
  ) u_align_y (
      .clk_i(1'b0), .ce_i(1'b0),
      .negative_i(unpacked_y_negative), .exponent_i(unpacked_y_exponent),
      .significand_i(unpacked_y_significand), .anchor_i(anchor), .row_o(row_y), .up_o(up_y)
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

  // For the classes x is a product with 1.
  tensorsmith_special #(
      .Products(1)
  ) u_special (
      .a_nan_i(unpacked_x_nan), .a_infinite_i(unpacked_x_infinite), .a_zero_i(1'b0),
      .a_negative_i(unpacked_x_negative), .b_nan_i(1'b0), .b_infinite_i(1'b0), .b_zero_i(1'b0),
      .b_negative_i(1'b0), .c_nan_i(unpacked_y_nan), .c_infinite_i(unpacked_y_infinite),
      .c_negative_i(unpacked_y_negative), .nan_o(special_nan), .infinite_o(special_infinite),
      .negative_o(special_negative)
  );

  tensorsmith_round_sum #(
      .SumWidth(SumWidth), .ExponentWidth(ExponentWidth), .TopExponentOffset(TopExponentOffset),
      .ResultExponentBits(ResultExponentBits), .ResultFractionBits(ResultFractionBits),
      .ResultPaddingBits(ResultPaddingBits), .ResultBias(ResultBias), .ResultNonFinite(ResultNonFinite),
      .FlushResult(FlushResult), .Rounding(Rounding), .ZeroSign(ZeroSign),
      .OverflowInfinityPositive(OverflowInfinityPositive), .OverflowInfinityNegative(OverflowInfinityNegative),
      .NanWord(NanWord)
  ) u_round_sum (
      .sum_i(sum), .anchor_i(anchor), .first_negative_i(unpacked_x_negative), .second_negative_i(unpacked_y_negative),
      .nan_i(special_nan), .infinite_i(special_infinite), .infinite_negative_i(special_negative), .d_o(d_o)
  );

endmodule
