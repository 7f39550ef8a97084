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

module tensorsmith_normalise #(
    parameter int SumWidth          = 29,   // sum, two's complement, sign included
    parameter int MagnitudeWidth    = 28,   // magnitude: SumWidth, or SumWidth - 1 if no sum is -2^(SumWidth-1)
    parameter int HeadroomBits      = 0,    // zeros above the magnitude
    parameter int NormalisedWidth   = 28,   // significand: headroom, magnitude and padding
    parameter int ExponentWidth     = 9,    // exponents, two's complement, sign included
    parameter int TopExponentOffset = 4,    // weight exponent of the window's top bit, above the anchor
    parameter int ExponentMin       = -126  // lowest exponent of the result
) (
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

  logic [MagnitudeWidth-1:0]  magnitude;
  logic [NormalisedWidth-1:0] window;

  assign negative_o = sum_i[SumWidth-1];
  assign zero_o     = sum_i == '0;
  assign magnitude  = (sum_i[MagnitudeWidth-1:0] ^ {MagnitudeWidth{negative_o}}) + MagnitudeWidth'(negative_o);
  assign window     = NormalisedWidth'(magnitude) << PadBits;

  // ---------------------------------------------------------------------------------------------- shift

  logic signed [ExponentWidth-1:0] top;            // weight exponent of the window's top bit
  logic        [ExponentWidth-1:0] limit;          // top - ExponentMin, never negative
  logic        [CountWidth-1:0]    leading_zeros;  // of the window
  logic        [CountWidth-1:0]    shift;          // the smaller of the two

  assign top   = anchor_i + ExponentWidth'(TopExponentOffset);
  assign limit = anchor_i + ExponentWidth'(TopExponentOffset - ExponentMin);
  assign shift = CompareWidth'(limit) < CompareWidth'(leading_zeros) ? CountWidth'(limit) : leading_zeros;

  tensorsmith_leading_zeros #(
      .Width     (NormalisedWidth),
      .CountWidth(CountWidth)
  ) u_leading_zeros (
      .value_i(window),
      .count_o(leading_zeros)
  );

  assign significand_o = window << shift;
  assign exponent_o    = top - ExponentWidth'(shift);

endmodule
