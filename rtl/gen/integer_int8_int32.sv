// SPDX-License-Identifier: MIT OR Apache-2.0
// Unit integer-int8-int32. NVIDIA integer matrix instructions: one block of 32 products int8 x int8, int32 result that wraps.
//
//     d = wrap(c + a[0]*b[0] + ... + a[31]*b[31])
//
//     products    32
//     formats     a int8, b int8, c int32, d int32
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
// Emitted; regenerate with: tensorsmith emit integer-int8-int32 --out DIR

module integer_int8_int32 #(
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_integer.
    localparam int Products      = 32,  // L: products summed at once
    localparam int OperandAWidth =  8,  // encoded a, int8
    localparam int OperandBWidth =  8,  // encoded b, int8
    localparam int AddendWidth   = 32,  // encoded c, int32
    localparam int ResultWidth   = 32   // encoded d, int32
) (
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,  // c
    output logic [ResultWidth-1:0]            d_o   // d
);

  tensorsmith_integer #(
      .Products(32),
      // a int8, b int8, c int32, d int32
      .OperandAWidth(8), .OperandASigned(1), .OperandBWidth(8), .OperandBSigned(1), .AddendWidth(32),
      .AddendSigned(1), .ResultWidth(32), .ResultSigned(1),
      // conversion: wrapped
      .Saturate(0)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o)
  );

endmodule
