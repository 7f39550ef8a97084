// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit fma-fp32. IEEE 754 fused multiply-add of fp32 numbers, rounded to nearest.
//
//     d = what the last step leaves
//
//     products      1
//     formats       a binary32, b binary32, c binary32, d binary32
//     step 1        order = "chain", c = "first", round = "d"
//     conversion    "d" is to nearest, ties to even, overflow to what IEEE 754 says
//     subnormals    operands kept, addend kept, result kept
//     NaN and zero  every NaN is 0x7fffffff, zero sums as the steps say
//     latency       0 cycles; the module named _registered: 2
//
// The sums:
//
//     link 0  76 bits with a sign, the last one weighs 2^(anchor - 72)
//
// Where the constants come from:
//
//     conversion.exact_zero: [stated] IEEE 754-2019, 6.3
//     conversion.nan: [stated] results of NaN operands are 0x7fffffff (CUDA C++ Programming Guide, floating-point
//       standard)
//     scheme: [stated] the fma instruction of NVIDIA's ordinary cores is the one of IEEE 754 (CUDA C++ Programming
//       Guide, floating-point standard)
//     subnormals: [stated] kept, unless compiled with -ftz=true (CUDA C++ Programming Guide, floating-point standard)
//
// Emitted; regenerate with: tensorsmith emit fma-fp32 --out DIR

