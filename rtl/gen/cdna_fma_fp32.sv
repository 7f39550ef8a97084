// Unit cdna-fma-fp32. AMD CDNA matrix cores with fp32 operands: IEEE 754 fused multiply-add, rounded to nearest.
//
//     d = fma(a[0], b[0], c)
//
//     products      1
//     formats       a binary32, b binary32, c binary32, d binary32
//     step          fma(a, b, addend), rounded once; its result is the next step's addend
//     window        74 bits, 72 of them fraction; lower bits are sticky
//     conversion    to nearest, ties to even, overflow to what IEEE 754 says
//     subnormals    operands kept, addend kept, result kept, at each step
//     NaN and zero  every NaN is 0x7fc00000, exact zero sums as in IEEE 754-2019, 6.3
//     latency       0 cycles; the module named _registered: 2
//
// The sum of a step, in units of 2^(anchor - F):
//
//     bit      75     74     73..72     71..0
//     sum   | sign | carry | integer | fraction |
//     bit 72 weighs 2^anchor, bit 0 weighs 2^(anchor - 72); lower bits of a term are ORed into bit 0
//
// Where the constants come from:
//
//     conversion.exact_zero: [stated] IEEE 754-2019, 6.3
//     conversion.nan: [chosen] 0x7fc00000, the canonical quiet NaN of IEEE 754; no source says which NaN the hardware
//       gives
//     scheme: [stated] a chain of fused multiply-adds, each rounded to nearest: Xie et al., arXiv 2511.10909v2
//     subnormals: [stated] kept: Xie et al., arXiv 2511.10909v2, whose public model MMA-Sim flushes none with these
//       operands
//
// Emitted; regenerate with: tensorsmith emit cdna-fma-fp32 --out DIR

module cdna_fma_fp32 #(
    // Fixed by the unit's description: they name its numbers, and another value makes no other unit.
    parameter int Products      =  1,  // L: products, added one after the other
    parameter int OperandAWidth = 32,  // encoded a, binary32
    parameter int OperandBWidth = 32,  // encoded b, binary32
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
  localparam int OperandAFractionBits =  23;  // trailing significand
  localparam int OperandAPaddingBits  =   0;  // ignored low bits
  localparam int OperandABias         = 127;  // exponent field of 1.0
  localparam int OperandANonFinite    =   1;  // IEEE 754 infinities and NaN
  localparam int OperandBSignBits     =   1;  // sign
  localparam int OperandBExponentBits =   8;  // exponent field
  localparam int OperandBFractionBits =  23;  // trailing significand
  localparam int OperandBPaddingBits  =   0;  // ignored low bits
  localparam int OperandBBias         = 127;  // exponent field of 1.0
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
