// Test of tensorsmith_maximum_tree: all values where they have 12 bits together, else random ones.
//
// The expected maximum comes from one comparison after another. Each checker drives a twin that misses the
// last value: it has to differ at least once, and +fault puts it in the place of the module under test.

module tensorsmith_maximum_tree_test;
  localparam Leaf = "tensorsmith_maximum_tree";
  `include "leaf_test.svh"

  // Count, Width.
  maximum_tree_checker #( 1,  1) u_1_1 ();
  maximum_tree_checker #( 1,  9) u_1_9 ();
  maximum_tree_checker #( 2,  1) u_2_1 ();
  maximum_tree_checker #( 2,  6) u_2_6 ();
  maximum_tree_checker #( 3,  4) u_3_4 ();
  maximum_tree_checker #( 4,  3) u_4_3 ();
  maximum_tree_checker #( 5,  1) u_5_1 ();
  maximum_tree_checker #( 5,  2) u_5_2 ();
  maximum_tree_checker #( 5,  9) u_5_9 ();
  maximum_tree_checker #( 6,  2) u_6_2 ();
  maximum_tree_checker #( 7, 10) u_7_10 ();
  maximum_tree_checker #( 9, 10) u_9_10 ();
  maximum_tree_checker #(12,  1) u_12_1 ();
  maximum_tree_checker #(17,  1) u_17_1 ();
  maximum_tree_checker #(17, 10) u_17_10 ();
  maximum_tree_checker #(33, 13) u_33_13 ();
endmodule

module maximum_tree_checker #(
    parameter int Count = 5,
    parameter int Width = 9
);
  localparam int Vectors = Count * Width <= 12 ? 1 << (Count * Width) : 4000;

  logic [Count*Width-1:0]  values;
  logic signed [Width-1:0] maximum, twin, judged;

  tensorsmith_maximum_tree #(.Count(Count), .Width(Width)) u_tree (.values_i(values), .maximum_o(maximum));

  if (Count > 1) begin : gen_shorter
    tensorsmith_maximum_tree #(.Count(Count - 1), .Width(Width))
        u_twin (.values_i(values[(Count-1)*Width-1:0]), .maximum_o(twin));
  end else begin : gen_none
    assign twin = '0;
  end

  bit                      fault, twin_differed;
  int                      seed, vector, index, expected;
  logic signed [Width-1:0] value;

  assign judged = fault ? twin : maximum;

  initial begin
    tensorsmith_maximum_tree_test.started = tensorsmith_maximum_tree_test.started + 1;
    fault         = $test$plusargs("fault");
    twin_differed = 0;
    seed          = 100 * Count + Width;
    for (vector = 0; vector < Vectors; vector = vector + 1) begin
      if (Count * Width <= 12) values = vector;
      else begin
        // Random; or all at the lowest value but one, each in turn, so that every place can hold the maximum.
        for (index = 0; index < Count; index = index + 1) begin
          value = vector % 2 == 0 ? $random(seed) : 1 << (Width - 1);
          if (vector % 2 == 1 && index == (vector / 2) % Count) value = $random(seed);
          values[index*Width +: Width] = value;
        end
      end
      #1;

      expected = -(1 << (Width - 1));
      for (index = 0; index < Count; index = index + 1) begin
        value = values[index*Width +: Width];
        if (int'(value) > expected) expected = int'(value);
      end

      if (int'(judged) !== expected)
        tensorsmith_maximum_tree_test.fail($sformatf("%m values=%h expected=%0d actual=%0d", values, expected, judged));
      if (int'(twin) !== expected) twin_differed = 1;
    end
    tensorsmith_maximum_tree_test.finish(Vectors, twin_differed);
  end
endmodule
