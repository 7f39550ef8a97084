// Unit tiny-two-groups. Small enough for all 2^24 inputs: an even and an odd e2m1 product, each with its own anchor, then c, and a cut total.
//
//     d = convert(c + ((a[0]*b[0] + ... + a[0]*b[0]) + (a[1]*b[1] + ... + a[1]*b[1])))
//
//     products          2
//     formats           a e2m1, b e2m1, c e5m2, d e5m2
//     product           exact, in [1, 4), not normalised
//     groups            products of even and of odd index, each with its own anchor
//     alignment         1 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor    none
//     product overflow  none
//     addition          5 fraction bits of the sum, 3 of the addend, rounded downward
//     addition floor    -12
//     addend            dropped where its exponent lies more than 6 below the anchor
//     total             3 fraction bits, rounded downward
//     conversion        to nearest, ties to even, overflow to infinity
//     subnormals        operands kept, addend kept, result kept
//     NaN and zero      every NaN is 0x7e, an exact zero sum is +0
//     latency           0 cycles; the module named _registered: 2
//
// The sum of a group, and that with the addend:
//
//     group  4 bits: sign, 2 integer, 1 fraction; bit 1 weighs 2^(anchor of the group)
//     bit      10    9..8     7..5       4..0
//     sum   | sign | carry | integer | fraction |
//     bit 5 weighs 2^anchor, bit 0 weighs 2^(anchor - 5); lower bits of a term are cut
//
// Where the constants come from:
//
//     addition.addend_reach: [chosen] short enough that c is dropped often
//     addition.exponent_floor: [chosen] above the least exponent of c
//     addition.total_fraction_bits: [chosen] short enough that totals lose bits often, and a bit more than d has, so
//       that what is cut tells ties
//     alignment.fraction_bits: [chosen] small enough that a product alone loses bits
//
// Emitted; regenerate with: tensorsmith emit tiny-two-groups --out DIR

