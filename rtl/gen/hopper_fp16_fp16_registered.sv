// Unit hopper-fp16-fp16. NVIDIA Hopper, and Blackwell mma: one block of 16 fp16 products, fp16 result.
//
//     d = convert(c + a[0]*b[0] + ... + a[15]*b[15])
//
//     products        16
//     formats         a binary16, b binary16, c binary16, d binary16
//     product         exact, in [1, 4), not normalised
//     alignment       25 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor  -21
//     carry bits      5, as many as any sum can need
//     conversion      to nearest, ties to even, overflow to infinity
//     subnormals      operands kept, addend kept, result kept
//     NaN and zero    every NaN is 0x7fff, an exact zero sum is +0
//     latency         0 cycles; the module named _registered: 2
//
// The sum, in units of 2^(anchor - F):
//
//     bit      32    31..27   26..25     24..0
//     sum   | sign | carry  | integer | fraction |
//     bit 25 weighs 2^anchor, bit 0 weighs 2^(anchor - 25); lower bits of a term are cut
//
// Where the constants come from:
//
//     alignment.exponent_floor: [conflict] mma -21 or -22, wgmma -133; the recordings cannot tell. 2^-12 * 2^-13 +
//       2^-24 * 2^-23 decides
//     alignment.fraction_bits: [stated] Khattak and Mikaitis, public recordings (MATLAB-tensor-core): the recordings
//       of fp16 results only bound F; the value is that of the fp32 results
//     alignment.normalise_products: [stated] Khattak and Mikaitis, public recordings (MATLAB-tensor-core): normalised
//       products miss 205 to 409 of 2,500 rows (fp16 to fp32)
//     alignment.rounding: [replayed] Valpey et al. 2025, section 4.2: each term is cut, not the exact sum rounded
//       toward zero; Khattak and Mikaitis, public recordings (MATLAB-tensor-core)
//     conversion.exact_zero: [stated] plus zero: Xie et al., arXiv 2511.10909. The recordings do not test it
//     conversion.nan: [stated] 0x7fff: Xie et al., arXiv 2511.10909. The recordings hold no NaN
//     conversion.overflow: [stated] infinity also when truncating; Xie et al., arXiv 2511.10909. The recordings do not
//       test it
//     conversion.rounding: [replayed] Fasi et al. 2021, section 3.1.3: fp16 results are rounded to nearest; Khattak
//       and Mikaitis, public recordings (MATLAB-tensor-core)
//     products: [replayed] Khattak and Mikaitis, public recordings (MATLAB-tensor-core)
//     subnormals: [stated] kept in operands, addend and result: Fasi et al. 2021, section 3.1.1
//     sum.carry_bits: [stated] ceil(log2(L + 1)) always suffice; Valpey et al. 2025, section 4.3, counted above two
//       integer bits
//
// Emitted; regenerate with: tensorsmith emit hopper-fp16-fp16 --out DIR

// This module puts registers in front of and behind the core hopper_fp16_fp16: a result appears two cycles of enable_i after its
// operands. enable_i = 0 holds every register; valid_o follows valid_i through the same two stages.

module hopper_fp16_fp16_registered #(
    // Fixed by the unit's description, as in the core.
    parameter int Products      =  16,  // L: products summed at once
    parameter int OperandAWidth =  16,  // encoded a, binary16
    parameter int OperandBWidth =  16,  // encoded b, binary16
    parameter int AddendWidth   =  16,  // encoded c, binary16
    parameter int ResultWidth   =  16,  // encoded d, binary16
    parameter int FractionBits  =  25,  // F: bits kept below the anchor
    parameter int CarryBits     =   5,  // integer bits of the sum above the window's two
    parameter int AnchorFloor   = -21   // least exponent of the anchor; zero terms carry it
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

  hopper_fp16_fp16 #(
      .Products     (Products),
      .OperandAWidth(OperandAWidth),
      .OperandBWidth(OperandBWidth),
      .AddendWidth  (AddendWidth),
      .ResultWidth  (ResultWidth),
      .FractionBits (FractionBits),
      .CarryBits    (CarryBits),
      .AnchorFloor  (AnchorFloor)
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
