// The harness of a user's own design: fills a tensorsmith_unit_table for the module that is emitted around it.
//
// Compiled as unit_model.cpp is, at the end of the one file that holds all generated code. The text before it defines what
// ports.h names and TENSORSMITH_CLOCKED (0: combinational), TENSORSMITH_INTERVAL (least clocks between two vectors),
// TENSORSMITH_HOLDS (1: operands stand still until the result is there), TENSORSMITH_ENABLED (1: it can be stopped by ce_i),
// TENSORSMITH_SAYS_VALID and TENSORSMITH_WAITS (1: it has a port that says that a result is there, one that says that it is
// taken), TENSORSMITH_RESETS (1: it has a reset), TENSORSMITH_RESET_CYCLES, TENSORSMITH_RESET_FREE (1: it resets without a
// clock) and TENSORSMITH_WAVE (1: it writes waveforms). The module around the design has all ports below, whatever the design
// has. It never lets an exception out. It runs in a program of its own (program.cpp).

#include "phases.h"
#include "ports.h"

#if TENSORSMITH_WAVE
#include "verilated_vcd_c.h"
#endif

#include <cinttypes>
#include <deque>
#include <numeric>

// Clocks that have ended since the last start, or vectors without a clock: program.cpp tells by it that the design goes on.
extern "C" volatile std::uint64_t tensorsmith_clocks;

namespace {

// Of a design no signal is known but its ports; it shows what was done to them instead, 64 bits each.
struct Signals {
    tensorsmith_signal all[event::count];
};

constexpr Signals named() {
    Signals signals{};
    for (std::size_t place = 0; place < event::count; ++place) signals.all[place] = tensorsmith_signal{event_names[place], 64};
    return signals;
}

constexpr Signals named_signals = named();
constexpr const tensorsmith_signal* signals = named_signals.all;
constexpr std::uint32_t signal_count = event::count;

// Most of what a design printed that stands in its failure, before why it failed.
constexpr std::size_t shown_text = 2000;

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
        phases_.start(schedule.phases);
        counts_ = Counts{};
        stirred_ = false;
    }

    // A failed call leaves no half-evaluated state behind: the next one makes the model anew.
    void forget() {
        close_wave();
        top_.reset();
        context_.reset();
    }

    void run(const tensorsmith_operands& operands, std::uint64_t* d, std::size_t count, std::size_t& vector) {
        try {
            run_whole(operands, d, count, vector);
        } catch (const tensorsmith_runtime::Abort& abort) {
            const std::string text(abort.what());
            throw std::runtime_error(text.size() > shown_text ? text.substr(text.size() - shown_text) : text);
        }
    }

    void read(std::uint32_t index, std::uint32_t* words) const {
        words[0] = static_cast<std::uint32_t>(counts_.of(index));
        words[1] = static_cast<std::uint32_t>(counts_.of(index) >> 32);
    }

  private:
    void run_whole(const tensorsmith_operands& operands, std::uint64_t* d, std::size_t count, std::size_t& vector) {
        const tensorsmith_runtime::Printing printing(printed_);
        if (!top_) restart();
        Verilated::threadContextp(context_.get());
        if (!stirred_ && count > 0) {
            stirred_ = true;
            phases_.stir(std::accumulate(operands.a, operands.a + TENSORSMITH_PRODUCTS, operands.c[0]));
        }
#if TENSORSMITH_CLOCKED
        clock(operands, d, count, vector);
#else
        for (vector = 0; vector < count; ++vector) {
            feed(*top_, operands, vector);
            mark(vector, vector);
            settle();
            d[vector] = answer(*top_);
            tensorsmith_clocks = tensorsmith_clocks + 1;
        }
#endif
        if (!wave_name_.empty()) close_wave();
    }

    static constexpr std::size_t none = ~std::size_t{0};

    // A vector inside the design, which offer of the call it is (none where it came once more at once or after one other), and the
    // clock in which it was taken: the number of all clocks, and of those that counted.
    struct Flight {
        std::size_t vector;
        std::size_t offer;
        std::uint64_t cycle;
        std::uint64_t step;
        std::uint64_t quick;
    };

    // ---------------------------------------------------------------------------------------------------- clocked designs