module tiny_two_groups #(
    // Fixed by the unit's description: they name its numbers, and another value makes no other unit.
    parameter int Products      =   2,  // L: products summed at once
    parameter int OperandAWidth =   4,  // encoded a, e2m1
    parameter int OperandBWidth =   4,  // encoded b, e2m1
    parameter int AddendWidth   =   8,  // encoded c, e5m2
    parameter int ResultWidth   =   8,  // encoded d, e5m2
    parameter int FractionBits  =   5,  // F: bits kept below the anchor
    parameter int CarryBits     =   2,  // integer bits of the sum above the window's 3
    parameter int AnchorFloor   = -12   // least exponent of the anchor; zero terms carry it
) (
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,  // c
    output logic [ResultWidth-1:0]            d_o   // d
);

  // Formats.
  localparam int OperandASignBits        =   1;  // sign
  localparam int OperandAExponentBits    =   2;  // exponent field
  localparam int OperandAFractionBits    =   1;  // trailing significand
  localparam int OperandAPaddingBits     =   0;  // ignored low bits
  localparam int OperandABias            =   1;  // exponent field of 1.0
  localparam int OperandANonFinite       =   0;  // every encoding is finite
  localparam int OperandAFlushSubnormals =   0;  // subnormals are kept
  localparam int OperandAPrecision       =   2;  // significand with its hidden bit
  localparam int OperandBSignBits        =   1;  // sign
  localparam int OperandBExponentBits    =   2;  // exponent field
  localparam int OperandBFractionBits    =   1;  // trailing significand
  localparam int OperandBPaddingBits     =   0;  // ignored low bits
  localparam int OperandBBias            =   1;  // exponent field of 1.0
  localparam int OperandBNonFinite       =   0;  // every encoding is finite
  localparam int OperandBFlushSubnormals =   0;  // subnormals are kept
  localparam int OperandBPrecision       =   2;  // significand with its hidden bit
  localparam int AddendSignBits          =   1;  // sign
  localparam int AddendExponentBits      =   5;  // exponent field
  localparam int AddendFractionBits      =   2;  // trailing significand
  localparam int AddendPaddingBits       =   0;  // ignored low bits
  localparam int AddendBias              =  15;  // exponent field of 1.0
  localparam int AddendNonFinite         =   1;  // IEEE 754 infinities and NaN
  localparam int AddendFlushSubnormals   =   0;  // subnormals are kept
  localparam int AddendPrecision         =   3;  // significand with its hidden bit
  localparam int ResultExponentBits      =   5;  // exponent field of d
  localparam int ResultFractionBits      =   2;  // trailing significand of d
  localparam int ResultPaddingBits       =   0;  // zeros below the fraction of d
  localparam int ResultExponentMin       = -14;  // exponent of the smallest normal d

  // Widths and choices, each with its derivation. F is FractionBits.
  localparam int TermCount                =   2;                                                   // sum of products, and addend
  localparam int ProductWidth             = OperandAPrecision + OperandBPrecision;                 // 4: significand of a times significand of b, exact
  localparam int ProductIntegerBits       =   2;                                                   // of the window: exact products lie in [1, 4)
  localparam int ProductFractionBits      = ProductWidth - ProductIntegerBits;                     // 2: not normalised, in [1, 4)
  localparam int DotFractionBits          =   1;                                                   // bits of a product kept below its group's anchor
  localparam int DotGuardBits             =   1;                                                   // fraction bits beyond those before the shift: a product has 2
  localparam int ProductPlaceLeft         = DotFractionBits + DotGuardBits - ProductFractionBits;  // 0: zeros below a product, before the shift
  localparam int DotWindowWidth           = ProductIntegerBits + DotFractionBits;                  // 3: what is kept of a product
  localparam int DotAlignedWidth          = 1 + DotWindowWidth;                                    // 4: sign, window
  localparam int Groups                   =   2;                                                   // product i belongs to group i modulo this number
  localparam int GroupSize                =   1;                                                   // products of a group
  localparam int GroupCarryBits           =   0;                                                   // suffice for 1 products
  localparam int GroupSumWidth            = 1 + GroupCarryBits + DotWindowWidth;                   // 4: sign, carry bits, window
  localparam int DotSumWidth              = GroupSumWidth + 1;                                     // 5: sum of both groups, sign included
  localparam int ProductFloor             = -14;                                                   // least anchor of a group; zero products carry it
  localparam int DotWidth                 = DotSumWidth - 1;                                       // 4: its magnitude
  localparam int IntegerBits              = DotWidth - DotFractionBits;                            // 3: of the window: those of the sum
  localparam int AddendCutBits            =   2;                                                   // last places of the window that the addend does not reach: 3 fraction bits of it are kept
  localparam int GuardBits                =   0;                                                   // fraction bits beyond F before the shift: longest fraction 2, F = 5
  localparam int DotPlaceLeft             = FractionBits + GuardBits - DotFractionBits;            // 4: zeros below the sum of products, before the shift
  localparam int AddendPlaceLeft          = FractionBits + GuardBits - AddendFractionBits;         // 3: zeros below the addend, before the shift
  localparam int WindowWidth              = IntegerBits + FractionBits;                            // 8: what is kept of a term
  localparam int AlignedWidth             = 1 + 1 + WindowWidth;                                   // 10: sign, carry of a term rounded up, window
  localparam int SumWidth                 = 1 + CarryBits + WindowWidth;                           // 11: sign, carry bits, window
  localparam int MagnitudeWidth           = SumWidth - 1;                                          // 10: without the sign
  localparam int HeadroomBits             =   0;                                                   // zeros above the magnitude: lift the lowest top weight, -8, to -14
  localparam int PadBits                  =   0;                                                   // zeros below the magnitude, for 5 bits: d's significand and two to discard
  localparam int NormalisedWidth          = HeadroomBits + MagnitudeWidth + PadBits;               // 10: the window that the leading one moves in
  localparam int TopExponentOffset        = HeadroomBits + MagnitudeWidth - 1 - FractionBits;      // 4: weight of that window's top bit, from the anchor
  localparam int ExponentWidth            =   6;                                                   // two's complement of every exponent here, -14 to 21
  localparam int AddendReach              =   6;                                                   // an addend whose exponent lies further below the anchor counts as zero
  localparam int TotalFractionBits        =   3;                                                   // fraction bits kept of the total, below its leading one or d's least exponent
  localparam int TotalCutBits             = NormalisedWidth - 1 - TotalFractionBits;               // 6: last places of the normalised total, which is rounded downward to those above
  localparam int NormaliseProducts        =   0;                                                   // 1: products are brought to [1, 2)
  localparam int AlignmentRounding        =   1;                                                   // rounded downward
  localparam int ResultRounding           =   1;                                                   // to nearest, ties to even
  localparam int FlushResult              =   0;                                                   // 1: subnormal results become zero
  localparam int ZeroNegative             =   0;                                                   // 1: an exact zero sum is -0
  localparam int HasInfinity              =   1;                                                   // 0: infinite results are NaN
  localparam int HasNegativeZero          =   1;                                                   // 0: zero results are always +0
  localparam int OverflowInfinityPositive =   1;                                                   // 1: positive overflow gives infinity, 0: the largest number
  localparam int OverflowInfinityNegative =   1;                                                   // the same for negative overflow
  localparam int ProductRounding          =   0;                                                   // lower bits cut off in sign and magnitude

  // Encodings of the result: magnitudes without sign and padding, and the NaN whole.
  localparam logic [ResultExponentBits+ResultFractionBits-1:0] MaximumFinite     = 7'h7b;  // exponent and fraction of the largest finite d
  localparam logic [ResultExponentBits+ResultFractionBits-1:0] InfinityMagnitude = 7'h7c;  // exponent and fraction of infinity
  localparam logic [ResultWidth-1:0]                           NanWord           = 8'h7e;  // every NaN result

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
        .ExponentFloor    (ProductFloor)
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


  // ---------------------------------------------------------------------------------------------- groups

  // Group g holds the products g, g + Groups, g + 2 * Groups and so on; they stand one behind the other in aligned_product.
  logic [Groups*ExponentWidth-1:0]     group_anchor;
  logic [Products*DotAlignedWidth-1:0] aligned_product;
  logic [Groups*GroupSumWidth-1:0]     group_sum;

  //     placed     | integer | fraction | 0 .. 0 |      ProductPlaceLeft zeros, DotFractionBits + DotGuardBits fraction bits
  //     shifted    | 0 .... 0 | integer | fraction |    to the right by anchor - exponent; DotGuardBits and lower are cut
  for (genvar g = 0; g < Groups; g++) begin : gen_group
    logic [GroupSize*ExponentWidth-1:0] exponents;

    for (genvar j = 0; j < GroupSize; j++) begin : gen_aligned_product
      // The product in the order of K.
      localparam int Index = j * Groups + g;

      assign exponents[j*ExponentWidth +: ExponentWidth] = product_exponent[Index*ExponentWidth +: ExponentWidth];

      tensorsmith_align #(
          .SignificandWidth(ProductWidth),
          .PlaceLeft       (ProductPlaceLeft),
          .GuardBits       (DotGuardBits),
          .ExponentWidth   (ExponentWidth),
          .AlignedWidth    (DotAlignedWidth),
          .Rounding        (ProductRounding)
      ) u_align (
          .negative_i   (product_negative[Index]),
          .exponent_i   (product_exponent[Index*ExponentWidth +: ExponentWidth]),
          .significand_i(product_significand[Index*ProductWidth +: ProductWidth]),
          .anchor_i     (group_anchor[g*ExponentWidth +: ExponentWidth]),
          .aligned_o    (aligned_product[(g*GroupSize+j)*DotAlignedWidth +: DotAlignedWidth])
      );
    end

    tensorsmith_maximum_tree #(
        .Count(GroupSize),
        .Width(ExponentWidth)
    ) u_anchor (
        .values_i (exponents),
        .maximum_o(group_anchor[g*ExponentWidth +: ExponentWidth])
    );

    tensorsmith_adder_tree #(
        .Count      (GroupSize),
        .AddendWidth(DotAlignedWidth),
        .SumWidth   (GroupSumWidth)
    ) u_sum (
        .addends_i(aligned_product[g*GroupSize*DotAlignedWidth +: GroupSize*DotAlignedWidth]),
        .sum_o    (group_sum[g*GroupSumWidth +: GroupSumWidth])
    );
  end

  // ---------------------------------------------------------------------------------------------- dot

  // The sum of all products. It keeps the greatest anchor of the products, also where they cancel.
  logic [ExponentWidth-1:0] dot_exponent;
  logic [DotSumWidth-1:0]   dot_sum;

  // The sums of groups at the greater anchor.
  logic [Groups*GroupSumWidth-1:0] aligned_group;

  tensorsmith_maximum_tree #(
      .Count(Groups),
      .Width(ExponentWidth)
  ) u_dot_exponent (
      .values_i (group_anchor),
      .maximum_o(dot_exponent)
  );

  //     magnitude    | GroupSumWidth - 1 bits |               to the right by the distance of the anchors
  for (genvar g = 0; g < Groups; g++) begin : gen_aligned_group
    logic [GroupSumWidth-1:0] group;
    logic                     negative;
    logic [GroupSumWidth-2:0] magnitude;

    assign group     = group_sum[g*GroupSumWidth +: GroupSumWidth];
    assign negative  = group[GroupSumWidth-1];
    assign magnitude = negative ? (GroupSumWidth-1)'(-group) : (GroupSumWidth-1)'(group);

    tensorsmith_align #(
        .SignificandWidth(GroupSumWidth - 1),
        .PlaceLeft       (0),
        .GuardBits       (0),
        .ExponentWidth   (ExponentWidth),
        .AlignedWidth    (GroupSumWidth),
        .Rounding        (AlignmentRounding)
    ) u_align (
        .negative_i   (negative),
        .exponent_i   (group_anchor[g*ExponentWidth +: ExponentWidth]),
        .significand_i(magnitude),
        .anchor_i     (dot_exponent),
        .aligned_o    (aligned_group[g*GroupSumWidth +: GroupSumWidth])
    );
  end

  tensorsmith_adder_tree #(
      .Count      (Groups),
      .AddendWidth(GroupSumWidth),
      .SumWidth   (DotSumWidth)
  ) u_dot_sum (
      .addends_i(aligned_group),
      .sum_o    (dot_sum)
  );

  // In sign and magnitude: the first of the two terms of the addition.
  logic [0:0]          dot_negative;
  logic [DotWidth-1:0] dot_significand;

  assign dot_negative    = dot_sum[DotSumWidth-1];
  assign dot_significand = dot_negative ? DotWidth'(-dot_sum) : DotWidth'(dot_sum);

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
      .values_i ({ExponentWidth'(AnchorFloor), addend_exponent, dot_exponent}),
      .maximum_o(anchor)
  );

  // ---------------------------------------------------------------------------------------------- aligned

  // The sum of products first, the addend on top.
  logic [TermCount*AlignedWidth-1:0] aligned;

  //     placed     | integer | fraction | 0 .. 0 |      DotPlaceLeft zeros, F + GuardBits fraction bits
  //     shifted    | 0 .... 0 | integer | fraction |    to the right by anchor - exponent; GuardBits and lower are cut
  for (genvar i = 0; i < 1; i++) begin : gen_aligned
    tensorsmith_align #(
        .SignificandWidth(DotWidth),
        .PlaceLeft       (DotPlaceLeft),
        .GuardBits       (GuardBits),
        .ExponentWidth   (ExponentWidth),
        .AlignedWidth    (AlignedWidth),
        .Rounding        (AlignmentRounding)
    ) u_align (
        .negative_i   (dot_negative[i]),
        .exponent_i   (dot_exponent[i*ExponentWidth +: ExponentWidth]),
        .significand_i(dot_significand[i*DotWidth +: DotWidth]),
        .anchor_i     (anchor),
        .aligned_o    (aligned[i*AlignedWidth +: AlignedWidth])
    );
  end

  // The addend likewise, with AddendPlaceLeft zeros, but AddendCutBits fewer of its bits are kept: they become zeros.
  logic [AlignedWidth-1:0] kept_addend;

  tensorsmith_align #(
      .SignificandWidth(AddendPrecision),
      .PlaceLeft       (AddendPlaceLeft),
      .GuardBits       (GuardBits + AddendCutBits),
      .ExponentWidth   (ExponentWidth),
      .AlignedWidth    (AlignedWidth),
      .Rounding        (AlignmentRounding)
  ) u_align_addend (
      .negative_i   (unpacked_c_negative),
      .exponent_i   (addend_exponent),
      .significand_i(unpacked_c_significand),
      .anchor_i     (anchor),
      .aligned_o    (kept_addend)
  );

  // An addend out of reach counts as zero, whatever its rounding would have left.
  logic [ExponentWidth-1:0] addend_distance;  // never negative, so that as many bits hold it without a sign
  logic                     addend_dropped;

  assign addend_distance = anchor - addend_exponent;
  assign addend_dropped  = addend_distance > ExponentWidth'(AddendReach);
  assign aligned[1*AlignedWidth +: AlignedWidth] = addend_dropped ? '0 : kept_addend << AddendCutBits;

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

  // The total before its last places are cut.
  logic [ExponentWidth-1:0]   total_exponent;
  logic [NormalisedWidth-1:0] total_significand;
  logic                       unused_total_zero;  // a total that is not zero can become zero

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
      .exponent_o   (total_exponent),
      .significand_o(total_significand),
      .zero_o       (unused_total_zero)
  );

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
