// Four e4m3 products and a binary32 addend with one multiplier: a vector every eleven clocks, start and done. One pass over
// the terms finds the anchor, a second one aligns and adds them; operands have to stand still meanwhile. A shift register
// that is one place wide would normalise; a loop does it at once.
//
// Fault 1 leaves the anchor of the vector before in place when it is the greater one, fault 2 flushes subnormal results.

module dot4_serial #(
  parameter int Fault = 0
) (
  input  logic             clk,
  input  logic             rst,
  input  logic             start,
  output logic             idle,
  output logic             done,
  input  logic [0:3][7:0]  x,
  input  logic [31:0]      y,   // element 0 in the highest byte
  input  logic [31:0]      z,
  input  logic [1:0]       mode,
  output logic [63:0]      r    // the result in the upper half
);

  typedef enum logic [1:0] {Idle, Anchor, Add, Done} state_t;
  state_t state;

  logic [2:0]        index;
  logic signed [9:0] anchor;
  logic signed [17:0] sum;
  logic              nan;

  // ------------------------------------------------------------------------------------------- one term at a time

  logic [7:0]        u, v, product;
  logic              negative, is_zero;
  logic signed [9:0] exponent;
  logic [24:0]       significand;

  always_comb begin
    u = x[index[1:0]];
    v = y[8*(3 - index[1:0]) +: 8];
    product = {|u[6:3], u[2:0]} * {|v[6:3], v[2:0]};
    if (index < 4) begin
      negative    = u[7] ^ v[7];
      is_zero     = product == 0;
      exponent    = 10'(|u[6:3] ? u[6:3] : 4'd1) + 10'(|v[6:3] ? v[6:3] : 4'd1) - 10'sd14;
      significand = {product, 17'd0};
    end else begin
      negative    = z[31];
      is_zero     = z[30:0] == 0;
      exponent    = 10'(|z[30:23] ? z[30:23] : 8'd1) - 10'sd127;
      significand = {1'b0, |z[30:23], z[22:0]};
    end
  end

  logic [24:0] aligned;
  assign aligned = significand >> (10'd11 + 10'(anchor - exponent));

  always_ff @(posedge clk) begin
    case (state)
      Idle: if (start) begin
        state <= Anchor;
        index <= '0;
        sum   <= '0;
        nan   <= 1'b0;
        if (Fault != 1) anchor <= -10'sd133;
      end
      Anchor: begin
        if (!is_zero && exponent > anchor) anchor <= exponent;
        if (index < 4) nan <= nan | (&u[6:0]) | (&v[6:0]);
        else nan <= nan | (&z[30:23] && z[22:0] != 0);
        index <= index == 4 ? '0 : index + 1'b1;
        if (index == 4) state <= Add;
      end
      Add: begin
        if (!is_zero) sum <= negative ? sum - 18'(aligned) : sum + 18'(aligned);
        index <= index + 1'b1;
        if (index == 4) state <= Done;
      end
      default: state <= Idle;
    endcase
    if (rst) begin
      state  <= Idle;
      anchor <= -10'sd133;
    end
  end

  // ------------------------------------------------------------------------------------------------------------ result

  logic [17:0]       magnitude;
  logic signed [9:0] place;
  logic [31:0]       result;

  always_comb begin
    magnitude = sum[17] ? 18'(-sum) : sum;
    place = anchor + 10'sd5 + 10'sd127;
    for (int i = 0; i < 17; ++i) begin
      if (!magnitude[17] && place > 1) begin
        magnitude = {magnitude[16:0], 1'b0};
        place = place - 10'sd1;
      end
    end
    result = {sum[17], magnitude[17] ? place[7:0] : 8'd0, magnitude[16:0], 6'd0};
    if (magnitude[17] && place > 254) result = {sum[17], 8'hff, 23'd0};
    if (Fault == 2 && !magnitude[17]) result[30:0] = '0;
    if (sum == 0) result = '0;
    if (&z[30:23]) result = {z[31], 8'hff, 23'd0};
    if (nan) result = 32'h7fffffff;
  end

  assign idle = state == Idle;
  assign done = state == Done;
  assign r    = mode == 2'd2 ? {result, 32'd0} : '0;

endmodule
