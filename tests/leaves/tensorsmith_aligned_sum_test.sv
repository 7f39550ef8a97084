// Test of tensorsmith_aligned_sum: random terms of few exponents, with and without addend, floor, reach and shorter addend.
//
// The expected numbers are quotients by powers of two, summed in 128 bits. Each checker drives a twin that gets the addend,
// or where there is none the first term, with the other sign: it has to differ at least once, and +fault puts it in the place
// of the module under test.
//
// Every STRIDE-th input is taken.

module tensorsmith_aligned_sum_test;
  localparam Leaf = "tensorsmith_aligned_sum";
  `include "leaf_test.svh"

  // Count, SignificandWidth, PlaceLeft, HasAddend, AddendWidth, AddendPlaceLeft, AddendCutBits, AddendReach, GuardBits,
  // ExponentFloor, FloorActs, AlignedWidth, SumWidth, Biased. The sign and the placed significand without guard bits fit
  // AlignedWidth.
  aligned_sum_checker #(1,  4, 0, 1,  4, 0, 0, -1, 0, -8, 0,  5,  7) u_two ();
  aligned_sum_checker #(1,  4, 0, 0,  4, 0, 0, -1, 0, -8, 0,  5,  5) u_one ();
  aligned_sum_checker #(3,  5, 1, 1,  4, 2, 0, -1, 2,  2, 1,  5,  7) u_floor ();
  aligned_sum_checker #(4,  6, 0, 0,  4, 0, 0, -1, 3,  0, 1,  4,  6) u_floor_alone ();
  aligned_sum_checker #(4, 22, 3, 1, 24, 0, 0, -1, 0, -8, 0, 26, 29) u_volta ();
  aligned_sum_checker #(1,  9, 4, 1,  8, 5, 3,  6, 0, -8, 0, 14, 16) u_reach ();
  aligned_sum_checker #(2,  9, 4, 1,  8, 5, 2,  0, 3,  1, 1, 11, 12) u_everything ();
  aligned_sum_checker #(1,  4, 0, 1,  4, 0, 0, -1, 0, -16, 0,  5,  7, 1) u_biased_two ();
  aligned_sum_checker #(3,  5, 1, 0,  4, 2, 0, -1, 2, -16, 0,  5,  7, 1) u_biased_alone ();
  aligned_sum_checker #(4, 22, 3, 1, 24, 0, 0, -1, 0, -16, 0, 26, 29, 1) u_biased_volta ();
  aligned_sum_checker #(2,  9, 4, 1,  8, 5, 2,  0, 3,   4, 1, 11, 12, 1) u_biased_floor ();
endmodule

module aligned_sum_checker #(
    parameter int Count = 4, parameter int SignificandWidth = 22, parameter int PlaceLeft = 0, parameter int HasAddend = 1,
    parameter int AddendWidth = 24, parameter int AddendPlaceLeft = 0, parameter int AddendCutBits = 0,
    parameter int AddendReach = -1, parameter int GuardBits = 0, parameter int ExponentFloor = -8,
    parameter int FloorActs = 0, parameter int AlignedWidth = 28, parameter int SumWidth = 33, parameter int Biased = 0
);
  localparam int ExponentWidth = 6;
  localparam int TermWidth     = Biased != 0 ? 5 : ExponentWidth;
  localparam int Bias          = Biased != 0 ? 9 : 0;
  localparam int Vectors       = 2000;

  logic [Count-1:0]                          negative, twin_negative;
  logic [Count*TermWidth-1:0]                exponent;
  logic [Count*SignificandWidth-1:0]         significand;
  logic                                      addend_negative, dropped, twin_dropped;
  logic signed [ExponentWidth-1:0]           addend_exponent, anchor, twin_anchor;
  logic [AddendWidth-1:0]                    addend_significand;
  logic [(Count+HasAddend)*AlignedWidth-1:0] aligned, twin_aligned;
  logic [SumWidth-1:0]                       sum, twin_sum;

  assign twin_negative = HasAddend != 0 ? negative : negative ^ 1'b1;

  tensorsmith_aligned_sum #(.Count(Count), .SignificandWidth(SignificandWidth), .PlaceLeft(PlaceLeft),
      .HasAddend(HasAddend), .AddendWidth(AddendWidth), .AddendPlaceLeft(AddendPlaceLeft),
      .AddendCutBits(AddendCutBits), .AddendReach(AddendReach), .GuardBits(GuardBits), .ExponentWidth(ExponentWidth),
      .ExponentFloor(ExponentFloor), .FloorActs(FloorActs), .Biased(Biased), .TermWidth(TermWidth),
      .AlignedWidth(AlignedWidth), .SumWidth(SumWidth))
      u_sum (.negative_i(negative), .exponent_i(exponent), .significand_i(significand),
      .addend_negative_i(addend_negative), .addend_exponent_i(addend_exponent),
      .addend_significand_i(addend_significand), .anchor_o(anchor), .aligned_o(aligned), .addend_dropped_o(dropped),
      .sum_o(sum));

  tensorsmith_aligned_sum #(.Count(Count), .SignificandWidth(SignificandWidth), .PlaceLeft(PlaceLeft),
      .HasAddend(HasAddend), .AddendWidth(AddendWidth), .AddendPlaceLeft(AddendPlaceLeft),
      .AddendCutBits(AddendCutBits), .AddendReach(AddendReach), .GuardBits(GuardBits), .ExponentWidth(ExponentWidth),
      .ExponentFloor(ExponentFloor), .FloorActs(FloorActs), .Biased(Biased), .TermWidth(TermWidth),
      .AlignedWidth(AlignedWidth), .SumWidth(SumWidth))
      u_twin (.negative_i(twin_negative), .exponent_i(exponent), .significand_i(significand),
      .addend_negative_i(!addend_negative), .addend_exponent_i(addend_exponent),
      .addend_significand_i(addend_significand), .anchor_o(twin_anchor), .aligned_o(twin_aligned),
      .addend_dropped_o(twin_dropped), .sum_o(twin_sum));

  bit                  fault, twin_differed;
  int                  seed, vector, index, greatest, drawn;
  logic signed [127:0] term, total;
  logic [SumWidth:0]   expected, judged;

  assign judged = fault ? {twin_dropped, twin_sum} : {dropped, sum};

  initial begin
    tensorsmith_aligned_sum_test.started = tensorsmith_aligned_sum_test.started + 1;
    fault         = $test$plusargs("fault");
    twin_differed = 0;
    seed          = 100 * Count + AlignedWidth;
    for (vector = 0; vector < Vectors; vector = vector + `STRIDE) begin
      // Exponents of -8 to 7, so that terms meet; with a floor that does not act, none lies below it. Biased ones of 1 to 16, 0
      // for a third of the terms, which are zero; an addend of -15 to 16.
      greatest        = FloorActs != 0 || Biased != 0 ? ExponentFloor : -100;
      negative        = $random(seed);
      addend_negative = $random(seed);
      drawn           = $urandom(seed) % 16;
      drawn           = drawn - 8 + Bias;
      if (Biased != 0 && vector % 2 == 0) drawn = drawn - 16;
      addend_exponent = drawn;
      addend_significand = {$random(seed), $random(seed)};
      if (HasAddend != 0 && drawn > greatest) greatest = drawn;
      for (index = 0; index < Count; index = index + 1) begin
        drawn = $urandom(seed) % 16;
        drawn = drawn - 8 + Bias;
        significand[index*SignificandWidth +: SignificandWidth] = {$random(seed), $random(seed)};
        if (Biased != 0 && $urandom(seed) % 3 == 0) begin
          drawn = 0;
          significand[index*SignificandWidth +: SignificandWidth] = '0;
        end else if (drawn > greatest) greatest = drawn;
        exponent[index*TermWidth +: TermWidth] = drawn;
      end
      #1;

      total = 0;
      for (index = 0; index < Count; index = index + 1) begin
        term = significand[index*SignificandWidth +: SignificandWidth];
        drawn = Biased != 0 ? 32'(exponent[index*TermWidth +: TermWidth]) : 32'($signed(exponent[index*TermWidth +: TermWidth]));
        if (term != 0) term = (term << PlaceLeft) >> (greatest - drawn + GuardBits);
        total = negative[index] ? total - term : total + term;
      end
      expected[SumWidth] = HasAddend != 0 && AddendReach >= 0 && greatest - addend_exponent > AddendReach;
      if (HasAddend != 0 && !expected[SumWidth]) begin
        term  = addend_significand;
        term  = ((term << AddendPlaceLeft) >> (greatest - addend_exponent + GuardBits + AddendCutBits)) << AddendCutBits;
        total = addend_negative ? total - term : total + term;
      end
      expected[SumWidth-1:0] = total[SumWidth-1:0];

      if (judged !== expected || anchor !== ExponentWidth'(greatest))
        tensorsmith_aligned_sum_test.fail($sformatf("%m exponents=%h addend=%0d anchor=%0d expected=%h actual=%h",
            exponent, addend_exponent, anchor, expected, judged));
      if ({twin_dropped, twin_sum} !== expected) twin_differed = 1;
    end
    tensorsmith_aligned_sum_test.finish((Vectors + `STRIDE - 1) / `STRIDE, twin_differed);
  end
endmodule
