// Unit hopper-tf32-fp32. NVIDIA Hopper, and Blackwell mma: one block of 8 tf32 products, fp32 result.
//
//     d = convert(c + a[0]*b[0] + ... + a[7]*b[7])
//
//     products        8
//     formats         a tf32, b tf32, c binary32, d binary32
//     product         exact, in [1, 4), not normalised
//     alignment       25 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor  -133
//     carry bits      4, as many as any sum can need
//     conversion      truncation, overflow to infinity
//     subnormals      operands kept, addend kept, result kept
//     NaN and zero    every NaN is 0x7fffffff, an exact zero sum is +0
//     latency         0 cycles; the module named _registered: 2
//
// The sum, in units of 2^(anchor - F):
//
//     bit      31    30..27   26..25     24..0
//     sum   | sign | carry  | integer | fraction |
//     bit 25 weighs 2^anchor, bit 0 weighs 2^(anchor - 25); lower bits of a term are cut
//
// Where the constants come from:
//
//     alignment.exponent_floor: [stated] Xie et al., arXiv 2511.10909
//     alignment.fraction_bits: [replayed] Khattak and Mikaitis, public recordings (MATLAB-tensor-core), every row of
//       H100, H200, B200
//     alignment.normalise_products: [stated] Khattak and Mikaitis, public recordings (MATLAB-tensor-core): normalised
//       products miss 205 to 409 of 2,500 rows (fp16 to fp32)
//     alignment.rounding: [replayed] Valpey et al. 2025, section 4.2: each term is cut, not the exact sum rounded
//       toward zero; Khattak and Mikaitis, public recordings (MATLAB-tensor-core)
//     conversion.exact_zero: [stated] plus zero: Xie et al., arXiv 2511.10909. The recordings do not test it
//     conversion.nan: [stated] 0x7fffffff: Xie et al., arXiv 2511.10909. The recordings hold no NaN
//     conversion.overflow: [stated] infinity also when truncating; Xie et al., arXiv 2511.10909. The recordings do not
//       test it
//     conversion.rounding: [replayed] Fasi et al. 2021, section 3.1.3; Khattak and Mikaitis, public recordings
//       (MATLAB-tensor-core)
//     products: [stated] half the fp16 block, as on Ampere; the recordings have K = 4 and only give a lower bound
//     subnormals: [stated] kept in operands, addend and result: Fasi et al. 2021, section 3.1.1
//     sum.carry_bits: [stated] ceil(log2(L + 1)) always suffice; Valpey et al. 2025, section 4.3, counted above two
//       integer bits
//
// Emitted; regenerate with: tensorsmith emit hopper-tf32-fp32 --out DIR

