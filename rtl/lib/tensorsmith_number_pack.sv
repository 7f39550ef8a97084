// SPDX-License-Identifier: MIT OR Apache-2.0
// Encodes a number, as tensorsmith_operand describes them, that the format has.
//
//     d_o    | sign | exponent field | fraction | padding |
//
// It never rounds, and it asks of a number only that the format has it: infinity too.

module tensorsmith_number_pack #(
    parameter int ExponentWidth = 8,     // exponent, two's complement, sign included
    parameter int ExponentBits  = 8,     // exponent field of the result
    parameter int FractionBits  = 23,    // trailing significand of the result
    parameter int PaddingBits   = 0,     // zeros on the right of the result word
    parameter int ExponentMin   = -126,  // least exponent of a number
    parameter int HasInfinity   = 1,     // 0: no number is infinite

    parameter logic [ExponentBits+FractionBits-1:0]           InfinityMagnitude = {{ExponentBits{1'b1}}, {FractionBits{1'b0}}},
    parameter logic [ExponentBits+FractionBits+PaddingBits:0] NanWord = {(ExponentBits + FractionBits + PaddingBits + 1){1'b1}}  // every NaN
) (
    input  logic                                           negative_i,
    input  logic signed [ExponentWidth-1:0]                exponent_i,
    input  logic        [FractionBits:0]                   significand_i,
    input  logic                                           infinite_i,
    input  logic                                           nan_i,
    output logic [ExponentBits+FractionBits+PaddingBits:0] d_o
);

  localparam int Width     = ExponentBits + FractionBits;
  localparam int WorkWidth = ExponentWidth > ExponentBits ? ExponentWidth : ExponentBits;

  logic [WorkWidth-1:0] binades;  // from the one below the least; none of a number without a hidden bit
  logic [Width-1:0]     magnitude;
  logic                 unused_binades;

  assign binades        = significand_i[FractionBits] ? WorkWidth'(exponent_i) - WorkWidth'(ExponentMin - 1) : '0;
  assign unused_binades = ^binades;
  assign magnitude      = infinite_i && HasInfinity != 0 ? InfinityMagnitude
                                                         : {ExponentBits'(binades), significand_i[FractionBits-1:0]};
  assign d_o            = nan_i ? NanWord : (ExponentBits+FractionBits+PaddingBits+1)'({negative_i, magnitude}) << PaddingBits;

endmodule
