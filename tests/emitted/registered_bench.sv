// Test of a registered wrapper: random operands, enable and valid, and a reset in the middle.
//
// The expected result is the core's, two enabled cycles after its operands; while enable is low nothing moves. A twin
// whose enable is stuck at one has to differ; +fault puts it in the place of the wrapper. For a unit with scales
// SCALE_A_BITS and SCALE_B_BITS are defined, for one with an addend C_BITS, for one with flags FLAGS_BITS: these are
// judged as the top bits of the result.

module registered_bench;

  localparam int Cycles = 300;

  logic               clk = 1'b0;
  logic               rst_n, enable, valid;
  logic [`A_BITS-1:0] a;
  logic [`B_BITS-1:0] b;
  logic               valid_out, twin_valid, judged_valid;

  // Result and flags as one word, d in the low bits.
`ifdef FLAGS_BITS
  localparam int ResultBits = `FLAGS_BITS + `D_BITS;
  `define RESULT(WORD) .flags_o(WORD[`D_BITS +: `FLAGS_BITS]), .d_o(WORD[0 +: `D_BITS])
`else
  localparam int ResultBits = `D_BITS;
  `define RESULT(WORD) .d_o(WORD)
`endif
  logic [ResultBits-1:0] d, twin_d, judged_d, core_d;

  // The connection of the addend, where there is one.
`ifdef C_BITS
  logic [`C_BITS-1:0] c;
  `define ADDEND .c_i(c),
`else
  `define ADDEND
`endif

  // Connections of the scales, where there are any.
`ifdef SCALE_A_BITS
  logic [`SCALE_A_BITS-1:0] scale_a;
  logic [`SCALE_B_BITS-1:0] scale_b;
  `define SCALES .scale_a_i(scale_a), .scale_b_i(scale_b),
`else
  `define SCALES
`endif

  `CORE u_core (.a_i(a), .b_i(b), `SCALES `ADDEND `RESULT(core_d));

  `REGISTERED u_registered (
      .clk_i(clk), .rst_ni(rst_n), .enable_i(enable), .valid_i(valid), .a_i(a), .b_i(b), `SCALES `ADDEND
      .valid_o(valid_out), `RESULT(d)
  );

  `REGISTERED u_twin (
      .clk_i(clk), .rst_ni(rst_n), .enable_i(1'b1), .valid_i(valid), .a_i(a), .b_i(b), `SCALES `ADDEND
      .valid_o(twin_valid), `RESULT(twin_d)
  );

  always #5 clk = !clk;

  // The model: what the two register stages hold.
  logic               first_valid, second_valid;
  logic [ResultBits-1:0] first_d, second_d;
  bit                 fault, twin_differed;
  int                 cycle, checked, i;

  assign judged_valid = fault ? twin_valid : valid_out;
  assign judged_d     = fault ? twin_d : d;

  initial begin
    fault         = $test$plusargs("fault");
    twin_differed = 0;
    checked       = 0;
    rst_n         = 1'b0;
    enable        = 1'b0;
    valid         = 1'b0;
    a             = '0;
    b             = '0;
`ifdef C_BITS
    c             = '0;
`endif
    first_valid   = 1'b0;
    second_valid  = 1'b0;
    @(negedge clk);
    for (cycle = 0; cycle < Cycles; cycle = cycle + 1) begin
      rst_n  = cycle != 0 && cycle != Cycles / 2;
      enable = $urandom % 4 != 0;
      valid  = $urandom % 2;
      for (i = 0; i < `A_BITS; i = i + 1) a[i] = $urandom;
      for (i = 0; i < `B_BITS; i = i + 1) b[i] = $urandom;
`ifdef C_BITS
      for (i = 0; i < `C_BITS; i = i + 1) c[i] = $urandom;
`endif
`ifdef SCALE_A_BITS
      for (i = 0; i < `SCALE_A_BITS; i = i + 1) scale_a[i] = $urandom;
      for (i = 0; i < `SCALE_B_BITS; i = i + 1) scale_b[i] = $urandom;
`endif
      #1;
      if (!rst_n) begin
        first_valid  = 1'b0;
        second_valid = 1'b0;
      end else if (enable) begin
        second_valid = first_valid;
        second_d     = first_d;
        first_valid  = valid;
        first_d      = core_d;
      end
      @(negedge clk);
      checked = checked + 1;
      if (judged_valid !== second_valid || (second_valid && judged_d !== second_d)) begin
        $display("FAIL registered_bench cycle=%0d", cycle);
        $finish;
      end
      if (twin_valid !== second_valid) twin_differed = 1;
    end
    if (!twin_differed) $display("FAIL registered_bench the twin was not noticed");
    else $display("PASS registered_bench checked=%0d faults_caught=%0d", checked, twin_differed);
    $finish;
  end

endmodule
