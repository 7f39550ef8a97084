// Test of tensorsmith_addend: every exponent, with and without zero.
//
// Each checker drives a twin with a floor one too high: it has to differ at least once, and +fault puts it in
// the place of the module under test.

module tensorsmith_addend_test;
  localparam Leaf = "tensorsmith_addend";
  `include "leaf_test.svh"

  // ExponentWidth, ExponentFloor.
  addend_checker #( 1,    -1) u_1 ();
  addend_checker #( 4,     3) u_4 ();
  addend_checker #( 9,  -126) u_fp32 ();
  addend_checker #(10,  -133) u_fp32_floor ();
  addend_checker #(13, -2200) u_fp64 ();
endmodule

module addend_checker #(
    parameter int ExponentWidth = 9,
    parameter int ExponentFloor = -126
);
  localparam int Span = 1 << ExponentWidth;

  logic                            zero;
  logic signed [ExponentWidth-1:0] exponent, result, twin, judged;

  tensorsmith_addend #(.ExponentWidth(ExponentWidth), .ExponentFloor(ExponentFloor))
      u_addend (.zero_i(zero), .exponent_i(exponent), .exponent_o(result));

  tensorsmith_addend #(.ExponentWidth(ExponentWidth), .ExponentFloor(ExponentFloor + 1))
      u_twin (.zero_i(zero), .exponent_i(exponent), .exponent_o(twin));

  bit fault, twin_differed;
  int value, is_zero, expected;

  assign judged = fault ? twin : result;

  initial begin
    tensorsmith_addend_test.started = tensorsmith_addend_test.started + 1;
    fault         = $test$plusargs("fault");
    twin_differed = 0;
    for (value = -Span / 2; value < Span / 2; value = value + 1) begin
      for (is_zero = 0; is_zero <= 1; is_zero = is_zero + 1) begin
        zero     = is_zero;
        exponent = value;
        #1;

        expected = is_zero == 1 ? ExponentFloor : value;
        if (int'(judged) !== expected)
          tensorsmith_addend_test.fail($sformatf("%m zero=%b exponent=%0d expected=%0d actual=%0d", zero, value,
              expected, judged));
        if (int'(twin) !== expected) twin_differed = 1;
      end
    end
    tensorsmith_addend_test.finish(2 * Span, twin_differed);
  end
endmodule
