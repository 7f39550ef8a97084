// Test of tensorsmith_special: every class of every operand of one and two products, random ones of more.
//
// The expected class is decided term by term, as the rule reads. Each checker drives a twin that never sees a
// zero b: it has to differ at least once, and +fault puts it in the place of the module under test.
//
// Every STRIDE-th input is taken.

module tensorsmith_special_test;
  localparam Leaf = "tensorsmith_special";
  `include "leaf_test.svh"

  special_checker #( 1) u_1 ();
  special_checker #( 2) u_2 ();
  special_checker #( 3) u_3 ();
  special_checker #( 5) u_5 ();
  special_checker #(16) u_16 ();
  special_checker #(17) u_17 ();
endmodule

module special_checker #(
    parameter int Products = 4
);
  // Classes: plus and minus number, zero, infinity; and NaN.
  localparam int Classes    = 7;
  localparam int Exhaustive = Products <= 2 ? 1 : 0;
  localparam int Vectors    = Exhaustive == 1 ? Classes ** (2 * Products + 1) : 3000;

  logic [Products-1:0] a_nan, a_infinite, a_zero, a_negative, b_nan, b_infinite, b_zero, b_negative;
  logic                c_nan, c_infinite, c_negative;
  logic                nan, infinite, negative, twin_nan, twin_infinite, twin_negative;

  tensorsmith_special #(.Products(Products)) u_special (
      .a_nan_i(a_nan), .a_infinite_i(a_infinite), .a_zero_i(a_zero), .a_negative_i(a_negative),
      .b_nan_i(b_nan), .b_infinite_i(b_infinite), .b_zero_i(b_zero), .b_negative_i(b_negative),
      .c_nan_i(c_nan), .c_infinite_i(c_infinite), .c_negative_i(c_negative),
      .nan_o(nan), .infinite_o(infinite), .negative_o(negative)
  );

  tensorsmith_special #(.Products(Products)) u_twin (
      .a_nan_i(a_nan), .a_infinite_i(a_infinite), .a_zero_i(a_zero), .a_negative_i(a_negative),
      .b_nan_i(b_nan), .b_infinite_i(b_infinite), .b_zero_i({Products{1'b0}}), .b_negative_i(b_negative),
      .c_nan_i(c_nan), .c_infinite_i(c_infinite), .c_negative_i(c_negative),
      .nan_o(twin_nan), .infinite_o(twin_infinite), .negative_o(twin_negative)
  );

  logic [2:0] actual, twin, expected, judged;
  bit         fault, twin_differed, any_nan, any_plus, any_minus;
  int         seed, vector, digits, index, kind_a, kind_b, kind_c, rarity;

  assign actual = {nan, infinite, negative};
  assign twin   = {twin_nan, twin_infinite, twin_negative};
  assign judged = fault ? twin : actual;

  // Kinds: 0 and 1 number, 2 and 3 zero, 4 and 5 infinity, 6 NaN; odd ones are negative.
  initial begin
    tensorsmith_special_test.started = tensorsmith_special_test.started + 1;
    fault         = $test$plusargs("fault");
    twin_differed = 0;
    seed          = Products;
    for (vector = 0; vector < Vectors; vector = vector + `STRIDE) begin
      any_nan   = 0;
      any_plus  = 0;
      any_minus = 0;
      digits    = vector;
      rarity    = vector % 5;
      for (index = 0; index < Products; index = index + 1) begin
        if (Exhaustive == 1) begin
          kind_a = digits % Classes;
          kind_b = digits / Classes % Classes;
          digits = digits / (Classes * Classes);
        end else begin
          // Specials in about one of 2 to 32 operands, NaN rarer still, so that each rule decides.
          kind_a = $urandom(seed) % (2 << rarity) == 0 ? 2 + $urandom(seed) % 4 : $urandom(seed) % 2;
          kind_b = $urandom(seed) % (2 << rarity) == 0 ? 2 + $urandom(seed) % 4 : $urandom(seed) % 2;
          if ($urandom(seed) % 64 == 0) kind_a = 6;
          if ($urandom(seed) % 64 == 0) kind_b = 6;
        end
        a_negative[index] = kind_a % 2;
        a_zero[index]     = kind_a / 2 == 1;
        a_infinite[index] = kind_a / 2 == 2;
        a_nan[index]      = kind_a / 2 == 3;
        b_negative[index] = kind_b % 2;
        b_zero[index]     = kind_b / 2 == 1;
        b_infinite[index] = kind_b / 2 == 2;
        b_nan[index]      = kind_b / 2 == 3;

        if (kind_a >= 6 || kind_b >= 6)                           any_nan = 1;
        else if (kind_a / 2 + kind_b / 2 == 3)                    any_nan = 1;  // infinity (2) times zero (1)
        else if ((kind_a >= 4 || kind_b >= 4) && kind_a % 2 == kind_b % 2) any_plus = 1;
        else if (kind_a >= 4 || kind_b >= 4)                      any_minus = 1;
      end
      kind_c     = Exhaustive == 1 ? digits : $urandom(seed) % (2 << rarity) == 0 ? $urandom(seed) % Classes : 0;
      c_negative = kind_c % 2;
      c_infinite = kind_c / 2 == 2;
      c_nan      = kind_c / 2 == 3;
      if (kind_c >= 6) any_nan = 1;
      if (kind_c == 4) any_plus = 1;
      if (kind_c == 5) any_minus = 1;
      #1;

      if (any_nan)                    expected = 3'b100;
      else if (any_plus && any_minus) expected = 3'b100;
      else if (any_plus)              expected = 3'b010;
      else if (any_minus)             expected = 3'b011;
      else                            expected = 3'b000;

      if (judged !== expected)
        tensorsmith_special_test.fail($sformatf("%m nan, infinite, zero, negative",
            $sformatf(" a=%b,%b,%b,%b", a_nan, a_infinite, a_zero, a_negative),
            $sformatf(" b=%b,%b,%b,%b", b_nan, b_infinite, b_zero, b_negative),
            $sformatf(" c=%b,%b,-,%b expected=%b actual=%b", c_nan, c_infinite, c_negative, expected, judged)));
      if (twin !== expected) twin_differed = 1;
    end
    tensorsmith_special_test.finish((Vectors + `STRIDE - 1) / `STRIDE, twin_differed);
  end
endmodule
