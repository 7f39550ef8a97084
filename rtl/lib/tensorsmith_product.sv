// Multiplies two unpacked operands exactly.
//
// The product's value is (-1)^negative * significand * 2^(exponent - fraction bits), where the fraction bits
// are those of a and b together, and one more with Normalise = 1.
//
//     significand_o    | 2 integer bits | fraction bits of a + fraction bits of b |     Normalise = 0, in [0, 4)
//     significand_o    | 1 |  fraction bits of a + fraction bits of b + 1         |     Normalise = 1, 0 or in [1, 2)
//
// It never rounds, and it knows no infinity and no NaN. The exponent of a zero product is ExponentFloor, so
// that a zero never raises the anchor. ExponentWidth must hold every exponent named here.

module tensorsmith_product #(
    parameter int SignificandAWidth = 11,   // significand of a, hidden bit included
    parameter int SignificandBWidth = 11,   // significand of b, hidden bit included
    parameter int ExponentWidth     = 9,    // every exponent, two's complement, sign included
    parameter int Normalise         = 0,    // 1: shift a nonzero product left until its top bit is 1
    parameter int ExponentFloor     = -126  // exponent of a zero product
) (
    input  logic                                                  a_negative_i,     // sign of a
    input  logic signed [ExponentWidth-1:0]                       a_exponent_i,     // true exponent of a
    input  logic        [SignificandAWidth-1:0]                   a_significand_i,  // significand of a
    input  logic                                                  b_negative_i,     // sign of b
    input  logic signed [ExponentWidth-1:0]                       b_exponent_i,     // true exponent of b
    input  logic        [SignificandBWidth-1:0]                   b_significand_i,  // significand of b
    output logic                                                  negative_o,       // sign, also of a zero product
    output logic signed [ExponentWidth-1:0]                       exponent_o,       // true exponent
    output logic        [SignificandAWidth+SignificandBWidth-1:0] significand_o     // exact product
);

  // Width of the whole product.
  localparam int ProductWidth = SignificandAWidth + SignificandBWidth;

  logic                            zero;
  logic        [ProductWidth-1:0]  product;
  logic signed [ExponentWidth-1:0] exponent;  // of a nonzero product

  // Read from the operands, which are there before the product is.
  assign zero       = a_significand_i == '0 || b_significand_i == '0;
  assign product    = ProductWidth'(a_significand_i) * ProductWidth'(b_significand_i);
  assign negative_o = a_negative_i ^ b_negative_i;
  assign exponent_o = zero ? ExponentWidth'(ExponentFloor) : exponent;

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
    assign exponent      = a_exponent_i + b_exponent_i + ExponentWidth'(1) - ExponentWidth'(leading_zeros);
  end else begin : gen_plain
    assign significand_o = product;
    assign exponent      = a_exponent_i + b_exponent_i;
  end

endmodule
