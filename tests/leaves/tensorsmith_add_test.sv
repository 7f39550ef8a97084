// Test of tensorsmith_add: every pair of numbers of small formats under every rounding, shaped ones of wide formats.
//
// The expected result is the exact sum, an integer of as many bits as the format spans, rounded by definition.
// Each checker drives a twin that loses the sign of y: it has to differ at least once, and +fault puts it in the
// place of the module under test.
//
// Every STRIDE-th input is taken: all, unless the macro says otherwise. With a stride, not every format meets every rounding.

`ifndef STRIDE
  `define STRIDE 1
`endif

module tensorsmith_add_test;
  int    started  = 0;
  int    finished = 0;
  int    checked  = 0;
  int    caught   = 0;

  // The first failure ends the run.
  task fail(input string what);
    $display("FAIL tensorsmith_add %0s", what);
    $finish;
  endtask

  task finish(input int count, input bit twin_differed);
    checked  = checked + count;
    caught   = caught + twin_differed;
    finished = finished + 1;
    if (finished == started) begin
      if (caught != started) $display("FAIL tensorsmith_add twins=%0d caught=%0d", started, caught);
      else $display("PASS tensorsmith_add checked=%0d faults_caught=%0d", checked, caught);
      $finish;
    end
  endtask

  // Every pair of numbers of small formats in every rounding: with infinities; with one NaN; without minus zero.
  for (genvar rounding = 0; rounding <= 5; rounding++) begin : gen_rounding
    add_checker #(.Rounding(rounding)) u_ieee ();
    if (`STRIDE == 1 || rounding % 3 == 0) begin : gen_all_ones
      add_checker #(.ED(3), .FD(3), .BD(3), .ND(2), .NanWord('h7f), .Rounding(rounding)) u_all_ones ();
    end
    if (`STRIDE == 1 || rounding % 3 == 1) begin : gen_fnuz
      add_checker #(.ED(3), .FD(1), .PD(1), .BD(4), .ND(3), .NanWord('h20), .Rounding(rounding)) u_fnuz ();
    end
    if (`STRIDE == 1 || rounding % 3 == 2) begin : gen_subnormal
      add_checker #(.ED(1), .FD(3), .BD(-9), .Rounding(rounding)) u_subnormal ();
    end
  end

  // Each kind of flushing, either sign of a constant zero, overflow to the largest number on one side.
  add_checker #(.FlushAddend(1), .OverflowInfinityPositive(0)) u_flush_addend ();
  add_checker #(.FlushAddend(2), .Rounding(4), .OverflowInfinityNegative(0)) u_flush_to_plus_zero ();
  add_checker #(.FlushResult(1), .ZeroSign(1)) u_flush_result ();
  add_checker #(.FlushResult(2), .ZeroSign(2), .Rounding(2)) u_flush_tiny ();

  // Ordinary formats.
  for (genvar rounding = 0; rounding <= 5; rounding++) begin : gen_ordinary
    if (`STRIDE == 1 || rounding % 2 == 0) begin : gen_e5m2
      add_checker #(.ED(5), .FD(2), .BD(15), .Rounding(rounding), .Vectors(4000)) u_e5m2 ();
    end
    if (`STRIDE == 1 || rounding % 2 == 1) begin : gen_fp32
      add_checker #(.ED(8), .FD(23), .BD(127), .Rounding(rounding), .Vectors(1000)) u_fp32 ();
    end
  end
  add_checker #(.ED(5), .FD(10), .BD(15), .Vectors(2000)) u_fp16 ();
  add_checker #(.ED(8), .FD(7), .BD(127), .FlushAddend(1), .FlushResult(2), .Rounding(5), .Vectors(1500)) u_bf16 ();
  add_checker #(.ED(11), .FD(52), .BD(1023), .NanWord(64'h7ff8000000000000), .Vectors(300)) u_fp64 ();
endmodule