#if TENSORSMITH_CLOCKED
    // Where a call stands.
    struct Call {
        const tensorsmith_operands& operands;
        std::uint64_t* d;
        std::size_t count;
        std::size_t offers;             // of all vectors in order, as often as they come
        std::size_t made = 0;           // of those
        std::size_t answered = 0;       // vectors that have a result
        std::size_t given = 0;          // the vector whose result came last
        std::size_t again = none;       // a vector that comes once more before the next one
        std::size_t last = none;        // the vector that was taken last
        std::size_t before = none;      // the one before it
        bool offered = false;           // a vector stands at the ports, and the design has not taken it
        std::uint64_t rest = 0;         // steps until the next vector may come
        std::uint64_t idle = 0;         // clocks without progress in which the design was free to make some
        bool was_waiting = false;       // a result stood at the port and was not taken
        std::uint64_t waiting = 0;      // that result

        bool has_next() const { return again != none || made < offers; }
        std::size_t next() const { return again != none ? again : made % count; }
    };

    // Vectors in order, some of them more than once, disturbed as the phases say. Inputs change while the clock is low; outputs
    // are read before it rises.
    void clock(const tensorsmith_operands& operands, std::uint64_t* d, std::size_t count, std::size_t& vector) {
        if (count == 0) return;
        Call call{operands, d, count, count * std::max(phases_.rounds(count), schedule_.rounds)};
        bool reset = schedule_.reset_after == 0 || TENSORSMITH_RESETS == 0;
        while (call.has_next() || !flights_.empty()) {
            if (!reset && call.answered >= schedule_.reset_after && !flights_.empty()) {
                reset = true;
                reset_within(call);
            }
            if (step(call, vector) && TENSORSMITH_RESETS && phases_.reset(cycle_, TENSORSMITH_RESET_CYCLES)) {
                reset_within(call);
            }
        }
        for (const std::uint64_t end = quick_ + longest_ + quiet_clocks; quick_ < end;) step(call, vector);
    }

    // What is inside is lost, and comes again.
    void reset_within(Call& call) {
        for (const Flight& flight : flights_) {
            if (flight.offer != none) {
                call.made = flight.offer;
                break;
            }
        }
        flights_.clear();
        call.again = call.last = call.before = none;
        call.offered = call.was_waiting = false;
        call.rest = call.idle = 0;
        counts_.was_reset();
        reset_design(call.operands, call.count);
    }

    // A clock; whether a new phase begins after it.
    bool step(Call& call, std::size_t& vector) {
        Top& top = *top_;
        const bool enabled = TENSORSMITH_ENABLED == 0 || !phases_.stop();
        const bool still = TENSORSMITH_HOLDS && !flights_.empty();
        const bool can_offer = call.has_next() && call.rest == 0 && !still;
        // While it is stopped it must not matter whether a vector is there.
        const bool offer = can_offer && (call.offered || (enabled ? !phases_.gap() : (phases_.random() >> 32 & 1) != 0));
        if (offer && enabled) {
            feed(top, call.operands, call.next());
        } else if (!still) {
            feed_other(call);
        }
        const bool ready = TENSORSMITH_WAITS == 0 || !phases_.wait();
        top.valid_i = offer;
        top.ce_i = enabled;
        top.ready_i = ready;
        top.clk_i = 0;
        mark(offer ? call.next() : none, flights_.empty() ? none : flights_.front().vector);
        settle();
        counts_.clock(!offer && call.rest == 0 && !still, !enabled, !ready);
        const std::size_t made = call.made, again = call.again;
        if (enabled) {
            sample(call, offer, vector);
            ++step_;
            quick_ += ready;
        }
        const bool begins = phases_.clock(made != call.made || again != call.again);
        top.clk_i = 1;
        settle();
        tensorsmith_clocks = ++cycle_;
        if (call.idle > schedule_.patience) give_up(call, vector);
        return begins;
    }

    // Puts other operands at the ports than those of the next vector, mostly: they may stay as they are.
    void feed_other(const Call& call) {
        const std::uint64_t drawn = phases_.random() >> 32;
        if (drawn % 4 == 0) return;
        feed(*top_, call.operands, drawn % 4 == 1 ? call.next() : (call.made * 7 + drawn) % call.count);
    }

    // What the design takes and gives in this clock.
    void sample(Call& call, bool offer, std::size_t& vector) {
        Top& top = *top_;
        if (call.rest > 0) --call.rest;
        call.offered = offer;
        // Only a clock in which it could go on counts against its patience.
        if (top.ready_i && (offer || !flights_.empty())) ++call.idle;
        if (offer && top.ready_o) take(call);
        const bool has = !flights_.empty();
        vector = has ? flights_.front().vector : call.given;
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
        give(call);
    }

    // The design takes the vector that is offered.
    void take(Call& call) {
        const std::size_t vector = call.next();
        const bool repeated = call.again != none;
        flights_.push_back(Flight{vector, repeated ? none : call.made++, cycle_, step_, quick_});
        counts_.taken(vector, call.last, call.before);
        const unsigned repeat = phases_.repeat(repeated);
        call.again = repeat == 0 ? none : repeat == 1 || call.last == none ? vector : call.last;
        call.before = call.last;
        call.last = vector;
        call.offered = false;
        call.rest = TENSORSMITH_INTERVAL - 1;
        call.idle = 0;
    }

    // The design gives the result of the oldest vector inside.
    void give(Call& call) {
        const Flight flight = flights_.front();
        flights_.pop_front();
        call.given = flight.vector;
        longest_ = std::max(longest_, quick_ - flight.quick);
        call.idle = 0;
        const std::uint64_t value = answer(*top_);
        if (flight.offer < call.count) {
            call.d[flight.vector] = value;
            ++call.answered;
        } else if (value != call.d[flight.vector]) {
            char text[128];
            std::snprintf(text, sizeof text, "answers %" PRIx64 ", and %" PRIx64 " in cycle %%" PRIu64 ", when this vector came again",
                          call.d[flight.vector], value);
            fail(text);
        }
    }

    [[noreturn]] void give_up(const Call& call, std::size_t& vector) {
        if (flights_.empty()) {
            vector = call.next();
            throw std::runtime_error("the design does not take it: it was not ready in " + std::to_string(schedule_.patience)
                                     + " cycles to cycle " + std::to_string(cycle_) + ", pauses not counted");
        }
        const Flight& flight = flights_.front();
        vector = flight.vector;
        throw std::runtime_error("the design took it in cycle " + std::to_string(flight.cycle) + " and gave no result in "
                                 + std::to_string(schedule_.patience) + " cycles to cycle " + std::to_string(cycle_)
                                 + ", pauses not counted; " + std::to_string(flights_.size())
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
            if (count > 0) feed(top, operands, phases_.random() % count);
            top.clk_i = 0;
            settle();
            top.clk_i = 1;
            settle();
            tensorsmith_clocks = ++cycle_;
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
        cycle_ = step_ = quick_ = longest_ = 0;
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
    Phases phases_;
    Counts counts_;
    bool stirred_ = false;
    std::unique_ptr<VerilatedContext> context_;
    std::unique_ptr<Top> top_;  // after the context that it uses: destroyed first
#if TENSORSMITH_WAVE
    std::unique_ptr<VerilatedVcdC> wave_;  // after what it shows
#endif
#if TENSORSMITH_CLOCKED
    std::deque<Flight> flights_;
    std::uint64_t cycle_ = 0;  // of all clocks since the last start
    std::uint64_t step_ = 0;   // of those that counted: the design was not stopped
    std::uint64_t quick_ = 0;  // of those in which a result would be taken
    std::uint64_t longest_ = 0;  // most quick clocks that a result took
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
