// Unit tiny-even-odd. Small enough for all 2^24 inputs: an even and an odd product, each the first of its chain, their sum, then c.
//
//     d = what the last step leaves
//
//     products      2
//     formats       a e2m1, b e2m1, c e3m4, d e3m4
//     step 1        lanes = 2, order = "chain", start = "zero", exponent = "leading", round = "d"
//     step 2        round = "d"
//     step 3        c = "last", round = "d"
//     conversion    "d" is to nearest, ties to even, overflow to what IEEE 754 says
//     subnormals    operands kept, addend flushed, result flushed
//     NaN and zero  every NaN is 0x78, zero sums as the steps say
//     latency       0 cycles; the module named _registered: 2
//
// The sums:
//
//     links 0 to 1  one number, with 2 fraction bits
//     link 2  12 bits with a sign, the last one weighs 2^-4
//     link 3  13 bits with a sign, the last one weighs 2^-4
//
// Where the constants come from:
//
//     formats: [chosen] products may be subnormal, and may overflow
//     scheme: [chosen] one product a chain, so that all inputs can be enumerated
//
// Emitted; regenerate with: tensorsmith emit tiny-even-odd --out DIR

module tiny_even_odd #(
    // Of the ports; they cannot be overridden.
    localparam int Products      = 2,  // L: products
    localparam int OperandAWidth = 4,  // encoded a, e2m1
    localparam int OperandBWidth = 4,  // encoded b, e2m1
    localparam int AddendWidth   = 8,  // encoded c, e3m4
    localparam int ResultWidth   = 8   // encoded d, e3m4
) (
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,  // c
    output logic [ResultWidth-1:0]            d_o   // d
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
  logic [3:0] unpacked_c_exponent;
  logic [4:0] unpacked_c_significand;
  logic c_negative, c_absent, c_infinite, c_nan;
  logic [3:0] c_exponent;
  logic [4:0] c_significand;

  assign c_exponent = unpacked_c_exponent;
  assign c_infinite = unpacked_c_infinite;
  assign c_nan = unpacked_c_nan;
  tensorsmith_flush #(
      .SignificandWidth(5), .SubnormalBits(4), .Flush(1)
  ) u_flush (
      .negative_i(unpacked_c_negative), .significand_i(unpacked_c_significand), .absent_i(unpacked_c_absent),
      .special_i(unpacked_c_infinite || unpacked_c_nan), .negative_o(c_negative), .significand_o(c_significand),
      .absent_o(c_absent)
  );

  tensorsmith_operand #(
      .SignBits(1), .ExponentBits(3), .FractionBits(4), .PaddingBits(0), .Bias(1), .NonFinite(1), .Widened(0),
      .ExponentMin(0), .Flush(0), .SubnormalBits(4), .ExponentWidth(4)
  ) u_c (
      .operand_i(c_i), .negative_o(unpacked_c_negative), .exponent_o(unpacked_c_exponent),
      .significand_o(unpacked_c_significand), .absent_o(unpacked_c_absent), .infinite_o(unpacked_c_infinite),
      .nan_o(unpacked_c_nan)
  );

  // ---------------------------------------------------------------------------------------------- steps

  logic [4-1:0] link_invalid, link_overflow;

  // step 1: 2 sums of one number, rounded
  for (genvar i = 0; i < 2; i++) begin : gen_link_0
    logic sum_negative, sum_absent, sum_infinite, sum_nan;
    logic [3:0] sum_exponent;
    logic [3:0] sum_significand;
    logic number_negative, number_absent, number_infinite, number_nan;
    logic [3:0] number_exponent;
    logic [4:0] number_significand;
    logic sum_invalid;
    logic unused_absent;

    tensorsmith_sum #(
        .Count(1), .ExponentWidth(4), .SignificandWidth(4), .HasAddend(0), .AddendExponentWidth(1),
        .AddendSignificandWidth(1), .Kind(2), .AnchorWidth(4), .Low(0), .ZerosAbsent(0), .HasFloor(0), .Floor(0),
        .PlaceLeft(0), .AddendPlaceLeft(0), .ExponentMin(0), .AddendExponentMin(0), .GuardBits(0), .AddendCutBits(0),
        .AddendReach(-1), .Rounding(0), .AlignedWidth(5), .SumWidth(5), .ZeroSign(0), .Target(0), .Place(0), .Offset(0),
        .From(0), .ResultExponentMin(0), .ResultExponentWidth(4), .ResultSignificandWidth(4)
    ) u_sum (
        .negative_i(product_negative[i]), .exponent_i(product_exponent[i*4 +: 4]),
        .significand_i(product_significand[i*4 +: 4]), .absent_i(product_absent[i]), .infinite_i(product_infinite[i]),
        .nan_i(product_nan[i]), .addend_negative_i(1'b0), .addend_exponent_i(1'b0), .addend_significand_i(1'b0),
        .addend_absent_i(1'b0), .addend_infinite_i(1'b0), .addend_nan_i(1'b0), .negative_o(sum_negative),
        .exponent_o(sum_exponent), .significand_o(sum_significand), .absent_o(sum_absent), .infinite_o(sum_infinite),
        .nan_o(sum_nan), .invalid_o(sum_invalid)
    );

    if (1) begin : gen_round_0
      logic rounded_negative, rounded_absent, rounded_infinite, rounded_nan;
      logic [3:0] rounded_exponent;
      logic [4:0] rounded_significand;
      logic rounded_overflow;

      tensorsmith_number_round #(
          .InputExponentWidth(4), .SignificandWidth(4), .PadBits(4), .NormalisedWidth(8), .TopOffset(1), .WorkWidth(4),
          .ExponentMin(0), .HasExponentMin(1), .Precision(5), .Rounding(1), .Limit(2), .LargestExponent(5),
          .LargestSignificand(5'h1f), .OverflowInfinityPositive(1), .OverflowInfinityNegative(1), .HasInfinity(1),
          .HasNegativeZero(1), .FlushResult(1), .RoundedZero(0), .ResultExponentMin(0), .ExponentWidth(4)
      ) u_round (
          .negative_i(sum_negative), .exponent_i(sum_exponent), .significand_i(sum_significand),
          .infinite_i(sum_infinite), .nan_i(sum_nan), .negative_o(rounded_negative), .exponent_o(rounded_exponent),
          .significand_o(rounded_significand), .absent_o(rounded_absent), .infinite_o(rounded_infinite),
          .nan_o(rounded_nan), .overflow_o(rounded_overflow)
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

  // step 2: a sum of 2 numbers, rounded
  for (genvar i = 0; i < 1; i++) begin : gen_link_2
    logic sum_negative, sum_absent, sum_infinite, sum_nan;
    logic [0:0] sum_exponent;
    logic [10:0] sum_significand;
    logic number_negative, number_absent, number_infinite, number_nan;
    logic [3:0] number_exponent;
    logic [4:0] number_significand;
    logic sum_invalid;
    logic unused_absent;

    tensorsmith_sum #(
        .Count(2), .ExponentWidth(4), .SignificandWidth(5), .HasAddend(0), .AddendExponentWidth(1),
        .AddendSignificandWidth(1), .Kind(1), .AnchorWidth(4), .Low(0), .ZerosAbsent(0), .HasFloor(0), .Floor(0),
        .PlaceLeft(0), .AddendPlaceLeft(0), .ExponentMin(0), .AddendExponentMin(0), .GuardBits(0), .AddendCutBits(0),
        .AddendReach(-1), .Rounding(0), .AlignedWidth(11), .SumWidth(12), .ZeroSign(2), .Target(0), .Place(2),
        .Offset(0), .From(0), .ResultExponentMin(0), .ResultExponentWidth(1), .ResultSignificandWidth(11)
    ) u_sum (
        .negative_i({gen_link_0[1].number_negative, gen_link_0[0].number_negative}),
        .exponent_i({gen_link_0[1].number_exponent, gen_link_0[0].number_exponent}),
        .significand_i({gen_link_0[1].number_significand, gen_link_0[0].number_significand}),
        .absent_i({gen_link_0[1].number_absent, gen_link_0[0].number_absent}),
        .infinite_i({gen_link_0[1].number_infinite, gen_link_0[0].number_infinite}),
        .nan_i({gen_link_0[1].number_nan, gen_link_0[0].number_nan}), .addend_negative_i(1'b0),
        .addend_exponent_i(1'b0), .addend_significand_i(1'b0), .addend_absent_i(1'b0), .addend_infinite_i(1'b0),
        .addend_nan_i(1'b0), .negative_o(sum_negative), .exponent_o(sum_exponent), .significand_o(sum_significand),
        .absent_o(sum_absent), .infinite_o(sum_infinite), .nan_o(sum_nan), .invalid_o(sum_invalid)
    );

    if (1) begin : gen_round_0
      logic rounded_negative, rounded_absent, rounded_infinite, rounded_nan;
      logic [3:0] rounded_exponent;
      logic [4:0] rounded_significand;
      logic rounded_overflow;

      tensorsmith_number_round #(
          .InputExponentWidth(1), .SignificandWidth(11), .PadBits(0), .NormalisedWidth(11), .TopOffset(6), .WorkWidth(4),
          .ExponentMin(0), .HasExponentMin(1), .Precision(5), .Rounding(1), .Limit(2), .LargestExponent(5),
          .LargestSignificand(5'h1f), .OverflowInfinityPositive(1), .OverflowInfinityNegative(1), .HasInfinity(1),
          .HasNegativeZero(1), .FlushResult(1), .RoundedZero(0), .ResultExponentMin(0), .ExponentWidth(4)
      ) u_round (
          .negative_i(sum_negative), .exponent_i(sum_exponent), .significand_i(sum_significand),
          .infinite_i(sum_infinite), .nan_i(sum_nan), .negative_o(rounded_negative), .exponent_o(rounded_exponent),
          .significand_o(rounded_significand), .absent_o(rounded_absent), .infinite_o(rounded_infinite),
          .nan_o(rounded_nan), .overflow_o(rounded_overflow)
      );
    end

    assign number_negative = gen_round_0.rounded_negative;
    assign number_exponent = gen_round_0.rounded_exponent;
    assign number_significand = gen_round_0.rounded_significand;
    assign number_absent = gen_round_0.rounded_absent;
    assign number_infinite = gen_round_0.rounded_infinite;
    assign number_nan = gen_round_0.rounded_nan;

    assign unused_absent = ^{sum_absent, number_absent, gen_round_0.rounded_absent};
    assign link_invalid[i + 2]  = sum_invalid;
    assign link_overflow[i + 2] = gen_round_0.rounded_overflow;
  end

  // step 3: a sum of 2 numbers, rounded
  for (genvar i = 0; i < 1; i++) begin : gen_link_3
    logic sum_negative, sum_absent, sum_infinite, sum_nan;
    logic [0:0] sum_exponent;
    logic [11:0] sum_significand;
    logic number_negative, number_absent, number_infinite, number_nan;
    logic [3:0] number_exponent;
    logic [4:0] number_significand;
    logic sum_invalid;
    logic unused_absent;

    tensorsmith_sum #(
        .Count(1), .ExponentWidth(4), .SignificandWidth(5), .HasAddend(1), .AddendExponentWidth(4),
        .AddendSignificandWidth(5), .Kind(1), .AnchorWidth(4), .Low(0), .ZerosAbsent(0), .HasFloor(0), .Floor(0),
        .PlaceLeft(0), .AddendPlaceLeft(0), .ExponentMin(0), .AddendExponentMin(0), .GuardBits(0), .AddendCutBits(0),
        .AddendReach(-1), .Rounding(0), .AlignedWidth(12), .SumWidth(13), .ZeroSign(2), .Target(0), .Place(2),
        .Offset(0), .From(0), .ResultExponentMin(0), .ResultExponentWidth(1), .ResultSignificandWidth(12)
    ) u_sum (
        .negative_i(gen_link_2[0].number_negative), .exponent_i(gen_link_2[0].number_exponent),
        .significand_i(gen_link_2[0].number_significand), .absent_i(gen_link_2[0].number_absent),
        .infinite_i(gen_link_2[0].number_infinite), .nan_i(gen_link_2[0].number_nan), .addend_negative_i(c_negative),
        .addend_exponent_i(c_exponent), .addend_significand_i(c_significand), .addend_absent_i(c_absent),
        .addend_infinite_i(c_infinite), .addend_nan_i(c_nan), .negative_o(sum_negative), .exponent_o(sum_exponent),
        .significand_o(sum_significand), .absent_o(sum_absent), .infinite_o(sum_infinite), .nan_o(sum_nan),
        .invalid_o(sum_invalid)
    );

    if (1) begin : gen_round_0
      logic rounded_negative, rounded_absent, rounded_infinite, rounded_nan;
      logic [3:0] rounded_exponent;
      logic [4:0] rounded_significand;
      logic rounded_overflow;

      tensorsmith_number_round #(
          .InputExponentWidth(1), .SignificandWidth(12), .PadBits(0), .NormalisedWidth(12), .TopOffset(7), .WorkWidth(5),
          .ExponentMin(0), .HasExponentMin(1), .Precision(5), .Rounding(1), .Limit(2), .LargestExponent(5),
          .LargestSignificand(5'h1f), .OverflowInfinityPositive(1), .OverflowInfinityNegative(1), .HasInfinity(1),
          .HasNegativeZero(1), .FlushResult(1), .RoundedZero(0), .ResultExponentMin(0), .ExponentWidth(4)
      ) u_round (
          .negative_i(sum_negative), .exponent_i(sum_exponent), .significand_i(sum_significand),
          .infinite_i(sum_infinite), .nan_i(sum_nan), .negative_o(rounded_negative), .exponent_o(rounded_exponent),
          .significand_o(rounded_significand), .absent_o(rounded_absent), .infinite_o(rounded_infinite),
          .nan_o(rounded_nan), .overflow_o(rounded_overflow)
      );
    end

    assign number_negative = gen_round_0.rounded_negative;
    assign number_exponent = gen_round_0.rounded_exponent;
    assign number_significand = gen_round_0.rounded_significand;
    assign number_absent = gen_round_0.rounded_absent;
    assign number_infinite = gen_round_0.rounded_infinite;
    assign number_nan = gen_round_0.rounded_nan;

    assign unused_absent = ^{sum_absent, number_absent, gen_round_0.rounded_absent};
    assign link_invalid[i + 3]  = sum_invalid;
    assign link_overflow[i + 3] = gen_round_0.rounded_overflow;
  end

  // ---------------------------------------------------------------------------------------------- result

  logic [ResultWidth-1:0] packed_word;

  tensorsmith_number_pack #(
      .ExponentWidth(4), .ExponentBits(3), .FractionBits(4), .PaddingBits(0), .ExponentMin(0), .HasInfinity(1),
      .InfinityMagnitude(7'h70), .NanWord(8'h78)
  ) u_pack (
      .negative_i(gen_link_3[0].number_negative), .exponent_i(gen_link_3[0].number_exponent),
      .significand_i(gen_link_3[0].number_significand), .infinite_i(gen_link_3[0].number_infinite),
      .nan_i(gen_link_3[0].number_nan), .d_o(packed_word)
  );

  assign d_o = packed_word;

  logic unused_flags;

  assign unused_flags = ^{product_signalling, product_invalid, link_invalid, link_overflow};


endmodule
