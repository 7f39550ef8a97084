// Runs vectors from a file through one unit in Icarus Verilog: the independent second simulator.
//
// Compiled with UNIT (module), A_BITS, B_BITS, C_BITS and D_BITS (port widths) defined; run with +vectors=FILE and
// +results=FILE. Each line of vectors holds a, b and c in hexadecimal, each line of results holds d. For a unit with
// scales SCALE_A_BITS and SCALE_B_BITS are defined too, and the scales stand between b and c. For a unit without addend
// C_BITS is not defined, and c is read and left out; for one with flags FLAGS_BITS is defined, and they stand above d in the results.
// For a unit with registers LATENCY is defined: operands change before each edge of the clock, and a result is taken behind so many
// edges. For a clocked wrapper, which has valid and enable, REGISTERED is defined too. It never judges.

module tensorsmith_icarus_bench;

  logic [`A_BITS-1:0] a;
  logic [`B_BITS-1:0] b;
`ifdef C_BITS
  logic [`C_BITS-1:0] c;
`else
  logic               c;
`endif
  logic [`D_BITS-1:0] d;
`ifdef FLAGS_BITS
  logic [`FLAGS_BITS-1:0] flags;
`endif
`ifdef SCALE_A_BITS
  logic [`SCALE_A_BITS-1:0] scale_a;
  logic [`SCALE_B_BITS-1:0] scale_b;
`endif

`ifdef LATENCY
  logic   clk     = 1'b0;
  integer waiting = 0;  // vectors without a result
`ifdef REGISTERED
  logic   rst_n = 1'b0;
  logic   valid;
`else
  wire    valid = 1'b1;
`endif

  // An edge of the clock, and what stands behind the last one of a vector.
  task edge_of_clock;
    begin
      #1 clk = 1'b1;
      #1 clk = 1'b0;
      waiting = waiting + 1;
      if (waiting == `LATENCY) begin
        if (valid === 1'b1) write_result;
        else $fdisplay(results, "no valid result");
        waiting = waiting - 1;
      end
    end
  endtask
`endif

  // Writes what the unit answers.
  task write_result;
    begin
`ifdef FLAGS_BITS
      $fdisplay(results, "%h", {flags, d});
`else
      $fdisplay(results, "%h", d);
`endif
      // Whoever waits sees that the simulation goes on.
      $fflush(results);
    end
  endtask

  `UNIT u_unit (
`ifdef REGISTERED
      .clk_i(clk),
      .rst_ni(rst_n),
      .enable_i(1'b1),
      .valid_i(1'b1),
      .valid_o(valid),
`elsif LATENCY
      .clk_i(clk),
      .ce_i(1'b1),
`endif
      .a_i(a),
      .b_i(b),
`ifdef SCALE_A_BITS
      .scale_a_i(scale_a),
      .scale_b_i(scale_b),
`endif
`ifdef C_BITS
      .c_i(c),
`endif
`ifdef FLAGS_BITS
      .flags_o(flags),
`endif
      .d_o(d)
  );

  integer         vectors;
  integer         results;
  reg [1023*8:0]  vectors_name;
  reg [1023*8:0]  results_name;

  initial begin
    if (!$value$plusargs("vectors=%s", vectors_name) || !$value$plusargs("results=%s", results_name)) begin
      $display("tensorsmith_icarus_bench: +vectors and +results are needed");
      $finish;
    end
    vectors = $fopen(vectors_name, "r");
    results = $fopen(results_name, "w");
`ifdef REGISTERED
    #1 rst_n = 1'b1;
`endif
`ifdef SCALE_A_BITS
    while ($fscanf(vectors, "%h %h %h %h %h", a, b, scale_a, scale_b, c) == 5) begin
`else
    while ($fscanf(vectors, "%h %h %h", a, b, c) == 3) begin
`endif
`ifdef LATENCY
      edge_of_clock;
`else
      #1 write_result;
`endif
    end
`ifdef LATENCY
    repeat (`LATENCY - 1) edge_of_clock;
`endif
    $fclose(results);
    $finish;
  end

endmodule
