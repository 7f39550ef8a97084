// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit avx512-bf16-fp32. Intel AVX512-BF16 vdpbf16ps: two fused multiply-adds, the odd element first.
//
//     d = what the last step leaves
//
//     products      2
//     formats       a bfloat16, b bfloat16, c binary32, d binary32
//     step 1        order = "chain", c = "first", round = "d"
//     conversion    "d" is to nearest, ties to even, overflow to what IEEE 754 says
//     subnormals    operands flushed, addend flushed, result flushed if tiny
//     NaN and zero  every NaN is 0xffc00000, zero sums as the steps say
//     latency       0 cycles; the module named _registered: 2
//
// The sums:
//
//     link 0  54 bits with a sign, the last one weighs 2^(anchor - 50)
//     link 1  54 bits with a sign, the last one weighs 2^(anchor - 50)
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

module avx512_bf16_fp32 #(
    // Of the ports; they cannot be overridden.
    localparam int Products      =  2,  // L: products
    localparam int OperandAWidth = 16,  // encoded a, bfloat16
    localparam int OperandBWidth = 16,  // encoded b, bfloat16
    localparam int AddendWidth   = 32,  // encoded c, binary32
    localparam int ResultWidth   = 32   // encoded d, binary32
) (
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,  // c
    output logic [ResultWidth-1:0]            d_o   // d
);

  // Numbers that are passed on: a sign, an exponent, a significand, and their class. Absent numbers are zeros without an exponent.

  // ---------------------------------------------------------------------------------------------- products
  logic [Products-1:0] product_negative, product_absent, product_infinite, product_nan;
  logic [Products*10-1:0] product_exponent;
  logic [Products*16-1:0] product_significand;
  logic [Products-1:0] product_invalid;
  logic [Products-1:0] product_signalling;

  for (genvar i = 0; i < Products; i++) begin : gen_product
    logic a_negative, a_absent, a_infinite, a_nan;
    logic [8:0] a_exponent;
    logic [7:0] a_significand;
    logic b_negative, b_absent, b_infinite, b_nan;
    logic [8:0] b_exponent;
    logic [7:0] b_significand;
    logic unused_absent;

    assign unused_absent         = a_absent ^ b_absent;
    assign product_signalling[i] = (a_nan && !a_significand[6]) || (b_nan && !b_significand[6]);

    tensorsmith_operand #(
        .SignBits(1), .ExponentBits(8), .FractionBits(7), .PaddingBits(0), .Bias(127), .NonFinite(1), .Widened(0),
        .ExponentMin(-126), .Flush(1), .SubnormalBits(7), .ExponentWidth(9)
    ) u_a (
        .operand_i(a_i[i*OperandAWidth +: OperandAWidth]), .negative_o(a_negative), .exponent_o(a_exponent),
        .significand_o(a_significand), .absent_o(a_absent), .infinite_o(a_infinite), .nan_o(a_nan)
    );

    tensorsmith_operand #(
        .SignBits(1), .ExponentBits(8), .FractionBits(7), .PaddingBits(0), .Bias(127), .NonFinite(1), .Widened(0),
        .ExponentMin(-126), .Flush(1), .SubnormalBits(7), .ExponentWidth(9)
    ) u_b (
        .operand_i(b_i[i*OperandBWidth +: OperandBWidth]), .negative_o(b_negative), .exponent_o(b_exponent),
        .significand_o(b_significand), .absent_o(b_absent), .infinite_o(b_infinite), .nan_o(b_nan)
    );

    tensorsmith_number_product #(
        .ExponentXWidth(9), .ExponentYWidth(9), .SignificandXWidth(8), .SignificandYWidth(8), .ExponentWidth(10),
        .SignificandWidth(16)
    ) u_product (
        .x_negative_i(a_negative), .x_exponent_i(a_exponent), .x_significand_i(a_significand),
        .x_infinite_i(a_infinite), .x_nan_i(a_nan), .y_negative_i(b_negative), .y_exponent_i(b_exponent),
        .y_significand_i(b_significand), .y_infinite_i(b_infinite), .y_nan_i(b_nan), .negative_o(product_negative[i]),
        .exponent_o(product_exponent[i*10 +: 10]), .significand_o(product_significand[i*16 +: 16]),
        .absent_o(product_absent[i]), .infinite_o(product_infinite[i]), .nan_o(product_nan[i]),
        .invalid_o(product_invalid[i])
    );

  end

  // ---------------------------------------------------------------------------------------------- c

  logic unpacked_c_negative, unpacked_c_absent, unpacked_c_infinite, unpacked_c_nan;
  logic [8:0] unpacked_c_exponent;
  logic [23:0] unpacked_c_significand;
  logic c_negative, c_absent, c_infinite, c_nan;
  logic [8:0] c_exponent;
  logic [23:0] c_significand;

  assign c_exponent = unpacked_c_exponent;
  assign c_infinite = unpacked_c_infinite;
  assign c_nan = unpacked_c_nan;
  tensorsmith_flush #(
      .SignificandWidth(24), .SubnormalBits(23), .Flush(1)
  ) u_flush (
      .negative_i(unpacked_c_negative), .significand_i(unpacked_c_significand), .absent_i(unpacked_c_absent),
      .special_i(unpacked_c_infinite || unpacked_c_nan), .negative_o(c_negative), .significand_o(c_significand),
      .absent_o(c_absent)
  );

  tensorsmith_operand #(
      .SignBits(1), .ExponentBits(8), .FractionBits(23), .PaddingBits(0), .Bias(127), .NonFinite(1), .Widened(0),
      .ExponentMin(-126), .Flush(0), .SubnormalBits(23), .ExponentWidth(9)
  ) u_c (
      .operand_i(c_i), .negative_o(unpacked_c_negative), .exponent_o(unpacked_c_exponent),
      .significand_o(unpacked_c_significand), .absent_o(unpacked_c_absent), .infinite_o(unpacked_c_infinite),
      .nan_o(unpacked_c_nan)
  );

  // ---------------------------------------------------------------------------------------------- steps

  logic [2-1:0] link_invalid, link_overflow;

  // step 1: a sum of 2 numbers, rounded
  for (genvar i = 0; i < 1; i++) begin : gen_link_0
    logic sum_negative, sum_absent, sum_infinite, sum_nan;
    logic [9:0] sum_exponent;
    logic [52:0] sum_significand;
    logic number_negative, number_absent, number_infinite, number_nan;
    logic [7:0] number_exponent;
    logic [23:0] number_significand;
    logic sum_invalid;
    logic unused_absent;

    tensorsmith_sum #(
        .Count(1), .ExponentWidth(10), .SignificandWidth(16), .HasAddend(1), .AddendExponentWidth(9),
        .AddendSignificandWidth(24), .Kind(0), .AnchorWidth(10), .Low(-252), .ZerosAbsent(0), .HasFloor(1),
        .Floor(-126), .PlaceLeft(36), .AddendPlaceLeft(27), .ExponentMin(-252), .AddendExponentMin(-126), .GuardBits(0),
        .AddendCutBits(0), .AddendReach(-1), .Rounding(5), .AlignedWidth(53), .SumWidth(54), .ZeroSign(2), .Target(0),
        .Place(0), .Offset(0), .From(0), .ResultExponentMin(-126), .ResultExponentWidth(10),
        .ResultSignificandWidth(53)
    ) u_sum (
        .clk_i(1'b0), .ce_i(1'b0), .negative_i(product_negative[1]), .exponent_i(product_exponent[1*10 +: 10]),
        .significand_i(product_significand[1*16 +: 16]), .absent_i(product_absent[1]), .infinite_i(product_infinite[1]),
        .nan_i(product_nan[1]), .addend_negative_i(c_negative), .addend_exponent_i(c_exponent),
        .addend_significand_i(c_significand), .addend_absent_i(c_absent), .addend_infinite_i(c_infinite),
        .addend_nan_i(c_nan), .negative_o(sum_negative), .exponent_o(sum_exponent), .significand_o(sum_significand),
        .absent_o(sum_absent), .infinite_o(sum_infinite), .nan_o(sum_nan), .invalid_o(sum_invalid)
    );

    if (1) begin : gen_round_0
      logic rounded_negative, rounded_absent, rounded_infinite, rounded_nan;
      logic [7:0] rounded_exponent;
      logic [23:0] rounded_significand;
      logic rounded_overflow;

      tensorsmith_number_round #(
          .InputExponentWidth(10), .SignificandWidth(53), .PadBits(0), .NormalisedWidth(53), .TopOffset(2), .Shifts(1),
          .WorkWidth(10), .ExponentMin(-126), .HasExponentMin(1), .Precision(24), .Rounding(1), .Limit(2),
          .LargestExponent(127), .LargestSignificand(24'hffffff), .OverflowInfinityPositive(1),
          .OverflowInfinityNegative(1), .HasInfinity(1), .HasNegativeZero(1), .FlushResult(2), .RoundedZero(0),
          .ResultExponentMin(-126), .ExponentWidth(8)
      ) u_round (
          .clk_i(1'b0), .ce_i(1'b0), .negative_i(sum_negative), .exponent_i(sum_exponent),
          .significand_i(sum_significand), .infinite_i(sum_infinite), .nan_i(sum_nan), .negative_o(rounded_negative),
          .exponent_o(rounded_exponent), .significand_o(rounded_significand), .absent_o(rounded_absent),
          .infinite_o(rounded_infinite), .nan_o(rounded_nan), .overflow_o(rounded_overflow)
      );
    end

    assign number_negative = gen_round_0.rounded_negative;
    assign number_exponent = gen_round_0.rounded_exponent;
    assign number_significand = gen_round_0.rounded_significand;
    assign number_absent = gen_round_0.rounded_absent;
    assign number_infinite = gen_round_0.rounded_infinite;
    assign number_nan = gen_round_0.rounded_nan;

    assign unused_absent = ^{sum_absent, number_absent, gen_round_0.rounded_absent};
    assign link_invalid[i + 0]  = sum_invalid;
    assign link_overflow[i + 0] = gen_round_0.rounded_overflow;
  end

  // step 1: a sum of 2 numbers, rounded
  for (genvar i = 0; i < 1; i++) begin : gen_link_1
    logic sum_negative, sum_absent, sum_infinite, sum_nan;
    logic [9:0] sum_exponent;
    logic [52:0] sum_significand;
    logic number_negative, number_absent, number_infinite, number_nan;
    logic [7:0] number_exponent;
    logic [23:0] number_significand;
    logic sum_invalid;
    logic unused_absent;

    tensorsmith_sum #(
        .Count(1), .ExponentWidth(10), .SignificandWidth(16), .HasAddend(1), .AddendExponentWidth(8),
        .AddendSignificandWidth(24), .Kind(0), .AnchorWidth(10), .Low(-252), .ZerosAbsent(0), .HasFloor(1),
        .Floor(-126), .PlaceLeft(36), .AddendPlaceLeft(27), .ExponentMin(-252), .AddendExponentMin(-126), .GuardBits(0),
        .AddendCutBits(0), .AddendReach(-1), .Rounding(5), .AlignedWidth(53), .SumWidth(54), .ZeroSign(2), .Target(0),
        .Place(0), .Offset(0), .From(0), .ResultExponentMin(-126), .ResultExponentWidth(10),
        .ResultSignificandWidth(53)
    ) u_sum (
        .clk_i(1'b0), .ce_i(1'b0), .negative_i(product_negative[0]), .exponent_i(product_exponent[0*10 +: 10]),
        .significand_i(product_significand[0*16 +: 16]), .absent_i(product_absent[0]), .infinite_i(product_infinite[0]),
        .nan_i(product_nan[0]), .addend_negative_i(gen_link_0[0].number_negative),
        .addend_exponent_i(gen_link_0[0].number_exponent), .addend_significand_i(gen_link_0[0].number_significand),
        .addend_absent_i(gen_link_0[0].number_absent), .addend_infinite_i(gen_link_0[0].number_infinite),
        .addend_nan_i(gen_link_0[0].number_nan), .negative_o(sum_negative), .exponent_o(sum_exponent),
        .significand_o(sum_significand), .absent_o(sum_absent), .infinite_o(sum_infinite), .nan_o(sum_nan),
        .invalid_o(sum_invalid)
    );

    if (1) begin : gen_round_0
      logic rounded_negative, rounded_absent, rounded_infinite, rounded_nan;
      logic [7:0] rounded_exponent;
      logic [23:0] rounded_significand;
      logic rounded_overflow;

      tensorsmith_number_round #(
          .InputExponentWidth(10), .SignificandWidth(53), .PadBits(0), .NormalisedWidth(53), .TopOffset(2), .Shifts(1),
          .WorkWidth(10), .ExponentMin(-126), .HasExponentMin(1), .Precision(24), .Rounding(1), .Limit(2),
          .LargestExponent(127), .LargestSignificand(24'hffffff), .OverflowInfinityPositive(1),
          .OverflowInfinityNegative(1), .HasInfinity(1), .HasNegativeZero(1), .FlushResult(2), .RoundedZero(0),
          .ResultExponentMin(-126), .ExponentWidth(8)
      ) u_round (
          .clk_i(1'b0), .ce_i(1'b0), .negative_i(sum_negative), .exponent_i(sum_exponent),
          .significand_i(sum_significand), .infinite_i(sum_infinite), .nan_i(sum_nan), .negative_o(rounded_negative),
          .exponent_o(rounded_exponent), .significand_o(rounded_significand), .absent_o(rounded_absent),
          .infinite_o(rounded_infinite), .nan_o(rounded_nan), .overflow_o(rounded_overflow)
      );
    end

    assign number_negative = gen_round_0.rounded_negative;
    assign number_exponent = gen_round_0.rounded_exponent;
    assign number_significand = gen_round_0.rounded_significand;
    assign number_absent = gen_round_0.rounded_absent;
    assign number_infinite = gen_round_0.rounded_infinite;
    assign number_nan = gen_round_0.rounded_nan;

    assign unused_absent = ^{sum_absent, number_absent, gen_round_0.rounded_absent};
    assign link_invalid[i + 1]  = sum_invalid;
    assign link_overflow[i + 1] = gen_round_0.rounded_overflow;
  end

  // ---------------------------------------------------------------------------------------------- result

  logic [ResultWidth-1:0] packed_word;

  tensorsmith_number_pack #(
      .ExponentWidth(8), .ExponentBits(8), .FractionBits(23), .PaddingBits(0), .ExponentMin(-126), .HasInfinity(1),
      .InfinityMagnitude(31'h7f800000), .NanWord(32'hffc00000)
  ) u_pack (
      .negative_i(gen_link_1[0].number_negative), .exponent_i(gen_link_1[0].number_exponent),
      .significand_i(gen_link_1[0].number_significand), .infinite_i(gen_link_1[0].number_infinite),
      .nan_i(gen_link_1[0].number_nan), .d_o(packed_word)
  );

  assign d_o = packed_word;

  logic unused_flags;

  assign unused_flags = ^{product_signalling, product_invalid, link_invalid, link_overflow};

endmodule
