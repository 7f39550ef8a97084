// Unit ampere-fp16-fp32. NVIDIA Ampere and Ada: one block of 8 fp16 products, fp32 result.
//
//     d = convert(c + a[0]*b[0] + ... + a[7]*b[7])
//
//     products        8
//     formats         a binary16, b binary16, c binary32, d binary32
//     product         exact, in [1, 4), not normalised
//     alignment       24 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor  -132
//     carry bits      4, as many as any sum can need
//     conversion      truncation, overflow to infinity
//     subnormals      operands kept, addend kept, result kept
//     NaN and zero    every NaN is 0x7fffffff, an exact zero sum is +0
//     latency         0 cycles; the module named _registered: 2
//
// The sum, in units of 2^(anchor - F):
//
//     bit      30    29..26   25..24     23..0
//     sum   | sign | carry  | integer | fraction |
//     bit 24 weighs 2^anchor, bit 0 weighs 2^(anchor - 24); lower bits of a term are cut
//
// Where the constants come from:
//
//     alignment.exponent_floor: [stated] Xie et al., arXiv 2511.10909; it cannot act with fp16 operands and an fp32
//       addend
//     alignment.fraction_bits: [replayed] Khattak and Mikaitis, public recordings (MATLAB-tensor-core), every row of
//       A100, A2, Ada, L40S
//     alignment.normalise_products: [replayed] Khattak and Mikaitis, public recordings (MATLAB-tensor-core):
//       normalised products miss 205 to 409 of 2,500 rows (fp16 to fp32)
//     alignment.rounding: [replayed] Valpey et al. 2025, section 4.2: each term is cut, not the exact sum rounded
//       toward zero; Khattak and Mikaitis, public recordings (MATLAB-tensor-core)
//     conversion.exact_zero: [stated] plus zero: Xie et al., arXiv 2511.10909. The recordings do not test it
//     conversion.nan: [stated] 0x7fffffff: Xie et al., arXiv 2511.10909. The recordings hold no NaN
//     conversion.overflow: [stated] infinity also when truncating; Xie et al., arXiv 2511.10909. The recordings do not
//       test it
//     conversion.rounding: [replayed] Fasi et al. 2021, section 3.1.3; Khattak and Mikaitis, public recordings
//       (MATLAB-tensor-core)
//     products: [replayed] Valpey et al. 2025, section 4; Khattak and Mikaitis, public recordings (MATLAB-tensor-core)
//     subnormals: [stated] kept in operands, addend and result: Fasi et al. 2021, section 3.1.1
//     sum.carry_bits: [stated] ceil(log2(L + 1)) always suffice; Valpey et al. 2025, section 4.3, counted above two
//       integer bits
//
// Emitted; regenerate with: tensorsmith emit ampere-fp16-fp32 --out DIR

// This module puts registers in front of and behind the core ampere_fp16_fp32: a result appears two cycles of enable_i after its
// operands. enable_i = 0 holds every register; valid_o follows valid_i through the same two stages.

module ampere_fp16_fp32_registered #(
    // Fixed by the unit's description, as in the core.
    parameter int Products      =    8,  // L: products summed at once
    parameter int OperandAWidth =   16,  // encoded a, binary16
    parameter int OperandBWidth =   16,  // encoded b, binary16
    parameter int AddendWidth   =   32,  // encoded c, binary32
    parameter int ResultWidth   =   32,  // encoded d, binary32
    parameter int FractionBits  =   24,  // F: bits kept below the anchor
    parameter int CarryBits     =    4,  // integer bits of the sum above the window's two
    parameter int AnchorFloor   = -126   // lowest exponent of a term, of -28 and -126; zero terms carry it
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

  ampere_fp16_fp32 #(
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
