// SPDX-License-Identifier: MIT OR Apache-2.0
// Multiplies two unpacked operands exactly.
//
// The product's value is (-1)^negative * significand * 2^(exponent - fraction bits), where the fraction bits
// are those of a and b together, and one more with Normalise = 1.
//
//     significand_o    | 2 integer bits | fraction bits of a + fraction bits of b |     Normalise = 0, in [0, 4)
//     significand_o    | 1 |  fraction bits of a + fraction bits of b + 1         |     Normalise = 1, 0 or in [1, 2)
//
// It never rounds, and it knows no infinity and no NaN. The exponent of a zero product is ExponentFloor: one
// that raises no anchor, or one by which the anchor tells it. ExponentWidth must hold every exponent of a and b,
// ProductExponentWidth every one of a product with ExponentBias added.

module tensorsmith_product #(
    parameter int SignificandAWidth = 11,   // significand of a, hidden bit included
    parameter int SignificandBWidth = 11,   // significand of b, hidden bit included
    parameter int ExponentWidth     = 9,    // exponents of a and b, two's complement, sign included
    parameter int Normalise         = 0,    // 1: shift a nonzero product left until its top bit is 1
    parameter int ExponentFloor     = -126, // exponent_o of a zero product

    // The exponent of a product as two's complement, or as an unsigned number where ExponentBias leaves none below zero.
    parameter int ProductExponentWidth = ExponentWidth,
    parameter int ExponentBias         = 0  // added to the exponent of a nonzero product
) (
    input  logic                                                  a_negative_i,     // sign of a
    input  logic signed [ExponentWidth-1:0]                       a_exponent_i,     // true exponent of a
    input  logic        [SignificandAWidth-1:0]                   a_significand_i,  // significand of a
    input  logic                                                  a_zero_i,         // its significand is zero
    input  logic                                                  b_negative_i,     // sign of b
    input  logic signed [ExponentWidth-1:0]                       b_exponent_i,     // true exponent of b
    input  logic        [SignificandBWidth-1:0]                   b_significand_i,  // significand of b
    input  logic                                                  b_zero_i,         // its significand is zero
    output logic                                                  negative_o,       // sign, also of a zero product
    output logic        [ProductExponentWidth-1:0]                exponent_o,       // true exponent and ExponentBias
    output logic        [SignificandAWidth+SignificandBWidth-1:0] significand_o     // exact product
);

  // Width of the whole product.
  localparam int ProductWidth = SignificandAWidth + SignificandBWidth;

  localparam int Width = ProductExponentWidth;

  logic                    zero;
  logic                    unused_exponents;  // bits that ProductExponentWidth has no use for
  logic [ProductWidth-1:0] product;
  logic [Width-1:0]        plain;     // exponent of the product as it is multiplied
  logic [Width-1:0]        exponent;  // of a nonzero product

  assign unused_exponents = ^{a_exponent_i, b_exponent_i};

  // Read from the operands, which are there before the product is.
  assign zero       = a_zero_i || b_zero_i;
  assign product    = ProductWidth'(a_significand_i) * ProductWidth'(b_significand_i);
  assign negative_o = a_negative_i ^ b_negative_i;
  assign plain      = Width'(a_exponent_i) + Width'(b_exponent_i) + Width'(ExponentBias);
  assign exponent_o = zero ? Width'(ExponentFloor) : exponent;

  if (Normalise == 1) begin : gen_normalised
    // Leading zeros: 0 to ProductWidth.
    localparam int CountWidth = $clog2(ProductWidth + 1);

    logic [CountWidth-1:0] leading_zeros;

    tensorsmith_leading_zeros #(
        .Width     (ProductWidth),
        .CountWidth(CountWidth)
    ) u_leading_zeros (
        .value_i(product),
        .count_o(leading_zeros)
    );

    //     product          | 0 ... 0 | 1 ........ |             top bit has weight 2^(a + b exponents + 1)
    //     significand_o    | 1 ........ | 0 ... 0 |             top bit has weight 2^exponent
    assign significand_o = product << leading_zeros;
    assign exponent      = plain + Width'(1) - Width'(leading_zeros);
  end else begin : gen_plain
    assign significand_o = product;
    assign exponent      = plain;
  end

endmodule
