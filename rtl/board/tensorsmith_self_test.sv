// SPDX-License-Identifier: MIT OR Apache-2.0
// A test that a board makes of itself: requests from a memory go to the bridge before any of the host, and its answers are compared
// with those in another memory. The host's line waits until then.
//
// Words hold a byte and on top of it a mark. Of requests a marked word ends one, and its byte means nothing; of answers a marked word
// is the last byte of one. The next request waits for the answer to the one before.

module tensorsmith_self_test #(
    parameter int RequestWords = 1,  // at least 1
    parameter logic [9*RequestWords-1:0] Requests = '0,  // the first on top
    parameter int AnswerWords  = 1,  // at least 1
    parameter logic [9*AnswerWords-1:0] Answers = '0,
    parameter int PatienceLog2 = 20  // two to this power cycles it may take at most
) (
    input  logic clk_i,
    input  logic rst_ni,  // synchronous; the test begins behind it

    // Content of the host's requests.
    input  logic [7:0] host_data_i,
    input  logic       host_valid_i,
    input  logic       host_end_i,
    input  logic       host_good_i,
    output logic       host_ready_o,

    // Content of requests, to the bridge.
    output logic [7:0] request_data_o,
    output logic       request_valid_o,
    output logic       request_end_o,
    output logic       request_good_o,
    input  logic       request_ready_i,

    // Content of answers, from the bridge.
    input  logic [7:0] answer_data_i,
    input  logic       answer_last_i,
    input  logic       answer_valid_i,
    output logic       answer_ready_o,

    // What of these the host gets.
    output logic       reply_valid_o,
    input  logic       reply_ready_i,

    output logic passed_o,  // all answers were as they should be
    output logic failed_o   // one was not, or did not come
);

  localparam int RequestWidth = $clog2(RequestWords + 1);
  localparam int AnswerWidth  = $clog2(AnswerWords + 1);

  logic [8:0] requests[2**RequestWidth];
  logic [8:0] answers[2**AnswerWidth];
  logic [8:0] request_q;                 // the word at that place
  logic [8:0] answer_q;
  logic request_valid_q;                 // it is there
  logic answer_valid_q;
  logic [RequestWidth-1:0] request_at_q;
  logic [AnswerWidth-1:0] answer_at_q;
  logic waits_q;                         // a request is asked, and its answer not over
  logic done_q;
  logic wrong_q;                         // an answer was not as it should be
  logic [PatienceLog2-1:0] cycles_q;

  logic given;                           // a word of a request is taken
  logic taken;                           // a byte of an answer is
  logic differs;

  assign given   = !done_q && request_valid_o && request_ready_i;
  assign taken   = !done_q && answer_valid_i && answer_valid_q;
  assign differs = {answer_last_i, answer_data_i} != answer_q;

  assign request_data_o  = done_q ? host_data_i : request_q[7:0];
  assign request_valid_o = done_q ? host_valid_i : request_valid_q && !waits_q;
  assign request_end_o   = done_q ? host_end_i : request_q[8];
  assign request_good_o  = done_q ? host_good_i : 1'b1;
  assign host_ready_o    = done_q && request_ready_i;
  assign answer_ready_o  = done_q ? reply_ready_i : answer_valid_q;
  assign reply_valid_o   = done_q && answer_valid_i;
  assign passed_o        = done_q && !wrong_q;
  assign failed_o        = done_q && wrong_q;

  initial begin
    for (int index = 0; index < RequestWords; index++) requests[index] = Requests[9*(RequestWords-1-index) +: 9];
    for (int index = 0; index < AnswerWords; index++) answers[index] = Answers[9*(AnswerWords-1-index) +: 9];
  end

  always_ff @(posedge clk_i) begin
    request_q <= requests[request_at_q];
    answer_q  <= answers[answer_at_q];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      request_at_q    <= '0;
      request_valid_q <= 1'b0;
      answer_at_q     <= '0;
      answer_valid_q  <= 1'b0;
      waits_q         <= 1'b0;
      done_q          <= 1'b0;
      wrong_q         <= 1'b0;
      cycles_q        <= '0;
    end else if (!done_q) begin
      // A word is there a cycle after its place.
      request_valid_q <= request_at_q != RequestWidth'(RequestWords) && !given;
      answer_valid_q  <= !taken;
      cycles_q        <= cycles_q + 1'b1;
      if (given) begin
        request_at_q <= request_at_q + 1'b1;
        if (request_q[8]) waits_q <= 1'b1;
      end
      if (taken) begin
        if (answer_at_q != AnswerWidth'(AnswerWords)) answer_at_q <= answer_at_q + 1'b1;
        if (differs) wrong_q <= 1'b1;
        if (answer_last_i) begin
          waits_q <= 1'b0;
          // Behind a wrong answer the others lie elsewhere.
          if (differs || wrong_q || answer_at_q == AnswerWidth'(AnswerWords - 1)) done_q <= 1'b1;
        end
      end
      if (&cycles_q) begin
        done_q  <= 1'b1;
        wrong_q <= 1'b1;
      end
    end
  end

endmodule
