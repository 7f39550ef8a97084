// Test of tensorsmith_delay: random values and enables, against a list of what was taken.
//
// Each checker drives a twin with one register more: it has to differ at least once, and +fault puts it in the place of the module
// under test.

module tensorsmith_delay_test;
  localparam Leaf = "tensorsmith_delay";
  `include "leaf_test.svh"

  // Width, Latency.
  delay_checker #( 1, 0) u_wire ();
  delay_checker #( 1, 1) u_bit ();
  delay_checker #( 7, 1) u_one ();
  delay_checker #(33, 2) u_two ();
  delay_checker #( 3, 9) u_nine ();
endmodule

module delay_checker #(
    parameter int Width   = 1,
    parameter int Latency = 1
);
  localparam int Cycles = 500;

  logic             clk = 1'b0;
  logic             ce;
  logic [Width-1:0] value, result, twin, judged, expected;
  logic [Width-1:0] taken[0:Cycles];  // values, one an enabled edge

  tensorsmith_delay #(.Width(Width), .Latency(Latency))
      u_delay (.clk_i(clk), .ce_i(ce), .value_i(value), .value_o(result));

  tensorsmith_delay #(.Width(Width), .Latency(Latency + 1))
      u_twin (.clk_i(clk), .ce_i(ce), .value_i(value), .value_o(twin));

  bit fault, twin_differed;
  int cycle, edges, counted;

  assign judged = fault ? twin : result;

  initial begin
    tensorsmith_delay_test.started = tensorsmith_delay_test.started + 1;
    fault         = $test$plusargs("fault");
    twin_differed = 0;
    edges         = 0;
    counted       = 0;
    for (cycle = 0; cycle < Cycles; cycle = cycle + 1) begin
      ce    = $random;
      value = {$random, $random};
      #1 clk = 1'b1;
      #1;
      if (ce) begin
        taken[edges] = value;
        edges        = edges + 1;
      end
      if (edges > Latency) begin
        expected = Latency == 0 ? value : taken[edges-Latency];
        counted  = counted + 1;
        if (judged !== expected)
          tensorsmith_delay_test.fail($sformatf("%m cycle=%0d expected=%h actual=%h", cycle, expected, judged));
        if (twin !== expected) twin_differed = 1;
      end
      clk = 1'b0;
      #1;
    end
    tensorsmith_delay_test.finish(counted, twin_differed);
  end
endmodule
