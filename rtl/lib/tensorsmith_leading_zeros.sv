// SPDX-License-Identifier: MIT OR Apache-2.0
// Number of leading zeros of a value, Width for the value 0, in log2(Width) levels.
//
// A level looks at all windows of 2^level bits at once: bit p of its vectors tells about the window whose
// lowest bit is bit p. Two windows of the level below make one, Half = 2^(level - 1) bits apart:
//
//     window at p    | left, at p + Half | right, at p |
//
//     zeros          left is all zeros and right is all zeros
//     count          Half + count of right       where left is all zeros
//                    count of left               where it is not
//
// A right part with a one in it counts below Half, so that adding Half only sets bit level - 1; without a
// one its count does not matter. Only the windows at multiples of 2^level reach the result, and those form a
// tree: synthesis removes the others, while a simulator handles a whole level in a few word operations.
//
// It never shifts the value: its users do.

module tensorsmith_leading_zeros #(
    parameter int Width      = 28,  // value, at least 1
    parameter int CountWidth = 5    // count, without a sign, at least clog2(Width + 1)
) (
    input  logic [Width-1:0]      value_i,  // value
    output logic [CountWidth-1:0] count_o   // its leading zeros: 0 to Width
);

  // Levels, each of which gives a bit of the count; and the value's width with at least a one behind it.
  localparam int Levels      = $clog2(Width + 1);
  localparam int PaddedWidth = 1 << Levels;

  // ---------------------------------------------------------------------------------------------- zeros

  for (genvar level = 0; level < Levels; level++) begin : gen_zeros
    // Windows of this level.
    localparam int Windows = PaddedWidth - (1 << level) + 1;

    logic [Windows-1:0] zeros;
    logic               unused_windows;  // those between multiples of 2^level

    assign unused_windows = ^zeros;

    if (level == 0) begin : gen_bits
      //     padded value    | value  | 1 ... 1 |      the ones end the count, also that of the value 0
      //     zeros           | ~value | 0 ... 0 |      PaddedWidth - Width zeros
      assign zeros = PaddedWidth'(~value_i) << (PaddedWidth - Width);
    end else begin : gen_join
      // Distance of the two parts.
      localparam int Half = 1 << (level - 1);

      assign zeros = gen_zeros[level-1].zeros[Half +: Windows] & gen_zeros[level-1].zeros[0 +: Windows];
    end
  end

  // ---------------------------------------------------------------------------------------------- count

  for (genvar level = 1; level <= Levels; level++) begin : gen_count
    // Distance of the two parts, and windows of this level.
    localparam int Half    = 1 << (level - 1);
    localparam int Windows = PaddedWidth - (1 << level) + 1;

    logic [Windows-1:0] left_zeros;

    assign left_zeros = gen_zeros[level-1].zeros[Half +: Windows];

    // One bit of the counts of all windows.
    for (genvar place = 0; place < level; place++) begin : gen_place
      logic [Windows-1:0] bits;
      logic               unused_windows;

      assign unused_windows = ^bits;

      if (place == level - 1) begin : gen_half
        assign bits = left_zeros;
      end else begin : gen_choose
        assign bits = ( left_zeros & gen_count[level-1].gen_place[place].bits[0    +: Windows])
                    | (~left_zeros & gen_count[level-1].gen_place[place].bits[Half +: Windows]);
      end
    end
  end

  // ---------------------------------------------------------------------------------------------- result

  logic [Levels-1:0] count;  // of the one window of the last level

  for (genvar place = 0; place < Levels; place++) begin : gen_result
    assign count[place] = gen_count[Levels].gen_place[place].bits;
  end

  assign count_o = CountWidth'(count);

endmodule
