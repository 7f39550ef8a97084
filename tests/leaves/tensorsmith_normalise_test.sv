// Test of tensorsmith_normalise: every sum with every anchor of small windows, random wide ones.
//
// The expected significand is doubled step by step while its top bit is 0 and its exponent above the lowest.
// Each checker drives a twin whose lowest exponent is one too high: it has to differ at least once, and
// +fault puts it in the place of the module under test.
//
// Every STRIDE-th input is taken.

module tensorsmith_normalise_test;
  localparam Leaf = "tensorsmith_normalise";
  `include "leaf_test.svh"

  // SumWidth, MagnitudeWidth, HeadroomBits, NormalisedWidth, ExponentWidth, TopExponentOffset, ExponentMin, Target.
  normalise_checker #(  2,   1,  0,   1,  4,  0,    -3) u_2_1_0_1 ();
  normalise_checker #(  2,   2,  0,   2,  4,  1,    -3) u_2_2_0_2 ();
  normalise_checker #(  4,   3,  2,   5,  4,  3,    -6) u_4_3_2_5 ();
  normalise_checker #(  5,   5,  0,   5,  5,  2,    -8) u_5_5_0_5 ();
  normalise_checker #(  5,   4,  0,   7,  5, -2,   -12) u_5_4_0_7 ();
  normalise_checker #(  6,   5,  1,   9,  5,  4,   -14) u_6_5_1_9 ();
  normalise_checker #(  6,   5,  3,   8,  6,  5,     0) u_6_5_3_8 ();
  normalise_checker #(  7,   7,  2,  20,  6,  0,   -20) u_7_7_2_20 ();
  normalise_checker #( 29,  28,  0,  28,  9,  4,  -126) u_volta ();
  normalise_checker #( 29,  28,  0,  28,  9,  4,  -126, 1) u_volta_asic ();
  normalise_checker #(  6,   5,  1,   9,  5,  4,   -14, 1) u_6_5_1_9_asic ();
  normalise_checker #(  7,   7,  2,  20,  6,  0,   -20, 1) u_7_7_2_20_asic ();
  normalise_checker #( 33,  32,  0,  32,  9,  6,  -126) u_hopper ();
  normalise_checker #( 33,  32, 97, 129,  9, 60,  -126) u_headroom ();
  normalise_checker #( 29,  28,  0,  28,  9,  4,   -14) u_fp16_result ();
  normalise_checker #( 60,  60,  0, 113, 13, 70, -1022) u_fp64_result ();
endmodule

module normalise_checker #(
    parameter int SumWidth          = 29,
    parameter int MagnitudeWidth    = 28,
    parameter int HeadroomBits      = 0,
    parameter int NormalisedWidth   = 28,
    parameter int ExponentWidth     = 9,
    parameter int TopExponentOffset = 4,
    parameter int ExponentMin       = -126,
    parameter int Target            = 0
);
  localparam int Span       = 1 << ExponentWidth;
  // Anchors: the window's top not below ExponentMin, nothing outside ExponentWidth.
  localparam int AnchorLow  = ExponentMin - TopExponentOffset > -Span / 2 ? ExponentMin - TopExponentOffset : -Span / 2;
  localparam int AnchorHigh = TopExponentOffset > 0 ? Span / 2 - 1 - TopExponentOffset : Span / 2 - 1;
  localparam int Anchors    = AnchorHigh - AnchorLow + 1;
  localparam int Exhaustive = SumWidth <= 7 ? 1 : 0;
  localparam int Vectors    = Exhaustive == 1 ? Anchors * (1 << SumWidth) : NormalisedWidth <= 32 ? 3000 : 1000;

  localparam int FieldWidth = ExponentWidth + 1;
  // Steps of a sum of zero that nothing limits.
  localparam int Steps = (1 << $clog2(NormalisedWidth + 1)) - 1;

  logic signed [SumWidth-1:0]      sum, less;
  logic [FieldWidth-1:0]           field, twin_field;
  logic signed [ExponentWidth-1:0] anchor;
  logic                            negative,    twin_negative;
  logic signed [ExponentWidth-1:0] exponent,    twin_exponent;
  logic [NormalisedWidth-1:0]      significand, twin_significand;
  logic                            zero,        twin_zero;

  tensorsmith_normalise #(
      .SumWidth(SumWidth), .MagnitudeWidth(MagnitudeWidth), .HeadroomBits(HeadroomBits),
      .NormalisedWidth(NormalisedWidth), .ExponentWidth(ExponentWidth), .TopExponentOffset(TopExponentOffset),
      .ExponentMin(ExponentMin), .FieldWidth(FieldWidth), .Target(Target)
  ) u_normalise (
      .sum_i(sum), .less_i(less), .anchor_i(anchor), .field_o(field), .negative_o(negative),
      .exponent_o(exponent), .significand_o(significand), .zero_o(zero)
  );

  tensorsmith_normalise #(
      .SumWidth(SumWidth), .MagnitudeWidth(MagnitudeWidth), .HeadroomBits(HeadroomBits),
      .NormalisedWidth(NormalisedWidth), .ExponentWidth(ExponentWidth), .TopExponentOffset(TopExponentOffset),
      .ExponentMin(ExponentMin + 1), .FieldWidth(FieldWidth), .Target(Target)
  ) u_twin (
      .sum_i(sum), .less_i(less), .anchor_i(anchor), .field_o(twin_field), .negative_o(twin_negative),
      .exponent_o(twin_exponent), .significand_o(twin_significand), .zero_o(twin_zero)
  );

  logic [2+64+NormalisedWidth-1:0] actual, twin, expected, judged;
  bit                              fault, twin_differed;
  int                              seed, vector, checked, steps, expected_exponent;
  longint                          value;
  logic [NormalisedWidth-1:0]      window;

  assign less   = sum - 1;
  assign actual = {negative, zero, 32'(field), 32'(exponent), significand};
  assign twin   = {twin_negative, twin_zero, 32'(twin_field), 32'(twin_exponent), twin_significand};
  assign judged = fault ? twin : actual;

  initial begin
    tensorsmith_normalise_test.started = tensorsmith_normalise_test.started + 1;
    fault         = $test$plusargs("fault");
    twin_differed = 0;
    checked       = 0;
    seed          = SumWidth;
    for (vector = 0; vector < Vectors; vector = vector + `STRIDE) begin
      if (Exhaustive == 1) begin
        sum    = vector;
        anchor = AnchorLow + vector / (1 << SumWidth);
      end else begin
        // Sums of every length and sign, some zero; anchors anywhere, or near the lowest.
        sum    = {$random(seed), $random(seed)};
        sum    = sum >>> ($urandom(seed) % SumWidth);
        if (vector % 16 == 0) sum = '0;
        anchor = AnchorLow + int'($urandom(seed) % (vector % 2 == 0 ? Anchors : NormalisedWidth + 2));
      end
      #1;

      // The lowest sum has no magnitude of SumWidth - 1 bits.
      if (MagnitudeWidth == SumWidth || sum != {1'b1, {(SumWidth - 1){1'b0}}}) begin
        value             = sum;
        window            = value < 0 ? -value : value;
        window            = window << (NormalisedWidth - HeadroomBits - MagnitudeWidth);
        expected_exponent = int'(anchor) + TopExponentOffset;
        steps             = 0;
        while (window[NormalisedWidth-1] == 1'b0 && expected_exponent > ExponentMin && steps < (sum == 0 ? Steps : NormalisedWidth)) begin
          window            = window * 2;
          expected_exponent = expected_exponent - 1;
          steps             = steps + 1;
        end

        expected = {value < 0, value == 0, 32'(expected_exponent - ExponentMin + 1), expected_exponent, window};
        checked  = checked + 1;
        if (judged !== expected)
          tensorsmith_normalise_test.fail($sformatf("%m sum=%h anchor=%0d expected=%h actual=%h", sum, anchor, expected,
              judged));
        if (twin !== expected) twin_differed = 1;
      end
    end
    tensorsmith_normalise_test.finish(checked, twin_differed);
  end
endmodule