module hopper_tf32_fp32 #(
    // Fixed by the unit's description: they name its numbers, and another value makes no other unit.
    parameter int Products      =    8,  // L: products summed at once
    parameter int OperandAWidth =   32,  // encoded a, tf32
    parameter int OperandBWidth =   32,  // encoded b, tf32
    parameter int AddendWidth   =   32,  // encoded c, binary32
    parameter int ResultWidth   =   32,  // encoded d, binary32
    parameter int FractionBits  =   25,  // F: bits kept below the anchor
    parameter int CarryBits     =    4,  // integer bits of the sum above the window's two
    parameter int AnchorFloor   = -133   // least exponent of the anchor; zero terms carry it
) (
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,  // c
    output logic [ResultWidth-1:0]            d_o   // d
);

  // Formats.
  localparam int OperandASignBits        =    1;  // sign
  localparam int OperandAExponentBits    =    8;  // exponent field
  localparam int OperandAFractionBits    =   10;  // trailing significand
  localparam int OperandAPaddingBits     =   13;  // ignored low bits
  localparam int OperandABias            =  127;  // exponent field of 1.0
  localparam int OperandANonFinite       =    1;  // IEEE 754 infinities and NaN
  localparam int OperandAFlushSubnormals =    0;  // subnormals are kept
  localparam int OperandAPrecision       =   11;  // significand with its hidden bit
  localparam int OperandBSignBits        =    1;  // sign
  localparam int OperandBExponentBits    =    8;  // exponent field
  localparam int OperandBFractionBits    =   10;  // trailing significand
  localparam int OperandBPaddingBits     =   13;  // ignored low bits
  localparam int OperandBBias            =  127;  // exponent field of 1.0
  localparam int OperandBNonFinite       =    1;  // IEEE 754 infinities and NaN
  localparam int OperandBFlushSubnormals =    0;  // subnormals are kept
  localparam int OperandBPrecision       =   11;  // significand with its hidden bit
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

  // Widths and choices, each with its derivation. F is FractionBits.
  localparam int TermCount                = Products + 1;                                      // 9: products and addend
  localparam int ProductWidth             = OperandAPrecision + OperandBPrecision;             // 22: significand of a times significand of b, exact
  localparam int IntegerBits              =  2;                                                // of the window: exact products lie in [1, 4)
  localparam int ProductFractionBits      = ProductWidth - IntegerBits;                        // 20: not normalised, in [1, 4)
  localparam int GuardBits                =  0;                                                // fraction bits beyond F before the shift: longest fraction 23, F = 25
  localparam int ProductPlaceLeft         = FractionBits + GuardBits - ProductFractionBits;    // 5: zeros below a product, before the shift
  localparam int AddendPlaceLeft          = FractionBits + GuardBits - AddendFractionBits;     // 2: zeros below the addend, before the shift
  localparam int WindowWidth              = IntegerBits + FractionBits;                        // 27: what is kept of a term
  localparam int AlignedWidth             = 1 + WindowWidth;                                   // 28: sign, window
  localparam int SumWidth                 = 1 + CarryBits + WindowWidth;                       // 32: sign, carry bits, window
  localparam int MagnitudeWidth           = SumWidth - 1;                                      // 31: without the sign
  localparam int HeadroomBits             =  2;                                                // zeros above the magnitude: lift the lowest top weight, -128, to -126
  localparam int PadBits                  =  0;                                                // zeros below the magnitude, for 26 bits: d's significand and two to discard
  localparam int NormalisedWidth          = HeadroomBits + MagnitudeWidth + PadBits;           // 33: the window that the leading one moves in
  localparam int TopExponentOffset        = HeadroomBits + MagnitudeWidth - 1 - FractionBits;  // 7: weight of that window's top bit, from the anchor
  localparam int ExponentWidth            = 10;                                                // two's complement of every exponent here, -252 to 263
  localparam int NormaliseProducts        =  0;                                                // 1: products are brought to [1, 2)
  localparam int AlignmentRounding        =  0;                                                // lower bits cut off in sign and magnitude
  localparam int ResultRounding           =  0;                                                // truncation
  localparam int FlushResult              =  0;                                                // 1: subnormal results become zero
  localparam int ZeroNegative             =  0;                                                // 1: an exact zero sum is -0
  localparam int HasInfinity              =  1;                                                // 0: infinite results are NaN
  localparam int HasNegativeZero          =  1;                                                // 0: zero results are always +0
  localparam int OverflowInfinityPositive =  1;                                                // 1: positive overflow gives infinity, 0: the largest number
  localparam int OverflowInfinityNegative =  1;                                                // the same for negative overflow

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
        .ExponentFloor    (AnchorFloor)
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
      .values_i ({ExponentWidth'(AnchorFloor), addend_exponent, product_exponent}),
      .maximum_o(anchor)
  );

  // ---------------------------------------------------------------------------------------------- aligned

  // Products first, the addend on top.
  logic [TermCount*AlignedWidth-1:0] aligned;

  //     placed     | integer | fraction | 0 .. 0 |      ProductPlaceLeft zeros, F + GuardBits fraction bits
  //     shifted    | 0 .... 0 | integer | fraction |    to the right by anchor - exponent; GuardBits and lower are cut
  for (genvar i = 0; i < Products; i++) begin : gen_aligned
    tensorsmith_align #(
        .SignificandWidth(ProductWidth),
        .PlaceLeft       (ProductPlaceLeft),
        .GuardBits       (GuardBits),
        .ExponentWidth   (ExponentWidth),
        .AlignedWidth    (AlignedWidth),
        .Rounding        (AlignmentRounding)
    ) u_align (
        .negative_i   (product_negative[i]),
        .exponent_i   (product_exponent[i*ExponentWidth +: ExponentWidth]),
        .significand_i(product_significand[i*ProductWidth +: ProductWidth]),
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
      .a_nan_i     (unpacked_a_nan),
      .a_infinite_i(unpacked_a_infinite),
      .a_zero_i    (unpacked_a_zero),
      .a_negative_i(unpacked_a_negative),
      .b_nan_i     (unpacked_b_nan),
      .b_infinite_i(unpacked_b_infinite),
      .b_zero_i    (unpacked_b_zero),
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
