// Rounds the sum of two terms once and encodes it: the back end of the rounded operations.
//
//     sum_i            | sign |      magnitude      |      in units of 2^(anchor - F); TopExponentOffset is
//                                                          SumWidth - 2 - F
//     normalised       | 1 . ............ | 0 ... 0 |      the leading one on top, or lower where d is subnormal
//     rounded      | c | 1 . fraction |                    c: carry out of the increment
//
// The last bit of the sum may be a sticky bit: one that is 1 where anything of a term was lost.
//
// An exact zero sum has the sign of IEEE 754-2019, 6.3, which pack does not know: that of both terms where they
// share one, which only zeros do; else minus where the rounding is toward negative.
//
// A result is tiny if it is below the least normal number when it is rounded as if exponents had no bound
// (IEEE 754-2019, 7.5, tininess after rounding). Just below that number the last place then weighs half as much:
//
//     normalised   | 0 1 . fraction | h | .... |           at the least exponent
//     finer        |   1 . fraction | h |                  rounded to one bit more: tiny unless it carries
//
// It never shifts a term, and it raises no flags.

module tensorsmith_round_sum #(
    parameter int SumWidth          = 29,  // sum, two's complement, sign included; at least ResultFractionBits + 4
    parameter int ExponentWidth     = 9,   // exponents, two's complement, sign included
    parameter int TopExponentOffset = 4,   // weight exponent of the magnitude's top bit, above the anchor

    // Format of d, which has a sign.
    parameter int ResultExponentBits = 8,
    parameter int ResultFractionBits = 23,
    parameter int ResultPaddingBits  = 0,
    parameter int ResultBias         = 127,
    parameter int ResultNonFinite    = 1,

    parameter int FlushResult = 0,  // 1: a result below the least normal number becomes zero of the same sign
                                    // 2: so does a least normal one that is rounded up from a tiny one
    parameter int Rounding    = 1,  // as in tensorsmith_round
    parameter int ZeroSign    = 0,  // exact zero sum, 0: as IEEE 754-2019, 6.3 says, 1: always +0, 2: always -0

    // 1: a result of that sign above the largest finite number is infinite, 0: it is the largest.
    parameter int OverflowInfinityPositive = 1,
    parameter int OverflowInfinityNegative = 1,

    // Every NaN result, sign and padding included.
    parameter logic [ResultExponentBits+ResultFractionBits+ResultPaddingBits:0] NanWord = {(ResultExponentBits+ResultFractionBits+ResultPaddingBits+1){1'b1}}
) (
    input  logic        [SumWidth-1:0]      sum_i,                // sum of the aligned terms
    input  logic signed [ExponentWidth-1:0] anchor_i,             // what they are aligned to; with TopExponentOffset
                                                               // at least 1 - ResultBias
    input  logic                            first_negative_i,     // sign of one term, also of a zero
    input  logic                            second_negative_i,    // sign of the other term
    input  logic                            nan_i,                // the result is NaN
    input  logic                            infinite_i,           // a term is infinite
    input  logic                            infinite_negative_i,  // sign of that infinity
    output logic [ResultExponentBits+ResultFractionBits+ResultPaddingBits:0] d_o  // encoded result
);

  // Magnitude of the sum.
  localparam int NormalisedWidth = SumWidth - 1;
  // Least normal exponent of d.
  localparam int ResultExponentMin = 1 - ResultBias;
  // Exponent fields of the result as if they had room, with a carry.
  localparam int FieldWidth = (ExponentWidth > ResultExponentBits ? ExponentWidth : ResultExponentBits) + 1;

  // Encodings of d without sign and padding.
  localparam int ResultWidth    = 1 + ResultExponentBits + ResultFractionBits + ResultPaddingBits;
  localparam int MagnitudeWidth = ResultExponentBits + ResultFractionBits;
  localparam logic [MagnitudeWidth-1:0] AllOnes           = {MagnitudeWidth{1'b1}};
  localparam logic [MagnitudeWidth-1:0] InfinityMagnitude = AllOnes << ResultFractionBits;
  localparam logic [MagnitudeWidth-1:0] MaximumFinite     = ResultNonFinite == 1 ? InfinityMagnitude - 1'b1
                                                          : ResultNonFinite == 2 ? AllOnes - 1'b1
                                                          :                        AllOnes;
  localparam int HasNegativeZero = ResultNonFinite == 3 ? 0 : 1;

  // ---------------------------------------------------------------------------------------------- normalised

  logic                       normalised_negative;
  logic [ExponentWidth-1:0]   normalised_exponent;
  logic [FieldWidth-1:0]      normalised_field;   // exponent field where the significand's top bit is one
  logic [NormalisedWidth-1:0] normalised_significand;
  logic                       normalised_zero;
  logic                       unused_exponent;    // for whoever looks at stages

  assign unused_exponent = ^normalised_exponent;

  tensorsmith_normalise #(
      .SumWidth(SumWidth), .MagnitudeWidth(NormalisedWidth), .NormalisedWidth(NormalisedWidth),
      .ExponentWidth(ExponentWidth), .TopExponentOffset(TopExponentOffset), .ExponentMin(ResultExponentMin),
      .FieldWidth(FieldWidth)
  ) u_normalise (
      .clk_i(1'b0), .ce_i(1'b0),
      .sum_i(sum_i), .less_i({SumWidth{1'b0}}), .anchor_i(anchor_i),
      .negative_o(normalised_negative), .exponent_o(normalised_exponent), .field_o(normalised_field),
      .significand_o(normalised_significand), .zero_o(normalised_zero)
  );

  // ---------------------------------------------------------------------------------------------- rounded

  logic [ResultFractionBits+1:0] rounded;
  logic                          unused_inexact;  // no flags are raised

  tensorsmith_round #(
      .NormalisedWidth(NormalisedWidth), .FractionBits(ResultFractionBits), .Rounding(Rounding)
  ) u_round (
      .negative_i(normalised_negative), .significand_i(normalised_significand), .rounded_o(rounded),
      .inexact_o(unused_inexact)
  );

  // ---------------------------------------------------------------------------------------------- packed

  logic [ResultWidth-1:0] packed_word;

  tensorsmith_pack #(
      .FieldWidth(FieldWidth), .ExponentBits(ResultExponentBits),
      .FractionBits(ResultFractionBits), .PaddingBits(ResultPaddingBits), .FlushSubnormals(FlushResult == 0 ? 0 : 1),
      .ZeroNegative(ZeroSign == 2 ? 1 : 0), .HasInfinity(ResultNonFinite == 1 ? 1 : 0),
      .HasNegativeZero(HasNegativeZero), .OverflowInfinityPositive(OverflowInfinityPositive),
      .OverflowInfinityNegative(OverflowInfinityNegative), .InfinityMagnitude(InfinityMagnitude),
      .MaximumFinite(MaximumFinite), .NanWord(NanWord)
  ) u_pack (
      .negative_i(normalised_negative), .field_i(normalised_field), .rounded_i(rounded),
      .zero_i(normalised_zero), .nan_i(nan_i), .infinite_i(infinite_i),
      .infinite_negative_i(infinite_negative_i), .d_o(packed_word)
  );

  // ---------------------------------------------------------------------------------------------- tiny

  logic tiny;  // a nonzero number that is flushed, whatever it is rounded to

  if (FlushResult == 2) begin : gen_tiny
    logic [ResultFractionBits+2:0] finer;
    logic                          unused_finer_inexact;

    tensorsmith_round #(
        .NormalisedWidth(NormalisedWidth), .FractionBits(ResultFractionBits + 1), .Rounding(Rounding)
    ) u_round_finer (
        .negative_i(normalised_negative), .significand_i(normalised_significand), .rounded_o(finer),
        .inexact_o(unused_finer_inexact)
    );

    assign tiny = normalised_exponent == ExponentWidth'(ResultExponentMin)
               && finer < (ResultFractionBits + 3)'(1) << (ResultFractionBits + 1)
               && !normalised_zero && !nan_i && !infinite_i;
  end else begin : gen_all_kept
    assign tiny = 1'b0;
  end

  // ---------------------------------------------------------------------------------------------- zero

  // Packed as +0, an exact zero sum gets its sign here.
  logic minus_zero;

  if (ZeroSign == 0 && HasNegativeZero == 1) begin : gen_ieee_zero
    logic terms_negative;

    assign terms_negative = first_negative_i == second_negative_i ? first_negative_i : 1'(Rounding == 4);
    assign minus_zero     = normalised_zero && terms_negative && !nan_i && !infinite_i;
  end else begin : gen_constant_zero
    logic unused_signs;

    assign unused_signs = first_negative_i ^ second_negative_i;
    assign minus_zero   = 1'b0;
  end

  logic tiny_negative;  // sign of the zero that a tiny number becomes

  assign tiny_negative = normalised_negative && HasNegativeZero == 1;

  assign d_o = tiny ? {tiny_negative, {(ResultWidth - 1){1'b0}}}
             :        packed_word | {minus_zero, {(ResultWidth - 1){1'b0}}};

endmodule
