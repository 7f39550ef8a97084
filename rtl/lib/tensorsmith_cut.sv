// SPDX-License-Identifier: MIT OR Apache-2.0
// Cuts the last places of a normalised significand: the number is rounded downward to those above.
//
//     significand_i    | kept | cut |              CutBits of the latter; the top bit weighs 2^exponent_i
//     kept           | carry | kept + up |         up: of a negative number whose cut bits are not all 0
//     significand_o    | kept | 0 0 |              the top bit weighs 2^exponent_o
//
// With a carry the kept bits are all 0: the number is the next power of two, 1 0 .. 0 with the next exponent. A
// significand below 1, of a subnormal result, keeps its exponent when it becomes 1.
//
// It never looks where the leading one is: whoever normalised the significand has put the places where they count.

module tensorsmith_cut #(
    parameter int NormalisedWidth = 28,  // significand
    parameter int CutBits         = 4,   // last places that are cut: 1 to NormalisedWidth - 1
    parameter int ExponentWidth   = 9    // exponents, two's complement, sign included
) (
    input  logic                              negative_i,     // sign of the number
    input  logic signed [ExponentWidth-1:0]   exponent_i,     // weight exponent of the significand's top bit; one more
                                                              // fits too
    input  logic        [NormalisedWidth-1:0] significand_i,  // normalised magnitude
    output logic signed [ExponentWidth-1:0]   exponent_o,     // weight exponent of the top bit that is left
    output logic        [NormalisedWidth-1:0] significand_o,  // magnitude, its last CutBits zero
    output logic                              zero_o          // nothing is left
);

  // Places that are kept.
  localparam int KeptWidth = NormalisedWidth - CutBits;

  logic               up;    // to the next place away from zero
  logic [KeptWidth:0] kept;  // with a carry on top
  logic               carry;

  assign up    = negative_i && significand_i[CutBits-1:0] != '0;
  assign kept  = {1'b0, significand_i[NormalisedWidth-1:CutBits]} + (KeptWidth+1)'(up);
  assign carry = kept[KeptWidth];

  assign exponent_o    = exponent_i + ExponentWidth'(carry);
  assign significand_o = {kept[KeptWidth-1:0] | KeptWidth'(carry) << (KeptWidth - 1), {CutBits{1'b0}}};
  assign zero_o        = kept == '0;

endmodule
