// Test of tensorsmith_dot2: every input of small formats under every rounding, shaped ones of wide formats.
//
// The expected result is the exact sum, an integer of as many bits as the formats span, rounded by definition.
// Each checker drives a twin that rounds both products before it adds them: it has to differ at least once, and
// +fault puts it in the place of the module under test.
//
// Every STRIDE-th input is taken.

module tensorsmith_dot2_test;
  localparam Leaf = "tensorsmith_dot2";
  `include "leaf_test.svh"

  // e2m1 x e2m1, twice -> e3m2 with infinity, all inputs: every rounding; flushed operands and results; overflow to the
  // largest number on one side.
  dot2_checker #(.Rounding(0), .OverflowInfinityPositive(0), .OverflowInfinityNegative(0)) u_toward_zero ();
  dot2_checker #(.Rounding(1)) u_nearest_even ();
  dot2_checker #(.Rounding(2)) u_nearest_away ();
  dot2_checker #(.Rounding(3), .OverflowInfinityNegative(0), .FlushOperands(1)) u_toward_positive ();
  dot2_checker #(.Rounding(4), .OverflowInfinityPositive(0), .FlushResult(1)) u_toward_negative ();
  dot2_checker #(.Rounding(5)) u_to_odd ();

  // Formats with one NaN or none, without a sign, with padding; d far above all products, where both lie below its least
  // normal exponent, and far below them.
  dot2_checker #(
      .SA(0), .EA(2), .FA(1), .BA(-3), .EB(2), .FB(1), .BB(9), .ED(2), .FD(2), .BD(2), .ND(2), .NanWord('h0f)
  ) u_all_ones ();
  dot2_checker #(
      .EA(2), .FA(1), .BA(2), .NA(3), .NB(3), .ED(3), .FD(1), .BD(4), .ND(3), .NanWord('h10)
  ) u_fnuz ();
  dot2_checker #(
      .SB(0), .EA(2), .FA(1), .BA(5), .NA(1), .EB(2), .FB(1), .PB(1), .BB(1), .NB(1), .ED(2), .FD(2), .PD(1), .BD(1), .NanWord('h3a)
  ) u_far_below ();
  dot2_checker #(
      .EA(2), .FA(1), .BA(30), .NA(1), .EB(2), .FB(1), .BB(1), .NB(1), .ED(2), .FD(2), .BD(1), .Rounding(3), .NanWord('h1d)
  ) u_nothing_left ();
  dot2_checker #(
      .EA(3), .FA(1), .BA(-9), .NA(2), .SB(0), .ED(3), .FD(1), .BD(-7), .NanWord('h1f)
  ) u_far_above ();

  // Ordinary formats.
  dot2_checker #(
      .EA(5), .FA(10), .BA(15), .NA(1), .EB(5), .FB(10), .BB(15), .NB(1), .ED(5), .FD(10), .BD(15), .NanWord('h7fff),
      .Vectors(1500)
  ) u_fp16 ();
  dot2_checker #(
      .EA(8), .FA(7), .BA(127), .NA(1), .EB(8), .FB(7), .BB(127), .NB(1), .ED(8), .FD(23), .BD(127),
      .NanWord('h7fffffff), .Vectors(1500)
  ) u_bf16 ();
  dot2_checker #(
      .EA(8), .FA(23), .BA(127), .NA(1), .EB(8), .FB(23), .BB(127), .NB(1), .ED(8), .FD(23), .BD(127),
      .NanWord('h7fffffff), .FlushOperands(1), .FlushResult(1), .Vectors(800)
  ) u_fp32 ();
endmodule

// S sign bits, E exponent bits, F fraction bits, P padding bits, B bias, N kind of non-finite encodings: of a, b and d.
module dot2_checker #(
    parameter int SA = 1, parameter int EA = 2, parameter int FA = 1,
    parameter int PA = 0, parameter int BA = 1, parameter int NA = 0,
    parameter int SB = 1, parameter int EB = 2, parameter int FB = 1,
    parameter int PB = 0, parameter int BB = 1, parameter int NB = 0,
    parameter int ED = 3, parameter int FD = 2, parameter int PD = 0,
    parameter int BD = 3, parameter int ND = 1,
    parameter int FlushOperands = 0,
    parameter int FlushResult   = 0,
    parameter int Rounding      = 1,
    parameter int OverflowInfinityPositive = 1,
    parameter int OverflowInfinityNegative = 1,
    parameter logic [ED+FD+PD:0] NanWord = '1,
    parameter int Vectors = 1 << (2 * (SA + EA + FA + PA + SB + EB + FB + PB))  // fewer: shaped ones
);
  localparam int WA = SA + EA + FA + PA;
  localparam int WB = SB + EB + FB + PB;
  localparam int WD = 1 + ED + FD + PD;
  localparam int Exhaustive = 2 * (WA + WB) < 24 && Vectors == 1 << (2 * (WA + WB)) ? 1 : 0;
  localparam int Stride     = `STRIDE == 1 ? 1 : Exhaustive == 1 ? 5 * `STRIDE : `STRIDE;  // there are 2^16 of most formats

  // The exact sum counts units of 2^UnitExponent, in as many bits as two products reach. The last place of d may be lower.
  localparam int ProductUnit  = 2 - BA - BB - FA - FB;
  localparam int ResultUnit   = 1 - BD - FD;
  localparam int UnitExponent = ProductUnit < ResultUnit ? ProductUnit : ResultUnit;
  localparam int ProductTop   = (1 << EA) - BA + (1 << EB) - BB;
  localparam int ResultTop    = 2 - BD;
  localparam int ExactWidth   = 3 + (ProductTop > ResultTop ? ProductTop : ResultTop) - UnitExponent;

  logic [2*WA-1:0] a;  // element 0 below
  logic [2*WB-1:0] b;
  logic [WD-1:0]   result, twin, first_word, second_word, judged, expected;

  tensorsmith_dot2 #(
      .OperandASignBits(SA), .OperandAExponentBits(EA), .OperandAFractionBits(FA), .OperandAPaddingBits(PA),
      .OperandABias(BA), .OperandANonFinite(NA), .OperandBSignBits(SB), .OperandBExponentBits(EB),
      .OperandBFractionBits(FB), .OperandBPaddingBits(PB), .OperandBBias(BB), .OperandBNonFinite(NB),
      .ResultExponentBits(ED), .ResultFractionBits(FD), .ResultPaddingBits(PD), .ResultBias(BD), .ResultNonFinite(ND),
      .FlushOperands(FlushOperands), .FlushResult(FlushResult), .Rounding(Rounding),
      .OverflowInfinityPositive(OverflowInfinityPositive), .OverflowInfinityNegative(OverflowInfinityNegative),
      .NanWord(NanWord)
  ) u_dot2 (
      .a_i(a), .b_i(b), .d_o(result)
  );

  // The twin: round(round(a[0] * b[0]) + round(a[1] * b[1])).
  tensorsmith_multiply #(
      .OperandASignBits(SA), .OperandAExponentBits(EA), .OperandAFractionBits(FA), .OperandAPaddingBits(PA),
      .OperandABias(BA), .OperandANonFinite(NA), .OperandBSignBits(SB), .OperandBExponentBits(EB),
      .OperandBFractionBits(FB), .OperandBPaddingBits(PB), .OperandBBias(BB), .OperandBNonFinite(NB),
      .ResultExponentBits(ED), .ResultFractionBits(FD), .ResultPaddingBits(PD), .ResultBias(BD), .ResultNonFinite(ND),
      .FlushOperands(FlushOperands), .Rounding(Rounding), .NanWord(NanWord)
  ) u_twin_first (
      .a_i(a[WA-1:0]), .b_i(b[WB-1:0]), .d_o(first_word)
  );

  tensorsmith_multiply #(
      .OperandASignBits(SA), .OperandAExponentBits(EA), .OperandAFractionBits(FA), .OperandAPaddingBits(PA),
      .OperandABias(BA), .OperandANonFinite(NA), .OperandBSignBits(SB), .OperandBExponentBits(EB),
      .OperandBFractionBits(FB), .OperandBPaddingBits(PB), .OperandBBias(BB), .OperandBNonFinite(NB),
      .ResultExponentBits(ED), .ResultFractionBits(FD), .ResultPaddingBits(PD), .ResultBias(BD), .ResultNonFinite(ND),
      .FlushOperands(FlushOperands), .Rounding(Rounding), .NanWord(NanWord)
  ) u_twin_second (
      .a_i(a[2*WA-1:WA]), .b_i(b[2*WB-1:WB]), .d_o(second_word)
  );

  tensorsmith_add #(
      .ResultExponentBits(ED), .ResultFractionBits(FD), .ResultPaddingBits(PD), .ResultBias(BD), .ResultNonFinite(ND),
      .FlushResult(FlushResult), .Rounding(Rounding), .OverflowInfinityPositive(OverflowInfinityPositive),
      .OverflowInfinityNegative(OverflowInfinityNegative), .NanWord(NanWord)
  ) u_twin_sum (
      .x_i(first_word), .y_i(second_word), .d_o(twin)
  );

  // ---------------------------------------------------------------------------------------------- operands

  localparam int Operands = 4;  // a and b of the first product, then of the second
  `include "operand.svh"

  // ---------------------------------------------------------------------------------------------- definition

  `include "rounded_number.svh"

  logic [ExactWidth-1:0] first, second;
  bit                    first_negative, second_negative, first_infinite, second_infinite, zero_negative, invalid;

  task define_expected;
    first_negative  = negative[0] ^ negative[1];
    second_negative = negative[2] ^ negative[3];
    first_infinite  = infinite[0] || infinite[1];
    second_infinite = infinite[2] || infinite[3];
    first           = significand[0] * ExactWidth'(significand[1]);
    first           = first << (exponent[0] + exponent[1] - FA - FB - UnitExponent);
    second          = significand[2] * ExactWidth'(significand[3]);
    second          = second << (exponent[2] + exponent[3] - FA - FB - UnitExponent);
    result_negative = first_negative == second_negative || first < second ? second_negative : first_negative;
    zero_negative   = first_negative == second_negative ? second_negative : Rounding == 4;
    exact           = first_negative == second_negative ? first + second
                    : first > second ? first - second : second - first;
    invalid = nan != 0 || (first_infinite && second_infinite && first_negative != second_negative);
    for (int i = 0; i < 4; i = i + 1) invalid = invalid || (infinite[i] && significand[i ^ 1] == 0);
    define_number(invalid, first_infinite || second_infinite, first_infinite ? first_negative : second_negative, zero_negative);
  endtask

  // ---------------------------------------------------------------------------------------------- stimulus

  bit fault, twin_differed;
  int seed, vector, target;

  // Significands of all lengths, ones at their end or not; the second product anywhere from far above the first one to far
  // below, or its opposite but for a few last bits.
  task shape;
    a = {$random(seed), $random(seed)};
    b = {$random(seed), $random(seed)};
    if (vector % 3 == 0) a = {a[2*WA-1:WA] >> $urandom(seed) % (FA + 1) << $urandom(seed) % (FA + 1), a[WA-1:0]};
    target = int'((a[WA-1:0] >> FA) % (1 << EA)) + int'((b[WB-1:0] >> FB) % (1 << EB))
           + int'($urandom(seed) % (2 * FA + 2 * FB + FD + 12)) - FA - FB - FD / 2 - 6;
    if (vector % 4 != 0 && vector % 8 != 1) begin
      b[2*WB-2 -: EB] = EB'(target / 2);
      a[2*WA-2 -: EA] = EA'(target - target / 2);
    end
    if (vector % 8 == 1) begin
      a[2*WA-1:WA] = a[WA-1:0] ^ $urandom(seed) % 4;
      b[2*WB-1:WB] = b[WB-1:0] ^ $urandom(seed) % 4 ^ (64'd1 << (WB - 1));
    end
    if (vector % 16 == 5) b[WB-2 -: EB] = 0;
    if (vector % 16 == 9) a[2*WA-2 -: EA] = 0;
    // Both products below the least normal number of d.
    if (vector % 8 == 6) begin
      a[WA-2]   = 0;
      a[2*WA-2] = 0;
      b[WB-2]   = 0;
      b[2*WB-2] = 0;
    end
  endtask

  assign judged = fault ? twin : result;

  initial begin
    tensorsmith_dot2_test.started = tensorsmith_dot2_test.started + 1;
    fault         = $test$plusargs("fault");
    twin_differed = 0;
    seed          = WD + Rounding;
    for (vector = 0; vector < Vectors; vector = vector + Stride) begin
      if (Exhaustive == 1) {a, b} = vector;
      else shape;
      for (int i = 0; i < 2; i = i + 1) begin
        read(2 * i, SA == 1 && a[(i+1)*WA-1], (a[i*WA +: WA] >> PA) % (64'd1 << (EA + FA)), EA, FA, BA, NA, FlushOperands);
        read(2 * i + 1, SB == 1 && b[(i+1)*WB-1], (b[i*WB +: WB] >> PB) % (64'd1 << (EB + FB)), EB, FB, BB, NB, FlushOperands);
      end
      define_expected;
      #1;

      if (judged !== expected)
        tensorsmith_dot2_test.fail($sformatf("%m a=%h b=%h expected=%h actual=%h", a, b, expected, judged));
      if (twin !== expected) twin_differed = 1;
    end
    tensorsmith_dot2_test.finish((Vectors + Stride - 1) / Stride, twin_differed);
  end
endmodule
