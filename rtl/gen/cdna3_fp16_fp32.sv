// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit cdna3-fp16-fp32. AMD CDNA3 (MI300) matrix core: one block of 8 fp16 products, then c, fp32 result.
//
//     d = what the last step leaves
//
//     products      8
//     formats       a binary16, b binary16, c binary32, d binary32
//     step 1        window = { fraction_bits = 24, rounding = "toward-zero" }, zero = "positive"
//     step 2        c = "last", window = { fraction_bits = 32, rounding = "toward-negative", floor = -126, addend = { fraction_bits = 24 } }, zero = "positive", round = { precision = 32, exponent_min = -126, rounding = "toward-negative" }
//     step 3        zero = "positive", round = "d"
//     conversion    "d" is to nearest, ties to even, overflow to infinity
//     subnormals    operands kept, addend kept, result kept
//     NaN and zero  every NaN is 0x7fc00000, zero sums as the steps say
//     latency       0 cycles; the module named _registered: 2
//
// The sums:
//
//     link 0  30 bits with a sign, the last one weighs 2^(anchor - 24)
//     link 1  39 bits with a sign, the last one weighs 2^(anchor - 32)
//     link 2  one number, with 31 fraction bits
//
// Where the constants come from:
//
//     addition.addend_fraction_bits: [stated] Xie et al., arXiv 2511.10909v2
//     addition.addend_reach: [stated] c takes part at every distance: Xie et al., arXiv 2511.10909v2
//     addition.exponent_floor: [stated] a zero c has the exponent -126: Xie et al., arXiv 2511.10909v2
//     addition.groups: [stated] Xie et al., arXiv 2511.10909v2
//     addition.product_overflow: [stated] products of 2^128 and above are infinite: Xie et al., arXiv 2511.10909v2;
//       that an infinite c of the other sign then gives NaN is after IEEE 754
//     addition.rounding: [stated] downward, sum and c each: Xie et al., arXiv 2511.10909v2
//     addition.sum_fraction_bits: [conflict] 32: the public model MMA-Sim 2.0.0 to 2.1.1, later than the paper; 31:
//       Xie et al., arXiv 2511.10909v2
//     addition.total_fraction_bits: [conflict] 31 of the normalised total, rounded downward: the public model MMA-Sim
//       2.0.0 to 2.1.1, later than the paper; no such cut: Xie et al., arXiv 2511.10909v2
//     alignment.exponent_floor: [conflict] none, and zero products have no exponent; the public model MMA-Sim gives a
//       zero operand the exponent -126, so that zero times a large number can raise the anchor
//     alignment.fraction_bits: [stated] Xie et al., arXiv 2511.10909v2
//     alignment.normalise_products: [stated] products are aligned as they are: Xie et al., arXiv 2511.10909v2
//     alignment.rounding: [stated] Xie et al., arXiv 2511.10909v2
//     conversion.exact_zero: [chosen] plus zero, as IEEE 754 rounding to nearest gives; the published model adds
//       numbers without signs of zero
//     conversion.nan: [chosen] 0x7fc00000, the canonical quiet NaN of IEEE 754; no source says which NaN the hardware
//       gives
//     conversion.overflow: [stated] infinity, as IEEE 754 rounding to nearest gives
//     conversion.rounding: [stated] to nearest, ties to even: Xie et al., arXiv 2511.10909v2
//     products: [stated] blocks of 8, the first one first, chained through c: Xie et al., arXiv 2511.10909v2
//     scheme: [stated] the products are summed first, then c is added: Xie et al., arXiv 2511.10909v2
//     subnormals: [stated] kept: Xie et al., arXiv 2511.10909v2, whose public model MMA-Sim flushes none for CDNA3
//
// Emitted; regenerate with: tensorsmith emit cdna3-fp16-fp32 --out DIR

