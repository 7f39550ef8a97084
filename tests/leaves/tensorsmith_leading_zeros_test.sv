// Test of tensorsmith_leading_zeros: every value up to 12 bits, positions of the leading one above.
//
// The expected count comes from a walk down the bits. Each checker drives a twin that sees
// the lowest bit set: only the value 0 tells it apart. It has to differ at least once, and +fault puts it in
// the place of the module under test.

module tensorsmith_leading_zeros_test;
  localparam Leaf = "tensorsmith_leading_zeros";
  `include "leaf_test.svh"

  // Width, CountWidth.
  leading_zeros_checker #(  1,  1) u_1 ();
  leading_zeros_checker #(  1,  4) u_1_wide_count ();
  leading_zeros_checker #(  2,  2) u_2 ();
  leading_zeros_checker #(  3,  2) u_3 ();
  leading_zeros_checker #(  4,  3) u_4 ();
  leading_zeros_checker #(  5,  3) u_5 ();
  leading_zeros_checker #(  7,  3) u_7 ();
  leading_zeros_checker #(  8,  4) u_8 ();
  leading_zeros_checker #(  9,  4) u_9 ();
  leading_zeros_checker #( 12,  9) u_12 ();
  leading_zeros_checker #( 15,  4) u_15 ();
  leading_zeros_checker #( 16,  5) u_16 ();
  leading_zeros_checker #( 17,  5) u_17 ();
  leading_zeros_checker #( 28,  5) u_28 ();
  leading_zeros_checker #( 31,  5) u_31 ();
  leading_zeros_checker #( 32,  6) u_32 ();
  leading_zeros_checker #( 33,  6) u_33 ();
  leading_zeros_checker #( 64,  7) u_64 ();
  leading_zeros_checker #(130,  8) u_130 ();
  leading_zeros_checker #(513, 10) u_513 ();
endmodule

module leading_zeros_checker #(
    parameter int Width      = 28,
    parameter int CountWidth = 5
);
  // Values with each position of the leading one.
  localparam int Kinds   = Width <= 64 ? 16 : 3;
  // Distance of those positions: wide values are slow to simulate.
  localparam int Stride  = Width <= 64 ? 1 : 9;
  localparam int Vectors = Width <= 12 ? 1 << Width : Kinds * (Width / Stride + 1);

  logic [Width-1:0]      value;
  logic [CountWidth-1:0] count, twin, judged;

  tensorsmith_leading_zeros #(.Width(Width), .CountWidth(CountWidth)) u_count (.value_i(value), .count_o(count));

  tensorsmith_leading_zeros #(.Width(Width), .CountWidth(CountWidth))
      u_twin (.value_i(value | Width'(1)), .count_o(twin));

  bit fault, twin_differed;
  int seed, vector, word, expected;

  assign judged = fault ? twin : count;

  initial begin
    tensorsmith_leading_zeros_test.started = tensorsmith_leading_zeros_test.started + 1;
    fault         = $test$plusargs("fault");
    twin_differed = 0;
    seed          = Width;
    for (vector = 0; vector < Vectors; vector = vector + 1) begin
      if (Width <= 12) value = vector;
      else begin
        // Leading one at each position, and nowhere; below it random bits, nothing, or all ones.
        for (word = 0; word < Width; word = word + 32) value = (value << 32) | Width'($urandom(seed));
        if (vector % Kinds == 0) value = '0;
        if (vector % Kinds == 1) value = '1;
        value[Width-1] = 1'b1;
        value = vector == Vectors - 1 ? '0 : value >> (Stride * (vector / Kinds));
      end
      #1;

      expected = 0;
      while (expected < Width && value[Width-1-expected] == 1'b0) expected = expected + 1;

      if (int'(judged) !== expected)
        tensorsmith_leading_zeros_test.fail($sformatf("%m value=%h expected=%0d actual=%0d", value, expected, judged));
      if (int'(twin) !== expected) twin_differed = 1;
    end
    tensorsmith_leading_zeros_test.finish(Vectors, twin_differed);
  end
endmodule
