// Test of tensorsmith_carry_save: all numbers where they have 12 bits together, else random ones.
//
// Each checker drives a twin that misses the last number: it has to differ at least once, and +fault puts it in the place of the module
// under test.

module tensorsmith_carry_save_test;
  localparam Leaf = "tensorsmith_carry_save";
  `include "leaf_test.svh"

  // Count, Width.
  carry_save_checker #( 2,   3) u_2_3 ();
  carry_save_checker #( 3,   4) u_3_4 ();
  carry_save_checker #( 4,   3) u_4_3 ();
  carry_save_checker #( 6,   2) u_6_2 ();
  carry_save_checker #( 5,   9) u_5_9 ();
  carry_save_checker #( 6,  29) u_volta ();
  carry_save_checker #(18,  33) u_hopper ();
  carry_save_checker #(10, 206) u_exact ();
endmodule

module carry_save_checker #(
    parameter int Count = 6,
    parameter int Width = 29
);
  localparam int Vectors = Count * Width <= 12 ? 1 << (Count * Width) : Count * Width <= 300 ? 1000 : 20;

  logic [Count*Width-1:0] addends;
  logic [Width-1:0]       ones, twos, twin_ones, twin_twos;

  tensorsmith_carry_save #(.Count(Count), .Width(Width)) u_save (.addends_i(addends), .sum_o(ones), .carry_o(twos));

  if (Count > 2) begin : gen_shorter
    tensorsmith_carry_save #(.Count(Count - 1), .Width(Width))
        u_twin (.addends_i(addends[(Count-1)*Width-1:0]), .sum_o(twin_ones), .carry_o(twin_twos));
  end else begin : gen_none
    assign twin_ones = addends[Width-1:0];
    assign twin_twos = '0;
  end

  bit               fault, twin_differed;
  int               seed, vector, index;
  logic [Width-1:0] total, sum, twin, judged;

  assign sum    = ones + twos;
  assign twin   = twin_ones + twin_twos;
  assign judged = fault ? twin : sum;

  initial begin
    tensorsmith_carry_save_test.started = tensorsmith_carry_save_test.started + 1;
    fault         = $test$plusargs("fault");
    twin_differed = 0;
    seed          = 100 * Count + Width;
    for (vector = 0; vector < Vectors; vector = vector + 1) begin
      if (Count * Width <= 12) addends = vector;
      else for (index = 0; index < Count; index = index + 1)
        addends[index*Width +: Width] = {$random(seed), $random(seed), $random(seed), $random(seed), $random(seed),
                                         $random(seed), $random(seed)};
      #1;

      total = 0;
      for (index = 0; index < Count; index = index + 1) total = total + addends[index*Width +: Width];
      if (judged !== total)
        tensorsmith_carry_save_test.fail($sformatf("%m addends=%h expected=%h actual=%h", addends, total, judged));
      if (twin !== total) twin_differed = 1;
    end
    tensorsmith_carry_save_test.finish(Vectors, twin_differed);
  end
endmodule
