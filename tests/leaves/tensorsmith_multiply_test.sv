// Test of tensorsmith_multiply: every pair of operands of small formats under every rounding, random wide ones.
//
// The expected result is the exact product, an integer of as many bits as the formats span, rounded by definition.
// Each checker drives a twin that loses the sign of b: it has to differ at least once, and +fault puts it in the
// place of the module under test.
//
// Every STRIDE-th input is taken. With a stride, not every format meets every rounding.

module tensorsmith_multiply_test;
  localparam Leaf = "tensorsmith_multiply";
  `include "leaf_test.svh"

  // Every pair of operands of small formats in every rounding and every kind of flushing.
  for (genvar rounding = 0; rounding <= 5; rounding++) begin : gen_rounding
    for (genvar flush = 0; flush <= 2; flush++) begin : gen_flush
      if (`STRIDE == 1 || flush == rounding % 3) begin : gen_taken
        multiply_checker #(.Rounding(rounding), .FlushOperands(flush), .FlushResult(flush)) u_small ();
        multiply_checker #(
            .EA(3), .FA(3), .BA(5), .EB(2), .FB(3), .BB(2), .ED(2), .FD(2), .BD(3), .Rounding(rounding),
            .FlushResult(flush)
        ) u_subnormal ();
      end
    end
  end

  // Formats with one NaN or none, without a sign, with padding, with exponents far from d's.
  multiply_checker #(
      .SA(0), .EA(3), .FA(1), .BA(-3), .EB(2), .FB(2), .BB(9), .ED(2), .FD(3), .BD(2), .ND(2), .NanWord('h1f)
  ) u_all_ones ();
  multiply_checker #(
      .EA(2), .FA(2), .BA(2), .NA(3), .NB(2), .PB(1), .ED(3), .FD(1), .BD(4), .ND(3), .NanWord('h10),
      .FlushResult(2)
  ) u_fnuz ();
  multiply_checker #(
      .EA(2), .FA(1), .BA(30), .NA(1), .EB(2), .FB(2), .BB(1), .NB(1), .ED(2), .FD(2), .PD(1), .BD(20), .NanWord('h3a)
  ) u_far_below ();
  multiply_checker #(
      .EA(3), .FA(1), .BA(-9), .NA(2), .ED(3), .FD(1), .BD(-2), .NanWord('h1f), .OverflowInfinityPositive(0)
  ) u_far_above ();

  // Ordinary formats: fp16 operands, and fp32 operands whose product is longer than d.
  multiply_checker #(
      .EA(5), .FA(10), .BA(15), .NA(1), .EB(5), .FB(10), .BB(15), .NB(1), .ED(8), .FD(23), .BD(127),
      .NanWord('h7fc00000), .FlushOperands(2), .FlushResult(1), .OverflowInfinityNegative(0), .Vectors(1000)
  ) u_fp16 ();
  multiply_checker #(
      .EA(8), .FA(23), .BA(127), .NA(1), .EB(8), .FB(23), .BB(127), .NB(1), .ED(8), .FD(23), .BD(127),
      .NanWord('h7fc00000), .FlushResult(2), .Vectors(1000)
  ) u_fp32 ();
endmodule

