// Test of tensorsmith_product: every pair of small significands, random pairs of wider ones.
//
// The expected product is a 128-bit one, its normalisation a loop of doublings. Each checker drives a twin
// whose zero products carry an exponent one too high: it has to differ at least once, and +fault puts it in
// the place of the module under test.
//
// Every STRIDE-th input is taken.

module tensorsmith_product_test;
  localparam Leaf = "tensorsmith_product";
  `include "leaf_test.svh"

  // SignificandAWidth, SignificandBWidth, ExponentWidth, Normalise, ExponentFloor, ExponentBias.
  product_checker #( 1,  1,  4, 0,    -3) u_1_1 ();
  product_checker #( 1,  1,  4, 1,    -3) u_1_1_normalised ();
  product_checker #( 1,  5,  7, 0,    20) u_1_5 ();
  product_checker #( 3,  2,  6, 1,   -31) u_3_2_normalised ();
  product_checker #( 4,  4,  9, 0,  -126) u_e4m3 ();
  product_checker #( 4,  3,  8, 1,   -50) u_mixed_normalised ();
  product_checker #( 5,  5,  9, 1,  -133) u_5_5_normalised ();
  product_checker #(11, 11,  9, 0,  -126) u_fp16 ();
  product_checker #(11, 11,  9, 1,  -126) u_fp16_normalised ();
  product_checker #( 8,  8, 10, 0,  -133) u_bf16 ();
  product_checker #(24, 24, 11, 1,  -300) u_fp32_normalised ();
  product_checker #(53, 53, 13, 0, -2200) u_fp64 ();
  product_checker #(53, 53, 13, 1, -2200) u_fp64_normalised ();
  // Unsigned exponents, that of a zero product 0.
  product_checker #( 1,  5,  7, 0,     0,    57) u_1_5_biased ();
  product_checker #( 4,  3,  8, 1,     0,   128) u_mixed_biased ();
  product_checker #(11, 11,  9, 0,     0,   235) u_fp16_biased ();
  product_checker #(11, 11,  9, 1,     0,   256) u_fp16_normalised_biased ();
endmodule

module product_checker #(
    parameter int SignificandAWidth = 11,
    parameter int SignificandBWidth = 11,
    parameter int ExponentWidth     = 9,
    parameter int Normalise         = 0,
    parameter int ExponentFloor     = -126,
    parameter int ExponentBias      = 0
);
  localparam int Width   = SignificandAWidth + SignificandBWidth;
  localparam int Vectors = Width <= 10 ? 4 << Width : Width <= 22 ? 10000 : 3000;
  // Exponents whose sum, and that plus one or minus Width, still fit.
  localparam int Reach   = ((1 << (ExponentWidth - 1)) - 1 - Width) / 2 > 0
                         ? ((1 << (ExponentWidth - 1)) - 1 - Width) / 2 : 1;
  // With a bias the least exponent is 1 or more, and the greatest takes that many bits.
  localparam int ProductExponentWidth = ExponentBias == 0 ? ExponentWidth : $clog2(2 * Reach + ExponentBias + 2);

  logic                            a_negative, b_negative;
  logic signed [ExponentWidth-1:0] a_exponent, b_exponent;
  logic [SignificandAWidth-1:0]    a_significand;
  logic [SignificandBWidth-1:0]    b_significand;
  logic                            negative,    twin_negative;
  logic [ProductExponentWidth-1:0] exponent,    twin_exponent;
  logic [Width-1:0]                significand, twin_significand;

  tensorsmith_product #(
      .SignificandAWidth(SignificandAWidth), .SignificandBWidth(SignificandBWidth),
      .ExponentWidth(ExponentWidth), .Normalise(Normalise), .ExponentFloor(ExponentFloor),
      .ProductExponentWidth(ProductExponentWidth), .ExponentBias(ExponentBias)
  ) u_product (
      .a_negative_i(a_negative), .a_exponent_i(a_exponent), .a_significand_i(a_significand),
      .a_zero_i(a_significand == '0), .b_zero_i(b_significand == '0),
      .b_negative_i(b_negative), .b_exponent_i(b_exponent), .b_significand_i(b_significand),
      .negative_o(negative), .exponent_o(exponent), .significand_o(significand)
  );

  tensorsmith_product #(
      .SignificandAWidth(SignificandAWidth), .SignificandBWidth(SignificandBWidth),
      .ExponentWidth(ExponentWidth), .Normalise(Normalise), .ExponentFloor(ExponentFloor + 1),
      .ProductExponentWidth(ProductExponentWidth), .ExponentBias(ExponentBias)
  ) u_twin (
      .a_negative_i(a_negative), .a_exponent_i(a_exponent), .a_significand_i(a_significand),
      .a_zero_i(a_significand == '0), .b_zero_i(b_significand == '0),
      .b_negative_i(b_negative), .b_exponent_i(b_exponent), .b_significand_i(b_significand),
      .negative_o(twin_negative), .exponent_o(twin_exponent), .significand_o(twin_significand)
  );

  function automatic logic [31:0] number(input logic [ProductExponentWidth-1:0] exponent);
    number = ExponentBias == 0 ? 32'($signed(exponent)) : 32'(exponent);
  endfunction

  logic [1+32+128-1:0] actual, twin, expected, judged;
  bit                  fault, twin_differed;
  int                  seed, vector, expected_exponent;
  logic [127:0]        product;

  assign actual = {negative, number(exponent), 128'(significand)};
  assign twin   = {twin_negative, number(twin_exponent), 128'(twin_significand)};
  assign judged = fault ? twin : actual;

  initial begin
    tensorsmith_product_test.started = tensorsmith_product_test.started + 1;
    fault         = $test$plusargs("fault");
    twin_differed = 0;
    seed          = 7 * Width + Normalise;
    for (vector = 0; vector < Vectors; vector = vector + `STRIDE) begin
      // Small: all significands under each of four sign pairs. Wide: random ones, some of them short or zero.
      if (Width <= 10) {a_negative, b_negative, a_significand, b_significand} = vector;
      else begin
        {a_negative, b_negative} = $random(seed);
        a_significand = {$random(seed), $random(seed)} >> (vector % 3 == 0 ? $urandom(seed) % 70 : 0);
        b_significand = {$random(seed), $random(seed)} >> (vector % 5 == 0 ? $urandom(seed) % 70 : 0);
        if (vector == 0) {a_significand, b_significand} = '1;
      end
      a_exponent = int'($urandom(seed) % (2 * Reach + 1)) - Reach;
      b_exponent = int'($urandom(seed) % (2 * Reach + 1)) - Reach;
      #1;

      product           = 128'(a_significand) * 128'(b_significand);
      expected_exponent = int'(a_exponent) + int'(b_exponent) + ExponentBias;
      if (product == 0) expected_exponent = ExponentFloor;
      else if (Normalise == 1) begin
        expected_exponent = expected_exponent + 1;
        while (product < 128'd1 << (Width - 1)) begin
          product           = product * 2;
          expected_exponent = expected_exponent - 1;
        end
      end

      expected = {a_negative != b_negative, expected_exponent, product};
      if (judged !== expected)
        tensorsmith_product_test.fail($sformatf("%m a=%0d,%0d,%h b=%0d,%0d,%h expected=%h actual=%h", a_negative,
            a_exponent, a_significand, b_negative, b_exponent, b_significand, expected, judged));
      if (twin !== expected) twin_differed = 1;
    end
    tensorsmith_product_test.finish((Vectors + `STRIDE - 1) / `STRIDE, twin_differed);
  end
endmodule
