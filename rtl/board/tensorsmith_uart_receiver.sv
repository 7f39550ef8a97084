// SPDX-License-Identifier: MIT OR Apache-2.0
// Bytes from a serial line: a start bit (0), eight data bits from the lowest up, a stop bit (1).
//
// Bits are counted by a phase that advances by a fraction of a bit each clock, so that the line's rate need not divide the clock's.
// A byte whose stop bit is 0 is dropped, and so is one that does not begin with half a bit of 0.

module tensorsmith_uart_receiver #(
    parameter int ClockHz = 48_000_000,  // of clk_i
    parameter int Baud    = 3_000_000,   // bits a second, at most a quarter of the clock rate

    localparam int PhaseWidth = 32,  // the rate is off by less than the clock rate over two to this power
    localparam logic [63:0] StepScaled = (64'(Baud) << PhaseWidth) + 64'(ClockHz) / 2,
    localparam logic [63:0] StepWhole  = StepScaled / 64'(ClockHz),
    localparam logic [PhaseWidth-1:0] Step = StepWhole[PhaseWidth-1:0],  // of the phase each clock
    localparam logic [PhaseWidth-1:0] Half = {1'b1, {(PhaseWidth - 1) {1'b0}}}
) (
    input  logic       clk_i,
    input  logic       rst_ni,   // synchronous
    input  logic       rx_i,     // the line, from another clock
    output logic [7:0] data_o,
    output logic       valid_o   // for one clock
);

  logic [PhaseWidth:0] phase;      // the carry says that a bit's middle is here
  logic [PhaseWidth-1:0] phase_q;
  logic [2:0] line_q;              // two registers for another clock, one for edges
  logic [3:0] left_q;              // bits of the byte that are still to come, with start and stop bit
  logic [7:0] data_q;

  assign phase   = {1'b0, phase_q} + {1'b0, Step};
  assign data_o  = data_q;

  always_ff @(posedge clk_i) begin
    line_q  <= {line_q[1:0], rx_i};
    valid_o <= 1'b0;
    if (!rst_ni) begin
      line_q <= '1;
      left_q <= '0;
    end else if (left_q == 0) begin
      // The edge of a start bit; its middle is half a bit away.
      phase_q <= Half;
      if (line_q[2:1] == 2'b10) left_q <= 4'd10;
    end else begin
      phase_q <= phase[PhaseWidth-1:0];
      if (phase[PhaseWidth]) begin
        left_q <= left_q - 1'b1;
        if (left_q == 4'd10 && line_q[1]) left_q <= '0;
        if (left_q == 4'd1) valid_o <= line_q[1];
        else data_q <= {line_q[1], data_q[7:1]};
      end
    end
  end

endmodule
