// Test of tensorsmith_stream: numbered transfers through a delay that it enables, with random valid and ready; none is lost, none
// comes twice, the order stays, and with both sides always ready there is one a clock.
//
// Each checker drives a twin whose enable does not look at ready: it has to fail, and +fault puts it in the place of the module
// under test.

module tensorsmith_stream_test;
  localparam Leaf = "tensorsmith_stream";
  `include "leaf_test.svh"

  // Latency, ready in sixteenths of the clocks, valid likewise.
  stream_checker #(1, 16, 16) u_full ();
  stream_checker #(1,  8,  8) u_one ();
  stream_checker #(4,  2, 16) u_slow_taker ();
  stream_checker #(7, 16,  3) u_slow_giver ();
  stream_checker #(9,  9, 12) u_nine ();
endmodule

module stream_checker #(
    parameter int Latency = 1,
    parameter int Ready   = 16,
    parameter int Valid   = 16
);
  localparam int Transfers = 300;

  logic        clk = 1'b0;
  logic        reset_n;
  logic        given_valid, taken_ready;

  // Of the module and of its twin: registers behind the flow control, and how many results were wrong.
  logic [1:0]  ready, valid, last, ce;
  logic [31:0] user, result, sent;  // of 16 bits each
  int          got[0:1], wrong[0:1];

  for (genvar k = 0; k < 2; k++) begin : gen_twin
    logic taken;  // the twin sees no stall

    assign taken = k == 1 ? 1'b1 : taken_ready;

    tensorsmith_stream #(.Latency(Latency), .UserWidth(16)) u_stream (
        .aclk_i(clk), .aresetn_i(reset_n), .s_tvalid_i(given_valid), .s_tready_o(ready[k]),
        .s_tlast_i(sent[k*16 +: 4] == 4'hf), .s_tuser_i(sent[k*16 +: 16]), .m_tvalid_o(valid[k]),
        .m_tready_i(taken), .m_tlast_o(last[k]), .m_tuser_o(user[k*16 +: 16]), .ce_o(ce[k])
    );

    tensorsmith_delay #(.Width(16), .Latency(Latency))
        u_unit (.clk_i(clk), .ce_i(ce[k]), .value_i(sent[k*16 +: 16] ^ 16'h5a5a), .value_o(result[k*16 +: 16]));
  end

  bit         fault, twin_differed;
  int         cycle, n;
  logic [1:0] took;

  initial begin
    tensorsmith_stream_test.started = tensorsmith_stream_test.started + 1;
    fault       = $test$plusargs("fault");
    reset_n     = 1'b0;
    given_valid = 1'b0;
    taken_ready = 1'b0;
    sent        = '0;
    for (n = 0; n < 2; n = n + 1) begin
      got[n]   = 0;
      wrong[n] = 0;
    end
    #1 clk = 1'b1;
    #1 clk = 1'b0;
    reset_n = 1'b1;
    for (cycle = 0; cycle < 64 * Transfers && got[0] < Transfers; cycle = cycle + 1) begin
      given_valid = $urandom_range(15) < Valid;
      taken_ready = $urandom_range(15) < Ready;
      #1;
      for (n = 0; n < 2; n = n + 1) begin
        if (valid[n] && taken_ready) begin
          if (result[n*16 +: 16] !== (16'(got[n]) ^ 16'h5a5a) || user[n*16 +: 16] !== 16'(got[n]) || last[n] !== (got[n][3:0] == 4'hf))
            wrong[n] = wrong[n] + 1;
          got[n] = got[n] + 1;
        end
      end
      took = ready & {2{given_valid}};
      clk  = 1'b1;
      #1;
      for (n = 0; n < 2; n = n + 1) sent[n*16 +: 16] = sent[n*16 +: 16] + 16'(took[n]);
      clk = 1'b0;
      #1;
    end
    // The twin loses what was not taken, except where everything is.
    twin_differed = wrong[1] > 0 || Ready == 16;
    if (wrong[fault ? 1 : 0] > 0 || (fault && Ready == 16))
      tensorsmith_stream_test.fail($sformatf("%m wrong=%0d of %0d", wrong[fault ? 1 : 0], got[fault ? 1 : 0]));
    if (got[0] != Transfers) tensorsmith_stream_test.fail($sformatf("%m only %0d of %0d came", got[0], Transfers));
    if (Ready == 16 && Valid == 16 && cycle != Transfers + Latency)
      tensorsmith_stream_test.fail($sformatf("%m %0d clocks for %0d results", cycle, Transfers));
    tensorsmith_stream_test.finish(got[0], twin_differed);
  end
endmodule
