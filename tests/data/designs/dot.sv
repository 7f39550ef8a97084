module dot #(parameter int Bits = 8) (
  input  logic            clk,
  input  logic            rst,
  input  logic [3:0]      mode,
  input  logic [Bits-1:0] a,
  input  logic [Bits-1:0] b,
  input  logic [7:0]      c,
  output logic [7:0]      d,
  output logic            done
);
  logic [7:0] d_q;
  always_ff @(posedge clk) d_q <= rst ? '0 : a ^ b ^ c;
  assign d = d_q;
  assign done = mode == 0;
endmodule
