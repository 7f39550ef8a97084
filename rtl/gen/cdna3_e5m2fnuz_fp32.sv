// Unit cdna3-e5m2fnuz-fp32. AMD CDNA3 (MI300) matrix core: one block of 16 products of e5m2fnuz and e5m2fnuz, of even and of odd index, then c, fp32 result.
//
//     d = convert(c + ((a[0]*b[0] + ... + a[14]*b[14]) + (a[1]*b[1] + ... + a[15]*b[15])))
//
//     products          16
//     formats           a e5m2fnuz, b e5m2fnuz, c binary32, d binary32
//     product           exact, in [1, 4), not normalised
//     groups            products of even and of odd index, each with its own anchor
//     alignment         24 fraction bits, lower bits cut off in sign and magnitude
//     exponent floor    none
//     product overflow  no finite product is large enough
//     addition          32 fraction bits of the sum, 24 of the addend, rounded downward
//     addition floor    -126
//     addend            dropped where its exponent lies more than 25 below the anchor
//     total             31 fraction bits, rounded downward
//     conversion        to nearest, ties to even, overflow to infinity
//     subnormals        operands kept, addend kept, result kept
//     NaN and zero      every NaN is 0x7fc00000, an exact zero sum is +0
//     latency           0 cycles; the module named _registered: 2
//
// The sum of a group, and that with the addend:
//
//     group  30 bits: sign, 5 integer, 24 fraction; bit 24 weighs 2^(anchor of the group)
//     bit      40    39..38   37..32     31..0
//     sum   | sign | carry  | integer | fraction |
//     bit 32 weighs 2^anchor, bit 0 weighs 2^(anchor - 32); lower bits of a term are cut
//
// Where the constants come from:
//
//     addition.addend_fraction_bits: [stated] Xie et al., arXiv 2511.10909v2
//     addition.addend_reach: [stated] c counts as zero where its exponent is below the anchor - 25: Xie et al., arXiv
//       2511.10909v2
//     addition.exponent_floor: [stated] a zero c has the exponent -126: Xie et al., arXiv 2511.10909v2
//     addition.groups: [stated] Xie et al., arXiv 2511.10909v2
//     addition.product_overflow: [stated] products of 2^128 and above are infinite: Xie et al., arXiv 2511.10909v2;
//       that an infinite c of the other sign then gives NaN is after IEEE 754
//     addition.rounding: [conflict] downward: Xie et al., arXiv 2511.10909v2, its answer -1 to the vector of table 8,
//       and the public model MMA-Sim 2.0.0 to 2.1.1; another version of that model truncates, which gives -0.5 there
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
//     products: [stated] blocks of 16, the first one first, chained through c: Xie et al., arXiv 2511.10909v2
//     scheme: [stated] the products are summed first, then c is added: Xie et al., arXiv 2511.10909v2
//     subnormals: [stated] kept: Xie et al., arXiv 2511.10909v2, whose public model MMA-Sim flushes none for CDNA3
//
// Emitted; regenerate with: tensorsmith emit cdna3-e5m2fnuz-fp32 --out DIR

