// SPDX-License-Identifier: MIT OR Apache-2.0
// Brings an exact sum to an integer of ResultWidth bits: clamped to the nearest, or wrapped to the low bits.
//
//     sum_i     |     s | s ........ |      SumWidth bits with sign s
//     extended  | s . s | s ........ |      room for sum, result and a sign above an unsigned result
//     result_o          | r ........ |      ResultWidth bits
//
// It never reports that it clamped or wrapped.

module tensorsmith_saturate #(
    parameter int SumWidth     = 33,  // sum, two's complement, sign included
    parameter int ResultWidth  = 32,  // result, sign included
    parameter int ResultSigned = 1,   // 1: two's complement, 0: unsigned
    parameter int Saturate     = 1    // 1: clamp, 0: wrap
) (
    input  logic [SumWidth-1:0]    sum_i,    // exact sum
    output logic [ResultWidth-1:0] result_o  // the integer
);

  // The wider of sum and result, and a sign.
  localparam int Width = (SumWidth > ResultWidth ? SumWidth : ResultWidth) + 1;

  logic signed [Width-1:0] extended;

  assign extended = Width'($signed(sum_i));

  if (Saturate == 1) begin : gen_clamp
    logic signed [Width-1:0] least;
    logic signed [Width-1:0] greatest;

    // Two's complement: 1...1 100..0 and 0...0 011..1; unsigned: zero and 0...0 111..1.
    assign least    = {{(Width - ResultWidth + 1){1'(ResultSigned)}}, {(ResultWidth - 1){1'b0}}};
    assign greatest = {{(Width - ResultWidth){1'b0}}, 1'(1 - ResultSigned), {(ResultWidth - 1){1'b1}}};

    assign result_o = extended < least    ? least[ResultWidth-1:0] :
                      extended > greatest ? greatest[ResultWidth-1:0] :
                                            extended[ResultWidth-1:0];
  end else begin : gen_wrap
    logic unused_high;  // the bits that wrapping drops

    assign unused_high = ^extended[Width-1:ResultWidth];
    assign result_o    = extended[ResultWidth-1:0];
  end

endmodule
