// SPDX-License-Identifier: MIT OR Apache-2.0
// Turns the signed sum into sign, significand and exponent, the significand shifted left until its top bit is
// 1 or its exponent is ExponentMin.
//
//     sum_i            | sign |      sum       |          bit F of the sum has weight 2^anchor
//     window           | 0 .. 0 |   magnitude    | 0 .. 0 |           HeadroomBits, MagnitudeWidth, PadBits
//                       ^ weight 2^top, top = anchor + TopExponentOffset
//     significand_o    | 1 ................. | 0 ...... 0 |           window << shift
//                       ^ weight 2^exponent_o, exponent_o = top - shift
//
//     shift = min(leading zeros of the window, top - ExponentMin)
//
// The shift is found and made bit by bit, from the top: by 2^k places where as many zeros stand on top and the limit, top -
// ExponentMin, allows bit k. It allows its own ones; and once one of them was not taken, every bit:
//
//     limit    0 1 0 1 1
//     shift    0 1 0 0 x      below the limit from the first 0 under a 1
//
// Headroom lets a result exponent be reached that lies above the magnitude's top bit; padding gives the
// rounder the bits it needs. It never rounds, and it treats a sum of zero as one whose leading one stands
// 2^CountWidth - 1 places below the top.
//
// Registers may stand behind the magnitude, and on the way through the shift.

