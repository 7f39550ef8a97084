// Test of tensorsmith_align: every sign, significand and distance of small terms, random wide ones.
//
// The expected term comes from the quotient and remainder of a 256-bit division, and from a comparison of the
// doubled remainder with the divisor. Each checker drives a twin with another rounding: it has to differ at
// least once, and +fault puts it in the place of the module under test.
//
// Every STRIDE-th input is taken.

module tensorsmith_align_test;
  localparam Leaf = "tensorsmith_align";
  `include "leaf_test.svh"

  // SignificandWidth, PlaceLeft, GuardBits, ExponentWidth, AlignedWidth; every rounding of each.
  for (genvar rounding = 0; rounding <= 5; rounding++) begin : gen_rounding
    align_checker #(  1,   0,  0,  3,   3, rounding) u_1_0_0 ();
    align_checker #(  1,   3,  2,  4,   9, rounding) u_1_3_2 ();
    align_checker #(  3,   0,  0,  4,   5, rounding) u_3_0_0 ();
    align_checker #(  4,   2,  0,  4,   8, rounding) u_4_2_0 ();
    align_checker #(  4,   0,  3,  4,   3, rounding) u_4_0_3 ();
    align_checker #(  4,   1,  9,  4,   5, rounding) u_4_1_9 ();
    align_checker #(  5,   2,  1,  5,   8, rounding) u_5_2_1 ();
    align_checker #( 22,   3,  0,  9,  27, rounding) u_volta_product ();
    align_checker #( 24,   0,  0,  9,  27, rounding) u_volta_addend ();
    align_checker #(  6,  19, 10, 10,  17, rounding) u_fp8_product ();
    align_checker #( 24,   0, 10, 10,  17, rounding) u_fp8_addend ();
    align_checker #( 22,   5,  0, 10,  60, rounding) u_hopper_product_wide ();
    align_checker #(106,   3,  5, 13, 110, rounding) u_fp64_product ();
  end
endmodule

module align_checker #(
    parameter int SignificandWidth = 11,
    parameter int PlaceLeft        = 0,
    parameter int GuardBits        = 0,
    parameter int ExponentWidth    = 9,
    parameter int AlignedWidth     = 12,
    parameter int Rounding         = 0
);
  localparam int Span       = 1 << ExponentWidth;
  localparam int Exhaustive = SignificandWidth <= 5 ? 1 : 0;
  localparam int Vectors    = Exhaustive == 1 ? 2 * (1 << SignificandWidth) * Span
                                              : SignificandWidth <= 24 ? 3000 : 1500;
  // Shifts beyond this only make a smaller remainder of nothing: the significand has fewer bits.
  localparam int ShiftMax   = 200;

  logic                            negative;
  logic signed [ExponentWidth-1:0] exponent, anchor;
  logic [SignificandWidth-1:0]     significand;
  logic [AlignedWidth-1:0]         row, twin_row;
  logic                            up, twin_up;
  logic signed [AlignedWidth-1:0]  aligned, twin, judged;

  tensorsmith_align #(
      .SignificandWidth(SignificandWidth), .PlaceLeft(PlaceLeft), .GuardBits(GuardBits),
      .ExponentWidth(ExponentWidth), .AlignedWidth(AlignedWidth), .Rounding(Rounding)
  ) u_align (
      .negative_i(negative), .exponent_i(exponent), .significand_i(significand), .anchor_i(anchor),
      .row_o(row), .up_o(up)
  );

  tensorsmith_align #(
      .SignificandWidth(SignificandWidth), .PlaceLeft(PlaceLeft), .GuardBits(GuardBits),
      .ExponentWidth(ExponentWidth), .AlignedWidth(AlignedWidth), .Rounding(Rounding < 4 ? 4 : 0)
  ) u_twin (
      .negative_i(negative), .exponent_i(exponent), .significand_i(significand), .anchor_i(anchor),
      .row_o(twin_row), .up_o(twin_up)
  );

  bit                      fault, twin_differed;
  int                      seed, vector, distance, shift;
  logic [255:0]            dividend, divisor, quotient, remainder;
  logic [AlignedWidth-1:0] expected;

  assign aligned = row + AlignedWidth'(up);
  assign twin    = twin_row + AlignedWidth'(twin_up);
  assign judged  = fault ? twin : aligned;

  initial begin
    tensorsmith_align_test.started = tensorsmith_align_test.started + 1;
    fault         = $test$plusargs("fault");
    twin_differed = 0;
    seed          = 100 * SignificandWidth + Rounding;
    for (vector = 0; vector < Vectors; vector = vector + `STRIDE) begin
      if (Exhaustive == 1) begin
        {negative, significand} = vector;
        distance                = vector / (2 << SignificandWidth);
      end else begin
        // Random significands; exact powers of two and their halves for the ties; any distance or a near one.
        negative    = $random(seed);
        significand = {$random(seed), $random(seed), $random(seed), $random(seed)};
        if (vector % 4 == 1) significand = 1 << ($urandom(seed) % SignificandWidth);
        if (vector % 4 == 2) significand = 3 << ($urandom(seed) % SignificandWidth);
        if (vector % 64 == 3) significand = '1;
        distance = $urandom(seed) % (vector % 8 < 6 ? SignificandWidth + PlaceLeft + 3 : Span);
        if (distance >= Span) distance = Span - 1;
      end
      exponent = int'($urandom(seed) % (Span - distance)) - Span / 2;
      anchor   = int'(exponent) + distance;
      #1;

      shift     = distance + GuardBits > ShiftMax ? ShiftMax : distance + GuardBits;
      dividend  = 256'(significand) * (256'd1 << PlaceLeft);
      divisor   = 256'd1 << shift;
      quotient  = dividend / divisor;
      remainder = dividend % divisor;
      case (Rounding)
        0: ;
        1: if (2 * remainder > divisor || (2 * remainder == divisor && quotient % 2 == 1)) quotient = quotient + 1;
        2: if (2 * remainder >= divisor) quotient = quotient + 1;
        3: if (!negative && remainder != 0) quotient = quotient + 1;
        4: if (negative && remainder != 0) quotient = quotient + 1;
        5: if (remainder != 0 && quotient % 2 == 0) quotient = quotient + 1;
        default: ;
      endcase
      if (negative) quotient = 0 - quotient;
      expected = quotient[AlignedWidth-1:0];

      if (judged !== expected)
        tensorsmith_align_test.fail($sformatf("%m negative=%b exponent=%0d significand=%h anchor=%0d", negative,
            exponent, significand, anchor, $sformatf(" expected=%h actual=%h", expected, judged)));
      if (twin !== expected) twin_differed = 1;
    end
    tensorsmith_align_test.finish((Vectors + `STRIDE - 1) / `STRIDE, twin_differed);
  end
endmodule
