// Cells of Lattice's ECP5 as nextpnr packs them, beside the multiplier. Half of what Lattice calls a slice is a table of four
// inputs, which stands alone, chooses with its neighbours, or is a place of a carry chain: LUT4, PFUMX, L6MUX21 and half of CCU2C,
// as Lattice names them.

// A table of four inputs.
module trellis_table #(
    parameter [15:0] INITVAL = 16'h0000  // f, a bit for each {d, c, b, a}
) (
    input  a,
    input  b,
    input  c,
    input  d,
    output f
);

  assign f = INITVAL[{d, c, b, a}];

endmodule

// One of two tables, or of two such choices.
module trellis_choice (
    input  m,
    input  zero,  // chosen where m is 0
    input  one,
    output ofx
);

  assign ofx = m ? one : zero;

endmodule

// A place of a carry chain.
module trellis_carry #(
    parameter [15:0] INITVAL = 16'h0000,  // whether a carry goes on, a bit for each {d, c, b, a}
    parameter [0:0]  INJECT  = 1'b0       // 1: the carry that comes in is no part of the sum, and none begins here
) (
    input  a,
    input  b,
    input  c,
    input  d,
    input  fci,  // carry in
    output f,    // sum
    output fco   // carry out
);

  wire propagates;
  wire generates;

  assign propagates = INITVAL[{d, c, b, a}];
  assign generates  = ~INJECT & INITVAL[{2'b00, b, a}];

  assign f   = propagates ^ (~INJECT & fci);
  assign fco = propagates ? fci : generates;

endmodule
