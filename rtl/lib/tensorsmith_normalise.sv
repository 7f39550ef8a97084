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
// Headroom lets a result exponent be reached that lies above the magnitude's top bit; padding gives the
// rounder the bits it needs. It never rounds, and it treats a sum of zero as any other: the shift is then
// min(NormalisedWidth, top - ExponentMin).
//
// Registers may stand behind the magnitude, and between the shift's distance and the shift.

module tensorsmith_normalise #(
    parameter int SumWidth          = 29,   // sum, two's complement, sign included
    parameter int MagnitudeWidth    = 28,   // magnitude: SumWidth, or SumWidth - 1 if no sum is -2^(SumWidth-1)
    parameter int HeadroomBits      = 0,    // zeros above the magnitude
    parameter int NormalisedWidth   = 28,   // significand: headroom, magnitude and padding
    parameter int ExponentWidth     = 9,    // exponents, two's complement, sign included
    parameter int TopExponentOffset = 4,    // weight exponent of the window's top bit, above the anchor
    parameter int CutMagnitude      = 0,    // 1: registers behind the magnitude
    parameter int CutShift          = 0,    // 1: registers behind the shift's distance
    parameter int ExponentMin       = -126  // lowest exponent of the result
) (
    input  logic                              clk_i,          // rising edge
    input  logic                              ce_i,           // 1: registers take their values
    input  logic signed [SumWidth-1:0]        sum_i,          // sum of the aligned terms
    input  logic signed [ExponentWidth-1:0]   anchor_i,       // anchor; top = anchor + TopExponentOffset is at
                                                              // least ExponentMin
    output logic                              negative_o,     // the sum is below zero
    output logic signed [ExponentWidth-1:0]   exponent_o,     // weight exponent of the significand's top bit
    output logic        [NormalisedWidth-1:0] significand_o,  // normalised magnitude
    output logic                              zero_o          // the sum is zero
);

  // Zeros below the magnitude.
  localparam int PadBits = NormalisedWidth - HeadroomBits - MagnitudeWidth;
  // Leading zeros: 0 to NormalisedWidth.
  localparam int CountWidth = $clog2(NormalisedWidth + 1);
  // Either candidate of the shift.
  localparam int CompareWidth = CountWidth > ExponentWidth ? CountWidth : ExponentWidth;

  // ---------------------------------------------------------------------------------------------- magnitude

  logic                             below;  // the sum is below zero
  logic [MagnitudeWidth-1:0]        magnitude;
  logic                             negative;  // cut
  logic                             zero;
  logic [MagnitudeWidth-1:0]        significand;
  logic signed [ExponentWidth-1:0]  anchor;
  logic [NormalisedWidth-1:0]       window;

  assign below     = sum_i[SumWidth-1];
  assign magnitude = (sum_i[MagnitudeWidth-1:0] ^ {MagnitudeWidth{below}}) + MagnitudeWidth'(below);
  assign window    = NormalisedWidth'(significand) << PadBits;

  tensorsmith_delay #(
      .Width  (2 + MagnitudeWidth + ExponentWidth),
      .Latency(CutMagnitude)
  ) u_magnitude (
      .clk_i  (clk_i),
      .ce_i   (ce_i),
      .value_i({below, sum_i == '0, magnitude, anchor_i}),
      .value_o({negative, zero, significand, anchor})
  );

  // ---------------------------------------------------------------------------------------------- shift

  logic signed [ExponentWidth-1:0] top;            // weight exponent of the window's top bit
  logic        [ExponentWidth-1:0] limit;          // top - ExponentMin, never negative
  logic        [CountWidth-1:0]    leading_zeros;  // of the window
  logic        [CountWidth-1:0]    shift;          // the smaller of the two

  assign top   = anchor + ExponentWidth'(TopExponentOffset);
  assign limit = anchor + ExponentWidth'(TopExponentOffset - ExponentMin);
  assign shift = CompareWidth'(limit) < CompareWidth'(leading_zeros) ? CountWidth'(limit) : leading_zeros;

  tensorsmith_leading_zeros #(
      .Width     (NormalisedWidth),
      .CountWidth(CountWidth)
  ) u_leading_zeros (
      .value_i(window),
      .count_o(leading_zeros)
  );

  logic [NormalisedWidth-1:0]      shifted;  // window, shift and top, cut
  logic        [CountWidth-1:0]    left;
  logic signed [ExponentWidth-1:0] shifted_top;

  tensorsmith_delay #(
      .Width  (2 + NormalisedWidth + CountWidth + ExponentWidth),
      .Latency(CutShift)
  ) u_shift (
      .clk_i  (clk_i),
      .ce_i   (ce_i),
      .value_i({negative, zero, window, shift, top}),
      .value_o({negative_o, zero_o, shifted, left, shifted_top})
  );

  assign significand_o = shifted << left;
  assign exponent_o    = shifted_top - ExponentWidth'(left);

endmodule
