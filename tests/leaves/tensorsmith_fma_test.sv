// Test of tensorsmith_fma: every input of small formats under every rounding, shaped ones of wide formats.
//
// The expected result is the exact sum, an integer of as many bits as the formats span, rounded by definition.
// Each checker drives a twin that rounds the product before it adds: it has to differ at least once, and
// +fault puts it in the place of the module under test.
//
// Every STRIDE-th input is taken.

module tensorsmith_fma_test;
  localparam Leaf = "tensorsmith_fma";
  `include "leaf_test.svh"

  // e2m1 x e2m1 + e3m2 -> e3m2 with infinity, all inputs: every rounding; each kind of flushing; either sign of
  // a constant zero; overflow to the largest number on one side.
  fma_checker #(.Rounding(0), .OverflowInfinityPositive(0), .OverflowInfinityNegative(0)) u_toward_zero ();
  fma_checker #(.Rounding(1)) u_nearest_even ();
  fma_checker #(.Rounding(2), .ZeroSign(1)) u_nearest_away ();
  fma_checker #(.Rounding(3), .OverflowInfinityNegative(0), .FlushOperands(1)) u_toward_positive ();
  fma_checker #(.Rounding(4), .OverflowInfinityPositive(0), .FlushResult(1)) u_toward_negative ();
  fma_checker #(.Rounding(5), .ZeroSign(2), .FlushAddend(1)) u_to_odd ();

  // Formats with one NaN or none, without a sign, with padding, with exponents far from d's.
  fma_checker #(
      .SA(0), .EA(3), .FA(1), .BA(-3), .EB(2), .FB(2), .BB(9), .ED(2), .FD(3), .BD(2), .ND(2), .NanWord('h1f)
  ) u_all_ones ();
  fma_checker #(
      .EA(2), .FA(2), .BA(2), .NA(3), .NB(3), .PB(1), .ED(3), .FD(1), .BD(4), .ND(3), .NanWord('h10)
  ) u_fnuz ();
  fma_checker #(
      .EA(2), .FA(1), .BA(30), .NA(1), .EB(2), .FB(2), .BB(1), .NB(1), .ED(2), .FD(2), .PD(1), .BD(20), .NanWord('h3a)
  ) u_far_below ();
  fma_checker #(
      .EA(3), .FA(1), .BA(-9), .NA(2), .ED(3), .FD(1), .BD(-2), .NanWord('h1f)
  ) u_far_above ();

  // Ordinary formats.
  fma_checker #(
      .EA(5), .FA(10), .BA(15), .NA(1), .EB(5), .FB(10), .BB(15), .NB(1), .ED(5), .FD(10), .BD(15), .NanWord('h7fff),
      .Vectors(1500)
  ) u_fp16 ();
  fma_checker #(
      .EA(8), .FA(7), .BA(127), .NA(1), .EB(8), .FB(7), .BB(127), .NB(1), .ED(8), .FD(23), .BD(127),
      .NanWord('h7fffffff), .FlushOperands(1), .FlushAddend(1), .FlushResult(1), .Vectors(600)
  ) u_bf16 ();
  fma_checker #(
      .EA(8), .FA(23), .BA(127), .NA(1), .EB(8), .FB(23), .BB(127), .NB(1), .ED(8), .FD(23), .BD(127),
      .NanWord('h7fffffff), .Vectors(800)
  ) u_fp32 ();
  fma_checker #(
      .EA(11), .FA(52), .BA(1023), .NA(1), .EB(11), .FB(52), .BB(1023), .NB(1), .ED(11), .FD(52), .BD(1023),
      .NanWord(64'h7ff8000000000000), .Vectors(900)
  ) u_fp64 ();
endmodule

// S sign bits, E exponent bits, F fraction bits, P padding bits, B bias, N kind of non-finite encodings: of a, b and d.
module fma_checker #(
    parameter int SA = 1, parameter int EA = 2, parameter int FA = 1,
    parameter int PA = 0, parameter int BA = 1, parameter int NA = 0,
    parameter int SB = 1, parameter int EB = 2, parameter int FB = 1,
    parameter int PB = 0, parameter int BB = 1, parameter int NB = 0,
    parameter int ED = 3, parameter int FD = 2, parameter int PD = 0,
    parameter int BD = 3, parameter int ND = 1,
    parameter int FlushOperands = 0,
    parameter int FlushAddend   = 0,
    parameter int FlushResult   = 0,
    parameter int Rounding      = 1,
    parameter int ZeroSign      = 0,
    parameter int OverflowInfinityPositive = 1,
    parameter int OverflowInfinityNegative = 1,
    parameter logic [ED+FD+PD:0] NanWord = '1,
    parameter int Vectors = 1 << (SA + EA + FA + PA + SB + EB + FB + PB + 1 + ED + FD + PD)  // fewer: shaped ones
);
  localparam int WA = SA + EA + FA + PA;
  localparam int WB = SB + EB + FB + PB;
  localparam int WD = 1 + ED + FD + PD;
  localparam int Exhaustive = WA + WB + WD < 24 && Vectors == 1 << (WA + WB + WD) ? 1 : 0;
  localparam int Stride     = `STRIDE;

  // The exact sum counts units of 2^UnitExponent, in as many bits as a product or an addend reaches and a carry.
  localparam int ProductUnit  = 2 - BA - BB - FA - FB;
  localparam int AddendUnit   = 1 - BD - FD;
  localparam int UnitExponent = ProductUnit < AddendUnit ? ProductUnit : AddendUnit;
  localparam int ProductTop   = (1 << EA) - BA + (1 << EB) - BB;
  localparam int AddendTop    = (1 << ED) - BD;
  localparam int ExactWidth   = 2 + (ProductTop > AddendTop ? ProductTop : AddendTop) - UnitExponent;

  logic [WA-1:0] a;
  logic [WB-1:0] b;
  logic [WD-1:0] c, result, twin, product_word, judged, expected;

  tensorsmith_fma #(
      .OperandASignBits(SA), .OperandAExponentBits(EA), .OperandAFractionBits(FA), .OperandAPaddingBits(PA),
      .OperandABias(BA), .OperandANonFinite(NA), .OperandBSignBits(SB), .OperandBExponentBits(EB),
      .OperandBFractionBits(FB), .OperandBPaddingBits(PB), .OperandBBias(BB), .OperandBNonFinite(NB),
      .ResultExponentBits(ED), .ResultFractionBits(FD), .ResultPaddingBits(PD), .ResultBias(BD), .ResultNonFinite(ND),
      .FlushOperands(FlushOperands), .FlushAddend(FlushAddend), .FlushResult(FlushResult), .Rounding(Rounding),
      .ZeroSign(ZeroSign), .OverflowInfinityPositive(OverflowInfinityPositive),
      .OverflowInfinityNegative(OverflowInfinityNegative), .NanWord(NanWord)
  ) u_fma (
      .a_i(a), .b_i(b), .c_i(c), .d_o(result)
  );

  // The twin: round(round(a * b) + c), its second step a multiplication by one.
  tensorsmith_fma #(
      .OperandASignBits(SA), .OperandAExponentBits(EA), .OperandAFractionBits(FA), .OperandAPaddingBits(PA),
      .OperandABias(BA), .OperandANonFinite(NA), .OperandBSignBits(SB), .OperandBExponentBits(EB),
      .OperandBFractionBits(FB), .OperandBPaddingBits(PB), .OperandBBias(BB), .OperandBNonFinite(NB),
      .ResultExponentBits(ED), .ResultFractionBits(FD), .ResultPaddingBits(PD), .ResultBias(BD), .ResultNonFinite(ND),
      .FlushOperands(FlushOperands), .Rounding(Rounding), .NanWord(NanWord)
  ) u_twin_product (
      .a_i(a), .b_i(b), .c_i({WD{1'b0}}), .d_o(product_word)
  );

  tensorsmith_fma #(
      .OperandAExponentBits(1), .OperandAFractionBits(1), .OperandABias(1), .OperandANonFinite(0),
      .OperandBExponentBits(ED), .OperandBFractionBits(FD), .OperandBPaddingBits(PD), .OperandBBias(BD),
      .OperandBNonFinite(ND), .ResultExponentBits(ED), .ResultFractionBits(FD), .ResultPaddingBits(PD),
      .ResultBias(BD), .ResultNonFinite(ND), .FlushAddend(FlushAddend), .FlushResult(FlushResult), .Rounding(Rounding),
      .ZeroSign(ZeroSign), .OverflowInfinityPositive(OverflowInfinityPositive),
      .OverflowInfinityNegative(OverflowInfinityNegative), .NanWord(NanWord)
  ) u_twin_sum (
      .a_i(3'b010), .b_i(product_word), .c_i(c), .d_o(twin)
  );

  // ---------------------------------------------------------------------------------------------- operands

  localparam int Operands = 3;
  `include "operand.svh"

  // ---------------------------------------------------------------------------------------------- definition

  `include "rounded_number.svh"

  logic [ExactWidth-1:0] product, addend;
  bit                    product_negative, product_infinite, zero_negative;

  task define_expected;
    product_negative = negative[0] ^ negative[1];
    product_infinite = infinite[0] || infinite[1];
    product          = significand[0] * ExactWidth'(significand[1]);
    product          = product << (exponent[0] + exponent[1] - FA - FB - UnitExponent);
    addend           = significand[2];
    addend           = addend << (exponent[2] - FD - UnitExponent);
    result_negative  = product_negative == negative[2] || product < addend ? negative[2] : product_negative;
    zero_negative    = ZeroSign != 0 ? ZeroSign == 2 : product_negative == negative[2] ? negative[2] : Rounding == 4;
    exact            = product_negative == negative[2] ? product + addend
                     : product > addend ? product - addend : addend - product;
    define_number(nan != 0 || (infinite[0] && significand[1] == 0) || (infinite[1] && significand[0] == 0)
                  || (product_infinite && infinite[2] && product_negative != negative[2]),
                  product_infinite || infinite[2], product_infinite ? product_negative : negative[2], zero_negative);
  endtask

  // ---------------------------------------------------------------------------------------------- stimulus

  bit fault, twin_differed;
  int seed, vector, target;

  // Significands of all lengths, ones at their end or not; c anywhere from far above the product to far below, or its
  // opposite but for a few last bits. Whatever lies outside a format is bent into it by the width of its field.
  task shape;
    a = {$random(seed), $random(seed)};
    b = {$random(seed), $random(seed)};
    c = {$random(seed), $random(seed)};
    if (vector % 2 == 0) a = a >> $urandom(seed) % (FA + 1) << $urandom(seed) % (FA + 1);
    if (vector % 3 == 0) c = (c >> $urandom(seed) % FD << $urandom(seed) % FD) - $urandom(seed) % 2;
    target = int'((a >> FA) % (1 << EA)) - BA + int'((b >> FB) % (1 << EB)) - BB + BD
           + int'($urandom(seed) % (FA + FB + 2 * FD + 12)) - FA - FB - 4;
    if (vector % 4 != 0) c = (c % (64'd1 << FD)) + (64'(target) << FD) + (64'($urandom(seed) % 2) << (ED + FD));
    if (vector % 8 == 1) begin
      // b is a power of two, and c the product's opposite where that is a number of c's format.
      b      = b >> FB << FB;
      target = int'((a >> FA) % (1 << EA)) - BA + int'((b >> FB) % (1 << EB)) - BB + BD;
      c      = {~a[WA-1] ^ b[WB-1], ED'(target), FD'(a) << (FD - FA)} ^ $urandom(seed) % 4;
    end
    if (vector % 16 == 5) b = b % (64'd1 << FB);
    if (vector % 16 == 9) c = c % (64'd1 << FD);
  endtask

  assign judged = fault ? twin : result;

  initial begin
    tensorsmith_fma_test.started = tensorsmith_fma_test.started + 1;
    fault         = $test$plusargs("fault");
    twin_differed = 0;
    seed          = WD + Rounding;
    for (vector = 0; vector < Vectors; vector = vector + Stride) begin
      if (Exhaustive == 1) {a, b, c} = vector;
      else shape;
      read(0, SA == 1 && a[WA-1], (a >> PA) % (64'd1 << (EA + FA)), EA, FA, BA, NA, FlushOperands);
      read(1, SB == 1 && b[WB-1], (b >> PB) % (64'd1 << (EB + FB)), EB, FB, BB, NB, FlushOperands);
      read(2, c[WD-1], (c >> PD) % (64'd1 << (ED + FD)), ED, FD, BD, ND, FlushAddend);
      define_expected;
      #1;

      if (judged !== expected)
        tensorsmith_fma_test.fail($sformatf("%m a=%h b=%h c=%h expected=%h actual=%h", a, b, c, expected, judged));
      if (twin !== expected) twin_differed = 1;
    end
    tensorsmith_fma_test.finish((Vectors + Stride - 1) / Stride, twin_differed);
  end
endmodule
