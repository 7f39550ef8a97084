// Unit riscv-fp16-fp32. RISC-V bulk normalisation: 4 fp16 products, fp32 result, flags.
//
//     d = convert(a[0]*b[0] + ... + a[3]*b[3])
//
//     products        4
//     formats         a binary16, b binary16, d binary32
//     product         exact, in [1, 4), not normalised
//     alignment       25 fraction bits, rounded to odd
//     exponent floor  none
//     carry bits      2, as many as any sum can need
//     conversion      to odd, overflow to infinity
//     subnormals      operands kept, result kept
//     NaN and zero    every NaN is 0x7fc00000, an exact zero sum is +0
//     flags           invalid, overflow: flags_o, from the top bit down; above d in the answers of engines
//     latency         0 cycles; the module named _registered: 2
//
// The sum, in units of 2^(anchor - F):
//
//     bit      29    28..27   26..25     24..0
//     sum   | sign | carry  | integer | fraction |
//     bit 25 weighs 2^anchor, bit 0 weighs 2^(anchor - 25); lower bits of a term are ORed into bit 0
//
// Where the constants come from:
//
//     alignment.exponent_floor: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: only the reference
//       exponents of nonzero products decide
//     alignment.fraction_bits: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: products are
//       extended to q - 1 + g fraction bits, g = ceil(log2 n)
//     alignment.normalise_products: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: reference
//       exponents are sums of the factors' biased exponents, 1 for a subnormal factor
//     alignment.rounding: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: discarded bits are ORed
//       into the last one
//     conversion.exact_zero: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: plus zero, whatever
//       the signs of the terms
//     conversion.flags: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: invalid and overflow, no
//       other; the flags themselves are optional here
//     conversion.nan: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: the canonical quiet NaN
//     conversion.overflow: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: infinity, where rounding
//       to odd would give the largest number
//     conversion.rounding: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: rounding to odd,
//       subnormal results too
//     formats: [stated] symmetric products; the draft leaves formats to the extensions that use it
//     products: [chosen] n is a constant of each operation (RVBNA, note on n); 4 here
//     scheme: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: one alignment, one exact sum,
//       one conversion, no addend; its prose is followed where its pseudo-code differs: UNIT_FILE.md, RISC-V bulk
//       normalisation
//     subnormals: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: kept in operands and result
//     sum.carry_bits: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: o = ceil(log2 n) overflow
//       bits above two integer bits
//
// Emitted; regenerate with: tensorsmith emit riscv-fp16-fp32 --out DIR

// This module puts registers in front of and behind the core riscv_fp16_fp32: a result appears two cycles of enable_i after its
// operands. enable_i = 0 holds every register; valid_o follows valid_i through the same two stages.

module riscv_fp16_fp32_registered #(
    // Fixed by the unit's description, as in the core.
    parameter int Products      =   4,  // L: products summed at once
    parameter int OperandAWidth =  16,  // encoded a, binary16
    parameter int OperandBWidth =  16,  // encoded b, binary16
    parameter int ResultWidth   =  32,  // encoded d, binary32
    parameter int FlagsWidth    =   2,  // exception flags: invalid, overflow
    parameter int FractionBits  =  25,  // F: bits kept below the anchor
    parameter int CarryBits     =   2,  // integer bits of the sum above the window's two
    parameter int AnchorFloor   = -28   // lowest exponent of a term; zero terms carry it
) (
    input  logic                              clk_i,     // rising edge
    input  logic                              rst_ni,    // asynchronous reset, active low: clears valid_o
    input  logic                              enable_i,  // 1: registers advance
    input  logic                              valid_i,   // a_i and b_i hold operands
    input  logic [Products*OperandAWidth-1:0] a_i,       // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,       // b, element 0 in the lowest bits
    output logic                              valid_o,   // d_o holds a result
    output logic [FlagsWidth-1:0]             flags_o,   // invalid, overflow
    output logic [ResultWidth-1:0]            d_o        // d
);

  // ---------------------------------------------------------------------------------------------- operands

  logic                              operands_valid_q;
  logic [Products*OperandAWidth-1:0] a_q;
  logic [Products*OperandBWidth-1:0] b_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      operands_valid_q <= 1'b0;
      a_q              <= '0;
      b_q              <= '0;
    end else if (enable_i) begin
      operands_valid_q <= valid_i;
      a_q              <= a_i;
      b_q              <= b_i;
    end
  end

  // ---------------------------------------------------------------------------------------------- core

  logic [ResultWidth-1:0] result_d;
  logic [FlagsWidth-1:0]  flags_d;

  riscv_fp16_fp32 #(
      .Products     (Products),
      .OperandAWidth(OperandAWidth),
      .OperandBWidth(OperandBWidth),
      .ResultWidth  (ResultWidth),
      .FlagsWidth   (FlagsWidth),
      .FractionBits (FractionBits),
      .CarryBits    (CarryBits),
      .AnchorFloor  (AnchorFloor)
  ) u_core (
      .a_i(a_q),
      .b_i(b_q),
      .flags_o(flags_d),
      .d_o(result_d)
  );

  // ---------------------------------------------------------------------------------------------- result

  logic                   result_valid_q;
  logic [ResultWidth-1:0] result_q;
  logic [FlagsWidth-1:0]  flags_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      result_valid_q <= 1'b0;
      result_q       <= '0;
      flags_q        <= '0;
    end else if (enable_i) begin
      result_valid_q <= operands_valid_q;
      result_q       <= result_d;
      flags_q        <= flags_d;
    end
  end

  assign valid_o = result_valid_q;
  assign d_o     = result_q;
  assign flags_o = flags_q;

endmodule
