// Unit cdna2-bf16-fp32. AMD CDNA2 matrix cores, bf16 operands: 2 rounded products, a tree of rounded sums, then c.
//
//     d = (a[0]*b[0] + a[1]*b[1]) + c
//
//     products        2
//     formats         a bfloat16, b bfloat16, c binary32, d binary32
//     step            a product, rounded once; or a sum of two, rounded once: the two oldest values that wait, c last
//     product window  28 bits, 26 of them fraction; lower bits are sticky
//     sum window      27 bits, 26 of them fraction; lower bits are sticky
//     conversion      to nearest, ties to even, overflow to what IEEE 754 says
//     subnormals      operands flushed to +0, addend flushed to +0, result flushed, at each step
//     NaN and zero    every NaN is 0x7fc00000, exact zero sums as in IEEE 754-2019, 6.3
//     latency         0 cycles; the module named _registered: 2
//
// The sum of two, in units of 2^(anchor - F):
//
//     bit      28     27       26       25..0
//     sum   | sign | carry | integer | fraction |
//     bit 26 weighs 2^anchor, bit 0 weighs 2^(anchor - 26); lower bits of a term are ORed into bit 0
//
// Where the constants come from:
//
//     conversion.exact_zero: [chosen] the signs of IEEE 754-2019, 6.3; no source names them
//     conversion.nan: [chosen] the canonical quiet NaN; no source names the encoding
//     conversion.rounding: [stated] Xie et al., arXiv 2511.10909: to nearest, ties to even, after every operation
//     products: [stated] Xie et al., arXiv 2511.10909: blocks of 2
//     scheme: [stated] Xie et al., arXiv 2511.10909: products rounded to fp32, p0 + p1, then c, each rounded to
//       nearest
//     subnormals: [stated] Xie et al., arXiv 2511.10909: subnormal inputs become +0 whatever their sign, subnormal
//       results become zero of their sign after every operation; that a sum which rounds up to the least normal number
//       stays is chosen
//
// Emitted; regenerate with: tensorsmith emit cdna2-bf16-fp32 --out DIR

// This module puts registers in front of and behind the core cdna2_bf16_fp32: a result appears two cycles of enable_i after its
// operands. enable_i = 0 holds every register; valid_o follows valid_i through the same two stages.

module cdna2_bf16_fp32_registered #(
    // Fixed by the unit's description, as in the core.
    parameter int Products      =  2,  // L: products, added in a tree
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

  cdna2_bf16_fp32 #(
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
