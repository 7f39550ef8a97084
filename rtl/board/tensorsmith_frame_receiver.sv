// SPDX-License-Identifier: MIT OR Apache-2.0
// Takes bytes of a line for frames as RFC 1662 has them (HDLC-like, octet-stuffed), and gives their content: a byte at a time, then
// whether the check sequence was right.
//
// Flags (7E) stand around a frame; in it 7D means that the next byte is to be inverted in bit 5. The last four bytes are the check
// sequence, so four bytes are held back. What has fewer than five bytes between flags is no frame: it is passed over.

module tensorsmith_frame_receiver (
    input  logic       clk_i,
    input  logic       rst_ni,   // synchronous
    input  logic [7:0] data_i,   // from the line
    input  logic       valid_i,
    output logic       ready_o,
    output logic [7:0] data_o,   // of the frame's content
    output logic       valid_o,  // there is a byte of content, or the end
    output logic       end_o,    // it is the end; data_o means nothing
    output logic       good_o,   // at the end: nothing of the frame was changed on its way
    input  logic       ready_i
);

  localparam logic [7:0]  Flag    = 8'h7e;
  localparam logic [7:0]  Escape  = 8'h7d;
  localparam logic [31:0] Residue = 32'hdebb_20e3;  // of the register behind a right check sequence
  localparam int          Held    = 4;              // bytes of the check sequence
  localparam int          Least   = Held + 1;       // bytes of a frame

  logic [8*Held-1:0] held_q;   // the youngest on top
  logic [2:0] count_q;         // bytes since the flag, up to Least
  logic [31:0] crc_q;
  logic [31:0] crc;
  logic escaped_q;             // the byte before was an escape
  logic aborted_q;             // an escape stood before a flag
  logic is_flag;
  logic is_escape;
  logic [7:0] plain;
  logic is_whole;

  assign is_flag   = data_i == Flag;
  assign is_escape = data_i == Escape;
  assign plain     = data_i ^ {2'b00, escaped_q, 5'b0};
  assign is_whole  = count_q == 3'(Least);

  tensorsmith_crc32 u_crc (
      .crc_i(crc_q), .data_i(plain), .crc_o(crc)
  );

  assign data_o  = held_q[7:0];
  assign end_o   = is_flag;
  assign good_o  = crc_q == Residue && !escaped_q && !aborted_q;
  assign valid_o = valid_i && (is_flag ? is_whole : !is_escape && count_q >= 3'(Held));
  assign ready_o = !valid_o || ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || (valid_i && ready_o && is_flag)) begin
      count_q   <= '0;
      crc_q     <= '1;
      escaped_q <= 1'b0;
      aborted_q <= 1'b0;
    end else if (valid_i && ready_o) begin
      escaped_q <= is_escape;
      if (is_escape && escaped_q) aborted_q <= 1'b1;
      if (!is_escape) begin
        held_q <= {plain, held_q[8*Held-1:8]};
        crc_q  <= crc;
        if (!is_whole) count_q <= count_q + 1'b1;
      end
    end
  end

endmodule
