// Runs vectors from a file through one unit in Icarus Verilog: the independent second simulator.
//
// Compiled with UNIT (module), A_BITS, B_BITS, C_BITS and D_BITS (port widths) defined; run with +vectors=FILE and
// +results=FILE. Each line of vectors holds a, b and c in hexadecimal, each line of results holds d. For a unit with
// scales SCALE_A_BITS and SCALE_B_BITS are defined too, and the scales stand between b and c. For a unit without addend
// C_BITS is not defined, and c is read and left out; for one with flags FLAGS_BITS is defined, and they stand above d in the results.
// It never judges.

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

  `UNIT u_unit (
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
`ifdef SCALE_A_BITS
    while ($fscanf(vectors, "%h %h %h %h %h", a, b, scale_a, scale_b, c) == 5) begin
`else
    while ($fscanf(vectors, "%h %h %h", a, b, c) == 3) begin
`endif
`ifdef FLAGS_BITS
      #1 $fdisplay(results, "%h", {flags, d});
`else
      #1 $fdisplay(results, "%h", d);
`endif
    end
    $fclose(results);
    $finish;
  end

endmodule
