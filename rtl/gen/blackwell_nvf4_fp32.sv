// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit blackwell-nvf4-fp32. NVIDIA Blackwell NVFP4: 64 e2m1 products in exact groups of 16, ue4m3 scales for 16, fp32 result.
//
//     d = what the last step leaves
//
//     products      64
//     formats       a e2m1, b e2m1, c binary32, d binary32
//     step 1        group = 16, exponent = 0, scaled = true, zero = "positive"
//     step 2        c = "last", window = { fraction_bits = 35, rounding = "toward-zero", floor = -139 }, zero = "positive", round = "d"
//     conversion    "d" is truncation, overflow to infinity
//     subnormals    operands kept, addend kept, result kept
//     NaN and zero  every NaN is 0x7fffffff, zero sums as the steps say
//     latency       0 cycles; the module named _registered: 2
//
// The sums:
//
//     links 0 to 3  13 bits with a sign, the last one weighs 2^-2
//     link 4  49 bits with a sign, the last one weighs 2^(anchor - 35)
//
// Where the constants come from:
//
//     alignment.exponent_floor: [stated] Xie et al., arXiv 2511.10909: -139; it cannot act: every term and every
//       addend lies above
//     alignment.fraction_bits: [stated] Xie et al., arXiv 2511.10909: 35
//     alignment.normalise_products: [stated] Xie et al., arXiv 2511.10909: products are not normalised
//     alignment.rounding: [stated] toward zero in magnitude: Xie et al., arXiv 2511.10909
//     conversion.exact_zero: [stated] plus zero: Xie et al., arXiv 2511.10909
//     conversion.nan: [stated] 0x7fffffff: Xie et al., arXiv 2511.10909
//     conversion.overflow: [stated] infinity: Xie et al., arXiv 2511.10909
//     conversion.rounded_zero: [stated] plus zero whatever the sum: MMA-Sim 2.1.1; an H100 answers so
//     conversion.rounding: [stated] Xie et al., arXiv 2511.10909: truncation to binary32
//     formats: [stated] Xie et al., arXiv 2511.10909; OCP Microscaling 1.0
//     products: [stated] Xie et al., arXiv 2511.10909: 64 products at once
//     scales: [stated] Xie et al., arXiv 2511.10909: groups of 16 summed exactly, multiplied by the scales'
//       significands and aligned by their exponents; PTX ISA: ue4m3, one for 16 elements of K
//     scheme: [stated] Xie et al., arXiv 2511.10909; no recording of the instruction was replayed
//     subnormals: [stated] kept: Xie et al., arXiv 2511.10909
//     sum.carry_bits: [stated] as many as the aligned terms and the addend can need: ceil(log2(terms + 1))
//
// Emitted; regenerate with: tensorsmith emit blackwell-nvf4-fp32 --out DIR

