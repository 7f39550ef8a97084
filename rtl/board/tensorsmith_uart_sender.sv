// SPDX-License-Identifier: MIT OR Apache-2.0
// Bytes to a serial line: a start bit (0), eight data bits from the lowest up, a stop bit (1).
//
// Bits are counted by a phase that advances by a fraction of a bit each clock, so that the line's rate need not divide the clock's.

module tensorsmith_uart_sender #(
    parameter int ClockHz = 48_000_000,  // of clk_i
    parameter int Baud    = 3_000_000,   // bits a second, at most a quarter of the clock rate

    localparam int PhaseWidth = 32,  // the rate is off by less than the clock rate over two to this power
    localparam logic [63:0] StepScaled = (64'(Baud) << PhaseWidth) + 64'(ClockHz) / 2,
    localparam logic [63:0] StepWhole  = StepScaled / 64'(ClockHz),
    localparam logic [PhaseWidth-1:0] Step = StepWhole[PhaseWidth-1:0]  // of the phase each clock
) (
    input  logic       clk_i,
    input  logic       rst_ni,   // synchronous
    input  logic [7:0] data_i,
    input  logic       valid_i,
    output logic       ready_o,
    output logic       tx_o      // the line
);

  logic [PhaseWidth:0] phase;  // the carry says that a bit ends
  logic [PhaseWidth-1:0] phase_q;
  logic [9:0] bits_q;          // the lowest is on the line
  logic [3:0] left_q;          // bits that are not over

  assign phase   = {1'b0, phase_q} + {1'b0, Step};
  assign ready_o = left_q == 0;
  assign tx_o    = bits_q[0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      bits_q <= '1;
      left_q <= '0;
    end else if (ready_o) begin
      phase_q <= '0;
      if (valid_i) begin
        bits_q <= {1'b1, data_i, 1'b0};
        left_q <= 4'd10;
      end
    end else begin
      phase_q <= phase[PhaseWidth-1:0];
      if (phase[PhaseWidth]) begin
        bits_q <= {1'b1, bits_q[9:1]};
        left_q <= left_q - 1'b1;
      end
    end
  end

endmodule
