// Unit hickmann-fma-chain-fp16-fp32. Chain of four fused multiply-adds of fp16 products in fp32, a candidate of Hickmann and Bradford.
//
//     d = fma(a[3], b[3], ... fma(a[0], b[0], c))
//
//     products      4
//     formats       a binary16, b binary16, c binary32, d binary32
//     step          fma(a, b, addend), rounded once; its result is the next step's addend
//     window        48 bits, 46 of them fraction; lower bits are sticky
//     conversion    to nearest, ties to even, overflow to what IEEE 754 says
//     subnormals    operands kept, addend kept, result kept, at each step
//     NaN and zero  every NaN is 0x7fc00000, exact zero sums as in IEEE 754-2019, 6.3
//     latency       0 cycles; the module named _registered: 2
//
// The sum of a step, in units of 2^(anchor - F):
//
//     bit      49     48     47..46     45..0
//     sum   | sign | carry | integer | fraction |
//     bit 46 weighs 2^anchor, bit 0 weighs 2^(anchor - 46); lower bits of a term are ORed into bit 0
//
// Where the constants come from:
//
//     conversion.rounding: [chosen] to nearest, ties to even
//     products: [stated] Hickmann and Bradford, ARITH 2019, slides, Possible Micro-Architectures: four products, as in
//       the HMMA of Volta
//     scheme: [stated] Hickmann and Bradford, ARITH 2019, slides, Possible Micro-Architectures: a chain of FMAs
//     subnormals: [chosen] kept
//     sum.order: [chosen] the first product first
//
// Emitted; regenerate with: tensorsmith emit hickmann-fma-chain-fp16-fp32 --out DIR

module hickmann_fma_chain_fp16_fp32 #(
    // Fixed by the unit's description: they name its numbers, and another value makes no other unit.
    parameter int Products      =  4,  // L: products, added one after the other
    parameter int OperandAWidth = 16,  // encoded a, binary16
    parameter int OperandBWidth = 16,  // encoded b, binary16
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
  localparam int OperandAExponentBits =   5;  // exponent field
  localparam int OperandAFractionBits =  10;  // trailing significand
  localparam int OperandAPaddingBits  =   0;  // ignored low bits
  localparam int OperandABias         =  15;  // exponent field of 1.0
  localparam int OperandANonFinite    =   1;  // IEEE 754 infinities and NaN
  localparam int OperandBSignBits     =   1;  // sign
  localparam int OperandBExponentBits =   5;  // exponent field
  localparam int OperandBFractionBits =  10;  // trailing significand
  localparam int OperandBPaddingBits  =   0;  // ignored low bits
  localparam int OperandBBias         =  15;  // exponent field of 1.0
  localparam int OperandBNonFinite    =   1;  // IEEE 754 infinities and NaN
  localparam int ResultExponentBits   =   8;  // exponent field
  localparam int ResultFractionBits   =  23;  // trailing significand
  localparam int ResultPaddingBits    =   0;  // ignored low bits
  localparam int ResultBias           = 127;  // exponent field of 1.0
  localparam int ResultNonFinite      =   1;  // IEEE 754 infinities and NaN

  // Choices.
  localparam int FlushOperands            = 0;  // 1: subnormal a and b count as zero
  localparam int FlushAddend              = 0;  // 1: a subnormal addend counts as zero
  localparam int FlushResult              = 0;  // 1: subnormal results become zero
  localparam int ResultRounding           = 1;  // to nearest, ties to even
  localparam int ZeroSign                 = 0;  // exact zero sums have the signs of IEEE 754-2019, 6.3
  localparam int OverflowInfinityPositive = 1;  // 1: positive overflow gives infinity, 0: the largest number
  localparam int OverflowInfinityNegative = 1;  // the same for negative overflow

  // Encoding of every NaN result.
  localparam logic [ResultWidth-1:0] NanWord = 32'h7fc00000;

  // ---------------------------------------------------------------------------------------------- step

  logic [Products*ResultWidth-1:0] step;                  // results of the steps, that of a[0] in the lowest bits
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
        .a_i(a_i[i*OperandAWidth +: OperandAWidth]),
        .b_i(b_i[i*OperandBWidth +: OperandBWidth]),
        .c_i(addend),
        .d_o(result)
    );

    assign step[i*ResultWidth +: ResultWidth] = result;
  end

  // ---------------------------------------------------------------------------------------------- result

  assign d_o = step[(Products-1)*ResultWidth +: ResultWidth];

endmodule
