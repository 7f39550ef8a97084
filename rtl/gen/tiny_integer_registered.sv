// Unit tiny-integer. Small enough for all 2^24 inputs: two int4 products, an int8 addend, an int8 result that saturates.
//
//     d = saturate(c + a[0]*b[0] + ... + a[1]*b[1])
//
//     products    2
//     formats     a int4, b int4, c int8, d int8
//     product     exact
//     sum         exact, in 9 bits
//     conversion  the exact sum is clamped once, to -128 .. 127
//     latency     0 cycles; the module named _registered: 2
//
// The sum:
//
//     bit 8 is the sign, bit 0 weighs 1
//     bits 7..0 are the result, unless bit 8 and the sign of d show that it is clamped
//
// Where the constants come from:
//
//     conversion.overflow: [chosen] the exhaustive run covers clamping on both sides
//     formats: [chosen] 24 input bits, and sums beyond the result on both sides
//
// Emitted; regenerate with: tensorsmith emit tiny-integer --out DIR

// This module puts registers in front of and behind the core tiny_integer: a result appears two cycles of enable_i after its
// operands. enable_i = 0 holds every register; valid_o follows valid_i through the same two stages.

module tiny_integer_registered #(
    // Fixed by the unit's description, as in the core.
    parameter int Products      = 2,  // L: products summed at once
    parameter int OperandAWidth = 4,  // encoded a, int4
    parameter int OperandBWidth = 4,  // encoded b, int4
    parameter int AddendWidth   = 8,  // encoded c, int8
    parameter int ResultWidth   = 8   // encoded d, int8
) (
    input  logic                              clk_i,     // rising edge
    input  logic                              rst_ni,    // asynchronous reset, active low: clears valid_o
    input  logic                              enable_i,  // 1: registers advance
    input  logic                              valid_i,   // a_i, b_i and c_i hold operands
    input  logic [Products*OperandAWidth-1:0] a_i,       // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,       // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,       // c
    output logic                              valid_o,   // d_o holds a result
    output logic [ResultWidth-1:0]            d_o        // d
);

  // ---------------------------------------------------------------------------------------------- operands

  logic                              operands_valid_q;
  logic [Products*OperandAWidth-1:0] a_q;
  logic [Products*OperandBWidth-1:0] b_q;
  logic [AddendWidth-1:0]            c_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      operands_valid_q <= 1'b0;
      a_q              <= '0;
      b_q              <= '0;
      c_q              <= '0;
    end else if (enable_i) begin
      operands_valid_q <= valid_i;
      a_q              <= a_i;
      b_q              <= b_i;
      c_q              <= c_i;
    end
  end

  // ---------------------------------------------------------------------------------------------- core

  logic [ResultWidth-1:0] result_d;

  tiny_integer #(
      .Products     (Products),
      .OperandAWidth(OperandAWidth),
      .OperandBWidth(OperandBWidth),
      .AddendWidth  (AddendWidth),
      .ResultWidth  (ResultWidth)
  ) u_core (
      .a_i(a_q),
      .b_i(b_q),
      .c_i(c_q),
      .d_o(result_d)
  );

  // ---------------------------------------------------------------------------------------------- result

  logic                   result_valid_q;
  logic [ResultWidth-1:0] result_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      result_valid_q <= 1'b0;
      result_q       <= '0;
    end else if (enable_i) begin
      result_valid_q <= operands_valid_q;
      result_q       <= result_d;
    end
  end

  assign valid_o = result_valid_q;
  assign d_o     = result_q;

endmodule
