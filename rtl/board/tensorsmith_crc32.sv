// SPDX-License-Identifier: MIT OR Apache-2.0
// The check sequence of a frame, a byte further: the 32-bit one of RFC 1662, appendix C.3, as Ethernet has it. The register starts
// with ones and is sent inverted, from the lowest byte up.

module tensorsmith_crc32 (
    input  logic [31:0] crc_i,
    input  logic [7:0]  data_i,
    output logic [31:0] crc_o
);

  localparam logic [31:0] Polynomial = 32'hedb8_8320;  // bits reversed

  logic [32*9-1:0] steps;  // the register before each bit of the byte, and behind the last

  assign steps[31:0] = crc_i ^ {24'b0, data_i};

  for (genvar bit_index = 0; bit_index < 8; bit_index++) begin : gen_bit
    assign steps[32*(bit_index+1) +: 32] = {1'b0, steps[32*bit_index+1 +: 31]} ^ (Polynomial & {32{steps[32*bit_index]}});
  end

  assign crc_o = steps[32*8 +: 32];

endmodule
