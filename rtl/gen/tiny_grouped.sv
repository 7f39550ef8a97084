// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tiny-grouped. Small enough for all 2^24 inputs: two e2m1 products summed exactly before they are scaled.
//
//     d = what the last step leaves
//
//     products      2
//     formats       a e2m1, b e2m1, c e2m1, d e3m1
//     step 1        group = 2, exponent = 0, scaled = true, zero = "positive"
//     step 2        c = "last", window = { fraction_bits = 2, rounding = "toward-zero", floor = 0 }, zero = "positive", round = "d"
//     conversion    "d" is to nearest, ties to even, overflow to infinity
//     subnormals    operands kept, addend kept, result kept
//     NaN and zero  every NaN is 0xf, zero sums as the steps say
//     latency       0 cycles; the module named _registered: 2
//
// The sums:
//
//     link 0  10 bits with a sign, the last one weighs 2^-2
//     link 1  10 bits with a sign, the last one weighs 2^(anchor - 2)
//
// Where the constants come from:
//
//     alignment.exponent_floor: [chosen] above the exponents of some terms, so that it acts
//     alignment.fraction_bits: [chosen] fewer than an exact sum has, so that bits are lost
//     formats: [chosen] as few bits as leave subnormals, infinities and overflow
//     scales: [chosen] three powers of two on one side, zero and a subnormal on the other, NaN on both
//
// Emitted; regenerate with: tensorsmith emit tiny-grouped --out DIR

