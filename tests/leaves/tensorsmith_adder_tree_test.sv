// Test of tensorsmith_adder_tree: all addends where they have 12 bits together, else random ones.
//
// The expected sum is accumulated in 256 bits and then cut. Each checker drives a twin that misses the last
// addend: it has to differ at least once, and +fault puts it in the place of the module under test.
//
// Every STRIDE-th input is taken.

module tensorsmith_adder_tree_test;
  localparam Leaf = "tensorsmith_adder_tree";
  `include "leaf_test.svh"

  // Count, AddendWidth, SumWidth: wide enough, just too narrow, narrower than an addend.
  adder_tree_checker #( 1,   1,   1) u_1_1_1 ();
  adder_tree_checker #( 1,   5,   3) u_1_5_3 ();
  adder_tree_checker #( 1,   5,   9) u_1_5_9 ();
  adder_tree_checker #( 2,   6,   7) u_2_6_7 ();
  adder_tree_checker #( 2,   1,   1) u_2_1_1 ();
  adder_tree_checker #( 3,   4,   6) u_3_4_6 ();
  adder_tree_checker #( 3,   4,   5) u_3_4_5 ();
  adder_tree_checker #( 3,   4,   2) u_3_4_2 ();
  adder_tree_checker #( 4,   3,   8) u_4_3_8 ();
  adder_tree_checker #( 5,   2,   5) u_5_2_5 ();
  adder_tree_checker #( 5,  26,  29) u_volta ();
  adder_tree_checker #( 5,  26,  28) u_volta_wrapping ();
  adder_tree_checker #( 9,  27,  31) u_ampere ();
  adder_tree_checker #(12,   1,   1) u_12_1_1 ();
  adder_tree_checker #(17,  28,  33) u_hopper ();
  adder_tree_checker #(17,  28,  20) u_hopper_narrow ();
  adder_tree_checker #(33, 200, 206) u_exact ();
endmodule

module adder_tree_checker #(
    parameter int Count       = 5,
    parameter int AddendWidth = 26,
    parameter int SumWidth    = 29
);
  localparam int Vectors = Count * AddendWidth <= 12 ? 1 << (Count * AddendWidth)
                         : Count * AddendWidth <= 1000 ? 2000 : 200;
  // Few inputs are all taken.
  localparam int Stride  = Vectors < 1000 ? 1 : `STRIDE;

  logic [Count*AddendWidth-1:0] addends;
  logic signed [SumWidth-1:0]   sum, twin, judged;

  tensorsmith_adder_tree #(.Count(Count), .AddendWidth(AddendWidth), .SumWidth(SumWidth))
      u_tree (.addends_i(addends), .sum_o(sum));

  if (Count > 1) begin : gen_shorter
    tensorsmith_adder_tree #(.Count(Count - 1), .AddendWidth(AddendWidth), .SumWidth(SumWidth))
        u_twin (.addends_i(addends[(Count-1)*AddendWidth-1:0]), .sum_o(twin));
  end else begin : gen_none
    assign twin = '0;
  end

  bit                     fault, twin_differed;
  int                     seed, vector, index;
  logic [AddendWidth-1:0] addend;
  logic [255:0]           total;
  logic [SumWidth-1:0]    expected;

  assign judged = fault ? twin : sum;

  initial begin
    tensorsmith_adder_tree_test.started = tensorsmith_adder_tree_test.started + 1;
    fault         = $test$plusargs("fault");
    twin_differed = 0;
    seed          = 100 * Count + AddendWidth;
    for (vector = 0; vector < Vectors; vector = vector + Stride) begin
      if (Count * AddendWidth <= 12) addends = vector;
      else for (index = 0; index < Count; index = index + 1) begin
        // Random; all highest; all lowest; short ones of either sign.
        addend = {$random(seed), $random(seed), $random(seed), $random(seed), $random(seed), $random(seed),
                  $random(seed)};
        case (vector % 8)
          0:       addend = {AddendWidth{1'b1}} >> 1;
          1:       addend = {1'b1, {AddendWidth{1'b0}}} >> 1;
          2:       addend = $signed(addend) >>> ($urandom(seed) % AddendWidth);
          default: ;
        endcase
        addends[index*AddendWidth +: AddendWidth] = addend;
      end
      #1;

      // An addend with its sign bit set counts 2^AddendWidth less than its bits read.
      total = 0;
      for (index = 0; index < Count; index = index + 1) begin
        addend = addends[index*AddendWidth +: AddendWidth];
        total  = total + addend;
        if (addend[AddendWidth-1]) total = total - (256'd1 << AddendWidth);
      end
      expected = total[SumWidth-1:0];

      if (judged !== expected)
        tensorsmith_adder_tree_test.fail($sformatf("%m addends=%h expected=%h actual=%h", addends, expected, judged));
      if (twin !== expected) twin_differed = 1;
    end
    tensorsmith_adder_tree_test.finish((Vectors + Stride - 1) / Stride, twin_differed);
  end
endmodule
