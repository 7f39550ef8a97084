// Test of tensorsmith_saturate: every sum up to 10 bits, the edges of the result and random sums of wide ones.
//
// The expected value is found by comparing and by the remainder modulo 2^ResultWidth, in 64 bits. Each checker
// drives a twin that wraps where the module clamps, or the reverse: it has to differ at least once where a sum
// lies beyond the result, and +fault puts it in the place of the module under test.

module tensorsmith_saturate_test;
  localparam Leaf = "tensorsmith_saturate";
  `include "leaf_test.svh"

  // SumWidth, ResultWidth, ResultSigned, Saturate. An unsigned result as wide as the sum still cannot be negative.
  for (genvar saturate = 0; saturate <= 1; saturate++) begin : gen_saturate
    saturate_checker #( 9,  8, 1, saturate) u_9_8 ();
    saturate_checker #(10,  4, 1, saturate) u_10_4 ();
    saturate_checker #(10,  4, 0, saturate) u_10_4_unsigned ();
    saturate_checker #( 8,  8, 0, saturate) u_8_8_unsigned ();
    saturate_checker #( 6,  8, 0, saturate) u_6_8_unsigned ();
    saturate_checker #(33, 32, 1, saturate) u_s32 ();
    saturate_checker #(40, 32, 0, saturate) u_u32 ();
  end
endmodule

module saturate_checker #(
    parameter int SumWidth     = 33,
    parameter int ResultWidth  = 32,
    parameter int ResultSigned = 1,
    parameter int Saturate     = 1
);
  localparam int Vectors = SumWidth <= 10 ? 1 << SumWidth : 3000;

  logic signed [SumWidth-1:0]    sum;
  logic        [ResultWidth-1:0] result, twin, judged, expected;

  tensorsmith_saturate #(.SumWidth(SumWidth), .ResultWidth(ResultWidth), .ResultSigned(ResultSigned), .Saturate(Saturate))
      u_saturate (.sum_i(sum), .result_o(result));

  tensorsmith_saturate #(
      .SumWidth(SumWidth), .ResultWidth(ResultWidth), .ResultSigned(ResultSigned), .Saturate(1 - Saturate)
  ) u_twin (.sum_i(sum), .result_o(twin));

  bit     fault, twin_differed;
  int     seed, vector;
  longint value, least, greatest, modulus;

  assign judged = fault ? twin : result;

  initial begin
    tensorsmith_saturate_test.started = tensorsmith_saturate_test.started + 1;
    fault         = $test$plusargs("fault");
    twin_differed = 0;
    seed          = 100 * SumWidth + ResultWidth;
    modulus       = longint'(1) << ResultWidth;
    least         = ResultSigned == 1 ? -(modulus / 2) : 0;
    greatest      = least + modulus - 1;
    for (vector = 0; vector < Vectors; vector = vector + 1) begin
      sum = {$random(seed), $random(seed)};
      if (SumWidth <= 10)       sum = vector;
      else if (vector % 4 == 1) sum = greatest + vector % 7 - 3;
      else if (vector % 4 == 2) sum = least + vector % 7 - 3;
      #1;

      value = sum;
      if (Saturate == 1) value = value < least ? least : value > greatest ? greatest : value;
      expected = ((value % modulus) + modulus) % modulus;

      if (judged !== expected)
        tensorsmith_saturate_test.fail($sformatf("%m sum=%0d expected=%h actual=%h", sum, expected, judged));
      if (twin !== expected) twin_differed = 1;
    end
    tensorsmith_saturate_test.finish(Vectors, twin_differed);
  end
endmodule
