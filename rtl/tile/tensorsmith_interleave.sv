// SPDX-License-Identifier: MIT OR Apache-2.0
// Whole packets become steps: the words of some packets are kept, and their steps go out interleaved, the first of all, then the
// second of all, and so on, each packet in a slot of its own.
//
//     words in   0 | 1 | 2 | ..
//     steps out  0 of 0 | 0 of 1 | 0 of 2 | 1 of 0 | 1 of 1 | 1 of 2 | ..
//
// A round of first steps takes the words that are there as long as one is, as many as there are slots at most. A slot is free again
// behind its last step, so that words come in while last steps go out. Last steps go out in the order in which words came in.

module tensorsmith_interleave #(
    parameter int Width    = 160,  // of a word
    parameter int Steps    = 2,    // of a packet, at least 1
    parameter int SlotBits = 1,    // of a slot's number, at least 1: there are 2^SlotBits slots

    localparam int StepBits = Steps > 1 ? $clog2(Steps) : 1
) (
    input  logic                aclk_i,      // rising edge
    input  logic                aresetn_i,   // synchronous reset, active low: no word is there
    input  logic [Width-1:0]    s_tdata_i,   // the operands of all steps of a packet
    input  logic                s_tvalid_i,  // there is a word
    output logic                s_tready_o,  // it is taken
    output logic [Width-1:0]    m_tdata_o,   // the word whose step goes out
    output logic [StepBits-1:0] m_step_o,    // the number of the step
    output logic                m_tvalid_o,  // there is a step
    input  logic                m_tready_i,  // it is taken
    output logic                m_tlast_o,   // it is the last one of its packet
    output logic [SlotBits-1:0] m_tid_o      // the slot of the packet
);

  localparam int Slots      = 1 << SlotBits;
  localparam int CountWidth = SlotBits + 1;  // of numbers of words: of slots, and one bit more

  logic [Width-1:0]      words_q [Slots];
  logic [CountWidth-1:0] tail_q;   // the number of the next word
  logic [CountWidth-1:0] head_q;   // of the first one whose last step has not gone
  logic [CountWidth-1:0] place_q;  // of the one whose step goes
  logic [CountWidth-1:0] end_q;    // behind the last one of the round, from second steps on
  logic [StepBits-1:0]   step_q;

  logic                  first;  // steps of the round are first ones
  logic                  last;   // they are last ones
  logic                  taken;
  logic [CountWidth-1:0] following;

  assign first      = step_q == '0;
  assign last       = step_q == StepBits'(Steps - 1);
  assign following  = place_q + 1'b1;
  assign s_tready_o = CountWidth'(tail_q - head_q) != CountWidth'(Slots);
  assign m_tvalid_o = !first || place_q != tail_q;
  assign m_tdata_o  = words_q[place_q[SlotBits-1:0]];
  assign m_step_o   = step_q;
  assign m_tlast_o  = last;
  assign m_tid_o    = place_q[SlotBits-1:0];
  assign taken      = m_tvalid_o && m_tready_i;

  always_ff @(posedge aclk_i) begin
    if (s_tvalid_i && s_tready_o) words_q[tail_q[SlotBits-1:0]] <= s_tdata_i;
  end

  always_ff @(posedge aclk_i) begin
    if (!aresetn_i) begin
      tail_q  <= '0;
      head_q  <= '0;
      place_q <= '0;
      step_q  <= '0;
    end else begin
      if (s_tvalid_i && s_tready_o) tail_q <= tail_q + 1'b1;
      if (taken) begin
        place_q <= following;
        if (last) head_q <= following;
      end
    end

    if (aresetn_i && Steps > 1) begin
      if (first) begin
        // The round ends with the last slot, or where no word is left.
        end_q <= taken ? following : place_q;
        if (taken ? CountWidth'(following - head_q) == CountWidth'(Slots) : !m_tvalid_o && place_q != head_q) begin
          place_q <= head_q;
          step_q  <= step_q + 1'b1;
        end
      end else if (taken && following == end_q) begin
        if (!last) place_q <= head_q;
        step_q <= last ? '0 : step_q + 1'b1;
      end
    end
  end

endmodule
