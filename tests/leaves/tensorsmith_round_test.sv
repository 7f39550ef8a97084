// Test of tensorsmith_round: every significand up to 10 bits with either sign, random wide ones.
//
// The expected value is chosen between the two neighbours, the quotient and the one above, by the doubled
// remainder. Each checker drives a twin with the next rounding: it has to differ at least once, and +fault
// puts it in the place of the module under test.
//
// Every STRIDE-th input is taken.

module tensorsmith_round_test;
  localparam Leaf = "tensorsmith_round";
  `include "leaf_test.svh"

  // NormalisedWidth, FractionBits; every rounding of each.
  for (genvar rounding = 0; rounding <= 5; rounding++) begin : gen_rounding
    round_checker #(  4,  1, rounding) u_4_1 ();
    round_checker #(  7,  4, rounding) u_7_4 ();
    round_checker #( 10,  3, rounding) u_10_3 ();
    round_checker #( 28, 23, rounding) u_volta ();
    round_checker #( 28, 10, rounding) u_fp16 ();
    round_checker #( 28, 13, rounding) u_fp8 ();
    round_checker #(110, 52, rounding) u_fp64 ();
  end
endmodule

module round_checker #(
    parameter int NormalisedWidth = 28,
    parameter int FractionBits    = 23,
    parameter int Rounding        = 0
);
  localparam int DiscardedWidth = NormalisedWidth - FractionBits - 1;
  localparam int Vectors        = NormalisedWidth <= 10 ? 2 << NormalisedWidth : 3000;
  // Few inputs are all taken.
  localparam int Stride         = Vectors < 500 ? 1 : `STRIDE;

  logic                       negative;
  logic [NormalisedWidth-1:0] significand;
  logic [FractionBits+1:0]    rounded, twin_rounded;
  logic                       inexact, twin_inexact;

  tensorsmith_round #(.NormalisedWidth(NormalisedWidth), .FractionBits(FractionBits), .Rounding(Rounding))
      u_round (.negative_i(negative), .significand_i(significand), .rounded_o(rounded), .inexact_o(inexact));

  tensorsmith_round #(.NormalisedWidth(NormalisedWidth), .FractionBits(FractionBits), .Rounding((Rounding + 1) % 6))
      u_twin (.negative_i(negative), .significand_i(significand), .rounded_o(twin_rounded), .inexact_o(twin_inexact));

  logic [FractionBits+2:0] actual, twin, expected, judged;
  bit                      fault, twin_differed;
  int                      seed, vector;
  logic [127:0]            below, remainder, unit, result;

  assign actual = {inexact, rounded};
  assign twin   = {twin_inexact, twin_rounded};
  assign judged = fault ? twin : actual;

  initial begin
    tensorsmith_round_test.started = tensorsmith_round_test.started + 1;
    fault         = $test$plusargs("fault");
    twin_differed = 0;
    seed          = 10 * NormalisedWidth + Rounding;
    unit          = 128'd1 << DiscardedWidth;
    for (vector = 0; vector < Vectors; vector = vector + Stride) begin
      if (NormalisedWidth <= 10) {negative, significand} = vector;
      else begin
        // Random; exact; ties; just above and below a tie; all ones, which carry.
        negative    = $random(seed);
        significand = {$random(seed), $random(seed), $random(seed), $random(seed)};
        if (vector % 8 >= 2 && vector % 8 <= 5) significand[DiscardedWidth-1:0] = '0;
        if (vector % 8 >= 3 && vector % 8 <= 5) significand[DiscardedWidth-1]   = 1'b1;
        if (vector % 8 == 4) significand = significand + 1;
        if (vector % 8 == 5) significand = significand - 1;
        if (vector % 8 == 6) significand[NormalisedWidth-1:DiscardedWidth] = '1;
      end
      #1;

      below     = significand / unit;
      remainder = significand % unit;
      result    = below;
      if (remainder != 0) begin
        case (Rounding)
          1: if (2 * remainder > unit || (2 * remainder == unit && below % 2 == 1)) result = below + 1;
          2: if (2 * remainder >= unit) result = below + 1;
          3: if (!negative) result = below + 1;
          4: if (negative) result = below + 1;
          5: if (below % 2 == 0) result = below + 1;
          default: ;
        endcase
      end
      expected = {remainder != 0, result[FractionBits+1:0]};

      if (judged !== expected)
        tensorsmith_round_test.fail($sformatf("%m negative=%b significand=%h expected=%h actual=%h", negative,
            significand, expected, judged));
      if (twin !== expected) twin_differed = 1;
    end
    tensorsmith_round_test.finish((Vectors + Stride - 1) / Stride, twin_differed);
  end
endmodule
