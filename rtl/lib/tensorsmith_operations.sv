// Rounded operations in a fixed order: a chain of fused multiply-adds, two of them, a tree of products and sums, or a chain of
// sums of two products.
//
//     Order 0    chain       d = fma(a[L-1], b[L-1], ... fma(a[0], b[0], c)), or from the last product to the first
//     Order 1    even-odd    d = (chain of even products + chain of odd products) + c, both chains from +0
//     Order 2    pairwise    d = sum of the rounded products in a tree, then c: each sum takes the two oldest values
//     Order 3    pairs       d = ((c + (a[0]*b[0] + a[1]*b[1])) + ...), each sum of two products rounded before it is added
//
// Every step is rounded once to the format of d, which is also that of c, and has the exact zeros of IEEE 754-2019, 6.3.
// Steps are numbered in the order in which they can be computed; step[i] is what step i answers.
//
// Combinational where Cuts is 0. A set of parameters that makes no unit does not elaborate: it asks for a module whose name,
// tensorsmith_error_..., says why.

module tensorsmith_operations #(
    parameter int Products   = 4,  // L
    parameter int Order      = 0,  // 0: chain, 1: even and odd chain, 2: pairwise, 3: pairs
    parameter int Descending = 0,  // 1: a chain adds the last product first

    // Formats of a and b. NonFinite is 0: every encoding is finite, 1: IEEE 754 infinities and NaN, 2: all ones is NaN,
    // no infinity (OCP e4m3), 3: the encoding of minus zero is NaN, no infinity (FNUZ).
    parameter int OperandASignBits     = 1,   // 0: unsigned
    parameter int OperandAExponentBits = 5,   // exponent field
    parameter int OperandAFractionBits = 10,  // trailing significand
    parameter int OperandAPaddingBits  = 0,   // ignored low bits
    parameter int OperandABias         = 15,  // exponent field of 1.0
    parameter int OperandANonFinite    = 1,
    parameter int OperandBSignBits     = 1,
    parameter int OperandBExponentBits = 5,
    parameter int OperandBFractionBits = 10,
    parameter int OperandBPaddingBits  = 0,
    parameter int OperandBBias         = 15,
    parameter int OperandBNonFinite    = 1,

    // Format of c, d and every step, which has a sign and a NaN.
    parameter int ResultExponentBits = 8,
    parameter int ResultFractionBits = 23,
    parameter int ResultPaddingBits  = 0,
    parameter int ResultBias         = 127,
    parameter int ResultNonFinite    = 1,

    // Conversion, at each step.
    parameter int ResultRounding = 1,  // 0: toward zero, 1: to nearest even, 2: to nearest, ties away, 3: toward positive,
                                       // 4: toward negative, 5: to odd
    parameter int Overflow       = 0,  // 0: as IEEE 754 says for the rounding, 1: to infinity, 2: to the largest number
    parameter int FlushOperands  = 0,  // subnormal a and b, 1: count as zero of the same sign, 2: as +0
    parameter int FlushAddend    = 0,  // the same for what a step takes of c's format
    parameter int FlushResult    = 0,  // 1: a subnormal result becomes zero
                                       // 2: so does a least normal one that is rounded up from a tiny one

    // Places of registers, a bit each: 0 input, 1 behind every step. d comes Latency enabled clock edges after its operands.
    parameter int Cuts = 0,

    localparam int OperandAWidth = OperandASignBits + OperandAExponentBits + OperandAFractionBits + OperandAPaddingBits,
    localparam int OperandBWidth = OperandBSignBits + OperandBExponentBits + OperandBFractionBits + OperandBPaddingBits,
    localparam int ResultWidth   = 1 + ResultExponentBits + ResultFractionBits + ResultPaddingBits,

    parameter logic [ResultWidth-1:0] NanWord = {ResultWidth{1'b1}} >> 1  // every NaN result
) (
    input  logic                              clk_i,  // rising edge
    input  logic                              ce_i,   // 1: registers take their values
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    input  logic [ResultWidth-1:0]            c_i,  // c
    output logic [ResultWidth-1:0]            d_o   // d
);

  // A step for each product; then both chains are added, and c; or as many sums as products, the last of them with c. Of pairs
  // a step for each sum of two products, and one for its sum with what came before.
  localparam int Half  = Products / 2;
  localparam int Steps = Order == 0 || Order == 3 ? Products : Order == 1 ? Products + 2 : 2 * Products;

  // What overflows becomes infinity: a positive result, a negative one.
  localparam int OverflowInfinityPositive = Overflow == 1 || (Overflow == 0 && ResultRounding >= 1 && ResultRounding <= 3) ? 1 : 0;
  localparam int OverflowInfinityNegative = Overflow == 1 || (Overflow == 0 && (ResultRounding == 1 || ResultRounding == 2
                                                                             || ResultRounding == 4)) ? 1 : 0;

  // Encodings of d without sign and padding.
  localparam int EncodedWidth = ResultExponentBits + ResultFractionBits;
  localparam logic [EncodedWidth-1:0] AllOnes           = {EncodedWidth{1'b1}};
  localparam logic [EncodedWidth-1:0] InfinityMagnitude = AllOnes << ResultFractionBits;

  // Whether NanWord is a NaN of d.
  localparam logic [EncodedWidth-1:0] NanMagnitude = EncodedWidth'(NanWord >> ResultPaddingBits);
  localparam int IsNan = ResultNonFinite == 1 ? (NanMagnitude > InfinityMagnitude ? 1 : 0)
                       : ResultNonFinite == 2 ? (NanMagnitude == AllOnes ? 1 : 0)
                       : (NanMagnitude == '0 && NanWord[ResultWidth-1] ? 1 : 0);

  // ---------------------------------------------------------------------------------------------- guards

  if (Products < 1 || Products > 64) begin : gen_error_products_are_1_to_64
    tensorsmith_error_products_are_1_to_64 u_error ();
  end
  if (Order < 0 || Order > 3) begin : gen_error_order_is_0_to_3
    tensorsmith_error_order_is_0_to_3 u_error ();
  end
  if ((Order == 1 || Order == 3) && Products % 2 != 0) begin : gen_error_two_chains_and_pairs_need_an_even_number_of_products
    tensorsmith_error_two_chains_and_pairs_need_an_even_number_of_products u_error ();
  end
  if (Descending != 0 && Order != 0) begin : gen_error_only_a_chain_can_descend
    tensorsmith_error_only_a_chain_can_descend u_error ();
  end
  if (ResultExponentBits < 1 || ResultExponentBits > 11 || ResultFractionBits < 1 || ResultFractionBits > 52 || ResultPaddingBits < 0 || ResultPaddingBits > 32) begin : gen_error_result_fields_have_1_to_11_1_to_52_and_0_to_32_bits
    tensorsmith_error_result_fields_have_1_to_11_1_to_52_and_0_to_32_bits u_error ();
  end
  if (ResultNonFinite < 1 || ResultNonFinite > 3) begin : gen_error_result_needs_a_nan
    tensorsmith_error_result_needs_a_nan u_error ();
  end
  if (IsNan == 0) begin : gen_error_nan_word_is_no_nan
    tensorsmith_error_nan_word_is_no_nan u_error ();
  end
  if (ResultRounding < 0 || ResultRounding > 5) begin : gen_error_result_rounding_is_0_to_5
    tensorsmith_error_result_rounding_is_0_to_5 u_error ();
  end
  if (Overflow < 0 || Overflow > 2) begin : gen_error_overflow_is_0_to_2
    tensorsmith_error_overflow_is_0_to_2 u_error ();
  end
  if (FlushResult < 0 || FlushResult > 2) begin : gen_error_flush_result_is_0_to_2
    tensorsmith_error_flush_result_is_0_to_2 u_error ();
  end
  if (Cuts < 0 || Cuts >= 4) begin : gen_error_cuts_are_places_of_this_module
    tensorsmith_error_cuts_are_places_of_this_module u_error ();
  end

  // ---------------------------------------------------------------------------------------------- cuts

  // Steps one behind the other that stand before step i; of the two values that a sum takes, the later one has more.
  function automatic int depth(input int i);
    int node;
    node  = i;
    depth = Order == 0 ? i : Order == 1 ? (i < Products ? i / 2 : Half + i - Products)
          : Order == 3 && i >= Half ? i - Half + 1 : 0;
    for (int level = 0; level < Steps; level++) begin
      if (Order == 2 && node >= Products) begin
        node  = node == Steps - 1 ? node - 1 : 2 * (node - Products) + 1;
        depth = depth + 1;
      end
    end
  endfunction

  localparam int CutInput = (Cuts >> 0) & 1;
  localparam int CutStep  = (Cuts >> 1) & 1;
  // verilator lint_off UNUSEDPARAM
  localparam int Latency  = CutInput + CutStep * (depth(Steps - 1) + 1);  // for who instantiates it
  // verilator lint_on UNUSEDPARAM

  logic [Products*OperandAWidth-1:0] a;  // the operands, cut
  logic [Products*OperandBWidth-1:0] b;
  logic [ResultWidth-1:0]            c;

  tensorsmith_delay #(
      .Width  (Products*OperandAWidth + Products*OperandBWidth + ResultWidth),
      .Latency(CutInput)
  ) u_input (
      .clk_i  (clk_i),
      .ce_i   (ce_i),
      .value_i({a_i, b_i, c_i}),
      .value_o({a, b, c})
  );

  // ---------------------------------------------------------------------------------------------- step

  logic [Steps*ResultWidth-1:0] step;                  // results of the steps, the first in the lowest bits
  logic                         unused_earlier_steps;  // beside their use in later ones

  assign unused_earlier_steps = ^step;

  for (genvar i = 0; i < Steps; i++) begin : gen_step
    logic [ResultWidth-1:0] uncut;
    logic [ResultWidth-1:0] result;

    tensorsmith_delay #(
        .Width  (ResultWidth),
        .Latency(CutStep)
    ) u_cut (
        .clk_i  (clk_i),
        .ce_i   (ce_i),
        .value_i(uncut),
        .value_o(result)
    );

    if (i < Products && Order < 2) begin : gen_multiply_add
      // The product of the step, and the step before it in its chain.
      localparam int Pair     = Descending != 0 ? Products - 1 - i : i;
      localparam int Previous = i - (Order == 1 ? 2 : 1);

      logic [ResultWidth-1:0]   addend;
      logic [OperandAWidth-1:0] factor_a;  // when the step before answers
      logic [OperandBWidth-1:0] factor_b;

      tensorsmith_delay #(
          .Width  (OperandAWidth + OperandBWidth),
          .Latency(CutStep * depth(i))
      ) u_factors (
          .clk_i  (clk_i),
          .ce_i   (ce_i),
          .value_i({a[Pair*OperandAWidth +: OperandAWidth], b[Pair*OperandBWidth +: OperandBWidth]}),
          .value_o({factor_a, factor_b})
      );

      if (Previous >= 0) begin : gen_next
        assign addend = gen_step[Previous].result;
      end else if (Order == 1) begin : gen_from_zero
        assign addend = '0;
      end else begin : gen_from_addend
        assign addend = c;
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
          .ZeroSign                (0),
          .OverflowInfinityPositive(OverflowInfinityPositive),
          .OverflowInfinityNegative(OverflowInfinityNegative),
          .NanWord                 (NanWord)
      ) u_fma (
          .a_i(factor_a),
          .b_i(factor_b),
          .c_i(addend),
          .d_o(uncut)
      );
    end else if (i < Products && Order == 2) begin : gen_multiply
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
          .a_i(a[i*OperandAWidth +: OperandAWidth]),
          .b_i(b[i*OperandBWidth +: OperandBWidth]),
          .d_o(uncut)
      );
    end else if (i < Half && Order == 3) begin : gen_dot
      tensorsmith_dot2 #(
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
      ) u_dot (
          .a_i(a[2*i*OperandAWidth +: 2*OperandAWidth]),
          .b_i(b[2*i*OperandBWidth +: 2*OperandBWidth]),
          .d_o(uncut)
      );
    end else begin : gen_sum
      // The ends of both chains; in a tree the two oldest values that wait; of pairs the next one's, and the last sum. c takes
      // the place of the second value, at last, or of pairs at first.
      localparam int Left   = Order == 3 ? i - Half : i == Steps - 1 ? i - 1 : Order == 1 ? i - 2 : 2 * (i - Products);
      localparam int Right  = Order == 2 ? Left + 1 : i - 1;
      localparam int TakesC = i == (Order == 3 ? Half : Steps - 1) ? 1 : 0;

      logic [ResultWidth-1:0] left;
      logic [ResultWidth-1:0] right;

      tensorsmith_delay #(
          .Width  (ResultWidth),
          .Latency(CutStep * (depth(i) - 1 - depth(Left)))
      ) u_left (
          .clk_i  (clk_i),
          .ce_i   (ce_i),
          .value_i(gen_step[Left].result),
          .value_o(left)
      );

      if (TakesC == 1) begin : gen_addend
        tensorsmith_delay #(
            .Width  (ResultWidth),
            .Latency(CutStep * depth(i))
        ) u_addend (
            .clk_i  (clk_i),
            .ce_i   (ce_i),
            .value_i(c),
            .value_o(right)
        );
      end else begin : gen_step_before
        assign right = gen_step[Right].result;
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
          .ZeroSign                (0),
          .OverflowInfinityPositive(OverflowInfinityPositive),
          .OverflowInfinityNegative(OverflowInfinityNegative),
          .NanWord                 (NanWord)
      ) u_add (
          .x_i(left),
          .y_i(right),
          .d_o(uncut)
      );
    end

    assign step[i*ResultWidth +: ResultWidth] = result;
  end

  // ---------------------------------------------------------------------------------------------- result

  assign d_o = step[(Steps-1)*ResultWidth +: ResultWidth];

endmodule
