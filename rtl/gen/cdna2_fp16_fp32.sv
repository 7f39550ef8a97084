// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit cdna2-fp16-fp32. AMD CDNA2 matrix cores, fp16 operands: 4 rounded products, a tree of rounded sums, then c.
//
//     d = what the last step leaves
//
//     products      4
//     formats       a binary16, b binary16, c binary32, d binary32
//     step 1        group = 1, round = "d"
//     step 2        order = "tree", round = "d"
//     step 3        c = "last", round = "d"
//     conversion    "d" is to nearest, ties to even, overflow to what IEEE 754 says
//     subnormals    operands flushed to +0, addend flushed to +0, result flushed
//     NaN and zero  every NaN is 0x7fc00000, zero sums as the steps say
//     latency       0 cycles; the module named _registered: 2
//
// The sums:
//
//     links 0 to 3  one number, with 20 fraction bits
//     links 4 to 5  52 bits with a sign, the last one weighs 2^(anchor - 49)
//     link 6  52 bits with a sign, the last one weighs 2^(anchor - 49)
//     link 7  52 bits with a sign, the last one weighs 2^(anchor - 49)
//
// Where the constants come from:
//
//     conversion.exact_zero: [chosen] the signs of IEEE 754-2019, 6.3; no source names them
//     conversion.nan: [chosen] the canonical quiet NaN; no source names the encoding
//     conversion.rounding: [stated] Xie et al., arXiv 2511.10909: to nearest, ties to even, after every operation
//     products: [stated] Xie et al., arXiv 2511.10909: blocks of 4
//     scheme: [stated] Xie et al., arXiv 2511.10909: products rounded to fp32, (p0 + p1) + (p2 + p3), then c, each
//       rounded to nearest
//     subnormals: [conflict] Xie et al., arXiv 2511.10909: subnormal inputs become +0 whatever their sign, subnormal
//       results become zero of their sign after every operation; an input -0 keeps its sign, as the paper does not
//       name it, but the public model MMA-Sim 2.1.1 turns it into +0 too; that a sum which rounds up to the least
//       normal number stays is chosen
//
// Emitted; regenerate with: tensorsmith emit cdna2-fp16-fp32 --out DIR

