// Unit avx512-bf16-fp32. Intel AVX512-BF16 vdpbf16ps: two fused multiply-adds, the odd element first.
//
//     d = fma(a[0], b[0], fma(a[1], b[1], c))
//
//     products      2
//     formats       a bfloat16, b bfloat16, c binary32, d binary32
//     step          fma(a, b, addend), rounded once; its result is the next step's addend
//     window        42 bits, 40 of them fraction; lower bits are sticky
//     conversion    to nearest, ties to even, overflow to what IEEE 754 says
//     subnormals    operands flushed, addend flushed, result flushed if tiny, at each step
//     NaN and zero  every NaN is 0xffc00000, exact zero sums as in IEEE 754-2019, 6.3
//     latency       0 cycles; the module named _registered: 2
//
// The sum of a step, in units of 2^(anchor - F):
//
//     bit      43     42     41..40     39..0
//     sum   | sign | carry | integer | fraction |
//     bit 40 weighs 2^anchor, bit 0 weighs 2^(anchor - 40); lower bits of a term are ORed into bit 0
//
// Where the constants come from:
//
//     conversion.exact_zero: [live] -0 + -0 is -0, as IEEE 754-2019, 6.3, says: compared with the instruction
//     conversion.nan: [live] infinity times zero and infinities of both signs give 0xffc00000 on the processor; the
//       payload of a NaN operand, which it passes on quieted, is not modelled
//     conversion.rounding: [live] to nearest, whatever MXCSR says (Intel SDM, VDPBF16PS); compared with the
//       instruction
//     scheme: [live] d = fma(a0, b0, fma(a1, b1, c)): compared with the instruction, no result in 10,000,000 differs
//     subnormals: [live] subnormal operands and addends count as zero of their sign, whatever MXCSR says (Intel SDM,
//       VDPBF16PS); a result is flushed where it is tiny after rounding as if exponents had no bound: 2^-126 - 2^-150
//       becomes 0 and 2^-126 - 2^-151 becomes 2^-126 (compared with the instruction)
//     sum.order: [live] the element of odd index is added first: compared with the instruction
//
// Emitted; regenerate with: tensorsmith emit avx512-bf16-fp32 --out DIR

// This module puts registers in front of and behind the core avx512_bf16_fp32: a result appears two cycles of enable_i after its
// operands. enable_i = 0 holds every register; valid_o follows valid_i through the same two stages.

module avx512_bf16_fp32_registered #(
    // Fixed by the unit's description, as in the core.
    parameter int Products      =  2,  // L: products, added one after the other
    parameter int OperandAWidth = 16,  // encoded a, bfloat16
    parameter int OperandBWidth = 16,  // encoded b, bfloat16
    parameter int AddendWidth   = 32,  // encoded c, binary32
    parameter int ResultWidth   = 32   // encoded d, binary32, and result of each step
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

  avx512_bf16_fp32 #(
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
