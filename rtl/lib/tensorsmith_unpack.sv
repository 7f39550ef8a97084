// SPDX-License-Identifier: MIT OR Apache-2.0
// Splits one encoded operand into sign, true exponent, significand and class flags.
//
// The operand's value is (-1)^negative * significand * 2^(exponent - FractionBits). Subnormals keep the
// lowest exponent and a significand without its hidden bit.
//
//     operand_i   | sign | exponent field | trailing significand | padding |
//     bits        | Sign |    Exponent    |       Fraction       | Padding |
//                   Bits       Bits               Bits             Bits
//
// It never normalises a subnormal, and it never alters the number of a non-finite encoding: that one comes
// out as its fields read, and only the flags tell.

module tensorsmith_unpack #(
    parameter int SignBits        = 1,   // sign bits of the encoding: 0 or 1
    parameter int ExponentBits    = 5,   // exponent field, at least 1
    parameter int FractionBits    = 10,  // trailing significand, without the hidden bit, at least 1
    parameter int PaddingBits     = 0,   // ignored low bits of the encoding (13 for tf32 in a 32-bit word)
    parameter int Bias            = 15,  // true exponent = exponent field - Bias
    parameter int NonFinite       = 1,   // 0: every encoding is finite
                                         // 1: exponent field all ones: infinity and NaN (IEEE 754)
                                         // 2: exponent field and fraction all ones: NaN; no infinity (OCP e4m3)
                                         // 3: the encoding of minus zero: NaN; no infinity (FNUZ); needs SignBits = 1
    parameter int FlushSubnormals = 0,   // 1: a subnormal reads as zero of the same sign
                                         // 2: as zero without a sign
    parameter int ExponentWidth   = 6    // true exponent, two's complement, sign included
) (
    input  logic        [SignBits+ExponentBits+FractionBits+PaddingBits-1:0] operand_i,      // encoded operand
    output logic                                                             negative_o,     // sign, also of a zero
    output logic signed [ExponentWidth-1:0]                                  exponent_o,     // true exponent
    output logic        [FractionBits:0]                                     significand_o,  // hidden bit and fraction
    output logic                                                             zero_o,         // significand is zero
    output logic                                                             infinite_o,     // infinity
    output logic                                                             nan_o           // NaN
);

  // ---------------------------------------------------------------------------------------------- guards

  if (SignBits != 0 && SignBits != 1) begin : gen_error_sign_bits_are_0_or_1
    tensorsmith_error_sign_bits_are_0_or_1 u_error ();
  end
  if (ExponentBits < 1 || ExponentBits > 11) begin : gen_error_exponent_bits_are_1_to_11
    tensorsmith_error_exponent_bits_are_1_to_11 u_error ();
  end
  if (FractionBits < 1 || FractionBits > 52) begin : gen_error_fraction_bits_are_1_to_52
    tensorsmith_error_fraction_bits_are_1_to_52 u_error ();
  end
  if (PaddingBits < 0 || PaddingBits > 32) begin : gen_error_padding_bits_are_0_to_32
    tensorsmith_error_padding_bits_are_0_to_32 u_error ();
  end
  if (Bias < -1100 || Bias > 1100) begin : gen_error_bias_is_within_1100
    tensorsmith_error_bias_is_within_1100 u_error ();
  end
  if (NonFinite < 0 || NonFinite > 3) begin : gen_error_non_finite_is_0_to_3
    tensorsmith_error_non_finite_is_0_to_3 u_error ();
  end
  if (NonFinite == 3 && SignBits == 0) begin : gen_error_minus_zero_needs_a_sign
    tensorsmith_error_minus_zero_needs_a_sign u_error ();
  end
  if (FlushSubnormals < 0 || FlushSubnormals > 2) begin : gen_error_flush_subnormals_is_0_to_2
    tensorsmith_error_flush_subnormals_is_0_to_2 u_error ();
  end

  // ---------------------------------------------------------------------------------------------- fields

  logic [FractionBits-1:0] fraction;
  logic [ExponentBits-1:0] exponent_field;
  logic                    hidden;         // 0 for zeros and subnormals
  logic                    fraction_zero;
  logic                    unused_bits;    // padding, and what a format or a rule does not ask for

  assign fraction       = operand_i[PaddingBits +: FractionBits];
  assign exponent_field = operand_i[PaddingBits+FractionBits +: ExponentBits];
  assign hidden         = exponent_field != '0;
  assign fraction_zero  = fraction == '0;
  assign unused_bits    = ^{operand_i, fraction_zero};

  if (SignBits == 1 && FlushSubnormals == 2) begin : gen_signed_normal
    assign negative_o = operand_i[PaddingBits+FractionBits+ExponentBits] && (hidden || fraction_zero);
  end else if (SignBits == 1) begin : gen_signed
    assign negative_o = operand_i[PaddingBits+FractionBits+ExponentBits];
  end else begin : gen_unsigned
    assign negative_o = 1'b0;
  end

  // ---------------------------------------------------------------------------------------------- number

  // max(exponent field, 1) - Bias: setting bit 0 turns the field 0 into 1.
  assign exponent_o = ExponentWidth'(exponent_field | ExponentBits'(!hidden)) - ExponentWidth'(Bias);

  if (FlushSubnormals != 0) begin : gen_flush
    assign significand_o = hidden ? {1'b1, fraction} : '0;
    assign zero_o        = !hidden;
  end else begin : gen_keep
    assign significand_o = {hidden, fraction};
    assign zero_o        = !hidden && fraction_zero;
  end

  // ---------------------------------------------------------------------------------------------- class

  if (NonFinite == 1) begin : gen_ieee
    assign infinite_o = exponent_field == '1 && fraction_zero;
    assign nan_o      = exponent_field == '1 && !fraction_zero;
  end else if (NonFinite == 2) begin : gen_all_ones
    assign infinite_o = 1'b0;
    assign nan_o      = exponent_field == '1 && fraction == '1;
  end else if (NonFinite == 3) begin : gen_minus_zero
    assign infinite_o = 1'b0;
    assign nan_o      = negative_o && !hidden && fraction_zero;
  end else begin : gen_finite
    assign infinite_o = 1'b0;
    assign nan_o      = 1'b0;
  end

endmodule
