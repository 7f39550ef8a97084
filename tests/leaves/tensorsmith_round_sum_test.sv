// Test of tensorsmith_round_sum: every narrow sum at every anchor under every rounding, random wide ones.
//
// The expected result is the sum, an integer of as many bits as it needs, rounded by definition.
// Each checker drives a twin that sees the negated sum: it has to differ at least once, and +fault puts it in the
// place of the module under test.
//
// Every STRIDE-th input is taken: all, unless the macro says otherwise.

`ifndef STRIDE
  `define STRIDE 1
`endif

module tensorsmith_round_sum_test;
  int    started  = 0;
  int    finished = 0;
  int    checked  = 0;
  int    caught   = 0;

  // The first failure ends the run.
  task fail(input string what);
    $display("FAIL tensorsmith_round_sum %0s", what);
    $finish;
  endtask

  task finish(input int count, input bit twin_differed);
    checked  = checked + count;
    caught   = caught + twin_differed;
    finished = finished + 1;
    if (finished == started) begin
      if (caught != started) $display("FAIL tensorsmith_round_sum twins=%0d caught=%0d", started, caught);
      else $display("PASS tensorsmith_round_sum checked=%0d faults_caught=%0d", checked, caught);
      $finish;
    end
  endtask

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

  logic [ExactWidth-1:0] exact, kept, rest;
  logic [ED+FD-1:0]      magnitude, infinity, largest;
  bit                    result_negative, up, too_large, to_infinity, tiny;
  int                    binade, place;
  logic [63:0]           hidden, encoded;

  // exact cut at the place that weighs 2^(of - FD), and rounded: kept counts such places.
  task round_at(input int of);
    place = of - FD - UnitExponent;
    if (place < 0) place = 0;
    kept  = exact >> place;
    rest  = exact - (kept << place);
    case (Rounding)
      0:       up = 0;
      1:       up = 2 * rest > (ExactWidth'(1) << place) || (2 * rest == (ExactWidth'(1) << place) && kept[0]);
      2:       up = 2 * rest >= (ExactWidth'(1) << place);
      3:       up = rest != 0 && !result_negative;
      4:       up = rest != 0 && result_negative;
      default: up = rest != 0 && !kept[0];
    endcase
    if (rest == 0) up = 0;
    kept = kept + up;
  endtask

  // The number of that sign and of exact units in d's format, and what takes its place.
  task define_number(input bit is_nan, input bit is_infinite, input bit infinite_negative, input bit zero_negative);
    hidden   = 64'd1 << FD;
    infinity = '1;
    infinity = infinity << FD;
    largest  = '1;
    largest  = ND == 1 ? infinity - 1 : ND == 2 ? largest - 1 : largest;

    // Tiny: rounded as if exponents had no bound, and still below the least normal number.
    binade = $clog2(exact + 1) - 1 + UnitExponent;
    round_at(binade);
    tiny = exact != 0 && (kept << place) < (ExactWidth'(1) << (1 - BD - UnitExponent));

    if (binade < 1 - BD) binade = 1 - BD;
    round_at(binade);
    if (kept == 2 * hidden) begin
      kept   = hidden;
      binade = binade + 1;
    end
    encoded     = kept < hidden ? kept : 64'(binade + BD) * hidden + kept - hidden;
    too_large   = encoded > largest;
    to_infinity = (result_negative ? OverflowInfinityNegative : OverflowInfinityPositive) == 1;

    magnitude = too_large ? (to_infinity ? infinity : largest) : encoded;
    if (FlushResult != 0 && kept < hidden) magnitude = 0;
    if (exact == 0) result_negative = zero_negative;
    if (is_infinite) begin
      magnitude       = infinity;
      result_negative = infinite_negative;
    end
    expected = {ND == 3 && magnitude == 0 ? 1'b0 : result_negative, magnitude};
    expected = expected << PD;
    if (ND != 1 && (is_infinite || (too_large && to_infinity))) expected = NanWord;
    if (FlushResult == 2 && tiny && !is_infinite) begin
      expected = {ND == 3 ? 1'b0 : result_negative, {(ED + FD){1'b0}}};
      expected = expected << PD;
    end
    if (is_nan) expected = NanWord;
  endtask

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
