// SPDX-License-Identifier: MIT OR Apache-2.0
// Encodes the rounded number, or the NaN, infinity or zero that takes its place.
//
//     rounded_i                   | carry | leading bit | fraction |
//     magnitude                   | exponent field ..   | fraction |
//
//     d_o                         | sign | magnitude | padding |
//
// The exponent field is field_i where the leading bit is there, and the next one after the rounder's carry. A number without it is
// subnormal or zero: what comes in has been normalised, down to the format's least exponent. A magnitude above MaximumFinite
// becomes infinity or MaximumFinite, as the parameters say for its sign; a format without infinity answers NaN instead. It never
// rounds.

module tensorsmith_pack #(
    parameter int FieldWidth      = 10,    // exponent field as if it had room; one more than it needs, and than ExponentBits
    parameter int ExponentBits    = 8,     // exponent field of the result
    parameter int FractionBits    = 23,    // trailing significand of the result, at least 1
    parameter int PaddingBits     = 0,     // zeros on the right of the result word
    parameter int FlushSubnormals = 0,     // 1: a subnormal becomes zero of the same sign
    parameter int ZeroNegative    = 0,     // 1: an exact zero sum becomes minus zero
    parameter int RoundedZero     = 0,     // 1: another sum that becomes zero becomes plus zero, else zero of its sign
    parameter int HasInfinity     = 1,     // 0: infinite results are NaN
    parameter int HasNegativeZero = 1,     // 0: a zero result has no sign (FNUZ formats)

    // 1: a result of that sign above MaximumFinite is infinite, 0: it is MaximumFinite.
    parameter int OverflowInfinityPositive = 1,
    parameter int OverflowInfinityNegative = 1,

    // Exponent field and fraction: of an infinity, of the largest finite number. The whole result word, sign
    // and padding included: of a NaN.
    parameter logic [ExponentBits+FractionBits-1:0]           InfinityMagnitude = {{ExponentBits{1'b1}},
                                                                                   {FractionBits{1'b0}}},
    parameter logic [ExponentBits+FractionBits-1:0]           MaximumFinite     = InfinityMagnitude - 1'b1,
    parameter logic [ExponentBits+FractionBits+PaddingBits:0] NanWord           = {(ExponentBits+FractionBits+PaddingBits+1){1'b1}}
) (
    input  logic                                           negative_i,           // sign of the sum, plus where it is zero
    input  logic [FieldWidth-1:0]                          field_i,              // exponent field where the leading bit is there
    input  logic [FractionBits+1:0]                        rounded_i,            // carry, leading bit, fraction
    input  logic                                           zero_i,               // the sum is exactly zero
    input  logic                                           nan_i,                // the result is NaN
    input  logic                                           infinite_i,           // a term is infinite
    input  logic                                           infinite_negative_i,  // sign of that infinity
    output logic [ExponentBits+FractionBits+PaddingBits:0] d_o                   // encoded result
);

  // Sign, exponent field, fraction and padding.
  localparam int ResultWidth = 1 + ExponentBits + FractionBits + PaddingBits;
  // Exponent field and fraction of the result.
  localparam int EncodedWidth = ExponentBits + FractionBits;
  // Exponent field and fraction as if both had room.
  localparam int MagnitudeWidth = FieldWidth + FractionBits;
  localparam logic [MagnitudeWidth-1:0] Limit = MagnitudeWidth'(MaximumFinite);

  // ---------------------------------------------------------------------------------------------- number

  logic [FractionBits-1:0]   fraction;
  logic                      above;     // a one stands above the fraction
  logic [FieldWidth-1:0]     normal;    // field where a one stands above the fraction
  logic [MagnitudeWidth-1:0] magnitude;
  logic                      unused_magnitude;  // what only an overflow has
  logic                      overflow;
  logic                      flush;
  logic [EncodedWidth-1:0]   encoded;    // exponent field and fraction
  logic                      negative;

  assign fraction = rounded_i[FractionBits-1:0];
  assign above    = rounded_i[FractionBits+1:FractionBits] != '0;

  // Both fields are there before the rounded number is.
  assign normal           = rounded_i[FractionBits+1] ? field_i + FieldWidth'(1) : field_i;
  assign magnitude        = {above ? normal : FieldWidth'(0), fraction};
  assign unused_magnitude = ^magnitude;
  assign overflow         = above && {normal, fraction} > Limit;

  if (FlushSubnormals == 1) begin : gen_flush
    assign flush = !above;
  end else begin : gen_keep
    assign flush = 1'b0;
  end

  // ---------------------------------------------------------------------------------------------- result

  logic infinite;  // a term is infinite, or the number is too large and its sign's overflow is infinite
  logic loses_sign;  // a number that is rounded or flushed to zero, where that is plus zero
  logic finite_negative;
  logic not_a_number;

  assign infinite = infinite_i || (overflow && (negative_i ? 1'(OverflowInfinityNegative) : 1'(OverflowInfinityPositive)));

  assign encoded = infinite ? InfinityMagnitude
                 : flush    ? '0
                 : overflow ? MaximumFinite
                 :            EncodedWidth'(magnitude);

  assign loses_sign = RoundedZero != 0 && (rounded_i == '0 || flush);

  if (ZeroNegative == 1) begin : gen_minus_zero
    assign finite_negative = zero_i || (negative_i && !loses_sign);
  end else begin : gen_plus_zero
    logic unused_zero;  // has the sign plus as it comes

    assign unused_zero     = zero_i;
    assign finite_negative = negative_i && !loses_sign;
  end

  if (HasNegativeZero == 1) begin : gen_signed_zero
    assign negative = infinite_i ? infinite_negative_i : finite_negative;
  end else begin : gen_unsigned_zero
    assign negative = (infinite_i ? infinite_negative_i : finite_negative) && encoded != '0;
  end

  if (HasInfinity == 1) begin : gen_infinity
    assign not_a_number = nan_i;
  end else begin : gen_no_infinity
    assign not_a_number = nan_i || infinite;
  end

  assign d_o = not_a_number ? NanWord : ResultWidth'({negative, encoded}) << PaddingBits;

endmodule
