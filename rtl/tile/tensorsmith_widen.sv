// SPDX-License-Identifier: MIT OR Apache-2.0
// Encodes a number of one format in another one that holds every number of the first: nothing is rounded.
//
//     significand   | 0 0 1 f f f |           FromFractionBits + 1 bits, of a subnormal
//     normalised    | 1 f f f 0 0 |           its leading one weighs 2^exponent
//     placed        | 1 f f f 0 0 | 0 .. 0 |  ToFractionBits + 1 bits; of a number below the target's normal ones shifted right,
//                                             by which only zeros are lost
//
// Infinities stay infinities; every NaN becomes the one that is given.

module tensorsmith_widen #(
    parameter int          FromSignBits     = 1,         // sign bits of the encoding: 0 or 1
    parameter int          FromExponentBits = 5,         // exponent field
    parameter int          FromFractionBits = 10,        // trailing significand, without the hidden bit
    parameter int          FromPaddingBits  = 0,         // ignored low bits
    parameter int          FromBias         = 15,        // true exponent = exponent field - bias
    parameter int          FromNonFinite    = 1,         // as tensorsmith_unpack numbers them
    parameter int          ToSignBits       = 1,         // the same of the target
    parameter int          ToExponentBits   = 8,
    parameter int          ToFractionBits   = 23,        // at least FromFractionBits
    parameter int          ToPaddingBits    = 0,         // zeros
    parameter int          ToBias           = 127,
    parameter int          ToNonFinite      = 1,
    parameter logic [63:0] Nan              = 64'h7fc00000,  // NaN in the target

    localparam int FromWidth = FromSignBits + FromExponentBits + FromFractionBits + FromPaddingBits,
    localparam int ToWidth   = ToSignBits + ToExponentBits + ToFractionBits + ToPaddingBits
) (
    input  logic [FromWidth-1:0] number_i,  // encoding in the first format
    output logic [ToWidth-1:0]   number_o   // encoding in the target
);

  if (ToFractionBits < FromFractionBits) begin : gen_error_the_target_holds_the_fraction
    tensorsmith_error_the_target_holds_the_fraction u_error ();
  end
  if (ToSignBits < FromSignBits) begin : gen_error_the_target_holds_the_sign
    tensorsmith_error_the_target_holds_the_sign u_error ();
  end

  // Exponents with room for those of both formats, of numbers shifted to their leading one, and for the differences.
  localparam int ExponentWidth = 14;
  localparam int Significand   = FromFractionBits + 1;
  localparam int CountWidth    = $clog2(Significand + 1);
  // Exponents of the smallest normal numbers, and of the smallest number of the first format.
  localparam int FromLeast = 1 - FromBias;
  localparam int ToLeast   = 1 - ToBias;
  localparam int Smallest  = FromLeast - FromFractionBits;

  logic                            negative;
  logic signed [ExponentWidth-1:0] exponent;
  logic        [Significand-1:0]   significand;
  logic                            zero;
  logic                            infinite;
  logic                            nan;

  tensorsmith_unpack #(
      .SignBits(FromSignBits), .ExponentBits(FromExponentBits), .FractionBits(FromFractionBits),
      .PaddingBits(FromPaddingBits), .Bias(FromBias), .NonFinite(FromNonFinite), .ExponentWidth(ExponentWidth)
  ) u_unpack (
      .operand_i(number_i), .negative_o(negative), .exponent_o(exponent), .significand_o(significand), .zero_o(zero),
      .infinite_o(infinite), .nan_o(nan)
  );

  // ---------------------------------------------------------------------------------------------- finite numbers

  logic [ExponentWidth-1:0] field;     // exponent field, without those bits that are 0 in the target
  logic [ToFractionBits:0]  placed;    // hidden bit and fraction

  if (FromLeast == ToLeast) begin : gen_same_exponents
    // A subnormal stays one.
    assign placed = (ToFractionBits+1)'(significand) << (ToFractionBits - FromFractionBits);
    assign field  = placed[ToFractionBits] ? exponent + ExponentWidth'(ToBias) : '0;
  end else begin : gen_normalised
    logic        [CountWidth-1:0]    zeros;
    logic        [Significand-1:0]   normalised;
    logic signed [ExponentWidth-1:0] weight;      // exponent of the leading one
    logic        [ToFractionBits:0]  whole;

    tensorsmith_leading_zeros #(.Width(Significand), .CountWidth(CountWidth)) u_zeros (
        .value_i(significand), .count_o(zeros)
    );

    assign normalised = significand << zeros;
    assign weight     = exponent - ExponentWidth'(zeros);
    assign whole      = (ToFractionBits+1)'(normalised) << (ToFractionBits - FromFractionBits);

    if (Smallest >= ToLeast) begin : gen_normal
      assign placed = whole;
      assign field  = zero ? '0 : weight + ExponentWidth'(ToBias);
    end else begin : gen_subnormal
      logic below;  // the target's normal numbers; so is zero, whose significand has no leading one

      assign below  = weight < ExponentWidth'(ToLeast);
      assign placed = below ? whole >> (ExponentWidth'(ToLeast) - weight) : whole;
      assign field  = below ? '0 : weight + ExponentWidth'(ToBias);
    end
  end

  // ---------------------------------------------------------------------------------------------- encoding

  logic [ToExponentBits-1:0] exponent_field;
  logic [ToFractionBits-1:0] fraction;
  logic                      unused_bits;

  assign exponent_field = infinite ? '1 : field[ToExponentBits-1:0];
  assign fraction       = infinite ? '0 : placed[ToFractionBits-1:0];
  assign unused_bits    = ^{field, placed, zero, negative, Nan};

  logic [ToWidth-1:0] number;

  if (ToSignBits == 1) begin : gen_signed
    // Without a minus zero, its encoding is NaN; then the first format has none either.
    assign number[ToWidth-1] = ToNonFinite == 3 && zero ? 1'b0 : negative;
  end
  assign number[ToPaddingBits +: ToExponentBits+ToFractionBits] = {exponent_field, fraction};
  if (ToPaddingBits > 0) begin : gen_padding
    assign number[ToPaddingBits-1:0] = '0;
  end

  assign number_o = nan ? Nan[ToWidth-1:0] : number;

endmodule