module cdna3_fp16_fp32 #(
    // Of the ports; they cannot be overridden.
    localparam int Products      =  8,  // L: products
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
        .ExponentMin(-14), .Flush(0), .SubnormalBits(10), .ExponentWidth(6)
    ) u_a (
        .operand_i(a_i[i*OperandAWidth +: OperandAWidth]), .negative_o(a_negative), .exponent_o(a_exponent),
        .significand_o(a_significand), .absent_o(a_absent), .infinite_o(a_infinite), .nan_o(a_nan)
    );

    tensorsmith_operand #(
        .SignBits(1), .ExponentBits(5), .FractionBits(10), .PaddingBits(0), .Bias(15), .NonFinite(1), .Widened(0),
        .ExponentMin(-14), .Flush(0), .SubnormalBits(10), .ExponentWidth(6)
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

  logic [3-1:0] link_invalid, link_overflow;

  // step 1: a sum of 8 numbers
  for (genvar i = 0; i < 1; i++) begin : gen_link_0
    logic sum_negative, sum_absent, sum_infinite, sum_nan;
    logic [6:0] sum_exponent;
    logic [28:0] sum_significand;
    logic number_negative, number_absent, number_infinite, number_nan;
    logic [6:0] number_exponent;
    logic [28:0] number_significand;
    logic sum_invalid;
    logic unused_absent;

    tensorsmith_sum #(
        .Count(8), .ExponentWidth(7), .SignificandWidth(22), .HasAddend(0), .AddendExponentWidth(1),
        .AddendSignificandWidth(1), .Kind(0), .AnchorWidth(7), .Low(-28), .ZerosAbsent(0), .HasFloor(0), .Floor(0),
        .PlaceLeft(4), .AddendPlaceLeft(0), .ExponentMin(-28), .AddendExponentMin(0), .GuardBits(0), .AddendCutBits(0),
        .AddendReach(-1), .Rounding(0), .AlignedWidth(27), .SumWidth(30), .ZeroSign(0), .Target(0), .Place(0),
        .Offset(0), .From(0), .ResultExponentMin(-28), .ResultExponentWidth(7), .ResultSignificandWidth(29)
    ) u_sum (
        .clk_i(1'b0), .ce_i(1'b0), .negative_i(product_negative[0 +: 8]), .exponent_i(product_exponent[0*7 +: 8*7]),
        .significand_i(product_significand[0*22 +: 8*22]), .absent_i(product_absent[0 +: 8]),
        .infinite_i(product_infinite[0 +: 8]), .nan_i(product_nan[0 +: 8]), .addend_negative_i(1'b0),
        .addend_exponent_i(1'b0), .addend_significand_i(1'b0), .addend_absent_i(1'b0), .addend_infinite_i(1'b0),
        .addend_nan_i(1'b0), .negative_o(sum_negative), .exponent_o(sum_exponent), .significand_o(sum_significand),
        .absent_o(sum_absent), .infinite_o(sum_infinite), .nan_o(sum_nan), .invalid_o(sum_invalid)
    );

    assign number_negative = sum_negative;
    assign number_exponent = sum_exponent;
    assign number_significand = sum_significand;
    assign number_absent = sum_absent;
    assign number_infinite = sum_infinite;
    assign number_nan = sum_nan;

    assign unused_absent = ^{sum_absent, number_absent};
    assign link_invalid[i + 0]  = sum_invalid;
    assign link_overflow[i + 0] = 1'b0;
  end

  // step 2: a sum of 2 numbers, rounded
  for (genvar i = 0; i < 1; i++) begin : gen_link_1
    logic sum_negative, sum_absent, sum_infinite, sum_nan;
    logic [8:0] sum_exponent;
    logic [37:0] sum_significand;
    logic number_negative, number_absent, number_infinite, number_nan;
    logic [8:0] number_exponent;
    logic [31:0] number_significand;
    logic sum_invalid;
    logic unused_absent;

    tensorsmith_sum #(
        .Count(1), .ExponentWidth(7), .SignificandWidth(29), .HasAddend(1), .AddendExponentWidth(9),
        .AddendSignificandWidth(24), .Kind(0), .AnchorWidth(9), .Low(-126), .ZerosAbsent(0), .HasFloor(1), .Floor(-126),
        .PlaceLeft(8), .AddendPlaceLeft(9), .ExponentMin(-28), .AddendExponentMin(-126), .GuardBits(0),
        .AddendCutBits(8), .AddendReach(-1), .Rounding(4), .AlignedWidth(38), .SumWidth(39), .ZeroSign(0), .Target(0),
        .Place(0), .Offset(0), .From(0), .ResultExponentMin(-126), .ResultExponentWidth(9), .ResultSignificandWidth(38)
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
      logic [8:0] rounded_exponent;
      logic [31:0] rounded_significand;
      logic rounded_overflow;

      tensorsmith_number_round #(
          .InputExponentWidth(9), .SignificandWidth(38), .PadBits(0), .NormalisedWidth(38), .TopOffset(5), .Shifts(1),
          .WorkWidth(9), .ExponentMin(-126), .HasExponentMin(1), .Precision(32), .Rounding(4), .Limit(0), .FlushResult(0),
          .RoundedZero(0), .ResultExponentMin(-126), .ExponentWidth(9)
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

  // step 3: a sum of one number, rounded
  for (genvar i = 0; i < 1; i++) begin : gen_link_2
    logic sum_negative, sum_absent, sum_infinite, sum_nan;
    logic [8:0] sum_exponent;
    logic [31:0] sum_significand;
    logic number_negative, number_absent, number_infinite, number_nan;
    logic [7:0] number_exponent;
    logic [23:0] number_significand;
    logic sum_invalid;
    logic unused_absent;

    tensorsmith_sum #(
        .Count(1), .ExponentWidth(9), .SignificandWidth(32), .HasAddend(0), .AddendExponentWidth(1),
        .AddendSignificandWidth(1), .Kind(2), .AnchorWidth(9), .Low(-126), .ZerosAbsent(0), .HasFloor(0), .Floor(0),
        .PlaceLeft(0), .AddendPlaceLeft(0), .ExponentMin(-126), .AddendExponentMin(0), .GuardBits(0), .AddendCutBits(0),
        .AddendReach(-1), .Rounding(0), .AlignedWidth(33), .SumWidth(33), .ZeroSign(0), .Target(0), .Place(0),
        .Offset(0), .From(0), .ResultExponentMin(-126), .ResultExponentWidth(9), .ResultSignificandWidth(32)
    ) u_sum (
        .clk_i(1'b0), .ce_i(1'b0), .negative_i(gen_link_1[0].number_negative),
        .exponent_i(gen_link_1[0].number_exponent), .significand_i(gen_link_1[0].number_significand),
        .absent_i(gen_link_1[0].number_absent), .infinite_i(gen_link_1[0].number_infinite),
        .nan_i(gen_link_1[0].number_nan), .addend_negative_i(1'b0), .addend_exponent_i(1'b0),
        .addend_significand_i(1'b0), .addend_absent_i(1'b0), .addend_infinite_i(1'b0), .addend_nan_i(1'b0),
        .negative_o(sum_negative), .exponent_o(sum_exponent), .significand_o(sum_significand), .absent_o(sum_absent),
        .infinite_o(sum_infinite), .nan_o(sum_nan), .invalid_o(sum_invalid)
    );

    if (1) begin : gen_round_0
      logic rounded_negative, rounded_absent, rounded_infinite, rounded_nan;
      logic [7:0] rounded_exponent;
      logic [23:0] rounded_significand;
      logic rounded_overflow;

      tensorsmith_number_round #(
          .InputExponentWidth(9), .SignificandWidth(32), .PadBits(0), .NormalisedWidth(32), .TopOffset(0), .Shifts(0),
          .WorkWidth(9), .ExponentMin(-126), .HasExponentMin(1), .Precision(24), .Rounding(1), .Limit(2),
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
    assign link_invalid[i + 2]  = sum_invalid;
    assign link_overflow[i + 2] = gen_round_0.rounded_overflow;
  end

  // ---------------------------------------------------------------------------------------------- result

  logic [ResultWidth-1:0] packed_word;

  tensorsmith_number_pack #(
      .ExponentWidth(8), .ExponentBits(8), .FractionBits(23), .PaddingBits(0), .ExponentMin(-126), .HasInfinity(1),
      .InfinityMagnitude(31'h7f800000), .NanWord(32'h7fc00000)
  ) u_pack (
      .negative_i(gen_link_2[0].number_negative), .exponent_i(gen_link_2[0].number_exponent),
      .significand_i(gen_link_2[0].number_significand), .infinite_i(gen_link_2[0].number_infinite),
      .nan_i(gen_link_2[0].number_nan), .d_o(packed_word)
  );

  assign d_o = packed_word;

  logic unused_flags;

  assign unused_flags = ^{product_signalling, product_invalid, link_invalid, link_overflow};

endmodule
