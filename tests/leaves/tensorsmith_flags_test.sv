// Test of tensorsmith_flags: every class of every operand of one and two products, random ones of more, each with every
// kind of rounded number in turn.
//
// The expected flags are decided term by term, as the rules read. Each checker drives a twin whose NaN are all quiet:
// it has to differ at least once, and +fault puts it in the place of the module under test.
//
// Every STRIDE-th input is taken.

module tensorsmith_flags_test;
  localparam Leaf = "tensorsmith_flags";
  `include "leaf_test.svh"

  // With and without signalling NaN in each format; exponent fields that end at, above and below the exponents.
  flags_checker #(.Products( 1)) u_1 ();
  flags_checker #(.Products( 2), .ExponentBits(2), .MaximumFinite('hb)) u_2 ();
  flags_checker #(.Products( 2), .SignallingB(0)) u_2_a ();
  flags_checker #(.Products( 3), .SignallingA(0), .SignallingC(0)) u_3_b ();
  flags_checker #(.Products( 5), .SignallingB(0), .SignallingC(0)) u_5_a ();
  flags_checker #(.Products(17), .SignallingA(0), .SignallingB(0), .ExponentMin(-16)) u_17_c ();
endmodule

module flags_checker #(
    parameter int Products      = 4,
    parameter int SignallingA   = 1,
    parameter int SignallingB   = 1,
    parameter int SignallingC   = 1,
    parameter int ExponentMin   = -2,
    parameter int ExponentBits  = 3,
    parameter int FractionBits  = 2,
    // Exponent field and fraction of the largest finite number.
    parameter logic [ExponentBits+FractionBits-1:0] MaximumFinite = 'h1b
);
  // Classes: plus and minus number, zero, infinity; quiet and signalling NaN.
  localparam int Classes       = 8;
  localparam int ExponentWidth = 5;
  localparam int Exhaustive    = Products <= 2 ? 1 : 0;
  localparam int Vectors       = Exhaustive == 1 ? Classes ** (2 * Products + 1) : 4000;

  logic [Products-1:0] a_nan, a_quiet, a_infinite, a_zero, a_negative;
  logic [Products-1:0] b_nan, b_quiet, b_infinite, b_zero, b_negative;
  logic                c_nan, c_quiet, c_infinite, c_negative, nan, infinite, zero;
  logic                invalid, overflow, twin_invalid, twin_overflow;

  logic signed [ExponentWidth-1:0] exponent;
  logic        [FractionBits+1:0]  rounded;

  tensorsmith_flags #(
      .Products(Products), .SignallingA(SignallingA), .SignallingB(SignallingB), .SignallingC(SignallingC),
      .ExponentWidth(ExponentWidth), .ExponentMin(ExponentMin), .ExponentBits(ExponentBits),
      .FractionBits(FractionBits), .MaximumFinite(MaximumFinite)
  ) u_flags (
      .a_nan_i(a_nan), .a_quiet_i(a_quiet), .a_infinite_i(a_infinite), .a_zero_i(a_zero), .a_negative_i(a_negative),
      .b_nan_i(b_nan), .b_quiet_i(b_quiet), .b_infinite_i(b_infinite), .b_zero_i(b_zero), .b_negative_i(b_negative),
      .c_nan_i(c_nan), .c_quiet_i(c_quiet), .c_infinite_i(c_infinite), .c_negative_i(c_negative),
      .nan_i(nan), .infinite_i(infinite), .exponent_i(exponent), .rounded_i(rounded), .zero_i(zero),
      .invalid_o(invalid), .overflow_o(overflow)
  );

  tensorsmith_flags #(
      .Products(Products), .SignallingA(0), .SignallingB(0), .SignallingC(0),
      .ExponentWidth(ExponentWidth), .ExponentMin(ExponentMin), .ExponentBits(ExponentBits),
      .FractionBits(FractionBits), .MaximumFinite(MaximumFinite)
  ) u_twin (
      .a_nan_i(a_nan), .a_quiet_i(a_quiet), .a_infinite_i(a_infinite), .a_zero_i(a_zero), .a_negative_i(a_negative),
      .b_nan_i(b_nan), .b_quiet_i(b_quiet), .b_infinite_i(b_infinite), .b_zero_i(b_zero), .b_negative_i(b_negative),
      .c_nan_i(c_nan), .c_quiet_i(c_quiet), .c_infinite_i(c_infinite), .c_negative_i(c_negative),
      .nan_i(nan), .infinite_i(infinite), .exponent_i(exponent), .rounded_i(rounded), .zero_i(zero),
      .invalid_o(twin_invalid), .overflow_o(twin_overflow)
  );

  logic [1:0] actual, twin, expected, judged;
  bit         fault, twin_differed, any_invalid, any_plus, any_minus;
  int         seed, vector, digits, index, kind_a, kind_b, kind_c, rarity, value;

  assign actual = {invalid, overflow};
  assign twin   = {twin_invalid, twin_overflow};
  assign judged = fault ? twin : actual;

  // A kind in about one of 2 to 32 operands, NaN rarer still, so that each rule decides.
  task draw(output int kind);
    kind = $urandom(seed) % (2 << rarity) == 0 ? 2 + $urandom(seed) % 4 : $urandom(seed) % 2;
    if ($urandom(seed) % 64 == 0) kind = 6 + $urandom(seed) % 2;
  endtask

  // Kinds: 0 and 1 number, 2 and 3 zero, 4 and 5 infinity, odd ones negative; 6 quiet NaN, which may read as zero, 7
  // signalling NaN.
  initial begin
    tensorsmith_flags_test.started = tensorsmith_flags_test.started + 1;
    fault         = $test$plusargs("fault");
    twin_differed = 0;
    seed          = Products;
    for (vector = 0; vector < Vectors; vector = vector + `STRIDE) begin
      any_invalid = 0;
      any_plus    = 0;
      any_minus   = 0;
      digits      = vector;
      rarity      = vector % 5;
      for (index = 0; index < Products; index = index + 1) begin
        if (Exhaustive == 1) begin
          kind_a = digits % Classes;
          kind_b = digits / Classes % Classes;
          digits = digits / (Classes * Classes);
        end else begin
          draw(kind_a);
          draw(kind_b);
        end
        a_negative[index] = kind_a % 2;
        a_zero[index]     = kind_a / 2 == 1 || (kind_a == 6 && $urandom(seed) % 2 == 0);
        a_infinite[index] = kind_a / 2 == 2;
        a_nan[index]      = kind_a / 2 == 3;
        a_quiet[index]    = kind_a / 2 == 3 ? kind_a == 6 : $urandom(seed);
        b_negative[index] = kind_b % 2;
        b_zero[index]     = kind_b / 2 == 1 || (kind_b == 6 && $urandom(seed) % 2 == 0);
        b_infinite[index] = kind_b / 2 == 2;
        b_nan[index]      = kind_b / 2 == 3;
        b_quiet[index]    = kind_b / 2 == 3 ? kind_b == 6 : $urandom(seed);

        if ((kind_a == 7 && SignallingA == 1) || (kind_b == 7 && SignallingB == 1)) any_invalid = 1;
        if (kind_a < 6 && kind_b < 6) begin
          if (kind_a / 2 + kind_b / 2 == 3)        any_invalid = 1;  // infinity (2) times zero (1)
          else if (kind_a >= 4 || kind_b >= 4) begin
            if (kind_a % 2 == kind_b % 2) any_plus = 1;
            else                          any_minus = 1;
          end
        end
      end
      if (Exhaustive == 1) kind_c = digits;
      else draw(kind_c);
      c_negative = kind_c % 2;
      c_infinite = kind_c / 2 == 2;
      c_nan      = kind_c / 2 == 3;
      c_quiet    = kind_c == 6;
      if (kind_c == 7 && SignallingC == 1) any_invalid = 1;
      if (kind_c == 4) any_plus = 1;
      if (kind_c == 5) any_minus = 1;
      if (any_plus && any_minus) any_invalid = 1;

      // The rounded number, and what the operands' classes are said to make of it: each in turn.
      exponent = ExponentMin + $urandom(seed) % (16 - ExponentMin);
      rounded  = $urandom(seed) % (1 + (2 << FractionBits));
      zero     = $urandom(seed) % 8 == 0;
      nan      = $urandom(seed) % 8 == 0;
      infinite = !nan && $urandom(seed) % 8 == 0;
      value    = exponent - ExponentMin;
      value    = value * (1 << FractionBits) + rounded;
      #1;

      expected = {any_invalid, value > MaximumFinite && !zero && !nan && !infinite};
      if (judged !== expected)
        tensorsmith_flags_test.fail($sformatf(
            "%m a=%b,%b,%b,%b b=%b,%b,%b,%b exponent=%0d rounded=%b expected=%b actual=%b",
            a_nan, a_infinite, a_zero, a_negative, b_nan, b_infinite, b_zero, b_negative, exponent, rounded, expected,
            judged));
      if (twin !== expected) twin_differed = 1;
    end
    tensorsmith_flags_test.finish((Vectors + `STRIDE - 1) / `STRIDE, twin_differed);
  end
endmodule