module fma_fp32 #(
    // Of the ports; they cannot be overridden.
    localparam int Products      =  1,  // L: products
    localparam int OperandAWidth = 32,  // encoded a, binary32
    localparam int OperandBWidth = 32,  // encoded b, binary32
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
  logic [Products*48-1:0] product_significand;
  logic [Products-1:0] product_invalid;
  logic [Products-1:0] product_signalling;

  for (genvar i = 0; i < Products; i++) begin : gen_product
    logic a_negative, a_absent, a_infinite, a_nan;
    logic [8:0] a_exponent;
    logic [23:0] a_significand;
    logic b_negative, b_absent, b_infinite, b_nan;
    logic [8:0] b_exponent;
    logic [23:0] b_significand;
    logic unused_absent;

    assign unused_absent         = a_absent ^ b_absent;
    assign product_signalling[i] = (a_nan && !a_significand[22]) || (b_nan && !b_significand[22]);

    tensorsmith_operand #(
        .SignBits(1), .ExponentBits(8), .FractionBits(23), .PaddingBits(0), .Bias(127), .NonFinite(1), .Widened(0),
        .ExponentMin(-126), .Flush(0), .SubnormalBits(23), .ExponentWidth(9)
    ) u_a (
        .operand_i(a_i[i*OperandAWidth +: OperandAWidth]), .negative_o(a_negative), .exponent_o(a_exponent),
        .significand_o(a_significand), .absent_o(a_absent), .infinite_o(a_infinite), .nan_o(a_nan)
    );

    tensorsmith_operand #(
        .SignBits(1), .ExponentBits(8), .FractionBits(23), .PaddingBits(0), .Bias(127), .NonFinite(1), .Widened(0),
        .ExponentMin(-126), .Flush(0), .SubnormalBits(23), .ExponentWidth(9)
    ) u_b (
        .operand_i(b_i[i*OperandBWidth +: OperandBWidth]), .negative_o(b_negative), .exponent_o(b_exponent),
        .significand_o(b_significand), .absent_o(b_absent), .infinite_o(b_infinite), .nan_o(b_nan)
    );

    tensorsmith_number_product #(
        .ExponentXWidth(9), .ExponentYWidth(9), .SignificandXWidth(24), .SignificandYWidth(24), .ExponentWidth(10),
        .SignificandWidth(48)
    ) u_product (
        .x_negative_i(a_negative), .x_exponent_i(a_exponent), .x_significand_i(a_significand),
        .x_infinite_i(a_infinite), .x_nan_i(a_nan), .y_negative_i(b_negative), .y_exponent_i(b_exponent),
        .y_significand_i(b_significand), .y_infinite_i(b_infinite), .y_nan_i(b_nan), .negative_o(product_negative[i]),
        .exponent_o(product_exponent[i*10 +: 10]), .significand_o(product_significand[i*48 +: 48]),
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

  assign c_negative = unpacked_c_negative;
  assign c_exponent = unpacked_c_exponent;
  assign c_significand = unpacked_c_significand;
  assign c_absent = unpacked_c_absent;
  assign c_infinite = unpacked_c_infinite;
  assign c_nan = unpacked_c_nan;

  tensorsmith_operand #(
      .SignBits(1), .ExponentBits(8), .FractionBits(23), .PaddingBits(0), .Bias(127), .NonFinite(1), .Widened(0),
      .ExponentMin(-126), .Flush(0), .SubnormalBits(23), .ExponentWidth(9)
  ) u_c (
      .operand_i(c_i), .negative_o(unpacked_c_negative), .exponent_o(unpacked_c_exponent),
      .significand_o(unpacked_c_significand), .absent_o(unpacked_c_absent), .infinite_o(unpacked_c_infinite),
      .nan_o(unpacked_c_nan)
  );

  // ---------------------------------------------------------------------------------------------- steps

  logic [1-1:0] link_invalid, link_overflow;

  // step 1: a sum of 2 numbers, rounded
  for (genvar i = 0; i < 1; i++) begin : gen_link_0
    logic sum_negative, sum_absent, sum_infinite, sum_nan;
    logic [9:0] sum_exponent;
    logic [74:0] sum_significand;
    logic number_negative, number_absent, number_infinite, number_nan;
    logic [7:0] number_exponent;
    logic [23:0] number_significand;
    logic sum_invalid;
    logic unused_absent;

    tensorsmith_sum #(
        .Count(1), .ExponentWidth(10), .SignificandWidth(48), .HasAddend(1), .AddendExponentWidth(9),
        .AddendSignificandWidth(24), .Kind(0), .AnchorWidth(10), .Low(-252), .ZerosAbsent(0), .HasFloor(1),
        .Floor(-126), .PlaceLeft(26), .AddendPlaceLeft(49), .ExponentMin(-252), .AddendExponentMin(-126), .GuardBits(0),
        .AddendCutBits(0), .AddendReach(-1), .Rounding(5), .AlignedWidth(75), .SumWidth(76), .ZeroSign(2), .Target(0),
        .Place(0), .Offset(0), .From(0), .ResultExponentMin(-126), .ResultExponentWidth(10),
        .ResultSignificandWidth(75)
    ) u_sum (
        .clk_i(1'b0), .ce_i(1'b0), .negative_i(product_negative[0]), .exponent_i(product_exponent[0*10 +: 10]),
        .significand_i(product_significand[0*48 +: 48]), .absent_i(product_absent[0]), .infinite_i(product_infinite[0]),
        .nan_i(product_nan[0]), .addend_negative_i(c_negative), .addend_exponent_i(c_exponent),
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
          .InputExponentWidth(10), .SignificandWidth(75), .PadBits(0), .NormalisedWidth(75), .TopOffset(2), .Shifts(1),
          .WorkWidth(10), .ExponentMin(-126), .HasExponentMin(1), .Precision(24), .Rounding(1), .Limit(2),
          .LargestExponent(127), .LargestSignificand(24'hffffff), .OverflowInfinityPositive(1),
          .OverflowInfinityNegative(1), .HasInfinity(1), .HasNegativeZero(1), .FlushResult(0), .RoundedZero(0),
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

  // ---------------------------------------------------------------------------------------------- result

  logic [ResultWidth-1:0] packed_word;

  tensorsmith_number_pack #(
      .ExponentWidth(8), .ExponentBits(8), .FractionBits(23), .PaddingBits(0), .ExponentMin(-126), .HasInfinity(1),
      .InfinityMagnitude(31'h7f800000), .NanWord(32'h7fffffff)
  ) u_pack (
      .negative_i(gen_link_0[0].number_negative), .exponent_i(gen_link_0[0].number_exponent),
      .significand_i(gen_link_0[0].number_significand), .infinite_i(gen_link_0[0].number_infinite),
      .nan_i(gen_link_0[0].number_nan), .d_o(packed_word)
  );

  assign d_o = packed_word;

  logic unused_flags;

  assign unused_flags = ^{product_signalling, product_invalid, link_invalid, link_overflow};

endmodule
