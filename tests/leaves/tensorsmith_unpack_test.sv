// Test of tensorsmith_unpack: every encoding of formats up to 16 bits, random encodings of wider ones.
//
// Expected fields come from division and remainder of the encoding; the number they make is compared, as a
// real, with the format's definition. Each checker drives a twin that treats subnormals the wrong way: it
// has to differ at least once, and +fault puts it in the place of the module under test.
//
// Every STRIDE-th input is taken.

module tensorsmith_unpack_test;
  localparam Leaf = "tensorsmith_unpack";
  `include "leaf_test.svh"

  // SignBits, ExponentBits, FractionBits, PaddingBits, Bias, NonFinite, FlushSubnormals, ExponentWidth:
  // the smallest formats, then formats in use.
  unpack_checker #(0,  1,  1,  0,    0, 0, 0,  2) u_1_1 ();
  unpack_checker #(0,  1,  1,  0,    1, 0, 0,  1) u_1_1_narrow ();
  unpack_checker #(1,  1,  2,  0,    0, 1, 0,  3) u_1_2 ();
  unpack_checker #(0,  3,  2,  0,    3, 1, 0,  4) u_unsigned ();
  unpack_checker #(0,  4,  3,  0,    7, 2, 0,  5) u_unsigned_e4m3 ();
  unpack_checker #(1,  2,  1,  0,    1, 0, 0,  3) u_e2m1 ();
  unpack_checker #(1,  2,  3,  0,    1, 0, 0,  3) u_e2m3 ();
  unpack_checker #(1,  3,  2,  0,    3, 0, 0,  4) u_e3m2 ();
  unpack_checker #(1,  4,  3,  0,    7, 2, 0,  5) u_e4m3 ();
  unpack_checker #(1,  4,  3,  0,    8, 3, 0,  9) u_e4m3_fnuz ();
  unpack_checker #(1,  5,  2,  0,   16, 3, 1,  6) u_e5m2_fnuz ();
  unpack_checker #(1,  5,  2,  0,   15, 1, 0,  6) u_e5m2 ();
  unpack_checker #(1,  5,  2,  3,   15, 1, 0, 10) u_e5m2_padded ();
  unpack_checker #(1,  5,  2,  3,   15, 1, 2, 10) u_e5m2_plus_zero ();
  unpack_checker #(1,  4,  3,  0,    8, 3, 2,  9) u_fnuz_plus_zero ();
  unpack_checker #(0,  4,  3,  0,    7, 2, 2,  5) u_unsigned_plus_zero ();
  unpack_checker #(1,  5, 10,  0,   15, 1, 0,  9) u_fp16 ();
  unpack_checker #(1,  8,  7,  0,  127, 1, 1, 10) u_bf16 ();
  unpack_checker #(1,  8, 10, 13,  127, 1, 0, 10) u_tf32 ();
  unpack_checker #(1,  8, 23,  0,  127, 1, 0,  9) u_fp32 ();
  unpack_checker #(1,  8, 23,  0,  127, 1, 1, 11) u_fp32_flush ();
  unpack_checker #(1, 11, 52,  0, 1023, 1, 0, 12) u_fp64 ();
endmodule

module unpack_checker #(
    parameter int SignBits        = 1,
    parameter int ExponentBits    = 5,
    parameter int FractionBits    = 10,
    parameter int PaddingBits     = 0,
    parameter int Bias            = 15,
    parameter int NonFinite       = 1,
    parameter int FlushSubnormals = 0,
    parameter int ExponentWidth   = 6
);
  localparam int Width   = SignBits + ExponentBits + FractionBits + PaddingBits;
  localparam int Vectors = Width <= 16 ? 1 << Width : 20000;
  // Few inputs are all taken.
  localparam int Stride  = Vectors < 5000 ? 1 : `STRIDE;

  logic [Width-1:0]                operand;
  logic                            negative,    twin_negative;
  logic signed [ExponentWidth-1:0] exponent,    twin_exponent;
  logic [FractionBits:0]           significand, twin_significand;
  logic                            zero,        twin_zero;
  logic                            infinite,    twin_infinite;
  logic                            nan,         twin_nan;

  tensorsmith_unpack #(
      .SignBits(SignBits), .ExponentBits(ExponentBits), .FractionBits(FractionBits), .PaddingBits(PaddingBits),
      .Bias(Bias), .NonFinite(NonFinite), .FlushSubnormals(FlushSubnormals), .ExponentWidth(ExponentWidth)
  ) u_unpack (
      .operand_i(operand), .negative_o(negative), .exponent_o(exponent), .significand_o(significand),
      .zero_o(zero), .infinite_o(infinite), .nan_o(nan)
  );

  tensorsmith_unpack #(
      .SignBits(SignBits), .ExponentBits(ExponentBits), .FractionBits(FractionBits), .PaddingBits(PaddingBits),
      .Bias(Bias), .NonFinite(NonFinite), .FlushSubnormals(FlushSubnormals == 0 ? 1 : 0), .ExponentWidth(ExponentWidth)
  ) u_twin (
      .operand_i(operand), .negative_o(twin_negative), .exponent_o(twin_exponent), .significand_o(twin_significand),
      .zero_o(twin_zero), .infinite_o(twin_infinite), .nan_o(twin_nan)
  );

  // Everything the module says about one operand, as numbers.
  localparam int ReportWidth = 4 + 32 + 64;

  logic [ReportWidth-1:0] actual, twin, expected, judged;
  bit                     fault, twin_differed;
  int                     seed, vector;
  longint unsigned        word, fraction, field, sign, expected_significand;
  int                     expected_exponent;
  bit                     expected_infinite, expected_nan, top_field;
  real                    number, definition;

  assign actual = {negative, zero, infinite, nan, 32'(exponent), 64'(significand)};
  assign twin   = {twin_negative, twin_zero, twin_infinite, twin_nan, 32'(twin_exponent), 64'(twin_significand)};
  assign judged = fault ? twin : actual;

  initial begin
    tensorsmith_unpack_test.started = tensorsmith_unpack_test.started + 1;
    fault         = $test$plusargs("fault");
    twin_differed = 0;
    seed          = 1 + Width;
    for (vector = 0; vector < Vectors; vector = vector + Stride) begin
      if (Width <= 16) operand = vector;
      else             operand = {$random(seed), $random(seed)};
      // A quarter of the random encodings each: lowest field, highest field, fraction zero, anything.
      if (Width > 16 && vector % 4 == 0) operand[PaddingBits+FractionBits +: ExponentBits] = '0;
      if (Width > 16 && vector % 4 == 1) operand[PaddingBits+FractionBits +: ExponentBits] = '1;
      if (Width > 16 && vector % 8 <= 2) operand[PaddingBits +: FractionBits] = '0;
      #1;

      word      = operand / (64'd1 << PaddingBits);
      fraction  = word % (64'd1 << FractionBits);
      word      = word / (64'd1 << FractionBits);
      field     = word % (64'd1 << ExponentBits);
      sign      = word / (64'd1 << ExponentBits);
      top_field = field == (64'd1 << ExponentBits) - 1;

      if (field == 0) begin
        expected_exponent    = 1 - Bias;
        expected_significand = FlushSubnormals != 0 ? 0 : fraction;
        if (FlushSubnormals == 2 && fraction != 0) sign = 0;
      end else begin
        expected_exponent    = int'(field) - Bias;
        expected_significand = (64'd1 << FractionBits) + fraction;
      end

      case (NonFinite)
        1:       {expected_infinite, expected_nan} = {top_field && fraction == 0, top_field && fraction != 0};
        2:       {expected_infinite, expected_nan} = {1'b0, top_field && fraction == (64'd1 << FractionBits) - 1};
        3:       {expected_infinite, expected_nan} = {1'b0, sign == 1 && field == 0 && fraction == 0};
        default: {expected_infinite, expected_nan} = 2'b00;
      endcase

      expected = {1'(sign), expected_significand == 0, expected_infinite, expected_nan, expected_exponent,
                  expected_significand};
      if (judged !== expected)
        tensorsmith_unpack_test.fail($sformatf("%m operand=%h expected=%h actual=%h", operand, expected, judged));
      if (twin !== expected) twin_differed = 1;

      // The number, from the outputs and from the definition of the format.
      number     = real'(significand) * (2.0 ** (exponent - FractionBits));
      definition = field == 0 ? (FlushSubnormals != 0 ? 0.0 : real'(fraction) * (2.0 ** (1 - Bias - FractionBits)))
                              : (1.0 + real'(fraction) / (2.0 ** FractionBits)) * (2.0 ** (int'(field) - Bias));
      if (number != definition && !top_field)
        tensorsmith_unpack_test.fail($sformatf("%m operand=%h expected=%g actual=%g", operand, definition, number));
    end
    tensorsmith_unpack_test.finish((Vectors + Stride - 1) / Stride, twin_differed);
  end
endmodule
