// Test of tensorsmith_compound_add: all numbers where they have 12 bits together, else random ones.
//
// Each checker drives a twin that gets the first number inverted in its lowest place: it has to differ at least once, and +fault puts it in the place of the module
// under test.
//
// Every STRIDE-th input is taken.

module tensorsmith_compound_add_test;
  localparam Leaf = "tensorsmith_compound_add";
  `include "leaf_test.svh"

  // Width.
  compound_add_checker #(  2) u_2 ();
  compound_add_checker #(  3) u_3 ();
  compound_add_checker #(  4) u_4 ();
  compound_add_checker #(  5) u_5 ();
  compound_add_checker #(  6) u_6 ();
  compound_add_checker #( 13) u_13 ();
  compound_add_checker #( 28) u_28 ();
  compound_add_checker #( 33) u_33 ();
  compound_add_checker #( 64) u_64 ();
  compound_add_checker #( 65) u_65 ();
endmodule

module compound_add_checker #(
    parameter int Width = 28
);
  localparam int Bits    = 2 * Width;
  localparam int Vectors = Bits <= 12 ? 1 << Bits : Width <= 33 ? 400 : 40;

  logic [2*Width-1:0] numbers, actual, twin, judged, expected;
  logic [Width-1:0]   sum;

  tensorsmith_compound_add #(.Width(Width)) u_add (
      .a_i(numbers[0 +: Width]), .b_i(numbers[Width +: Width]), .sum_o(actual[0 +: Width]), .next_o(actual[Width +: Width])
  );

  tensorsmith_compound_add #(.Width(Width)) u_twin (
      .a_i(numbers[0 +: Width] ^ Width'(1)), .b_i(numbers[Width +: Width]), .sum_o(twin[0 +: Width]), .next_o(twin[Width +: Width])
  );

  bit fault, twin_differed;
  int seed, vector;

  assign judged = fault ? twin : actual;

  initial begin
    tensorsmith_compound_add_test.started = tensorsmith_compound_add_test.started + 1;
    fault         = $test$plusargs("fault");
    twin_differed = 0;
    seed          = Width;
    for (vector = 0; vector < Vectors; vector = vector + `STRIDE) begin
      // Random numbers, every fourth time of one that is all ones.
      if (Bits <= 12) numbers = vector;
      else begin
        numbers = {$random(seed), $random(seed), $random(seed), $random(seed), $random(seed), $random(seed),
                   $random(seed), $random(seed), $random(seed), $random(seed), $random(seed), $random(seed),
                   $random(seed), $random(seed), $random(seed), $random(seed), $random(seed), $random(seed)};
        if (vector % 4 == 0) numbers[Width-1:0] = '1;
      end
      #1;

      sum      = numbers[0 +: Width] + numbers[Width +: Width];
      expected = {sum + Width'(1), sum};
      if (judged !== expected)
        tensorsmith_compound_add_test.fail($sformatf("%m numbers=%h expected=%h actual=%h", numbers, expected, judged));
      if (twin !== expected) twin_differed = 1;
    end
    tensorsmith_compound_add_test.finish((Vectors + `STRIDE - 1) / `STRIDE, twin_differed);
  end
endmodule