module tensorsmith_normalise #(
    parameter int SumWidth          = 29,   // sum, two's complement, sign included
    parameter int MagnitudeWidth    = 28,   // magnitude: SumWidth, or SumWidth - 1 if no sum is -2^(SumWidth-1)
    parameter int HeadroomBits      = 0,    // zeros above the magnitude
    parameter int NormalisedWidth   = 28,   // significand: headroom, magnitude and padding
    parameter int ExponentWidth     = 9,    // exponents, two's complement, sign included
    parameter int TopExponentOffset = 4,    // weight exponent of the window's top bit, above the anchor
    parameter int FieldWidth        = 10,   // exponent fields of the result as if they had room
    parameter int CutMagnitude      = 0,    // 1: registers behind the magnitude
    parameter int CutShift          = 0,    // 1: registers in the middle of the shift
    parameter int Target            = 0,    // 1: the magnitude is chosen from the sum and the sum less one
    parameter int ExponentMin       = -126  // lowest exponent of the result
) (
    input  logic                              clk_i,          // rising edge
    input  logic                              ce_i,           // 1: registers take their values
    input  logic signed [SumWidth-1:0]        sum_i,          // sum of the aligned terms
    input  logic        [SumWidth-1:0]        less_i,         // sum_i less one, for Target 1
    input  logic signed [ExponentWidth-1:0]   anchor_i,       // anchor; top = anchor + TopExponentOffset is at
                                                              // least ExponentMin
    output logic                              negative_o,     // the sum is below zero
    output logic signed [ExponentWidth-1:0]   exponent_o,     // weight exponent of the significand's top bit
    output logic        [FieldWidth-1:0]      field_o,        // exponent field of the result where that bit is one
    output logic        [NormalisedWidth-1:0] significand_o,  // normalised magnitude
    output logic                              zero_o          // the sum is zero
);

  // Zeros below the magnitude.
  localparam int PadBits = NormalisedWidth - HeadroomBits - MagnitudeWidth;
  // Leading zeros: 0 to NormalisedWidth.
  localparam int CountWidth = $clog2(NormalisedWidth + 1);
  // The limit too.
  localparam int LimitWidth = CountWidth > ExponentWidth ? CountWidth : ExponentWidth;

  // ---------------------------------------------------------------------------------------------- magnitude

  logic                             sum_negative;
  logic [MagnitudeWidth-1:0]        magnitude;
  logic                             negative;  // cut
  logic                             zero;
  logic [MagnitudeWidth-1:0]        significand;
  logic signed [ExponentWidth-1:0]  anchor;
  logic [NormalisedWidth-1:0]       window;

  logic unused_less;  // its sign, or all of it

  assign unused_less  = ^less_i;
  assign sum_negative = sum_i[SumWidth-1];
  assign window       = NormalisedWidth'(significand) << PadBits;

  // -sum = ~(sum - 1)
  if (Target == 1) begin : gen_chosen
    assign magnitude = sum_negative ? ~less_i[MagnitudeWidth-1:0] : sum_i[MagnitudeWidth-1:0];
  end else begin : gen_added
    assign magnitude = (sum_i[MagnitudeWidth-1:0] ^ {MagnitudeWidth{sum_negative}}) + MagnitudeWidth'(sum_negative);
  end

  tensorsmith_delay #(
      .Width  (2 + MagnitudeWidth + ExponentWidth),
      .Latency(CutMagnitude)
  ) u_magnitude (
      .clk_i  (clk_i),
      .ce_i   (ce_i),
      .value_i({sum_negative, sum_i == '0, magnitude, anchor_i}),
      .value_o({negative, zero, significand, anchor})
  );

  // ---------------------------------------------------------------------------------------------- shift

  logic signed [ExponentWidth-1:0] top;    // weight exponent of the window's top bit
  logic        [ExponentWidth-1:0] limit;  // top - ExponentMin, never negative
  logic        [CountWidth-1:0]    bound;  // the same, all ones where it is more than any shift

  assign top   = anchor + ExponentWidth'(TopExponentOffset);
  assign limit = anchor + ExponentWidth'(TopExponentOffset - ExponentMin);
  assign bound = CountWidth'(limit) | {CountWidth{(LimitWidth'(limit) >> CountWidth) != '0}};

  // The level that registers stand behind: half of the shift's bits are then found.
  localparam int CutLevel  = CountWidth / 2;
  localparam int SideWidth = 2 + ExponentWidth + LimitWidth + CountWidth;

  for (genvar level = CountWidth - 1; level >= 0; level--) begin : gen_level
    // What this level's bit of the shift weighs.
    localparam int Step = 1 << level;

    logic [NormalisedWidth-1:0]  entering;  // shifted by the bits that were found
    logic                        free;      // those are below the limit, whatever follows
    logic [SideWidth-1:0]        beside;    // what goes past
    logic                        take;      // this bit
    logic [CountWidth-level-1:0] found;     // it and those above
    logic [NormalisedWidth-1:0]  value;     // cut, as what follows
    logic [CountWidth-level-1:0] shift;
    logic                        below;
    logic [SideWidth-1:0]        side;

    if (level == CountWidth - 1) begin : gen_first
      assign entering = window;
      assign free     = 1'b0;
      assign beside   = {negative, zero, top, LimitWidth'(limit), bound};
      assign found    = take;
    end else begin : gen_next
      assign entering = gen_level[level+1].value;
      assign free     = gen_level[level+1].below;
      assign beside   = gen_level[level+1].side;
      assign found    = {gen_level[level+1].shift, take};
    end

    assign take = entering[NormalisedWidth-1 -: Step] == '0 && (free || beside[level]);

    tensorsmith_delay #(
        .Width  (NormalisedWidth + CountWidth - level + 1 + SideWidth),
        .Latency(CutShift != 0 && level == CutLevel ? 1 : 0)
    ) u_cut (
        .clk_i  (clk_i),
        .ce_i   (ce_i),
        .value_i({take ? entering << Step : entering, found, free || (beside[level] && !take), beside}),
        .value_o({value, shift, below, side})
    );
  end

  logic [CountWidth-1:0]           shift;         // whole
  logic signed [ExponentWidth-1:0] shifted_top;   // cut
  logic [LimitWidth-1:0]           shifted_limit;
  logic [CountWidth-1:0]           unused_bound;
  logic                            unused_below;
  logic                            unused_shift;  // what is more than exponents have bits

  assign {negative_o, zero_o, shifted_top, shifted_limit, unused_bound} = gen_level[0].side;

  assign unused_below  = gen_level[0].below;
  assign unused_shift  = ^{shift, shifted_limit};
  assign shift         = gen_level[0].shift;
  assign significand_o = gen_level[0].value;
  assign exponent_o    = shifted_top - ExponentWidth'(shift);
  assign field_o       = FieldWidth'(shifted_limit) + FieldWidth'(1) - FieldWidth'(shift);

endmodule
