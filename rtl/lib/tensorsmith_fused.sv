// SPDX-License-Identifier: MIT OR Apache-2.0
// Fused sum of products: every term aligned to one exponent, one sum, one rounding.
//
//     d = convert(c + a[0]*b[0] + ... + a[Products-1]*b[Products-1])
//
//     unpacked      sign, exponent and significand of every operand; zeros, infinities and NaN are told by flags
//     product       exact: signs and exponents added, significands multiplied
//     anchor        the greatest exponent of a nonzero term, at least ExponentFloor; a product's is that of a plus that of b,
//                   a subnormal's the least of its format
//     aligned       each term in units of 2^(anchor - F), F = FractionBits: what lies below is rounded off there
//     sum           of the aligned terms, exact in as many carry bits as it needs, or modulo what CarryBits leaves
//     normalised    magnitude of the sum, its leading one on top, or lower where the result is subnormal
//     rounded       once, to the fraction of d
//     packed        encoded, or the NaN, infinity or zero that takes its place
//
// Combinational where Cuts is 0. Only the parameters of a unit are set; every width is derived from them below. A set of
// parameters that makes no unit does not elaborate: it asks for a module whose name, tensorsmith_error_..., says why.

module tensorsmith_fused #(
    parameter int Products = 4,  // L: products summed at once

    // Formats of a and b. NonFinite, of c and d too, is 0: every encoding is finite, 1: IEEE 754 infinities and NaN,
    // 2: exponent and fraction all ones is NaN, no infinity (OCP e4m3), 3: the encoding of minus zero is NaN, no infinity (FNUZ).
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
    parameter int HasAddend          = 1,  // 0: no addend, c_i is not read
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
    parameter int FractionBits      = 24,        // F: bits kept below the anchor, 1 to 100; -1: every bit of every term
    parameter int AlignmentRounding = 0,         // as ResultRounding
    parameter int NormaliseProducts = 0,         // 1: products are brought to [1, 2) first, else they lie in [1, 4)
    parameter int ExponentFloor     = -1000000,  // least anchor; no effect at or below the least exponent of a term
    parameter int CarryBits         = -1,        // above the window's integer bits; -1: as many as any sum can need

    // Conversion.
    parameter int ResultRounding = 0,  // 0: toward zero, 1: to nearest even, 2: to nearest, ties away, 3: toward positive,
                                       // 4: toward negative, 5: to odd
    parameter int Overflow       = 1,  // 0: as IEEE 754 says for the rounding, 1: to infinity, 2: to the largest number
    parameter int FlushOperands  = 0,  // 1: subnormal a and b count as zero
    parameter int FlushAddend    = 0,  // 1: so does a subnormal c
    parameter int FlushResult    = 0,  // 1: a subnormal result becomes zero
    parameter int ZeroNegative   = 0,  // sign of d where the aligned terms cancel or all are zero, whatever their signs; 1: minus
    parameter int RoundedZero    = 0,  // of another sum that is rounded or flushed to zero; 0: sign of the sum, 1: plus
    parameter int HasFlags       = 0,  // 0: flags_o is 0

    // 0: additions for carry chains, as FPGAs have them; 1: carry-save rows and a prefix network.
    parameter int Target = 0,

    // Places of registers, a bit each; d comes as many enabled clock edges after its operands. Bits: 0 input, 1 product,
    // 2 anchor, 3 distance, 4 aligned, 5 within the sum, 6 sum, 7 magnitude, 8 shift, 9 result.
    parameter  int Cuts    = 0,
    localparam int Latency = $countones(Cuts),

    localparam int OperandAWidth = OperandASignBits + OperandAExponentBits + OperandAFractionBits + OperandAPaddingBits,
    localparam int OperandBWidth = OperandBSignBits + OperandBExponentBits + OperandBFractionBits + OperandBPaddingBits,
    localparam int AddendWidth   = AddendSignBits + AddendExponentBits + AddendFractionBits + AddendPaddingBits,
    localparam int ResultWidth   = 1 + ResultExponentBits + ResultFractionBits + ResultPaddingBits,

    parameter logic [ResultWidth-1:0] NanWord = {ResultWidth{1'b1}} >> 1  // every NaN result, padding too
) (
    input  logic                              clk_i,   // rising edge
    input  logic                              ce_i,    // 1: registers take their values
    input  logic [Products*OperandAWidth-1:0] a_i,     // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,     // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,     // c
    output logic [ResultWidth-1:0]            d_o,     // d
    output logic [1:0]                        flags_o  // [1] invalid, [0] overflow
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
  localparam int TermCount           = Products + HasAddend;
  localparam int ProductWidth        = OperandAPrecision + OperandBPrecision;
  localparam int IntegerBits         = 2;
  localparam int ProductFractionBits = NormaliseProducts != 0 ? ProductWidth - 1 : ProductWidth - IntegerBits;
  // Normalising raises an exponent by one, or lowers it to that of the last bit.
  localparam int ProductExponentMin  = OperandAExponentMin + OperandBExponentMin
                                     - (NormaliseProducts != 0 ? ProductWidth - 2 : 0);
  localparam int ProductExponentMax  = OperandAExponentMax + OperandBExponentMax + (NormaliseProducts != 0 ? 1 : 0);
  localparam int TermExponentMin     = HasAddend != 0 ? min(ProductExponentMin, AddendExponentMin) : ProductExponentMin;
  localparam int TermExponentMax     = HasAddend != 0 ? max(ProductExponentMax, AddendExponentMax) : ProductExponentMax;
  // The least anchor, which zero terms count as. It takes a place of its own in the maximum where a nonzero term can lie below.
  localparam int AnchorFloor         = max(ExponentFloor, TermExponentMin);
  localparam int FloorActs           = AnchorFloor > TermExponentMin ? 1 : 0;

  // Exponents on their way to the anchor are biased as the sum of two fields is, so that a product's has few bits, none of them
  // a sign, and 0 is left for a zero product.
  localparam int ProductBias = OperandABias + OperandBBias + (NormaliseProducts != 0 ? ProductWidth - 2 : 0);
  localparam int BiasedWidth = $clog2(ProductExponentMax + ProductBias + 1);
  localparam int AnchorWidth = signed_width(TermExponentMin + ProductBias,
                                            max(TermExponentMax, AnchorFloor) + ProductBias);

  // Every bit of every term: from the highest exponent of a finite term down to the lowest place of all.
  localparam int FiniteA       = max(OperandAExponentMax - (OperandANonFinite == 1 ? 1 : 0), OperandAExponentMin);
  localparam int FiniteB       = max(OperandBExponentMax - (OperandBNonFinite == 1 ? 1 : 0), OperandBExponentMin);
  localparam int FiniteAddend  = max(AddendExponentMax - (AddendNonFinite == 1 ? 1 : 0), AddendExponentMin);
  localparam int FiniteTerm    = HasAddend != 0 ? max(FiniteA + FiniteB, FiniteAddend) : FiniteA + FiniteB;
  localparam int ProductPlace  = OperandAExponentMin + OperandBExponentMin - OperandAFractionBits - OperandBFractionBits;
  localparam int AddendPlace   = AddendExponentMin - AddendFractionBits;
  localparam int ExactFraction = FiniteTerm - (HasAddend != 0 ? min(ProductPlace, AddendPlace) : ProductPlace);

  // Window: what is kept of a term. F + GuardBits hold the longest fraction until the shift.
  //
  //     exponent      anchor+1 anchor . anchor-1  ...  anchor-F | anchor-F-1 ... anchor-F-G
  //     window           integer bits .      F fraction bits    |  G guard bits, cut at alignment
  //     sum     sign, carry bits, window
  localparam int F                = FractionBits < 0 ? ExactFraction : FractionBits;
  localparam int LongestFraction  = HasAddend != 0 ? max(ProductFractionBits, AddendFractionBits) : ProductFractionBits;
  localparam int GuardBits        = max(LongestFraction - F, 0);
  localparam int ProductPlaceLeft = F + GuardBits - ProductFractionBits;
  localparam int AddendPlaceLeft  = HasAddend != 0 ? F + GuardBits - AddendFractionBits : 0;
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
  localparam int ExponentLowest  = min(min(TermExponentMin, ResultExponentMin), min(OperandAExponentMin, OperandBExponentMin));
  localparam int ExponentHighest = max(max(TermExponentMax, AnchorFloor) + max(TopExponentOffset, 0),
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

  // Whether NanWord is a NaN of d.
  localparam logic [EncodedWidth-1:0] NanMagnitude = EncodedWidth'(NanWord >> ResultPaddingBits);
  localparam int IsNan = ResultNonFinite == 1 ? (NanMagnitude > InfinityMagnitude ? 1 : 0)
                       : ResultNonFinite == 2 ? (NanMagnitude == AllOnes ? 1 : 0)
                       : (NanMagnitude == '0 && NanWord[ResultWidth-1] ? 1 : 0);

  // ---------------------------------------------------------------------------------------------- guards

  if (Products < 1 || Products > 64) begin : gen_error_products_are_1_to_64
    tensorsmith_error_products_are_1_to_64 u_error ();
  end
  if ((HasAddend != 0 && HasAddend != 1) || (NormaliseProducts != 0 && NormaliseProducts != 1) || (HasFlags != 0 && HasFlags != 1)
      || (FlushResult != 0 && FlushResult != 1) || (ZeroNegative != 0 && ZeroNegative != 1)
      || (RoundedZero != 0 && RoundedZero != 1)) begin : gen_error_choices_are_0_or_1
    tensorsmith_error_choices_are_0_or_1 u_error ();
  end
  if (FractionBits == -1 && NormaliseProducts != 0) begin : gen_error_every_bit_is_kept_of_products_as_they_are
    tensorsmith_error_every_bit_is_kept_of_products_as_they_are u_error ();
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
  if (FractionBits != -1 && (FractionBits < 1 || FractionBits > 100)) begin : gen_error_fraction_bits_kept_are_1_to_100_or_all
    tensorsmith_error_fraction_bits_kept_are_1_to_100_or_all u_error ();
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
  if (Target != 0 && Target != 1) begin : gen_error_target_is_0_or_1
    tensorsmith_error_target_is_0_or_1 u_error ();
  end
  if (Cuts < 0 || Cuts >= 1024) begin : gen_error_cuts_are_places_of_this_module
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

  if (HasAddend != 0) begin : gen_unpacked_addend
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
  end else begin : gen_no_addend
    logic unused_addend;

    assign unused_addend          = ^c;
    assign unpacked_c_negative    = 1'b0;
    assign unpacked_c_exponent    = '0;
    assign unpacked_c_significand = '0;
    assign unpacked_c_zero        = 1'b1;
    assign unpacked_c_infinite    = 1'b0;
    assign unpacked_c_nan         = 1'b0;
  end

  // ---------------------------------------------------------------------------------------------- product

  logic [Products-1:0]               product_negative;
  logic [Products*BiasedWidth-1:0]   product_biased;       // exponent and ProductBias; 0 of a zero product
  logic [Products*ExponentWidth-1:0] product_exponent;
  logic [Products*ProductWidth-1:0]  product_significand;
  logic                              unused_products;      // for whoever looks at stages

  assign unused_products = ^product_exponent;

  for (genvar i = 0; i < Products; i++) begin : gen_product
    logic [BiasedWidth-1:0] biased;

    assign product_biased[i*BiasedWidth +: BiasedWidth]       = biased;
    assign product_exponent[i*ExponentWidth +: ExponentWidth] = biased == '0
                                                              ? ExponentWidth'(AnchorFloor)
                                                              : ExponentWidth'(biased) - ExponentWidth'(ProductBias);

    tensorsmith_product #(
        .SignificandAWidth   (OperandAPrecision),
        .SignificandBWidth   (OperandBPrecision),
        .ExponentWidth       (ExponentWidth),
        .Normalise           (NormaliseProducts),
        .ExponentFloor       (0),
        .ProductExponentWidth(BiasedWidth),
        .ExponentBias        (ProductBias)
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
        .exponent_o     (biased),
        .significand_o  (product_significand[i*ProductWidth +: ProductWidth])
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
  logic [Products*BiasedWidth-1:0]   factor_exponent;
  logic [Products*ProductWidth-1:0]  factor_significand;
  logic                              c_negative;       // the addend beside them
  logic [ExponentWidth-1:0]          c_exponent;
  logic [AddendPrecision-1:0]        c_significand;

  tensorsmith_delay #(
      .Width  (Products*(1 + BiasedWidth + ProductWidth)),
      .Latency(CutProduct)
  ) u_product_cut (
      .clk_i  (clk_i),
      .ce_i   (ce_i),
      .value_i({product_negative, product_biased, product_significand}),
      .value_o({factor_negative, factor_exponent, factor_significand})
  );

  tensorsmith_delay #(
      .Width  (1 + ExponentWidth + AddendPrecision),
      .Latency(CutProduct)
  ) u_c (
      .clk_i  (clk_i),
      .ce_i   (ce_i),
      .value_i({unpacked_c_negative, addend_exponent, unpacked_c_significand}),
      .value_o({c_negative, c_exponent, c_significand})
  );

  // ---------------------------------------------------------------------------------------------- anchor, aligned, sum

  logic [AnchorWidth-1:0]            biased_addend;    // exponents and ProductBias
  logic [AnchorWidth-1:0]            biased_anchor;
  logic [ExponentWidth-1:0]          anchor;
  logic [TermCount*AlignedWidth-1:0] aligned;          // products first, the addend on top
  logic [SumWidth-1:0]               sum;
  logic [SumWidth-1:0]               less;  // the sum less one, for Target 1
  logic                              unused_aligned;   // for whoever looks at stages
  logic                              unused_dropped;   // the addend always counts
  logic                              unused_signs;     // bits above those that the other width has

  assign unused_aligned = ^aligned;
  assign unused_signs   = ^{c_exponent, biased_anchor};
  assign biased_addend  = AnchorWidth'($signed(c_exponent)) + AnchorWidth'(ProductBias);
  assign anchor         = ExponentWidth'($signed(biased_anchor)) - ExponentWidth'(ProductBias);

  //     placed     | integer | fraction | 0 .. 0 |      PlaceLeft zeros, F + GuardBits fraction bits
  //     shifted    | 0 .... 0 | integer | fraction |    to the right by anchor - exponent; GuardBits and lower are cut
  tensorsmith_aligned_sum #(
      .Count           (Products),
      .SignificandWidth(ProductWidth),
      .PlaceLeft       (ProductPlaceLeft),
      .HasAddend       (HasAddend),
      .AddendWidth     (AddendPrecision),
      .AddendPlaceLeft (AddendPlaceLeft),
      .GuardBits       (GuardBits),
      .ExponentWidth   (AnchorWidth),
      .ExponentFloor   (AnchorFloor + ProductBias),
      .FloorActs       (FloorActs),
      .Biased          (1),
      .TermWidth       (BiasedWidth),
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
      .negative_i          (factor_negative),
      .exponent_i          (factor_exponent),
      .significand_i       (factor_significand),
      .addend_negative_i   (c_negative),
      .addend_exponent_i   (biased_addend),
      .addend_significand_i(c_significand),
      .anchor_o            (biased_anchor),
      .aligned_o           (aligned),
      .addend_dropped_o    (unused_dropped),
      .sum_o               (sum),
      .less_o              (less)
  );

  // ---------------------------------------------------------------------------------------------- normalised

  logic                       normalised_negative;
  logic [ExponentWidth-1:0]   normalised_exponent;
  logic [FieldWidth-1:0]      normalised_field;    // exponent field where the significand's top bit is one
  logic [NormalisedWidth-1:0] normalised_significand;
  logic                       normalised_zero;
  logic                       unused_exponent;    // flags read it

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

  // ---------------------------------------------------------------------------------------------- flags

  logic [1:0] flags;

  if (HasFlags != 0) begin : gen_flags
    logic invalid;  // beside the operands

    // 1: the format has several NaNs, of which some signal. Those of e5m2 do not (OCP OFP8 1.0).
    localparam int SignallingA = OperandANonFinite == 1 && !(OperandASignBits == 1 && OperandAExponentBits == 5 &&
        OperandAFractionBits == 2 && OperandAPaddingBits == 0 && OperandABias == 15) ? 1 : 0;
    localparam int SignallingB = OperandBNonFinite == 1 && !(OperandBSignBits == 1 && OperandBExponentBits == 5 &&
        OperandBFractionBits == 2 && OperandBPaddingBits == 0 && OperandBBias == 15) ? 1 : 0;
    localparam int SignallingC = AddendNonFinite == 1 && !(AddendSignBits == 1 && AddendExponentBits == 5 &&
        AddendFractionBits == 2 && AddendPaddingBits == 0 && AddendBias == 15) ? 1 : 0;

    // The top fraction bits: they tell a quiet NaN from a signalling one.
    logic [Products-1:0] a_quiet;
    logic [Products-1:0] b_quiet;

    for (genvar i = 0; i < Products; i++) begin : gen_quiet
      assign a_quiet[i] = unpacked_a_significand[i*OperandAPrecision + OperandAFractionBits - 1];
      assign b_quiet[i] = unpacked_b_significand[i*OperandBPrecision + OperandBFractionBits - 1];
    end

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
        .c_nan_i     (unpacked_c_nan),
        .c_quiet_i   (unpacked_c_significand[AddendFractionBits-1]),
        .c_infinite_i(unpacked_c_infinite),
        .c_negative_i(unpacked_c_negative),
        .nan_i       (late_nan),
        .infinite_i  (late_infinite),
        .exponent_i  (normalised_exponent),
        .rounded_i   (rounded),
        .zero_i      (normalised_zero),
        .invalid_o   (invalid),
        .overflow_o  (flags[0])
    );

    tensorsmith_delay #(
        .Width  (1),
        .Latency(Latency - CutInput - CutResult)
    ) u_invalid (
        .clk_i  (clk_i),
        .ce_i   (ce_i),
        .value_i(invalid),
        .value_o(flags[1])
    );
  end else begin : gen_no_flags
    assign flags = 2'b00;
  end

  // The result, cut.
  tensorsmith_delay #(
      .Width  (2 + ResultWidth),
      .Latency(CutResult)
  ) u_result (
      .clk_i  (clk_i),
      .ce_i   (ce_i),
      .value_i({flags, packed_word}),
      .value_o({flags_o, d_o})
  );

endmodule
