// SPDX-License-Identifier: MIT OR Apache-2.0
// Sum of terms that are all aligned to one exponent, the anchor: the greatest of theirs.
//
//     anchor     = max(exponents; ExponentFloor too where FloorActs is 1)
//     aligned    = each term in units of 2^(anchor - F), rounded there once: a row, and one more where up is 1
//     sum        = their sum
//
//     row        | sign | RowWidth bits |       the ones' complement of a negative term
//     addend     | 0 .. 0 | those bits  |       so extended, a negative row misses -2^RowWidth
//     signs      = ups - negative rows * 2^RowWidth: one addend more, for what all rows miss
//
//     placed     | integer | fraction | 0 .. 0 |      PlaceLeft zeros, F + GuardBits fraction bits
//     shifted    | 0 .... 0 | integer | fraction |    to the right by anchor - exponent; GuardBits and lower are cut
//
// The addend is a term of another width, the topmost. It may be cut AddendCutBits places above the window's last, which
// are zeros then, and it counts as zero where its exponent lies more than AddendReach below the anchor.
//
// It never looks at what a significand is: a zero term has to bring an exponent that does not raise the anchor. Where Biased
// is 1, the terms beside the addend bring unsigned ones, of fewer bits, and that of a zero term is 0: it counts as ExponentFloor.
//
// Registers may stand behind the anchor, the distances, the aligned terms, on the way through the sum, and behind it. What is
// not the sum goes through as many.

