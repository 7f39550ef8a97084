// SPDX-License-Identifier: MIT OR Apache-2.0
// a + b and a + b + 1, both modulo 2^Width, from one prefix network (Sklansky, 1960): log2(Width) levels.
//
// At level l, generate[i] tells that the block of 2^l places which ends at place i, or what of it there is, makes a carry by
// itself, and propagate[i] that it makes one where one comes in.
//
//     Width = 8     level 1 joins     7 6 | 5 4 | 3 2 | 1 0       each odd place with the one below
//                   level 2           7 6   5 . | 3 2   1 .       places 2 and 3 of every four with 1
//                   level 3           7 6 5 4   3 . . .           places 4 to 7 of every eight with 3
//
// Where carry chains are at hand, plain additions are smaller.

module tensorsmith_compound_add #(
    parameter int Width = 28  // every number, at least 2
) (
    input  logic [Width-1:0] a_i,
    input  logic [Width-1:0] b_i,
    output logic [Width-1:0] sum_o,  // a + b
    output logic [Width-1:0] next_o  // a + b + 1
);

  localparam int Levels = $clog2(Width);

  for (genvar level = 0; level <= Levels; level++) begin : gen_level
    logic [Width-1:0] generates;
    logic [Width-1:0] propagates;

    if (level == 0) begin : gen_places
      assign generates  = a_i & b_i;
      assign propagates = a_i | b_i;
    end else begin : gen_join
      // Places of a block of the level below.
      localparam int Half = 1 << (level - 1);

      for (genvar i = 0; i < Width; i++) begin : gen_place
        if ((i / Half) % 2 == 1) begin : gen_upper
          // The last place of the block below.
          localparam int Below = (i / Half) * Half - 1;

          assign generates[i]  = gen_level[level-1].generates[i]
                               | (gen_level[level-1].propagates[i] & gen_level[level-1].generates[Below]);
          assign propagates[i] = gen_level[level-1].propagates[i] & gen_level[level-1].propagates[Below];
        end else begin : gen_lower
          assign generates[i]  = gen_level[level-1].generates[i];
          assign propagates[i] = gen_level[level-1].propagates[i];
        end
      end
    end
  end

  logic [Width-1:0] carries;       // out of the places, none comes in
  logic [Width-1:0] next_carries;  // one comes in

  assign carries      = gen_level[Levels].generates;
  assign next_carries = gen_level[Levels].generates | gen_level[Levels].propagates;
  assign sum_o        = a_i ^ b_i ^ (carries << 1);
  assign next_o       = a_i ^ b_i ^ ((next_carries << 1) | Width'(1));

endmodule
