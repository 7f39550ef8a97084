// SPDX-License-Identifier: MIT OR Apache-2.0
// Makes frames of content, as RFC 1662 has them (HDLC-like, octet-stuffed): a flag (7E), the content, its check sequence, a flag. In
// between 7E and 7D become 7D and the byte inverted in bit 5.

module tensorsmith_frame_sender (
    input  logic       clk_i,
    input  logic       rst_ni,   // synchronous
    input  logic [7:0] data_i,   // of the frame's content
    input  logic       last_i,   // nothing comes behind it
    input  logic       valid_i,
    output logic       ready_o,
    output logic [7:0] data_o,   // to the line
    output logic       valid_o,
    input  logic       ready_i
);

  localparam logic [7:0] Flag   = 8'h7e;
  localparam logic [7:0] Escape = 8'h7d;

  typedef enum logic [1:0] {Idle, Content, Check, Close} state_e;

  state_e state_q;
  logic [1:0] index_q;   // of a byte of the check sequence
  logic [31:0] crc_q;
  logic [31:0] crc;
  logic escaped_q;       // the escape of this byte is sent
  logic [7:0] plain;
  logic stuffs;          // the byte needs an escape, which goes first
  logic sent;            // the byte itself goes

  tensorsmith_crc32 u_crc (
      .crc_i(crc_q), .data_i(data_i), .crc_o(crc)
  );

  assign plain  = state_q == Check ? ~crc_q[7:0] : data_i;
  assign stuffs = (plain == Flag || plain == Escape) && !escaped_q;

  always_comb begin
    valid_o = state_q != Content || valid_i;
    data_o  = stuffs ? Escape : plain ^ {2'b00, escaped_q, 5'b0};
    if (state_q == Idle) begin
      valid_o = valid_i;
      data_o  = Flag;
    end
    if (state_q == Close) data_o = Flag;
  end

  assign sent    = valid_o && ready_i && !stuffs;
  assign ready_o = state_q == Content && sent;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q   <= Idle;
      escaped_q <= 1'b0;
    end else if (valid_o && ready_i) begin
      case (state_q)
        Idle: begin
          state_q <= Content;
          crc_q   <= '1;
          index_q <= '0;
        end
        Content: begin
          escaped_q <= stuffs;
          if (!stuffs) begin
            crc_q <= crc;
            if (last_i) state_q <= Check;
          end
        end
        Check: begin
          escaped_q <= stuffs;
          if (!stuffs) begin
            crc_q   <= {8'b0, crc_q[31:8]};
            index_q <= index_q + 1'b1;
            if (index_q == 2'd3) state_q <= Close;
          end
        end
        default: state_q <= Idle;
      endcase
    end
  end

endmodule
