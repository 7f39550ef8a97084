// The harness of a user's own design: fills a tensorsmith_unit_table for the module that is emitted around it.
//
// Compiled as unit_model.cpp is, at the end of the one file that holds all generated code. The text before it defines what
// ports.h names and TENSORSMITH_CLOCKED (0: combinational), TENSORSMITH_INTERVAL (least clocks between two vectors),
// TENSORSMITH_HOLDS (1: operands stand still until the result is there), TENSORSMITH_ENABLED (1: it can be stopped by ce_i),
// TENSORSMITH_SAYS_VALID and TENSORSMITH_WAITS (1: it has a port that says that a result is there, one that says that it is
// taken), TENSORSMITH_RESETS (1: it has a reset), TENSORSMITH_RESET_CYCLES, TENSORSMITH_RESET_FREE (1: it resets without a
// clock) and TENSORSMITH_WAVE (1: it writes waveforms). The module around the design has all ports below, whatever the design
// has. It never lets an exception out.

#include "ports.h"

#if TENSORSMITH_WAVE
#include "verilated_vcd_c.h"
#endif

#include <cinttypes>
#include <deque>

namespace {

// A design shows no signals: its ports are all that is known.
constexpr tensorsmith_signal signals[] = {tensorsmith_signal{nullptr, 0}};
constexpr std::uint32_t signal_count = 0;

// Clocks without a vector at the end of a call, beside as many as a result took: whatever comes out then was not asked for.
constexpr std::uint64_t quiet_clocks = 4;

class Model {
  public:
    // The text of the last failure.
    std::array<char, 4096> message{};

    Model() { schedule_.patience = 1000; }

    void configure(const tensorsmith_schedule& schedule) {
        close_wave();
        top_.reset();
        schedule_ = schedule;
        wave_name_ = schedule.wave == nullptr ? "" : schedule.wave;
        schedule_.wave = nullptr;
        random_ = 0x9e3779b97f4a7c15u;
    }

    // A failed call leaves no half-evaluated state behind: the next one makes the model anew.
    void forget() {
        close_wave();
        top_.reset();
        context_.reset();
    }

    void run(const tensorsmith_operands& operands, std::uint64_t* d, std::size_t count, std::size_t& vector) {
        const tensorsmith_runtime::Printing printing(printed_);
        if (!top_) restart();
        Verilated::threadContextp(context_.get());
#if TENSORSMITH_CLOCKED
        clock(operands, d, count, vector);
#else
        for (vector = 0; vector < count; ++vector) {
            feed(*top_, operands, vector);
            mark(vector, vector);
            settle();
            d[vector] = answer(*top_);
        }
#endif
        if (!wave_name_.empty()) close_wave();
    }

    void read(std::uint32_t, std::uint32_t*) const {}

  private:
    // A vector inside the design, and the clock in which it was taken: the number of all clocks, and of those that counted.
    struct Flight {
        std::size_t vector;
        std::uint64_t cycle;
        std::uint64_t step;
    };

    std::uint64_t random() {
        random_ ^= random_ << 13, random_ ^= random_ >> 7, random_ ^= random_ << 17;
        return random_;
    }

    static bool chance(std::uint64_t random, unsigned shift, std::uint32_t in_256) {
        return ((random >> shift) & 255u) < in_256;
    }

    // ---------------------------------------------------------------------------------------------------- clocked designs

#if TENSORSMITH_CLOCKED
    // Where a call stands.
    struct Call {
        const tensorsmith_operands& operands;
        std::uint64_t* d;
        std::size_t count;
        std::size_t fed = 0;
        std::size_t answered = 0;
        bool offered = false;           // a vector stands at the ports, and the design has not taken it
        std::uint64_t rest = 0;         // steps until the next vector may come
        std::uint64_t progress = 0;     // the last cycle in which a vector was taken or a result given
        std::uint64_t longest = 0;      // most steps that a result took
        bool was_waiting = false;       // a result stood at the port and was not taken
        std::uint64_t waiting = 0;      // that result
    };

