// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit tiny-grouped with registers.
//
// This module puts registers in front of and behind the core tiny_grouped: a result appears two cycles of enable_i after its
// operands. enable_i = 0 holds every register; valid_o follows valid_i through the same two stages.
//
// Emitted; regenerate with: tensorsmith emit tiny-grouped --out DIR

module tiny_grouped_registered #(
    // Of the ports, as in the core.
    localparam int Products      = 2,  // L: products
    localparam int OperandAWidth = 4,  // encoded a, e2m1
    localparam int OperandBWidth = 4,  // encoded b, e2m1
    localparam int Scales        = 1,  // scales of a, and as many of b
    localparam int ScaleAWidth   = 2,  // encoded scale of a, ue2m0
    localparam int ScaleBWidth   = 2,  // encoded scale of b, ue1m1
    localparam int AddendWidth   = 4,  // encoded c, e2m1
    localparam int ResultWidth   = 5   // encoded d, e3m1
) (
    input  logic                              clk_i,     // rising edge
    input  logic                              rst_ni,    // asynchronous reset, active low: clears valid_o
    input  logic                              enable_i,  // 1: registers advance
    input  logic                              valid_i,   // a_i, b_i, scale_a_i, scale_b_i and c_i hold operands
    input  logic [Products*OperandAWidth-1:0] a_i,       // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,       // b, element 0 in the lowest bits
    input  logic [Scales*ScaleAWidth-1:0]     scale_a_i, // scales of a, block 0 in the lowest bits
    input  logic [Scales*ScaleBWidth-1:0]     scale_b_i, // scales of b, block 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,       // c
    output logic                              valid_o,   // d_o holds a result
    output logic [ResultWidth-1:0]            d_o        // d
);

  logic                              operands_valid_q, result_valid_q;
  logic [Products*OperandAWidth-1:0] a_q;
  logic [Products*OperandBWidth-1:0] b_q;
  logic [Scales*ScaleAWidth-1:0]     scale_a_q;
  logic [Scales*ScaleBWidth-1:0]     scale_b_q;
  logic [AddendWidth-1:0]            c_q;
  logic [ResultWidth-1:0]            result_d, result_q;

  tiny_grouped u_core (
      .a_i(a_q), .b_i(b_q), .scale_a_i(scale_a_q), .scale_b_i(scale_b_q), .c_i(c_q), .d_o(result_d)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {operands_valid_q, a_q, b_q, scale_a_q, scale_b_q, c_q} <= '0;
      {result_valid_q, result_q} <= '0;
    end else if (enable_i) begin
      operands_valid_q <= valid_i;
      a_q              <= a_i;
      b_q              <= b_i;
      scale_a_q        <= scale_a_i;
      scale_b_q        <= scale_b_i;
      c_q              <= c_i;
      result_valid_q   <= operands_valid_q;
      result_q         <= result_d;
    end
  end

  assign valid_o = result_valid_q;
  assign d_o     = result_q;

endmodule
