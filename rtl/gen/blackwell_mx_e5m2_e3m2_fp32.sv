// Unit blackwell-mx-e5m2-e3m2-fp32. NVIDIA Blackwell MXFP8, MXFP6 and MXFP4: one block of 32 products e5m2 x e3m2 with ue8m0 scales, fp32 result.
//
//     d = convert(c + scale_a[0]*scale_b[0] * (a[0]*b[0] + ... + a[31]*b[31]))
//
//     products        32
//     formats         a e5m2, b e3m2, c binary32, d binary32
//     scales          a ue8m0, b ue8m0, one of each for 32 products
//     term            exact product; exponents of a, b and both scales added; not normalised
//     alignment       25 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor  -133
//     carry bits      6, as many as any sum can need
//     conversion      truncation, overflow to infinity
//     subnormals      operands kept, addend kept, result kept
//     NaN and zero    every NaN is 0x7fffffff, an exact zero sum is +0
//     latency         0 cycles; the module named _registered: 2
//
// The sum, in units of 2^(anchor - F):
//
//     bit      33    32..27   26..25     24..0
//     sum   | sign | carry  | integer | fraction |
//     bit 25 weighs 2^anchor, bit 0 weighs 2^(anchor - 25); lower bits of a term are cut
//
// Where the constants come from:
//
//     alignment.exponent_floor: [stated] Xie et al., arXiv 2511.10909: -133
//     alignment.fraction_bits: [stated] Xie et al., arXiv 2511.10909: 25
//     alignment.normalise_products: [stated] Xie et al., arXiv 2511.10909: products are not normalised
//     alignment.rounding: [stated] toward zero in magnitude: Xie et al., arXiv 2511.10909
//     conversion.exact_zero: [stated] plus zero: Xie et al., arXiv 2511.10909
//     conversion.nan: [stated] 0x7fffffff: Xie et al., arXiv 2511.10909
//     conversion.overflow: [stated] infinity: Xie et al., arXiv 2511.10909
//     conversion.rounding: [stated] Xie et al., arXiv 2511.10909: truncation to binary32
//     formats: [stated] Xie et al., arXiv 2511.10909; OCP Microscaling 1.0
//     products: [stated] Xie et al., arXiv 2511.10909: 32 products at once
//     scales: [stated] Xie et al., arXiv 2511.10909; PTX ISA: ue8m0, one for 32 elements of K; the exponents of both
//       are added before alignment
//     scheme: [stated] Xie et al., arXiv 2511.10909; no recording of the instruction was replayed
//     subnormals: [stated] kept: Xie et al., arXiv 2511.10909
//     sum.carry_bits: [stated] as many as the aligned terms and the addend can need: ceil(log2(terms + 1))
//
// Emitted; regenerate with: tensorsmith emit blackwell-mx-e5m2-e3m2-fp32 --out DIR

