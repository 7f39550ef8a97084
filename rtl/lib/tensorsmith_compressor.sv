// SPDX-License-Identifier: MIT OR Apache-2.0
// Three numbers to two with the same sum: a full adder a place.
//
//     x_i + y_i + z_i = sum_o + carry_o     modulo 2^Width
//
// It never carries from place to place, so that its delay does not depend on Width.

module tensorsmith_compressor #(
    parameter int Width = 28  // every number
) (
    input  logic [Width-1:0] x_i,
    input  logic [Width-1:0] y_i,
    input  logic [Width-1:0] z_i,
    output logic [Width-1:0] sum_o,   // ones of the places
    output logic [Width-1:0] carry_o  // twos of the places, one place up
);

  logic [Width-1:0] odd;  // of x and y

  assign odd     = x_i ^ y_i;
  assign sum_o   = odd ^ z_i;
  assign carry_o = ((x_i & y_i) | (odd & z_i)) << 1;

endmodule
