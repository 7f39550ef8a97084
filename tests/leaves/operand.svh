// Operands of a bench, as numbers: what an encoding says by definition. It never asks the module under test.
//
// The module that includes this has the number of its operands in Operands.

// A finite operand is (-1)^negative * significand * 2^(exponent - fraction bits).
bit [Operands-1:0] negative, nan, infinite;
logic [63:0]       significand[Operands];
int                exponent[Operands];

// Reads operand `which` from its encoding without padding and its magnitude's two fields.
task read(input int which, input bit sign, input logic [63:0] magnitude, input int exponent_bits,
          input int fraction_bits, input int bias, input int non_finite, input int flush);
  logic [63:0] field, fraction, ones;
  bit          flushed;
  field    = magnitude >> fraction_bits;
  fraction = magnitude - (field << fraction_bits);
  ones     = (64'd1 << exponent_bits) - 1;
  flushed  = flush != 0 && field == 0 && fraction != 0;
  negative[which]    = sign && !(flushed && flush == 2);
  exponent[which]    = field == 0 ? 1 - bias : int'(field) - bias;
  significand[which] = flushed ? 0 : field == 0 ? fraction : fraction + (64'd1 << fraction_bits);
  infinite[which]    = non_finite == 1 && field == ones && fraction == 0;
  nan[which]         = (non_finite == 1 && field == ones && fraction != 0)
                     || (non_finite == 2 && magnitude == (64'd1 << (exponent_bits + fraction_bits)) - 1)
                     || (non_finite == 3 && sign && magnitude == 0);
endtask
