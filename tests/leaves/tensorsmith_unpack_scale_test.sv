// Test of tensorsmith_unpack_scale: every encoding.
//
// Expected fields come from division and remainder of the encoding; the number they make is compared, as a
// real, with the format's definition. Each checker drives a twin whose bias is one too low: it has to differ at
// least once, and +fault puts it in the place of the module under test.

module tensorsmith_unpack_scale_test;
  localparam Leaf = "tensorsmith_unpack_scale";
  `include "leaf_test.svh"

  // ExponentBits, FractionBits, Bias, NonFinite, ExponentWidth: the smallest formats, then formats in use.
  unpack_scale_checker #( 1, 0,    0, 0,  2) u_1_0 ();
  unpack_scale_checker #( 1, 0,    0, 2,  9) u_1_0_nan ();
  unpack_scale_checker #( 2, 0,    1, 0,  3) u_2_0 ();
  unpack_scale_checker #( 2, 0,    5, 2,  5) u_2_0_low ();
  unpack_scale_checker #( 1, 1,    0, 0,  2) u_1_1 ();
  unpack_scale_checker #( 2, 1,    1, 2,  4) u_2_1_nan ();
  unpack_scale_checker #( 3, 4,    3, 0,  7) u_3_4 ();
  unpack_scale_checker #( 4, 3,    7, 2,  5) u_ue4m3 ();
  unpack_scale_checker #( 5, 3,   15, 2, 10) u_ue5m3 ();
  unpack_scale_checker #( 8, 0,  127, 2,  9) u_ue8m0 ();
  unpack_scale_checker #( 8, 0,  127, 2, 12) u_ue8m0_wide ();
  unpack_scale_checker #(11, 0, 1023, 0, 12) u_11_0 ();
endmodule

module unpack_scale_checker #(
    parameter int ExponentBits  = 8,
    parameter int FractionBits  = 0,
    parameter int Bias          = 127,
    parameter int NonFinite     = 2,
    parameter int ExponentWidth = 9
);
  localparam int Vectors = 1 << (ExponentBits + FractionBits);

  logic [ExponentBits+FractionBits-1:0] scale;
  logic signed [ExponentWidth-1:0]      exponent,    twin_exponent;
  logic [FractionBits:0]                significand, twin_significand;
  logic                                 zero,        twin_zero;
  logic                                 nan,         twin_nan;

  tensorsmith_unpack_scale #(
      .ExponentBits(ExponentBits), .FractionBits(FractionBits), .Bias(Bias), .NonFinite(NonFinite),
      .ExponentWidth(ExponentWidth)
  ) u_unpack_scale (
      .scale_i(scale), .exponent_o(exponent), .significand_o(significand), .zero_o(zero), .nan_o(nan)
  );

  tensorsmith_unpack_scale #(
      .ExponentBits(ExponentBits), .FractionBits(FractionBits), .Bias(Bias - 1), .NonFinite(NonFinite),
      .ExponentWidth(ExponentWidth)
  ) u_twin (
      .scale_i(scale), .exponent_o(twin_exponent), .significand_o(twin_significand), .zero_o(twin_zero),
      .nan_o(twin_nan)
  );

  logic [2+32+32-1:0] actual, twin, expected, judged;
  bit                 fault, twin_differed;
  int                 vector, field, fraction, expected_exponent, expected_significand;
  bit                 expected_nan;
  real                number, definition;

  assign actual = {zero, nan, 32'(exponent), 32'(significand)};
  assign twin   = {twin_zero, twin_nan, 32'(twin_exponent), 32'(twin_significand)};
  assign judged = fault ? twin : actual;

  initial begin
    tensorsmith_unpack_scale_test.started = tensorsmith_unpack_scale_test.started + 1;
    fault         = $test$plusargs("fault");
    twin_differed = 0;
    for (vector = 0; vector < Vectors; vector = vector + 1) begin
      scale = vector;
      #1;

      fraction = vector % (1 << FractionBits);
      field    = vector / (1 << FractionBits);
      if (field == 0 && FractionBits > 0) begin
        expected_exponent    = 1 - Bias;
        expected_significand = fraction;
        definition           = real'(fraction) * (2.0 ** (1 - Bias - FractionBits));
      end else begin
        expected_exponent    = field - Bias;
        expected_significand = (1 << FractionBits) + fraction;
        definition           = (1.0 + real'(fraction) / (2.0 ** FractionBits)) * (2.0 ** (field - Bias));
      end
      expected_nan = NonFinite == 2 && vector == Vectors - 1;

      expected = {expected_significand == 0, expected_nan, expected_exponent, expected_significand};
      if (judged !== expected)
        tensorsmith_unpack_scale_test.fail($sformatf("%m scale=%h expected=%h actual=%h", scale, expected, judged));
      if (twin !== expected) twin_differed = 1;

      // The number, from the outputs and from the definition of the format.
      number = real'(significand) * (2.0 ** (exponent - FractionBits));
      if (number != definition)
        tensorsmith_unpack_scale_test.fail($sformatf("%m scale=%h expected=%g actual=%g", scale, definition, number));
    end
    tensorsmith_unpack_scale_test.finish(Vectors, twin_differed);
  end
endmodule
