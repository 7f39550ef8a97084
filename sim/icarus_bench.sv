// Runs vectors from a file through one unit in Icarus Verilog: the independent second simulator.
//
// Compiled with UNIT (module), A_BITS, B_BITS, C_BITS and D_BITS (port widths) defined; run with +vectors=FILE and
// +results=FILE. Each line of vectors holds a, b and c in hexadecimal, each line of results holds d. It never judges.

module icarus_bench;

  logic [`A_BITS-1:0] a;
  logic [`B_BITS-1:0] b;
  logic [`C_BITS-1:0] c;
  logic [`D_BITS-1:0] d;

  `UNIT u_unit (
      .a_i(a),
      .b_i(b),
      .c_i(c),
      .d_o(d)
  );

  integer         vectors;
  integer         results;
  reg [1023*8:0]  vectors_name;
  reg [1023*8:0]  results_name;

  initial begin
    if (!$value$plusargs("vectors=%s", vectors_name) || !$value$plusargs("results=%s", results_name)) begin
      $display("icarus_bench: +vectors and +results are needed");
      $finish;
    end
    vectors = $fopen(vectors_name, "r");
    results = $fopen(results_name, "w");
    while ($fscanf(vectors, "%h %h %h", a, b, c) == 3) begin
      #1 $fdisplay(results, "%h", d);
    end
    $fclose(results);
    $finish;
  end

endmodule
