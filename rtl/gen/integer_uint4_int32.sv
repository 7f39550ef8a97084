// Unit integer-uint4-int32. NVIDIA integer matrix instructions: one block of 32 products uint4 x uint4, int32 result that wraps.
//
//     d = wrap(c + a[0]*b[0] + ... + a[31]*b[31])
//
//     products    32
//     formats     a uint4, b uint4, c int32, d int32
//     product     exact
//     sum         exact, in 33 bits
//     conversion  the low 32 bits of the exact sum
//     latency     0 cycles; the module named _registered: 2
//
// The sum:
//
//     bit 32 is the sign, bit 0 weighs 1
//     bits 31..0 are the result; the sum is cut by bit 32
//
// Where the constants come from:
//
//     conversion.overflow: [stated] PTX ISA, mma: without .satfinite the result wraps
//     formats: [stated] PTX ISA, mma with integer operands: .s8, .u8, .s4 and .u4 in any mix of equal widths, .s32
//       results
//     products: [chosen] K of mma m16n8k32; where sums wrap, the length of a block changes no result
//
// Emitted; regenerate with: tensorsmith emit integer-uint4-int32 --out DIR

module integer_uint4_int32 #(
    // Fixed by the unit's description: they name its numbers, and another value makes no other unit.
    parameter int Products      = 32,  // L: products summed at once
    parameter int OperandAWidth =  4,  // encoded a, uint4
    parameter int OperandBWidth =  4,  // encoded b, uint4
    parameter int AddendWidth   = 32,  // encoded c, int32
    parameter int ResultWidth   = 32   // encoded d, int32
) (
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,  // c
    output logic [ResultWidth-1:0]            d_o   // d
);

  // Widths and choices, each with its derivation.
  localparam int OperandASigned =  0;            // unsigned
  localparam int OperandBSigned =  0;            // unsigned
  localparam int AddendSigned   =  1;            // two's complement
  localparam int ResultSigned   =  1;            // two's complement
  localparam int Saturate       =  0;            // 1: a sum beyond d is clamped, 0: it wraps
  localparam int TermCount      = Products + 1;  // 33: products and addend
  localparam int ProductWidth   =  9;            // two's complement of every product, 0 to 225
  localparam int TermWidth      = 32;            // two's complement of a product or c: the wider of 9 and 32
  localparam int SumWidth       = 33;            // two's complement of every sum, -2147483648 to 2147490847: nothing is lost

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
