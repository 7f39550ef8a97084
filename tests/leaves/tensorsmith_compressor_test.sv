// Test of tensorsmith_compressor: all numbers where they have 12 bits together, else random ones.
//
// Each checker drives a twin that gets the first number twice: it has to differ at least once, and +fault puts it in the place of the module
// under test.

module tensorsmith_compressor_test;
  localparam Leaf = "tensorsmith_compressor";
  `include "leaf_test.svh"

  // Width.
  compressor_checker #(  1) u_1 ();
  compressor_checker #(  2) u_2 ();
  compressor_checker #(  3) u_3 ();
  compressor_checker #(  4) u_4 ();
  compressor_checker #( 13) u_13 ();
  compressor_checker #( 29) u_29 ();
  compressor_checker #( 64) u_64 ();
  compressor_checker #(150) u_150 ();
endmodule

module compressor_checker #(
    parameter int Width = 28
);
  localparam int Bits    = 3 * Width;
  localparam int Vectors = Bits <= 12 ? 1 << Bits : 3000;

  logic [3*Width-1:0] numbers;
  logic [Width-1:0]   ones, twos, twin_ones, twin_twos, actual, twin, judged, expected;

  tensorsmith_compressor #(.Width(Width)) u_compressor (
      .x_i(numbers[0 +: Width]), .y_i(numbers[Width +: Width]), .z_i(numbers[2*Width +: Width]), .sum_o(ones), .carry_o(twos)
  );

  tensorsmith_compressor #(.Width(Width)) u_twin (
      .x_i(numbers[0 +: Width]), .y_i(numbers[Width +: Width]), .z_i(numbers[0 +: Width]), .sum_o(twin_ones), .carry_o(twin_twos)
  );

  assign actual = ones + twos;
  assign twin   = twin_ones + twin_twos;

  bit fault, twin_differed;
  int seed, vector;

  assign judged = fault ? twin : actual;

  initial begin
    tensorsmith_compressor_test.started = tensorsmith_compressor_test.started + 1;
    fault         = $test$plusargs("fault");
    twin_differed = 0;
    seed          = Width;
    for (vector = 0; vector < Vectors; vector = vector + 1) begin
      // Random numbers, every fourth time of one that is all ones.
      if (Bits <= 12) numbers = vector;
      else begin
        numbers = {$random(seed), $random(seed), $random(seed), $random(seed), $random(seed), $random(seed),
                   $random(seed), $random(seed), $random(seed), $random(seed), $random(seed), $random(seed),
                   $random(seed), $random(seed), $random(seed), $random(seed), $random(seed), $random(seed)};
        if (vector % 4 == 0) numbers[Width-1:0] = '1;
      end
      #1;

      expected = numbers[0 +: Width] + numbers[Width +: Width] + numbers[2*Width +: Width];
      if (judged !== expected)
        tensorsmith_compressor_test.fail($sformatf("%m numbers=%h expected=%h actual=%h", numbers, expected, judged));
      if (twin !== expected) twin_differed = 1;
    end
    tensorsmith_compressor_test.finish(Vectors, twin_differed);
  end
endmodule
