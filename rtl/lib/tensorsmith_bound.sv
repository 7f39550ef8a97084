// SPDX-License-Identifier: MIT OR Apache-2.0
// Whether a number, as tensorsmith_operand describes them, has its leading one above an exponent: then it becomes infinite.
//
// It never changes the number, of which only the class is looked at where it is infinite.

module tensorsmith_bound #(
    parameter int ExponentWidth    = 9,    // exponent, two's complement, sign included
    parameter int SignificandWidth = 22,   // significand
    parameter int TopOffset        = 1,    // weight of the significand's top bit, from the exponent
    parameter int WorkWidth        = 10,   // exponents on the way, two's complement, sign included
    parameter int ExponentMax      = 127   // greatest exponent of a finite number
) (
    input  logic signed [ExponentWidth-1:0]    exponent_i,
    input  logic        [SignificandWidth-1:0] significand_i,
    input  logic                               infinite_i,
    input  logic                               nan_i,
    output logic                               infinite_o,
    output logic                               overflow_o  // a finite number was too large
);

  localparam int CountWidth = $clog2(SignificandWidth + 1);

  logic        [CountWidth-1:0] zeros;
  logic signed [WorkWidth-1:0]  leading;

  tensorsmith_leading_zeros #(
      .Width(SignificandWidth), .CountWidth(CountWidth)
  ) u_leading_zeros (
      .value_i(significand_i), .count_o(zeros)
  );

  assign leading    = WorkWidth'(exponent_i) + WorkWidth'(TopOffset) - WorkWidth'(zeros);
  assign overflow_o = leading > WorkWidth'(ExponentMax) && significand_i != '0 && !infinite_i && !nan_i;
  assign infinite_o = infinite_i || overflow_o;

endmodule
