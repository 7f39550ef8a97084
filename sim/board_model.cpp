// The harness of a board: fills a tensorsmith_unit_table for a module with clk_i, rst_ni, rx_i, tx_o, busy_o, passed_o
// and failed_o.
//
// Compiled as design_model.cpp is. A vector is the time of one character on the line, ten bits: its a holds the levels of the line
// to the board, the first in the lowest bit, and in bit 10 whether the board is held in reset; b the clocks of one of these bits,
// c those of a bit of the line from the board, both in 1/256. Its result holds how many bytes the board sent in that time (lowest
// byte, at most 6), these bytes from the second one up, and in the highest bits whether a request is under way, the self-test passed,
// and it failed. It never lets an exception out.

#include <cstdint>

namespace {

using Top = TENSORSMITH_TOP;

// A board shows no signals: its wires are all that is known.
constexpr tensorsmith_signal signals[] = {tensorsmith_signal{nullptr, 0}};
constexpr std::uint32_t signal_count = 0;

constexpr std::uint64_t fraction = 256;  // of a clock
constexpr unsigned most_bytes = 6;       // that a result holds

class Model {
  public:
    // The text of the last failure.
    std::array<char, 4096> message{};

    // A failed call leaves no half-evaluated state behind: the next one makes the model anew.
    void forget() {
        top_.reset();
        context_.reset();
    }

    void run(const tensorsmith_operands& operands, std::uint64_t* d, std::size_t count, std::size_t& vector) {
        const tensorsmith_runtime::Printing printing(printed_);
        if (!top_) restart();
        Verilated::threadContextp(context_.get());
        for (vector = 0; vector < count; ++vector) {
            bytes_ = 0;
            sent_ = 0;
            top_->rst_ni = (operands.a[vector] >> 10 & 1) == 0;
            for (unsigned bit = 0; bit < 10; ++bit) {
                top_->rx_i = operands.a[vector] >> bit & 1;
                for (left_ += operands.b[vector]; left_ >= fraction; left_ -= fraction) clock(operands.c[vector]);
            }
            d[vector] = sent_ | bytes_ << 8 | std::uint64_t{top_->busy_o} << 63 | std::uint64_t{top_->passed_o} << 62 | std::uint64_t{top_->failed_o} << 61;
        }
    }

    void read(std::uint32_t, std::uint32_t*) const {}

  private:
    void clock(std::uint64_t listen) {
        top_->clk_i = 0;
        top_->eval();
        top_->clk_i = 1;
        top_->eval();
        if (listening_ == 0) {
            if (top_->tx_o) return;
            // The middle of the first data bit.
            listening_ = 9;
            wait_ = listen + listen / 2;
            byte_ = 0;
        } else if (wait_ >= fraction) {
            wait_ -= fraction;
        } else {
            wait_ += listen - fraction;
            if (--listening_ > 0) {
                byte_ |= std::uint64_t{top_->tx_o} << (8 - listening_);
            } else if (top_->tx_o && sent_ < most_bytes) {
                bytes_ |= byte_ << (8 * sent_++);
            }
        }
    }

    void restart() {
        context_ = std::make_unique<VerilatedContext>();
        Verilated::threadContextp(context_.get());
        // What has no first value of its own starts at random, as a chip's registers may.
        context_->randReset(2);
        context_->randSeed(1);
        top_ = std::make_unique<Top>(context_.get(), "");
        top_->clk_i = 0;
        top_->rst_ni = 0;
        top_->rx_i = 1;
        top_->eval();
        left_ = 0;
        listening_ = 0;
        for (unsigned cycle = 0; cycle < 16; ++cycle) {
            top_->clk_i = 0;
            top_->eval();
            top_->clk_i = 1;
            top_->eval();
        }
        top_->rst_ni = 1;
    }

    std::string printed_;
    std::unique_ptr<VerilatedContext> context_;
    std::unique_ptr<Top> top_;  // after the context that it uses: destroyed first
    std::uint64_t left_ = 0;     // of a clock, that the last bit to the board did not use
    unsigned listening_ = 0;     // bits of the byte from the board that are still to come
    std::uint64_t wait_ = 0;     // clocks until the next of them, in 1/256
    std::uint64_t byte_ = 0;
    std::uint64_t bytes_ = 0;
    std::uint64_t sent_ = 0;
};

constexpr const char* (*configure)(void*, const tensorsmith_schedule*) = nullptr;

}  // namespace

#include "entry.h"
