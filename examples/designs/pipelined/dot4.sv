// Four e4m3 products and a binary32 addend, in three stages: products and anchor, sum, result. One result a clock; no reset.
//
// Fault 1 keeps one fraction bit too few, fault 2 rounds terms downward where they have to be cut.

package dot4_package;
  localparam int Products = 4;
  localparam int Floor    = -133;
  localparam int WindowWidth = 14;            // below 4 * 2^12, in units of 2^(anchor - 12)
  localparam int SumWidth    = WindowWidth + 4;

  typedef struct packed {
    logic              negative;
    logic              is_zero;
    logic signed [9:0] exponent;
    logic [24:0]       significand;           // 23 fraction bits; a product lies below 4
  } term_t;
endpackage

module dot4
  import dot4_package::*;
#(
  parameter int Fault = 0
) (
  input  logic        clk,
  input  logic [7:0]  a [Products],
  input  logic [7:0]  b [Products],
  input  logic [31:0] c,
  output logic [31:0] d
);

  localparam int FractionBits = (Fault == 1) ? 11 : 12;

  // -------------------------------------------------------------------------------------------------- products, anchor

  function automatic term_t product(input logic [7:0] x, input logic [7:0] y);
    logic [3:0] significand_x = {x[6:3] != 0, x[2:0]};
    logic [3:0] significand_y = {y[6:3] != 0, y[2:0]};
    logic [7:0] exact = significand_x * significand_y;
    int exponent = (x[6:3] == 0 ? 1 : int'(x[6:3])) + (y[6:3] == 0 ? 1 : int'(y[6:3])) - 14;
    product = '{negative: x[7] ^ y[7], is_zero: exact == 0, exponent: 10'(exponent), significand: {exact, 17'd0}};
  endfunction

  function automatic term_t addend(input logic [31:0] x);
    int exponent = (x[30:23] == 0 ? 1 : int'(x[30:23])) - 127;
    logic [23:0] significand = {x[30:23] != 0, x[22:0]};
    addend = '{negative: x[31], is_zero: significand == 0, exponent: 10'(exponent), significand: {1'b0, significand}};
  endfunction

  term_t terms [Products+1], terms_q [Products+1];
  logic signed [9:0] anchor, anchor_q, anchor_qq;
  logic nan, nan_q, nan_qq, infinite_q, infinite_qq, sign_q, sign_qq;

  always_comb begin
    for (int i = 0; i < Products; ++i) terms[i] = product(a[i], b[i]);
    terms[Products] = addend(c);
    anchor = 10'(Floor);
    for (int i = 0; i <= Products; ++i) begin
      if (!terms[i].is_zero && terms[i].exponent > anchor) anchor = terms[i].exponent;
    end
    nan = &c[30:23] && c[22:0] != 0;
    for (int i = 0; i < Products; ++i) nan |= &a[i][6:0] || &b[i][6:0];
  end

  always_ff @(posedge clk) begin
    terms_q    <= terms;
    anchor_q   <= anchor;
    nan_q      <= nan;
    infinite_q <= &c[30:23];
    sign_q     <= c[31];
  end

  // --------------------------------------------------------------------------------------------------------------- sum

  logic signed [SumWidth-1:0] sum, sum_q;

  always_comb begin
    sum = '0;
    for (int i = 0; i <= Products; ++i) begin
      logic [9:0] distance;
      logic [24:0] whole, window;
      logic lost;
      distance = anchor_q - terms_q[i].exponent;
      whole = terms_q[i].significand >> (23 - FractionBits);
      window = whole >> distance;
      lost = (window << distance) != whole || terms_q[i].significand[22-FractionBits:0] != 0;
      if (Fault == 2 && terms_q[i].negative && lost) window = window + 1'b1;
      if (!terms_q[i].is_zero) begin
        if (terms_q[i].negative) sum = sum - SumWidth'(window);
        else sum = sum + SumWidth'(window);
      end
    end
  end

  always_ff @(posedge clk) begin
    sum_q       <= sum;
    anchor_qq   <= anchor_q;
    nan_qq      <= nan_q;
    infinite_qq <= infinite_q;
    sign_qq     <= sign_q;
  end

  // ------------------------------------------------------------------------------------------------------------ result

  logic [31:0] result;

  always_comb begin
    logic [SumWidth-1:0] magnitude;
    logic [31:0] aligned;
    int leading, exponent;
    magnitude = sum_q < 0 ? SumWidth'(-sum_q) : sum_q;
    leading = 0;
    for (int i = 0; i < SumWidth; ++i) if (magnitude[i]) leading = i;
    exponent = int'(anchor_qq) - FractionBits + leading + 127;
    // The leading one goes to bit 23; of subnormal results bit 0 has the weight 2^-149.
    aligned = 32'(magnitude) << (exponent > 0 ? 23 - leading : int'(anchor_qq) - FractionBits + 149);
    result = {sum_q < 0, exponent > 0 ? 8'(exponent) : 8'd0, aligned[22:0]};
    if (exponent > 254) result = {sum_q < 0, 8'hff, 23'd0};
    if (magnitude == 0) result = '0;
    if (infinite_qq) result = {sign_qq, 8'hff, 23'd0};
    if (nan_qq) result = 32'h7fffffff;
  end

  always_ff @(posedge clk) d <= result;

endmodule
