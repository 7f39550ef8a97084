// The result that a bench expects: an exact number, rounded by definition. It never asks the module under test.
//
// The module that includes this has d's format in ED, FD, PD, BD and ND, what takes a number's place in NanWord, FlushResult,
// OverflowInfinityPositive and OverflowInfinityNegative, the Rounding, and expected, a word of d. It sets exact, of ExactWidth bits
// that count units of 2^UnitExponent, and result_negative before it calls define_number.

logic [ExactWidth-1:0] exact, kept, rest;
logic [ED+FD-1:0]      magnitude, infinity, largest;
bit                    result_negative, up, too_large, to_infinity, tiny;
int                    binade, place;
logic [63:0]           hidden, encoded;

// exact cut at the place that weighs 2^(of - FD), and rounded: kept counts such places.
task round_at(input int of);
  place = of - FD - UnitExponent;
  if (place < 0) place = 0;
  kept  = exact >> place;
  rest  = exact - (kept << place);
  case (Rounding)
    0:       up = 0;
    1:       up = 2 * rest > (ExactWidth'(1) << place) || (2 * rest == (ExactWidth'(1) << place) && kept[0]);
    2:       up = 2 * rest >= (ExactWidth'(1) << place);
    3:       up = rest != 0 && !result_negative;
    4:       up = rest != 0 && result_negative;
    default: up = rest != 0 && !kept[0];
  endcase
  if (rest == 0) up = 0;
  kept = kept + up;
endtask

// The number of that sign and of exact units in d's format, and what takes its place.
task define_number(input bit is_nan, input bit is_infinite, input bit infinite_negative, input bit zero_negative);
  hidden   = 64'd1 << FD;
  infinity = '1;
  infinity = infinity << FD;
  largest  = '1;
  largest  = ND == 1 ? infinity - 1 : ND == 2 ? largest - 1 : largest;

  // Tiny: rounded as if exponents had no bound, and still below the least normal number.
  binade = $clog2(exact + 1) - 1 + UnitExponent;
  round_at(binade);
  tiny = exact != 0 && (kept << place) < (ExactWidth'(1) << (1 - BD - UnitExponent));

  if (binade < 1 - BD) binade = 1 - BD;
  round_at(binade);
  if (kept == 2 * hidden) begin
    kept   = hidden;
    binade = binade + 1;
  end
  encoded     = kept < hidden ? kept : 64'(binade + BD) * hidden + kept - hidden;
  too_large   = encoded > largest;
  to_infinity = (result_negative ? OverflowInfinityNegative : OverflowInfinityPositive) == 1;

  magnitude = too_large ? (to_infinity ? infinity : largest) : encoded;
  if (FlushResult != 0 && kept < hidden) magnitude = 0;
  if (exact == 0) result_negative = zero_negative;
  if (is_infinite) begin
    magnitude       = infinity;
    result_negative = infinite_negative;
  end
  expected = {ND == 3 && magnitude == 0 ? 1'b0 : result_negative, magnitude};
  expected = expected << PD;
  if (ND != 1 && (is_infinite || (too_large && to_infinity))) expected = NanWord;
  if (FlushResult == 2 && tiny && !is_infinite) begin
    expected = {ND == 3 ? 1'b0 : result_negative, {(ED + FD){1'b0}}};
    expected = expected << PD;
  end
  if (is_nan) expected = NanWord;
endtask
