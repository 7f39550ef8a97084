// SPDX-License-Identifier: MIT OR Apache-2.0
// Raises the exception flags of a sum of products: invalid from the operands' classes, overflow from the rounded number.
//
//     invalid     a signalling NaN, or infinity times zero, or infinite terms of both signs; a quiet NaN elsewhere
//                 hides none of these, and a product with a NaN is no infinite term
//     overflow    a finite sum whose rounded magnitude, with an unbounded exponent, exceeds MaximumFinite
//
//     exponent_i - ExponentMin    | offset .......... | 0 ...... 0 |      FractionBits zeros
//     rounded_i                    | carry | leading bit | fraction |
//     magnitude, their sum        | exponent field .. | fraction   |
//
// It never alters a result, and it knows no flag for inexact results, underflow or division by zero.

module tensorsmith_flags #(
    parameter int Products      = 4,     // products, at least 1
    parameter int SignallingA   = 1,     // 1: a NaN of a with quiet bit 0 signals; 0: the format has none that does
    parameter int SignallingB   = 1,     // the same for b
    parameter int SignallingC   = 1,     // the same for c
    parameter int ExponentWidth = 9,     // exponent, two's complement, sign included
    parameter int ExponentMin   = -126,  // exponent of the lowest normal number, the one of field 1
    parameter int ExponentBits  = 8,     // exponent field of the result
    parameter int FractionBits  = 23,    // trailing significand of the result, at least 1

    // Exponent field and fraction of the largest finite number.
    parameter logic [ExponentBits+FractionBits-1:0] MaximumFinite = {{ExponentBits{1'b1}}, {FractionBits{1'b0}}} - 1'b1
) (
    input  logic [Products-1:0]             a_nan_i,       // a is NaN, one bit a product
    input  logic [Products-1:0]             a_quiet_i,     // top fraction bit of a
    input  logic [Products-1:0]             a_infinite_i,  // a is infinite
    input  logic [Products-1:0]             a_zero_i,      // a is zero
    input  logic [Products-1:0]             a_negative_i,  // sign of a
    input  logic [Products-1:0]             b_nan_i,       // b is NaN
    input  logic [Products-1:0]             b_quiet_i,     // top fraction bit of b
    input  logic [Products-1:0]             b_infinite_i,  // b is infinite
    input  logic [Products-1:0]             b_zero_i,      // b is zero
    input  logic [Products-1:0]             b_negative_i,  // sign of b
    input  logic                            c_nan_i,       // c is NaN
    input  logic                            c_quiet_i,     // top fraction bit of c
    input  logic                            c_infinite_i,  // c is infinite
    input  logic                            c_negative_i,  // sign of c
    input  logic                            nan_i,         // the result is NaN
    input  logic                            infinite_i,    // the result is infinite because a term is
    input  logic signed [ExponentWidth-1:0] exponent_i,    // at least ExponentMin
    input  logic        [FractionBits+1:0]  rounded_i,     // carry, leading bit, fraction
    input  logic                            zero_i,        // the sum is exactly zero
    output logic                            invalid_o,     // invalid operation
    output logic                            overflow_o     // overflow
);

  // The longer of offset and exponent field, the fraction, and the carry of their sum.
  localparam int MagnitudeWidth = (ExponentWidth > ExponentBits ? ExponentWidth : ExponentBits) + FractionBits + 1;

  // ---------------------------------------------------------------------------------------------- invalid

  logic [Products-1:0] signalling;       // a factor is a signalling NaN
  logic                addend_signals;
  logic [Products-1:0] invalid_product;  // infinity times zero
  logic [Products-1:0] infinite_product;
  logic [Products:0]   infinite;         // one bit a term, the addend on top
  logic [Products:0]   negative;

  assign signalling       = (a_nan_i & ~a_quiet_i & {Products{1'(SignallingA)}}) |
                            (b_nan_i & ~b_quiet_i & {Products{1'(SignallingB)}});
  assign addend_signals   = c_nan_i && !c_quiet_i && 1'(SignallingC);
  // A NaN of an FNUZ format reads as zero too.
  assign invalid_product  = (a_infinite_i & b_zero_i & ~b_nan_i) | (a_zero_i & ~a_nan_i & b_infinite_i);
  assign infinite_product = (a_infinite_i | b_infinite_i) & ~(a_nan_i | b_nan_i | invalid_product);
  assign infinite         = {c_infinite_i, infinite_product};
  assign negative         = {c_negative_i, a_negative_i ^ b_negative_i};

  assign invalid_o = {addend_signals, signalling, invalid_product} != '0 ||
                     ((infinite & ~negative) != '0 && (infinite & negative) != '0);

  // ---------------------------------------------------------------------------------------------- overflow

  logic [ExponentWidth-1:0]  offset;     // never negative
  logic [MagnitudeWidth-1:0] magnitude;  // exponent field and fraction as if both had room

  assign offset     = exponent_i - ExponentWidth'(ExponentMin);
  assign magnitude  = (MagnitudeWidth'(offset) << FractionBits) + MagnitudeWidth'(rounded_i);
  assign overflow_o = magnitude > MagnitudeWidth'(MaximumFinite) && !zero_i && !nan_i && !infinite_i;

endmodule
