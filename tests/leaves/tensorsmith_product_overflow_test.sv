// Test of tensorsmith_product_overflow: every significand with every exponent, or at random ones.
//
// The product is compared with the limit as integers: significand * 2^(exponent - FractionBits) >= 2^Limit. Each
// checker drives a twin with a limit one too high: it has to differ at least once, and +fault puts it in the
// place of the module under test.

module tensorsmith_product_overflow_test;
  localparam Leaf = "tensorsmith_product_overflow";
  `include "leaf_test.svh"

  // SignificandWidth, FractionBits, ExponentWidth, Limit. In [1, 4); normalised to [1, 2); more and fewer fraction
  // bits than the exponents reach; limits at the ends of the exponents.
  product_overflow_checker #( 4,  2,  4,    4) u_e2m1 ();
  product_overflow_checker #( 4,  3,  4,    4) u_normalised ();
  product_overflow_checker #( 4,  2,  4,   -7) u_low ();
  product_overflow_checker #( 4,  2,  4,    8) u_high ();
  product_overflow_checker #( 9,  7,  3,   -2) u_wide ();
  product_overflow_checker #( 1,  0,  5,    3) u_bit ();
  product_overflow_checker #(16, 14, 10,  128, 4000) u_bf16 ();
  product_overflow_checker #(22, 20, 10,  128, 4000) u_tf32 ();
endmodule

module product_overflow_checker #(
    parameter int SignificandWidth = 4,
    parameter int FractionBits     = 2,
    parameter int ExponentWidth    = 4,
    parameter int Limit            = 4,
    parameter int Random           = 0  // vectors at random around the limit, or 0 for all of them
);
  localparam int Exponents    = 1 << ExponentWidth;
  localparam int Significands = 1 << SignificandWidth;
  localparam int Count        = Random == 0 ? Exponents * Significands : Random;

  logic signed [ExponentWidth-1:0]    exponent;
  logic        [SignificandWidth-1:0] significand;
  logic                               result, twin, judged;

  tensorsmith_product_overflow #(.SignificandWidth(SignificandWidth), .FractionBits(FractionBits),
      .ExponentWidth(ExponentWidth), .Limit(Limit))
      u_overflow (.exponent_i(exponent), .significand_i(significand), .overflow_o(result));

  tensorsmith_product_overflow #(.SignificandWidth(SignificandWidth), .FractionBits(FractionBits),
      .ExponentWidth(ExponentWidth), .Limit(Limit + 1))
      u_twin (.exponent_i(exponent), .significand_i(significand), .overflow_o(twin));

  bit        fault, twin_differed, expected;
  int        vector, value, shift;
  bit [63:0] limit, scaled;

  assign judged = fault ? twin : result;

  initial begin
    tensorsmith_product_overflow_test.started = tensorsmith_product_overflow_test.started + 1;
    fault         = $test$plusargs("fault");
    twin_differed = 0;
    for (vector = 0; vector < Count; vector = vector + 1) begin
      value = vector / Significands - Exponents / 2;
      significand = vector;
      if (Random != 0) begin
        // Significands of every length, and exponents at which they can reach the limit.
        significand = $random;
        significand = significand >> $unsigned($random) % SignificandWidth;
        value       = Limit - 2 + $unsigned($random) % (SignificandWidth + 4);
      end
      exponent = value;
      #1;

      // Both sides in units of 2^(exponent - FractionBits), or of 2^Limit where that is larger.
      shift    = Limit - value + FractionBits;
      limit    = shift > 0 ? 64'd1 << shift : 64'd1;
      scaled   = shift > 0 ? 64'(significand) : 64'(significand) << -shift;
      expected = scaled >= limit;
      if (judged !== expected)
        tensorsmith_product_overflow_test.fail($sformatf("%m exponent=%0d significand=%b expected=%b actual=%b", value,
            significand, expected, judged));
      if (twin !== expected) twin_differed = 1;
    end
    tensorsmith_product_overflow_test.finish(Count, twin_differed);
  end
endmodule