    // Vectors in order, with gaps in which other operands stand at the ports, and stops. Inputs change while the clock is low;
    // outputs are read before it rises.
    void clock(const tensorsmith_operands& operands, std::uint64_t* d, std::size_t count, std::size_t& vector) {
        Call call{operands, d, count};
        call.progress = cycle_;
        bool reset = schedule_.reset_after == 0 || TENSORSMITH_RESETS == 0;
        while (call.answered < count) {
            if (!reset && call.answered >= schedule_.reset_after && !flights_.empty()) {
                reset = true;
                // What was inside is lost, and asked again.
                call.fed = flights_.front().vector;
                flights_.clear();
                call.offered = call.was_waiting = false;
                call.rest = 0;
                reset_design(operands, count);
                call.progress = cycle_;
            }
            step(call, vector);
        }
        for (std::uint64_t left = call.longest + quiet_clocks; left > 0; --left) step(call, vector);
    }

    void step(Call& call, std::size_t& vector) {
        Top& top = *top_;
        const std::uint64_t chances = random();
        const bool enabled = TENSORSMITH_ENABLED == 0 || !chance(chances, 8, schedule_.stalls);
        const bool still = TENSORSMITH_HOLDS && !flights_.empty();
        const bool can_offer = call.fed < call.count && call.rest == 0 && !still;
        const bool offer = can_offer && (call.offered || !chance(chances, 16, schedule_.gaps));
        if (offer && enabled) {
            feed(top, call.operands, call.fed);
        } else if (!(TENSORSMITH_HOLDS || offer) || !enabled) {
            feed(top, call.operands, (call.fed * 7 + (chances >> 32)) % call.count);
        }
        top.valid_i = offer;
        top.ce_i = enabled;
        top.ready_i = !(TENSORSMITH_WAITS && chance(chances, 24, schedule_.stalls));
        top.clk_i = 0;
        mark(offer ? call.fed : ~std::size_t{0}, flights_.empty() ? ~std::size_t{0} : flights_.front().vector);
        settle();
        if (enabled) {
            sample(call, offer, vector);
            ++step_;
        }
        top.clk_i = 1;
        settle();
        if (++cycle_ - call.progress > schedule_.patience) give_up(call, vector);
    }

    // What the design takes and gives in this clock.
    void sample(Call& call, bool offer, std::size_t& vector) {
        Top& top = *top_;
        if (call.rest > 0) --call.rest;
        call.offered = offer;
        if (offer && top.ready_o) {
            flights_.push_back(Flight{call.fed++, cycle_, step_});
            call.offered = false;
            call.rest = TENSORSMITH_INTERVAL - 1;
            call.progress = cycle_;
        }
        const bool has = !flights_.empty();
        vector = has ? flights_.front().vector : call.count - 1;
        const bool said = top.valid_o;
        const bool due = schedule_.latency > 0 ? has && step_ - flights_.front().step == schedule_.latency : said;
        if (schedule_.latency > 0 && TENSORSMITH_SAYS_VALID && said != due) {
            fail(due ? "says that no result is there in cycle %" PRIu64 ", when that of this vector is due"
                     : "says in cycle %" PRIu64 " that a result is there, when none is due");
        }
        if (call.was_waiting && (!said || answer(top) != call.waiting)) {
            fail(said ? "changes its result in cycle %" PRIu64 ", before it was taken"
                      : "withdraws its result in cycle %" PRIu64 ", before it was taken");
        }
        const bool taken = due && top.ready_i;
        call.was_waiting = TENSORSMITH_WAITS && due && !taken;
        if (call.was_waiting) call.waiting = answer(top);
        if (!taken) return;
        if (!has) fail("gives one more result in cycle %" PRIu64 ": all vectors so far were answered, the last of them this one");
        const Flight flight = flights_.front();
        flights_.pop_front();
        call.longest = std::max(call.longest, step_ - flight.step);
        call.d[flight.vector] = answer(top);
        ++call.answered;
        call.progress = cycle_;
    }

    [[noreturn]] void give_up(const Call& call, std::size_t& vector) {
        if (flights_.empty()) {
            vector = call.fed;
            throw std::runtime_error("the design does not take it: it was not ready in " + std::to_string(schedule_.patience)
                                     + " cycles to cycle " + std::to_string(cycle_));
        }
        const Flight& flight = flights_.front();
        vector = flight.vector;
        throw std::runtime_error("the design took it in cycle " + std::to_string(flight.cycle) + " and gave no result in "
                                 + std::to_string(schedule_.patience) + " cycles to cycle " + std::to_string(cycle_) + "; "
                                 + std::to_string(flights_.size()) + " of " + std::to_string(call.fed)
                                 + " vectors that it took have no result: this one or a later one was lost");
    }

