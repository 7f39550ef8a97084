// Four e4m3 products and a binary32 addend between two streams with valid and ready: operands in one word, b above a and c at
// the top, as a struct has them. Three stages that wait for each other. Sums are kept as sign and magnitude.
//
// Fault 1 loses a result that waits when the next one comes, fault 2 answers NaN with the NaN of c, fault 3 repeats a result
// when the consumer takes it in the clock in which a new one arrives.

module dot4_elastic #(
  parameter int Fault = 0
) (
  input  logic        aclk,
  input  logic        aresetn,
  input  logic [95:0] s_tdata,
  input  logic        s_tvalid,
  output logic        s_tready,
  output logic [31:0] m_tdata,
  output logic        m_tvalid,
  input  logic        m_tready
);

  typedef struct packed {
    logic [31:0]     c;
    logic [3:0][7:0] b;
    logic [3:0][7:0] a;
  } operands_t;

  // -------------------------------------------------------------------------------------------------------- handshakes

  operands_t   operands_q;
  logic        operands_valid_q, sum_valid_q, result_valid_q;
  logic        sum_ready, operands_ready, result_ready;

  assign result_ready   = !result_valid_q || m_tready || Fault == 1;
  assign sum_ready      = !sum_valid_q || result_ready;
  assign operands_ready = !operands_valid_q || sum_ready;
  assign s_tready       = operands_ready;
  assign m_tvalid       = result_valid_q;

  // ------------------------------------------------------------------------------------------- sum of products and addend

  logic signed [9:0] exponents [5];
  logic [15:0]       significands [5];  // 14 fraction bits of the addend; a product's 6 at the top
  logic              negatives [5];
  logic signed [9:0] anchor, anchor_q;
  logic [16:0]       positive, negative, magnitude_q;
  logic              sign_q, special_q;
  logic [31:0]       special, special_word_q;
  logic              is_special;

  function automatic logic [3:0] field(input logic [7:0] x);
    return x[6:3] == 0 ? 4'd1 : x[6:3];
  endfunction

  always_comb begin
    for (int i = 0; i < 4; ++i) begin
      significands[i] = 16'({|operands_q.a[i][6:3], operands_q.a[i][2:0]} * {4'd0, |operands_q.b[i][6:3], operands_q.b[i][2:0]}) << 6;
      exponents[i]    = 10'(field(operands_q.a[i])) + 10'(field(operands_q.b[i])) - 10'sd14;
      negatives[i]    = operands_q.a[i][7] ^ operands_q.b[i][7];
    end
    significands[4] = 16'({|operands_q.c[30:23], operands_q.c[22:11]});
    exponents[4]    = (operands_q.c[30:23] == 0 ? 10'sd1 : 10'(operands_q.c[30:23])) - 10'sd127;
    negatives[4]    = operands_q.c[31];
    anchor = -10'sd133;
    for (int i = 0; i < 5; ++i) begin
      logic is_there;
      is_there = i < 4 ? significands[i] != 0 : operands_q.c[30:0] != 0;
      if (is_there && exponents[i] > anchor) anchor = exponents[i];
    end
    positive = '0;
    negative = '0;
    for (int i = 0; i < 5; ++i) begin
      logic [15:0] aligned;
      aligned = significands[i] >> 10'(anchor - exponents[i]);
      if (negatives[i]) negative += 17'(aligned);
      else positive += 17'(aligned);
    end
    is_special = 1'b0;
    special = 32'h7fffffff;
    if (&operands_q.c[30:23]) begin
      is_special = 1'b1;
      special = operands_q.c[22:0] == 0 ? operands_q.c : Fault == 2 ? operands_q.c | 32'h00400000 : 32'h7fffffff;
    end
    for (int i = 0; i < 4; ++i) begin
      if (&operands_q.a[i][6:0] || &operands_q.b[i][6:0]) begin
        is_special = 1'b1;
        special = 32'h7fffffff;
      end
    end
  end

  // ------------------------------------------------------------------------------------------------------------ result

  logic [31:0] result, result_q;

  always_comb begin
    logic [16:0]       normalised;
    logic signed [9:0] exponent;
    // A shift left a bit at a time, for as long as the leading one is not at the top and the exponent allows it.
    normalised = magnitude_q;
    exponent = anchor_q + 10'sd4 + 10'sd127;
    for (int i = 0; i < 16; ++i) begin
      if (!normalised[16] && exponent > 1) begin
        normalised = normalised << 1;
        exponent = exponent - 10'sd1;
      end
    end
    result = {sign_q, normalised[16] ? exponent[7:0] : 8'd0, normalised[15:0], 7'd0};
    if (normalised[16] && exponent > 254) result = {sign_q, 8'hff, 23'd0};
    if (magnitude_q == 0) result = '0;
    if (special_q) result = special_word_q;
  end

  // --------------------------------------------------------------------------------------------------------- registers

  always_ff @(posedge aclk) begin
    if (operands_ready) operands_q <= s_tdata;
    if (sum_ready) begin
      anchor_q       <= anchor;
      sign_q         <= negative > positive;
      magnitude_q    <= negative > positive ? negative - positive : positive - negative;
      special_q      <= is_special;
      special_word_q <= special;
    end
    if (result_ready) result_q <= result;
    if (!aresetn) begin
      operands_valid_q <= 1'b0;
      sum_valid_q      <= 1'b0;
      result_valid_q   <= 1'b0;
    end else begin
      if (operands_ready) operands_valid_q <= s_tvalid;
      if (sum_ready) sum_valid_q <= operands_valid_q;
      if (result_ready) result_valid_q <= sum_valid_q || (Fault == 3 && result_valid_q && &result_q[3:2]);
    end
  end

  assign m_tdata = result_q;

endmodule
