// SPDX-License-Identifier: MIT OR Apache-2.0
// The exact product of two numbers, as tensorsmith_operand describes them.
//
// Infinity times zero is NaN, and invalid. It never rounds.

module tensorsmith_number_product #(
    parameter int ExponentXWidth    = 6,   // exponents, two's complement, sign included
    parameter int ExponentYWidth    = 6,
    parameter int SignificandXWidth = 11,  // significands, hidden bits included
    parameter int SignificandYWidth = 11,
    parameter int ExponentWidth     = 7,   // exponent of the product
    parameter int SignificandWidth  = 22   // significand of the product
) (
    input  logic                                x_negative_i,
    input  logic signed [ExponentXWidth-1:0]    x_exponent_i,
    input  logic        [SignificandXWidth-1:0] x_significand_i,
    input  logic                                x_infinite_i,
    input  logic                                x_nan_i,
    input  logic                                y_negative_i,
    input  logic signed [ExponentYWidth-1:0]    y_exponent_i,
    input  logic        [SignificandYWidth-1:0] y_significand_i,
    input  logic                                y_infinite_i,
    input  logic                                y_nan_i,
    output logic                                negative_o,
    output logic signed [ExponentWidth-1:0]     exponent_o,
    output logic        [SignificandWidth-1:0]  significand_o,
    output logic                                absent_o,    // the product is zero
    output logic                                infinite_o,
    output logic                                nan_o,
    output logic                                invalid_o    // infinity times zero
);

  logic x_zero, y_zero;  // significands

  assign x_zero = x_significand_i == '0;
  assign y_zero = y_significand_i == '0;

  assign negative_o    = x_negative_i ^ y_negative_i;
  assign exponent_o    = ExponentWidth'(x_exponent_i) + ExponentWidth'(y_exponent_i);
  assign significand_o = SignificandWidth'(x_significand_i) * SignificandWidth'(y_significand_i);
  assign absent_o      = x_zero || y_zero;

  assign invalid_o  = ((x_infinite_i && y_zero && !y_infinite_i) || (y_infinite_i && x_zero && !x_infinite_i))
                   && !x_nan_i && !y_nan_i;
  assign nan_o      = x_nan_i || y_nan_i || invalid_o;
  assign infinite_o = (x_infinite_i || y_infinite_i) && !nan_o;

endmodule
