// Runs vectors from a file through a design of a user's own, in the module that is emitted around it, in Icarus Verilog.
//
// Compiled with A_BITS, B_BITS, C_BITS and D_BITS (port widths) defined, and the same numbers that the harness of Verilator's
// models has: CLOCKED, LATENCY, INTERVAL, HOLDS, ENABLED, WAITS, RESETS, RESET_CYCLES, PATIENCE; C_BITS, FLAGS_BITS, SCALE_A_BITS
// and SCALE_B_BITS only where there are such ports. Run with +vectors=FILE, +results=FILE and +seed=NUMBER. Each line of vectors holds a, b,
// the scales and c in hexadecimal, each line of results holds d with the flags above it. Gaps, stops and waits come in phases, as in
// phases.h; a vector may come again at once, and then a line is written only where its result is another: "again", how many lines were
// before, the first result and this one. A reset in mid-run comes when nothing is inside. A design that does not answer leaves lines
// out. It never judges.

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
  integer fed, answered, given, step, idle, rest, left, seed, i;
  logic   has_next, offer, offered, due, repeats, full, begins, still;
  // The steps in which vectors were taken whose results are to come, and whether they came again.
  integer taken_in [0:8191];
  logic   again_in [0:8191];
  logic   again;
  // Gaps, stops and waits: the kind of each in this phase, clocks until the next one, and clocks that this one still lasts.
  integer kinds [0:2], open [0:2], closed [0:2];
  logic   shut;
`ifdef FLAGS_BITS
  logic [`FLAGS_BITS+`D_BITS-1:0] result, last;
`else
  logic [`D_BITS-1:0] result, last;
`endif
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

  task read_result;
`ifdef FLAGS_BITS
    result = {flags, d};
`else
    result = d;
`endif
  endtask

  task write_result;
    begin
      read_result;
      if (fed == answered || !again_in[answered % 8192]) begin
        $fdisplay(results, "%h", result);
        // Whoever waits sees that the simulation goes on.
        $fflush(results);
        last  = result;
        given = given + 1;
      end else if (result !== last) begin
        $fdisplay(results, "again %0d %h %h", given - 1, last, result);
      end
    end
  endtask

  // One of so many numbers from 0.
  function integer drawn(input integer count);
    drawn = $unsigned($random(seed)) % count;
  endfunction

  // Whether nothing passes on that side in this clock: 0 gaps, 1 stops, 2 waits. Kinds: 0 none, 1 sparse, 2 every other clock,
  // 3 short, 4 long.
  task shuts(input integer side);
    begin
      shut = 1'b0;
      if (open[side] > 0) open[side] = open[side] - 1;
      else if (closed[side] > 0 || kinds[side] != 0) begin
        if (closed[side] == 0) begin
          case (kinds[side])
            1:       closed[side] = 1;
            2:       closed[side] = 1;
            3:       closed[side] = 1 + drawn(8);
            default: closed[side] = drawn(8) == 0 ? 73 + drawn(328) : 9 + drawn(64);
          endcase
        end
        closed[side] = closed[side] - 1;
        if (closed[side] == 0) open[side] = kinds[side] == 2 ? 1 : 1 + drawn(kinds[side] == 1 ? 30 : 16);
        shut = 1'b1;
      end
    end
  endtask

  // Another phase.
  task next_phase;
    begin
      full = drawn(4) == 0;
      for (i = 0; i < 3; i = i + 1) begin
        kinds[i] = full ? 0 : drawn(5);
        open[i]  = 0;
        if (full) closed[i] = 0;
      end
      repeats = drawn(4) == 0;
      left    = full ? 256 + drawn(1024) : 64 + drawn(256);
      begins  = 1'b1;
    end
  endtask

  task reset_design;
    begin
      valid = 1'b0;
      ready = 1'b0;
      ce    = 1'b1;
      clk   = 1'b0;
      rst   = 1'b1;
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
  endtask

  // One clock: inputs change while it is low, outputs are read before it rises.
  task clock;
    begin
      shut = 1'b0;
      if (`ENABLED) shuts(1);
      ce    = !shut;
      still = `HOLDS && fed > answered;
      shut  = 1'b0;
      offer = (has_next || again) && rest == 0 && !still;
      if (offer && !offered) shuts(0);
      offer = offer && !shut;
      if (offer && ce) put_next;
      else if (!still) put_other;
      valid = offer;
      shut  = 1'b0;
      if (`WAITS) shuts(2);
      ready = !shut;
      clk   = 1'b0;
      #1;
      if (ce) begin
        if (rest > 0) rest = rest - 1;
        if (ready && (offer || fed > answered)) idle = idle + 1;
        offered = offer;
        if (offer && taken === 1'b1) begin
          taken_in[fed % 8192] = step;
          again_in[fed % 8192] = again;
          fed     = fed + 1;
          offered = 1'b0;
          rest    = `INTERVAL - 1;
          idle    = 0;
          // The vector that was taken stands there until the next one is read.
          again   = repeats && !again && drawn(8) == 0;
          if (!again) read_next;
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
      left = left - 1;
      if (left <= 0) next_phase;
      if (begins && fed == answered && !offered) begin
        begins = 1'b0;
        if (`RESETS && drawn(2) == 0) begin
          reset_design;
          rest = 0;
        end
      end
    end
  endtask

  initial begin
    if (!$value$plusargs("vectors=%s", vectors_name) || !$value$plusargs("results=%s", results_name)) begin
      $display("tensorsmith_design_bench: +vectors and +results are needed");
      $finish;
    end
    vectors  = $fopen(vectors_name, "r");
    results  = $fopen(results_name, "w");
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    fed      = 0;
    answered = 0;
    given    = 0;
    step     = 0;
    idle     = 0;
    rest     = 0;
    offered  = 1'b0;
    again    = 1'b0;
    for (i = 0; i < 3; i = i + 1) closed[i] = 0;
    next_phase;
    begins = 1'b0;
    read_next;
    put_next;
    if (`CLOCKED) begin
      if (`RESETS) reset_design;
      while ((has_next || again || fed > answered) && idle <= `PATIENCE) clock;
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
