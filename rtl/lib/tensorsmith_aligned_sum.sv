// Sum of terms that are all aligned to one exponent, the anchor: the greatest of theirs.
//
//     anchor     = max(exponents; ExponentFloor too where FloorActs is 1)
//     aligned    = each term in units of 2^(anchor - F), rounded there once
//     sum        = their sum
//
//     placed     | integer | fraction | 0 .. 0 |      PlaceLeft zeros, F + GuardBits fraction bits
//     shifted    | 0 .... 0 | integer | fraction |    to the right by anchor - exponent; GuardBits and lower are cut
//
// The addend is a term of another width, the topmost. It may be cut AddendCutBits places above the window's last, which
// are zeros then, and it counts as zero where its exponent lies more than AddendReach below the anchor.
//
// It never looks at what a significand is: a zero term has to bring an exponent that does not raise the anchor.

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
    parameter int AlignedWidth     = 28,    // aligned term, two's complement, sign included
    parameter int Rounding         = 0,     // of terms at the window's end, as in tensorsmith_align
    parameter int SumWidth         = 33     // sum, two's complement, sign included
) (
    input  logic [Count-1:0]                          negative_i,            // signs, the first term in the lowest bit
    input  logic [Count*ExponentWidth-1:0]            exponent_i,            // true exponents
    input  logic [Count*SignificandWidth-1:0]         significand_i,         // significands
    input  logic                                      addend_negative_i,     // sign of the addend
    input  logic [ExponentWidth-1:0]                  addend_exponent_i,     // true exponent
    input  logic [AddendWidth-1:0]                    addend_significand_i,  // significand
    output logic [ExponentWidth-1:0]                  anchor_o,              // what the terms are aligned to
    output logic [(Count+HasAddend)*AlignedWidth-1:0] aligned_o,             // aligned terms, the addend on top
    output logic                                      addend_dropped_o,      // the addend is out of reach
    output logic [SumWidth-1:0]                       sum_o                  // sum modulo 2^SumWidth
);

  // Terms, and values that the anchor is the greatest of.
  localparam int TermCount   = Count + HasAddend;
  localparam int AnchorCount = TermCount + FloorActs;

  // ---------------------------------------------------------------------------------------------- anchor

  // Terms, then the addend where there is one, then the floor where it acts.
  logic [AnchorCount*ExponentWidth-1:0] anchor_values;

  assign anchor_values[Count*ExponentWidth-1:0] = exponent_i;

  if (HasAddend != 0) begin : gen_addend_exponent
    assign anchor_values[Count*ExponentWidth +: ExponentWidth] = addend_exponent_i;
  end
  if (FloorActs != 0) begin : gen_floor
    assign anchor_values[TermCount*ExponentWidth +: ExponentWidth] = ExponentWidth'(ExponentFloor);
  end

  tensorsmith_maximum_tree #(
      .Count(AnchorCount),
      .Width(ExponentWidth)
  ) u_anchor (
      .values_i (anchor_values),
      .maximum_o(anchor_o)
  );

  // ---------------------------------------------------------------------------------------------- aligned

  for (genvar i = 0; i < Count; i++) begin : gen_aligned
    tensorsmith_align #(
        .SignificandWidth(SignificandWidth),
        .PlaceLeft       (PlaceLeft),
        .GuardBits       (GuardBits),
        .ExponentWidth   (ExponentWidth),
        .AlignedWidth    (AlignedWidth),
        .Rounding        (Rounding)
    ) u_align (
        .negative_i   (negative_i[i]),
        .exponent_i   (exponent_i[i*ExponentWidth +: ExponentWidth]),
        .significand_i(significand_i[i*SignificandWidth +: SignificandWidth]),
        .anchor_i     (anchor_o),
        .aligned_o    (aligned_o[i*AlignedWidth +: AlignedWidth])
    );
  end

  if (HasAddend != 0) begin : gen_aligned_addend
    logic [AlignedWidth-1:0] kept;  // in units of the addend's own last place

    tensorsmith_align #(
        .SignificandWidth(AddendWidth),
        .PlaceLeft       (AddendPlaceLeft),
        .GuardBits       (GuardBits + AddendCutBits),
        .ExponentWidth   (ExponentWidth),
        .AlignedWidth    (AlignedWidth),
        .Rounding        (Rounding)
    ) u_align (
        .negative_i   (addend_negative_i),
        .exponent_i   (addend_exponent_i),
        .significand_i(addend_significand_i),
        .anchor_i     (anchor_o),
        .aligned_o    (kept)
    );

    assign aligned_o[Count*AlignedWidth +: AlignedWidth] = addend_dropped_o ? '0 : kept << AddendCutBits;
  end else begin : gen_no_addend
    logic unused_addend;

    assign unused_addend = ^{addend_negative_i, addend_exponent_i, addend_significand_i};
  end

  // An addend out of reach counts as zero, whatever its rounding would have left.
  if (HasAddend != 0 && AddendReach >= 0) begin : gen_reach
    logic [ExponentWidth-1:0] distance;  // never negative, so that as many bits hold it without a sign

    assign distance         = anchor_o - addend_exponent_i;
    assign addend_dropped_o = distance > ExponentWidth'(AddendReach);
  end else begin : gen_any_distance
    assign addend_dropped_o = 1'b0;
  end

  // ---------------------------------------------------------------------------------------------- sum

  tensorsmith_adder_tree #(
      .Count      (TermCount),
      .AddendWidth(AlignedWidth),
      .SumWidth   (SumWidth)
  ) u_sum (
      .addends_i(aligned_o),
      .sum_o    (sum_o)
  );

endmodule
