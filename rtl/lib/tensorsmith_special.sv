// SPDX-License-Identifier: MIT OR Apache-2.0
// Decides from the operands' classes whether the result is a NaN, an infinity or a number.
//
//     NaN         any operand is NaN, or infinity times zero, or infinite terms of both signs
//     infinity    else, any term is infinite: the sign is that term's
//     number      else
//
// It never looks at a value: an infinity by overflow is made where the result is packed.

module tensorsmith_special #(
    parameter int Products = 4  // products, at least 1
) (
    input  logic [Products-1:0] a_nan_i,       // a is NaN, one bit a product
    input  logic [Products-1:0] a_infinite_i,  // a is infinite
    input  logic [Products-1:0] a_zero_i,      // a is zero
    input  logic [Products-1:0] a_negative_i,  // sign of a
    input  logic [Products-1:0] b_nan_i,       // b is NaN
    input  logic [Products-1:0] b_infinite_i,  // b is infinite
    input  logic [Products-1:0] b_zero_i,      // b is zero
    input  logic [Products-1:0] b_negative_i,  // sign of b
    input  logic                c_nan_i,       // c is NaN
    input  logic                c_infinite_i,  // c is infinite
    input  logic                c_negative_i,  // sign of c
    output logic                nan_o,         // the result is NaN
    output logic                infinite_o,    // the result is infinite; 0 when it is NaN
    output logic                negative_o     // sign of an infinite result, else 0
);

  // One bit a term, the addend on top.
  logic [Products:0]   infinite;
  logic [Products:0]   negative;
  logic [Products-1:0] invalid;            // infinity times zero
  logic                positive_infinity;  // some term is plus infinity
  logic                negative_infinity;  // some term is minus infinity

  assign infinite          = {c_infinite_i, a_infinite_i | b_infinite_i};
  assign negative          = {c_negative_i, a_negative_i ^ b_negative_i};
  assign invalid           = (a_infinite_i & b_zero_i) | (a_zero_i & b_infinite_i);
  assign positive_infinity = (infinite & ~negative) != '0;
  assign negative_infinity = (infinite & negative) != '0;

  assign nan_o      = {c_nan_i, a_nan_i | b_nan_i | invalid} != '0 || (positive_infinity && negative_infinity);
  assign infinite_o = (positive_infinity || negative_infinity) && !nan_o;
  assign negative_o = negative_infinity && !nan_o;

endmodule
