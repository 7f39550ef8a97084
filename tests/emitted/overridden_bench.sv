// Runs vectors through a module of the library that stands beside it as a second top, its parameters overridden.
//
// Compiled with TOP (module), A_BITS, B_BITS and C_BITS (port widths) defined, and SCALE_A_BITS and SCALE_B_BITS where there are
// scales. Each line of vectors.txt holds a, b, the scales and c in binary; each line that is shown holds d, flags above it
// where FLAGS is defined. It never judges.

module overridden_bench;

  logic [`A_BITS-1:0] a;
  logic [`B_BITS-1:0] b;
  logic [`C_BITS-1:0] c;
`ifdef SCALE_A_BITS
  logic [`SCALE_A_BITS-1:0] scale_a;
  logic [`SCALE_B_BITS-1:0] scale_b;
`endif
  integer vectors;
  integer read;

  task next;
`ifdef SCALE_A_BITS
    read = $fscanf(vectors, "%b %b %b %b %b\n", a, b, scale_a, scale_b, c);
`else
    read = $fscanf(vectors, "%b %b %b\n", a, b, c);
`endif
  endtask

  initial begin
    force `TOP.a_i = a;
    force `TOP.b_i = b;
    force `TOP.c_i = c;
`ifdef SCALE_A_BITS
    force `TOP.scale_a_i = scale_a;
    force `TOP.scale_b_i = scale_b;
`endif
    vectors = $fopen("vectors.txt", "r");
    next;
    while (read > 2) begin
      #1;
`ifdef FLAGS
      $display("%h", {`TOP.flags_o, `TOP.d_o});
`else
      $display("%h", `TOP.d_o);
`endif
      next;
    end
    $finish;
  end

endmodule
