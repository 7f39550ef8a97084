// Unit tiny-even-odd. Small enough for all 2^24 inputs: an even and an odd product, each the first of its chain, their sum, then c.
//
//     d = (fma(a[0], b[0], +0) + fma(a[1], b[1], +0)) + c
//
//     products      2
//     formats       a e2m1, b e2m1, c e3m4, d e3m4
//     step          fma(a, b, addend), rounded once; even and odd products in two chains from +0, then their sum, then c
//     window        11 bits, 9 of them fraction; lower bits are sticky
//     sum window    8 bits, 7 of them fraction; lower bits are sticky
//     conversion    to nearest, ties to even, overflow to what IEEE 754 says
//     subnormals    operands kept, addend flushed, result flushed, at each step
//     NaN and zero  every NaN is 0x78, exact zero sums as in IEEE 754-2019, 6.3
//     latency       0 cycles; the module named _registered: 2
//
// The sum of a step, in units of 2^(anchor - F):
//
//     bit      12     11      10..9      8..0
//     sum   | sign | carry | integer | fraction |
//     bit 9 weighs 2^anchor, bit 0 weighs 2^(anchor - 9); lower bits of a term are ORed into bit 0
//
// Where the constants come from:
//
//     formats: [chosen] products may be subnormal, and may overflow
//     scheme: [chosen] one product a chain, so that all inputs can be enumerated
//
// Emitted; regenerate with: tensorsmith emit tiny-even-odd --out DIR

// This module puts registers in front of and behind the core tiny_even_odd: a result appears two cycles of enable_i after its
// operands. enable_i = 0 holds every register; valid_o follows valid_i through the same two stages.

module tiny_even_odd_registered #(
    // Fixed by the unit's description, as in the core.
    parameter int Products      = 2,  // L: products, half of them in each chain
    parameter int OperandAWidth = 4,  // encoded a, e2m1
    parameter int OperandBWidth = 4,  // encoded b, e2m1
    parameter int AddendWidth   = 8,  // encoded c, e3m4
    parameter int ResultWidth   = 8   // encoded d, e3m4, and result of each step
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

  tiny_even_odd #(
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
