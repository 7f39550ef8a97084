// SPDX-License-Identifier: MIT OR Apache-2.0
// What a host asks of a unit, and what it is answered: frames with vectors in and results out, and runs of vectors that are made on
// the chip, of which signatures go back. The page "Boards" of the book has the protocol.
//
// A request is a sequence number, a command, and what the command takes; its answer begins with the same two bytes and ends with a
// status. Results are answered while vectors come in: where the status says that the request was damaged they mean nothing.

module tensorsmith_bridge #(
    parameter int OperandsWidth = 160,  // of a vector
    parameter int AnswerWidth   = 32,   // of a result
    parameter int IdentityBytes = 1,
    parameter logic [8*IdentityBytes-1:0] Identity = "-"  // text, the first letter on top
) (
    input  logic clk_i,
    input  logic rst_ni,  // synchronous

    // Content of requests, from tensorsmith_frame_receiver.
    input  logic [7:0] request_data_i,
    input  logic       request_valid_i,
    input  logic       request_end_i,
    input  logic       request_good_i,
    output logic       request_ready_o,

    // Content of answers, to tensorsmith_frame_sender.
    output logic [7:0] answer_data_o,
    output logic       answer_last_o,
    output logic       answer_valid_o,
    input  logic       answer_ready_i,

    // The unit between two streams.
    output logic [OperandsWidth-1:0] operands_o,
    output logic                     operands_valid_o,
    input  logic                     operands_ready_i,
    input  logic [AnswerWidth-1:0]   result_i,
    input  logic                     result_valid_i,
    output logic                     result_ready_o,

    output logic busy_o  // a request is under way
);

  localparam int VectorBytes = (OperandsWidth + 7) / 8;
  localparam int ResultBytes = (AnswerWidth + 7) / 8;
  localparam int Lanes       = (OperandsWidth + 63) / 64;
  localparam int CountWidth  = 48;  // of numbers of vectors
  localparam int RunBytes    = 2 * CountWidth / 8 + 8 * Lanes + 2 * VectorBytes;
  localparam int ByteWidth   = $clog2(RunBytes + IdentityBytes + ResultBytes + 8) + 1;  // of numbers of bytes
  localparam int Words       = (AnswerWidth + 63) / 64;  // of 64 bits of a result
  localparam int WordsWidth  = 64 * Words;
  localparam int OutWidth    = 8 * (ResultBytes > 8 ? ResultBytes : 8);
  localparam int LetterWidth = IdentityBytes > 1 ? $clog2(IdentityBytes) : 1;

  localparam logic [7:0] CommandIdentify = 8'h01;
  localparam logic [7:0] CommandVectors  = 8'h02;
  localparam logic [7:0] CommandRun      = 8'h03;

  localparam logic [7:0] StatusDone    = 8'h00;
  localparam logic [7:0] StatusDamaged = 8'h01;  // the check sequence was wrong
  localparam logic [7:0] StatusUnknown = 8'h02;  // there is no such command
  localparam logic [7:0] StatusLength  = 8'h03;  // the command takes another number of bytes
  localparam logic [7:0] StatusStopped = 8'h04;  // another request came during the run

  typedef enum logic [3:0] {
    Sequence,   // waits for the first byte of a request
    Command,    // for the second
    Payload,    // for the others, or the end
    Give,       // a vector goes into the unit
    Take,       // and its result comes out
    Send,       // bytes of a result or a signature go to the host
    Run,        // vectors are made and their results signed
    Drain,      // a run was stopped: results that are under way are passed over
    Identify,   // bytes of the identity go to the host
    Finish      // the status goes to the host
  } state_e;

  state_e state_q;
  logic echo_q;                        // of a head that is not repeated yet: the first or the second byte
  logic headed_q;                      // the head of the answer is sent
  logic [7:0] sequence_q;
  logic [7:0] command_q;
  logic [7:0] status_q;
  logic ended_q;                       // the request is read
  logic [ByteWidth-1:0] bytes_q;       // of the payload, of a vector, or of what is sent
  logic [7:0] letters[2**LetterWidth]; // the identity, in the order in which it is sent
  logic [7:0] letter_q;
  logic letter_valid_q;                // it is the one that comes next
  logic [OutWidth-1:0] out_q;          // a result or a signature, the lowest byte first
  logic [63:0] signature_q;
  logic [63:0] signature;
  logic [CountWidth-1:0] window_q;     // vectors of a signature
  logic [CountWidth-1:0] fed_left_q;   // vectors of the run that the unit has not taken
  logic [CountWidth-1:0] left_q;       // results of the run that have not come
  logic [CountWidth-1:0] in_window_q;  // results of the window that have not come

  logic is_run;
  logic is_vectors;
  logic content;                       // there is a byte of a request
  logic request_end;                   // there is its end
  logic load;                          // a byte of vectors or of a run goes into its place
  logic [7:0] below;                   // what leaves the generator at the bottom
  logic step;
  logic sent;

  assign is_vectors = command_q == CommandVectors;
  assign is_run     = command_q == CommandRun;
  assign content     = request_valid_i && !request_end_i;
  assign request_end = request_valid_i && request_end_i;
  assign busy_o      = state_q != Sequence;

  // ---------------------------------------------------------------------------------------------------------- requests

  // Else the next request waits; during a run it stops that.
  assign request_ready_o = state_q == Sequence || state_q == Command || state_q == Payload;
  assign load            = state_q == Payload && content && (is_vectors || is_run);

  // ----------------------------------------------------------------------------------------------- vectors and results

  tensorsmith_generator #(
      .Width(OperandsWidth)
  ) u_generator (
      .clk_i(clk_i), .data_i(request_data_i), .load_i(load), .generate_i(is_run), .step_i(step), .data_o(below),
      .vector_o(operands_o)
  );

  assign operands_valid_o = state_q == Give || (state_q == Run && fed_left_q != 0);
  assign result_ready_o   = state_q == Give || state_q == Take || state_q == Run || state_q == Drain;
  assign step             = state_q == Run && fed_left_q != 0 && operands_ready_i;

  // A result that is wider than the signature goes in 64 bits on 64 bits, each turned by one place more than those below it, so
  // that the same fault in several of them leaves a trace.
  logic [WordsWidth-1:0] result_words;
  logic [WordsWidth-1:0] turned;
  logic [63:0]           folded;

  assign result_words = WordsWidth'(result_i);

  for (genvar word = 0; word < Words; word++) begin : gen_turn
    localparam int Turn = word % 64;

    logic [63:0] own;

    assign own                   = result_words[64*word +: 64];
    assign turned[64*word +: 64] = own << Turn | own >> (64 - Turn);
  end

  always_comb begin
    folded = '0;
    for (int word = 0; word < Words; word++) folded = folded ^ turned[64*word +: 64];
  end

  // A register with several inputs (MISR) of x^64 + x^63 + x^61 + x^60 + 1.
  assign signature = {signature_q[62:0], signature_q[63] ^ signature_q[62] ^ signature_q[60] ^ signature_q[59]} ^ folded;

  // ----------------------------------------------------------------------------------------------------------- answers

  always_comb begin
    answer_valid_o = 1'b0;
    answer_last_o  = 1'b0;
    answer_data_o  = out_q[7:0];
    if (!headed_q) begin
      // The head goes back as soon as it is known.
      answer_valid_o = state_q != Sequence && state_q != Command;
      answer_data_o  = echo_q ? command_q : sequence_q;
    end else begin
      case (state_q)
        Send: answer_valid_o = 1'b1;
        Identify: begin
          answer_valid_o = letter_valid_q;
          answer_data_o  = letter_q;
        end
        Finish: begin
          answer_valid_o = 1'b1;
          answer_last_o  = 1'b1;
          answer_data_o  = status_q;
        end
        default: answer_valid_o = 1'b0;
      endcase
    end
  end

  assign sent = answer_valid_o && answer_ready_i;

  initial begin
    for (int index = 0; index < IdentityBytes; index++) letters[index] = Identity[8*(IdentityBytes-1-index) +: 8];
  end

  always_ff @(posedge clk_i) begin
    letter_q       <= letters[bytes_q[LetterWidth-1:0]];
    letter_valid_q <= state_q == Identify && !sent;
    if (!rst_ni || state_q == Sequence) begin
      headed_q <= 1'b0;
      echo_q   <= 1'b0;
    end else if (!headed_q && sent) begin
      echo_q   <= 1'b1;
      headed_q <= echo_q;
    end
  end

  // ------------------------------------------------------------------------------------------------------------- steps

  always_ff @(posedge clk_i) begin
    if (load) {left_q, window_q} <= {below, left_q, window_q[CountWidth-1:8]};

    if (!rst_ni) begin
      state_q <= Sequence;
    end else begin
      case (state_q)
        Sequence: begin
          bytes_q    <= '0;
          status_q   <= StatusDone;
          ended_q    <= 1'b0;
          sequence_q <= request_data_i;
          if (content) state_q <= Command;
        end

        Command: begin
          command_q <= request_data_i;
          if (content) state_q <= Payload;
          // A frame of one byte asks nothing.
          if (request_end) state_q <= Sequence;
        end

        Payload: begin
          if (content) begin
            bytes_q <= bytes_q + 1'b1;
            if (is_vectors && bytes_q == ByteWidth'(VectorBytes - 1)) begin
              bytes_q <= '0;
              state_q <= Give;
            end
            // More than any command takes stays more.
            if (!is_vectors && bytes_q == ByteWidth'(RunBytes + 1)) bytes_q <= bytes_q;
          end
          if (request_end) begin
            ended_q <= 1'b1;
            state_q <= Finish;
            fed_left_q  <= left_q;
            in_window_q <= window_q;
            signature_q <= '1;
            if (!request_good_i) begin
              status_q <= StatusDamaged;
            end else if (command_q == CommandIdentify) begin
              if (bytes_q == 0) state_q <= Identify;
              else status_q <= StatusLength;
            end else if (is_run) begin
              if (bytes_q != ByteWidth'(RunBytes) || window_q == 0) status_q <= StatusLength;
              else if (left_q != 0) state_q <= Run;
            end else if (is_vectors) begin
              if (bytes_q != 0) status_q <= StatusLength;
            end else begin
              status_q <= StatusUnknown;
            end
            bytes_q <= '0;
          end
        end

        // A unit without registers answers at once.
        Give, Take: begin
          if (operands_ready_i) state_q <= Take;
          if (result_valid_i) begin
            out_q   <= OutWidth'(result_i);
            state_q <= Send;
          end
        end

        Send: if (headed_q && sent) begin
          out_q   <= {8'b0, out_q[OutWidth-1:8]};
          bytes_q <= bytes_q + 1'b1;
          if (bytes_q == (is_run ? ByteWidth'(7) : ByteWidth'(ResultBytes - 1))) begin
            bytes_q <= '0;
            if (!ended_q) state_q <= Payload;
            else if (is_run && left_q != 0) state_q <= Run;
            else state_q <= Finish;
          end
        end

        Run: begin
          if (step) fed_left_q <= fed_left_q - 1'b1;
          if (result_valid_i) begin
            left_q      <= left_q - 1'b1;
            in_window_q <= in_window_q - 1'b1;
            signature_q <= signature;
            if (in_window_q == CountWidth'(1) || left_q == CountWidth'(1)) begin
              out_q       <= OutWidth'(signature);
              signature_q <= '1;
              in_window_q <= window_q;
              state_q     <= Send;
            end
          end
          if (request_valid_i) begin
            status_q <= StatusStopped;
            state_q  <= Drain;
          end
        end

        Drain: begin
          if (result_valid_i) left_q <= left_q - 1'b1;
          if (left_q == fed_left_q) state_q <= Finish;
        end

        Identify: if (headed_q && sent) begin
          bytes_q <= bytes_q + 1'b1;
          if (bytes_q == ByteWidth'(IdentityBytes - 1)) state_q <= Finish;
        end

        Finish: if (headed_q && sent) state_q <= Sequence;

        default: state_q <= Sequence;
      endcase
    end
  end

endmodule
