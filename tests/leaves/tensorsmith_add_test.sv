// Test of tensorsmith_add: every pair of numbers of small formats under every rounding, shaped ones of wide formats.
//
// The expected result is the exact sum, an integer of as many bits as the format spans, rounded by definition.
// Each checker drives a twin that loses the sign of y: it has to differ at least once, and +fault puts it in the
// place of the module under test.
//
// Every STRIDE-th input is taken. With a stride, not every format meets every rounding.

module tensorsmith_add_test;
  localparam Leaf = "tensorsmith_add";
  `include "leaf_test.svh"

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

  localparam int Operands = 2;
  `include "operand.svh"

  // ---------------------------------------------------------------------------------------------- definition

  `include "rounded_number.svh"

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