// E exponent bits, F fraction bits, P padding bits, B bias, N kind of non-finite encodings.
module add_checker #(
    parameter int ED = 3, parameter int FD = 2, parameter int PD = 0,
    parameter int BD = 3, parameter int ND = 1,
    parameter int FlushAddend   = 0,
    parameter int FlushResult   = 0,
    parameter int Rounding      = 1,
    parameter int ZeroSign      = 0,
    parameter int OverflowInfinityPositive = 1,
    parameter int OverflowInfinityNegative = 1,
    parameter logic [ED+FD+PD:0] NanWord = '1,
    parameter int Vectors = 1 << 2 * (1 + ED + FD + PD)  // fewer: shaped ones
);
  localparam int WD         = 1 + ED + FD + PD;
  localparam int Exhaustive = WD <= 8 && Vectors == 1 << 2 * WD ? 1 : 0;
  localparam int Stride     = `STRIDE;

  // The exact sum counts units of 2^UnitExponent, in as many bits as a number reaches and a carry.
  localparam int UnitExponent = 1 - BD - FD;
  localparam int ExactWidth   = 2 + (1 << ED) - BD - UnitExponent;

  logic [WD-1:0] x, y, result, twin, judged, expected;

  tensorsmith_add #(
      .ResultExponentBits(ED), .ResultFractionBits(FD), .ResultPaddingBits(PD), .ResultBias(BD), .ResultNonFinite(ND),
      .FlushAddend(FlushAddend), .FlushResult(FlushResult), .Rounding(Rounding), .ZeroSign(ZeroSign),
      .OverflowInfinityPositive(OverflowInfinityPositive), .OverflowInfinityNegative(OverflowInfinityNegative),
      .NanWord(NanWord)
  ) u_add (
      .x_i(x), .y_i(y), .d_o(result)
  );

  tensorsmith_add #(
      .ResultExponentBits(ED), .ResultFractionBits(FD), .ResultPaddingBits(PD), .ResultBias(BD), .ResultNonFinite(ND),
      .FlushAddend(FlushAddend), .FlushResult(FlushResult), .Rounding(Rounding), .ZeroSign(ZeroSign),
      .OverflowInfinityPositive(OverflowInfinityPositive), .OverflowInfinityNegative(OverflowInfinityNegative),
      .NanWord(NanWord)
  ) u_twin (
      .x_i(x), .y_i({1'b0, y[WD-2:0]}), .d_o(twin)
  );

  // ---------------------------------------------------------------------------------------------- operands

  // A finite operand is (-1)^negative * significand * 2^(exponent - fraction bits).
  bit [1:0]    negative, nan, infinite;
  logic [63:0] significand[2];
  int          exponent[2];

  // Reads operand `which` from its encoding without padding and its magnitude's two fields.
  task read(input int which, input bit sign, input logic [63:0] magnitude, input int exponent_bits,
            input int fraction_bits, input int bias, input int non_finite, input int flush);
    logic [63:0] field, fraction, ones;
    bit          flushed;
    field    = magnitude >> fraction_bits;
    fraction = magnitude - (field << fraction_bits);
    ones     = (64'd1 << exponent_bits) - 1;
    flushed  = flush != 0 && field == 0 && fraction != 0;
    negative[which]    = sign && !(flushed && flush == 2);
    exponent[which]    = field == 0 ? 1 - bias : int'(field) - bias;
    significand[which] = flushed ? 0 : field == 0 ? fraction : fraction + (64'd1 << fraction_bits);
    infinite[which]    = non_finite == 1 && field == ones && fraction == 0;
    nan[which]         = (non_finite == 1 && field == ones && fraction != 0)
                       || (non_finite == 2 && magnitude == (64'd1 << (exponent_bits + fraction_bits)) - 1)
                       || (non_finite == 3 && sign && magnitude == 0);
  endtask

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

  logic [ExactWidth-1:0] first, second;
  bit                    zero_negative;

  task define_expected;
    first  = significand[0];
    first  = first << (exponent[0] - FD - UnitExponent);
    second = significand[1];
    second = second << (exponent[1] - FD - UnitExponent);
    exact  = negative[0] == negative[1] ? first + second : first > second ? first - second : second - first;
    result_negative = negative[0] == negative[1] || first > second ? negative[0] : negative[1];
    zero_negative   = ZeroSign != 0 ? ZeroSign == 2 : negative[0] == negative[1] ? negative[0] : Rounding == 4;
    define_number(nan != 0 || (infinite == 2'b11 && negative[0] != negative[1]), infinite != 0,
                  infinite[0] ? negative[0] : negative[1], zero_negative);
  endtask

  // ---------------------------------------------------------------------------------------------- stimulus

  bit fault, twin_differed;
  int seed, vector;

  // y with an exponent from far above x's to far below, or the opposite of x but for its last bits.
  task shape;
    x = {$random(seed), $random(seed)};
    y = {$random(seed), $random(seed)};
    if (vector % 3 == 0) x = x >> $urandom(seed) % FD << $urandom(seed) % FD;
    if (vector % 4 != 0) y[PD+FD +: ED] = x[PD+FD +: ED] + ED'($urandom(seed) % (2 * FD + 8)) - ED'(FD + 4);
    if (vector % 8 == 1) y = x ^ (WD'(1) << (WD - 1)) ^ WD'($urandom(seed) % 8);
    if (vector % 16 == 5) y[PD+FD +: ED] = '0;
    if (vector % 16 == 9) x[PD+FD +: ED] = ED'($urandom(seed) % 2);
  endtask

  assign judged = fault ? twin : result;

  initial begin
    tensorsmith_add_test.started = tensorsmith_add_test.started + 1;
    fault         = $test$plusargs("fault");
    twin_differed = 0;
    seed          = WD + Rounding;
    for (vector = 0; vector < Vectors; vector = vector + Stride) begin
      if (Exhaustive == 1) {x, y} = vector;
      else shape;
      read(0, x[WD-1], (x >> PD) % (64'd1 << (ED + FD)), ED, FD, BD, ND, FlushAddend);
      read(1, y[WD-1], (y >> PD) % (64'd1 << (ED + FD)), ED, FD, BD, ND, FlushAddend);
      define_expected;
      #1;

      if (judged !== expected)
        tensorsmith_add_test.fail($sformatf("%m x=%h y=%h expected=%h actual=%h", x, y, expected, judged));
      if (twin !== expected) twin_differed = 1;
    end
    tensorsmith_add_test.finish((Vectors + Stride - 1) / Stride, twin_differed);
  end
endmodule
