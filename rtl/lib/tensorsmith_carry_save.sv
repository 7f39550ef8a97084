// SPDX-License-Identifier: MIT OR Apache-2.0
// Adds Count numbers to two whose sum is the same, modulo 2^Width: compressors, row after row.
//
// The numbers are rows 0 to Count - 1; each compressor takes the three oldest rows not yet taken and leaves two, so that
// compressor n takes 3 n to 3 n + 2 and leaves Count + 2 n and the one after it.
//
//     Count = 5     0 1 2    3 4 .    . . .
//                    5 6      7 8      9 10     row 5 goes with 3 and 4, rows 6 to 8 together; 9 and 10 are left
//
// It never adds those two.

module tensorsmith_carry_save #(
    parameter int Count = 6,  // numbers, at least 2
    parameter int Width = 28  // each of them
) (
    input  logic [Count*Width-1:0] addends_i,  // numbers, the first in the lowest bits
    output logic [Width-1:0]       sum_o,      // two numbers with the same sum
    output logic [Width-1:0]       carry_o
);

  // Count - 2 compressors, two rows of each.
  localparam int Rows = 3 * Count - 4;

  for (genvar row = 0; row < Rows; row++) begin : gen_row
    logic [Width-1:0] value;
    logic [Width-1:0] carry;  // the row behind this one, where a compressor makes both
    logic             unused_carry;

    assign unused_carry = ^carry;

    if (row < Count) begin : gen_addend
      assign value = addends_i[row*Width +: Width];
      assign carry = '0;
    end else if ((row - Count) % 2 == 0) begin : gen_compressor
      localparam int First = 3 * ((row - Count) / 2);

      tensorsmith_compressor #(
          .Width(Width)
      ) u_compressor (
          .x_i    (gen_row[First].value),
          .y_i    (gen_row[First+1].value),
          .z_i    (gen_row[First+2].value),
          .sum_o  (value),
          .carry_o(carry)
      );
    end else begin : gen_carry
      assign value = gen_row[row-1].carry;
      assign carry = '0;
    end
  end

  assign sum_o   = gen_row[Rows-2].value;
  assign carry_o = gen_row[Rows-1].value;

endmodule
