// Unit cdna2-bf16-1k-fp32. AMD CDNA2 matrix cores, bf16_1k operands: 4 rounded products, a tree of rounded sums, then c.
//
//     d = ((a[0]*b[0] + a[1]*b[1]) + (a[2]*b[2] + a[3]*b[3])) + c
//
//     products        4
//     formats         a bfloat16, b bfloat16, c binary32, d binary32
//     step            a product, rounded once; or a sum of two, rounded once: the two oldest values that wait, c last
//     product window  28 bits, 26 of them fraction; lower bits are sticky
//     sum window      27 bits, 26 of them fraction; lower bits are sticky
//     conversion      to nearest, ties to even, overflow to what IEEE 754 says
//     subnormals      operands flushed to +0, addend flushed to +0, result flushed, at each step
//     NaN and zero    every NaN is 0x7fc00000, exact zero sums as in IEEE 754-2019, 6.3
//     latency         0 cycles; the module named _registered: 2
//
// The sum of two, in units of 2^(anchor - F):
//
//     bit      28     27       26       25..0
//     sum   | sign | carry | integer | fraction |
//     bit 26 weighs 2^anchor, bit 0 weighs 2^(anchor - 26); lower bits of a term are ORed into bit 0
//
// Where the constants come from:
//
//     conversion.exact_zero: [chosen] the signs of IEEE 754-2019, 6.3; no source names them
//     conversion.nan: [chosen] the canonical quiet NaN; no source names the encoding
//     conversion.rounding: [stated] Xie et al., arXiv 2511.10909: to nearest, ties to even, after every operation
//     products: [stated] Xie et al., arXiv 2511.10909: blocks of 4
//     scheme: [stated] Xie et al., arXiv 2511.10909: products rounded to fp32, (p0 + p1) + (p2 + p3), then c, each
//       rounded to nearest
//     subnormals: [stated] Xie et al., arXiv 2511.10909: subnormal inputs become +0 whatever their sign, subnormal
//       results become zero of their sign after every operation; that a sum which rounds up to the least normal number
//       stays is chosen
//
// Emitted; regenerate with: tensorsmith emit cdna2-bf16-1k-fp32 --out DIR

module cdna2_bf16_1k_fp32 #(
    // Fixed by the unit's description: they name its numbers, and another value makes no other unit.
    parameter int Products      =  4,  // L: products, added in a tree
    parameter int OperandAWidth = 16,  // encoded a, bfloat16
    parameter int OperandBWidth = 16,  // encoded b, bfloat16
    parameter int AddendWidth   = 32,  // encoded c, binary32
    parameter int ResultWidth   = 32   // encoded d, binary32, and result of each step
) (
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,  // c
    output logic [ResultWidth-1:0]            d_o   // d
);

  // Formats; c has that of d.
  localparam int OperandASignBits     =   1;  // sign
  localparam int OperandAExponentBits =   8;  // exponent field
  localparam int OperandAFractionBits =   7;  // trailing significand
  localparam int OperandAPaddingBits  =   0;  // ignored low bits
  localparam int OperandABias         = 127;  // exponent field of 1.0
  localparam int OperandANonFinite    =   1;  // IEEE 754 infinities and NaN
  localparam int OperandBSignBits     =   1;  // sign
  localparam int OperandBExponentBits =   8;  // exponent field
  localparam int OperandBFractionBits =   7;  // trailing significand
  localparam int OperandBPaddingBits  =   0;  // ignored low bits
  localparam int OperandBBias         = 127;  // exponent field of 1.0
  localparam int OperandBNonFinite    =   1;  // IEEE 754 infinities and NaN
  localparam int ResultExponentBits   =   8;  // exponent field
  localparam int ResultFractionBits   =  23;  // trailing significand
  localparam int ResultPaddingBits    =   0;  // ignored low bits
  localparam int ResultBias           = 127;  // exponent field of 1.0
  localparam int ResultNonFinite      =   1;  // IEEE 754 infinities and NaN

  // Choices.
  localparam int FlushOperands            = 2;  // 2: a subnormal a or b counts as +0
  localparam int FlushAddend              = 2;  // 2: a subnormal addend counts as +0
  localparam int FlushResult              = 1;  // 1: subnormal results become zero
  localparam int ResultRounding           = 1;  // to nearest, ties to even
  localparam int ZeroSign                 = 0;  // exact zero sums have the signs of IEEE 754-2019, 6.3
  localparam int OverflowInfinityPositive = 1;  // 1: positive overflow gives infinity, 0: the largest number
  localparam int OverflowInfinityNegative = 1;  // the same for negative overflow

  // Encoding of every NaN result.
  localparam logic [ResultWidth-1:0] NanWord = 32'h7fc00000;

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
