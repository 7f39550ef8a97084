// SPDX-License-Identifier: MIT OR Apache-2.0
// A unit between two streams at the end of a serial line: the line's bytes, their frames, and what these ask.

module tensorsmith_serial_bridge #(
    parameter int ClockHz       = 48_000_000,  // of clk_i
    parameter int Baud          = 3_000_000,   // bits a second on the line, at most a quarter of the clock rate
    parameter int BufferLog2    = 11,          // two to this power bytes of requests may be on their way
    parameter int OperandsWidth = 160,         // of a vector
    parameter int AnswerWidth   = 32,          // of a result
    parameter int IdentityBytes = 1,
    parameter logic [8*IdentityBytes-1:0] Identity = "-",  // text, the first letter on top
    parameter int RequestWords  = 1,           // of the self-test, as tensorsmith_self_test has them
    parameter logic [9*RequestWords-1:0] Requests = '0,
    parameter int AnswerWords   = 1,
    parameter logic [9*AnswerWords-1:0] Answers = '0
) (
    input  logic                     clk_i,
    input  logic                     rst_ni,            // synchronous
    input  logic                     rx_i,              // the line from the host
    output logic                     tx_o,              // the line to the host
    output logic [OperandsWidth-1:0] operands_o,
    output logic                     operands_valid_o,
    input  logic                     operands_ready_i,
    input  logic [AnswerWidth-1:0]   result_i,
    input  logic                     result_valid_i,
    output logic                     result_ready_o,
    output logic                     busy_o,            // a request is under way
    output logic                     passed_o,          // the self-test found all answers as they should be
    output logic                     failed_o           // it did not
);

  logic [7:0] received;
  logic received_valid;
  logic [7:0] waiting;
  logic waiting_valid;
  logic waiting_ready;
  logic [7:0] request;
  logic request_valid;
  logic request_end;
  logic request_good;
  logic request_ready;
  logic [7:0] asked;
  logic asked_valid;
  logic asked_end;
  logic asked_good;
  logic asked_ready;
  logic reply_valid;
  logic reply_ready;
  logic [7:0] answer;
  logic answer_last;
  logic answer_valid;
  logic answer_ready;
  logic [7:0] framed;
  logic framed_valid;
  logic framed_ready;

  tensorsmith_uart_receiver #(
      .ClockHz(ClockHz),
      .Baud   (Baud)
  ) u_receiver (
      .clk_i, .rst_ni, .rx_i, .data_o(received), .valid_o(received_valid)
  );

  tensorsmith_byte_fifo #(
      .DepthLog2(BufferLog2)
  ) u_requests (
      .clk_i, .rst_ni, .data_i(received), .valid_i(received_valid), .data_o(waiting), .valid_o(waiting_valid),
      .ready_i(waiting_ready)
  );

  tensorsmith_frame_receiver u_frames (
      .clk_i, .rst_ni, .data_i(waiting), .valid_i(waiting_valid), .ready_o(waiting_ready), .data_o(request),
      .valid_o(request_valid), .end_o(request_end), .good_o(request_good), .ready_i(request_ready)
  );

  tensorsmith_self_test #(
      .RequestWords(RequestWords),
      .Requests    (Requests),
      .AnswerWords (AnswerWords),
      .Answers     (Answers)
  ) u_self_test (
      .clk_i, .rst_ni,
      .host_data_i(request), .host_valid_i(request_valid), .host_end_i(request_end), .host_good_i(request_good),
      .host_ready_o(request_ready),
      .request_data_o(asked), .request_valid_o(asked_valid), .request_end_o(asked_end), .request_good_o(asked_good),
      .request_ready_i(asked_ready),
      .answer_data_i(answer), .answer_last_i(answer_last), .answer_valid_i(answer_valid), .answer_ready_o(answer_ready),
      .reply_valid_o(reply_valid), .reply_ready_i(reply_ready), .passed_o, .failed_o
  );

  tensorsmith_bridge #(
      .OperandsWidth(OperandsWidth),
      .AnswerWidth  (AnswerWidth),
      .IdentityBytes(IdentityBytes),
      .Identity     (Identity)
  ) u_bridge (
      .clk_i, .rst_ni,
      .request_data_i(asked), .request_valid_i(asked_valid), .request_end_i(asked_end), .request_good_i(asked_good),
      .request_ready_o(asked_ready),
      .answer_data_o(answer), .answer_last_o(answer_last), .answer_valid_o(answer_valid), .answer_ready_i(answer_ready),
      .operands_o, .operands_valid_o, .operands_ready_i, .result_i, .result_valid_i, .result_ready_o, .busy_o
  );

  tensorsmith_frame_sender u_answers (
      .clk_i, .rst_ni, .data_i(answer), .last_i(answer_last), .valid_i(reply_valid), .ready_o(reply_ready),
      .data_o(framed), .valid_o(framed_valid), .ready_i(framed_ready)
  );

  tensorsmith_uart_sender #(
      .ClockHz(ClockHz),
      .Baud   (Baud)
  ) u_sender (
      .clk_i, .rst_ni, .data_i(framed), .valid_i(framed_valid), .ready_o(framed_ready), .tx_o
  );

endmodule