module cdna2_fp16_fp32 #(
    // Of the ports; they cannot be overridden.
    localparam int Products      =  4,  // L: products
    localparam int OperandAWidth = 16,  // encoded a, binary16
    localparam int OperandBWidth = 16,  // encoded b, binary16
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
  logic [Products*7-1:0] product_exponent;
  logic [Products*22-1:0] product_significand;
  logic [Products-1:0] product_invalid;
  logic [Products-1:0] product_signalling;

  for (genvar i = 0; i < Products; i++) begin : gen_product
    logic a_negative, a_absent, a_infinite, a_nan;
    logic [5:0] a_exponent;
    logic [10:0] a_significand;
    logic b_negative, b_absent, b_infinite, b_nan;
    logic [5:0] b_exponent;
    logic [10:0] b_significand;
    logic unused_absent;

    assign unused_absent         = a_absent ^ b_absent;
    assign product_signalling[i] = (a_nan && !a_significand[9]) || (b_nan && !b_significand[9]);

    tensorsmith_operand #(
        .SignBits(1), .ExponentBits(5), .FractionBits(10), .PaddingBits(0), .Bias(15), .NonFinite(1), .Widened(0),
        .ExponentMin(-14), .Flush(2), .SubnormalBits(10), .ExponentWidth(6)
    ) u_a (
        .operand_i(a_i[i*OperandAWidth +: OperandAWidth]), .negative_o(a_negative), .exponent_o(a_exponent),
        .significand_o(a_significand), .absent_o(a_absent), .infinite_o(a_infinite), .nan_o(a_nan)
    );

    tensorsmith_operand #(
        .SignBits(1), .ExponentBits(5), .FractionBits(10), .PaddingBits(0), .Bias(15), .NonFinite(1), .Widened(0),
        .ExponentMin(-14), .Flush(2), .SubnormalBits(10), .ExponentWidth(6)
    ) u_b (
        .operand_i(b_i[i*OperandBWidth +: OperandBWidth]), .negative_o(b_negative), .exponent_o(b_exponent),
        .significand_o(b_significand), .absent_o(b_absent), .infinite_o(b_infinite), .nan_o(b_nan)
    );

    tensorsmith_number_product #(
        .ExponentXWidth(6), .ExponentYWidth(6), .SignificandXWidth(11), .SignificandYWidth(11), .ExponentWidth(7),
        .SignificandWidth(22)
    ) u_product (
        .x_negative_i(a_negative), .x_exponent_i(a_exponent), .x_significand_i(a_significand),
        .x_infinite_i(a_infinite), .x_nan_i(a_nan), .y_negative_i(b_negative), .y_exponent_i(b_exponent),
        .y_significand_i(b_significand), .y_infinite_i(b_infinite), .y_nan_i(b_nan), .negative_o(product_negative[i]),
        .exponent_o(product_exponent[i*7 +: 7]), .significand_o(product_significand[i*22 +: 22]),
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
      .SignificandWidth(24), .SubnormalBits(23), .Flush(2)
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

  logic [8-1:0] link_invalid, link_overflow;

  // step 1: 4 sums of one number, rounded
  logic [4-1:0] link_0_negative, link_0_absent, link_0_infinite, link_0_nan;
  logic [4*8-1:0] link_0_exponent;
  logic [4*24-1:0] link_0_significand;
  for (genvar i = 0; i < 4; i++) begin : gen_link_0
    logic sum_negative, sum_absent, sum_infinite, sum_nan;
    logic [6:0] sum_exponent;
    logic [21:0] sum_significand;
    logic sum_invalid;
    logic unused_absent;

    tensorsmith_sum #(
        .Count(1), .ExponentWidth(7), .SignificandWidth(22), .HasAddend(0), .AddendExponentWidth(1),
        .AddendSignificandWidth(1), .Kind(2), .AnchorWidth(7), .Low(-28), .ZerosAbsent(0), .HasFloor(0), .Floor(0),
        .PlaceLeft(0), .AddendPlaceLeft(0), .ExponentMin(-28), .AddendExponentMin(0), .GuardBits(0), .AddendCutBits(0),
        .AddendReach(-1), .Rounding(0), .AlignedWidth(23), .SumWidth(23), .ZeroSign(2), .Target(0), .Place(0),
        .Offset(0), .From(0), .ResultExponentMin(-28), .ResultExponentWidth(7), .ResultSignificandWidth(22)
    ) u_sum (
        .clk_i(1'b0), .ce_i(1'b0), .negative_i(product_negative[i]), .exponent_i(product_exponent[i*7 +: 7]),
        .significand_i(product_significand[i*22 +: 22]), .absent_i(product_absent[i]), .infinite_i(product_infinite[i]),
        .nan_i(product_nan[i]), .addend_negative_i(1'b0), .addend_exponent_i(1'b0), .addend_significand_i(1'b0),
        .addend_absent_i(1'b0), .addend_infinite_i(1'b0), .addend_nan_i(1'b0), .negative_o(sum_negative),
        .exponent_o(sum_exponent), .significand_o(sum_significand), .absent_o(sum_absent), .infinite_o(sum_infinite),
        .nan_o(sum_nan), .invalid_o(sum_invalid)
    );

    if (1) begin : gen_round_0
      logic rounded_negative, rounded_absent, rounded_infinite, rounded_nan;
      logic [7:0] rounded_exponent;
      logic [23:0] rounded_significand;
      logic rounded_overflow;

      tensorsmith_number_round #(
          .InputExponentWidth(7), .SignificandWidth(22), .PadBits(5), .NormalisedWidth(27), .TopOffset(1), .Shifts(1),
          .WorkWidth(8), .ExponentMin(-126), .HasExponentMin(1), .Precision(24), .Rounding(1), .Limit(2),
          .LargestExponent(127), .LargestSignificand(24'hffffff), .OverflowInfinityPositive(1),
          .OverflowInfinityNegative(1), .HasInfinity(1), .HasNegativeZero(1), .FlushResult(1), .RoundedZero(0),
          .ResultExponentMin(-126), .ExponentWidth(8)
      ) u_round (
          .clk_i(1'b0), .ce_i(1'b0), .negative_i(sum_negative), .exponent_i(sum_exponent),
          .significand_i(sum_significand), .infinite_i(sum_infinite), .nan_i(sum_nan), .negative_o(rounded_negative),
          .exponent_o(rounded_exponent), .significand_o(rounded_significand), .absent_o(rounded_absent),
          .infinite_o(rounded_infinite), .nan_o(rounded_nan), .overflow_o(rounded_overflow)
      );
    end

    assign link_0_negative[i] = gen_round_0.rounded_negative;
    assign link_0_exponent[i*8 +: 8] = gen_round_0.rounded_exponent;
    assign link_0_significand[i*24 +: 24] = gen_round_0.rounded_significand;
    assign link_0_absent[i] = gen_round_0.rounded_absent;
    assign link_0_infinite[i] = gen_round_0.rounded_infinite;
    assign link_0_nan[i] = gen_round_0.rounded_nan;

    assign unused_absent = ^{sum_absent, link_0_absent[i], gen_round_0.rounded_absent};
    assign link_invalid[i + 0]  = sum_invalid;
    assign link_overflow[i + 0] = gen_round_0.rounded_overflow;
  end

  // step 2: 2 sums of 2 numbers, rounded
  logic [2-1:0] link_4_negative, link_4_absent, link_4_infinite, link_4_nan;
  logic [2*8-1:0] link_4_exponent;
  logic [2*24-1:0] link_4_significand;
  for (genvar i = 0; i < 2; i++) begin : gen_link_4
    logic sum_negative, sum_absent, sum_infinite, sum_nan;
    logic [7:0] sum_exponent;
    logic [50:0] sum_significand;
    logic sum_invalid;
    logic unused_absent;

    tensorsmith_sum #(
        .Count(2), .ExponentWidth(8), .SignificandWidth(24), .HasAddend(0), .AddendExponentWidth(1),
        .AddendSignificandWidth(1), .Kind(0), .AnchorWidth(8), .Low(-126), .ZerosAbsent(0), .HasFloor(1), .Floor(-126),
        .PlaceLeft(26), .AddendPlaceLeft(0), .ExponentMin(-126), .AddendExponentMin(0), .GuardBits(0),
        .AddendCutBits(0), .AddendReach(-1), .Rounding(5), .AlignedWidth(51), .SumWidth(52), .ZeroSign(2), .Target(0),
        .Place(0), .Offset(0), .From(0), .ResultExponentMin(-126), .ResultExponentWidth(8), .ResultSignificandWidth(51)
    ) u_sum (
        .clk_i(1'b0), .ce_i(1'b0), .negative_i(link_0_negative[2*i +: 2]), .exponent_i(link_0_exponent[2*i*8 +: 2*8]),
        .significand_i(link_0_significand[2*i*24 +: 2*24]), .absent_i(link_0_absent[2*i +: 2]),
        .infinite_i(link_0_infinite[2*i +: 2]), .nan_i(link_0_nan[2*i +: 2]), .addend_negative_i(1'b0),
        .addend_exponent_i(1'b0), .addend_significand_i(1'b0), .addend_absent_i(1'b0), .addend_infinite_i(1'b0),
        .addend_nan_i(1'b0), .negative_o(sum_negative), .exponent_o(sum_exponent), .significand_o(sum_significand),
        .absent_o(sum_absent), .infinite_o(sum_infinite), .nan_o(sum_nan), .invalid_o(sum_invalid)
    );

    if (1) begin : gen_round_0
      logic rounded_negative, rounded_absent, rounded_infinite, rounded_nan;
      logic [7:0] rounded_exponent;
      logic [23:0] rounded_significand;
      logic rounded_overflow;

      tensorsmith_number_round #(
          .InputExponentWidth(8), .SignificandWidth(51), .PadBits(0), .NormalisedWidth(51), .TopOffset(1), .Shifts(1),
          .WorkWidth(9), .ExponentMin(-126), .HasExponentMin(1), .Precision(24), .Rounding(1), .Limit(2),
          .LargestExponent(127), .LargestSignificand(24'hffffff), .OverflowInfinityPositive(1),
          .OverflowInfinityNegative(1), .HasInfinity(1), .HasNegativeZero(1), .FlushResult(1), .RoundedZero(0),
          .ResultExponentMin(-126), .ExponentWidth(8)
      ) u_round (
          .clk_i(1'b0), .ce_i(1'b0), .negative_i(sum_negative), .exponent_i(sum_exponent),
          .significand_i(sum_significand), .infinite_i(sum_infinite), .nan_i(sum_nan), .negative_o(rounded_negative),
          .exponent_o(rounded_exponent), .significand_o(rounded_significand), .absent_o(rounded_absent),
          .infinite_o(rounded_infinite), .nan_o(rounded_nan), .overflow_o(rounded_overflow)
      );
    end

    assign link_4_negative[i] = gen_round_0.rounded_negative;
    assign link_4_exponent[i*8 +: 8] = gen_round_0.rounded_exponent;
    assign link_4_significand[i*24 +: 24] = gen_round_0.rounded_significand;
    assign link_4_absent[i] = gen_round_0.rounded_absent;
    assign link_4_infinite[i] = gen_round_0.rounded_infinite;
    assign link_4_nan[i] = gen_round_0.rounded_nan;

    assign unused_absent = ^{sum_absent, link_4_absent[i], gen_round_0.rounded_absent};
    assign link_invalid[i + 4]  = sum_invalid;
    assign link_overflow[i + 4] = gen_round_0.rounded_overflow;
  end

  // step 2: a sum of 2 numbers, rounded
  for (genvar i = 0; i < 1; i++) begin : gen_link_6
    logic sum_negative, sum_absent, sum_infinite, sum_nan;
    logic [7:0] sum_exponent;
    logic [50:0] sum_significand;
    logic number_negative, number_absent, number_infinite, number_nan;
    logic [7:0] number_exponent;
    logic [23:0] number_significand;
    logic sum_invalid;
    logic unused_absent;

    tensorsmith_sum #(
        .Count(2), .ExponentWidth(8), .SignificandWidth(24), .HasAddend(0), .AddendExponentWidth(1),
        .AddendSignificandWidth(1), .Kind(0), .AnchorWidth(8), .Low(-126), .ZerosAbsent(0), .HasFloor(1), .Floor(-126),
        .PlaceLeft(26), .AddendPlaceLeft(0), .ExponentMin(-126), .AddendExponentMin(0), .GuardBits(0),
        .AddendCutBits(0), .AddendReach(-1), .Rounding(5), .AlignedWidth(51), .SumWidth(52), .ZeroSign(2), .Target(0),
        .Place(0), .Offset(0), .From(0), .ResultExponentMin(-126), .ResultExponentWidth(8), .ResultSignificandWidth(51)
    ) u_sum (
        .clk_i(1'b0), .ce_i(1'b0), .negative_i(link_4_negative[0 +: 2]), .exponent_i(link_4_exponent[0*8 +: 2*8]),
        .significand_i(link_4_significand[0*24 +: 2*24]), .absent_i(link_4_absent[0 +: 2]),
        .infinite_i(link_4_infinite[0 +: 2]), .nan_i(link_4_nan[0 +: 2]), .addend_negative_i(1'b0),
        .addend_exponent_i(1'b0), .addend_significand_i(1'b0), .addend_absent_i(1'b0), .addend_infinite_i(1'b0),
        .addend_nan_i(1'b0), .negative_o(sum_negative), .exponent_o(sum_exponent), .significand_o(sum_significand),
        .absent_o(sum_absent), .infinite_o(sum_infinite), .nan_o(sum_nan), .invalid_o(sum_invalid)
    );

    if (1) begin : gen_round_0
      logic rounded_negative, rounded_absent, rounded_infinite, rounded_nan;
      logic [7:0] rounded_exponent;
      logic [23:0] rounded_significand;
      logic rounded_overflow;

      tensorsmith_number_round #(
          .InputExponentWidth(8), .SignificandWidth(51), .PadBits(0), .NormalisedWidth(51), .TopOffset(1), .Shifts(1),
          .WorkWidth(9), .ExponentMin(-126), .HasExponentMin(1), .Precision(24), .Rounding(1), .Limit(2),
          .LargestExponent(127), .LargestSignificand(24'hffffff), .OverflowInfinityPositive(1),
          .OverflowInfinityNegative(1), .HasInfinity(1), .HasNegativeZero(1), .FlushResult(1), .RoundedZero(0),
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
    assign link_invalid[i + 6]  = sum_invalid;
    assign link_overflow[i + 6] = gen_round_0.rounded_overflow;
  end

  // step 3: a sum of 2 numbers, rounded
  for (genvar i = 0; i < 1; i++) begin : gen_link_7
    logic sum_negative, sum_absent, sum_infinite, sum_nan;
    logic [8:0] sum_exponent;
    logic [50:0] sum_significand;
    logic number_negative, number_absent, number_infinite, number_nan;
    logic [7:0] number_exponent;
    logic [23:0] number_significand;
    logic sum_invalid;
    logic unused_absent;

    tensorsmith_sum #(
        .Count(1), .ExponentWidth(8), .SignificandWidth(24), .HasAddend(1), .AddendExponentWidth(9),
        .AddendSignificandWidth(24), .Kind(0), .AnchorWidth(9), .Low(-126), .ZerosAbsent(0), .HasFloor(1), .Floor(-126),
        .PlaceLeft(26), .AddendPlaceLeft(26), .ExponentMin(-126), .AddendExponentMin(-126), .GuardBits(0),
        .AddendCutBits(0), .AddendReach(-1), .Rounding(5), .AlignedWidth(51), .SumWidth(52), .ZeroSign(2), .Target(0),
        .Place(0), .Offset(0), .From(0), .ResultExponentMin(-126), .ResultExponentWidth(9), .ResultSignificandWidth(51)
    ) u_sum (
        .clk_i(1'b0), .ce_i(1'b0), .negative_i(gen_link_6[0].number_negative),
        .exponent_i(gen_link_6[0].number_exponent), .significand_i(gen_link_6[0].number_significand),
        .absent_i(gen_link_6[0].number_absent), .infinite_i(gen_link_6[0].number_infinite),
        .nan_i(gen_link_6[0].number_nan), .addend_negative_i(c_negative), .addend_exponent_i(c_exponent),
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
          .InputExponentWidth(9), .SignificandWidth(51), .PadBits(0), .NormalisedWidth(51), .TopOffset(1), .Shifts(1),
          .WorkWidth(9), .ExponentMin(-126), .HasExponentMin(1), .Precision(24), .Rounding(1), .Limit(2),
          .LargestExponent(127), .LargestSignificand(24'hffffff), .OverflowInfinityPositive(1),
          .OverflowInfinityNegative(1), .HasInfinity(1), .HasNegativeZero(1), .FlushResult(1), .RoundedZero(0),
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
    assign link_invalid[i + 7]  = sum_invalid;
    assign link_overflow[i + 7] = gen_round_0.rounded_overflow;
  end

  // ---------------------------------------------------------------------------------------------- result

  logic [ResultWidth-1:0] packed_word;

  tensorsmith_number_pack #(
      .ExponentWidth(8), .ExponentBits(8), .FractionBits(23), .PaddingBits(0), .ExponentMin(-126), .HasInfinity(1),
      .InfinityMagnitude(31'h7f800000), .NanWord(32'h7fc00000)
  ) u_pack (
      .negative_i(gen_link_7[0].number_negative), .exponent_i(gen_link_7[0].number_exponent),
      .significand_i(gen_link_7[0].number_significand), .infinite_i(gen_link_7[0].number_infinite),
      .nan_i(gen_link_7[0].number_nan), .d_o(packed_word)
  );

  assign d_o = packed_word;

  logic unused_flags;

  assign unused_flags = ^{product_signalling, product_invalid, link_invalid, link_overflow};

endmodule
