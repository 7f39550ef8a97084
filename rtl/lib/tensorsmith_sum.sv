// SPDX-License-Identifier: MIT OR Apache-2.0
// The sum of numbers, as tensorsmith_operand describes them, and of an addend, a number of another width.
//
//     Kind 0    window    each number in units of 2^(anchor - F), cut there once; the anchor is the greatest exponent
//     Kind 1    exact     each number in units of 2^(Low - fraction bits), with bits for every sum
//     Kind 2    one       the number alone, as it is
//
//     sum            | sign | magnitude |
//     significand_o         | magnitude |                exponent of Place 0 and 2
//                           | 1 ............. |          Place 1: its leading one in the top bit
//                           | magnitude | 0 0 0 |        Place 3: to a fixed exponent; Place 4: from a fixed place
//
// Absent numbers do not count in the anchor; with ZerosAbsent no zero does. Infinities of both signs are NaN, and invalid. An exact zero sum has the sign that
// ZeroSign says. It never rounds the sum.
//
// Registers may stand behind the anchor and the distances of a window, the aligned numbers, on the way through the sum, behind it,
// and behind its magnitude.

module tensorsmith_sum #(
    parameter int Count            = 2,  // numbers beside the addend, at least 1
    parameter int ExponentWidth    = 9,  // exponents of the numbers, two's complement, sign included
    parameter int SignificandWidth = 22, // their significands
    parameter int HasAddend              = 1,   // 0: the addend's inputs are not read
    parameter int AddendExponentWidth    = 9,
    parameter int AddendSignificandWidth = 24,

    parameter int Kind        = 0,
    parameter int AnchorWidth = 9,     // every exponent that takes part, two's complement, sign included
    parameter int Low         = -252,  // exponent of an absent number: none is below it
    parameter int ZerosAbsent = 0,     // 1: a zero that has an exponent is absent all the same
    parameter int HasFloor    = 0,     // 1: the anchor is at least Floor
    parameter int Floor       = -126,

    // Zeros below a significand before it is shifted, right from the anchor or left from these exponents.
    parameter int PlaceLeft         = 5,
    parameter int AddendPlaceLeft   = 2,
    parameter int ExponentMin       = -28,
    parameter int AddendExponentMin = -126,
    parameter int GuardBits         = 0,   // bits below the window at distance 0
    parameter int AddendCutBits     = 0,   // last places of the window that the addend does not reach
    parameter int AddendReach       = -1,  // greatest distance from the anchor at which it counts; -1: any
    parameter int Rounding          = 0,   // at the window's end, as in tensorsmith_round
    parameter int AlignedWidth      = 28,  // aligned number, two's complement, sign included
    parameter int SumWidth          = 33,  // sum, modulo 2^SumWidth
    parameter int ZeroSign          = 0,   // an exact zero sum, 0: +0, 1: -0, 2: -0 if all numbers are negative, 3: if any is
    parameter int Target            = 0,   // 0: additions for carry chains, 1: carry-save rows and a prefix network

    parameter int Place                  = 0,
    parameter int Offset                 = 0,   // added to the anchor, or the exponent itself where that is not asked
    parameter int From                   = 0,   // Place 3 and 4: what the shift is counted from
    parameter int ResultExponentMin      = 0,   // Place 1: exponent of a zero
    parameter int ResultExponentWidth    = 9,
    parameter int ResultSignificandWidth = 32,

    // 1: registers stand there. Kind 1 has no anchor and no distances, Kind 2 none of all.
    parameter int CutAnchor    = 0,
    parameter int CutDistance  = 0,
    parameter int CutAligned   = 0,
    parameter int CutTree      = 0,
    parameter int CutSum       = 0,
    parameter int CutMagnitude = 0
) (
    input  logic                                     clk_i,  // rising edge
    input  logic                                     ce_i,   // 1: registers take their values
    input  logic [Count-1:0]                         negative_i,
    input  logic [Count*ExponentWidth-1:0]           exponent_i,
    input  logic [Count*SignificandWidth-1:0]        significand_i,
    input  logic [Count-1:0]                         absent_i,
    input  logic [Count-1:0]                         infinite_i,
    input  logic [Count-1:0]                         nan_i,
    input  logic                                     addend_negative_i,
    input  logic signed [AddendExponentWidth-1:0]    addend_exponent_i,
    input  logic        [AddendSignificandWidth-1:0] addend_significand_i,
    input  logic                                     addend_absent_i,
    input  logic                                     addend_infinite_i,
    input  logic                                     addend_nan_i,
    output logic                                     negative_o,
    output logic signed [ResultExponentWidth-1:0]    exponent_o,
    output logic        [ResultSignificandWidth-1:0] significand_o,
    output logic                                     absent_o,
    output logic                                     infinite_o,
    output logic                                     nan_o,
    output logic                                     invalid_o  // infinities of both signs
);

  localparam int Terms = Count + HasAddend;

  // Clock edges up to the sum, and through the module.
  localparam int SumLatency = Kind == 0 ? CutAnchor + CutDistance + CutAligned + CutTree + CutSum
                            : Kind == 1 ? CutAligned + CutTree + CutSum : 0;
  localparam int Latency    = SumLatency + CutMagnitude;

  // ---------------------------------------------------------------------------------------------- class

  logic [Terms-1:0] term_negative, term_absent, term_infinite, term_nan;
  logic [Count-1:0] number_absent;
  logic             addend_absent;
  logic             plus, minus;
  logic             infinite, nan, invalid, absent, zero_negative;
  logic             late_minus, late_absent, late_zero_negative;  // beside the magnitude

  for (genvar i = 0; i < Count; i++) begin : gen_absent
    assign number_absent[i] = absent_i[i]
                            || (ZerosAbsent != 0 && significand_i[i*SignificandWidth +: SignificandWidth] == '0);
  end

  assign addend_absent = addend_absent_i || (ZerosAbsent != 0 && addend_significand_i == '0);

  if (HasAddend != 0) begin : gen_with_addend
    assign term_negative = {addend_negative_i, negative_i};
    assign term_absent   = {addend_absent, number_absent};
    assign term_infinite = {addend_infinite_i, infinite_i};
    assign term_nan      = {addend_nan_i, nan_i};
  end else begin : gen_without_addend
    logic unused_addend;

    assign unused_addend = ^{addend_negative_i, addend_exponent_i, addend_significand_i, addend_absent, addend_infinite_i,
                             addend_nan_i};
    assign term_negative = negative_i;
    assign term_absent   = number_absent;
    assign term_infinite = infinite_i;
    assign term_nan      = nan_i;
  end

  assign plus          = (term_infinite & ~term_negative) != '0;
  assign minus         = (term_infinite & term_negative) != '0;
  assign invalid       = plus && minus;
  assign nan           = term_nan != '0 || invalid;
  assign infinite      = (plus || minus) && !nan;
  assign absent        = term_absent == '1 && HasFloor == 0;
  assign zero_negative = ZeroSign == 1 || (ZeroSign == 2 && term_negative == '1) || (ZeroSign == 3 && term_negative != '0);

  tensorsmith_delay #(
      .Width(6), .Latency(Latency)
  ) u_class (
      .clk_i(clk_i), .ce_i(ce_i),
      .value_i({infinite, nan, invalid, minus, absent, zero_negative}),
      .value_o({infinite_o, nan_o, invalid_o, late_minus, late_absent, late_zero_negative})
  );

  // ---------------------------------------------------------------------------------------------- sum

  // Exponents that take part: those of absent numbers are Low.
  logic [Count*AnchorWidth-1:0] anchor_exponent;
  logic [AnchorWidth-1:0]       anchor_addend;
  logic [AnchorWidth-1:0]       anchor;  // beside the sum
  logic [SumWidth-1:0]          sum;
  logic [SumWidth-1:0]          sum_less;  // the sum less one, of a window for Target 1

  for (genvar i = 0; i < Count; i++) begin : gen_exponent
    assign anchor_exponent[i*AnchorWidth +: AnchorWidth] = number_absent[i] ? AnchorWidth'(Low)
                                                         : AnchorWidth'($signed(exponent_i[i*ExponentWidth +: ExponentWidth]));
  end

  assign anchor_addend = addend_absent ? AnchorWidth'(Low) : AnchorWidth'(addend_exponent_i);

  if (Kind == 0) begin : gen_window
    logic [Terms*AlignedWidth-1:0] aligned;
    logic                          dropped;
    logic                          unused_inner;  // for whoever looks at stages

    assign unused_inner = ^{aligned, dropped};

    tensorsmith_aligned_sum #(
        .Count(Count), .SignificandWidth(SignificandWidth), .PlaceLeft(PlaceLeft), .HasAddend(HasAddend),
        .AddendWidth(AddendSignificandWidth), .AddendPlaceLeft(AddendPlaceLeft), .AddendCutBits(AddendCutBits),
        .AddendReach(AddendReach), .GuardBits(GuardBits), .ExponentWidth(AnchorWidth), .ExponentFloor(Floor),
        .FloorActs(HasFloor), .AlignedWidth(AlignedWidth), .Rounding(Rounding), .SumWidth(SumWidth), .Target(Target),
        .CutAnchor(CutAnchor), .CutDistance(CutDistance), .CutAligned(CutAligned), .CutTree(CutTree), .CutSum(CutSum)
    ) u_sum (
        .clk_i(clk_i), .ce_i(ce_i),
        .negative_i(negative_i), .exponent_i(anchor_exponent), .significand_i(significand_i),
        .addend_negative_i(addend_negative_i), .addend_exponent_i(anchor_addend),
        .addend_significand_i(addend_significand_i), .anchor_o(anchor), .aligned_o(aligned), .addend_dropped_o(dropped),
        .sum_o(sum), .less_o(sum_less)
    );
  end else if (Kind == 1) begin : gen_exact
    logic [Terms*AnchorWidth-1:0]  exponents;
    logic [AnchorWidth-1:0]        greatest;
    logic [Terms*AlignedWidth-1:0] aligned;
    logic [Terms*AlignedWidth-1:0] late_aligned;  // cut
    logic [SumWidth-1:0]           total;

    assign sum_less = '0;

    for (genvar i = 0; i < Terms; i++) begin : gen_term
      logic [AnchorWidth-1:0]  distance;  // never negative where it counts
      logic [AlignedWidth-1:0] placed;

      if (i < Count) begin : gen_number
        assign exponents[i*AnchorWidth +: AnchorWidth] = anchor_exponent[i*AnchorWidth +: AnchorWidth];
        assign distance = AnchorWidth'($signed(exponent_i[i*ExponentWidth +: ExponentWidth])) - AnchorWidth'(ExponentMin);
        assign placed   = (AlignedWidth'(significand_i[i*SignificandWidth +: SignificandWidth]) << PlaceLeft) << distance;
      end else begin : gen_addend
        assign exponents[i*AnchorWidth +: AnchorWidth] = anchor_addend;
        assign distance = AnchorWidth'(addend_exponent_i) - AnchorWidth'(AddendExponentMin);
        assign placed   = (AlignedWidth'(addend_significand_i) << AddendPlaceLeft) << distance;
      end

      assign aligned[i*AlignedWidth +: AlignedWidth] = (placed ^ {AlignedWidth{term_negative[i]}})
                                                     + AlignedWidth'(term_negative[i]);
    end

    tensorsmith_maximum_tree #(
        .Count(Terms), .Width(AnchorWidth)
    ) u_anchor (
        .values_i(exponents), .maximum_o(greatest)
    );

    tensorsmith_delay #(
        .Width(Terms*AlignedWidth), .Latency(CutAligned)
    ) u_cut_aligned (
        .clk_i(clk_i), .ce_i(ce_i), .value_i(aligned), .value_o(late_aligned)
    );

    tensorsmith_adder_tree #(
        .Count(Terms), .AddendWidth(AlignedWidth), .SumWidth(SumWidth), .Cut(CutTree)
    ) u_sum (
        .clk_i(clk_i), .ce_i(ce_i), .addends_i(late_aligned), .sum_o(total)
    );

    tensorsmith_delay #(
        .Width(SumWidth), .Latency(CutSum)
    ) u_cut_sum (
        .clk_i(clk_i), .ce_i(ce_i), .value_i(total), .value_o(sum)
    );

    tensorsmith_delay #(
        .Width(AnchorWidth), .Latency(SumLatency)
    ) u_beside (
        .clk_i(clk_i), .ce_i(ce_i), .value_i(greatest), .value_o(anchor)
    );
  end else begin : gen_one
    logic unused_exponents;

    assign unused_exponents = ^{anchor_exponent, anchor_addend};
    assign sum_less         = '0;

    if (HasAddend != 0) begin : gen_addend
      assign anchor = AnchorWidth'(addend_exponent_i);
      assign sum    = (SumWidth'(addend_significand_i) ^ {SumWidth{addend_negative_i}}) + SumWidth'(addend_negative_i);
    end else begin : gen_number
      assign anchor = AnchorWidth'($signed(exponent_i));
      assign sum    = (SumWidth'(significand_i) ^ {SumWidth{negative_i[0]}}) + SumWidth'(negative_i[0]);
    end
  end

  // ---------------------------------------------------------------------------------------------- magnitude

  logic [SumWidth-1:0]    sum_magnitude;
  logic                   zero, below;
  logic [SumWidth-1:0]    magnitude;
  logic [AnchorWidth-1:0] late_anchor;

  // -sum = ~(sum - 1)
  if (Target == 1 && Kind == 0) begin : gen_chosen
    assign sum_magnitude = sum[SumWidth-1] ? ~sum_less : sum;
  end else begin : gen_added
    logic unused_less;

    assign unused_less   = ^sum_less;
    assign sum_magnitude = (sum ^ {SumWidth{sum[SumWidth-1]}}) + SumWidth'(sum[SumWidth-1]);
  end

  tensorsmith_delay #(
      .Width(2 + SumWidth + AnchorWidth), .Latency(CutMagnitude)
  ) u_magnitude (
      .clk_i(clk_i), .ce_i(ce_i),
      .value_i({sum == '0, sum[SumWidth-1], sum_magnitude, anchor}),
      .value_o({zero, below, magnitude, late_anchor})
  );

  assign negative_o = infinite_o ? late_minus : zero ? late_zero_negative : below;

  // ---------------------------------------------------------------------------------------------- number

  localparam int Width = ResultSignificandWidth;

  logic [ResultExponentWidth-1:0] placed_exponent;
  logic [Width-1:0]               whole;
  logic [AnchorWidth-1:0]         shift;  // of Place 3 and 4, never negative
  logic                           unused_shift;

  assign whole        = Width'(magnitude);
  assign unused_shift = ^{shift, late_anchor, magnitude, anchor_addend, late_absent};
  assign exponent_o   = placed_exponent;

  if (Place == 0) begin : gen_anchor
    assign shift           = '0;
    assign placed_exponent = ResultExponentWidth'($signed(late_anchor)) + ResultExponentWidth'(Offset);
    assign significand_o   = whole;
    assign absent_o        = late_absent;
  end else if (Place == 1) begin : gen_leading
    localparam int CountWidth = $clog2(Width + 1);

    logic [CountWidth-1:0]          zeros;
    logic [ResultExponentWidth-1:0] top;

    tensorsmith_leading_zeros #(
        .Width(Width), .CountWidth(CountWidth)
    ) u_leading_zeros (
        .value_i(whole), .count_o(zeros)
    );

    assign shift           = '0;
    assign top             = Kind == 1 ? ResultExponentWidth'(Offset)
                           : ResultExponentWidth'($signed(late_anchor)) + ResultExponentWidth'(Offset);
    assign placed_exponent = zero ? ResultExponentWidth'(ResultExponentMin) : top - ResultExponentWidth'(zeros);
    assign significand_o   = whole << zeros;
    assign absent_o        = zero;
  end else if (Place == 2) begin : gen_fixed
    assign shift           = '0;
    assign placed_exponent = ResultExponentWidth'(Offset);
    assign significand_o   = whole;
    assign absent_o        = zero;
  end else if (Place == 3) begin : gen_to_fixed
    assign shift           = late_anchor - AnchorWidth'(From);
    assign placed_exponent = ResultExponentWidth'(Offset);
    assign significand_o   = whole << shift;
    assign absent_o        = zero;
  end else begin : gen_from_fixed
    assign shift           = AnchorWidth'(From) - late_anchor;
    assign placed_exponent = ResultExponentWidth'($signed(late_anchor)) + ResultExponentWidth'(Offset);
    assign significand_o   = whole << shift;
    assign absent_o        = late_absent;
  end

endmodule
