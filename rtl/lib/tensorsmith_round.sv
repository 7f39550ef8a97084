// SPDX-License-Identifier: MIT OR Apache-2.0
// Rounds a normalised significand once to FractionBits fraction bits.
//
//     significand_i    | 1 . FractionBits | half | rest ... |      NormalisedWidth bits
//                      | kept             | discarded       |      at least 2 discarded
//     rounded_o    | c | 1 . FractionBits |                        c: carry out of the increment
//
// The leading 1 is a 0 in a subnormal; the same rule rounds both. It never shifts a carry back and never
// looks at an exponent: adding the rounded value to the encoded exponent does that.

module tensorsmith_round #(
    parameter int NormalisedWidth = 28,  // significand, at least FractionBits + 3
    parameter int FractionBits    = 23,  // kept bits without the leading one
    parameter int Rounding        = 0    // 0: toward zero
                                         // 1: to nearest, ties to even
                                         // 2: to nearest, ties away from zero
                                         // 3: toward positive
                                         // 4: toward negative
                                         // 5: to odd, discarded bits are ORed into the last kept bit
) (
    input  logic                       negative_i,     // sign, for the directed roundings
    input  logic [NormalisedWidth-1:0] significand_i,  // normalised significand
    output logic [FractionBits+1:0]    rounded_o,      // carry, leading bit, fraction
    output logic                       inexact_o       // a discarded bit was 1
);

  // What lies below the kept bits.
  localparam int DiscardedWidth = NormalisedWidth - FractionBits - 1;

  logic [FractionBits:0]     kept;
  logic [DiscardedWidth-1:0] discarded;
  logic                      half;             // the highest discarded bit
  logic                      rest;             // any discarded bit below it
  logic                      round_up;         // adds one unit of the last kept bit
  logic                      unused_negative;  // no rounding but the directed ones reads the sign

  assign kept            = significand_i[NormalisedWidth-1 -: FractionBits+1];
  assign discarded       = significand_i[DiscardedWidth-1:0];
  assign half            = discarded[DiscardedWidth-1];
  assign rest            = discarded[DiscardedWidth-2:0] != '0;
  assign inexact_o       = half || rest;
  assign unused_negative = negative_i;

  if (Rounding == 1) begin : gen_nearest_even
    assign round_up = half && (rest || kept[0]);
  end else if (Rounding == 2) begin : gen_nearest_away
    assign round_up = half;
  end else if (Rounding == 3) begin : gen_toward_positive
    assign round_up = inexact_o && !negative_i;
  end else if (Rounding == 4) begin : gen_toward_negative
    assign round_up = inexact_o && negative_i;
  end else if (Rounding == 5) begin : gen_to_odd
    // An even value is made odd by adding one; it never carries.
    assign round_up = inexact_o && !kept[0];
  end else begin : gen_toward_zero
    assign round_up = 1'b0;
  end

  assign rounded_o = {1'b0, kept} + (FractionBits + 2)'(round_up);

endmodule
