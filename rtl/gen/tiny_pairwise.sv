// Unit tiny-pairwise. Small enough for all 2^24 inputs: two e2m1 products rounded to odd, their sum, then c.
//
//     d = (a[0]*b[0] + a[1]*b[1]) + c
//
//     products        2
//     formats         a e2m1, b e2m1, c e3m4, d e3m4
//     step            a product, rounded once; or a sum of two, rounded once: the two oldest values that wait, c last
//     product window  9 bits, 7 of them fraction; lower bits are sticky
//     sum window      8 bits, 7 of them fraction; lower bits are sticky
//     conversion      to odd, overflow to infinity
//     subnormals      operands flushed to +0, addend flushed to +0, result flushed, at each step
//     NaN and zero    every NaN is 0x78, exact zero sums as in IEEE 754-2019, 6.3
//     latency         0 cycles; the module named _registered: 2
//
// The sum of two, in units of 2^(anchor - F):
//
//     bit      9       8        7        6..0
//     sum   | sign | carry | integer | fraction |
//     bit 7 weighs 2^anchor, bit 0 weighs 2^(anchor - 7); lower bits of a term are ORed into bit 0
//
// Where the constants come from:
//
//     formats: [chosen] products may be subnormal, and sums may overflow
//     scheme: [chosen] two products, so that the tree has a sum, and rounding to odd at each step
//
// Emitted; regenerate with: tensorsmith emit tiny-pairwise --out DIR

module tiny_pairwise #(
    // Fixed by the unit's description: they name its numbers, and another value makes no other unit.
    parameter int Products      = 2,  // L: products, added in a tree
    parameter int OperandAWidth = 4,  // encoded a, e2m1
    parameter int OperandBWidth = 4,  // encoded b, e2m1
    parameter int AddendWidth   = 8,  // encoded c, e3m4
    parameter int ResultWidth   = 8   // encoded d, e3m4, and result of each step
) (
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,  // c
    output logic [ResultWidth-1:0]            d_o   // d
);

  // Formats; c has that of d.
  localparam int OperandASignBits     = 1;  // sign
  localparam int OperandAExponentBits = 2;  // exponent field
  localparam int OperandAFractionBits = 1;  // trailing significand
  localparam int OperandAPaddingBits  = 0;  // ignored low bits
  localparam int OperandABias         = 1;  // exponent field of 1.0
  localparam int OperandANonFinite    = 0;  // every encoding is finite
  localparam int OperandBSignBits     = 1;  // sign
  localparam int OperandBExponentBits = 2;  // exponent field
  localparam int OperandBFractionBits = 1;  // trailing significand
  localparam int OperandBPaddingBits  = 0;  // ignored low bits
  localparam int OperandBBias         = 1;  // exponent field of 1.0
  localparam int OperandBNonFinite    = 0;  // every encoding is finite
  localparam int ResultExponentBits   = 3;  // exponent field
  localparam int ResultFractionBits   = 4;  // trailing significand
  localparam int ResultPaddingBits    = 0;  // ignored low bits
  localparam int ResultBias           = 1;  // exponent field of 1.0
  localparam int ResultNonFinite      = 1;  // IEEE 754 infinities and NaN

  // Choices.
  localparam int FlushOperands            = 2;  // 2: a subnormal a or b counts as +0
  localparam int FlushAddend              = 2;  // 2: a subnormal addend counts as +0
  localparam int FlushResult              = 1;  // 1: subnormal results become zero
  localparam int ResultRounding           = 5;  // to odd
  localparam int ZeroSign                 = 0;  // exact zero sums have the signs of IEEE 754-2019, 6.3
  localparam int OverflowInfinityPositive = 1;  // 1: positive overflow gives infinity, 0: the largest number
  localparam int OverflowInfinityNegative = 1;  // the same for negative overflow

  // Encoding of every NaN result.
  localparam logic [ResultWidth-1:0] NanWord = 8'h78;

  // ---------------------------------------------------------------------------------------------- step

  localparam int Steps = 2*Products;  // products, their sums, and the last sum with c

  logic [Steps*ResultWidth-1:0] step;                  // results of the steps, the first in the lowest bits
  logic                         unused_earlier_steps;  // beside their use in later ones

  assign unused_earlier_steps = ^step;

  for (genvar i = 0; i < Steps; i++) begin : gen_step
    logic [ResultWidth-1:0] result;

    if (i < Products) begin : gen_product
      tensorsmith_multiply #(
          .OperandASignBits        (OperandASignBits),
          .OperandAExponentBits    (OperandAExponentBits),
          .OperandAFractionBits    (OperandAFractionBits),
          .OperandAPaddingBits     (OperandAPaddingBits),
          .OperandABias            (OperandABias),
          .OperandANonFinite       (OperandANonFinite),
          .OperandBSignBits        (OperandBSignBits),
          .OperandBExponentBits    (OperandBExponentBits),
          .OperandBFractionBits    (OperandBFractionBits),
          .OperandBPaddingBits     (OperandBPaddingBits),
          .OperandBBias            (OperandBBias),
          .OperandBNonFinite       (OperandBNonFinite),
          .ResultExponentBits      (ResultExponentBits),
          .ResultFractionBits      (ResultFractionBits),
          .ResultPaddingBits       (ResultPaddingBits),
          .ResultBias              (ResultBias),
          .ResultNonFinite         (ResultNonFinite),
          .FlushOperands           (FlushOperands),
          .FlushResult             (FlushResult),
          .Rounding                (ResultRounding),
          .OverflowInfinityPositive(OverflowInfinityPositive),
          .OverflowInfinityNegative(OverflowInfinityNegative),
          .NanWord                 (NanWord)
      ) u_multiply (
          .a_i(a_i[i*OperandAWidth +: OperandAWidth]),
          .b_i(b_i[i*OperandBWidth +: OperandBWidth]),
          .d_o(result)
      );
    end else begin : gen_sum
      logic [ResultWidth-1:0] left;
      logic [ResultWidth-1:0] right;

      if (i == Steps - 1) begin : gen_last
        assign left  = gen_step[i-1].result;
        assign right = c_i;
      end else begin : gen_earlier
        assign left  = gen_step[2*(i-Products)].result;
        assign right = gen_step[2*(i-Products)+1].result;
      end

      tensorsmith_add #(
          .ResultExponentBits      (ResultExponentBits),
          .ResultFractionBits      (ResultFractionBits),
          .ResultPaddingBits       (ResultPaddingBits),
          .ResultBias              (ResultBias),
          .ResultNonFinite         (ResultNonFinite),
          .FlushAddend             (FlushAddend),
          .FlushResult             (FlushResult),
          .Rounding                (ResultRounding),
          .ZeroSign                (ZeroSign),
          .OverflowInfinityPositive(OverflowInfinityPositive),
          .OverflowInfinityNegative(OverflowInfinityNegative),
          .NanWord                 (NanWord)
      ) u_add (
          .x_i(left),
          .y_i(right),
          .d_o(result)
      );
    end

    assign step[i*ResultWidth +: ResultWidth] = result;
  end

  // ---------------------------------------------------------------------------------------------- result

  assign d_o = step[(Steps-1)*ResultWidth +: ResultWidth];

endmodule
