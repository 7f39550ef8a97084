// SPDX-License-Identifier: MIT OR Apache-2.0
// Fused sum of products to which the addend is added afterwards (AMD CDNA3).
//
//     d = convert(c + dot),   dot = a[0]*b[0] + ... + a[Products-1]*b[Products-1]
//
//     unpacked      sign, exponent and significand of every operand; zeros, infinities and NaN are told by flags
//     product       exact; one beyond the binades of d can count as infinite
//     groups        products of even and odd index, or all: each aligned to the group's greatest exponent and summed
//     dot           the sums of groups at the greater of their anchors, in sign and magnitude
//     anchor        the greater exponent of dot and c, at least ExponentFloor
//     aligned       both in units of 2^(anchor - F); c may keep fewer bits, or none where it is out of reach
//     sum           of the two
//     normalised    its magnitude, the leading one on top; the last places may be cut, rounded downward
//     rounded .. packed    as in tensorsmith_fused
//
// Combinational where Cuts is 0. Only the parameters of a unit are set; every width is derived from them below. A set of
// parameters that makes no unit does not elaborate: it asks for a module whose name, tensorsmith_error_..., says why.

module tensorsmith_fused_then_add #(
    parameter int Products = 8,  // L: products summed at once
    parameter int Groups   = 1,  // 1: all products share an anchor; 2: those of even and those of odd index each have one

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

    // Products and their sum.
    parameter int DotFractionBits   = 24,        // bits of a product kept below its group's anchor
    parameter int ProductRounding   = 0,         // as ResultRounding
    parameter int NormaliseProducts = 0,         // 1: products are brought to [1, 2) first, else they lie in [1, 4)
    parameter int DotExponentFloor  = -1000000,  // least anchor of a group; below every term: none
    parameter int ProductOverflow   = 0,         // 1: a product beyond the binades of d is infinite

    // Addition of that sum and c.
    parameter int FractionBits       = 31,        // F: bits of the sum kept below the anchor
    parameter int AddendKeptBits     = 31,        // bits of c kept below the anchor, at most F
    parameter int AlignmentRounding  = 0,         // of both, and of groups where they meet; as ProductRounding
    parameter int ExponentFloor      = -1000000,  // least anchor; below every term: none
    parameter int AddendReach        = -1,        // c counts as zero where it lies further below the anchor; -1: never
    parameter int TotalFractionBits  = -1,        // bits of the total kept below its leading one, rounded downward; -1: all

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
    // 2 anchor, 3 distance, 4 aligned, 5 within the sum, 6 sum, 7 magnitude, 8 shift, 9 result, 10 sum of products, 11 anchor of
    // it and c, 12 both aligned.
    parameter  int Cuts    = 0,
    localparam int Latency = $countones(Cuts),

    localparam int OperandAWidth = OperandASignBits + OperandAExponentBits + OperandAFractionBits + OperandAPaddingBits,
    localparam int OperandBWidth = OperandBSignBits + OperandBExponentBits + OperandBFractionBits + OperandBPaddingBits,
    localparam int AddendWidth   = AddendSignBits + AddendExponentBits + AddendFractionBits + AddendPaddingBits,
    localparam int ResultWidth   = 1 + ResultExponentBits + ResultFractionBits + ResultPaddingBits,

    parameter logic [ResultWidth-1:0] NanWord = {ResultWidth{1'b1}} >> 1  // every NaN result
) (
    input  logic                              clk_i,   // rising edge
    input  logic                              ce_i,    // 1: registers take their values
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,  // c
    output logic [ResultWidth-1:0]            d_o   // d
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

  // Products: two integer bits unless they are normalised, the others fraction.
  localparam int ProductWidth        = OperandAPrecision + OperandBPrecision;
  localparam int ProductIntegerBits  = 2;
  localparam int ProductFractionBits = NormaliseProducts != 0 ? ProductWidth - 1 : ProductWidth - ProductIntegerBits;
  // Normalising raises an exponent by one, or lowers it to that of the last bit.
  localparam int ProductExponentMin  = OperandAExponentMin + OperandBExponentMin
                                     - (NormaliseProducts != 0 ? ProductWidth - 2 : 0);
  localparam int ProductExponentMax  = OperandAExponentMax + OperandBExponentMax + (NormaliseProducts != 0 ? 1 : 0);
  // The least anchor of a group; zero products carry it. It takes a place of its own where a nonzero one can lie below.
  localparam int ProductFloor        = max(DotExponentFloor, min(ProductExponentMin, AddendExponentMin));
  localparam int ProductFloorActs    = ProductFloor > ProductExponentMin ? 1 : 0;
  // Products of two to this power and above are infinite, where a finite one can be as large: it follows the binades of d.
  localparam int OverflowExponent    = (1 << ResultExponentBits) - (ResultNonFinite == 1 ? 1 : 0) - ResultBias;
  localparam int FiniteA             = max(OperandAExponentMax - (OperandANonFinite == 1 ? 1 : 0), OperandAExponentMin);
  localparam int FiniteB             = max(OperandBExponentMax - (OperandBNonFinite == 1 ? 1 : 0), OperandBExponentMin);
  localparam int ProductOverflows    = ProductOverflow != 0 && FiniteA + FiniteB + 2 > OverflowExponent ? 1 : 0;

  // Window of a group, and its sum.
  //
  //     product         ii.ffffff            cut at its group's anchor: DotFractionBits
  //     group      s ccc ii.ffffff           sum of the products of a group
  //     dot       s cccc ii.ffffff           sum of the groups, at the greater anchor
  localparam int ProductRoundsUp  = ProductRounding == 0 || ProductRounding == 5 ? 0 : 1;
  localparam int DotGuardBits     = max(ProductFractionBits - DotFractionBits, 0);
  localparam int ProductPlaceLeft = DotFractionBits + DotGuardBits - ProductFractionBits;
  localparam int DotWindowWidth   = ProductIntegerBits + DotFractionBits;
  localparam int DotAlignedWidth  = 1 + ProductRoundsUp + DotWindowWidth;
  localparam int GroupSize        = Products / Groups;
  localparam int GroupCarryBits   = $clog2(GroupSize + ProductRoundsUp);
  localparam int GroupSumWidth    = 1 + GroupCarryBits + DotWindowWidth;
  localparam int DotSumWidth      = GroupSumWidth + (Groups > 1 ? 1 : 0);
  localparam int DotWidth         = DotSumWidth - 1;
  localparam int DotExponentMin   = min(ProductExponentMin, ProductFloor);
  localparam int DotExponentMax   = max(ProductExponentMax, ProductFloor);

  // The terms of the addition: the sum of products, and c.
  localparam int TermCount        = 2;
  localparam int TermExponentMin  = min(DotExponentMin, AddendExponentMin);
  localparam int TermExponentMax  = max(DotExponentMax, AddendExponentMax);
  // The least anchor; a zero addend carries it. It takes a place of its own in the maximum where a term can lie below.
  localparam int AnchorFloor      = max(ExponentFloor, TermExponentMin);
  localparam int FloorActs        = AnchorFloor > TermExponentMin ? 1 : 0;
  // A reach as long as any distance is none.
  localparam int Reach            = AddendReach < max(TermExponentMax, AnchorFloor) - TermExponentMin ? AddendReach : -1;

  // Window: what is kept of a term. F + GuardBits hold the longest fraction until the shift.
  //
  //     exponent      anchor+1 anchor . anchor-1  ...  anchor-F | anchor-F-1 ... anchor-F-G
  //     window           integer bits .      F fraction bits    |  G guard bits, cut at alignment
  //     addend             0 1        .   its fraction | 0 .. 0 |  AddendCutBits zeros
  //     sum     sign, carry bits, window
  localparam int F                = FractionBits;
  localparam int IntegerBits      = DotWidth - DotFractionBits;
  localparam int AddendCutBits    = F - AddendKeptBits;
  localparam int LongestFraction  = max(DotFractionBits, AddendFractionBits);
  localparam int GuardBits        = max(LongestFraction - F, 0);
  localparam int DotPlaceLeft     = F + GuardBits - DotFractionBits;
  localparam int AddendPlaceLeft  = F + GuardBits - AddendFractionBits;
  localparam int WindowWidth      = IntegerBits + F;
  // Sign, carry of a term that is rounded up, window.
  localparam int RoundsUp         = AlignmentRounding == 0 || AlignmentRounding == 5 ? 0 : 1;
  localparam int AlignedWidth     = 1 + RoundsUp + WindowWidth;

  // Sum. Terms that are cut stay below 2^WindowWidth; one that is rounded up can reach it.
  localparam int CarryBitsEnough = $clog2(TermCount + RoundsUp);
  localparam int SumWidth        = 1 + CarryBitsEnough + WindowWidth;
  localparam int MagnitudeWidth  = SumWidth - 1;

  // Normalised: zeros above the magnitude, so that a result at d's least exponent needs no shift to the right, and zeros
  // below it, so that the rounding has two bits to discard.
  localparam int TopExponent       = MagnitudeWidth - 1 - F;  // weight of the magnitude's top bit, from the anchor
  localparam int HeadroomBits      = max(ResultExponentMin - (AnchorFloor + TopExponent), 0);
  localparam int PadBits           = max(ResultFractionBits + 3 - (HeadroomBits + MagnitudeWidth), 0);
  localparam int NormalisedWidth   = HeadroomBits + MagnitudeWidth + PadBits;
  localparam int TopExponentOffset = TopExponent + HeadroomBits;

  // Last places of the normalised total that are cut, if that can be more than the zeros below every sum.
  //
  //     total         1.fffffffffff | cut    normalised: TotalFractionBits
  localparam int TotalCut          = TotalFractionBits < 0 ? 0 : NormalisedWidth - 1 - TotalFractionBits;
  localparam int TotalCutBits      = TotalCut > PadBits ? TotalCut : 0;
  // Rounded up, the total can lie above the top of the window.
  localparam int TotalExponentMax  = TotalFractionBits < 0 ? TermExponentMax
                                   : max(TermExponentMax, ExponentFloor) + IntegerBits + CarryBitsEnough;

  // Two's complement of every exponent here.
  localparam int ExponentLowest  = min(min(min(TermExponentMin, ResultExponentMin), ProductExponentMin),
                                       min(OperandAExponentMin, OperandBExponentMin));
  localparam int ExponentHighest = max(max(max(TermExponentMax, AnchorFloor) + max(TopExponentOffset, 0), TotalExponentMax),
                                       max(OperandAExponentMax, OperandBExponentMax));
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

  // The highest exponent of a finite term.
  localparam int FiniteAddend = max(AddendExponentMax - (AddendNonFinite == 1 ? 1 : 0), AddendExponentMin);
  localparam int FiniteTerm   = max(FiniteA + FiniteB, FiniteAddend);

  // Whether NanWord is a NaN of d.
  localparam logic [EncodedWidth-1:0] NanMagnitude = EncodedWidth'(NanWord >> ResultPaddingBits);
  localparam int IsNan = ResultNonFinite == 1 ? (NanMagnitude > InfinityMagnitude ? 1 : 0)
                       : ResultNonFinite == 2 ? (NanMagnitude == AllOnes ? 1 : 0)
                       : (NanMagnitude == '0 && NanWord[ResultWidth-1] ? 1 : 0);

  // ---------------------------------------------------------------------------------------------- guards

  if (Products < 1 || Products > 64) begin : gen_error_products_are_1_to_64
    tensorsmith_error_products_are_1_to_64 u_error ();
  end
  if ((Groups != 1 && Groups != 2) || Products % Groups != 0) begin : gen_error_groups_are_1_or_2_and_divide_products
    tensorsmith_error_groups_are_1_or_2_and_divide_products u_error ();
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
  if (DotFractionBits < 1 || DotFractionBits > 100 || FractionBits < 1 || FractionBits > 100) begin : gen_error_fraction_bits_kept_are_1_to_100
    tensorsmith_error_fraction_bits_kept_are_1_to_100 u_error ();
  end
  if (AddendKeptBits < 1 || AddendKeptBits > FractionBits) begin : gen_error_addend_kept_bits_are_1_to_fraction_bits
    tensorsmith_error_addend_kept_bits_are_1_to_fraction_bits u_error ();
  end
  if (ProductRounding < 0 || ProductRounding > 5) begin : gen_error_product_rounding_is_0_to_5
    tensorsmith_error_product_rounding_is_0_to_5 u_error ();
  end
  if (TotalFractionBits < -1 || TotalFractionBits > 100) begin : gen_error_total_fraction_bits_are_0_to_100_or_all
    tensorsmith_error_total_fraction_bits_are_0_to_100_or_all u_error ();
  end
  if (AddendReach < -1 || AddendReach > 4400) begin : gen_error_addend_reach_is_0_to_4400_or_any
    tensorsmith_error_addend_reach_is_0_to_4400_or_any u_error ();
  end
  if (ProductFloor > max(FiniteA + FiniteB, FiniteAddend)) begin : gen_error_dot_exponent_floor_is_above_every_term
    tensorsmith_error_dot_exponent_floor_is_above_every_term u_error ();
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
  if (Cuts < 0 || Cuts >= 8192) begin : gen_error_cuts_are_places_of_this_module
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
  localparam int CutDot          = (Cuts >> 10) & 1;
  localparam int CutTotalAnchor  = (Cuts >> 11) & 1;
  localparam int CutTotalAligned = (Cuts >> 12) & 1;

  logic [Products*OperandAWidth-1:0] a;  // the operands, cut
  logic [Products*OperandBWidth-1:0] b;
  logic [AddendWidth-1:0]            c;

  tensorsmith_delay #(
      .Width  (Products*OperandAWidth + Products*OperandBWidth + AddendWidth),
      .Latency(CutInput)
  ) u_input (
      .clk_i  (clk_i),
      .ce_i   (ce_i),
      .value_i({a_i, b_i, c_i}),
      .value_o({a, b, c})
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
        .ExponentFloor    (ProductFloor)
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

  // Products that no finite result is as large as are infinite.
  logic [Products-1:0] product_overflow;

  if (ProductOverflows != 0) begin : gen_overflow
    for (genvar i = 0; i < Products; i++) begin : gen_product_overflow
      tensorsmith_product_overflow #(
          .SignificandWidth(ProductWidth),
          .FractionBits    (ProductFractionBits),
          .ExponentWidth   (ExponentWidth),
          .Limit           (OverflowExponent)
      ) u_product_overflow (
          .exponent_i   (product_exponent[i*ExponentWidth +: ExponentWidth]),
          .significand_i(product_significand[i*ProductWidth +: ProductWidth]),
          .overflow_o   (product_overflow[i])
      );
    end
  end else begin : gen_no_overflow
    assign product_overflow = '0;
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
      .a_nan_i     (unpacked_a_nan),
      .a_infinite_i(unpacked_a_infinite | product_overflow),
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

  logic [Products-1:0]               factor_negative;  // products, cut
  logic [Products*ExponentWidth-1:0] factor_exponent;
  logic [Products*ProductWidth-1:0]  factor_significand;

  tensorsmith_delay #(
      .Width  (Products*(1 + ExponentWidth + ProductWidth)),
      .Latency(CutProduct)
  ) u_product_cut (
      .clk_i  (clk_i),
      .ce_i   (ce_i),
      .value_i({product_negative, product_exponent, product_significand}),
      .value_o({factor_negative, factor_exponent, factor_significand})
  );

  // ---------------------------------------------------------------------------------------------- groups

  // Group g holds the products g, g + Groups, g + 2 * Groups and so on; they stand one behind the other in aligned_product.
  logic [Groups*ExponentWidth-1:0]     group_anchor;
  logic [Products*DotAlignedWidth-1:0] aligned_product;
  logic [Groups*GroupSumWidth-1:0]     group_sum;
  logic                                unused_aligned_product;  // for whoever looks at stages

  assign unused_aligned_product = ^aligned_product;

  //     placed     | integer | fraction | 0 .. 0 |      ProductPlaceLeft zeros, DotFractionBits + DotGuardBits fraction bits
  //     shifted    | 0 .... 0 | integer | fraction |    to the right by anchor - exponent; DotGuardBits and lower are cut
  for (genvar g = 0; g < Groups; g++) begin : gen_group
    logic [GroupSize-1:0]               negative;
    logic [GroupSize*ExponentWidth-1:0] exponent;
    logic [GroupSize*ProductWidth-1:0]  significand;
    logic                               unused_dropped;  // there is no addend
    logic [GroupSumWidth-1:0]           unused_less;

    for (genvar j = 0; j < GroupSize; j++) begin : gen_member
      // The product in the order of K.
      localparam int Index = j * Groups + g;

      assign negative[j]                               = factor_negative[Index];
      assign exponent[j*ExponentWidth +: ExponentWidth] = factor_exponent[Index*ExponentWidth +: ExponentWidth];
      assign significand[j*ProductWidth +: ProductWidth] = factor_significand[Index*ProductWidth +: ProductWidth];
    end

    tensorsmith_aligned_sum #(
        .Count           (GroupSize),
        .SignificandWidth(ProductWidth),
        .PlaceLeft       (ProductPlaceLeft),
        .HasAddend       (0),
        .AddendWidth     (1),
        .GuardBits       (DotGuardBits),
        .ExponentWidth   (ExponentWidth),
        .ExponentFloor   (ProductFloor),
        .FloorActs       (ProductFloorActs),
        .AlignedWidth    (DotAlignedWidth),
        .Rounding        (ProductRounding),
        .SumWidth        (GroupSumWidth),
        .CutAnchor       (CutAnchor),
        .CutDistance     (CutDistance),
        .CutAligned      (CutAligned),
        .CutTree         (CutTree),
        .CutSum          (CutSum)
    ) u_sum (
        .clk_i               (clk_i),
        .ce_i                (ce_i),
        .negative_i          (negative),
        .exponent_i          (exponent),
        .significand_i       (significand),
        .addend_negative_i   (1'b0),
        .addend_exponent_i   ({ExponentWidth{1'b0}}),
        .addend_significand_i(1'b0),
        .anchor_o            (group_anchor[g*ExponentWidth +: ExponentWidth]),
        .aligned_o           (aligned_product[g*GroupSize*DotAlignedWidth +: GroupSize*DotAlignedWidth]),
        .addend_dropped_o    (unused_dropped),
        .sum_o               (group_sum[g*GroupSumWidth +: GroupSumWidth]),
        .less_o              (unused_less)
    );
  end

  // ---------------------------------------------------------------------------------------------- dot

  // The sum of all products. It keeps the greatest anchor of the products, also where they cancel.
  logic [ExponentWidth-1:0]        dot_exponent;
  logic [DotSumWidth-1:0]          dot_sum;
  logic [Groups*GroupSumWidth-1:0] aligned_group;  // the sums of groups at the greater anchor
  logic                            unused_aligned_group;

  assign unused_aligned_group = ^aligned_group;

  if (Groups > 1) begin : gen_groups
    logic [Groups-1:0]                   negative;
    logic [Groups*(GroupSumWidth-1)-1:0] magnitude;
    logic                                unused_dropped;  // there is no addend
    logic [DotSumWidth-1:0]              unused_less;

    for (genvar g = 0; g < Groups; g++) begin : gen_magnitude
      logic [GroupSumWidth-1:0] group;

      assign group       = group_sum[g*GroupSumWidth +: GroupSumWidth];
      assign negative[g] = group[GroupSumWidth-1];
      assign magnitude[g*(GroupSumWidth-1) +: GroupSumWidth-1] = negative[g] ? (GroupSumWidth-1)'(-group)
                                                                             : (GroupSumWidth-1)'(group);
    end

    //     magnitude    | GroupSumWidth - 1 bits |               to the right by the distance of the anchors
    tensorsmith_aligned_sum #(
        .Count           (Groups),
        .SignificandWidth(GroupSumWidth - 1),
        .PlaceLeft       (0),
        .HasAddend       (0),
        .AddendWidth     (1),
        .ExponentWidth   (ExponentWidth),
        .AlignedWidth    (GroupSumWidth),
        .Rounding        (AlignmentRounding),
        .SumWidth        (DotSumWidth)
    ) u_sum (
        .clk_i               (clk_i),
        .ce_i                (ce_i),
        .negative_i          (negative),
        .exponent_i          (group_anchor),
        .significand_i       (magnitude),
        .addend_negative_i   (1'b0),
        .addend_exponent_i   ({ExponentWidth{1'b0}}),
        .addend_significand_i(1'b0),
        .anchor_o            (dot_exponent),
        .aligned_o           (aligned_group),
        .addend_dropped_o    (unused_dropped),
        .sum_o               (dot_sum),
        .less_o              (unused_less)
    );
  end else begin : gen_one_group
    assign dot_exponent  = group_anchor;
    assign dot_sum       = group_sum;
    assign aligned_group = group_sum;
  end

  // In sign and magnitude: the first of the two terms of the addition.
  logic                dot_negative;
  logic [DotWidth-1:0] dot_significand;

  assign dot_negative    = dot_sum[DotSumWidth-1];
  assign dot_significand = dot_negative ? DotWidth'(-dot_sum) : DotWidth'(dot_sum);

  logic                     total_negative;  // the sum of products, cut
  logic [ExponentWidth-1:0] total_anchor;
  logic [DotWidth-1:0]      total_products;
  logic                              c_negative;       // the addend beside it
  logic [ExponentWidth-1:0]          c_exponent;
  logic [AddendPrecision-1:0]        c_significand;

  tensorsmith_delay #(
      .Width  (1 + ExponentWidth + DotWidth),
      .Latency(CutDot)
  ) u_dot_cut (
      .clk_i  (clk_i),
      .ce_i   (ce_i),
      .value_i({dot_negative, dot_exponent, dot_significand}),
      .value_o({total_negative, total_anchor, total_products})
  );

  tensorsmith_delay #(
      .Width  (1 + ExponentWidth + AddendPrecision),
      .Latency(CutProduct + CutAnchor + CutDistance + CutAligned + CutTree + CutSum + CutDot)
  ) u_c (
      .clk_i  (clk_i),
      .ce_i   (ce_i),
      .value_i({unpacked_c_negative, addend_exponent, unpacked_c_significand}),
      .value_o({c_negative, c_exponent, c_significand})
  );

  // ---------------------------------------------------------------------------------------------- anchor, aligned, sum

  logic [ExponentWidth-1:0]          anchor;
  logic [TermCount*AlignedWidth-1:0] aligned;          // the sum of products first, the addend on top
  logic [SumWidth-1:0]               sum;
  logic [SumWidth-1:0]               less;  // the sum less one, for Target 1
  logic                              unused_aligned;   // for whoever looks at stages
  logic                              addend_dropped;   // it is out of reach, and counts as zero
  logic                              unused_dropped;   // for whoever looks at stages

  assign unused_aligned = ^aligned;
  assign unused_dropped = addend_dropped;

  //     placed     | integer | fraction | 0 .. 0 |      PlaceLeft zeros, F + GuardBits fraction bits
  //     shifted    | 0 .... 0 | integer | fraction |    to the right by anchor - exponent; GuardBits and lower are cut
  tensorsmith_aligned_sum #(
      .Count           (1),
      .SignificandWidth(DotWidth),
      .PlaceLeft       (DotPlaceLeft),
      .AddendWidth     (AddendPrecision),
      .AddendPlaceLeft (AddendPlaceLeft),
      .AddendCutBits   (AddendCutBits),
      .AddendReach     (Reach),
      .GuardBits       (GuardBits),
      .ExponentWidth   (ExponentWidth),
      .ExponentFloor   (AnchorFloor),
      .FloorActs       (FloorActs),
      .AlignedWidth    (AlignedWidth),
      .Rounding        (AlignmentRounding),
      .SumWidth        (SumWidth),
      .Target          (Target),
      .CutAnchor       (CutTotalAnchor),
      .CutAligned      (CutTotalAligned)
  ) u_sum (
      .clk_i               (clk_i),
      .ce_i                (ce_i),
      .negative_i          (total_negative),
      .exponent_i          (total_anchor),
      .significand_i       (total_products),
      .addend_negative_i   (c_negative),
      .addend_exponent_i   (c_exponent),
      .addend_significand_i(c_significand),
      .anchor_o            (anchor),
      .aligned_o           (aligned),
      .addend_dropped_o    (addend_dropped),
      .sum_o               (sum),
      .less_o              (less)
  );

  // ---------------------------------------------------------------------------------------------- normalised

  logic                       normalised_negative;
  logic [FieldWidth-1:0]      total_field;
  logic [ExponentWidth-1:0]   total_exponent;         // the total before its last places are cut
  logic [NormalisedWidth-1:0] total_significand;
  logic                       total_zero;
  logic [ExponentWidth-1:0]   normalised_exponent;
  logic [FieldWidth-1:0]      normalised_field;       // exponent field where the significand's top bit is one
  logic [NormalisedWidth-1:0] normalised_significand;
  logic                       normalised_zero;        // a total that is not zero can become zero
  logic                       unused_exponents;       // for whoever looks at stages

  assign unused_exponents = ^{total_exponent, normalised_exponent};

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
      .exponent_o   (total_exponent),
      .field_o      (total_field),
      .significand_o(total_significand),
      .zero_o       (total_zero)
  );

  if (TotalCutBits > 0) begin : gen_cut
    logic                     unused_whole;
    logic [ExponentWidth-1:0] offset;        // above the least exponent, never negative

    assign unused_whole     = ^{total_zero, total_field};
    assign offset           = normalised_exponent - ExponentWidth'(ResultExponentMin);
    assign normalised_field = FieldWidth'(offset) + FieldWidth'(1);

    tensorsmith_cut #(
        .NormalisedWidth(NormalisedWidth),
        .CutBits        (TotalCutBits),
        .ExponentWidth  (ExponentWidth)
    ) u_cut (
        .negative_i   (normalised_negative),
        .exponent_i   (total_exponent),
        .significand_i(total_significand),
        .exponent_o   (normalised_exponent),
        .significand_o(normalised_significand),
        .zero_o       (normalised_zero)
    );
  end else begin : gen_whole
    assign normalised_exponent    = total_exponent;
    assign normalised_field       = total_field;
    assign normalised_significand = total_significand;
    assign normalised_zero        = total_zero;
  end

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
