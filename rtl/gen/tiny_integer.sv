// Unit tiny-integer. Small enough for all 2^24 inputs: two int4 products, an int8 addend, an int8 result that saturates.
//
//     d = saturate(c + a[0]*b[0] + ... + a[1]*b[1])
//
//     products    2
//     formats     a int4, b int4, c int8, d int8
//     product     exact
//     sum         exact, in 9 bits
//     conversion  the exact sum is clamped once, to -128 .. 127
//     latency     0 cycles; the module named _registered: 2
//
// The sum:
//
//     bit 8 is the sign, bit 0 weighs 1
//     bits 7..0 are the result, unless bit 8 and the sign of d show that it is clamped
//
// Where the constants come from:
//
//     conversion.overflow: [chosen] the exhaustive run covers clamping on both sides
//     formats: [chosen] 24 input bits, and sums beyond the result on both sides
//
// Emitted; regenerate with: tensorsmith emit tiny-integer --out DIR

module tiny_integer #(
    // Fixed by the unit's description: they name its numbers, and another value makes no other unit.
    parameter int Products      = 2,  // L: products summed at once
    parameter int OperandAWidth = 4,  // encoded a, int4
    parameter int OperandBWidth = 4,  // encoded b, int4
    parameter int AddendWidth   = 8,  // encoded c, int8
    parameter int ResultWidth   = 8   // encoded d, int8
) (
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,  // c
    output logic [ResultWidth-1:0]            d_o   // d
);

  // Widths and choices, each with its derivation.
  localparam int OperandASigned = 1;             // two's complement
  localparam int OperandBSigned = 1;             // two's complement
  localparam int AddendSigned   = 1;             // two's complement
  localparam int ResultSigned   = 1;             // two's complement
  localparam int Saturate       = 1;             // 1: a sum beyond d is clamped, 0: it wraps
  localparam int TermCount      = Products + 1;  // 3: products and addend
  localparam int ProductWidth   = 8;             // two's complement of every product, -56 to 64
  localparam int TermWidth      = 8;             // two's complement of a product or c: the wider of 8 and 8
  localparam int SumWidth       = 9;             // two's complement of every sum, -240 to 255: nothing is lost

  // ---------------------------------------------------------------------------------------------- product

  logic [Products*ProductWidth-1:0] product;

  // A sign above each factor makes it two's complement: its own top bit, or 0 where the factor is unsigned.
  //
  //     factor    | s | a ........ |
  //     extended  | s ....... s | a ........ |      ProductWidth bits, which hold the product
  for (genvar i = 0; i < Products; i++) begin : gen_product
    logic                           a_sign;
    logic                           b_sign;
    logic signed [ProductWidth-1:0] a_extended;
    logic signed [ProductWidth-1:0] b_extended;

    assign a_sign     = 1'(OperandASigned) & a_i[i*OperandAWidth + OperandAWidth-1];
    assign b_sign     = 1'(OperandBSigned) & b_i[i*OperandBWidth + OperandBWidth-1];
    assign a_extended = ProductWidth'($signed({a_sign, a_i[i*OperandAWidth +: OperandAWidth]}));
    assign b_extended = ProductWidth'($signed({b_sign, b_i[i*OperandBWidth +: OperandBWidth]}));

    assign product[i*ProductWidth +: ProductWidth] = a_extended * b_extended;
  end

  // ---------------------------------------------------------------------------------------------- sum

  // Products first, the addend on top, all of them TermWidth bits of two's complement.
  logic [TermCount*TermWidth-1:0] term;
  logic                           c_sign;
  logic [SumWidth-1:0]            sum;

  for (genvar i = 0; i < Products; i++) begin : gen_term
    assign term[i*TermWidth +: TermWidth] = TermWidth'($signed(product[i*ProductWidth +: ProductWidth]));
  end

  assign c_sign = 1'(AddendSigned) & c_i[AddendWidth-1];
  assign term[Products*TermWidth +: TermWidth] = TermWidth'($signed({c_sign, c_i}));

  tensorsmith_adder_tree #(
      .Count      (TermCount),
      .AddendWidth(TermWidth),
      .SumWidth   (SumWidth)
  ) u_sum (
      .addends_i(term),
      .sum_o    (sum)
  );

  // ---------------------------------------------------------------------------------------------- packed

  logic [ResultWidth-1:0] packed_word;

  tensorsmith_saturate #(
      .SumWidth    (SumWidth),
      .ResultWidth (ResultWidth),
      .ResultSigned(ResultSigned),
      .Saturate    (Saturate)
  ) u_saturate (
      .sum_i   (sum),
      .result_o(packed_word)
  );

  assign d_o = packed_word;

endmodule
