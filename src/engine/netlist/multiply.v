// How Yosys makes gates of an unsigned product, for 3-input lookup tables: Booth digits of two bits of B (Booth 1951; MacSorley
// 1961), each row added to those before it. A tenth fewer tables than of Yosys' own products. Signed factors, and
// those of fewer than 6 bits, which would take more, are left to Yosys.
//
//   digit         -2 B[2i+1] + B[2i] + B[2i-1], from -2 to 2
//   multiple      digit * A, two's complement: inverted where the digit is negative, and one more in the next row
//   sign          of a row s at bit A_WIDTH + 1: -s 2^n = (1 - s) 2^n - 2^n; those constants are the ones on the left

(* techmap_celltype = "$mul" *)
module multiply (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;

  input  [A_WIDTH-1:0] A;
  input  [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;

  wire _TECHMAP_FAIL_ = A_SIGNED || B_SIGNED || A_WIDTH < 6 || B_WIDTH < 6;

  localparam DIGITS = B_WIDTH / 2 + 1;
  localparam WIDTH  = A_WIDTH + B_WIDTH;

  wire [2*DIGITS:0]           padded;  // a zero on the right, and one or two on the left
  wire [WIDTH*(DIGITS+1)-1:0] sums;    // of the first rows, one after the other

  assign padded          = {{(2 * DIGITS - B_WIDTH) {1'b0}}, B, 1'b0};
  assign sums[WIDTH-1:0] = 0;

  genvar digit;
  generate
    for (digit = 0; digit < DIGITS; digit = digit + 1) begin : gen_row
      wire             negative = padded[2*digit+2];
      wire             odd      = padded[2*digit+1] ^ padded[2*digit];
      wire             nonzero  = odd | (padded[2*digit+2] ^ padded[2*digit+1]);
      wire [A_WIDTH:0] once     = odd ? {1'b0, A} : {A, 1'b0};
      wire [A_WIDTH:0] multiple = (once & {(A_WIDTH + 1) {nonzero}}) ^ {(A_WIDTH + 1) {negative}};

      if (digit == 0) begin : gen_first
        wire [WIDTH+3:0] row = {~negative, negative, negative, multiple};
        assign sums[WIDTH +: WIDTH] = row[WIDTH-1:0];
      end else begin : gen_next
        // From two bits lower on, where the row before needs one more if it is negative.
        localparam LOW = 2 * digit - 2;
        wire [WIDTH+3:0]     row = {1'b1, ~negative, multiple, 1'b0, padded[2*digit]};
        wire [WIDTH-LOW-1:0] sum = sums[WIDTH*digit+LOW +: WIDTH-LOW] + row[WIDTH-LOW-1:0];
        if (LOW == 0) begin : gen_whole
          assign sums[WIDTH*(digit+1) +: WIDTH] = sum;
        end else begin : gen_upper
          assign sums[WIDTH*(digit+1) +: WIDTH] = {sum, sums[WIDTH*digit +: LOW]};
        end
      end
    end
  endgenerate

  assign Y = sums[WIDTH*DIGITS +: WIDTH];
endmodule
