// Unit avx512-bf16-fp32. Intel AVX512-BF16 vdpbf16ps: two fused multiply-adds, the odd element first.
//
//     d = fma(a[0], b[0], fma(a[1], b[1], c))
//
//     products      2
//     formats       a bfloat16, b bfloat16, c binary32, d binary32
//     step          fma(a, b, addend), rounded once; its result is the next step's addend
//     window        42 bits, 40 of them fraction; lower bits are sticky
//     conversion    to nearest, ties to even, overflow to what IEEE 754 says
//     subnormals    operands flushed, addend flushed, result flushed if tiny, at each step
//     NaN and zero  every NaN is 0xffc00000, exact zero sums as in IEEE 754-2019, 6.3
//     latency       0 cycles; the module named _registered: 2
//
// The sum of a step, in units of 2^(anchor - F):
//
//     bit      43     42     41..40     39..0
//     sum   | sign | carry | integer | fraction |
//     bit 40 weighs 2^anchor, bit 0 weighs 2^(anchor - 40); lower bits of a term are ORed into bit 0
//
// Where the constants come from:
//
//     conversion.exact_zero: [live] -0 + -0 is -0, as IEEE 754-2019, 6.3, says: compared with the instruction
//     conversion.nan: [live] infinity times zero and infinities of both signs give 0xffc00000 on the processor; the
//       payload of a NaN operand, which it passes on quieted, is not modelled
//     conversion.rounding: [live] to nearest, whatever MXCSR says (Intel SDM, VDPBF16PS); compared with the
//       instruction
//     scheme: [live] d = fma(a0, b0, fma(a1, b1, c)): compared with the instruction, no result in 10,000,000 differs
//     subnormals: [live] subnormal operands and addends count as zero of their sign, whatever MXCSR says (Intel SDM,
//       VDPBF16PS); a result is flushed where it is tiny after rounding as if exponents had no bound: 2^-126 - 2^-150
//       becomes 0 and 2^-126 - 2^-151 becomes 2^-126 (compared with the instruction)
//     sum.order: [live] the element of odd index is added first: compared with the instruction
//
// Emitted; regenerate with: tensorsmith emit avx512-bf16-fp32 --out DIR

module avx512_bf16_fp32 #(
    // Fixed by the unit's description: they name its numbers, and another value makes no other unit.
    parameter int Products      =  2,  // L: products, added one after the other
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
  localparam int FlushOperands            = 1;  // 1: subnormal a and b count as zero
  localparam int FlushAddend              = 1;  // 1: a subnormal addend counts as zero
  localparam int FlushResult              = 2;  // 2: subnormal results, and least normal ones that are tiny, become zero
  localparam int ResultRounding           = 1;  // to nearest, ties to even
  localparam int ZeroSign                 = 0;  // exact zero sums have the signs of IEEE 754-2019, 6.3
  localparam int OverflowInfinityPositive = 1;  // 1: positive overflow gives infinity, 0: the largest number
  localparam int OverflowInfinityNegative = 1;  // the same for negative overflow

  // Encoding of every NaN result.
  localparam logic [ResultWidth-1:0] NanWord = 32'hffc00000;

  // ---------------------------------------------------------------------------------------------- step

  logic [Products*ResultWidth-1:0] step;                  // results of the steps, that of a[Products-1] in the lowest bits
  logic                            unused_earlier_steps;  // beside their use as addends

  assign unused_earlier_steps = ^step;

  for (genvar i = 0; i < Products; i++) begin : gen_step
    logic [ResultWidth-1:0] addend;
    logic [ResultWidth-1:0] result;

    if (i == 0) begin : gen_first
      assign addend = c_i;
    end else begin : gen_next
      assign addend = gen_step[i-1].result;
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
        .a_i(a_i[(Products-1-i)*OperandAWidth +: OperandAWidth]),
        .b_i(b_i[(Products-1-i)*OperandBWidth +: OperandBWidth]),
        .c_i(addend),
        .d_o(result)
    );

    assign step[i*ResultWidth +: ResultWidth] = result;
  end

  // ---------------------------------------------------------------------------------------------- result

  assign d_o = step[(Products-1)*ResultWidth +: ResultWidth];

endmodule
