// SPDX-License-Identifier: MIT OR Apache-2.0
// Sum of integer products: exact, then wrapped or clamped once.
//
//     d = wrap(c + a[0]*b[0] + ... + a[Products-1]*b[Products-1]), or saturate(...)
//
//     product    exact
//     sum        exact: as wide as the least and the greatest one need
//     packed     its low bits, or the nearest integer of d
//
// Combinational where Cuts is 0. Only the parameters of a unit are set; every width is derived from them below. A set of
// parameters that makes no unit does not elaborate: it asks for a module whose name, tensorsmith_error_..., says why.

module tensorsmith_integer #(
    parameter int Products = 4,  // L: products summed at once

    // Widths, and 1: two's complement, 0: unsigned.
    parameter int OperandAWidth  = 8,
    parameter int OperandASigned = 1,
    parameter int OperandBWidth  = 8,
    parameter int OperandBSigned = 1,
    parameter int AddendWidth    = 32,
    parameter int AddendSigned   = 1,
    parameter int ResultWidth    = 32,
    parameter int ResultSigned   = 1,

    parameter int Saturate = 0,  // 1: a sum beyond d is clamped, 0: it wraps

    // Places of registers, a bit each; d comes as many enabled clock edges after its operands. Bits: 0 input, 1 product,
    // 5 within the sum, 6 sum, 9 result.
    parameter  int Cuts    = 0,
    // verilator lint_off UNUSEDPARAM
    localparam int Latency = $countones(Cuts)  // for who instantiates it
    // verilator lint_on UNUSEDPARAM
) (
    input  logic                              clk_i,  // rising edge
    input  logic                              ce_i,   // 1: registers take their values
    input  logic [Products*OperandAWidth-1:0] a_i,  // a, element 0 in the lowest bits
    input  logic [Products*OperandBWidth-1:0] b_i,  // b, element 0 in the lowest bits
    input  logic [AddendWidth-1:0]            c_i,  // c
    output logic [ResultWidth-1:0]            d_o   // d
);

  // Wider than any sum.
  localparam int Room = 192;

  // Bits of the narrowest two's complement number that holds low to high.
  function automatic int signed_width(input logic signed [Room-1:0] low, input logic signed [Room-1:0] high);
    signed_width = Room;
    for (int width = Room - 1; width >= 1; width--) begin
      if (low >= -(Room'(1) <<< (width - 1)) && high < (Room'(1) <<< (width - 1))) signed_width = width;
    end
  endfunction

  // ---------------------------------------------------------------------------------------------- widths

  // Least and greatest operands. A product is least or greatest at a corner of their ranges.
  localparam logic signed [Room-1:0] LeastA         = OperandASigned != 0 ? -(Room'(1) <<< (OperandAWidth - 1)) : '0;
  localparam logic signed [Room-1:0] LeastB         = OperandBSigned != 0 ? -(Room'(1) <<< (OperandBWidth - 1)) : '0;
  localparam logic signed [Room-1:0] LeastAddend    = AddendSigned != 0 ? -(Room'(1) <<< (AddendWidth - 1)) : '0;
  localparam logic signed [Room-1:0] GreatestA      = (Room'(1) <<< (OperandAWidth - OperandASigned)) - Room'(1);
  localparam logic signed [Room-1:0] GreatestB      = (Room'(1) <<< (OperandBWidth - OperandBSigned)) - Room'(1);
  localparam logic signed [Room-1:0] GreatestAddend = (Room'(1) <<< (AddendWidth - AddendSigned)) - Room'(1);
  localparam logic signed [Room-1:0] LeastCross     = LeastA * GreatestB < GreatestA * LeastB ? LeastA * GreatestB
                                                                                              : GreatestA * LeastB;
  localparam logic signed [Room-1:0] LeastProduct    = LeastCross < 0 ? LeastCross : '0;
  localparam logic signed [Room-1:0] GreatestProduct = LeastA * LeastB > GreatestA * GreatestB ? LeastA * LeastB
                                                                                               : GreatestA * GreatestB;
  localparam logic signed [Room-1:0] LeastSum        = Room'(Products) * LeastProduct + LeastAddend;
  localparam logic signed [Room-1:0] GreatestSum     = Room'(Products) * GreatestProduct + GreatestAddend;

  // Two's complement of every product; of a product or c; of every sum.
  localparam int TermCount    = Products + 1;
  localparam int ProductWidth = signed_width(LeastProduct, GreatestProduct);
  localparam int AddendRange  = signed_width(LeastAddend, GreatestAddend);
  localparam int TermWidth    = ProductWidth > AddendRange ? ProductWidth : AddendRange;
  localparam int SumWidth     = signed_width(LeastSum, GreatestSum);

  // ---------------------------------------------------------------------------------------------- guards

  if (Products < 1 || Products > 64) begin : gen_error_products_are_1_to_64
    tensorsmith_error_products_are_1_to_64 u_error ();
  end
  if (OperandAWidth < 1 || OperandAWidth > 64 || OperandBWidth < 1 || OperandBWidth > 64 || AddendWidth < 1 || AddendWidth > 64 || ResultWidth < 1 || ResultWidth > 64) begin : gen_error_widths_are_1_to_64
    tensorsmith_error_widths_are_1_to_64 u_error ();
  end
  if ((OperandASigned != 0 && OperandASigned != 1) || (OperandBSigned != 0 && OperandBSigned != 1) || (AddendSigned != 0 && AddendSigned != 1) || (ResultSigned != 0 && ResultSigned != 1)) begin : gen_error_signed_is_0_or_1
    tensorsmith_error_signed_is_0_or_1 u_error ();
  end
  if ((Cuts & ~'h263) != 0) begin : gen_error_cuts_are_places_of_this_module
    tensorsmith_error_cuts_are_places_of_this_module u_error ();
  end

  // ---------------------------------------------------------------------------------------------- cuts

  localparam int CutInput   = (Cuts >> 0) & 1;
  localparam int CutProduct = (Cuts >> 1) & 1;
  localparam int CutTree    = (Cuts >> 5) & 1;
  localparam int CutSum     = (Cuts >> 6) & 1;
  localparam int CutResult  = (Cuts >> 9) & 1;

  logic [Products*OperandAWidth-1:0] a;  // the operands, cut
  logic [Products*OperandBWidth-1:0] b;
  logic [AddendWidth-1:0]            c;

  tensorsmith_delay #(
      .Width  (Products*OperandAWidth + Products*OperandBWidth + AddendWidth),
      .Latency(CutInput)
  ) u_input (
      .clk_i  (clk_i),
      .ce_i   (ce_i),
      .value_i({a_i, b_i, c_i}),
      .value_o({a, b, c})
  );

  // ---------------------------------------------------------------------------------------------- product

  logic [Products*ProductWidth-1:0] product;

  // A sign above each factor makes it two's complement: its own top bit, or 0 where the factor is unsigned.
  //
  //     factor    | s | a ........ |
  //     extended  | s ....... s | a ........ |      ProductWidth bits, which hold the product
  for (genvar i = 0; i < Products; i++) begin : gen_product
    logic                           a_sign;
    logic                           b_sign;
    logic signed [ProductWidth-1:0] a_extended;
    logic signed [ProductWidth-1:0] b_extended;

    assign a_sign     = 1'(OperandASigned) & a[i*OperandAWidth + OperandAWidth-1];
    assign b_sign     = 1'(OperandBSigned) & b[i*OperandBWidth + OperandBWidth-1];
    assign a_extended = ProductWidth'($signed({a_sign, a[i*OperandAWidth +: OperandAWidth]}));
    assign b_extended = ProductWidth'($signed({b_sign, b[i*OperandBWidth +: OperandBWidth]}));

    assign product[i*ProductWidth +: ProductWidth] = a_extended * b_extended;
  end

  logic [Products*ProductWidth-1:0] factor;    // products and addend, cut
  logic [AddendWidth-1:0]           c_factor;

  tensorsmith_delay #(
      .Width  (Products*ProductWidth + AddendWidth),
      .Latency(CutProduct)
  ) u_product_cut (
      .clk_i  (clk_i),
      .ce_i   (ce_i),
      .value_i({product, c}),
      .value_o({factor, c_factor})
  );

  // ---------------------------------------------------------------------------------------------- sum

  // Products first, the addend on top, all of them TermWidth bits of two's complement.
  logic [TermCount*TermWidth-1:0] term;
  logic                           c_sign;
  logic [SumWidth-1:0]            sum;

  for (genvar i = 0; i < Products; i++) begin : gen_term
    assign term[i*TermWidth +: TermWidth] = TermWidth'($signed(factor[i*ProductWidth +: ProductWidth]));
  end

  assign c_sign = 1'(AddendSigned) & c_factor[AddendWidth-1];
  assign term[Products*TermWidth +: TermWidth] = TermWidth'($signed({c_sign, c_factor}));

  tensorsmith_adder_tree #(
      .Count      (TermCount),
      .AddendWidth(TermWidth),
      .Cut        (CutTree),
      .SumWidth   (SumWidth)
  ) u_sum (
      .clk_i    (clk_i),
      .ce_i     (ce_i),
      .addends_i(term),
      .sum_o    (sum)
  );

  logic [SumWidth-1:0] total;  // cut

  tensorsmith_delay #(
      .Width  (SumWidth),
      .Latency(CutSum)
  ) u_sum_cut (
      .clk_i  (clk_i),
      .ce_i   (ce_i),
      .value_i(sum),
      .value_o(total)
  );

  // ---------------------------------------------------------------------------------------------- packed

  logic [ResultWidth-1:0] packed_word;

  tensorsmith_saturate #(
      .SumWidth    (SumWidth),
      .ResultWidth (ResultWidth),
      .ResultSigned(ResultSigned),
      .Saturate    (Saturate)
  ) u_saturate (
      .sum_i   (total),
      .result_o(packed_word)
  );

  tensorsmith_delay #(
      .Width  (ResultWidth),
      .Latency(CutResult)
  ) u_result (
      .clk_i  (clk_i),
      .ce_i   (ce_i),
      .value_i(packed_word),
      .value_o(d_o)
  );

endmodule
