// Unit tiny-even-odd. Small enough for all 2^24 inputs: an even and an odd product, each the first of its chain, their sum, then c.
//
//     d = (fma(a[0], b[0], +0) + fma(a[1], b[1], +0)) + c
//
//     products      2
//     formats       a e2m1, b e2m1, c e3m4, d e3m4
//     step          fma(a, b, addend), rounded once; even and odd products in two chains from +0, then their sum, then c
//     window        11 bits, 9 of them fraction; lower bits are sticky
//     sum window    8 bits, 7 of them fraction; lower bits are sticky
//     conversion    to nearest, ties to even, overflow to what IEEE 754 says
//     subnormals    operands kept, addend flushed, result flushed, at each step
//     NaN and zero  every NaN is 0x78, exact zero sums as in IEEE 754-2019, 6.3
//     latency       0 cycles; the module named _registered: 2
//
// The sum of a step, in units of 2^(anchor - F):
//
//     bit      12     11      10..9      8..0
//     sum   | sign | carry | integer | fraction |
//     bit 9 weighs 2^anchor, bit 0 weighs 2^(anchor - 9); lower bits of a term are ORed into bit 0
//
// Where the constants come from:
//
//     formats: [chosen] products may be subnormal, and may overflow
//     scheme: [chosen] one product a chain, so that all inputs can be enumerated
//
// Emitted; regenerate with: tensorsmith emit tiny-even-odd --out DIR

module tiny_even_odd #(
    // Fixed by the unit's description: they name its numbers, and another value makes no other unit.
    parameter int Products      = 2,  // L: products, half of them in each chain
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
  localparam int FlushOperands            = 0;  // 1: subnormal a and b count as zero
  localparam int FlushAddend              = 1;  // 1: a subnormal addend counts as zero
  localparam int FlushResult              = 1;  // 1: subnormal results become zero
  localparam int ResultRounding           = 1;  // to nearest, ties to even
  localparam int ZeroSign                 = 0;  // exact zero sums have the signs of IEEE 754-2019, 6.3
  localparam int OverflowInfinityPositive = 1;  // 1: positive overflow gives infinity, 0: the largest number
  localparam int OverflowInfinityNegative = 1;  // the same for negative overflow

  // Encoding of every NaN result.
  localparam logic [ResultWidth-1:0] NanWord = 8'h78;

  // ---------------------------------------------------------------------------------------------- step

  localparam int Steps = Products + 2;  // both chains, their sum, and that with c

  logic [Steps*ResultWidth-1:0] step;                  // results of the steps, the first in the lowest bits
  logic                         unused_earlier_steps;  // beside their use in later ones

  assign unused_earlier_steps = ^step;

  for (genvar i = 0; i < Steps; i++) begin : gen_step
    logic [ResultWidth-1:0] result;

    if (i < Products) begin : gen_product
      logic [ResultWidth-1:0] addend;

      if (i < 2) begin : gen_first
        assign addend = '0;
      end else begin : gen_next
        assign addend = gen_step[i-2].result;
      end

      tensorsmith_fma #(
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
          .FlushAddend             (FlushAddend),
          .FlushResult             (FlushResult),
          .Rounding                (ResultRounding),
          .ZeroSign                (ZeroSign),
          .OverflowInfinityPositive(OverflowInfinityPositive),
          .OverflowInfinityNegative(OverflowInfinityNegative),
          .NanWord                 (NanWord)
      ) u_fma (
          .a_i(a_i[i*OperandAWidth +: OperandAWidth]),
          .b_i(b_i[i*OperandBWidth +: OperandBWidth]),
          .c_i(addend),
          .d_o(result)
      );
    end else begin : gen_sum
      logic [ResultWidth-1:0] left;
      logic [ResultWidth-1:0] right;

      if (i == Steps - 1) begin : gen_last
        assign left  = gen_step[i-1].result;
        assign right = c_i;
      end else begin : gen_earlier
        assign left  = gen_step[i-2].result;
        assign right = gen_step[i-1].result;
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