module tiny_grouped #(
    // Of the ports; they cannot be overridden.
    localparam int Products      = 2,  // L: products
    localparam int OperandAWidth = 4,  // encoded a, e2m1
    localparam int OperandBWidth = 4,  // encoded b, e2m1
    localparam int Scales        = 1,  // scales of a, and as many of b
    localparam int ScaleAWidth   = 2,  // encoded scale of a, ue2m0
    localparam int ScaleBWidth   = 2,  // encoded scale of b, ue1m1
    localparam int AddendWidth   = 4,  // encoded c, e2m1
    localparam int ResultWidth   = 5   // encoded d, e3m1
) (
    input  logic [Products*OperandAWidth-1:0] a_i,        // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,        // b, element 0 in the lowest bits
    input  logic [Scales*ScaleAWidth-1:0]     scale_a_i,  // scales of a, block 0 in the lowest bits
    input  logic [Scales*ScaleBWidth-1:0]     scale_b_i,  // scales of b, block 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,        // c
    output logic [ResultWidth-1:0]            d_o         // d
);

  // Numbers that are passed on: a sign, an exponent, a significand, and their class. Absent numbers are zeros without an exponent.

  // ---------------------------------------------------------------------------------------------- products
  logic [Products-1:0] product_negative, product_absent, product_infinite, product_nan;
  logic [Products*4-1:0] product_exponent;
  logic [Products*4-1:0] product_significand;
  logic [Products-1:0] product_invalid;
  logic [Products-1:0] product_signalling;

  for (genvar i = 0; i < Products; i++) begin : gen_product
    logic a_negative, a_absent, a_infinite, a_nan;
    logic [2:0] a_exponent;
    logic [1:0] a_significand;
    logic b_negative, b_absent, b_infinite, b_nan;
    logic [2:0] b_exponent;
    logic [1:0] b_significand;
    logic unused_absent;

    assign unused_absent         = a_absent ^ b_absent;
    assign product_signalling[i] = (1'b0) || (1'b0);

    tensorsmith_operand #(
        .SignBits(1), .ExponentBits(2), .FractionBits(1), .PaddingBits(0), .Bias(1), .NonFinite(0), .Widened(0),
        .ExponentMin(0), .Flush(0), .SubnormalBits(1), .ExponentWidth(3)
    ) u_a (
        .operand_i(a_i[i*OperandAWidth +: OperandAWidth]), .negative_o(a_negative), .exponent_o(a_exponent),
        .significand_o(a_significand), .absent_o(a_absent), .infinite_o(a_infinite), .nan_o(a_nan)
    );

    tensorsmith_operand #(
        .SignBits(1), .ExponentBits(2), .FractionBits(1), .PaddingBits(0), .Bias(1), .NonFinite(0), .Widened(0),
        .ExponentMin(0), .Flush(0), .SubnormalBits(1), .ExponentWidth(3)
    ) u_b (
        .operand_i(b_i[i*OperandBWidth +: OperandBWidth]), .negative_o(b_negative), .exponent_o(b_exponent),
        .significand_o(b_significand), .absent_o(b_absent), .infinite_o(b_infinite), .nan_o(b_nan)
    );

    tensorsmith_number_product #(
        .ExponentXWidth(3), .ExponentYWidth(3), .SignificandXWidth(2), .SignificandYWidth(2), .ExponentWidth(4),
        .SignificandWidth(4)
    ) u_product (
        .x_negative_i(a_negative), .x_exponent_i(a_exponent), .x_significand_i(a_significand),
        .x_infinite_i(a_infinite), .x_nan_i(a_nan), .y_negative_i(b_negative), .y_exponent_i(b_exponent),
        .y_significand_i(b_significand), .y_infinite_i(b_infinite), .y_nan_i(b_nan), .negative_o(product_negative[i]),
        .exponent_o(product_exponent[i*4 +: 4]), .significand_o(product_significand[i*4 +: 4]),
        .absent_o(product_absent[i]), .infinite_o(product_infinite[i]), .nan_o(product_nan[i]),
        .invalid_o(product_invalid[i])
    );

  end

  // ---------------------------------------------------------------------------------------------- c

  logic unpacked_c_negative, unpacked_c_absent, unpacked_c_infinite, unpacked_c_nan;
  logic [2:0] unpacked_c_exponent;
  logic [1:0] unpacked_c_significand;
  logic c_negative, c_absent, c_infinite, c_nan;
  logic [2:0] c_exponent;
  logic [1:0] c_significand;

  assign c_negative = unpacked_c_negative;
  assign c_exponent = unpacked_c_exponent;
  assign c_significand = unpacked_c_significand;
  assign c_absent = unpacked_c_absent;
  assign c_infinite = unpacked_c_infinite;
  assign c_nan = unpacked_c_nan;

  tensorsmith_operand #(
      .SignBits(1), .ExponentBits(2), .FractionBits(1), .PaddingBits(0), .Bias(1), .NonFinite(1), .Widened(0),
      .ExponentMin(0), .Flush(0), .SubnormalBits(1), .ExponentWidth(3)
  ) u_c (
      .operand_i(c_i), .negative_o(unpacked_c_negative), .exponent_o(unpacked_c_exponent),
      .significand_o(unpacked_c_significand), .absent_o(unpacked_c_absent), .infinite_o(unpacked_c_infinite),
      .nan_o(unpacked_c_nan)
  );

  // ---------------------------------------------------------------------------------------------- scales

  logic [Scales-1:0] scale_negative, scale_absent, scale_infinite, scale_nan;
  logic [Scales*3-1:0] scale_exponent;
  logic [Scales*2-1:0] scale_significand;
  logic unused_scales;

  assign unused_scales = ^{scale_negative, scale_exponent, scale_significand, scale_absent, scale_infinite, scale_nan};

  // Of each block, the product of both.
  for (genvar i = 0; i < Scales; i++) begin : gen_scale
    logic a_negative, a_absent, a_infinite, a_nan;
    logic [2:0] a_exponent;
    logic [0:0] a_significand;
    logic b_negative, b_absent, b_infinite, b_nan;
    logic [0:0] b_exponent;
    logic [1:0] b_significand;
    logic unused_absent;
    logic unused_invalid;  // no scale is infinite

    assign unused_absent = a_absent ^ b_absent;

    tensorsmith_operand #(
        .SignBits(0), .ExponentBits(2), .FractionBits(0), .PaddingBits(0), .Bias(1), .NonFinite(2), .Widened(0),
        .ExponentMin(-1), .Flush(0), .SubnormalBits(0), .ExponentWidth(3)
    ) u_a (
        .operand_i(scale_a_i[i*ScaleAWidth +: ScaleAWidth]), .negative_o(a_negative), .exponent_o(a_exponent),
        .significand_o(a_significand), .absent_o(a_absent), .infinite_o(a_infinite), .nan_o(a_nan)
    );

    tensorsmith_operand #(
        .SignBits(0), .ExponentBits(1), .FractionBits(1), .PaddingBits(0), .Bias(1), .NonFinite(2), .Widened(0),
        .ExponentMin(0), .Flush(0), .SubnormalBits(1), .ExponentWidth(1)
    ) u_b (
        .operand_i(scale_b_i[i*ScaleBWidth +: ScaleBWidth]), .negative_o(b_negative), .exponent_o(b_exponent),
        .significand_o(b_significand), .absent_o(b_absent), .infinite_o(b_infinite), .nan_o(b_nan)
    );

    tensorsmith_number_product #(
        .ExponentXWidth(3), .ExponentYWidth(1), .SignificandXWidth(1), .SignificandYWidth(2), .ExponentWidth(3),
        .SignificandWidth(2)
    ) u_product (
        .x_negative_i(a_negative), .x_exponent_i(a_exponent), .x_significand_i(a_significand),
        .x_infinite_i(a_infinite), .x_nan_i(a_nan), .y_negative_i(b_negative), .y_exponent_i(b_exponent),
        .y_significand_i(b_significand), .y_infinite_i(b_infinite), .y_nan_i(b_nan), .negative_o(scale_negative[i]),
        .exponent_o(scale_exponent[i*3 +: 3]), .significand_o(scale_significand[i*2 +: 2]), .absent_o(scale_absent[i]),
        .infinite_o(scale_infinite[i]), .nan_o(scale_nan[i]), .invalid_o(unused_invalid)
    );

  end

  // ---------------------------------------------------------------------------------------------- steps

  logic [2-1:0] link_invalid, link_overflow;

  // step 1: a sum of 2 numbers
  for (genvar i = 0; i < 1; i++) begin : gen_link_0
    logic sum_negative, sum_absent, sum_infinite, sum_nan;
    logic [0:0] sum_exponent;
    logic [8:0] sum_significand;
    logic number_negative, number_absent, number_infinite, number_nan;
    logic [2:0] number_exponent;
    logic [9:0] number_significand;
    logic sum_invalid;
    logic unused_absent;

    tensorsmith_sum #(
        .Count(2), .ExponentWidth(4), .SignificandWidth(4), .HasAddend(0), .AddendExponentWidth(1),
        .AddendSignificandWidth(1), .Kind(1), .AnchorWidth(4), .Low(0), .ZerosAbsent(0), .HasFloor(0), .Floor(0),
        .PlaceLeft(0), .AddendPlaceLeft(0), .ExponentMin(0), .AddendExponentMin(0), .GuardBits(0), .AddendCutBits(0),
        .AddendReach(-1), .Rounding(0), .AlignedWidth(9), .SumWidth(10), .ZeroSign(0), .Target(0), .Place(2),
        .Offset(0), .From(0), .ResultExponentMin(0), .ResultExponentWidth(1), .ResultSignificandWidth(9)
    ) u_sum (
        .clk_i(1'b0), .ce_i(1'b0), .negative_i(product_negative[0 +: 2]), .exponent_i(product_exponent[0*4 +: 2*4]),
        .significand_i(product_significand[0*4 +: 2*4]), .absent_i(product_absent[0 +: 2]),
        .infinite_i(product_infinite[0 +: 2]), .nan_i(product_nan[0 +: 2]), .addend_negative_i(1'b0),
        .addend_exponent_i(1'b0), .addend_significand_i(1'b0), .addend_absent_i(1'b0), .addend_infinite_i(1'b0),
        .addend_nan_i(1'b0), .negative_o(sum_negative), .exponent_o(sum_exponent), .significand_o(sum_significand),
        .absent_o(sum_absent), .infinite_o(sum_infinite), .nan_o(sum_nan), .invalid_o(sum_invalid)
    );

    if (1) begin : gen_scaled
      logic scaled_negative, scaled_absent, scaled_infinite, scaled_nan;
      logic [2:0] scaled_exponent;
      logic [9:0] scaled_significand;
      logic scaled_invalid;

      tensorsmith_number_product #(
          .ExponentXWidth(1), .ExponentYWidth(3), .SignificandXWidth(9), .SignificandYWidth(2), .ExponentWidth(3),
          .SignificandWidth(10)
      ) u_product (
          .x_negative_i(sum_negative), .x_exponent_i(sum_exponent), .x_significand_i(sum_significand),
          .x_infinite_i(sum_infinite), .x_nan_i(sum_nan), .y_negative_i(scale_negative[0]),
          .y_exponent_i(scale_exponent[0*3 +: 3]), .y_significand_i(scale_significand[0*2 +: 2]),
          .y_infinite_i(scale_infinite[0]), .y_nan_i(scale_nan[0]), .negative_o(scaled_negative),
          .exponent_o(scaled_exponent), .significand_o(scaled_significand), .absent_o(scaled_absent),
          .infinite_o(scaled_infinite), .nan_o(scaled_nan), .invalid_o(scaled_invalid)
      );
    end

    assign number_negative = gen_scaled.scaled_negative;
    assign number_exponent = gen_scaled.scaled_exponent;
    assign number_significand = gen_scaled.scaled_significand;
    assign number_absent = gen_scaled.scaled_absent;
    assign number_infinite = gen_scaled.scaled_infinite;
    assign number_nan = gen_scaled.scaled_nan;

    assign unused_absent = ^{sum_absent, number_absent, gen_scaled.scaled_absent};
    assign link_invalid[i + 0]  = sum_invalid || gen_scaled.scaled_invalid;
    assign link_overflow[i + 0] = 1'b0;
  end

  // step 2: a sum of 2 numbers, rounded
  for (genvar i = 0; i < 1; i++) begin : gen_link_1
    logic sum_negative, sum_absent, sum_infinite, sum_nan;
    logic [2:0] sum_exponent;
    logic [8:0] sum_significand;
    logic number_negative, number_absent, number_infinite, number_nan;
    logic [3:0] number_exponent;
    logic [1:0] number_significand;
    logic sum_invalid;
    logic unused_absent;

    tensorsmith_sum #(
        .Count(1), .ExponentWidth(3), .SignificandWidth(10), .HasAddend(1), .AddendExponentWidth(3),
        .AddendSignificandWidth(2), .Kind(0), .AnchorWidth(3), .Low(-1), .ZerosAbsent(0), .HasFloor(1), .Floor(0),
        .PlaceLeft(0), .AddendPlaceLeft(2), .ExponentMin(-1), .AddendExponentMin(0), .GuardBits(1), .AddendCutBits(0),
        .AddendReach(-1), .Rounding(0), .AlignedWidth(10), .SumWidth(10), .ZeroSign(0), .Target(0), .Place(0),
        .Offset(0), .From(0), .ResultExponentMin(0), .ResultExponentWidth(3), .ResultSignificandWidth(9)
    ) u_sum (
        .clk_i(1'b0), .ce_i(1'b0), .negative_i(gen_link_0[0].number_negative),
        .exponent_i(gen_link_0[0].number_exponent), .significand_i(gen_link_0[0].number_significand),
        .absent_i(gen_link_0[0].number_absent), .infinite_i(gen_link_0[0].number_infinite),
        .nan_i(gen_link_0[0].number_nan), .addend_negative_i(c_negative), .addend_exponent_i(c_exponent),
        .addend_significand_i(c_significand), .addend_absent_i(c_absent), .addend_infinite_i(c_infinite),
        .addend_nan_i(c_nan), .negative_o(sum_negative), .exponent_o(sum_exponent), .significand_o(sum_significand),
        .absent_o(sum_absent), .infinite_o(sum_infinite), .nan_o(sum_nan), .invalid_o(sum_invalid)
    );

    if (1) begin : gen_round_0
      logic rounded_negative, rounded_absent, rounded_infinite, rounded_nan;
      logic [3:0] rounded_exponent;
      logic [1:0] rounded_significand;
      logic rounded_overflow;

      tensorsmith_number_round #(
          .InputExponentWidth(3), .SignificandWidth(9), .PadBits(0), .NormalisedWidth(9), .TopOffset(6), .Shifts(1),
          .WorkWidth(5), .ExponentMin(0), .HasExponentMin(1), .Precision(2), .Rounding(1), .Limit(2), .LargestExponent(5),
          .LargestSignificand(2'h3), .OverflowInfinityPositive(1), .OverflowInfinityNegative(1), .HasInfinity(1),
          .HasNegativeZero(1), .FlushResult(0), .RoundedZero(0), .ResultExponentMin(0), .ExponentWidth(4)
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
      .ExponentWidth(4), .ExponentBits(3), .FractionBits(1), .PaddingBits(0), .ExponentMin(0), .HasInfinity(1),
      .InfinityMagnitude(4'he), .NanWord(5'hf)
  ) u_pack (
      .negative_i(gen_link_1[0].number_negative), .exponent_i(gen_link_1[0].number_exponent),
      .significand_i(gen_link_1[0].number_significand), .infinite_i(gen_link_1[0].number_infinite),
      .nan_i(gen_link_1[0].number_nan), .d_o(packed_word)
  );

  assign d_o = packed_word;

  logic unused_flags;

  assign unused_flags = ^{product_signalling, product_invalid, link_invalid, link_overflow};

endmodule
