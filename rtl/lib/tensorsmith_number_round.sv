// SPDX-License-Identifier: MIT OR Apache-2.0
// A number, as tensorsmith_operand describes them, rounded once: to a precision, and within a range or a format.
//
//     significand_i          | ....... |
//     normalised    | 0 0 0 | ....... | 0 0 |      headroom, padding; shifted left until the top bit is 1 or weighs 2^ExponentMin
//     rounded     | c | 1 . fraction |             c: carry out of the increment
//     significand_o   | 1 . fraction |             Precision bits
//
// Limit says what becomes of numbers that are too large: 0: nothing is, 1: above exponent ExponentMax they are infinite, 2: above
// the format's largest number, LargestSignificand at exponent LargestExponent, they become infinite or that number.
//
// A number is tiny if it is below the least normal one when it is rounded as if exponents had no bound (IEEE 754-2019, 7.5,
// tininess after rounding): to one bit more at the least exponent, without a carry.

module tensorsmith_number_round #(
    parameter int InputExponentWidth = 9,   // exponent, two's complement, sign included
    parameter int SignificandWidth   = 32,  // significand
    parameter int PadBits            = 0,   // zeros below the significand
    parameter int NormalisedWidth    = 32,  // headroom, significand and padding; at least Precision + 2
    parameter int TopOffset          = 4,   // weight of the normalised top bit, from the exponent
    parameter int Shifts             = 1,   // 0: the top bit is 1 already, or weighs 2^ExponentMin
    parameter int WorkWidth          = 10,  // exponents on the way, two's complement, sign included
    parameter int ExponentMin        = -126,
    parameter int HasExponentMin     = 1,   // 0: ExponentMin is below every number
    parameter int Precision          = 24,
    parameter int Rounding           = 1,   // as in tensorsmith_round
    parameter int Limit              = 2,
    parameter int ExponentMax        = 127,
    parameter int LargestExponent    = 127,
    parameter logic [Precision-1:0] LargestSignificand = {Precision{1'b1}},
    parameter int OverflowInfinityPositive = 1,  // 1: numbers of that sign become infinite, 0: the largest number
    parameter int OverflowInfinityNegative = 1,
    parameter int HasInfinity        = 1,   // 0: infinite results are NaN
    parameter int HasNegativeZero    = 1,   // 0: a zero has no sign
    parameter int FlushResult        = 0,   // 1: subnormal results become zero, 2: tiny ones too, whatever they are rounded to
    parameter int RoundedZero        = 0,   // 1: a number that becomes zero becomes +0, else zero of its sign
    parameter int ResultExponentMin  = -126,  // exponent of a zero
    parameter int ExponentWidth      = 8,
    parameter int CutShift           = 0    // 1: registers in the middle of the shift
) (
    input  logic                                  clk_i,  // rising edge
    input  logic                                  ce_i,   // 1: registers take their values
    input  logic                                  negative_i,
    input  logic signed [InputExponentWidth-1:0]  exponent_i,
    input  logic        [SignificandWidth-1:0]    significand_i,
    input  logic                                  infinite_i,
    input  logic                                  nan_i,
    output logic                                  negative_o,
    output logic signed [ExponentWidth-1:0]       exponent_o,
    output logic        [Precision-1:0]           significand_o,
    output logic                                  absent_o,
    output logic                                  infinite_o,
    output logic                                  nan_o,
    output logic                                  overflow_o  // a finite number was too large
);

  localparam int FieldWidth = WorkWidth + 1;

  // ---------------------------------------------------------------------------------------------- normalised

  logic signed [WorkWidth-1:0]       normalised_exponent;
  logic        [NormalisedWidth-1:0] normalised_significand;
  logic                              zero;
  logic                              negative, is_infinity, is_nan;  // beside the normalised significand

  if (Shifts != 0) begin : gen_shift
    logic                  unused_sign;
    logic [FieldWidth-1:0] unused_field;

    tensorsmith_normalise #(
        .SumWidth(SignificandWidth + 1), .MagnitudeWidth(SignificandWidth),
        .HeadroomBits(NormalisedWidth - SignificandWidth - PadBits), .NormalisedWidth(NormalisedWidth),
        .ExponentWidth(WorkWidth), .TopExponentOffset(TopOffset), .FieldWidth(FieldWidth), .CutShift(CutShift),
        .ExponentMin(ExponentMin)
    ) u_normalise (
        .clk_i(clk_i), .ce_i(ce_i),
        .sum_i({1'b0, significand_i}), .less_i({(SignificandWidth + 1){1'b0}}), .anchor_i(WorkWidth'(exponent_i)),
        .negative_o(unused_sign), .exponent_o(normalised_exponent), .field_o(unused_field),
        .significand_o(normalised_significand), .zero_o(zero)
    );
  end else begin : gen_no_shift
    assign normalised_exponent    = WorkWidth'(exponent_i) + WorkWidth'(TopOffset);
    assign normalised_significand = NormalisedWidth'(significand_i) << PadBits;
    assign zero                   = significand_i == '0;
  end

  tensorsmith_delay #(
      .Width(3), .Latency(CutShift)
  ) u_class (
      .clk_i(clk_i), .ce_i(ce_i), .value_i({negative_i, infinite_i, nan_i}), .value_o({negative, is_infinity, is_nan})
  );

  // ---------------------------------------------------------------------------------------------- rounded

  logic [Precision:0]          rounded;
  logic                        unused_inexact;
  logic                        carry;
  logic [Precision-1:0]        significand;
  logic signed [WorkWidth-1:0] next_exponent;
  logic signed [WorkWidth-1:0] exponent;
  logic                        finite;  // and not zero

  tensorsmith_round #(
      .NormalisedWidth(NormalisedWidth), .FractionBits(Precision - 1), .Rounding(Rounding)
  ) u_round (
      .negative_i(negative), .significand_i(normalised_significand), .rounded_o(rounded), .inexact_o(unused_inexact)
  );

  assign carry         = rounded[Precision];
  assign significand   = carry ? rounded[Precision:1] : rounded[Precision-1:0];
  assign next_exponent = normalised_exponent + WorkWidth'(1);
  assign exponent      = carry ? next_exponent : normalised_exponent;
  assign finite        = !zero && !is_infinity && !is_nan;

  // ---------------------------------------------------------------------------------------------- range

  logic                        above;     // a number is too large
  logic                        infinite;  // and becomes infinite
  logic signed [WorkWidth-1:0] limited_exponent;
  logic                        unused_exponent;  // bits that no result has
  logic [Precision-1:0]        limited_significand;

  assign unused_exponent = ^limited_exponent;

  if (Limit == 2) begin : gen_format
    localparam logic [WorkWidth+Precision-1:0] Largest = {WorkWidth'(LargestExponent), LargestSignificand};

    // A carry leaves a one and zeros. Both are compared before it is known.
    localparam logic [Precision-1:0] One = {1'b1, {(Precision - 1){1'b0}}};

    assign above               = carry ? $signed({next_exponent, One}) > $signed(Largest)
                                       : $signed({normalised_exponent, rounded[Precision-1:0]}) > $signed(Largest);
    assign infinite            = above && finite && (negative ? OverflowInfinityNegative != 0 : OverflowInfinityPositive != 0);
    assign limited_exponent    = above ? WorkWidth'(LargestExponent) : exponent;
    assign limited_significand = above ? LargestSignificand : significand;
  end else begin : gen_range
    assign above               = Limit == 1 && exponent > WorkWidth'(ExponentMax);
    assign infinite            = above && finite;
    assign limited_exponent    = exponent;
    assign limited_significand = significand;
  end

  // ---------------------------------------------------------------------------------------------- subnormal

  logic lowest;  // at the least exponent
  logic subnormal;
  logic tiny;

  assign lowest    = HasExponentMin != 0 && normalised_exponent == WorkWidth'(ExponentMin);
  assign subnormal = lowest && !significand[Precision-1] && !(above && finite) && finite;

  if (FlushResult == 2) begin : gen_tiny
    logic [Precision+1:0] finer;
    logic                 unused_finer_inexact;
    logic                 unused_finer;

    assign unused_finer = ^finer;

    tensorsmith_round #(
        .NormalisedWidth(NormalisedWidth), .FractionBits(Precision), .Rounding(Rounding)
    ) u_round_finer (
        .negative_i(negative), .significand_i(normalised_significand), .rounded_o(finer), .inexact_o(unused_finer_inexact)
    );

    assign tiny = lowest && finer[Precision+1:Precision] == '0 && finite;
  end else begin : gen_no_tiny
    assign tiny = 1'b0;
  end

  // ---------------------------------------------------------------------------------------------- number

  logic flushed;
  logic has_sign;
  logic is_infinite;

  assign flushed       = FlushResult != 0 && (subnormal || tiny);
  assign significand_o = flushed || zero ? '0 : limited_significand;
  assign absent_o      = significand_o == '0;
  // The exponent of a zero of a format does not count.
  assign exponent_o    = absent_o && Limit != 2 ? ExponentWidth'(ResultExponentMin) : ExponentWidth'(limited_exponent);
  assign is_infinite   = is_infinity || (infinite && !flushed);
  assign infinite_o    = is_infinite && HasInfinity != 0;
  assign nan_o         = is_nan || (is_infinite && HasInfinity == 0);
  assign has_sign      = !absent_o || is_infinite || (HasNegativeZero != 0 && (zero || RoundedZero == 0));
  assign negative_o    = negative && has_sign;
  assign overflow_o    = above && finite && !tiny;

endmodule
