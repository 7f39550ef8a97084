// Test of tensorsmith_round_sum: every narrow sum at every anchor under every rounding, random wide ones.
//
// The expected result is the sum, an integer of as many bits as it needs, rounded by definition.
// Each checker drives a twin that sees the negated sum: it has to differ at least once, and +fault puts it in the
// place of the module under test.
//
// Every STRIDE-th input is taken.

module tensorsmith_round_sum_test;
  localparam Leaf = "tensorsmith_round_sum";
  `include "leaf_test.svh"

  // Every sum at every anchor near the least normal and the largest number, in every rounding and kind of flushing.
  for (genvar rounding = 0; rounding <= 5; rounding++) begin : gen_rounding
    for (genvar flush = 0; flush <= 2; flush++) begin : gen_flush
      round_sum_checker #(.Rounding(rounding), .FlushResult(flush)) u_small ();
    end
    round_sum_checker #(.ED(2), .FD(1), .PD(2), .BD(2), .ND(3), .Rounding(rounding), .FlushResult(2)) u_fnuz ();
    round_sum_checker #(.ED(3), .FD(2), .BD(-4), .ND(2), .ZeroSign(1), .Rounding(rounding)) u_all_ones ();
  end
  round_sum_checker #(.ZeroSign(2), .OverflowInfinityPositive(0)) u_minus_zero ();
  round_sum_checker #(.ZeroSign(1), .Rounding(4), .OverflowInfinityNegative(0)) u_plus_zero ();

  // The widths of fp32 sums.
  round_sum_checker #(
      .SumWidth(29), .Offset(1), .ED(8), .FD(23), .BD(127), .FlushResult(2), .Vectors(4000)
  ) u_fp32 ();
endmodule

// E exponent bits, F fraction bits, P padding bits, B bias, N kind of non-finite encodings.
module round_sum_checker #(
    parameter int SumWidth = 8,
    parameter int Offset   = 2,
    parameter int ED = 3, parameter int FD = 2, parameter int PD = 0,
    parameter int BD = 3, parameter int ND = 1,
    parameter int FlushResult   = 0,
    parameter int Rounding      = 1,
    parameter int ZeroSign      = 0,
    parameter int OverflowInfinityPositive = 1,
    parameter int OverflowInfinityNegative = 1,
    parameter logic [ED+FD+PD:0] NanWord = '1,
    parameter int Vectors = 1 << (SumWidth + ED + 2)  // fewer: random ones
);
  localparam int WD            = 1 + ED + FD + PD;
  localparam int Exhaustive    = Vectors == 1 << (SumWidth + ED + 2) ? 1 : 0;
  localparam int ExponentWidth = ED + 4;
  // Fraction bits of the sum below the anchor.
  localparam int SumFractionBits = SumWidth - 2 - Offset;

  // The exact value counts units of 2^UnitExponent, no coarser than half a place of d.
  localparam int SumUnit      = 1 - BD - SumFractionBits;
  localparam int HalfPlace    = -BD - FD;
  localparam int UnitExponent = SumUnit < HalfPlace ? SumUnit : HalfPlace;
  localparam int ExactWidth   = 4 + (1 << ED) + Offset - BD - UnitExponent;

  logic [SumWidth-1:0]             sum;
  logic signed [ExponentWidth-1:0] anchor;
  logic                            first_negative, second_negative, nan, infinite, infinite_negative;
  logic [WD-1:0]                   result, twin, judged, expected;

  tensorsmith_round_sum #(
      .SumWidth(SumWidth), .ExponentWidth(ExponentWidth), .TopExponentOffset(Offset),
      .ResultExponentBits(ED), .ResultFractionBits(FD), .ResultPaddingBits(PD), .ResultBias(BD), .ResultNonFinite(ND),
      .FlushResult(FlushResult), .Rounding(Rounding), .ZeroSign(ZeroSign),
      .OverflowInfinityPositive(OverflowInfinityPositive), .OverflowInfinityNegative(OverflowInfinityNegative),
      .NanWord(NanWord)
  ) u_round_sum (
      .sum_i(sum), .anchor_i(anchor), .first_negative_i(first_negative), .second_negative_i(second_negative),
      .nan_i(nan), .infinite_i(infinite), .infinite_negative_i(infinite_negative), .d_o(result)
  );

  tensorsmith_round_sum #(
      .SumWidth(SumWidth), .ExponentWidth(ExponentWidth), .TopExponentOffset(Offset),
      .ResultExponentBits(ED), .ResultFractionBits(FD), .ResultPaddingBits(PD), .ResultBias(BD), .ResultNonFinite(ND),
      .FlushResult(FlushResult), .Rounding(Rounding), .ZeroSign(ZeroSign),
      .OverflowInfinityPositive(OverflowInfinityPositive), .OverflowInfinityNegative(OverflowInfinityNegative),
      .NanWord(NanWord)
  ) u_twin (
      .sum_i(-sum), .anchor_i(anchor), .first_negative_i(first_negative), .second_negative_i(second_negative),
      .nan_i(nan), .infinite_i(infinite), .infinite_negative_i(infinite_negative), .d_o(twin)
  );

  // ---------------------------------------------------------------------------------------------- definition

  `include "rounded_number.svh"

  bit zero_negative;

  task define_expected;
    result_negative = sum[SumWidth-1];
    exact           = result_negative ? ExactWidth'({1'b1, {SumWidth{1'b0}}}) - ExactWidth'(sum) : ExactWidth'(sum);
    exact           = exact << (int'(anchor) - SumFractionBits - UnitExponent);
    zero_negative   = ZeroSign != 0 ? ZeroSign == 2
                    : first_negative == second_negative ? first_negative : Rounding == 4;
    define_number(nan, infinite, infinite_negative, zero_negative);
  endtask

  // ---------------------------------------------------------------------------------------------- stimulus

  bit fault, twin_differed;
  int seed, vector, step;

  assign judged = fault ? twin : result;

  initial begin
    tensorsmith_round_sum_test.started = tensorsmith_round_sum_test.started + 1;
    fault         = $test$plusargs("fault");
    twin_differed = 0;
    seed          = WD + Rounding;
    for (vector = 0; vector < Vectors; vector = vector + `STRIDE) begin
      if (Exhaustive == 1) {step, first_negative, second_negative, sum} = vector;
      else {step, first_negative, second_negative, sum} = {$random(seed), $random(seed), $random(seed)};
      step              = step & ((1 << ED) - 1);
      anchor            = ExponentWidth'(1 - BD + (Exhaustive == 0 && vector % 2 == 0 ? step % 4 : step));
      // No sum is the least of its width: magnitudes have one bit less.
      if (sum == {1'b1, {(SumWidth - 1){1'b0}}}) sum = '0;
      if (Exhaustive == 0 && vector % 4 == 0)
        sum = {sum[0], {(SumWidth - 3){1'b1}}, sum[2:1]} >> $urandom(seed) % 3;
      infinite_negative = 1'($urandom(seed));
      nan               = $urandom(seed) % 64 == 0;
      infinite          = !nan && $urandom(seed) % 64 == 0;
      define_expected;
      #1;

      if (judged !== expected)
        tensorsmith_round_sum_test.fail($sformatf("%m sum=%h anchor=%0d expected=%h actual=%h", sum, anchor, expected, judged));
      if (twin !== expected) twin_differed = 1;
    end
    tensorsmith_round_sum_test.finish((Vectors + `STRIDE - 1) / `STRIDE, twin_differed);
  end
endmodule