// S sign bits, E exponent bits, F fraction bits, P padding bits, B bias, N kind of non-finite encodings: of a, b and d.
module multiply_checker #(
    parameter int SA = 1, parameter int EA = 2, parameter int FA = 1,
    parameter int PA = 0, parameter int BA = 1, parameter int NA = 0,
    parameter int SB = 1, parameter int EB = 2, parameter int FB = 2,
    parameter int PB = 0, parameter int BB = 2, parameter int NB = 1,
    parameter int ED = 2, parameter int FD = 2, parameter int PD = 0,
    parameter int BD = 2, parameter int ND = 1,
    parameter int FlushOperands = 0,
    parameter int FlushResult   = 0,
    parameter int Rounding      = 1,
    parameter int OverflowInfinityPositive = 1,
    parameter int OverflowInfinityNegative = 1,
    parameter logic [ED+FD+PD:0] NanWord = '1,
    parameter int Vectors = 1 << (SA + EA + FA + PA + SB + EB + FB + PB)  // fewer: random ones
);
  localparam int WA = SA + EA + FA + PA;
  localparam int WB = SB + EB + FB + PB;
  localparam int WD = 1 + ED + FD + PD;
  localparam int Exhaustive = WA + WB <= 16 && Vectors == 1 << (WA + WB) ? 1 : 0;
  localparam int Stride     = `STRIDE;

  // The exact product counts units of 2^UnitExponent, no coarser than half a place of d.
  localparam int ProductUnit  = 2 - BA - BB - FA - FB;
  localparam int HalfPlace    = -BD - FD;
  localparam int UnitExponent = ProductUnit < HalfPlace ? ProductUnit : HalfPlace;
  localparam int ProductTop   = (1 << EA) - BA + (1 << EB) - BB;
  localparam int ResultTop    = (1 << ED) - BD;
  localparam int ExactWidth   = 2 + (ProductTop > ResultTop ? ProductTop : ResultTop) - UnitExponent;

  logic [WA-1:0] a;
  logic [WB-1:0] b;
  logic [WD-1:0] result, twin, judged, expected;

  tensorsmith_multiply #(
      .OperandASignBits(SA), .OperandAExponentBits(EA), .OperandAFractionBits(FA), .OperandAPaddingBits(PA),
      .OperandABias(BA), .OperandANonFinite(NA), .OperandBSignBits(SB), .OperandBExponentBits(EB),
      .OperandBFractionBits(FB), .OperandBPaddingBits(PB), .OperandBBias(BB), .OperandBNonFinite(NB),
      .ResultExponentBits(ED), .ResultFractionBits(FD), .ResultPaddingBits(PD), .ResultBias(BD), .ResultNonFinite(ND),
      .FlushOperands(FlushOperands), .FlushResult(FlushResult), .Rounding(Rounding),
      .OverflowInfinityPositive(OverflowInfinityPositive), .OverflowInfinityNegative(OverflowInfinityNegative),
      .NanWord(NanWord)
  ) u_multiply (
      .a_i(a), .b_i(b), .d_o(result)
  );

  tensorsmith_multiply #(
      .OperandASignBits(SA), .OperandAExponentBits(EA), .OperandAFractionBits(FA), .OperandAPaddingBits(PA),
      .OperandABias(BA), .OperandANonFinite(NA), .OperandBSignBits(0), .OperandBExponentBits(EB),
      .OperandBFractionBits(FB), .OperandBPaddingBits(PB), .OperandBBias(BB), .OperandBNonFinite(NB),
      .ResultExponentBits(ED), .ResultFractionBits(FD), .ResultPaddingBits(PD), .ResultBias(BD), .ResultNonFinite(ND),
      .FlushOperands(FlushOperands), .FlushResult(FlushResult), .Rounding(Rounding),
      .OverflowInfinityPositive(OverflowInfinityPositive), .OverflowInfinityNegative(OverflowInfinityNegative),
      .NanWord(NanWord)
  ) u_twin (
      .a_i(a), .b_i(b[EB+FB+PB-1:0]), .d_o(twin)
  );

  // ---------------------------------------------------------------------------------------------- operands

  localparam int Operands = 2;
  `include "operand.svh"

  // ---------------------------------------------------------------------------------------------- definition

  `include "rounded_number.svh"

  task define_expected;
    result_negative = negative[0] ^ negative[1];
    exact           = significand[0] * ExactWidth'(significand[1]);
    exact           = exact << (exponent[0] + exponent[1] - FA - FB - UnitExponent);
    define_number(nan != 0 || (infinite[0] && significand[1] == 0) || (infinite[1] && significand[0] == 0),
                  infinite != 0, result_negative, result_negative);
  endtask

  // ---------------------------------------------------------------------------------------------- stimulus

  bit fault, twin_differed;
  int seed, vector;

  // Half of the products lie around d's least normal number.
  task shape;
    a = {$random(seed), $random(seed)};
    b = {$random(seed), $random(seed)};
    if (vector % 2 == 0)
      b[PB+FB +: EB] = EB'(2 - BD + int'($urandom(seed) % 4) - 2 + BA + BB - int'(a[PA+FA +: EA]));
    if (vector % 8 == 0) begin
      a[PA +: FA] = '1;
      b[PB +: FB] = FB'($urandom(seed) % 2);
    end
  endtask

  assign judged = fault ? twin : result;

  initial begin
    tensorsmith_multiply_test.started = tensorsmith_multiply_test.started + 1;
    fault         = $test$plusargs("fault");
    twin_differed = 0;
    seed          = WD + Rounding;
    for (vector = 0; vector < Vectors; vector = vector + Stride) begin
      if (Exhaustive == 1) {a, b} = vector;
      else shape;
      read(0, SA == 1 && a[WA-1], (a >> PA) % (64'd1 << (EA + FA)), EA, FA, BA, NA, FlushOperands);
      read(1, SB == 1 && b[WB-1], (b >> PB) % (64'd1 << (EB + FB)), EB, FB, BB, NB, FlushOperands);
      define_expected;
      #1;

      if (judged !== expected)
        tensorsmith_multiply_test.fail($sformatf("%m a=%h b=%h expected=%h actual=%h", a, b, expected, judged));
      if (twin !== expected) twin_differed = 1;
    end
    tensorsmith_multiply_test.finish((Vectors + Stride - 1) / Stride, twin_differed);
  end
endmodule
