// Encodes the rounded number, or the NaN, infinity or zero that takes its place.
//
//     offset_i                    | offset .......... | 0 ...... 0 |      exponent above that of field 1; FractionBits zeros
//     rounded_i                    | carry | leading bit | fraction |
//     magnitude, their sum        | exponent field .. | fraction   |
//
//     d_o                         | sign | magnitude | padding |
//
// The leading bit makes the exponent field 1 at offset 0, a missing one makes a subnormal, and the rounder's
// carry steps to the next exponent. A magnitude above MaximumFinite becomes infinity or MaximumFinite, as the
// parameters say for its sign; a format without infinity answers NaN instead. It never rounds.

module tensorsmith_pack #(
    parameter int OffsetWidth     = 10,    // offset, without a sign; one more than it needs, and than ExponentBits
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
    input  logic                                           negative_i,           // sign of the sum
    input  logic        [OffsetWidth-1:0]                  offset_i,             // exponent above that of field 1
    input  logic        [OffsetWidth-1:0]                  next_i,               // one more
    input  logic        [FractionBits+1:0]                 rounded_i,            // carry, leading bit, fraction
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
  localparam int MagnitudeWidth = OffsetWidth + FractionBits;
  localparam logic [MagnitudeWidth-1:0] Limit = MagnitudeWidth'(MaximumFinite);

  // ---------------------------------------------------------------------------------------------- number

  logic [FractionBits-1:0]   fraction;
  logic                      above;     // a one stands above the fraction
  logic [OffsetWidth-1:0]    ones;      // field where a one stands above the fraction
  logic [OffsetWidth-1:0]    field;     // exponent field as if it had room
  logic [MagnitudeWidth-1:0] magnitude;
  logic                      unused_magnitude;  // what only an overflow has
  logic                      overflow;
  logic                      not_zero;  // the magnitude
  logic                      flush;
  logic [EncodedWidth-1:0]   encoded;    // exponent field and fraction
  logic                      negative;

  assign fraction = rounded_i[FractionBits-1:0];
  assign above    = rounded_i[FractionBits+1:FractionBits] != '0;

  // The field is the offset and what stands above the fraction: 0, 1, or 2 after a carry. It is chosen, not added: the offset and
  // one more are there before the rounded number is.
  assign ones             = rounded_i[FractionBits+1] ? next_i + OffsetWidth'(1) : next_i;
  assign field            = above ? ones : offset_i;
  assign magnitude        = {field, fraction};
  assign unused_magnitude = ^magnitude;
  assign overflow         = above ? {ones, fraction} > Limit : {offset_i, fraction} > Limit;
  assign not_zero         = offset_i != '0 || rounded_i != '0;

  if (FlushSubnormals == 1) begin : gen_flush
    assign flush = magnitude[MagnitudeWidth-1:FractionBits] == '0;
  end else begin : gen_keep
    assign flush = 1'b0;
  end

  // ---------------------------------------------------------------------------------------------- result

  logic infinite;  // a term is infinite, or the number is too large and its sign's overflow is infinite
  logic finite_negative;
  logic not_a_number;

  assign infinite = infinite_i || (overflow && !zero_i &&
                                   (negative_i ? 1'(OverflowInfinityNegative) : 1'(OverflowInfinityPositive)));

  assign encoded = infinite        ? InfinityMagnitude
                 : zero_i || flush ? '0
                 : overflow        ? MaximumFinite
                 :                   EncodedWidth'(magnitude);

  assign finite_negative = zero_i ? 1'(ZeroNegative) : negative_i && (RoundedZero == 0 || (not_zero && !flush));

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
