// Test of tensorsmith_group_sum: all products where they have 12 bits together, else random ones.
//
// The expected sum is accumulated in 128 bits, each significand doubled once for each step of its exponent.
// Each checker drives a twin that takes its last product as positive: it has to differ at least once, and
// +fault puts it in the place of the module under test.
//
// Every STRIDE-th input is taken.

module tensorsmith_group_sum_test;
  localparam Leaf = "tensorsmith_group_sum";
  `include "leaf_test.svh"

  // Count, SignificandWidth, ExponentWidth, ExponentMin, ExponentSpan, CarryBits.
  group_sum_checker #( 1, 1, 2,    0,   0, 0) u_1_1 ();
  group_sum_checker #( 1, 3, 3,   -2,   3, 0) u_1_3 ();
  group_sum_checker #( 2, 2, 3,    0,   3, 1) u_2_2 ();
  group_sum_checker #( 2, 4, 4,    0,   4, 1) u_pair_e2m1 ();
  group_sum_checker #( 3, 2, 2,   -1,   1, 2) u_3_2 ();
  group_sum_checker #( 8, 4, 6,    0,   4, 3) u_8_e2m1 ();
  group_sum_checker #(16, 4, 6,    0,   4, 4) u_16_e2m1 ();
  group_sum_checker #(16, 4, 9,    0,   4, 4) u_16_e2m1_wide ();
  group_sum_checker #(16, 6, 6,   -4,  12, 4) u_16_e3m2 ();
  group_sum_checker #(32, 8, 7,  -12,  28, 5) u_32_e4m3 ();
  group_sum_checker #( 5, 6, 8,  -28,  58, 3) u_5_e5m2 ();
endmodule

module group_sum_checker #(
    parameter int Count            = 16,
    parameter int SignificandWidth = 4,
    parameter int ExponentWidth    = 6,
    parameter int ExponentMin      = 0,
    parameter int ExponentSpan     = 4,
    parameter int CarryBits        = 4
);
  localparam int SumWidth  = 1 + CarryBits + SignificandWidth + ExponentSpan;
  // Bits of one product: sign, significand, steps of the exponent.
  localparam int StepBits  = ExponentSpan == 0 ? 1 : $clog2(ExponentSpan + 1);
  localparam int InputBits = Count * (1 + SignificandWidth + StepBits);
  localparam int Vectors   = InputBits <= 12 ? 1 << InputBits : 400;
  // Few inputs are all taken.
  localparam int Stride    = Vectors < 100 ? 1 : `STRIDE;

  logic [Count-1:0]                  negative, last_positive;
  logic [Count*ExponentWidth-1:0]    exponent;
  logic [Count*SignificandWidth-1:0] significand;
  logic                              sum_negative,  twin_negative;
  logic [SumWidth-2:0]               sum_magnitude, twin_magnitude;

  assign last_positive = negative & ~(Count'(1) << (Count - 1));

  tensorsmith_group_sum #(
      .Count(Count), .SignificandWidth(SignificandWidth), .ExponentWidth(ExponentWidth), .ExponentMin(ExponentMin),
      .ExponentSpan(ExponentSpan), .SumWidth(SumWidth)
  ) u_sum (
      .negative_i(negative), .exponent_i(exponent), .significand_i(significand), .negative_o(sum_negative),
      .magnitude_o(sum_magnitude)
  );

  tensorsmith_group_sum #(
      .Count(Count), .SignificandWidth(SignificandWidth), .ExponentWidth(ExponentWidth), .ExponentMin(ExponentMin),
      .ExponentSpan(ExponentSpan), .SumWidth(SumWidth)
  ) u_twin (
      .negative_i(last_positive), .exponent_i(exponent), .significand_i(significand), .negative_o(twin_negative),
      .magnitude_o(twin_magnitude)
  );

  logic [SumWidth-1:0]         actual, twin, expected, judged;
  bit                          fault, twin_differed;
  int                          seed, vector, index, step, steps;
  logic [InputBits-1:0]        bits;
  logic [SignificandWidth-1:0] factor;
  logic [127:0]                fixed, positive_total, negative_total;

  assign actual = {sum_negative, sum_magnitude};
  assign twin   = {twin_negative, twin_magnitude};
  assign judged = fault ? twin : actual;

  initial begin
    tensorsmith_group_sum_test.started = tensorsmith_group_sum_test.started + 1;
    fault         = $test$plusargs("fault");
    twin_differed = 0;
    seed          = 100 * Count + SignificandWidth;
    for (vector = 0; vector < Vectors; vector = vector + Stride) begin
      bits           = vector;
      positive_total = 0;
      negative_total = 0;
      for (index = 0; index < Count; index = index + 1) begin
        // All of them in turn; or random, the largest of one sign, alike with both signs.
        if (InputBits <= 12) begin
          {negative[index], factor} = bits;
          bits  = bits >> (1 + SignificandWidth);
          steps = bits[StepBits-1:0] % (ExponentSpan + 1);
          bits  = bits >> StepBits;
        end else begin
          {negative[index], factor} = $random(seed);
          steps = $urandom(seed) % (ExponentSpan + 1);
          case (vector % 8)
            0:       {negative[index], factor, steps} = {1'b0, {SignificandWidth{1'b1}}, ExponentSpan};
            1:       {negative[index], factor, steps} = {1'b1, {SignificandWidth{1'b1}}, ExponentSpan};
            2: begin
              {negative[index], factor} = {1'(index % 2), SignificandWidth'(vector)};
              steps = ExponentSpan / 2;
            end
            3:       if (index % 2 == 1) factor = '0;
            default: ;
          endcase
        end
        significand[index*SignificandWidth +: SignificandWidth] = factor;
        exponent[index*ExponentWidth +: ExponentWidth]          = ExponentMin + steps;
        fixed = factor;
        for (step = 0; step < steps; step = step + 1) fixed = fixed + fixed;
        if (negative[index]) negative_total = negative_total + fixed;
        else                 positive_total = positive_total + fixed;
      end
      #1;

      expected[SumWidth-1]   = negative_total > positive_total;
      expected[SumWidth-2:0] = negative_total > positive_total ? negative_total - positive_total
                                                               : positive_total - negative_total;
      if (judged !== expected)
        tensorsmith_group_sum_test.fail($sformatf("%m negative=%b exponent=%h significand=%h expected=%h actual=%h",
            negative, exponent, significand, expected, judged));
      if (twin !== expected) twin_differed = 1;
    end
    tensorsmith_group_sum_test.finish((Vectors + Stride - 1) / Stride, twin_differed);
  end
endmodule
