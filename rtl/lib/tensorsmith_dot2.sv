// Sum of two products of encoded numbers: d = round(a[0] * b[0] + a[1] * b[1]), rounded once (FPDot of Arm's manual, as BFDOT with
// FPCR.EBF = 1 uses it).
//
// The alignment rounds to odd: the last bit of the window also tells whether anything was lost, so that the one rounding at
// the end decides as if it saw the exact sum (S. Boldo, G. Melquiond, 2008; see tensorsmith_fma).
//
//     a[i] * b[i]    | xx. ............ 0 .. 0 |      P = p(a) + p(b) bits
//     the other      | 00. 0 ... xx. ......... |      what lies below u is ORed into it
//                                            ^ u = 2^(anchor - F), F = p + max(P, p(d) + 2) - 1
//
// p(x) is the precision of x, hidden bit included, and p the greater of p(a) and p(b). That F suffices, because
//
//     1. the product with the larger exponent loses nothing: its last bit weighs 2^(anchor - P + 2), which is 2u at least. So at
//        most the other one does, and the sum of the aligned terms is the exact sum rounded to odd at u.
//     2. if the other one loses bits, its exponent is lower, so that not both factors of the first are subnormal: the first
//        is 2^(anchor - p + 1) at least. The other one is below 2^(anchor - F + P - 1), half of that. The sum is above
//        2^(anchor - p), where the last place of d weighs 2^(anchor - p - p(d) + 1) at least: 4u.
//     3. at the floor of the anchor nothing is lost: it lies at most F above the last place of all products. A floor at d's
//        least normal exponent would not do where that is higher, as both products may lie below it.
//
// It raises no flags, passes on no NaN's payload, and never rounds a product.

