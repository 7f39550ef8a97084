// Test of tensorsmith_scale: all significands where they have 12 bits together, else random ones.
//
// The expected term is a sum of shifted significands in 128 bits. Each checker drives a twin that takes the
// exponent of b's scale one too high: it has to differ at least once, and +fault puts it in the place of the
// module under test.

module tensorsmith_scale_test;
  localparam Leaf = "tensorsmith_scale";
  `include "leaf_test.svh"

  // Width, ScaleAWidth, ScaleBWidth, TermWidth, ExponentWidth, ExponentFloor: scales with and without a fraction.
  scale_checker #( 1, 1, 1,  1,  6,   -9) u_1_1_1 ();
  scale_checker #( 4, 1, 1,  4,  8,  -20) u_4_powers ();
  scale_checker #( 4, 1, 3,  7,  7,    5) u_4_1_3 ();
  scale_checker #( 3, 3, 2,  8,  7,  -31) u_3_3_2 ();
  scale_checker #( 4, 4, 4, 12,  8,  -50) u_e2m1_ue4m3 ();
  scale_checker #( 8, 1, 1,  8, 11, -133) u_mxf8 ();
  scale_checker #(12, 1, 1, 12, 11, -139) u_mxf4 ();
  scale_checker #(12, 4, 4, 20,  9, -126) u_nvf4 ();
  scale_checker #(40, 4, 4, 48,  9, -126) u_wide ();
endmodule

module scale_checker #(
    parameter int Width         = 8,
    parameter int ScaleAWidth   = 1,
    parameter int ScaleBWidth   = 1,
    parameter int TermWidth     = 8,
    parameter int ExponentWidth = 11,
    parameter int ExponentFloor = -133
);
  localparam int InputBits = Width + ScaleAWidth + ScaleBWidth;
  localparam int Vectors   = InputBits <= 12 ? 1 << InputBits : 4000;
  // Exponents whose sum, and that plus one, still fit.
  localparam int Reach     = (1 << (ExponentWidth - 1)) / 4 - 1;

  logic signed [ExponentWidth-1:0] exponent, scale_a_exponent, scale_b_exponent, scale_b_exponent_high;
  logic [Width-1:0]                significand;
  logic [ScaleAWidth-1:0]          scale_a_significand;
  logic [ScaleBWidth-1:0]          scale_b_significand;
  logic signed [ExponentWidth-1:0] term_exponent,    twin_exponent;
  logic [TermWidth-1:0]            term_significand, twin_significand;

  assign scale_b_exponent_high = scale_b_exponent + ExponentWidth'(1);

  tensorsmith_scale #(
      .Width(Width), .ScaleAWidth(ScaleAWidth), .ScaleBWidth(ScaleBWidth), .TermWidth(TermWidth),
      .ExponentWidth(ExponentWidth), .ExponentFloor(ExponentFloor)
  ) u_scale (
      .exponent_i(exponent), .significand_i(significand), .scale_a_exponent_i(scale_a_exponent),
      .scale_a_significand_i(scale_a_significand), .scale_b_exponent_i(scale_b_exponent),
      .scale_b_significand_i(scale_b_significand), .exponent_o(term_exponent), .significand_o(term_significand)
  );

  tensorsmith_scale #(
      .Width(Width), .ScaleAWidth(ScaleAWidth), .ScaleBWidth(ScaleBWidth), .TermWidth(TermWidth),
      .ExponentWidth(ExponentWidth), .ExponentFloor(ExponentFloor)
  ) u_twin (
      .exponent_i(exponent), .significand_i(significand), .scale_a_exponent_i(scale_a_exponent),
      .scale_a_significand_i(scale_a_significand), .scale_b_exponent_i(scale_b_exponent_high),
      .scale_b_significand_i(scale_b_significand), .exponent_o(twin_exponent), .significand_o(twin_significand)
  );

  logic [32+128-1:0] actual, twin, expected, judged;
  bit                fault, twin_differed;
  int                seed, vector, place, expected_exponent;
  logic [127:0]      half, whole;

  assign actual = {32'(term_exponent), 128'(term_significand)};
  assign twin   = {32'(twin_exponent), 128'(twin_significand)};
  assign judged = fault ? twin : actual;

  initial begin
    tensorsmith_scale_test.started = tensorsmith_scale_test.started + 1;
    fault         = $test$plusargs("fault");
    twin_differed = 0;
    seed          = 7 * InputBits + TermWidth;
    for (vector = 0; vector < Vectors; vector = vector + 1) begin
      if (InputBits <= 12) {significand, scale_a_significand, scale_b_significand} = vector;
      else begin
        significand         = {$random(seed), $random(seed)} >> (vector % 3 == 0 ? $urandom(seed) % 64 : 0);
        scale_a_significand = $random(seed);
        scale_b_significand = $random(seed);
        if (vector == 0) {significand, scale_a_significand, scale_b_significand} = '1;
      end
      // A power of two is never zero: its significand is 1.
      if (ScaleAWidth == 1) scale_a_significand = 1'b1;
      if (ScaleBWidth == 1) scale_b_significand = 1'b1;
      exponent         = int'($urandom(seed) % (2 * Reach + 1)) - Reach;
      scale_a_exponent = int'($urandom(seed) % (Reach + 1)) - Reach / 2;
      scale_b_exponent = int'($urandom(seed) % (Reach + 1)) - Reach / 2;
      #1;

      half  = 0;
      whole = 0;
      for (place = 0; place < ScaleAWidth; place = place + 1)
        if (scale_a_significand[place]) half = half + (128'(significand) << place);
      for (place = 0; place < ScaleBWidth; place = place + 1)
        if (scale_b_significand[place]) whole = whole + (half << place);
      expected_exponent = whole == 0 ? ExponentFloor
                                     : int'(exponent) + int'(scale_a_exponent) + int'(scale_b_exponent);

      expected = {expected_exponent, whole};
      if (judged !== expected)
        tensorsmith_scale_test.fail($sformatf("%m significands=%h,%h,%h exponents=%0d,%0d,%0d expected=%h actual=%h",
            significand, scale_a_significand, scale_b_significand, exponent, scale_a_exponent, scale_b_exponent,
            expected, judged));
      if (twin !== expected) twin_differed = 1;
    end
    tensorsmith_scale_test.finish(Vectors, twin_differed);
  end
endmodule