module blackwell_nvf4_fp32 #(
    // Of the ports; they cannot be overridden.
    localparam int Products      = 64,  // L: products
    localparam int OperandAWidth =  4,  // encoded a, e2m1
    localparam int OperandBWidth =  4,  // encoded b, e2m1
    localparam int Scales        =  4,  // scales of a, and as many of b
    localparam int ScaleAWidth   =  7,  // encoded scale of a, ue4m3
    localparam int ScaleBWidth   =  7,  // encoded scale of b, ue4m3
    localparam int AddendWidth   = 32,  // encoded c, binary32
    localparam int ResultWidth   = 32   // encoded d, binary32
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

  // ---------------------------------------------------------------------------------------------- scales

  logic [Scales-1:0] scale_negative, scale_absent, scale_infinite, scale_nan;
  logic [Scales*6-1:0] scale_exponent;
  logic [Scales*8-1:0] scale_significand;
  logic unused_scales;

  assign unused_scales = ^{scale_negative, scale_exponent, scale_significand, scale_absent, scale_infinite, scale_nan};

  // Of each block, the product of both.
  for (genvar i = 0; i < Scales; i++) begin : gen_scale
    logic a_negative, a_absent, a_infinite, a_nan;
    logic [4:0] a_exponent;
    logic [3:0] a_significand;
    logic b_negative, b_absent, b_infinite, b_nan;
    logic [4:0] b_exponent;
    logic [3:0] b_significand;
    logic unused_absent;
    logic unused_invalid;  // no scale is infinite

    assign unused_absent = a_absent ^ b_absent;

    tensorsmith_operand #(
        .SignBits(0), .ExponentBits(4), .FractionBits(3), .PaddingBits(0), .Bias(7), .NonFinite(2), .Widened(0),
        .ExponentMin(-6), .Flush(0), .SubnormalBits(3), .ExponentWidth(5)
    ) u_a (
        .operand_i(scale_a_i[i*ScaleAWidth +: ScaleAWidth]), .negative_o(a_negative), .exponent_o(a_exponent),
        .significand_o(a_significand), .absent_o(a_absent), .infinite_o(a_infinite), .nan_o(a_nan)
    );

    tensorsmith_operand #(
        .SignBits(0), .ExponentBits(4), .FractionBits(3), .PaddingBits(0), .Bias(7), .NonFinite(2), .Widened(0),
        .ExponentMin(-6), .Flush(0), .SubnormalBits(3), .ExponentWidth(5)
    ) u_b (
        .operand_i(scale_b_i[i*ScaleBWidth +: ScaleBWidth]), .negative_o(b_negative), .exponent_o(b_exponent),
        .significand_o(b_significand), .absent_o(b_absent), .infinite_o(b_infinite), .nan_o(b_nan)
    );

    tensorsmith_number_product #(
        .ExponentXWidth(5), .ExponentYWidth(5), .SignificandXWidth(4), .SignificandYWidth(4), .ExponentWidth(6),
        .SignificandWidth(8)
    ) u_product (
        .x_negative_i(a_negative), .x_exponent_i(a_exponent), .x_significand_i(a_significand),
        .x_infinite_i(a_infinite), .x_nan_i(a_nan), .y_negative_i(b_negative), .y_exponent_i(b_exponent),
        .y_significand_i(b_significand), .y_infinite_i(b_infinite), .y_nan_i(b_nan), .negative_o(scale_negative[i]),
        .exponent_o(scale_exponent[i*6 +: 6]), .significand_o(scale_significand[i*8 +: 8]), .absent_o(scale_absent[i]),
        .infinite_o(scale_infinite[i]), .nan_o(scale_nan[i]), .invalid_o(unused_invalid)
    );

  end

  // ---------------------------------------------------------------------------------------------- steps

  logic [5-1:0] link_invalid, link_overflow;

  // step 1: 4 sums of 16 numbers
  logic [4-1:0] link_0_negative, link_0_absent, link_0_infinite, link_0_nan;
  logic [4*6-1:0] link_0_exponent;
  logic [4*19-1:0] link_0_significand;
  for (genvar i = 0; i < 4; i++) begin : gen_link_0
    logic sum_negative, sum_absent, sum_infinite, sum_nan;
    logic [0:0] sum_exponent;
    logic [11:0] sum_significand;
    logic sum_invalid;
    logic unused_absent;

    tensorsmith_sum #(
        .Count(16), .ExponentWidth(4), .SignificandWidth(4), .HasAddend(0), .AddendExponentWidth(1),
        .AddendSignificandWidth(1), .Kind(1), .AnchorWidth(4), .Low(0), .ZerosAbsent(0), .HasFloor(0), .Floor(0),
        .PlaceLeft(0), .AddendPlaceLeft(0), .ExponentMin(0), .AddendExponentMin(0), .GuardBits(0), .AddendCutBits(0),
        .AddendReach(-1), .Rounding(0), .AlignedWidth(9), .SumWidth(13), .ZeroSign(0), .Target(0), .Place(2),
        .Offset(0), .From(0), .ResultExponentMin(0), .ResultExponentWidth(1), .ResultSignificandWidth(12)
    ) u_sum (
        .clk_i(1'b0), .ce_i(1'b0), .negative_i(product_negative[16*i +: 16]),
        .exponent_i(product_exponent[16*i*4 +: 16*4]), .significand_i(product_significand[16*i*4 +: 16*4]),
        .absent_i(product_absent[16*i +: 16]), .infinite_i(product_infinite[16*i +: 16]),
        .nan_i(product_nan[16*i +: 16]), .addend_negative_i(1'b0), .addend_exponent_i(1'b0),
        .addend_significand_i(1'b0), .addend_absent_i(1'b0), .addend_infinite_i(1'b0), .addend_nan_i(1'b0),
        .negative_o(sum_negative), .exponent_o(sum_exponent), .significand_o(sum_significand), .absent_o(sum_absent),
        .infinite_o(sum_infinite), .nan_o(sum_nan), .invalid_o(sum_invalid)
    );

    if (1) begin : gen_scaled
      logic scaled_negative, scaled_absent, scaled_infinite, scaled_nan;
      logic [5:0] scaled_exponent;
      logic [18:0] scaled_significand;
      logic scaled_invalid;

      tensorsmith_number_product #(
          .ExponentXWidth(1), .ExponentYWidth(6), .SignificandXWidth(12), .SignificandYWidth(8), .ExponentWidth(6),
          .SignificandWidth(19)
      ) u_product (
          .x_negative_i(sum_negative), .x_exponent_i(sum_exponent), .x_significand_i(sum_significand),
          .x_infinite_i(sum_infinite), .x_nan_i(sum_nan), .y_negative_i(scale_negative[i]),
          .y_exponent_i(scale_exponent[i*6 +: 6]), .y_significand_i(scale_significand[i*8 +: 8]),
          .y_infinite_i(scale_infinite[i]), .y_nan_i(scale_nan[i]), .negative_o(scaled_negative),
          .exponent_o(scaled_exponent), .significand_o(scaled_significand), .absent_o(scaled_absent),
          .infinite_o(scaled_infinite), .nan_o(scaled_nan), .invalid_o(scaled_invalid)
      );
    end

    assign link_0_negative[i] = gen_scaled.scaled_negative;
    assign link_0_exponent[i*6 +: 6] = gen_scaled.scaled_exponent;
    assign link_0_significand[i*19 +: 19] = gen_scaled.scaled_significand;
    assign link_0_absent[i] = gen_scaled.scaled_absent;
    assign link_0_infinite[i] = gen_scaled.scaled_infinite;
    assign link_0_nan[i] = gen_scaled.scaled_nan;

    assign unused_absent = ^{sum_absent, link_0_absent[i], gen_scaled.scaled_absent};
    assign link_invalid[i + 0]  = sum_invalid || gen_scaled.scaled_invalid;
    assign link_overflow[i + 0] = 1'b0;
  end

  // step 2: a sum of 5 numbers, rounded
  for (genvar i = 0; i < 1; i++) begin : gen_link_4
    logic sum_negative, sum_absent, sum_infinite, sum_nan;
    logic [8:0] sum_exponent;
    logic [47:0] sum_significand;
    logic number_negative, number_absent, number_infinite, number_nan;
    logic [7:0] number_exponent;
    logic [23:0] number_significand;
    logic sum_invalid;
    logic unused_absent;

    tensorsmith_sum #(
        .Count(4), .ExponentWidth(6), .SignificandWidth(19), .HasAddend(1), .AddendExponentWidth(9),
        .AddendSignificandWidth(24), .Kind(0), .AnchorWidth(9), .Low(-139), .ZerosAbsent(0), .HasFloor(1), .Floor(-139),
        .PlaceLeft(27), .AddendPlaceLeft(12), .ExponentMin(-12), .AddendExponentMin(-126), .GuardBits(0),
        .AddendCutBits(0), .AddendReach(-1), .Rounding(0), .AlignedWidth(47), .SumWidth(49), .ZeroSign(0), .Target(0),
        .Place(0), .Offset(0), .From(0), .ResultExponentMin(-139), .ResultExponentWidth(9), .ResultSignificandWidth(48)
    ) u_sum (
        .clk_i(1'b0), .ce_i(1'b0), .negative_i(link_0_negative[0 +: 4]), .exponent_i(link_0_exponent[0*6 +: 4*6]),
        .significand_i(link_0_significand[0*19 +: 4*19]), .absent_i(link_0_absent[0 +: 4]),
        .infinite_i(link_0_infinite[0 +: 4]), .nan_i(link_0_nan[0 +: 4]), .addend_negative_i(c_negative),
        .addend_exponent_i(c_exponent), .addend_significand_i(c_significand), .addend_absent_i(c_absent),
        .addend_infinite_i(c_infinite), .addend_nan_i(c_nan), .negative_o(sum_negative), .exponent_o(sum_exponent),
        .significand_o(sum_significand), .absent_o(sum_absent), .infinite_o(sum_infinite), .nan_o(sum_nan),
        .invalid_o(sum_invalid)
    );

    if (1) begin : gen_round_0
      logic rounded_negative, rounded_absent, rounded_infinite, rounded_nan;
      logic [7:0] rounded_exponent;
      logic [23:0] rounded_significand;
      logic rounded_overflow;

      tensorsmith_number_round #(
          .InputExponentWidth(9), .SignificandWidth(48), .PadBits(0), .NormalisedWidth(49), .TopOffset(13), .Shifts(1),
          .WorkWidth(9), .ExponentMin(-126), .HasExponentMin(1), .Precision(24), .Rounding(0), .Limit(2),
          .LargestExponent(127), .LargestSignificand(24'hffffff), .OverflowInfinityPositive(1),
          .OverflowInfinityNegative(1), .HasInfinity(1), .HasNegativeZero(1), .FlushResult(0), .RoundedZero(1),
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
    assign link_invalid[i + 4]  = sum_invalid;
    assign link_overflow[i + 4] = gen_round_0.rounded_overflow;
  end

  // ---------------------------------------------------------------------------------------------- result

  logic [ResultWidth-1:0] packed_word;

  tensorsmith_number_pack #(
      .ExponentWidth(8), .ExponentBits(8), .FractionBits(23), .PaddingBits(0), .ExponentMin(-126), .HasInfinity(1),
      .InfinityMagnitude(31'h7f800000), .NanWord(32'h7fffffff)
  ) u_pack (
      .negative_i(gen_link_4[0].number_negative), .exponent_i(gen_link_4[0].number_exponent),
      .significand_i(gen_link_4[0].number_significand), .infinite_i(gen_link_4[0].number_infinite),
      .nan_i(gen_link_4[0].number_nan), .d_o(packed_word)
  );

  assign d_o = packed_word;

  logic unused_flags;

  assign unused_flags = ^{product_signalling, product_invalid, link_invalid, link_overflow};

endmodule
