// SPDX-License-Identifier: MIT OR Apache-2.0
// Shifts one term to the anchor, rounds it there once and applies its sign.
//
// row_o + up_o = (-1)^negative * round(significand * 2^PlaceLeft / 2^(anchor - exponent + GuardBits))
//
// The row of a negative term is a ones' complement. A sum of many terms adds the rows and counts the ups: no term has an adder
// of its own.
//
//     placed     | significand | 0 .. 0 |                           PlaceLeft zeros on the right
//     shifted    | 0 ...... 0 | significand | 0 .. 0 |              to the right by distance + GuardBits
//                | kept                 | lost       |
//                                      ^ last kept bit: the unit of row_o
//
// The distance may exceed the significand by any amount: then nothing is kept, and what is lost still counts
// where the rounding asks for it. It never compares exponents: anchor_i has to be at least exponent_i, unless
// the significand is zero, of which nothing is kept or lost at any distance. And it never saturates:
// AlignedWidth has to hold a sign, the kept bits and, where the rounding adds one, its carry.
//
// With CutDistance a register stands between the distance and the shift.

module tensorsmith_align #(
    parameter int SignificandWidth = 11,  // significand, hidden and further integer bits included
    parameter int PlaceLeft        = 0,   // zeros appended on the right of the significand
    parameter int GuardBits        = 0,   // bits below the last kept one at distance 0
    parameter int ExponentWidth    = 9,   // exponents, two's complement, sign included
    parameter int AlignedWidth     = 12,  // result, two's complement, sign included
    parameter int CutDistance      = 0,   // 1: registers behind the distance
    parameter int Rounding         = 0    // as in tensorsmith_round; toward zero, lost bits are dropped from the magnitude, and
                                          // to odd, they are ORed into the last kept bit
) (
    input  logic                               clk_i,          // rising edge
    input  logic                               ce_i,           // 1: registers take their values
    input  logic                               negative_i,     // sign of the term
    input  logic signed [ExponentWidth-1:0]    exponent_i,     // exponent of the term, from whatever origin
    input  logic        [SignificandWidth-1:0] significand_i,  // significand of the term
    input  logic signed [ExponentWidth-1:0]    anchor_i,       // exponent to align to, from that origin
    output logic signed [AlignedWidth-1:0]     row_o,          // signed term in units of the last kept bit, less up_o
    output logic                               up_o            // 0 or 1
);

  // The significand and the zeros on its right.
  localparam int PlacedWidth = SignificandWidth + PlaceLeft;
  // Bits of a distance at which something of it is kept.
  localparam int ShiftWidth = $clog2(PlacedWidth + 1) < ExponentWidth ? $clog2(PlacedWidth + 1) : ExponentWidth;

  localparam int LastStep = 1 << (ShiftWidth - 1);

  // ---------------------------------------------------------------------------------------------- shift

  logic [ExponentWidth-1:0]    distance;  // without a sign: where it counts, it is not negative
  logic                        negative;  // distance, sign and significand, cut
  logic [SignificandWidth-1:0] significand;
  logic [ExponentWidth-1:0]    right;
  logic                        far;
  logic                        take;     // the shifter's last step
  logic                        pass;     // none, and something is kept
  logic [PlacedWidth-1:0]      placed;
  logic [PlacedWidth-1:0]      stepped;  // without the last step
  logic [AlignedWidth-1:0]     kept;

  // The shifter looks at no more bits of the distance than it needs: beyond those nothing is kept. Its last step drops the term
  // then. The braces shift at PlacedWidth bits; only then is the width of kept taken.
  assign distance = anchor_i - exponent_i;
  assign placed   = PlacedWidth'(significand) << PlaceLeft;
  assign far      = (right >> ShiftWidth) != '0;
  assign take     = right[ShiftWidth-1] && !far;
  assign pass     = !right[ShiftWidth-1] && !far;
  assign stepped  = placed >> (right & ExponentWidth'(LastStep - 1));
  assign kept     = AlignedWidth'({((stepped & {PlacedWidth{pass}}) | ((stepped >> LastStep) & {PlacedWidth{take}})) >> GuardBits});

  tensorsmith_delay #(
      .Width  (1 + SignificandWidth + ExponentWidth),
      .Latency(CutDistance)
  ) u_distance (
      .clk_i  (clk_i),
      .ce_i   (ce_i),
      .value_i({negative_i, significand_i, distance}),
      .value_o({negative, significand, right})
  );

  // ---------------------------------------------------------------------------------------------- rounding

  // -(magnitude + 1) = ~magnitude: one increment, up_o, serves the sign and the rounding of a term.
  logic [AlignedWidth-1:0] magnitude;  // before a term is rounded up
  logic                    unused_top;

  assign unused_top = magnitude[AlignedWidth-1];

  if (Rounding == 0) begin : gen_toward_zero
    assign magnitude = kept;
    assign up_o      = negative;
  end else begin : gen_lost
    logic [PlacedWidth-1:0] lost_mask;  // ones at the bits of placed that are not kept

    //     placed       | kept        | lost        |
    //     lost_mask    | 0 ....... 0 | 1 ....... 1 |      distance + GuardBits ones, or all
    assign lost_mask = ~(({PlacedWidth{1'b1}} << right) << GuardBits);

    if (Rounding == 3 || Rounding == 4) begin : gen_directed
      logic below_kept;  // any lost bit

      assign below_kept = (placed & lost_mask) != '0;
      assign magnitude  = kept;
      assign up_o       = Rounding == 3 ? negative || below_kept : negative && !below_kept;
    end else if (Rounding == 1 || Rounding == 2) begin : gen_nearest
      logic half;   // the highest lost bit
      logic below;  // any lost bit below it

      //     {placed, 0}     | kept        | half | below         | 0 |
      //     lost_mask       |   0 ....... 0 | 1 ............... 1 |
      //     its right half  |   0 ....... 0 | 0 | 1 ........... 1 |
      // Where the mask has no room for the highest lost bit, that bit is 0 and below does not matter.
      assign half      = 1'(({placed, 1'b0} >> right) >> GuardBits);
      assign below     = (placed & (lost_mask >> 1)) != '0;
      assign magnitude = kept;
      assign up_o      = negative ^ (half && (Rounding == 2 || below || kept[0]));
    end else begin : gen_to_odd
      assign magnitude = kept | AlignedWidth'((placed & lost_mask) != '0);
      assign up_o      = negative;
    end
  end

  // ---------------------------------------------------------------------------------------------- sign

  assign row_o = {negative, magnitude[AlignedWidth-2:0] ^ {(AlignedWidth - 1){negative}}};

endmodule
