// SPDX-License-Identifier: MIT OR Apache-2.0
// Gives the addend the exponent with which it takes part in anchor and alignment: its own, or ExponentFloor
// when it is zero, so that a zero never raises the anchor.
//
// It never touches the addend's value: sign and significand go past it.

module tensorsmith_addend #(
    parameter int ExponentWidth = 9,    // exponents, two's complement, sign included
    parameter int ExponentFloor = -126  // exponent of a zero addend
) (
    input  logic                            zero_i,      // the addend is zero
    input  logic signed [ExponentWidth-1:0] exponent_i,  // true exponent as unpacked
    output logic signed [ExponentWidth-1:0] exponent_o   // exponent for anchor and alignment
);

  assign exponent_o = zero_i ? ExponentWidth'(ExponentFloor) : exponent_i;

endmodule
