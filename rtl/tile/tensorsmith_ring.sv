// SPDX-License-Identifier: MIT OR Apache-2.0
// Sums that grow step by step in a grid of pipelined units: which step is taken, what it is added to, and which sums are done.
//
// A slot holds the sums of one tile of D. Its steps come as the transfers of one packet: s_tid_i names the slot, and s_tlast_i ends
// the packet. The first step starts from other numbers than the slot's sums (first_o). Steps of other slots go between two
// steps of one, which takes Latency + 1 clocks from one to the next:
//
//     step       0 of slot 0 | 0 of slot 1 | .. | 1 of slot 0 | 1 of slot 1 | ..
//     sums       .           | .           | .. | 0 of slot 0 | 0 of slot 1 | ..    written behind the last register
//
// A step that comes sooner waits. With Latency + 1 slots that take turns none does, and every clock has a step. Sums that are
// done leave in the order in which their last steps came, and everything stands still until they are taken.

module tensorsmith_ring #(
    parameter int Latency   = 1,  // of the units: clock edges from a step to its sums
    parameter int SlotBits  = 1,  // of a slot's number, at least 1: there are 2^SlotBits slots
    parameter int SumsWidth = 32  // the sums of a slot
) (
    input  logic                 aclk_i,      // rising edge
    input  logic                 aresetn_i,   // synchronous reset, active low: no step is under way, every slot is empty
    input  logic                 s_tvalid_i,  // there is a step
    output logic                 s_tready_o,  // it is taken
    input  logic                 s_tlast_i,   // it is the last one of its sums
    input  logic [SlotBits-1:0]  s_tid_i,     // its slot
    output logic                 first_o,     // it is the first one of its sums
    output logic [SumsWidth-1:0] sums_o,      // the sums of the steps before, else
    output logic                 ce_o,        // the units' registers advance
    input  logic [SumsWidth-1:0] sums_i,      // the sums of the units
    output logic                 m_tvalid_o,  // these are done
    input  logic                 m_tready_i,  // they are taken
    output logic [SlotBits-1:0]  m_tid_o      // their slot
);

  localparam int Slots = 1 << SlotBits;

  logic [Slots-1:0]     open_q;          // slots whose last step has not come
  logic [Slots-1:0]     waiting_q;       // slots with a step under way that is not the last
  logic [SumsWidth-1:0] sums_q [Slots];

  logic waits;  // the step's slot has one under way
  logic ready;
  logic taken;
  logic valid;  // sums come out of the units
  logic last;   // they are done
  logic kept;

  assign waits      = waiting_q[s_tid_i];
  assign s_tready_o = ready && !waits;
  assign taken      = s_tvalid_i && s_tready_o;
  assign first_o    = !open_q[s_tid_i];
  assign sums_o     = sums_q[s_tid_i];
  assign m_tvalid_o = valid && last;
  assign kept       = valid && !last && ce_o;

  tensorsmith_stream #(
      .Latency  (Latency),
      .UserWidth(SlotBits)
  ) u_stream (
      .aclk_i(aclk_i), .aresetn_i(aresetn_i),
      .s_tvalid_i(s_tvalid_i && !waits), .s_tready_o(ready), .s_tlast_i(s_tlast_i), .s_tuser_i(s_tid_i),
      .m_tvalid_o(valid), .m_tready_i(m_tready_i || !last), .m_tlast_o(last), .m_tuser_o(m_tid_o),
      .ce_o(ce_o)
  );

  always_ff @(posedge aclk_i) begin
    if (!aresetn_i) begin
      open_q    <= '0;
      waiting_q <= '0;
    end else begin
      if (taken) begin
        open_q[s_tid_i]    <= !s_tlast_i;
        waiting_q[s_tid_i] <= !s_tlast_i;
      end
      // Without registers in the units this is the step that is taken.
      if (kept) waiting_q[m_tid_o] <= 1'b0;
    end
  end

  always_ff @(posedge aclk_i) begin
    if (kept) sums_q[m_tid_o] <= sums_i;
  end

endmodule
