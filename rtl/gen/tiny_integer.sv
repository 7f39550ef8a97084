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
    // Of the ports; they cannot be overridden. For other numbers, instantiate tensorsmith_integer.
    localparam int Products      = 2,  // L: products summed at once
    localparam int OperandAWidth = 4,  // encoded a, int4
    localparam int OperandBWidth = 4,  // encoded b, int4
    localparam int AddendWidth   = 8,  // encoded c, int8
    localparam int ResultWidth   = 8   // encoded d, int8
) (
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,  // c
    output logic [ResultWidth-1:0]            d_o   // d
);

  tensorsmith_integer #(
      .Products(2),
      // a int4, b int4, c int8, d int8
      .OperandAWidth(4), .OperandASigned(1), .OperandBWidth(4), .OperandBSigned(1), .AddendWidth(8), .AddendSigned(1),
      .ResultWidth(8), .ResultSigned(1),
      // conversion: clamped
      .Saturate(1)
  ) u_unit (
      .clk_i(1'b0), .ce_i(1'b0), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(d_o)
  );

endmodule
