// SPDX-License-Identifier: MIT OR Apache-2.0
// Block-scaled sum of products (OCP Microscaling, NVFP4): blocks of products share scales of a and of b.
//
//     d = convert(c + scale_a[0]*scale_b[0] * (a[0]*b[0] + ...) + scale_a[1]*scale_b[1] * (...) + ...)
//
//     unpacked      sign, exponent and significand of every operand and scale; zeros, infinities and NaN are told by flags
//     product       exact; and, where GroupSize is set, exact sums of groups in fixed point
//     scaled        each product or group with the scales of its block: exponents added, significands multiplied
//     anchor        the greatest exponent of a nonzero scaled term or addend, at least ExponentFloor
//     aligned .. packed    as in tensorsmith_fused
//
// Combinational where Cuts is 0. Only the parameters of a unit are set; every width is derived from them below. A set of
// parameters that makes no unit does not elaborate: it asks for a module whose name, tensorsmith_error_..., says why.

module tensorsmith_block_scaled #(
    parameter int Products  = 32,  // L: products summed at once
    parameter int BlockSize = 16,  // products that share a scale of a and a scale of b
    parameter int GroupSize = 0,   // products that are summed exactly before they are scaled and aligned; 0: none are

    // Formats of a and b. NonFinite is 0: every encoding is finite, 1: IEEE 754 infinities and NaN, 2: all ones is NaN,
    // no infinity (OCP e4m3), 3: the encoding of minus zero is NaN, no infinity (FNUZ).
    parameter int OperandASignBits     = 1,   // 0: unsigned
    parameter int OperandAExponentBits = 5,   // exponent field
    parameter int OperandAFractionBits = 10,  // trailing significand
    parameter int OperandAPaddingBits  = 0,   // ignored low bits
    parameter int OperandABias         = 15,  // exponent field of 1.0
    parameter int OperandANonFinite    = 1,
    parameter int OperandBSignBits     = 1,
    parameter int OperandBExponentBits = 5,
    parameter int OperandBFractionBits = 10,
    parameter int OperandBPaddingBits  = 0,
    parameter int OperandBBias         = 15,
    parameter int OperandBNonFinite    = 1,

    // Formats of the scales, which have no sign: without a fraction every number is a power of two, with one there are
    // zero and subnormals. NonFinite is 0 or 2.
    parameter int ScaleAExponentBits = 8,
    parameter int ScaleAFractionBits = 0,
    parameter int ScaleABias         = 127,
    parameter int ScaleANonFinite    = 2,
    parameter int ScaleBExponentBits = 8,
    parameter int ScaleBFractionBits = 0,
    parameter int ScaleBBias         = 127,
    parameter int ScaleBNonFinite    = 2,

    // Format of c.
    parameter int AddendSignBits     = 1,
    parameter int AddendExponentBits = 8,
    parameter int AddendFractionBits = 23,
    parameter int AddendPaddingBits  = 0,
    parameter int AddendBias         = 127,
    parameter int AddendNonFinite    = 1,

    // Format of d, which has a sign and a NaN.
    parameter int ResultExponentBits = 8,
    parameter int ResultFractionBits = 23,
    parameter int ResultPaddingBits  = 0,
    parameter int ResultBias         = 127,
    parameter int ResultNonFinite    = 1,

    // Alignment and sum.
    parameter int FractionBits      = 35,        // F: bits kept below the anchor
    parameter int AlignmentRounding = 0,         // as ResultRounding
    parameter int ExponentFloor     = -1000000,  // least anchor; below every term: none
    parameter int CarryBits         = -1,        // above the window's integer bits; -1: as many as any sum can need

    // Conversion.
    parameter int ResultRounding = 0,  // 0: toward zero, 1: to nearest even, 2: to nearest, ties away, 3: toward positive,
                                       // 4: toward negative, 5: to odd
    parameter int Overflow       = 1,  // 0: as IEEE 754 says for the rounding, 1: to infinity, 2: to the largest number
    parameter int FlushOperands  = 0,  // 1: subnormal a and b count as zero
    parameter int FlushAddend    = 0,  // 1: so does a subnormal c
    parameter int FlushResult    = 0,  // 1: a subnormal result becomes zero
    parameter int ZeroNegative   = 0,  // 1: an exact zero sum is -0
    parameter int RoundedZero    = 0,  // of another sum that is rounded or flushed to zero; 0: sign of the sum, 1: plus

    // 0: additions for carry chains, as FPGAs have them; 1: carry-save rows and a prefix network.
    parameter int Target = 0,

    // Places of registers, a bit each; d comes as many enabled clock edges after its operands. Bits: 0 input, 1 product,
    // 2 anchor, 3 distance, 4 aligned, 5 within the sum, 6 sum, 7 magnitude, 8 shift, 9 result, 10 scaled.
    parameter  int Cuts    = 0,
    localparam int Latency = $countones(Cuts),

    localparam int OperandAWidth = OperandASignBits + OperandAExponentBits + OperandAFractionBits + OperandAPaddingBits,
    localparam int OperandBWidth = OperandBSignBits + OperandBExponentBits + OperandBFractionBits + OperandBPaddingBits,
    localparam int Scales        = Products / BlockSize,  // scales of a, and as many of b
    localparam int ScaleAWidth   = ScaleAExponentBits + ScaleAFractionBits,
    localparam int ScaleBWidth   = ScaleBExponentBits + ScaleBFractionBits,
    localparam int AddendWidth   = AddendSignBits + AddendExponentBits + AddendFractionBits + AddendPaddingBits,
    localparam int ResultWidth   = 1 + ResultExponentBits + ResultFractionBits + ResultPaddingBits,

    parameter logic [ResultWidth-1:0] NanWord = {ResultWidth{1'b1}} >> 1  // every NaN result
) (
    input  logic                              clk_i,   // rising edge
    input  logic                              ce_i,    // 1: registers take their values
    input  logic [Products*OperandAWidth-1:0] a_i,        // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,        // b, element 0 in the lowest bits
    input  logic [Scales*ScaleAWidth-1:0]     scale_a_i,  // scales of a, block 0 in the lowest bits
    input  logic [Scales*ScaleBWidth-1:0]     scale_b_i,  // scales of b, block 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,        // c, which has no scale
    output logic [ResultWidth-1:0]            d_o         // d
);

  function automatic int max(input int x, input int y);
    max = x > y ? x : y;
  endfunction

  function automatic int min(input int x, input int y);
    min = x < y ? x : y;
  endfunction

  // Bits of the narrowest two's complement number that holds low to high.
  function automatic int signed_width(input int low, input int high);
    signed_width = 1 + max($clog2(low < 0 ? -low : low + 1), $clog2(high < 0 ? -high : high + 1));
  endfunction

  // ---------------------------------------------------------------------------------------------- widths

  // Significands with their hidden bits; exponents: the least, which subnormals share, and that of an all-ones field.
  localparam int OperandAPrecision   = OperandAFractionBits + 1;
  localparam int OperandBPrecision   = OperandBFractionBits + 1;
  localparam int AddendPrecision     = AddendFractionBits + 1;
  localparam int OperandAExponentMin = 1 - OperandABias;
  localparam int OperandBExponentMin = 1 - OperandBBias;
  localparam int AddendExponentMin   = 1 - AddendBias;
  localparam int ResultExponentMin   = 1 - ResultBias;
  localparam int OperandAExponentMax = (1 << OperandAExponentBits) - 1 - OperandABias;
  localparam int OperandBExponentMax = (1 << OperandBExponentBits) - 1 - OperandBBias;
  localparam int AddendExponentMax   = (1 << AddendExponentBits) - 1 - AddendBias;

  // Scales: exponents, and what a scale adds to a significand and to its integer bits: nothing, if it is a power of two.
  localparam int ScaleAPrecision   = ScaleAFractionBits + 1;
  localparam int ScaleBPrecision   = ScaleBFractionBits + 1;
  localparam int ScaleAExponentMin = (ScaleAFractionBits > 0 ? 1 : 0) - ScaleABias;
  localparam int ScaleBExponentMin = (ScaleBFractionBits > 0 ? 1 : 0) - ScaleBBias;
  localparam int ScaleAExponentMax = (1 << ScaleAExponentBits) - 1 - ScaleABias;
  localparam int ScaleBExponentMax = (1 << ScaleBExponentBits) - 1 - ScaleBBias;
  localparam int ScaleABits        = ScaleAFractionBits > 0 ? ScaleAPrecision : 0;
  localparam int ScaleBBits        = ScaleBFractionBits > 0 ? ScaleBPrecision : 0;
  localparam int ScaleIntegerBits  = (ScaleAFractionBits > 0 ? 1 : 0) + (ScaleBFractionBits > 0 ? 1 : 0);

  // Products: two integer bits, the others fraction. Zero products carry the least exponent.
  localparam int ProductWidth        = OperandAPrecision + OperandBPrecision;
  localparam int ProductIntegerBits  = 2;
  localparam int ProductExponentMin  = OperandAExponentMin + OperandBExponentMin;
  localparam int ProductExponentMax  = OperandAExponentMax + OperandBExponentMax;
  localparam int ProductExponentSpan = ProductExponentMax - ProductExponentMin;

  // Groups: exact sums of products in units of the lowest product's last place; or each product by itself.
  localparam int Grouped             = GroupSize > 0 ? 1 : 0;
  localparam int Groups              = Grouped != 0 ? Products / GroupSize : Products;
  localparam int GroupCarryBits      = Grouped != 0 ? $clog2(GroupSize) : 0;
  localparam int GroupSumWidth       = 1 + GroupCarryBits + ProductWidth + ProductExponentSpan;
  localparam int GroupMagnitudeWidth = Grouped != 0 ? GroupSumWidth - 1 : ProductWidth;
  localparam int GroupFractionBits   = OperandAFractionBits + OperandBFractionBits - (Grouped != 0 ? ProductExponentMin : 0);
  localparam int GroupIntegerBits    = Grouped != 0 ? max(GroupMagnitudeWidth - GroupFractionBits, 0) : ProductIntegerBits;

  // Scaled terms. The exponents of a group's elements are spent in its sum, so that only those of the scales are left.
  localparam int TermCount           = Groups + 1;
  localparam int ScaledWidth         = GroupMagnitudeWidth + ScaleABits + ScaleBBits;
  localparam int IntegerBits         = GroupIntegerBits + ScaleIntegerBits;
  localparam int ScaledFractionBits  = ScaledWidth - IntegerBits;
  localparam int ScaledExponentMin   = (Grouped != 0 ? 0 : ProductExponentMin) + ScaleAExponentMin + ScaleBExponentMin;
  localparam int ScaledExponentMax   = (Grouped != 0 ? 0 : ProductExponentMax) + ScaleAExponentMax + ScaleBExponentMax;
  localparam int TermExponentMin     = min(ScaledExponentMin, AddendExponentMin);
  localparam int TermExponentMax     = max(ScaledExponentMax, AddendExponentMax);
  // The least anchor; zero terms carry it. It takes a place of its own in the maximum where a nonzero term can lie below.
  localparam int AnchorFloor         = max(ExponentFloor, TermExponentMin);
  localparam int FloorActs           = AnchorFloor > TermExponentMin ? 1 : 0;

  // Window: what is kept of a term. F + GuardBits hold the longest fraction until the shift.
  //
  //     exponent      anchor+1 anchor . anchor-1  ...  anchor-F | anchor-F-1 ... anchor-F-G
  //     window           integer bits .      F fraction bits    |  G guard bits, cut at alignment
  //     sum     sign, carry bits, window
  localparam int F                = FractionBits;
  localparam int LongestFraction  = max(ScaledFractionBits, AddendFractionBits);
  localparam int GuardBits        = max(LongestFraction - F, 0);
  localparam int ScaledPlaceLeft  = F + GuardBits - ScaledFractionBits;
  localparam int AddendPlaceLeft  = F + GuardBits - AddendFractionBits;
  localparam int WindowWidth      = IntegerBits + F;
  // Sign, carry of a term that is rounded up, window.
  localparam int RoundsUp         = AlignmentRounding == 0 || AlignmentRounding == 5 ? 0 : 1;
  localparam int AlignedWidth     = 1 + RoundsUp + WindowWidth;

  // Sum. Terms that are cut stay below 2^WindowWidth; one that is rounded up can reach it.
  localparam int CarryBitsEnough = $clog2(TermCount + RoundsUp);
  localparam int SumCarryBits    = CarryBits < 0 ? CarryBitsEnough : CarryBits;
  localparam int SumWidth        = 1 + SumCarryBits + WindowWidth;
  // Without the sign; with too few carry bits the sum can be its own negative, which takes one bit more.
  localparam int MagnitudeWidth  = SumCarryBits < CarryBitsEnough ? SumWidth : SumWidth - 1;

  // Normalised: zeros above the magnitude, so that a result at d's least exponent needs no shift to the right, and zeros
  // below it, so that the rounding has two bits to discard.
  localparam int TopExponent       = MagnitudeWidth - 1 - F;  // weight of the magnitude's top bit, from the anchor
  localparam int HeadroomBits      = max(ResultExponentMin - (AnchorFloor + TopExponent), 0);
  localparam int PadBits           = max(ResultFractionBits + 3 - (HeadroomBits + MagnitudeWidth), 0);
  localparam int NormalisedWidth   = HeadroomBits + MagnitudeWidth + PadBits;
  localparam int TopExponentOffset = TopExponent + HeadroomBits;

  // Two's complement of every exponent here.
  localparam int ExponentLowest  = min(min(min(TermExponentMin, ResultExponentMin), ProductExponentMin),
                                       min(min(OperandAExponentMin, OperandBExponentMin),
                                           min(ScaleAExponentMin, ScaleBExponentMin)));
  localparam int ExponentHighest = max(max(max(TermExponentMax, AnchorFloor) + max(TopExponentOffset, 0), ProductExponentMax),
                                       max(max(OperandAExponentMax, OperandBExponentMax),
                                           max(ScaleAExponentMax, ScaleBExponentMax)));
  localparam int ExponentWidth   = signed_width(ExponentLowest, ExponentHighest);
  // Exponent fields of the result as if they had room, with a carry.
  localparam int FieldWidth = (ExponentWidth > ResultExponentBits ? ExponentWidth : ResultExponentBits) + 1;

  // Encodings of d without sign and padding.
  localparam int HasInfinity     = ResultNonFinite == 1 ? 1 : 0;
  localparam int HasNegativeZero = ResultNonFinite == 3 ? 0 : 1;
  localparam int EncodedWidth    = ResultExponentBits + ResultFractionBits;
  localparam logic [EncodedWidth-1:0] AllOnes           = {EncodedWidth{1'b1}};
  localparam logic [EncodedWidth-1:0] InfinityMagnitude = AllOnes << ResultFractionBits;
  localparam logic [EncodedWidth-1:0] MaximumFinite     = ResultNonFinite == 1 ? InfinityMagnitude - 1'b1
                                                        : ResultNonFinite == 2 ? AllOnes - 1'b1
                                                        :                        AllOnes;
  // What overflows becomes infinity: a positive result, a negative one.
  localparam int OverflowInfinityPositive = Overflow == 1 || (Overflow == 0 && ResultRounding >= 1 && ResultRounding <= 3) ? 1 : 0;
  localparam int OverflowInfinityNegative = Overflow == 1 || (Overflow == 0 && (ResultRounding == 1 || ResultRounding == 2
                                                                             || ResultRounding == 4)) ? 1 : 0;

  // The highest exponent of a finite product, and of a term; and the lowest place of a product.
  localparam int FiniteA      = max(OperandAExponentMax - (OperandANonFinite == 1 ? 1 : 0), OperandAExponentMin);
  localparam int FiniteB      = max(OperandBExponentMax - (OperandBNonFinite == 1 ? 1 : 0), OperandBExponentMin);
  localparam int FiniteScales = ScaleAExponentMax - (ScaleANonFinite == 2 && ScaleAFractionBits == 0 ? 1 : 0)
                              + ScaleBExponentMax - (ScaleBNonFinite == 2 && ScaleBFractionBits == 0 ? 1 : 0);
  localparam int FiniteTerm   = max((Grouped != 0 ? 0 : FiniteA + FiniteB) + FiniteScales,
                                    AddendExponentMax - (AddendNonFinite == 1 ? 1 : 0));
  localparam int ProductPlace = ProductExponentMin - OperandAFractionBits - OperandBFractionBits;

  // Whether NanWord is a NaN of d.
  localparam logic [EncodedWidth-1:0] NanMagnitude = EncodedWidth'(NanWord >> ResultPaddingBits);
  localparam int IsNan = ResultNonFinite == 1 ? (NanMagnitude > InfinityMagnitude ? 1 : 0)
                       : ResultNonFinite == 2 ? (NanMagnitude == AllOnes ? 1 : 0)
                       : (NanMagnitude == '0 && NanWord[ResultWidth-1] ? 1 : 0);

  // ---------------------------------------------------------------------------------------------- guards

  if (Products < 1 || Products > 64) begin : gen_error_products_are_1_to_64
    tensorsmith_error_products_are_1_to_64 u_error ();
  end
  if (BlockSize < 1 || Products % BlockSize != 0) begin : gen_error_block_size_divides_products
    tensorsmith_error_block_size_divides_products u_error ();
  end
  if (GroupSize < 0 || (GroupSize > 0 && BlockSize % GroupSize != 0)) begin : gen_error_group_size_divides_block_size
    tensorsmith_error_group_size_divides_block_size u_error ();
  end
  if (Grouped != 0 && GroupSumWidth > 128) begin : gen_error_group_sum_is_wider_than_128_bits
    tensorsmith_error_group_sum_is_wider_than_128_bits u_error ();
  end
  if (Grouped != 0 && (ProductPlace > 0 || FiniteA + FiniteB < 0)) begin : gen_error_groups_need_products_around_1
    tensorsmith_error_groups_need_products_around_1 u_error ();
  end
  if (ResultExponentBits < 1 || ResultExponentBits > 11 || ResultFractionBits < 1 || ResultFractionBits > 52 || ResultPaddingBits < 0 || ResultPaddingBits > 32) begin : gen_error_result_fields_have_1_to_11_1_to_52_and_0_to_32_bits
    tensorsmith_error_result_fields_have_1_to_11_1_to_52_and_0_to_32_bits u_error ();
  end
  if (ResultNonFinite < 1 || ResultNonFinite > 3) begin : gen_error_result_needs_a_nan
    tensorsmith_error_result_needs_a_nan u_error ();
  end
  if (IsNan == 0) begin : gen_error_nan_word_is_no_nan
    tensorsmith_error_nan_word_is_no_nan u_error ();
  end
  if (ResultRounding < 0 || ResultRounding > 5) begin : gen_error_result_rounding_is_0_to_5
    tensorsmith_error_result_rounding_is_0_to_5 u_error ();
  end
  if (Overflow < 0 || Overflow > 2) begin : gen_error_overflow_is_0_to_2
    tensorsmith_error_overflow_is_0_to_2 u_error ();
  end
  if (FractionBits < 1 || FractionBits > 100) begin : gen_error_fraction_bits_kept_are_1_to_100
    tensorsmith_error_fraction_bits_kept_are_1_to_100 u_error ();
  end
  if (AlignmentRounding < 0 || AlignmentRounding > 5) begin : gen_error_alignment_rounding_is_0_to_5
    tensorsmith_error_alignment_rounding_is_0_to_5 u_error ();
  end
  if (AnchorFloor > FiniteTerm) begin : gen_error_exponent_floor_is_above_every_term
    tensorsmith_error_exponent_floor_is_above_every_term u_error ();
  end
  if ((ZeroNegative != 0 || RoundedZero != 0) && ResultNonFinite == 3) begin : gen_error_result_has_no_minus_zero
    tensorsmith_error_result_has_no_minus_zero u_error ();
  end
  if (CarryBits < -1 || CarryBits > CarryBitsEnough + 1) begin : gen_error_carry_bits_are_more_than_one_too_many
    tensorsmith_error_carry_bits_are_more_than_one_too_many u_error ();
  end
  if (NormalisedWidth > 1020 || WindowWidth + GuardBits > 1020 || SumWidth > 1020) begin : gen_error_sum_is_wider_than_1020_bits
    tensorsmith_error_sum_is_wider_than_1020_bits u_error ();
  end
  if ((FlushResult != 0 && FlushResult != 1) || (ZeroNegative != 0 && ZeroNegative != 1)
      || (RoundedZero != 0 && RoundedZero != 1)) begin : gen_error_choices_are_0_or_1
    tensorsmith_error_choices_are_0_or_1 u_error ();
  end
  if (Target != 0 && Target != 1) begin : gen_error_target_is_0_or_1
    tensorsmith_error_target_is_0_or_1 u_error ();
  end
  if (Cuts < 0 || Cuts >= 2048) begin : gen_error_cuts_are_places_of_this_module
    tensorsmith_error_cuts_are_places_of_this_module u_error ();
  end

  // ---------------------------------------------------------------------------------------------- cuts

  localparam int CutInput        = (Cuts >> 0) & 1;
  localparam int CutProduct      = (Cuts >> 1) & 1;
  localparam int CutAnchor       = (Cuts >> 2) & 1;
  localparam int CutDistance     = (Cuts >> 3) & 1;
  localparam int CutAligned      = (Cuts >> 4) & 1;
  localparam int CutTree         = (Cuts >> 5) & 1;
  localparam int CutSum          = (Cuts >> 6) & 1;
  localparam int CutMagnitude    = (Cuts >> 7) & 1;
  localparam int CutShift        = (Cuts >> 8) & 1;
  localparam int CutResult       = (Cuts >> 9) & 1;
  localparam int CutScaled       = (Cuts >> 10) & 1;

  logic [Products*OperandAWidth-1:0] a;  // the operands, cut
  logic [Products*OperandBWidth-1:0] b;
  logic [Scales*ScaleAWidth-1:0]     scale_a;
  logic [Scales*ScaleBWidth-1:0]     scale_b;
  logic [AddendWidth-1:0]            c;

  tensorsmith_delay #(
      .Width  (Products*(OperandAWidth + OperandBWidth) + Scales*(ScaleAWidth + ScaleBWidth) + AddendWidth),
      .Latency(CutInput)
  ) u_input (
      .clk_i  (clk_i),
      .ce_i   (ce_i),
      .value_i({a_i, b_i, scale_a_i, scale_b_i, c_i}),
      .value_o({a, b, scale_a, scale_b, c})
  );

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
        .FlushSubnormals(FlushOperands),
        .ExponentWidth  (ExponentWidth)
    ) u_unpack_a (
        .operand_i    (a[i*OperandAWidth +: OperandAWidth]),
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
        .FlushSubnormals(FlushOperands),
        .ExponentWidth  (ExponentWidth)
    ) u_unpack_b (
        .operand_i    (b[i*OperandBWidth +: OperandBWidth]),
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
      .FlushSubnormals(FlushAddend),
      .ExponentWidth  (ExponentWidth)
  ) u_unpack_c (
      .operand_i    (c),
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
        .scale_i      (scale_a[s*ScaleAWidth +: ScaleAWidth]),
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
        .scale_i      (scale_b[s*ScaleBWidth +: ScaleBWidth]),
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
        .ExponentFloor    (ProductExponentMin)
    ) u_product (
        .a_negative_i   (unpacked_a_negative[i]),
        .a_exponent_i   (unpacked_a_exponent[i*ExponentWidth +: ExponentWidth]),
        .a_significand_i(unpacked_a_significand[i*OperandAPrecision +: OperandAPrecision]),
        .a_zero_i       (unpacked_a_zero[i]),
        .b_negative_i   (unpacked_b_negative[i]),
        .b_exponent_i   (unpacked_b_exponent[i*ExponentWidth +: ExponentWidth]),
        .b_significand_i(unpacked_b_significand[i*OperandBPrecision +: OperandBPrecision]),
        .b_zero_i       (unpacked_b_zero[i]),
        .negative_o     (product_negative[i]),
        .exponent_o     (product_exponent[i*ExponentWidth +: ExponentWidth]),
        .significand_o  (product_significand[i*ProductWidth +: ProductWidth])
    );
  end

  logic [Products-1:0]               factor_negative;  // products, cut
  logic [Products*ExponentWidth-1:0] factor_exponent;
  logic [Products*ProductWidth-1:0]  factor_significand;
  logic [Scales*ExponentWidth-1:0]   factor_scale_a_exponent;
  logic [Scales*ScaleAPrecision-1:0] factor_scale_a_significand;
  logic [Scales*ExponentWidth-1:0]   factor_scale_b_exponent;
  logic [Scales*ScaleBPrecision-1:0] factor_scale_b_significand;

  tensorsmith_delay #(
      .Width  (Products*(1 + ExponentWidth + ProductWidth)),
      .Latency(CutProduct)
  ) u_product_cut (
      .clk_i  (clk_i),
      .ce_i   (ce_i),
      .value_i({product_negative, product_exponent, product_significand}),
      .value_o({factor_negative, factor_exponent, factor_significand})
  );

  tensorsmith_delay #(
      .Width  (Scales*(2*ExponentWidth + ScaleAPrecision + ScaleBPrecision)),
      .Latency(CutProduct)
  ) u_scale_cut (
      .clk_i  (clk_i),
      .ce_i   (ce_i),
      .value_i({unpacked_scale_a_exponent, unpacked_scale_a_significand, unpacked_scale_b_exponent, unpacked_scale_b_significand}),
      .value_o({factor_scale_a_exponent, factor_scale_a_significand, factor_scale_b_exponent, factor_scale_b_significand})
  );

  // Groups; group g holds the products from g * GroupSize on.
  logic [Groups-1:0]                     group_negative;
  logic [Groups*ExponentWidth-1:0]       group_exponent;
  logic [Groups*GroupMagnitudeWidth-1:0] group_magnitude;

  if (Grouped != 0) begin : gen_grouped
    logic unused_exponents;  // spent in the sums

    assign unused_exponents = ^group_exponent;
    assign group_exponent   = '0;

    for (genvar g = 0; g < Groups; g++) begin : gen_group
      tensorsmith_group_sum #(
          .Count           (GroupSize),
          .SignificandWidth(ProductWidth),
          .ExponentWidth   (ExponentWidth),
          .ExponentMin     (ProductExponentMin),
          .ExponentSpan    (ProductExponentSpan),
          .SumWidth        (GroupSumWidth)
      ) u_group_sum (
          .negative_i   (factor_negative[g*GroupSize +: GroupSize]),
          .exponent_i   (factor_exponent[g*GroupSize*ExponentWidth +: GroupSize*ExponentWidth]),
          .significand_i(factor_significand[g*GroupSize*ProductWidth +: GroupSize*ProductWidth]),
          .negative_o   (group_negative[g]),
          .magnitude_o  (group_magnitude[g*GroupMagnitudeWidth +: GroupMagnitudeWidth])
      );
    end
  end else begin : gen_products_alone
    assign group_negative  = factor_negative;
    assign group_exponent  = factor_exponent;
    assign group_magnitude = factor_significand;
  end

  // Scaled terms: the exponents of both scales are added, their significands multiplied.
  logic [Groups-1:0]               scaled_negative;
  logic [Groups*ExponentWidth-1:0] scaled_exponent;
  logic [Groups*ScaledWidth-1:0]   scaled_significand;

  assign scaled_negative = group_negative;

  for (genvar g = 0; g < Groups; g++) begin : gen_scaled
    // The block of the group.
    localparam int Block = g * (Products / Groups) / BlockSize;

    tensorsmith_scale #(
        .Width        (GroupMagnitudeWidth),
        .ScaleAWidth  (ScaleAPrecision),
        .ScaleBWidth  (ScaleBPrecision),
        .TermWidth    (ScaledWidth),
        .ExponentWidth(ExponentWidth),
        .ExponentFloor(AnchorFloor)
    ) u_scale (
        .exponent_i           (group_exponent[g*ExponentWidth +: ExponentWidth]),
        .significand_i        (group_magnitude[g*GroupMagnitudeWidth +: GroupMagnitudeWidth]),
        .scale_a_exponent_i   (factor_scale_a_exponent[Block*ExponentWidth +: ExponentWidth]),
        .scale_a_significand_i(factor_scale_a_significand[Block*ScaleAPrecision +: ScaleAPrecision]),
        .scale_b_exponent_i   (factor_scale_b_exponent[Block*ExponentWidth +: ExponentWidth]),
        .scale_b_significand_i(factor_scale_b_significand[Block*ScaleBPrecision +: ScaleBPrecision]),
        .exponent_o           (scaled_exponent[g*ExponentWidth +: ExponentWidth]),
        .significand_o        (scaled_significand[g*ScaledWidth +: ScaledWidth])
    );
  end

  // ---------------------------------------------------------------------------------------------- special, addend

  logic special_nan;
  logic special_infinite;
  logic special_negative;
  logic late_nan;         // beside the result
  logic late_infinite;
  logic late_negative;

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

  tensorsmith_delay #(
      .Width  (3),
      .Latency(Latency - CutInput - CutResult)
  ) u_special_cut (
      .clk_i  (clk_i),
      .ce_i   (ce_i),
      .value_i({special_nan, special_infinite, special_negative}),
      .value_o({late_nan, late_infinite, late_negative})
  );

  logic [ExponentWidth-1:0] addend_exponent;  // that of a zero never raises the anchor

  tensorsmith_addend #(
      .ExponentWidth(ExponentWidth),
      .ExponentFloor(AnchorFloor)
  ) u_addend (
      .zero_i    (unpacked_c_zero),
      .exponent_i(unpacked_c_exponent),
      .exponent_o(addend_exponent)
  );

  logic [Groups-1:0]               term_negative;     // scaled terms, cut
  logic [Groups*ExponentWidth-1:0] term_exponent;
  logic [Groups*ScaledWidth-1:0]   term_significand;
  logic                              c_negative;       // the addend beside them
  logic [ExponentWidth-1:0]          c_exponent;
  logic [AddendPrecision-1:0]        c_significand;

  tensorsmith_delay #(
      .Width  (Groups*(1 + ExponentWidth + ScaledWidth)),
      .Latency(CutScaled)
  ) u_scaled_cut (
      .clk_i  (clk_i),
      .ce_i   (ce_i),
      .value_i({scaled_negative, scaled_exponent, scaled_significand}),
      .value_o({term_negative, term_exponent, term_significand})
  );

  tensorsmith_delay #(
      .Width  (1 + ExponentWidth + AddendPrecision),
      .Latency(CutProduct + CutScaled)
  ) u_c (
      .clk_i  (clk_i),
      .ce_i   (ce_i),
      .value_i({unpacked_c_negative, addend_exponent, unpacked_c_significand}),
      .value_o({c_negative, c_exponent, c_significand})
  );

  // ---------------------------------------------------------------------------------------------- anchor, aligned, sum

  logic [ExponentWidth-1:0]          anchor;
  logic [TermCount*AlignedWidth-1:0] aligned;          // scaled terms first, the addend on top
  logic [SumWidth-1:0]               sum;
  logic [SumWidth-1:0]               less;  // the sum less one, for Target 1
  logic                              unused_aligned;   // for whoever looks at stages
  logic                              unused_dropped;   // the addend always counts

  assign unused_aligned = ^aligned;

  //     placed     | integer | fraction | 0 .. 0 |      PlaceLeft zeros, F + GuardBits fraction bits
  //     shifted    | 0 .... 0 | integer | fraction |    to the right by anchor - exponent; GuardBits and lower are cut
  tensorsmith_aligned_sum #(
      .Count           (Groups),
      .SignificandWidth(ScaledWidth),
      .PlaceLeft       (ScaledPlaceLeft),
      .AddendWidth     (AddendPrecision),
      .AddendPlaceLeft (AddendPlaceLeft),
      .GuardBits       (GuardBits),
      .ExponentWidth   (ExponentWidth),
      .ExponentFloor   (AnchorFloor),
      .FloorActs       (FloorActs),
      .AlignedWidth    (AlignedWidth),
      .Rounding        (AlignmentRounding),
      .SumWidth        (SumWidth),
      .Target          (Target),
      .CutAnchor       (CutAnchor),
      .CutDistance     (CutDistance),
      .CutAligned      (CutAligned),
      .CutTree         (CutTree),
      .CutSum          (CutSum)
  ) u_sum (
      .clk_i               (clk_i),
      .ce_i                (ce_i),
      .negative_i          (term_negative),
      .exponent_i          (term_exponent),
      .significand_i       (term_significand),
      .addend_negative_i   (c_negative),
      .addend_exponent_i   (c_exponent),
      .addend_significand_i(c_significand),
      .anchor_o            (anchor),
      .aligned_o           (aligned),
      .addend_dropped_o    (unused_dropped),
      .sum_o               (sum),
      .less_o              (less)
  );

  // ---------------------------------------------------------------------------------------------- normalised

  logic                       normalised_negative;
  logic [ExponentWidth-1:0]   normalised_exponent;
  logic [FieldWidth-1:0]      normalised_field;       // exponent field where the significand's top bit is one
  logic [NormalisedWidth-1:0] normalised_significand;
  logic                       normalised_zero;
  logic                       unused_exponent;    // for whoever looks at stages

  assign unused_exponent = ^normalised_exponent;

  tensorsmith_normalise #(
      .SumWidth         (SumWidth),
      .MagnitudeWidth   (MagnitudeWidth),
      .HeadroomBits     (HeadroomBits),
      .NormalisedWidth  (NormalisedWidth),
      .ExponentWidth    (ExponentWidth),
      .TopExponentOffset(TopExponentOffset),
      .CutMagnitude     (CutMagnitude),
      .CutShift         (CutShift),
      .Target           (Target),
      .FieldWidth       (FieldWidth),
      .ExponentMin      (ResultExponentMin)
  ) u_normalise (
      .clk_i        (clk_i),
      .ce_i         (ce_i),
      .sum_i        (sum),
      .less_i       (less),
      .anchor_i     (anchor),
      .negative_o   (normalised_negative),
      .exponent_o   (normalised_exponent),
      .field_o      (normalised_field),
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

  logic [ResultWidth-1:0] packed_word;

  tensorsmith_pack #(
      .FieldWidth              (FieldWidth),
      .ExponentBits            (ResultExponentBits),
      .FractionBits            (ResultFractionBits),
      .PaddingBits             (ResultPaddingBits),
      .FlushSubnormals         (FlushResult),
      .ZeroNegative            (ZeroNegative),
      .RoundedZero             (RoundedZero),
      .HasInfinity             (HasInfinity),
      .HasNegativeZero         (HasNegativeZero),
      .OverflowInfinityPositive(OverflowInfinityPositive),
      .OverflowInfinityNegative(OverflowInfinityNegative),
      .InfinityMagnitude       (InfinityMagnitude),
      .MaximumFinite           (MaximumFinite),
      .NanWord                 (NanWord)
  ) u_pack (
      .negative_i         (normalised_negative),
      .field_i            (normalised_field),
      .rounded_i          (rounded),
      .zero_i             (normalised_zero),
      .nan_i              (late_nan),
      .infinite_i         (late_infinite),
      .infinite_negative_i(late_negative),
      .d_o                (packed_word)
  );

  tensorsmith_delay #(
      .Width  (ResultWidth),
      .Latency(CutResult)
  ) u_result (
      .clk_i  (clk_i),
      .ce_i   (ce_i),
      .value_i(packed_word),
      .value_o(d_o)
  );

endmodule