module blackwell_mx_e5m2_e3m2_fp32 #(
    // Fixed by the unit's description: they name its numbers, and another value makes no other unit.
    parameter int Products      =   32,  // L: products summed at once
    parameter int OperandAWidth =    8,  // encoded a, e5m2
    parameter int OperandBWidth =    6,  // encoded b, e3m2
    parameter int Scales        =    1,  // scales of a, and as many of b
    parameter int ScaleAWidth   =    8,  // encoded scale of a, ue8m0
    parameter int ScaleBWidth   =    8,  // encoded scale of b, ue8m0
    parameter int AddendWidth   =   32,  // encoded c, binary32
    parameter int ResultWidth   =   32,  // encoded d, binary32
    parameter int FractionBits  =   25,  // F: bits kept below the anchor
    parameter int CarryBits     =    6,  // integer bits of the sum above the window's two
    parameter int AnchorFloor   = -133   // least exponent of the anchor; zero terms carry it
) (
    input  logic [Products*OperandAWidth-1:0] a_i,        // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,        // b, element 0 in the lowest bits
    input  logic [Scales*ScaleAWidth-1:0]     scale_a_i,  // scales of a, block 0 in the lowest bits
    input  logic [Scales*ScaleBWidth-1:0]     scale_b_i,  // scales of b, block 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,        // c, which has no scale
    output logic [ResultWidth-1:0]            d_o         // d
);

  // Formats.
  localparam int OperandASignBits        =    1;  // sign
  localparam int OperandAExponentBits    =    5;  // exponent field
  localparam int OperandAFractionBits    =    2;  // trailing significand
  localparam int OperandAPaddingBits     =    0;  // ignored low bits
  localparam int OperandABias            =   15;  // exponent field of 1.0
  localparam int OperandANonFinite       =    1;  // IEEE 754 infinities and NaN
  localparam int OperandAFlushSubnormals =    0;  // subnormals are kept
  localparam int OperandAPrecision       =    3;  // significand with its hidden bit
  localparam int OperandBSignBits        =    1;  // sign
  localparam int OperandBExponentBits    =    3;  // exponent field
  localparam int OperandBFractionBits    =    2;  // trailing significand
  localparam int OperandBPaddingBits     =    0;  // ignored low bits
  localparam int OperandBBias            =    3;  // exponent field of 1.0
  localparam int OperandBNonFinite       =    0;  // every encoding is finite
  localparam int OperandBFlushSubnormals =    0;  // subnormals are kept
  localparam int OperandBPrecision       =    3;  // significand with its hidden bit
  localparam int AddendSignBits          =    1;  // sign
  localparam int AddendExponentBits      =    8;  // exponent field
  localparam int AddendFractionBits      =   23;  // trailing significand
  localparam int AddendPaddingBits       =    0;  // ignored low bits
  localparam int AddendBias              =  127;  // exponent field of 1.0
  localparam int AddendNonFinite         =    1;  // IEEE 754 infinities and NaN
  localparam int AddendFlushSubnormals   =    0;  // subnormals are kept
  localparam int AddendPrecision         =   24;  // significand with its hidden bit
  localparam int ResultExponentBits      =    8;  // exponent field of d
  localparam int ResultFractionBits      =   23;  // trailing significand of d
  localparam int ResultPaddingBits       =    0;  // zeros below the fraction of d
  localparam int ResultExponentMin       = -126;  // exponent of the smallest normal d
  localparam int ScaleAExponentBits      =    8;  // exponent field
  localparam int ScaleAFractionBits      =    0;  // trailing significand
  localparam int ScaleABias              =  127;  // exponent field of 1.0
  localparam int ScaleANonFinite         =    2;  // all ones is NaN, no infinity
  localparam int ScaleAPrecision         =    1;  // significand with its hidden bit
  localparam int ScaleBExponentBits      =    8;  // exponent field
  localparam int ScaleBFractionBits      =    0;  // trailing significand
  localparam int ScaleBBias              =  127;  // exponent field of 1.0
  localparam int ScaleBNonFinite         =    2;  // all ones is NaN, no infinity
  localparam int ScaleBPrecision         =    1;  // significand with its hidden bit

  // Widths and choices, each with its derivation. F is FractionBits.
  localparam int TermCount                = Products + 1;                                      // 33: products and addend
  localparam int BlockSize                =  32;                                               // products that share a scale of a and a scale of b
  localparam int ProductWidth             = OperandAPrecision + OperandBPrecision;             // 6: significand of a times significand of b, exact
  localparam int ProductExponentMin       = -16;                                               // lowest exponent of a product; zero products carry it
  localparam int ScaleABits               =   0;                                               // bits that the scale adds to a significand: none, it is a power of two
  localparam int ScaleBBits               =   0;                                               // bits that the scale adds to a significand: none, it is a power of two
  localparam int ScaledWidth              = ProductWidth + ScaleABits + ScaleBBits;            // 6: significand of a scaled term, exact
  localparam int IntegerBits              =   2;                                               // of the window: 2 of a term before scaling, one for each scale with a fraction
  localparam int ScaledFractionBits       = ScaledWidth - IntegerBits;                         // 4: not normalised
  localparam int GuardBits                =   0;                                               // fraction bits beyond F before the shift: longest fraction 23, F = 25
  localparam int ScaledPlaceLeft          = FractionBits + GuardBits - ScaledFractionBits;     // 21: zeros below a scaled term, before the shift
  localparam int AddendPlaceLeft          = FractionBits + GuardBits - AddendFractionBits;     // 2: zeros below the addend, before the shift
  localparam int WindowWidth              = IntegerBits + FractionBits;                        // 27: what is kept of a term
  localparam int AlignedWidth             = 1 + WindowWidth;                                   // 28: sign, window
  localparam int SumWidth                 = 1 + CarryBits + WindowWidth;                       // 34: sign, carry bits, window
  localparam int MagnitudeWidth           = SumWidth - 1;                                      // 33: without the sign
  localparam int HeadroomBits             =   0;                                               // zeros above the magnitude: lift the lowest top weight, -126, to -126
  localparam int PadBits                  =   0;                                               // zeros below the magnitude, for 26 bits: d's significand and two to discard
  localparam int NormalisedWidth          = HeadroomBits + MagnitudeWidth + PadBits;           // 33: the window that the leading one moves in
  localparam int TopExponentOffset        = HeadroomBits + MagnitudeWidth - 1 - FractionBits;  // 7: weight of that window's top bit, from the anchor
  localparam int ExponentWidth            =  10;                                               // two's complement of every exponent here, -270 to 283
  localparam int NormaliseProducts        =   0;                                               // 1: products are brought to [1, 2)
  localparam int AlignmentRounding        =   0;                                               // lower bits cut off in sign and magnitude
  localparam int ResultRounding           =   0;                                               // truncation
  localparam int FlushResult              =   0;                                               // 1: subnormal results become zero
  localparam int ZeroNegative             =   0;                                               // 1: an exact zero sum is -0
  localparam int HasInfinity              =   1;                                               // 0: infinite results are NaN
  localparam int HasNegativeZero          =   1;                                               // 0: zero results are always +0
  localparam int OverflowInfinityPositive =   1;                                               // 1: positive overflow gives infinity, 0: the largest number
  localparam int OverflowInfinityNegative =   1;                                               // the same for negative overflow

  // Encodings of the result: magnitudes without sign and padding, and the NaN whole.
  localparam logic [ResultExponentBits+ResultFractionBits-1:0] MaximumFinite     = 31'h7f7fffff;  // exponent and fraction of the largest finite d
  localparam logic [ResultExponentBits+ResultFractionBits-1:0] InfinityMagnitude = 31'h7f800000;  // exponent and fraction of infinity
  localparam logic [ResultWidth-1:0]                           NanWord           = 32'h7fffffff;  // every NaN result

  // ---------------------------------------------------------------------------------------------- unpacked

  logic [Products-1:0]                   unpacked_a_negative;
  logic [Products*ExponentWidth-1:0]     unpacked_a_exponent;
  logic [Products*OperandAPrecision-1:0] unpacked_a_significand;
  logic [Products-1:0]                   unpacked_a_zero;
  logic [Products-1:0]                   unpacked_a_infinite;
  logic [Products-1:0]                   unpacked_a_nan;
  logic [Products-1:0]                   unpacked_b_negative;
  logic [Products*ExponentWidth-1:0]     unpacked_b_exponent;
  logic [Products*OperandBPrecision-1:0] unpacked_b_significand;
  logic [Products-1:0]                   unpacked_b_zero;
  logic [Products-1:0]                   unpacked_b_infinite;
  logic [Products-1:0]                   unpacked_b_nan;
  logic                                  unpacked_c_negative;
  logic [ExponentWidth-1:0]              unpacked_c_exponent;
  logic [AddendPrecision-1:0]            unpacked_c_significand;
  logic                                  unpacked_c_zero;
  logic                                  unpacked_c_infinite;
  logic                                  unpacked_c_nan;

  for (genvar i = 0; i < Products; i++) begin : gen_unpacked
    tensorsmith_unpack #(
        .SignBits       (OperandASignBits),
        .ExponentBits   (OperandAExponentBits),
        .FractionBits   (OperandAFractionBits),
        .PaddingBits    (OperandAPaddingBits),
        .Bias           (OperandABias),
        .NonFinite      (OperandANonFinite),
        .FlushSubnormals(OperandAFlushSubnormals),
        .ExponentWidth  (ExponentWidth)
    ) u_unpack_a (
        .operand_i    (a_i[i*OperandAWidth +: OperandAWidth]),
        .negative_o   (unpacked_a_negative[i]),
        .exponent_o   (unpacked_a_exponent[i*ExponentWidth +: ExponentWidth]),
        .significand_o(unpacked_a_significand[i*OperandAPrecision +: OperandAPrecision]),
        .zero_o       (unpacked_a_zero[i]),
        .infinite_o   (unpacked_a_infinite[i]),
        .nan_o        (unpacked_a_nan[i])
    );

    tensorsmith_unpack #(
        .SignBits       (OperandBSignBits),
        .ExponentBits   (OperandBExponentBits),
        .FractionBits   (OperandBFractionBits),
        .PaddingBits    (OperandBPaddingBits),
        .Bias           (OperandBBias),
        .NonFinite      (OperandBNonFinite),
        .FlushSubnormals(OperandBFlushSubnormals),
        .ExponentWidth  (ExponentWidth)
    ) u_unpack_b (
        .operand_i    (b_i[i*OperandBWidth +: OperandBWidth]),
        .negative_o   (unpacked_b_negative[i]),
        .exponent_o   (unpacked_b_exponent[i*ExponentWidth +: ExponentWidth]),
        .significand_o(unpacked_b_significand[i*OperandBPrecision +: OperandBPrecision]),
        .zero_o       (unpacked_b_zero[i]),
        .infinite_o   (unpacked_b_infinite[i]),
        .nan_o        (unpacked_b_nan[i])
    );
  end

  tensorsmith_unpack #(
      .SignBits       (AddendSignBits),
      .ExponentBits   (AddendExponentBits),
      .FractionBits   (AddendFractionBits),
      .PaddingBits    (AddendPaddingBits),
      .Bias           (AddendBias),
      .NonFinite      (AddendNonFinite),
      .FlushSubnormals(AddendFlushSubnormals),
      .ExponentWidth  (ExponentWidth)
  ) u_unpack_c (
      .operand_i    (c_i),
      .negative_o   (unpacked_c_negative),
      .exponent_o   (unpacked_c_exponent),
      .significand_o(unpacked_c_significand),
      .zero_o       (unpacked_c_zero),
      .infinite_o   (unpacked_c_infinite),
      .nan_o        (unpacked_c_nan)
  );

  // Scales: element i belongs to block i / BlockSize.
  logic [Scales*ExponentWidth-1:0]   unpacked_scale_a_exponent;
  logic [Scales*ScaleAPrecision-1:0] unpacked_scale_a_significand;
  logic [Scales-1:0]                 unpacked_scale_a_zero;
  logic [Scales-1:0]                 unpacked_scale_a_nan;
  logic [Scales*ExponentWidth-1:0]   unpacked_scale_b_exponent;
  logic [Scales*ScaleBPrecision-1:0] unpacked_scale_b_significand;
  logic [Scales-1:0]                 unpacked_scale_b_zero;
  logic [Scales-1:0]                 unpacked_scale_b_nan;

  for (genvar s = 0; s < Scales; s++) begin : gen_unpacked_scale
    tensorsmith_unpack_scale #(
        .ExponentBits (ScaleAExponentBits),
        .FractionBits (ScaleAFractionBits),
        .Bias         (ScaleABias),
        .NonFinite    (ScaleANonFinite),
        .ExponentWidth(ExponentWidth)
    ) u_unpack_scale_a (
        .scale_i      (scale_a_i[s*ScaleAWidth +: ScaleAWidth]),
        .exponent_o   (unpacked_scale_a_exponent[s*ExponentWidth +: ExponentWidth]),
        .significand_o(unpacked_scale_a_significand[s*ScaleAPrecision +: ScaleAPrecision]),
        .zero_o       (unpacked_scale_a_zero[s]),
        .nan_o        (unpacked_scale_a_nan[s])
    );

    tensorsmith_unpack_scale #(
        .ExponentBits (ScaleBExponentBits),
        .FractionBits (ScaleBFractionBits),
        .Bias         (ScaleBBias),
        .NonFinite    (ScaleBNonFinite),
        .ExponentWidth(ExponentWidth)
    ) u_unpack_scale_b (
        .scale_i      (scale_b_i[s*ScaleBWidth +: ScaleBWidth]),
        .exponent_o   (unpacked_scale_b_exponent[s*ExponentWidth +: ExponentWidth]),
        .significand_o(unpacked_scale_b_significand[s*ScaleBPrecision +: ScaleBPrecision]),
        .zero_o       (unpacked_scale_b_zero[s]),
        .nan_o        (unpacked_scale_b_nan[s])
    );
  end

  // Classes of the elements with their scales: infinities and NaN are decided from these.
  logic [Products-1:0] scaled_a_zero;
  logic [Products-1:0] scaled_a_nan;
  logic [Products-1:0] scaled_b_zero;
  logic [Products-1:0] scaled_b_nan;

  for (genvar i = 0; i < Products; i++) begin : gen_scaled_class
    assign scaled_a_zero[i] = unpacked_a_zero[i] || unpacked_scale_a_zero[i/BlockSize];
    assign scaled_a_nan[i]  = unpacked_a_nan[i] || unpacked_scale_a_nan[i/BlockSize]
                              || (unpacked_a_infinite[i] && unpacked_scale_a_zero[i/BlockSize]);
    assign scaled_b_zero[i] = unpacked_b_zero[i] || unpacked_scale_b_zero[i/BlockSize];
    assign scaled_b_nan[i]  = unpacked_b_nan[i] || unpacked_scale_b_nan[i/BlockSize]
                              || (unpacked_b_infinite[i] && unpacked_scale_b_zero[i/BlockSize]);
  end

  // ---------------------------------------------------------------------------------------------- product

  logic [Products-1:0]               product_negative;
  logic [Products*ExponentWidth-1:0] product_exponent;
  logic [Products*ProductWidth-1:0]  product_significand;

  for (genvar i = 0; i < Products; i++) begin : gen_product
    tensorsmith_product #(
        .SignificandAWidth(OperandAPrecision),
        .SignificandBWidth(OperandBPrecision),
        .ExponentWidth    (ExponentWidth),
        .Normalise        (NormaliseProducts),
        .ExponentFloor    (ProductExponentMin)
    ) u_product (
        .a_negative_i   (unpacked_a_negative[i]),
        .a_exponent_i   (unpacked_a_exponent[i*ExponentWidth +: ExponentWidth]),
        .a_significand_i(unpacked_a_significand[i*OperandAPrecision +: OperandAPrecision]),
        .b_negative_i   (unpacked_b_negative[i]),
        .b_exponent_i   (unpacked_b_exponent[i*ExponentWidth +: ExponentWidth]),
        .b_significand_i(unpacked_b_significand[i*OperandBPrecision +: OperandBPrecision]),
        .negative_o     (product_negative[i]),
        .exponent_o     (product_exponent[i*ExponentWidth +: ExponentWidth]),
        .significand_o  (product_significand[i*ProductWidth +: ProductWidth])
    );
  end

  // Scaled terms: the exponents of both scales are added to that of the product.
  logic [Products-1:0]               scaled_negative;
  logic [Products*ExponentWidth-1:0] scaled_exponent;
  logic [Products*ScaledWidth-1:0]   scaled_significand;

  assign scaled_negative = product_negative;

  for (genvar i = 0; i < Products; i++) begin : gen_scaled
    // The block of the product.
    localparam int Block = i / BlockSize;

    tensorsmith_scale #(
        .Width        (ProductWidth),
        .ScaleAWidth  (ScaleAPrecision),
        .ScaleBWidth  (ScaleBPrecision),
        .TermWidth    (ScaledWidth),
        .ExponentWidth(ExponentWidth),
        .ExponentFloor(AnchorFloor)
    ) u_scale (
        .exponent_i           (product_exponent[i*ExponentWidth +: ExponentWidth]),
        .significand_i        (product_significand[i*ProductWidth +: ProductWidth]),
        .scale_a_exponent_i   (unpacked_scale_a_exponent[Block*ExponentWidth +: ExponentWidth]),
        .scale_a_significand_i(unpacked_scale_a_significand[Block*ScaleAPrecision +: ScaleAPrecision]),
        .scale_b_exponent_i   (unpacked_scale_b_exponent[Block*ExponentWidth +: ExponentWidth]),
        .scale_b_significand_i(unpacked_scale_b_significand[Block*ScaleBPrecision +: ScaleBPrecision]),
        .exponent_o           (scaled_exponent[i*ExponentWidth +: ExponentWidth]),
        .significand_o        (scaled_significand[i*ScaledWidth +: ScaledWidth])
    );
  end

  // ---------------------------------------------------------------------------------------------- anchor

  logic [ExponentWidth-1:0] addend_exponent;
  logic [ExponentWidth-1:0] anchor;

  tensorsmith_addend #(
      .ExponentWidth(ExponentWidth),
      .ExponentFloor(AnchorFloor)
  ) u_addend (
      .zero_i    (unpacked_c_zero),
      .exponent_i(unpacked_c_exponent),
      .exponent_o(addend_exponent)
  );
  // The floor takes part in the maximum: nonzero terms can lie below it.
  tensorsmith_maximum_tree #(
      .Count(TermCount + 1),
      .Width(ExponentWidth)
  ) u_anchor (
      .values_i ({ExponentWidth'(AnchorFloor), addend_exponent, scaled_exponent}),
      .maximum_o(anchor)
  );

  // ---------------------------------------------------------------------------------------------- aligned

  // Scaled terms first, the addend on top.
  logic [TermCount*AlignedWidth-1:0] aligned;

  //     placed     | integer | fraction | 0 .. 0 |      ScaledPlaceLeft zeros, F + GuardBits fraction bits
  //     shifted    | 0 .... 0 | integer | fraction |    to the right by anchor - exponent; GuardBits and lower are cut
  for (genvar i = 0; i < Products; i++) begin : gen_aligned
    tensorsmith_align #(
        .SignificandWidth(ScaledWidth),
        .PlaceLeft       (ScaledPlaceLeft),
        .GuardBits       (GuardBits),
        .ExponentWidth   (ExponentWidth),
        .AlignedWidth    (AlignedWidth),
        .Rounding        (AlignmentRounding)
    ) u_align (
        .negative_i   (scaled_negative[i]),
        .exponent_i   (scaled_exponent[i*ExponentWidth +: ExponentWidth]),
        .significand_i(scaled_significand[i*ScaledWidth +: ScaledWidth]),
        .anchor_i     (anchor),
        .aligned_o    (aligned[i*AlignedWidth +: AlignedWidth])
    );
  end

  // The addend likewise, with AddendPlaceLeft zeros.
  tensorsmith_align #(
      .SignificandWidth(AddendPrecision),
      .PlaceLeft       (AddendPlaceLeft),
      .GuardBits       (GuardBits),
      .ExponentWidth   (ExponentWidth),
      .AlignedWidth    (AlignedWidth),
      .Rounding        (AlignmentRounding)
  ) u_align_addend (
      .negative_i   (unpacked_c_negative),
      .exponent_i   (addend_exponent),
      .significand_i(unpacked_c_significand),
      .anchor_i     (anchor),
      .aligned_o    (aligned[Products*AlignedWidth +: AlignedWidth])
  );

  // ---------------------------------------------------------------------------------------------- sum

  logic [SumWidth-1:0] sum;

  tensorsmith_adder_tree #(
      .Count      (TermCount),
      .AddendWidth(AlignedWidth),
      .SumWidth   (SumWidth)
  ) u_sum (
      .addends_i(aligned),
      .sum_o    (sum)
  );

  // ---------------------------------------------------------------------------------------------- normalised

  logic                       normalised_negative;
  logic [ExponentWidth-1:0]   normalised_exponent;
  logic [NormalisedWidth-1:0] normalised_significand;
  logic                       normalised_zero;

  tensorsmith_normalise #(
      .SumWidth         (SumWidth),
      .MagnitudeWidth   (MagnitudeWidth),
      .HeadroomBits     (HeadroomBits),
      .NormalisedWidth  (NormalisedWidth),
      .ExponentWidth    (ExponentWidth),
      .TopExponentOffset(TopExponentOffset),
      .ExponentMin      (ResultExponentMin)
  ) u_normalise (
      .sum_i        (sum),
      .anchor_i     (anchor),
      .negative_o   (normalised_negative),
      .exponent_o   (normalised_exponent),
      .significand_o(normalised_significand),
      .zero_o       (normalised_zero)
  );

  // ---------------------------------------------------------------------------------------------- rounded

  logic [ResultFractionBits+1:0] rounded;
  logic                          unused_inexact;  // the unit raises no flags

  tensorsmith_round #(
      .NormalisedWidth(NormalisedWidth),
      .FractionBits   (ResultFractionBits),
      .Rounding       (ResultRounding)
  ) u_round (
      .negative_i   (normalised_negative),
      .significand_i(normalised_significand),
      .rounded_o    (rounded),
      .inexact_o    (unused_inexact)
  );

  // ---------------------------------------------------------------------------------------------- packed

  logic special_nan;
  logic special_infinite;
  logic special_negative;

  tensorsmith_special #(
      .Products(Products)
  ) u_special (
      .a_nan_i     (scaled_a_nan),
      .a_infinite_i(unpacked_a_infinite),
      .a_zero_i    (scaled_a_zero),
      .a_negative_i(unpacked_a_negative),
      .b_nan_i     (scaled_b_nan),
      .b_infinite_i(unpacked_b_infinite),
      .b_zero_i    (scaled_b_zero),
      .b_negative_i(unpacked_b_negative),
      .c_nan_i     (unpacked_c_nan),
      .c_infinite_i(unpacked_c_infinite),
      .c_negative_i(unpacked_c_negative),
      .nan_o       (special_nan),
      .infinite_o  (special_infinite),
      .negative_o  (special_negative)
  );

  logic [ResultWidth-1:0] packed_word;

  tensorsmith_pack #(
      .ExponentWidth           (ExponentWidth),
      .ExponentMin             (ResultExponentMin),
      .ExponentBits            (ResultExponentBits),
      .FractionBits            (ResultFractionBits),
      .PaddingBits             (ResultPaddingBits),
      .FlushSubnormals         (FlushResult),
      .ZeroNegative            (ZeroNegative),
      .HasInfinity             (HasInfinity),
      .HasNegativeZero         (HasNegativeZero),
      .OverflowInfinityPositive(OverflowInfinityPositive),
      .OverflowInfinityNegative(OverflowInfinityNegative),
      .InfinityMagnitude       (InfinityMagnitude),
      .MaximumFinite           (MaximumFinite),
      .NanWord                 (NanWord)
  ) u_pack (
      .negative_i         (normalised_negative),
      .exponent_i         (normalised_exponent),
      .rounded_i          (rounded),
      .zero_i             (normalised_zero),
      .nan_i              (special_nan),
      .infinite_i         (special_infinite),
      .infinite_negative_i(special_negative),
      .d_o                (packed_word)
  );

  assign d_o = packed_word;

endmodule
