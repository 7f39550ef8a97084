// SPDX-License-Identifier: MIT OR Apache-2.0
// Operands by chance, a vector a clock: 64-bit lanes of an xorshift generator (Marsaglia, 2003: shifts by 13, 7, 17), of which masks
// clear and set bits. With them exponents meet, numbers are subnormal, signs are alike, as whoever loads the masks wants it.
//
// State and masks come as bytes, the first one into the lowest bits of the first lane: state, bits to keep, bits to set. Where
// generate_i is 0 no bit is kept, so that a vector that was loaded as bits to set is what comes out.

module tensorsmith_generator #(
    parameter int Width = 160,  // of a vector

    localparam int Lanes      = (Width + 63) / 64,
    localparam int StateWidth = 64 * Lanes,
    localparam int MaskWidth  = 8 * ((Width + 7) / 8)
) (
    input  logic             clk_i,
    input  logic [7:0]       data_i,      // the next byte of state and masks
    input  logic             load_i,      // it is taken
    input  logic             generate_i,  // bits of the state are kept
    input  logic             step_i,      // to the next vector
    output logic [7:0]       data_o,      // the byte that is shifted out at the bottom
    output logic [Width-1:0] vector_o
);

  logic [StateWidth-1:0] state_q;
  logic [StateWidth-1:0] state;
  logic [MaskWidth-1:0] keep_q;
  logic [MaskWidth-1:0] set_q;
  logic [MaskWidth-1:0] vector;

  for (genvar lane = 0; lane < Lanes; lane++) begin : gen_lane
    logic [63:0] first;
    logic [63:0] second;
    logic [63:0] third;

    assign first  = state_q[64*lane +: 64] ^ {state_q[64*lane +: 51], 13'b0};
    assign second = first ^ {7'b0, first[63:7]};
    assign third  = second ^ {second[46:0], 17'b0};
    assign state[64*lane +: 64] = third;
  end

  assign vector   = (state_q[MaskWidth-1:0] & keep_q & {MaskWidth{generate_i}}) | set_q;
  assign vector_o = vector[Width-1:0];
  assign data_o   = state_q[7:0];

  always_ff @(posedge clk_i) begin
    if (load_i) {set_q, keep_q, state_q} <= {data_i, set_q, keep_q, state_q[StateWidth-1:8]};
    else if (step_i) state_q <= state;
  end

  if (Width % 8 != 0) begin : gen_unused
    logic unused_bits;

    assign unused_bits = ^vector[MaskWidth-1:Width];
  end

endmodule
