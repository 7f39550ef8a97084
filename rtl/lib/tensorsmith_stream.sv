// SPDX-License-Identifier: MIT OR Apache-2.0
// Flow control of a pipelined unit between two streams with valid and ready (AMBA AXI4-Stream): when the registers advance,
// which of them hold a vector, and what goes with it.
//
// All registers advance together, where the last one is free or its result is taken: one result a clock while ready is 1, and
// none lost or repeated while it is 0. Latency 0 is a unit without registers.

module tensorsmith_stream #(
    parameter int Latency   = 1,  // registers of the unit between operands and result
    parameter int UserWidth = 1   // what goes along with a vector, at least 1
) (
    input  logic                 aclk_i,      // rising edge
    input  logic                 aresetn_i,   // synchronous reset, active low: no register holds a vector
    input  logic                 s_tvalid_i,  // there are operands
    output logic                 s_tready_o,  // they are taken
    input  logic                 s_tlast_i,   // they are the last of a packet
    input  logic [UserWidth-1:0] s_tuser_i,   // anything
    output logic                 m_tvalid_o,  // there is a result
    input  logic                 m_tready_i,  // it is taken
    output logic                 m_tlast_o,   // as its operands had it
    output logic [UserWidth-1:0] m_tuser_o,   // as its operands had it
    output logic                 ce_o         // the unit's registers advance
);

  assign s_tready_o = ce_o;

  tensorsmith_delay #(
      .Width  (1 + UserWidth),
      .Latency(Latency)
  ) u_beside (
      .clk_i  (aclk_i),
      .ce_i   (ce_o),
      .value_i({s_tlast_i, s_tuser_i}),
      .value_o({m_tlast_o, m_tuser_o})
  );

  if (Latency == 0) begin : gen_wire
    logic unused_reset;

    assign unused_reset = aresetn_i;
    assign m_tvalid_o   = s_tvalid_i;
    assign ce_o         = m_tready_i;
  end else begin : gen_registers
    logic [Latency-1:0] valid_q;  // the youngest in the lowest bit

    always_ff @(posedge aclk_i) begin
      if (!aresetn_i) valid_q <= '0;
      else if (ce_o) valid_q <= Latency'({valid_q, s_tvalid_i});
    end

    assign m_tvalid_o = valid_q[Latency-1];
    assign ce_o       = m_tready_i || !m_tvalid_o;
  end

endmodule
