// SPDX-License-Identifier: MIT OR Apache-2.0
// Splits one encoded block scale into true exponent, significand and class flags.
//
// A scale has no sign and no infinity. Its value is significand * 2^(exponent - FractionBits).
//
//     scale_i     | exponent field | trailing significand |
//     bits        |    Exponent    |       Fraction       |
//                       Bits               Bits
//
// With a fraction the lowest exponent field holds zero and the subnormals, as in an operand. Without one it
// is one more binade: every number is a power of two, and none is zero (OCP Microscaling 1.0, ue8m0).
//
// It never alters the number of a NaN encoding: that one comes out as its fields read, and only the flag
// tells.

module tensorsmith_unpack_scale #(
    parameter int ExponentBits  = 8,    // exponent field, at least 1
    parameter int FractionBits  = 0,    // trailing significand, without the hidden bit; 0: powers of two only
    parameter int Bias          = 127,  // true exponent = exponent field - Bias
    parameter int NonFinite     = 2,    // 0: every encoding is a number
                                        // 2: exponent field and fraction all ones: NaN
    parameter int ExponentWidth = 9     // true exponent, two's complement, sign included
) (
    input  logic        [ExponentBits+FractionBits-1:0] scale_i,        // encoded scale
    output logic signed [ExponentWidth-1:0]             exponent_o,     // true exponent
    output logic        [FractionBits:0]                significand_o,  // hidden bit and fraction
    output logic                                        zero_o,         // significand is zero
    output logic                                        nan_o           // NaN
);

  // ---------------------------------------------------------------------------------------------- number

  if (FractionBits == 0) begin : gen_power
    assign exponent_o    = ExponentWidth'(scale_i) - ExponentWidth'(Bias);
    assign significand_o = 1'b1;
    assign zero_o        = 1'b0;
    assign nan_o         = NonFinite == 2 && scale_i == '1;
  end else begin : gen_number
    logic unused_negative;  // no sign
    logic unused_infinite;  // no infinity

    tensorsmith_unpack #(
        .SignBits       (0),
        .ExponentBits   (ExponentBits),
        .FractionBits   (FractionBits),
        .PaddingBits    (0),
        .Bias           (Bias),
        .NonFinite      (NonFinite),
        .FlushSubnormals(0),
        .ExponentWidth  (ExponentWidth)
    ) u_unpack (
        .operand_i    (scale_i),
        .negative_o   (unused_negative),
        .exponent_o   (exponent_o),
        .significand_o(significand_o),
        .zero_o       (zero_o),
        .infinite_o   (unused_infinite),
        .nan_o        (nan_o)
    );
  end

endmodule