module tensorsmith_dot2 #(
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
    input  logic [2*(OperandASignBits+OperandAExponentBits+OperandAFractionBits+OperandAPaddingBits)-1:0] a_i,  // a, element 0 below
    input  logic [2*(OperandBSignBits+OperandBExponentBits+OperandBFractionBits+OperandBPaddingBits)-1:0] b_i,  // b, element 0 below
    output logic [ResultExponentBits+ResultFractionBits+ResultPaddingBits:0]                              d_o   // d
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

  localparam int OperandAWidth = OperandASignBits + OperandAExponentBits + OperandAFractionBits + OperandAPaddingBits;
  localparam int OperandBWidth = OperandBSignBits + OperandBExponentBits + OperandBFractionBits + OperandBPaddingBits;

  // Significands with their hidden bits.
  localparam int OperandAPrecision = OperandAFractionBits + 1;
  localparam int OperandBPrecision = OperandBFractionBits + 1;
  localparam int ResultPrecision   = ResultFractionBits + 1;

  // Exact product: 2 integer bits, the others fraction.
  localparam int IntegerBits         = 2;
  localparam int ProductWidth        = OperandAPrecision + OperandBPrecision;
  localparam int ProductFractionBits = ProductWidth - IntegerBits;
  // F, as derived above; it holds the fraction, so that alignment has no guard bits.
  localparam int FractionBits     = max(OperandAPrecision, OperandBPrecision) + max(ProductWidth, ResultPrecision + 2) - 1;
  localparam int ProductPlaceLeft = FractionBits - ProductFractionBits;

  // Window, and a sign. Either product stays below 4: their sum needs one carry bit.
  localparam int WindowWidth  = IntegerBits + FractionBits;
  localparam int AlignedWidth = 1 + WindowWidth;
  localparam int CarryBits    = 1;
  localparam int SumWidth     = 1 + CarryBits + WindowWidth;

  // Least exponent of a product, least normal exponent of d, and the floor of the anchor.
  localparam int OperandAExponentMin = 1 - OperandABias;
  localparam int OperandBExponentMin = 1 - OperandBBias;
  localparam int ProductExponentMin  = OperandAExponentMin + OperandBExponentMin;
  localparam int ResultExponentMin   = 1 - ResultBias;
  localparam int ExponentFloor       = max(ProductExponentMin,
                                           min(ResultExponentMin, ProductExponentMin - ProductFractionBits + FractionBits));

  // Zeros above the magnitude, so that its top bit weighs 2^ResultExponentMin at least; it weighs
  // 2^(anchor + TopExponentOffset).
  localparam int HeadroomBits      = max(0, ResultExponentMin - (ExponentFloor + SumWidth - 2 - FractionBits));
  localparam int RoomySumWidth     = HeadroomBits + SumWidth;
  localparam int TopExponentOffset = RoomySumWidth - 2 - FractionBits;

  // Two's complement of every exponent, from those of subnormals to that of an all-ones field, and of the sum's top.
  localparam int OperandAExponentMax = (1 << OperandAExponentBits) - 1 - OperandABias;
  localparam int OperandBExponentMax = (1 << OperandBExponentBits) - 1 - OperandBBias;
  localparam int ExponentLowest      = min(min(ProductExponentMin, ResultExponentMin),
                                           min(OperandAExponentMin, OperandBExponentMin));
  localparam int ExponentHighest     = max(max(OperandAExponentMax + OperandBExponentMax, ExponentFloor) + TopExponentOffset,
                                           max(OperandAExponentMax, OperandBExponentMax));
  localparam int ExponentWidth       = signed_width(ExponentLowest, ExponentHighest);

  // As wide as the emulator's widest word.
  if (RoomySumWidth - 1 > 1022) begin : gen_error_sum_of_two_products_is_wider_than_1022_bits
    tensorsmith_error_sum_of_two_products_is_wider_than_1022_bits u_error ();
  end

  // ---------------------------------------------------------------------------------------------- product

  // Of both products, the first in the lowest bits.
  logic [1:0] unpacked_a_negative, unpacked_a_zero, unpacked_a_infinite, unpacked_a_nan;
  logic [1:0] unpacked_b_negative, unpacked_b_zero, unpacked_b_infinite, unpacked_b_nan;

  logic [2*ExponentWidth-1:0]     unpacked_a_exponent;
  logic [2*OperandAPrecision-1:0] unpacked_a_significand;
  logic [2*ExponentWidth-1:0]     unpacked_b_exponent;
  logic [2*OperandBPrecision-1:0] unpacked_b_significand;
  logic [1:0]                     product_negative;
  logic [2*ExponentWidth-1:0]     product_exponent;
  logic [2*ProductWidth-1:0]      product_significand;

  // ---------------------------------------------------------------------------------------------- aligned

  logic [ExponentWidth-1:0]  anchor;
  logic [2*AlignedWidth-1:0] aligned;

  for (genvar i = 0; i < 2; i++) begin : gen_product
    logic [AlignedWidth-1:0] row;
    logic                    up;

    tensorsmith_unpack #(
        .SignBits(OperandASignBits), .ExponentBits(OperandAExponentBits), .FractionBits(OperandAFractionBits),
        .PaddingBits(OperandAPaddingBits), .Bias(OperandABias), .NonFinite(OperandANonFinite),
        .FlushSubnormals(FlushOperands), .ExponentWidth(ExponentWidth)
    ) u_unpack_a (
        .operand_i(a_i[i*OperandAWidth +: OperandAWidth]), .negative_o(unpacked_a_negative[i]),
        .exponent_o(unpacked_a_exponent[i*ExponentWidth +: ExponentWidth]),
        .significand_o(unpacked_a_significand[i*OperandAPrecision +: OperandAPrecision]), .zero_o(unpacked_a_zero[i]),
        .infinite_o(unpacked_a_infinite[i]), .nan_o(unpacked_a_nan[i])
    );

    tensorsmith_unpack #(
        .SignBits(OperandBSignBits), .ExponentBits(OperandBExponentBits), .FractionBits(OperandBFractionBits),
        .PaddingBits(OperandBPaddingBits), .Bias(OperandBBias), .NonFinite(OperandBNonFinite),
        .FlushSubnormals(FlushOperands), .ExponentWidth(ExponentWidth)
    ) u_unpack_b (
        .operand_i(b_i[i*OperandBWidth +: OperandBWidth]), .negative_o(unpacked_b_negative[i]),
        .exponent_o(unpacked_b_exponent[i*ExponentWidth +: ExponentWidth]),
        .significand_o(unpacked_b_significand[i*OperandBPrecision +: OperandBPrecision]), .zero_o(unpacked_b_zero[i]),
        .infinite_o(unpacked_b_infinite[i]), .nan_o(unpacked_b_nan[i])
    );

    tensorsmith_product #(
        .SignificandAWidth(OperandAPrecision), .SignificandBWidth(OperandBPrecision),
        .ExponentWidth(ExponentWidth), .ExponentFloor(ExponentFloor)
    ) u_product (
        .a_negative_i(unpacked_a_negative[i]), .a_exponent_i(unpacked_a_exponent[i*ExponentWidth +: ExponentWidth]),
        .a_significand_i(unpacked_a_significand[i*OperandAPrecision +: OperandAPrecision]),
        .a_zero_i(unpacked_a_zero[i]), .b_negative_i(unpacked_b_negative[i]),
        .b_exponent_i(unpacked_b_exponent[i*ExponentWidth +: ExponentWidth]),
        .b_significand_i(unpacked_b_significand[i*OperandBPrecision +: OperandBPrecision]),
        .b_zero_i(unpacked_b_zero[i]), .negative_o(product_negative[i]),
        .exponent_o(product_exponent[i*ExponentWidth +: ExponentWidth]),
        .significand_o(product_significand[i*ProductWidth +: ProductWidth])
    );

    //     placed     | integer | fraction | 0 .. 0 |      F fraction bits with the zeros
    //     shifted    | 0 .... 0 | integer | fraction |    to the right by anchor - exponent; ORed into the last bit
    tensorsmith_align #(
        .SignificandWidth(ProductWidth), .PlaceLeft(ProductPlaceLeft), .ExponentWidth(ExponentWidth),
        .AlignedWidth(AlignedWidth), .Rounding(5)
    ) u_align (
        .clk_i(1'b0), .ce_i(1'b0),
        .negative_i(product_negative[i]), .exponent_i(product_exponent[i*ExponentWidth +: ExponentWidth]),
        .significand_i(product_significand[i*ProductWidth +: ProductWidth]), .anchor_i(anchor), .row_o(row), .up_o(up)
    );

    assign aligned[i*AlignedWidth +: AlignedWidth] = row + AlignedWidth'(up);
  end

  tensorsmith_maximum_tree #(
      .Count(3), .Width(ExponentWidth)
  ) u_anchor (
      .values_i({ExponentWidth'(ExponentFloor), product_exponent}), .maximum_o(anchor)
  );

  // ---------------------------------------------------------------------------------------------- sum

  logic signed [SumWidth-1:0] sum;

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
      .Products(2)
  ) u_special (
      .a_nan_i(unpacked_a_nan), .a_infinite_i(unpacked_a_infinite), .a_zero_i(unpacked_a_zero),
      .a_negative_i(unpacked_a_negative), .b_nan_i(unpacked_b_nan), .b_infinite_i(unpacked_b_infinite),
      .b_zero_i(unpacked_b_zero), .b_negative_i(unpacked_b_negative), .c_nan_i(1'b0),
      .c_infinite_i(1'b0), .c_negative_i(1'b0), .nan_o(special_nan),
      .infinite_o(special_infinite), .negative_o(special_negative)
  );

  tensorsmith_round_sum #(
      .SumWidth(RoomySumWidth), .ExponentWidth(ExponentWidth), .TopExponentOffset(TopExponentOffset),
      .ResultExponentBits(ResultExponentBits), .ResultFractionBits(ResultFractionBits),
      .ResultPaddingBits(ResultPaddingBits), .ResultBias(ResultBias), .ResultNonFinite(ResultNonFinite),
      .FlushResult(FlushResult), .Rounding(Rounding),
      .OverflowInfinityPositive(OverflowInfinityPositive), .OverflowInfinityNegative(OverflowInfinityNegative),
      .NanWord(NanWord)
  ) u_round_sum (
      .sum_i(RoomySumWidth'(sum)), .anchor_i(anchor), .first_negative_i(product_negative[0]),
      .second_negative_i(product_negative[1]), .nan_i(special_nan), .infinite_i(special_infinite),
      .infinite_negative_i(special_negative), .d_o(d_o)
  );

endmodule
