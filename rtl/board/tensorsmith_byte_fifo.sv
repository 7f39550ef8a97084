// SPDX-License-Identifier: MIT OR Apache-2.0
// Bytes in the order in which they came. A byte that finds it full is lost: whoever sends has to know how much there is room for.

module tensorsmith_byte_fifo #(
    parameter int DepthLog2 = 11  // it holds two to this power bytes
) (
    input  logic       clk_i,
    input  logic       rst_ni,   // synchronous: empty
    input  logic [7:0] data_i,
    input  logic       valid_i,
    output logic [7:0] data_o,
    output logic       valid_o,
    input  logic       ready_i
);

  logic [7:0] memory_q[2**DepthLog2];
  logic [DepthLog2:0] written_q;  // bytes, modulo twice the depth
  logic [DepthLog2:0] read_q;
  logic [7:0] fetched_q;          // the memory gives it late in a cycle, so that it goes on in the next one
  logic fetched_valid_q;
  logic full;
  logic pass;                     // the register at the output is free or emptied
  logic fetch;                    // so is the one before

  assign full  = written_q == {~read_q[DepthLog2], read_q[DepthLog2-1:0]};
  assign pass  = !valid_o || ready_i;
  assign fetch = !fetched_valid_q || pass;

  always_ff @(posedge clk_i) begin
    if (valid_i && !full) memory_q[written_q[DepthLog2-1:0]] <= data_i;
    if (fetch) fetched_q <= memory_q[read_q[DepthLog2-1:0]];
    if (pass) data_o <= fetched_q;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      written_q       <= '0;
      read_q          <= '0;
      fetched_valid_q <= 1'b0;
      valid_o         <= 1'b0;
    end else begin
      if (valid_i && !full) written_q <= written_q + 1'b1;
      if (pass) valid_o <= fetched_valid_q;
      if (fetch) begin
        fetched_valid_q <= written_q != read_q;
        if (written_q != read_q) read_q <= read_q + 1'b1;
      end
    end
  end

endmodule
