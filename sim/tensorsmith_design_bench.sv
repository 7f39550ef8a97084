// Runs vectors from a file through a design of a user's own, in the module that is emitted around it, in Icarus Verilog.
//
// Compiled with A_BITS, B_BITS, C_BITS and D_BITS (port widths) defined, and the same numbers that the harness of Verilator's
// models has: CLOCKED, LATENCY, INTERVAL, HOLDS, ENABLED, WAITS, RESETS, RESET_CYCLES, PATIENCE; C_BITS, FLAGS_BITS, SCALE_A_BITS
// and SCALE_B_BITS only where there are such ports. Run with +vectors=FILE and +results=FILE. Each line of vectors holds a, b, the scales and c
// in hexadecimal, each line of results holds d with the flags above it. One clock in sixteen is a gap, one in sixteen a stop. A design that does not
// answer leaves lines out. It never judges.

module tensorsmith_design_bench;

  logic clk = 1'b0;
  logic rst = 1'b0;
  logic ce = 1'b1;
  logic valid = 1'b0;
  logic ready = 1'b0;
  wire  taken, there;

  logic [`A_BITS-1:0] a, next_a;
  logic [`B_BITS-1:0] b, next_b;
  logic [63:0]        next_c;
  wire  [`D_BITS-1:0] d;
`ifdef C_BITS
  logic [`C_BITS-1:0] c;
`endif
`ifdef FLAGS_BITS
  wire [`FLAGS_BITS-1:0] flags;
`endif
`ifdef SCALE_A_BITS
  logic [`SCALE_A_BITS-1:0] scale_a, next_scale_a;
  logic [`SCALE_B_BITS-1:0] scale_b, next_scale_b;
`endif

  tensorsmith_design u_design (
      .clk_i(clk),
      .rst_i(rst),
      .ce_i(ce),
      .valid_i(valid),
      .ready_o(taken),
      .a_i(a),
      .b_i(b),
`ifdef SCALE_A_BITS
      .scale_a_i(scale_a),
      .scale_b_i(scale_b),
`endif
`ifdef C_BITS
      .c_i(c),
`endif
      .valid_o(there),
      .d_o(d),
`ifdef FLAGS_BITS
      .flags_o(flags),
`endif
      .ready_i(ready)
  );

  integer vectors, results;
  integer fed, answered, step, idle, rest, i;
  logic   has_next, offer, offered, due;
  // The steps in which vectors were taken whose results are to come.
  integer taken_in [0:8191];
  reg [1023*8:0] vectors_name, results_name;

  task read_next;
    begin
`ifdef SCALE_A_BITS
      has_next = $fscanf(vectors, "%h %h %h %h %h", next_a, next_b, next_scale_a, next_scale_b, next_c) == 5;
`else
      has_next = $fscanf(vectors, "%h %h %h", next_a, next_b, next_c) == 3;
`endif
    end
  endtask

  task put_next;
    begin
      a = next_a;
      b = next_b;
`ifdef C_BITS
      c = next_c[`C_BITS-1:0];
`endif
`ifdef SCALE_A_BITS
      scale_a = next_scale_a;
      scale_b = next_scale_b;
`endif
    end
  endtask

  // Other operands, in gaps and stops.
  task put_other;
    begin
      a = ~a;
      b = ~b;
    end
  endtask

  task write_result;
`ifdef FLAGS_BITS
    $fdisplay(results, "%h", {flags, d});
`else
    $fdisplay(results, "%h", d);
`endif
  endtask

  // One clock: inputs change while it is low, outputs are read before it rises.
  task clock;
    begin
      ce    = !(`ENABLED && $urandom % 16 == 0);
      offer = has_next && rest == 0 && !(`HOLDS && fed > answered) && (offered || $urandom % 16 != 0);
      if (offer && ce) put_next;
      else if (!`HOLDS || !ce) put_other;
      valid = offer;
      ready = !(`WAITS && $urandom % 16 == 0);
      clk   = 1'b0;
      #1;
      idle = idle + 1;
      if (ce) begin
        if (rest > 0) rest = rest - 1;
        offered = offer;
        if (offer && taken === 1'b1) begin
          taken_in[fed % 8192] = step;
          fed     = fed + 1;
          offered = 1'b0;
          rest    = `INTERVAL - 1;
          idle    = 0;
          read_next;
        end
        due = `LATENCY > 0 ? fed > answered && step - taken_in[answered % 8192] == `LATENCY : there === 1'b1;
        if (due && ready) begin
          write_result;
          answered = answered + 1;
          idle     = 0;
        end
        step = step + 1;
      end
      clk = 1'b1;
      #1;
    end
  endtask

  initial begin
    if (!$value$plusargs("vectors=%s", vectors_name) || !$value$plusargs("results=%s", results_name)) begin
      $display("tensorsmith_design_bench: +vectors and +results are needed");
      $finish;
    end
    vectors  = $fopen(vectors_name, "r");
    results  = $fopen(results_name, "w");
    fed      = 0;
    answered = 0;
    step     = 0;
    idle     = 0;
    rest     = 0;
    offered  = 1'b0;
    read_next;
    put_next;
    if (`CLOCKED) begin
      if (`RESETS) begin
        rst = 1'b1;
        #1;
        for (i = 0; i < `RESET_CYCLES; i = i + 1) begin
          clk = 1'b0;
          #1 clk = 1'b1;
          #1;
        end
        clk = 1'b0;
        #1 rst = 1'b0;
        #1;
      end
      while ((has_next || fed > answered) && idle <= `PATIENCE) clock;
    end else begin
      while (has_next) begin
        put_next;
        #1 write_result;
        read_next;
      end
    end
    $fclose(results);
    $finish;
  end

endmodule