module tensorsmith_aligned_sum #(
    parameter int Count            = 4,     // terms beside the addend, at least 1
    parameter int SignificandWidth = 22,    // their significands
    parameter int PlaceLeft        = 5,     // zeros below them, before the shift
    parameter int HasAddend        = 1,     // 0: the addend's inputs are not read
    parameter int AddendWidth      = 24,    // significand of the addend
    parameter int AddendPlaceLeft  = 2,     // zeros below it, before the shift
    parameter int AddendCutBits    = 0,     // last places of the window that it does not reach
    parameter int AddendReach      = -1,    // greatest distance from the anchor at which it counts; -1: any
    parameter int GuardBits        = 0,     // bits below the window at distance 0
    parameter int ExponentWidth    = 9,     // exponents, two's complement, sign included
    parameter int ExponentFloor    = -126,  // least anchor
    parameter int FloorActs        = 0,     // 0: no exponent lies below ExponentFloor
    parameter int Biased           = 0,     // 1: exponents of the terms beside the addend are unsigned, 0 that of a zero
    parameter int TermWidth        = ExponentWidth,  // those exponents
    parameter int AlignedWidth     = 28,    // aligned term, two's complement, sign included
    parameter int Rounding         = 0,     // of terms at the window's end, as in tensorsmith_round
    parameter int SumWidth         = 33,    // sum, two's complement, sign included

    parameter int Target           = 0,     // 0: additions for carry chains, 1: carry-save rows and a prefix network

    // 1: registers stand there.
    parameter int CutAnchor   = 0,
    parameter int CutDistance = 0,
    parameter int CutAligned  = 0,
    parameter int CutTree     = 0,
    parameter int CutSum      = 0
) (
    input  logic                                      clk_i,                 // rising edge
    input  logic                                      ce_i,                  // 1: registers take their values
    input  logic [Count-1:0]                          negative_i,            // signs, the first term in the lowest bit
    input  logic [Count*TermWidth-1:0]                exponent_i,            // exponents, from whatever origin
    input  logic [Count*SignificandWidth-1:0]         significand_i,         // significands
    input  logic                                      addend_negative_i,     // sign of the addend
    input  logic [ExponentWidth-1:0]                  addend_exponent_i,     // exponent, from that origin
    input  logic [AddendWidth-1:0]                    addend_significand_i,  // significand
    output logic [ExponentWidth-1:0]                  anchor_o,              // what the terms are aligned to, beside the sum
    output logic [(Count+HasAddend)*AlignedWidth-1:0] aligned_o,             // aligned terms, the addend on top, before CutAligned
    output logic                                      addend_dropped_o,      // the addend is out of reach, before CutDistance
    output logic [SumWidth-1:0]                       sum_o,                 // sum modulo 2^SumWidth
    output logic [SumWidth-1:0]                       less_o                 // the sum less one, for Target 1; else 0
);

  // Terms, and values that the anchor is the greatest of: of biased exponents the greatest alone.
  localparam int TermCount    = Count + HasAddend;
  localparam int AnchorTerms  = Biased != 0 ? 1 : Count;
  localparam int AnchorAddend = AnchorTerms + HasAddend;
  localparam int AnchorCount  = AnchorAddend + FloorActs;

  // ---------------------------------------------------------------------------------------------- anchor

  // Terms, then the addend where there is one, then the floor where it acts.
  logic [AnchorCount*ExponentWidth-1:0] anchor_values;

  if (Biased != 0) begin : gen_biased
    logic [Count*(TermWidth+1)-1:0] biased;    // with a sign, 0
    logic [TermWidth:0]             greatest;

    for (genvar i = 0; i < Count; i++) begin : gen_term
      assign biased[i*(TermWidth+1) +: TermWidth+1] = {1'b0, exponent_i[i*TermWidth +: TermWidth]};
    end

    tensorsmith_maximum_tree #(
        .Count(Count),
        .Width(TermWidth + 1)
    ) u_greatest (
        .values_i (biased),
        .maximum_o(greatest)
    );

    assign anchor_values[ExponentWidth-1:0] = greatest == '0 ? ExponentWidth'(ExponentFloor) : ExponentWidth'(greatest);
  end else begin : gen_true
    assign anchor_values[Count*ExponentWidth-1:0] = exponent_i;
  end

  if (HasAddend != 0) begin : gen_addend_exponent
    assign anchor_values[AnchorTerms*ExponentWidth +: ExponentWidth] = addend_exponent_i;
  end
  if (FloorActs != 0) begin : gen_floor
    assign anchor_values[AnchorAddend*ExponentWidth +: ExponentWidth] = ExponentWidth'(ExponentFloor);
  end

  logic [ExponentWidth-1:0] maximum;

  tensorsmith_maximum_tree #(
      .Count(AnchorCount),
      .Width(ExponentWidth)
  ) u_anchor (
      .values_i (anchor_values),
      .maximum_o(maximum)
  );

  // The terms and their anchor, cut.
  localparam int EachWidth  = 1 + TermWidth + SignificandWidth;
  localparam int AfterWidth = 1 + ExponentWidth + AddendWidth;

  logic [Count-1:0]                  negative;
  logic [Count*TermWidth-1:0]        exponent;
  logic [Count*SignificandWidth-1:0] significand;
  logic                              addend_negative;
  logic [ExponentWidth-1:0]          addend_exponent;
  logic [AddendWidth-1:0]            addend_significand;
  logic [ExponentWidth-1:0]          anchor;

  tensorsmith_delay #(
      .Width  (Count*EachWidth + AfterWidth + ExponentWidth),
      .Latency(CutAnchor)
  ) u_cut_anchor (
      .clk_i  (clk_i),
      .ce_i   (ce_i),
      .value_i({negative_i, exponent_i, significand_i, addend_negative_i, addend_exponent_i, addend_significand_i, maximum}),
      .value_o({negative, exponent, significand, addend_negative, addend_exponent, addend_significand, anchor})
  );

  // ---------------------------------------------------------------------------------------------- aligned

  logic [TermCount*AlignedWidth-1:0] aligned_row;  // aligned terms, each less its up
  logic [TermCount-1:0]              aligned_up;
  logic                              dropped;      // cut

  for (genvar i = 0; i < Count; i++) begin : gen_aligned
    tensorsmith_align #(
        .SignificandWidth(SignificandWidth),
        .PlaceLeft       (PlaceLeft),
        .GuardBits       (GuardBits),
        .ExponentWidth   (ExponentWidth),
        .AlignedWidth    (AlignedWidth),
        .CutDistance     (CutDistance),
        .Rounding        (Rounding)
    ) u_align (
        .clk_i        (clk_i),
        .ce_i         (ce_i),
        .negative_i   (negative[i]),
        .exponent_i   (ExponentWidth'(exponent[i*TermWidth +: TermWidth])),
        .significand_i(significand[i*SignificandWidth +: SignificandWidth]),
        .anchor_i     (anchor),
        .row_o        (aligned_row[i*AlignedWidth +: AlignedWidth]),
        .up_o         (aligned_up[i])
    );

    assign aligned_o[i*AlignedWidth +: AlignedWidth] = aligned_row[i*AlignedWidth +: AlignedWidth] + AlignedWidth'(aligned_up[i]);
  end

  if (HasAddend != 0) begin : gen_aligned_addend
    logic [AlignedWidth-1:0] kept_row;  // in units of the addend's own last place
    logic                    kept_up;

    tensorsmith_align #(
        .SignificandWidth(AddendWidth),
        .PlaceLeft       (AddendPlaceLeft),
        .GuardBits       (GuardBits + AddendCutBits),
        .ExponentWidth   (ExponentWidth),
        .AlignedWidth    (AlignedWidth),
        .CutDistance     (CutDistance),
        .Rounding        (Rounding)
    ) u_align (
        .clk_i        (clk_i),
        .ce_i         (ce_i),
        .negative_i   (addend_negative),
        .exponent_i   (addend_exponent),
        .significand_i(addend_significand),
        .anchor_i     (anchor),
        .row_o        (kept_row),
        .up_o         (kept_up)
    );

    assign aligned_row[Count*AlignedWidth +: AlignedWidth] = dropped ? '0 : kept_row << AddendCutBits;
    assign aligned_up[Count]                               = kept_up && !dropped;

    assign aligned_o[Count*AlignedWidth +: AlignedWidth] = aligned_row[Count*AlignedWidth +: AlignedWidth]
                                                         + (AlignedWidth'(aligned_up[Count]) << AddendCutBits);
  end else begin : gen_no_addend
    logic unused_addend;

    assign unused_addend = ^{addend_negative, addend_exponent, addend_significand, dropped};
  end

  // An addend out of reach counts as zero, whatever its rounding would have left.
  if (HasAddend != 0 && AddendReach >= 0) begin : gen_reach
    logic [ExponentWidth-1:0] distance;  // never negative, so that as many bits hold it without a sign

    assign distance         = anchor - addend_exponent;
    assign addend_dropped_o = distance > ExponentWidth'(AddendReach);
  end else begin : gen_any_distance
    assign addend_dropped_o = 1'b0;
  end

  tensorsmith_delay #(
      .Width  (1),
      .Latency(CutDistance)
  ) u_cut_dropped (
      .clk_i  (clk_i),
      .ce_i   (ce_i),
      .value_i(addend_dropped_o),
      .value_o(dropped)
  );

  // ---------------------------------------------------------------------------------------------- sum

  localparam int RowWidth = AlignedWidth - 1;

  logic [TermCount*AlignedWidth-1:0] late_row;      // cut
  logic [TermCount-1:0]              late_up;
  logic [2*Count-1:0]                negative_ones; // signs of the rows beside the addend, as numbers
  logic [2*Count-1:0]                up_ones;
  logic [SumWidth-1:0]               negatives;     // how many of them are negative
  logic [SumWidth-1:0]               ups;
  logic [SumWidth-1:0]               signs;
  logic [(TermCount+1)*SumWidth-1:0] addends;       // the rows, the signs on top

  tensorsmith_delay #(
      .Width  (TermCount*(AlignedWidth + 1)),
      .Latency(CutAligned)
  ) u_cut_aligned (
      .clk_i  (clk_i),
      .ce_i   (ce_i),
      .value_i({aligned_row, aligned_up}),
      .value_o({late_row, late_up})
  );

  for (genvar i = 0; i < Count; i++) begin : gen_ones
    assign negative_ones[2*i +: 2] = {1'b0, late_row[i*AlignedWidth + RowWidth]};
    assign up_ones[2*i +: 2]       = {1'b0, late_up[i]};
  end

  tensorsmith_adder_tree #(
      .Count      (Count),
      .AddendWidth(2),
      .SumWidth   (SumWidth)
  ) u_negatives (
      .clk_i    (clk_i),
      .ce_i     (ce_i),
      .addends_i(negative_ones),
      .sum_o    (negatives)
  );

  if (Rounding == 0 || Rounding == 5) begin : gen_magnitudes_are_cut
    logic unused_ups;  // the same bits

    assign unused_ups = ^up_ones;
    assign ups        = negatives;
  end else begin : gen_ups
    tensorsmith_adder_tree #(
        .Count      (Count),
        .AddendWidth(2),
        .SumWidth   (SumWidth)
    ) u_ups (
        .clk_i    (clk_i),
        .ce_i     (ce_i),
        .addends_i(up_ones),
        .sum_o    (ups)
    );
  end

  if (HasAddend != 0) begin : gen_addend_sign
    assign signs = ups + (SumWidth'(late_up[Count]) << AddendCutBits)
                 - ((negatives + SumWidth'(late_row[Count*AlignedWidth + RowWidth])) << RowWidth);
  end else begin : gen_no_addend_sign
    assign signs = ups - (negatives << RowWidth);
  end

  for (genvar i = 0; i < TermCount; i++) begin : gen_addend
    assign addends[i*SumWidth +: SumWidth] = SumWidth'(late_row[i*AlignedWidth +: RowWidth]);
  end

  if (Target == 1) begin : gen_asic
    logic [SumWidth-1:0] ones;  // two numbers with the sum less one
    logic [SumWidth-1:0] twos;
    logic [SumWidth-1:0] late_ones;  // cut
    logic [SumWidth-1:0] late_twos;

    assign addends[TermCount*SumWidth +: SumWidth] = signs - SumWidth'(1);

    tensorsmith_carry_save #(
        .Count(TermCount + 1),
        .Width(SumWidth)
    ) u_carry_save (
        .addends_i(addends),
        .sum_o    (ones),
        .carry_o  (twos)
    );

    tensorsmith_delay #(
        .Width  (2*SumWidth),
        .Latency(CutTree + CutSum)
    ) u_cut_rows (
        .clk_i  (clk_i),
        .ce_i   (ce_i),
        .value_i({ones, twos}),
        .value_o({late_ones, late_twos})
    );

    tensorsmith_compound_add #(
        .Width(SumWidth)
    ) u_compound_add (
        .a_i   (late_ones),
        .b_i   (late_twos),
        .sum_o (less_o),
        .next_o(sum_o)
    );
  end else begin : gen_fpga
    logic [SumWidth-1:0] sum;

    assign addends[TermCount*SumWidth +: SumWidth] = signs;
    assign less_o                                  = '0;

    tensorsmith_adder_tree #(
        .Count      (TermCount + 1),
        .AddendWidth(SumWidth),
        .Cut        (CutTree),
        .SumWidth   (SumWidth)
    ) u_sum (
        .clk_i    (clk_i),
        .ce_i     (ce_i),
        .addends_i(addends),
        .sum_o    (sum)
    );

    tensorsmith_delay #(
        .Width  (SumWidth),
        .Latency(CutSum)
    ) u_cut_sum (
        .clk_i  (clk_i),
        .ce_i   (ce_i),
        .value_i(sum),
        .value_o(sum_o)
    );
  end

  tensorsmith_delay #(
      .Width  (ExponentWidth),
      .Latency(CutDistance + CutAligned + CutTree + CutSum)
  ) u_beside (
      .clk_i  (clk_i),
      .ce_i   (ce_i),
      .value_i(anchor),
      .value_o(anchor_o)
  );

endmodule