module cdna3_e5m2fnuz_fp32 #(
    // Fixed by the unit's description: they name its numbers, and another value makes no other unit.
    parameter int Products      =   16,  // L: products summed at once
    parameter int OperandAWidth =    8,  // encoded a, e5m2fnuz
    parameter int OperandBWidth =    8,  // encoded b, e5m2fnuz
    parameter int AddendWidth   =   32,  // encoded c, binary32
    parameter int ResultWidth   =   32,  // encoded d, binary32
    parameter int FractionBits  =   32,  // F: bits kept below the anchor
    parameter int CarryBits     =    2,  // integer bits of the sum above the window's 6
    parameter int AnchorFloor   = -126   // lowest exponent of a term, of -126 and -126; zero terms carry it
) (
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,  // c
    output logic [ResultWidth-1:0]            d_o   // d
);

  // Formats.
  localparam int OperandASignBits        =    1;  // sign
  localparam int OperandAExponentBits    =    5;  // exponent field
  localparam int OperandAFractionBits    =    2;  // trailing significand
  localparam int OperandAPaddingBits     =    0;  // ignored low bits
  localparam int OperandABias            =   16;  // exponent field of 1.0
  localparam int OperandANonFinite       =    3;  // the encoding of minus zero is NaN
  localparam int OperandAFlushSubnormals =    0;  // subnormals are kept
  localparam int OperandAPrecision       =    3;  // significand with its hidden bit
  localparam int OperandBSignBits        =    1;  // sign
  localparam int OperandBExponentBits    =    5;  // exponent field
  localparam int OperandBFractionBits    =    2;  // trailing significand
  localparam int OperandBPaddingBits     =    0;  // ignored low bits
  localparam int OperandBBias            =   16;  // exponent field of 1.0
  localparam int OperandBNonFinite       =    3;  // the encoding of minus zero is NaN
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

  // Widths and choices, each with its derivation. F is FractionBits.
  localparam int TermCount                =    2;                                                  // sum of products, and addend
  localparam int ProductWidth             = OperandAPrecision + OperandBPrecision;                 // 6: significand of a times significand of b, exact
  localparam int ProductIntegerBits       =    2;                                                  // of the window: exact products lie in [1, 4)
  localparam int ProductFractionBits      = ProductWidth - ProductIntegerBits;                     // 4: not normalised, in [1, 4)
  localparam int DotFractionBits          =   24;                                                  // bits of a product kept below its group's anchor
  localparam int DotGuardBits             =    0;                                                  // fraction bits beyond those before the shift: a product has 4
  localparam int ProductPlaceLeft         = DotFractionBits + DotGuardBits - ProductFractionBits;  // 20: zeros below a product, before the shift
  localparam int DotWindowWidth           = ProductIntegerBits + DotFractionBits;                  // 26: what is kept of a product
  localparam int DotAlignedWidth          = 1 + DotWindowWidth;                                    // 27: sign, window
  localparam int Groups                   =    2;                                                  // product i belongs to group i modulo this number
  localparam int GroupSize                =    8;                                                  // products of a group
  localparam int GroupCarryBits           =    3;                                                  // suffice for 8 products
  localparam int GroupSumWidth            = 1 + GroupCarryBits + DotWindowWidth;                   // 30: sign, carry bits, window
  localparam int DotSumWidth              = GroupSumWidth + 1;                                     // 31: sum of both groups, sign included
  localparam int ProductFloor             = -126;                                                  // least anchor of a group; zero products carry it
  localparam int DotWidth                 = DotSumWidth - 1;                                       // 30: its magnitude
  localparam int IntegerBits              = DotWidth - DotFractionBits;                            // 6: of the window: those of the sum
  localparam int AddendCutBits            =    8;                                                  // last places of the window that the addend does not reach: 24 fraction bits of it are kept
  localparam int GuardBits                =    0;                                                  // fraction bits beyond F before the shift: longest fraction 24, F = 32
  localparam int DotPlaceLeft             = FractionBits + GuardBits - DotFractionBits;            // 8: zeros below the sum of products, before the shift
  localparam int AddendPlaceLeft          = FractionBits + GuardBits - AddendFractionBits;         // 9: zeros below the addend, before the shift
  localparam int WindowWidth              = IntegerBits + FractionBits;                            // 38: what is kept of a term
  localparam int AlignedWidth             = 1 + 1 + WindowWidth;                                   // 40: sign, carry of a term rounded up, window
  localparam int SumWidth                 = 1 + CarryBits + WindowWidth;                           // 41: sign, carry bits, window
  localparam int MagnitudeWidth           = SumWidth - 1;                                          // 40: without the sign
  localparam int HeadroomBits             =    0;                                                  // zeros above the magnitude: lift the lowest top weight, -119, to -126
  localparam int PadBits                  =    0;                                                  // zeros below the magnitude, for 26 bits: d's significand and two to discard
  localparam int NormalisedWidth          = HeadroomBits + MagnitudeWidth + PadBits;               // 40: the window that the leading one moves in
  localparam int TopExponentOffset        = HeadroomBits + MagnitudeWidth - 1 - FractionBits;      // 7: weight of that window's top bit, from the anchor
  localparam int ExponentWidth            =    9;                                                  // two's complement of every exponent here, -126 to 136
  localparam int AddendReach              =   25;                                                  // an addend whose exponent lies further below the anchor counts as zero
  localparam int TotalFractionBits        =   31;                                                  // fraction bits kept of the total, below its leading one or d's least exponent
  localparam int TotalCutBits             = NormalisedWidth - 1 - TotalFractionBits;               // 8: last places of the normalised total, which is rounded downward to those above
  localparam int NormaliseProducts        =    0;                                                  // 1: products are brought to [1, 2)
  localparam int AlignmentRounding        =    1;                                                  // rounded downward
  localparam int ResultRounding           =    1;                                                  // to nearest, ties to even
  localparam int FlushResult              =    0;                                                  // 1: subnormal results become zero
  localparam int ZeroNegative             =    0;                                                  // 1: an exact zero sum is -0
  localparam int HasInfinity              =    1;                                                  // 0: infinite results are NaN
  localparam int HasNegativeZero          =    1;                                                  // 0: zero results are always +0
  localparam int OverflowInfinityPositive =    1;                                                  // 1: positive overflow gives infinity, 0: the largest number
  localparam int OverflowInfinityNegative =    1;                                                  // the same for negative overflow
  localparam int ProductRounding          =    0;                                                  // lower bits cut off in sign and magnitude

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
  // No term lies below the floor, so the floor takes no place of its own in the maximum.
  tensorsmith_maximum_tree #(
      .Count(TermCount),
      .Width(ExponentWidth)
  ) u_anchor (
      .values_i ({addend_exponent, dot_exponent}),
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
