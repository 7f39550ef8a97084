// Unit integer-uint4-int32. NVIDIA integer matrix instructions: one block of 32 products uint4 x uint4, int32 result that wraps.
//
//     d = wrap(c + a[0]*b[0] + ... + a[31]*b[31])
//
//     products    32
//     formats     a uint4, b uint4, c int32, d int32
//     product     exact
//     sum         exact, in 33 bits
//     conversion  the low 32 bits of the exact sum
//     latency     0 cycles; the module named _registered: 2
//
// The sum:
//
//     bit 32 is the sign, bit 0 weighs 1
//     bits 31..0 are the result; the sum is cut by bit 32
//
// Where the constants come from:
//
//     conversion.overflow: [stated] PTX ISA, mma: without .satfinite the result wraps
//     formats: [stated] PTX ISA, mma with integer operands: .s8, .u8, .s4 and .u4 in any mix of equal widths, .s32
//       results
//     products: [chosen] K of mma m16n8k32; where sums wrap, the length of a block changes no result
//
// Emitted; regenerate with: tensorsmith emit integer-uint4-int32 --out DIR

// This module puts registers in front of and behind the core integer_uint4_int32: a result appears two cycles of enable_i after its
// operands. enable_i = 0 holds every register; valid_o follows valid_i through the same two stages.

module integer_uint4_int32_registered #(
    // Fixed by the unit's description, as in the core.
    parameter int Products      = 32,  // L: products summed at once
    parameter int OperandAWidth =  4,  // encoded a, uint4
    parameter int OperandBWidth =  4,  // encoded b, uint4
    parameter int AddendWidth   = 32,  // encoded c, int32
    parameter int ResultWidth   = 32   // encoded d, int32
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

  integer_uint4_int32 #(
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
