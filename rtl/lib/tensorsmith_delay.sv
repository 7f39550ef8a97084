// SPDX-License-Identifier: MIT OR Apache-2.0
// A value some clock edges later, counting only those at which ce_i is 1: registers without reset, none at all for Latency 0.

module tensorsmith_delay #(
    parameter int Width   = 1,  // value, at least 1
    parameter int Latency = 1   // registers that it passes, 0 or more
) (
    input  logic             clk_i,   // rising edge
    input  logic             ce_i,    // 1: registers take their values
    input  logic [Width-1:0] value_i, // value
    output logic [Width-1:0] value_o  // value Latency enabled edges later
);

  if (Latency == 0) begin : gen_wire
    logic unused_clock;

    assign unused_clock = clk_i ^ ce_i;
    assign value_o      = value_i;
  end else begin : gen_registers
    logic [Latency*Width-1:0] held_q;  // the youngest value in the lowest bits

    always_ff @(posedge clk_i) begin
      if (ce_i) held_q <= (Latency*Width)'({held_q, value_i});
    end

    assign value_o = held_q[(Latency-1)*Width +: Width];
  end

endmodule
