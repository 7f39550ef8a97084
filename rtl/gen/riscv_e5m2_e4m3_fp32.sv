// Unit riscv-e5m2-e4m3-fp32. RISC-V bulk normalisation: 4 products of e5m2 and e4m3, fp32 result, flags.
//
//     d = convert(a[0]*b[0] + ... + a[3]*b[3])
//
//     products        4
//     formats         a e5m2, b e4m3, d binary32
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
//     formats: [stated] asymmetric products and OFP8 formats, which the draft admits; e4m3 has one NaN, taken as
//       quiet, and no infinity
//     products: [chosen] n is a constant of each operation (RVBNA, note on n); 4 here
//     scheme: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: one alignment, one exact sum,
//       one conversion, no addend; its prose is followed where its pseudo-code differs: UNIT_FILE.md, RISC-V bulk
//       normalisation
//     subnormals: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: kept in operands and result
//     sum.carry_bits: [stated] RVBNA, draft of the RISC-V manual, src/unpriv/rvbna.adoc: o = ceil(log2 n) overflow
//       bits above two integer bits
//
// Emitted; regenerate with: tensorsmith emit riscv-e5m2-e4m3-fp32 --out DIR

module riscv_e5m2_e4m3_fp32 #(
    // Fixed by the unit's description: they name its numbers, and another value makes no other unit.
    parameter int Products      =   4,  // L: products summed at once
    parameter int OperandAWidth =   8,  // encoded a, e5m2
    parameter int OperandBWidth =   8,  // encoded b, e4m3
    parameter int ResultWidth   =  32,  // encoded d, binary32
    parameter int FlagsWidth    =   2,  // exception flags: invalid, overflow
    parameter int FractionBits  =  25,  // F: bits kept below the anchor
    parameter int CarryBits     =   2,  // integer bits of the sum above the window's two
    parameter int AnchorFloor   = -20   // lowest exponent of a term; zero terms carry it
) (
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    output logic [ResultWidth-1:0]            d_o,     // d
    output logic [FlagsWidth-1:0]             flags_o  // invalid, overflow
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
  localparam int OperandBExponentBits    =    4;  // exponent field
  localparam int OperandBFractionBits    =    3;  // trailing significand
  localparam int OperandBPaddingBits     =    0;  // ignored low bits
  localparam int OperandBBias            =    7;  // exponent field of 1.0
  localparam int OperandBNonFinite       =    2;  // all ones is NaN, no infinity
  localparam int OperandBFlushSubnormals =    0;  // subnormals are kept
  localparam int OperandBPrecision       =    4;  // significand with its hidden bit
  localparam int ResultExponentBits      =    8;  // exponent field of d
  localparam int ResultFractionBits      =   23;  // trailing significand of d
  localparam int ResultPaddingBits       =    0;  // zeros below the fraction of d
  localparam int ResultExponentMin       = -126;  // exponent of the smallest normal d

  // Widths and choices, each with its derivation. F is FractionBits.
  localparam int TermCount                = Products;                                          // 4: products; there is no addend
  localparam int ProductWidth             = OperandAPrecision + OperandBPrecision;             // 7: significand of a times significand of b, exact
  localparam int IntegerBits              = 2;                                                 // of the window: exact products lie in [1, 4)
  localparam int ProductFractionBits      = ProductWidth - IntegerBits;                        // 5: not normalised, in [1, 4)
  localparam int GuardBits                = 0;                                                 // fraction bits beyond F before the shift: longest fraction 5, F = 25
  localparam int ProductPlaceLeft         = FractionBits + GuardBits - ProductFractionBits;    // 20: zeros below a product, before the shift
  localparam int WindowWidth              = IntegerBits + FractionBits;                        // 27: what is kept of a term
  localparam int AlignedWidth             = 1 + WindowWidth;                                   // 28: sign, window
  localparam int SumWidth                 = 1 + CarryBits + WindowWidth;                       // 30: sign, carry bits, window
  localparam int MagnitudeWidth           = SumWidth - 1;                                      // 29: without the sign
  localparam int HeadroomBits             = 0;                                                 // zeros above the magnitude: lift the lowest top weight, -17, to -126
  localparam int PadBits                  = 0;                                                 // zeros below the magnitude, for 26 bits: d's significand and two to discard
  localparam int NormalisedWidth          = HeadroomBits + MagnitudeWidth + PadBits;           // 29: the window that the leading one moves in
  localparam int TopExponentOffset        = HeadroomBits + MagnitudeWidth - 1 - FractionBits;  // 3: weight of that window's top bit, from the anchor
  localparam int ExponentWidth            = 8;                                                 // two's complement of every exponent here, -126 to 27
  localparam int NormaliseProducts        = 0;                                                 // 1: products are brought to [1, 2)
  localparam int AlignmentRounding        = 3;                                                 // rounded to odd
  localparam int ResultRounding           = 5;                                                 // to odd
  localparam int FlushResult              = 0;                                                 // 1: subnormal results become zero
  localparam int ZeroNegative             = 0;                                                 // 1: an exact zero sum is -0
  localparam int HasInfinity              = 1;                                                 // 0: infinite results are NaN
  localparam int HasNegativeZero          = 1;                                                 // 0: zero results are always +0
  localparam int OverflowInfinityPositive = 1;                                                 // 1: positive overflow gives infinity, 0: the largest number
  localparam int OverflowInfinityNegative = 1;                                                 // the same for negative overflow
  localparam int SignallingA              = 1;                                                 // 1: a NaN with top fraction bit 0 signals
  localparam int SignallingB              = 0;                                                 // 1: a NaN with top fraction bit 0 signals
  localparam int SignallingC              = 0;                                                 // 1: a NaN with top fraction bit 0 signals

  // Encodings of the result: magnitudes without sign and padding, and the NaN whole.
  localparam logic [ResultExponentBits+ResultFractionBits-1:0] MaximumFinite     = 31'h7f7fffff;  // exponent and fraction of the largest finite d
  localparam logic [ResultExponentBits+ResultFractionBits-1:0] InfinityMagnitude = 31'h7f800000;  // exponent and fraction of infinity
  localparam logic [ResultWidth-1:0]                           NanWord           = 32'h7fc00000;  // every NaN result

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

  logic [ExponentWidth-1:0] anchor;
  // No term lies below the floor, so the floor takes no place of its own in the maximum.
  tensorsmith_maximum_tree #(
      .Count(TermCount),
      .Width(ExponentWidth)
  ) u_anchor (
      .values_i ({product_exponent}),
      .maximum_o(anchor)
  );

  // ---------------------------------------------------------------------------------------------- aligned

  // Products first.
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
  logic                          unused_inexact;  // no flag of the unit

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
      .c_nan_i     (1'b0),
      .c_infinite_i(1'b0),
      .c_negative_i(1'b0),
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

  // ---------------------------------------------------------------------------------------------- flags

  // The top fraction bits: they tell a quiet NaN from a signalling one.
  logic [Products-1:0] a_quiet;
  logic [Products-1:0] b_quiet;

  for (genvar i = 0; i < Products; i++) begin : gen_quiet
    assign a_quiet[i] = unpacked_a_significand[i*OperandAPrecision + OperandAFractionBits - 1];
    assign b_quiet[i] = unpacked_b_significand[i*OperandBPrecision + OperandBFractionBits - 1];
  end

  logic [FlagsWidth-1:0] flags;

  tensorsmith_flags #(
      .Products     (Products),
      .SignallingA  (SignallingA),
      .SignallingB  (SignallingB),
      .SignallingC  (SignallingC),
      .ExponentWidth(ExponentWidth),
      .ExponentMin  (ResultExponentMin),
      .ExponentBits (ResultExponentBits),
      .FractionBits (ResultFractionBits),
      .MaximumFinite(MaximumFinite)
  ) u_flags (
      .a_nan_i     (unpacked_a_nan),
      .a_quiet_i   (a_quiet),
      .a_infinite_i(unpacked_a_infinite),
      .a_zero_i    (unpacked_a_zero),
      .a_negative_i(unpacked_a_negative),
      .b_nan_i     (unpacked_b_nan),
      .b_quiet_i   (b_quiet),
      .b_infinite_i(unpacked_b_infinite),
      .b_zero_i    (unpacked_b_zero),
      .b_negative_i(unpacked_b_negative),
      .c_nan_i     (1'b0),
      .c_quiet_i   (1'b0),
      .c_infinite_i(1'b0),
      .c_negative_i(1'b0),
      .nan_i       (special_nan),
      .infinite_i  (special_infinite),
      .exponent_i  (normalised_exponent),
      .rounded_i   (rounded),
      .zero_i      (normalised_zero),
      .invalid_o   (flags[1]),
      .overflow_o  (flags[0])
  );

  assign flags_o = flags;


endmodule
