// SPDX-License-Identifier: MIT OR Apache-2.0
// A number of a format, or zero where it is subnormal and those are flushed.
//
// It never looks at an exponent: subnormal is what has no bit from SubnormalBits on.

module tensorsmith_flush #(
    parameter int SignificandWidth = 11,  // significand, hidden bit included
    parameter int SubnormalBits    = 10,  // significands below two to this power are subnormal
    parameter int Flush            = 0    // 0: they stay, 1: they become zero of the same sign, 2: +0
) (
    input  logic                        negative_i,     // sign
    input  logic [SignificandWidth-1:0] significand_i,  // significand
    input  logic                        absent_i,       // a zero without an exponent
    input  logic                        special_i,      // infinity or NaN
    output logic                        negative_o,     // the same of what is left
    output logic [SignificandWidth-1:0] significand_o,
    output logic                        absent_o
);

  logic subnormal;

  if (Flush == 0) begin : gen_kept
    logic unused_special;

    assign unused_special = special_i;
    assign subnormal      = 1'b0;
  end else begin : gen_flushed
    assign subnormal = (significand_i >> SubnormalBits) == '0 && significand_i != '0 && !special_i;
  end

  assign negative_o    = negative_i && !(Flush == 2 && subnormal);
  assign significand_o = subnormal ? '0 : significand_i;
  assign absent_o      = absent_i || subnormal;

endmodule