    [[noreturn]] void fail(const char* format) {
        std::array<char, 256> text;
        std::snprintf(text.data(), text.size(), format, cycle_);
        throw std::runtime_error("the design " + std::string(text.data()));
    }

    // Holds the reset for its cycles, with any operands at the ports; one that needs no clock comes while the clock is high.
    void reset_design(const tensorsmith_operands& operands, std::size_t count) {
#if TENSORSMITH_RESETS
        Top& top = *top_;
        top.valid_i = 0;
        top.ready_i = 0;
        top.ce_i = 1;
        mark(~std::size_t{0}, ~std::size_t{0});
        if (!TENSORSMITH_RESET_FREE) {
            top.clk_i = 0;
        }
        top.rst_i = 1;
        settle();
        for (unsigned cycle = 0; cycle < TENSORSMITH_RESET_CYCLES; ++cycle) {
            if (count > 0) feed(top, operands, random() % count);
            top.clk_i = 0;
            settle();
            top.clk_i = 1;
            settle();
            ++cycle_;
        }
        top.clk_i = 0;
        settle();
        top.rst_i = 0;
        settle();
#else
        (void)operands;
        (void)count;
#endif
    }
#endif

    // -------------------------------------------------------------------------------------------------------- simulation

    void restart() {
        top_.reset();
        // To make one takes milliseconds: it looks at the machine.
        if (!context_) context_ = std::make_unique<VerilatedContext>();
        Verilated::threadContextp(context_.get());
        // What has no first value of its own starts at random.
        context_->randReset(2);
        context_->randSeed(static_cast<int>(schedule_.seed & 0x7fffffffu) | 1);
#if TENSORSMITH_WAVE
        context_->traceEverOn(true);
#endif
        top_ = std::make_unique<Top>(context_.get(), "");
#if TENSORSMITH_WAVE
        if (!wave_name_.empty()) {
            wave_ = std::make_unique<VerilatedVcdC>();
            top_->trace(wave_.get(), 99);
            wave_->open(wave_name_.c_str());
            if (!wave_->isOpen()) throw std::runtime_error("the waveform " + wave_name_ + " cannot be written");
        }
#endif
#if TENSORSMITH_CLOCKED
        cycle_ = step_ = 0;
        flights_.clear();
        // The first evaluation sees no edge.
        top_->clk_i = 0;
        top_->rst_i = 0;
        top_->ce_i = 1;
        top_->valid_i = 0;
        top_->ready_i = 0;
        settle();
        reset_design(tensorsmith_operands{}, 0);
#endif
    }

    void settle() {
        top_->eval();
#if TENSORSMITH_WAVE
        if (wave_) wave_->dump(context_->time());
        context_->timeInc(1);
#endif
    }

    // Names the vectors at the ports in the waveform.
    void mark(std::size_t fed, std::size_t answered) {
#if TENSORSMITH_WAVE
        top_->vector_i = static_cast<std::uint32_t>(fed);
        top_->result_of_i = static_cast<std::uint32_t>(answered);
#else
        (void)fed;
        (void)answered;
#endif
    }

    void close_wave() {
#if TENSORSMITH_WAVE
        if (wave_) wave_->close();
        wave_.reset();
#endif
    }

    std::string printed_;
    std::string wave_name_;
    tensorsmith_schedule schedule_{};
    std::uint64_t random_ = 1;
    std::unique_ptr<VerilatedContext> context_;
    std::unique_ptr<Top> top_;  // after the context that it uses: destroyed first
#if TENSORSMITH_WAVE
    std::unique_ptr<VerilatedVcdC> wave_;  // after what it shows
#endif
#if TENSORSMITH_CLOCKED
    std::deque<Flight> flights_;
    std::uint64_t cycle_ = 0;  // of all clocks since the last start
    std::uint64_t step_ = 0;   // of those that counted: the design was not stopped
#endif
};

const char* configure(void* handle, const tensorsmith_schedule* schedule) noexcept {
    try {
        static_cast<Model*>(handle)->configure(*schedule);
        return nullptr;
    } catch (...) {
        return "the model cannot be stopped";
    }
}

}  // namespace

#include "entry.h"
