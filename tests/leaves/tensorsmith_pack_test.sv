// Test of tensorsmith_pack: every rounded value at every exponent of small formats, random ones of wide formats.
//
// The expected encoding is put together field by field. Each checker drives a twin that treats subnormal
// results the wrong way: it has to differ at least once, and +fault puts it in the place of the module under
// test.
//
// Every STRIDE-th input is taken.

module tensorsmith_pack_test;
  localparam Leaf = "tensorsmith_pack";
  `include "leaf_test.svh"

  // IEEE formats, with flushing, a zero of the other sign, padding; formats that saturate or have one NaN;
  // an ExponentMin that is the lowest of its width, so that the field takes all bits.
  pack_checker #(
      .ExponentBits(2), .FractionBits(2), .ExponentWidth(3), .ExponentMin(-4)
  ) u_lowest ();
  pack_checker #(
      .ExponentBits(4), .FractionBits(1), .ExponentWidth(1), .ExponentMin(-1)
  ) u_lowest_narrow ();
  pack_checker #(
      .ExponentBits(2), .FractionBits(1), .ExponentWidth(3), .ExponentMin(0)
  ) u_e2m1 ();
  pack_checker #(
      .ExponentBits(3), .FractionBits(2), .ExponentWidth(5), .ExponentMin(-2)
  ) u_e3m2 ();
  pack_checker #(
      .ExponentBits(3), .FractionBits(2), .ExponentWidth(5), .ExponentMin(-2), .FlushSubnormals(1), .ZeroNegative(1)
  ) u_e3m2_flush ();
  pack_checker #(
      .ExponentBits(3), .FractionBits(2), .ExponentWidth(5), .ExponentMin(-2), .FlushSubnormals(1), .RoundedZero(1)
  ) u_e3m2_flush_plus ();
  pack_checker #(
      .ExponentBits(5), .FractionBits(2), .ExponentWidth(9), .ExponentMin(-14), .PaddingBits(3), .RoundedZero(1)
  ) u_e5m2_padded ();
  pack_checker #(
      .ExponentBits(4), .FractionBits(3), .ExponentWidth(6), .ExponentMin(-6), .HasInfinity(0),
      .OverflowInfinityPositive(0), .OverflowInfinityNegative(0), .MaximumFinite('h7e), .NanWord('h7f)
  ) u_e4m3_saturating ();
  pack_checker #(
      .ExponentBits(4), .FractionBits(3), .ExponentWidth(6), .ExponentMin(-7), .HasInfinity(0),
      .HasNegativeZero(0), .MaximumFinite('h7f), .NanWord('h80)
  ) u_e4m3_fnuz ();
  pack_checker #(
      .ExponentBits(5), .FractionBits(2), .ExponentWidth(7), .ExponentMin(-15), .HasInfinity(0),
      .HasNegativeZero(0), .FlushSubnormals(1), .MaximumFinite('h7f), .NanWord('h80), .OverflowInfinityPositive(0)
  ) u_e5m2_fnuz_flush ();
  pack_checker #(
      .ExponentBits(3), .FractionBits(2), .ExponentWidth(5), .ExponentMin(-2), .OverflowInfinityNegative(0)
  ) u_e3m2_upward ();
  pack_checker #(
      .ExponentBits(3), .FractionBits(2), .ExponentWidth(5), .ExponentMin(-2), .OverflowInfinityPositive(0)
  ) u_e3m2_downward ();
  pack_checker #(
      .ExponentBits(5), .FractionBits(10), .ExponentWidth(9), .ExponentMin(-14), .NanWord('h7fff)
  ) u_fp16 ();
  pack_checker #(
      .ExponentBits(8), .FractionBits(23), .ExponentWidth(9), .ExponentMin(-126), .NanWord('h7fffffff)
  ) u_fp32 ();
  pack_checker #(
      .ExponentBits(8), .FractionBits(23), .ExponentWidth(11), .ExponentMin(-126), .FlushSubnormals(1),
      .NanWord('hffc00000)
  ) u_fp32_flush ();
  pack_checker #(
      .ExponentBits(8), .FractionBits(13), .ExponentWidth(10), .ExponentMin(-126), .PaddingBits(10),
      .NanWord('h7fffffff)
  ) u_fp32_short ();
  pack_checker #(
      .ExponentBits(11), .FractionBits(52), .ExponentWidth(13), .ExponentMin(-1022)
  ) u_fp64 ();
endmodule

module pack_checker #(
    parameter int ExponentBits    = 8,
    parameter int FractionBits    = 23,
    parameter int ExponentWidth   = 9,
    parameter int ExponentMin     = -126,
    parameter int PaddingBits     = 0,
    parameter int FlushSubnormals = 0,
    parameter int ZeroNegative    = 0,
    parameter int RoundedZero     = 0,
    parameter int HasInfinity     = 1,
    parameter int HasNegativeZero = 1,
    parameter int OverflowInfinityPositive = 1,
    parameter int OverflowInfinityNegative = 1,
    parameter logic [ExponentBits+FractionBits-1:0]           InfinityMagnitude = {{ExponentBits{1'b1}},
                                                                                   {FractionBits{1'b0}}},
    parameter logic [ExponentBits+FractionBits-1:0]           MaximumFinite     = InfinityMagnitude - 1,
    parameter logic [ExponentBits+FractionBits+PaddingBits:0] NanWord           = '1
);
  localparam int Width        = 1 + ExponentBits + FractionBits + PaddingBits;
  localparam int ExponentHigh = (1 << (ExponentWidth - 1)) - 1;
  localparam int Exponents    = ExponentHigh - ExponentMin + 1;
  localparam int FieldWidth   = (ExponentWidth > ExponentBits ? ExponentWidth : ExponentBits) + 1;
  localparam int Exhaustive   = FractionBits <= 3 ? 1 : 0;
  // Rounded values and five flags at each exponent.
  localparam int Vectors      = Exhaustive == 1 ? Exponents * (1 << (FractionBits + 2 + 5)) : 5000;

  logic                            negative, zero, nan, infinite, infinite_negative;
  logic signed [ExponentWidth-1:0] exponent;
  logic [FieldWidth-1:0]           normal_field;
  logic [FractionBits+1:0]         rounded;
  logic [Width-1:0]                result, twin, judged, expected;

  tensorsmith_pack #(
      .FieldWidth(FieldWidth), .ExponentBits(ExponentBits),
      .FractionBits(FractionBits), .PaddingBits(PaddingBits), .FlushSubnormals(FlushSubnormals),
      .ZeroNegative(ZeroNegative), .RoundedZero(RoundedZero), .HasInfinity(HasInfinity), .HasNegativeZero(HasNegativeZero),
      .OverflowInfinityPositive(OverflowInfinityPositive), .OverflowInfinityNegative(OverflowInfinityNegative),
      .InfinityMagnitude(InfinityMagnitude), .MaximumFinite(MaximumFinite), .NanWord(NanWord)
  ) u_pack (
      .negative_i(negative), .field_i(normal_field), .rounded_i(rounded), .zero_i(zero), .nan_i(nan),
      .infinite_i(infinite), .infinite_negative_i(infinite_negative), .d_o(result)
  );

  tensorsmith_pack #(
      .FieldWidth(FieldWidth), .ExponentBits(ExponentBits),
      .FractionBits(FractionBits), .PaddingBits(PaddingBits), .FlushSubnormals(1 - FlushSubnormals),
      .ZeroNegative(ZeroNegative), .RoundedZero(RoundedZero), .HasInfinity(HasInfinity), .HasNegativeZero(HasNegativeZero),
      .OverflowInfinityPositive(OverflowInfinityPositive), .OverflowInfinityNegative(OverflowInfinityNegative),
      .InfinityMagnitude(InfinityMagnitude), .MaximumFinite(MaximumFinite), .NanWord(NanWord)
  ) u_twin (
      .negative_i(negative), .field_i(normal_field), .rounded_i(rounded), .zero_i(zero), .nan_i(nan),
      .infinite_i(infinite), .infinite_negative_i(infinite_negative), .d_o(twin)
  );

  bit                                   fault, twin_differed, legal, too_large;
  int                                   seed, vector, checked;
  longint                               hidden, fraction, field, field_maximum, fraction_maximum, value;
  logic [ExponentBits+FractionBits-1:0] magnitude;
  logic                                 sign;

  assign normal_field = FieldWidth'(int'(exponent) - ExponentMin + 1);
  assign judged       = fault ? twin : result;

  initial begin
    tensorsmith_pack_test.started = tensorsmith_pack_test.started + 1;
    fault            = $test$plusargs("fault");
    twin_differed    = 0;
    checked          = 0;
    seed             = Width;
    hidden           = 64'd1 << FractionBits;
    field_maximum    = MaximumFinite / hidden;
    fraction_maximum = MaximumFinite % hidden;
    for (vector = 0; vector < Vectors; vector = vector + `STRIDE) begin
      if (Exhaustive == 1) begin
        {rounded, negative, zero, nan, infinite, infinite_negative} = vector;
        exponent = ExponentMin + vector / (1 << (FractionBits + 7));
      end else begin
        // Numbers, some special; subnormals, carries, exponents about the highest.
        {negative, infinite_negative} = $random(seed);
        zero     = $urandom(seed) % 16 == 0 || vector % 8 == 7;
        nan      = $urandom(seed) % 16 == 0;
        infinite = $urandom(seed) % 16 == 0;
        rounded  = ({$random(seed), $random(seed)} | hidden) & (2 * hidden - 1);
        exponent = ExponentMin + int'($urandom(seed) % Exponents);
        if (vector % 8 == 1) rounded = 2 * hidden;
        if (vector % 8 == 2) rounded = 2 * hidden - 1;
        if (vector % 8 == 2 || vector % 8 == 3)
          exponent = ExponentMin + int'(field_maximum) - 1 + int'($urandom(seed) % 2);
        if (vector % 8 >= 4 && vector % 8 <= 5) begin
          exponent = ExponentMin;
          rounded  = {$random(seed), $random(seed)} & (2 * hidden - 1) >> ($urandom(seed) % (FractionBits + 2));
        end
        if (zero && vector % 2 == 1) {negative, rounded} = '0;
      end
      #1;

      // A rounded number has its leading bit, or the lowest exponent, and nothing beside a carry; zero has none, and the sign plus.
      value = rounded;
      legal = zero ? value == 0 && !negative : value <= 2 * hidden && (value >= hidden || exponent == ExponentMin);
      if (legal) begin
        if (value == 2 * hidden)  {field, fraction} = {64'(exponent) - 64'(ExponentMin) + 64'd2, 64'd0};
        else if (value >= hidden) {field, fraction} = {64'(exponent) - 64'(ExponentMin) + 64'd1, value - hidden};
        else                      {field, fraction} = {64'd0, value};

        sign      = negative;
        magnitude = field * hidden + fraction;
        too_large = !zero && (field > field_maximum || (field == field_maximum && fraction > fraction_maximum));
        if (too_large)
          magnitude = (negative ? OverflowInfinityNegative : OverflowInfinityPositive) == 1 ? InfinityMagnitude
                                                                                             : MaximumFinite;
        else if (FlushSubnormals == 1 && field == 0)
          magnitude = 0;
        if (magnitude == 0 && RoundedZero == 1) sign = 0;
        if (zero) {sign, magnitude} = {ZeroNegative == 1, {(ExponentBits + FractionBits){1'b0}}};
        if (infinite) {sign, magnitude} = {infinite_negative, InfinityMagnitude};
        if (magnitude == 0 && HasNegativeZero == 0) sign = 0;
        expected = {sign, magnitude};
        expected = expected << PaddingBits;
        if (nan) expected = NanWord;
        if (HasInfinity == 0 && infinite) expected = NanWord;
        if (HasInfinity == 0 && too_large && magnitude == InfinityMagnitude) expected = NanWord;

        checked = checked + 1;
        if (judged !== expected)
          tensorsmith_pack_test.fail($sformatf("%m negative=%b exponent=%0d rounded=%h", negative, exponent, rounded,
              $sformatf(" zero=%b nan=%b infinite=%b,%b", zero, nan, infinite, infinite_negative),
              $sformatf(" expected=%h actual=%h", expected, judged)));
        if (twin !== expected) twin_differed = 1;
      end
    end
    tensorsmith_pack_test.finish(checked, twin_differed);
  end
endmodule
