// Test of tensorsmith_cut: every significand up to 9 bits with either sign, random wide ones.
//
// The expected number is the floor of the signed quotient by 2^CutBits, multiplied back. Each checker drives a twin that
// rounds upward: it has to differ at least once, and +fault puts it in the place of the module under test.

module tensorsmith_cut_test;
  localparam Leaf = "tensorsmith_cut";
  `include "leaf_test.svh"

  // NormalisedWidth, CutBits, ExponentWidth. One bit is kept, or one is cut; the units of CDNA3; a wide window.
  cut_checker #(  2,  1, 4) u_2_1 ();
  cut_checker #(  5,  4, 4) u_5_4 ();
  cut_checker #(  6,  1, 4) u_6_1 ();
  cut_checker #(  9,  4, 5) u_9_4 ();
  cut_checker #( 39,  7, 9) u_fp16 ();
  cut_checker #( 41,  9, 9) u_fp8 ();
  cut_checker #(110, 70, 9) u_wide ();
endmodule

module cut_checker #(
    parameter int NormalisedWidth = 28,
    parameter int CutBits         = 4,
    parameter int ExponentWidth   = 9
);
  localparam int KeptWidth = NormalisedWidth - CutBits;
  localparam int Vectors   = NormalisedWidth <= 9 ? 2 << NormalisedWidth : 3000;

  logic                            negative;
  logic signed [ExponentWidth-1:0] exponent, cut_exponent, twin_exponent;
  logic [NormalisedWidth-1:0]      significand, cut_significand, twin_significand;
  logic                            zero, twin_zero;

  tensorsmith_cut #(.NormalisedWidth(NormalisedWidth), .CutBits(CutBits), .ExponentWidth(ExponentWidth))
      u_cut (.negative_i(negative), .exponent_i(exponent), .significand_i(significand), .exponent_o(cut_exponent),
      .significand_o(cut_significand), .zero_o(zero));

  tensorsmith_cut #(.NormalisedWidth(NormalisedWidth), .CutBits(CutBits), .ExponentWidth(ExponentWidth))
      u_twin (.negative_i(!negative), .exponent_i(exponent), .significand_i(significand), .exponent_o(twin_exponent),
      .significand_o(twin_significand), .zero_o(twin_zero));

  logic [ExponentWidth+NormalisedWidth:0] actual, twin, expected, judged;
  logic signed [ExponentWidth-1:0]        next;
  bit                                     fault, twin_differed;
  int                                     seed, vector;
  logic [127:0]                           unit, quotient;

  assign actual = {zero, cut_exponent, cut_significand};
  assign twin   = {twin_zero, twin_exponent, twin_significand};
  assign judged = fault ? twin : actual;

  initial begin
    tensorsmith_cut_test.started = tensorsmith_cut_test.started + 1;
    fault         = $test$plusargs("fault");
    twin_differed = 0;
    seed          = 10 * NormalisedWidth + CutBits;
    unit          = 128'd1 << CutBits;
    for (vector = 0; vector < Vectors; vector = vector + 1) begin
      // Any exponent but the greatest, which has no next one.
      exponent = $random(seed);
      if (exponent == {1'b0, {(ExponentWidth-1){1'b1}}}) exponent = '0;
      if (NormalisedWidth <= 9) {negative, significand} = vector;
      else begin
        // Random; exact; the last cut bit alone; all ones, which carry; small ones, as of subnormal results.
        negative    = $random(seed);
        significand = {$random(seed), $random(seed), $random(seed), $random(seed)};
        if (vector % 8 == 2 || vector % 8 == 3) significand[CutBits-1:0] = '0;
        if (vector % 8 == 3) significand[0] = 1'b1;
        if (vector % 8 == 4) significand[NormalisedWidth-1:CutBits] = '1;
        if (vector % 8 == 5) significand = significand >> (CutBits + $unsigned($random(seed)) % KeptWidth);
      end
      #1;

      // The floor's magnitude, in units of the last place kept.
      quotient = negative ? (significand + unit - 1) / unit : significand / unit;
      next     = exponent + 1'b1;
      expected = {quotient == 0, exponent, NormalisedWidth'(quotient * unit)};
      if (quotient == 128'd1 << KeptWidth) expected = {1'b0, next, 1'b1, {(NormalisedWidth-1){1'b0}}};

      if (judged !== expected)
        tensorsmith_cut_test.fail($sformatf("%m negative=%b significand=%h expected=%h actual=%h", negative,
            significand, expected, judged));
      if (twin !== expected) twin_differed = 1;
    end
    tensorsmith_cut_test.finish(Vectors, twin_differed);
  end
endmodule
