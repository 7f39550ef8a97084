// When a design is disturbed: in phases, each with its own kind of gaps, stops, waits and repeated vectors, drawn from a seed. And
// counts of what was done. Says when; never touches the design.

#ifndef TENSORSMITH_PHASES_H
#define TENSORSMITH_PHASES_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace {

// What the phases of a schedule may have: the bits of tensorsmith_schedule::phases.
namespace may {
enum Bit : std::uint32_t {
    gaps = 1u << 0,        // clocks without a vector, up to 8 at a time
    long_gaps = 1u << 1,   // up to 400 at a time
    stops = 1u << 2,       // clocks in which the design is stopped or its result waits, up to 8 at a time
    long_stops = 1u << 3,  // up to 400 at a time
    repeats = 1u << 4,     // a vector again at once, or after one other
    bursts = 1u << 5,      // now and then a call whose vectors come several times over, without a pause
    resets = 1u << 6,      // a reset now and then
    dense = 1u << 7,       // no phase at full rate, and short ones
};
}  // namespace may

// Vectors of a call that is worth a long burst, how often they come then, and calls for each such call.
constexpr std::size_t burst_vectors = 256;
constexpr unsigned burst_rounds = 3;
constexpr unsigned burst_calls = 64;
// Clocks between two resets, for each clock that a reset takes.
constexpr std::uint64_t clocks_per_reset_clock = 64;

class Phases {
  public:
    void start(std::uint32_t allowed) {
        *this = Phases();
        allowed_ = allowed;
    }

    // Another run of the same schedule has other phases where it has other operands.
    void stir(std::uint64_t seed) { random_ = (random_ ^ seed * 0xbf58476d1ce4e5b9u) | 1; }

    std::uint64_t random() {
        random_ ^= random_ << 13, random_ ^= random_ >> 7, random_ ^= random_ << 17;
        return random_;
    }

    // How often the vectors of this call come.
    unsigned rounds(std::size_t count) {
        const bool turn = calls_++ % burst_calls == 3;
        if (!(allowed_ & may::bursts) || !turn || count < burst_vectors) return 1;
        gap_ = stop_ = wait_ = Side{};
        full_ = true;
        left_ = burst_rounds * count;
        return burst_rounds;
    }

    // Whether no vector comes in this clock, though one could; not asked in other clocks.
    bool gap() { return shut(gap_); }

    // Whether the design is stopped in this clock, or its result waits.
    bool stop() { return shut(stop_); }
    bool wait() { return shut(wait_); }

    // After a clock: whether a new phase begins.
    bool clock(bool taken) {
        if (full_ && !taken) return false;
        if (left_ > 1) {
            --left_;
            return false;
        }
        next();
        return true;
    }

    // Whether a new phase begins with a reset.
    bool reset(std::uint64_t cycle, std::uint64_t cycles) {
        if (!(allowed_ & may::resets) || random() % 4 != 0 || cycle < next_reset_) return false;
        next_reset_ = cycle + clocks_per_reset_clock * cycles;
        return true;
    }

    // What comes after a vector: 0 the next one, 1 the same again, 2 the one before it.
    unsigned repeat(bool repeated) {
        if (!repeats_) return 0;
        const std::uint64_t drawn = random() >> 32;
        if (repeated) return drawn % 4 == 0;
        const unsigned one_in = allowed_ & may::dense ? 2 : 8;
        return drawn % one_in != 0 ? 0 : (drawn / 8 % 3 == 0 ? 2 : 1);
    }

  private:
    enum class Mode { none, sparse, alternating, short_runs, long_runs };

    // Clocks in which vectors pass, and then clocks in which they do not.
    struct Side {
        Mode mode = Mode::none;
        std::uint32_t open = 0;
        std::uint32_t closed = 0;
    };

    std::uint32_t between(std::uint32_t least, std::uint32_t most) {
        return least + static_cast<std::uint32_t>((random() >> 32) % (most - least + 1));
    }

    bool shut(Side& side) {
        if (side.mode == Mode::none && side.closed == 0) return false;
        if (side.open > 0) {
            --side.open;
            return false;
        }
        if (side.closed == 0) {
            side.closed = closed(side.mode);
            side.open = open(side.mode);
            if (side.open > 0) {
                --side.open;
                return false;
            }
        }
        if (--side.closed == 0) side.open = side.mode == Mode::none ? 0 : open(side.mode);
        return true;
    }

    std::uint32_t open(Mode mode) {
        switch (mode) {
            case Mode::sparse: return between(0, 30);
            case Mode::alternating: return 1;
            case Mode::short_runs: return between(1, 16);
            case Mode::long_runs: return between(1, 24);
            case Mode::none: break;
        }
        return 0;
    }

    std::uint32_t closed(Mode mode) {
        switch (mode) {
            case Mode::sparse: return random() >> 32 & 3 ? 1 : 2;
            case Mode::alternating: return 1;
            case Mode::short_runs: return between(1, 8);
            case Mode::long_runs: {
                const std::uint32_t drawn = between(0, 15);
                return drawn > 1 ? between(9, 72) : drawn == 1 ? between(73, 200) : between(201, 400);
            }
            case Mode::none: break;
        }
        return 0;
    }

    Mode mode(bool has_short, bool has_long, bool may_be_none) {
        if (!has_short && !has_long) return Mode::none;
        // Of 32: at full rate, sparse, alternating, short runs; the others are long.
        const bool is_dense = allowed_ & may::dense;
        const std::uint32_t drawn = between(0, 31);
        if (drawn < (is_dense ? 6u : 10u)) return may_be_none ? Mode::none : has_short ? Mode::short_runs : Mode::long_runs;
        if (drawn < (is_dense ? 24u : 28u) ? !has_short : has_long) return Mode::long_runs;
        if (is_dense) return drawn < 12 ? Mode::alternating : Mode::short_runs;
        return drawn < 20 ? Mode::sparse : drawn < 23 ? Mode::alternating : Mode::short_runs;
    }

    void next() {
        const std::uint64_t phase = phases_++;
        const bool is_dense = allowed_ & may::dense;
        const bool both = (allowed_ & (may::gaps | may::long_gaps)) && (allowed_ & (may::stops | may::long_stops));
        // A run begins with a phase that is disturbed, and a short one at full rate.
        full_ = allowed_ == 0 || (!is_dense && (phase < 2 ? phase == 1 : between(0, 3) == 0));
        const auto side = [&](Side& side, std::uint32_t small, std::uint32_t large) {
            side.mode = full_ ? Mode::none : mode(allowed_ & small, allowed_ & large, phase > 0 && (!is_dense || both));
            side.open = 0;
            if (full_) side.closed = 0;
        };
        side(gap_, may::gaps, may::long_gaps);
        side(stop_, may::stops, may::long_stops);
        side(wait_, may::stops, may::long_stops);
        repeats_ = (allowed_ & may::repeats) && (is_dense || between(0, 3) == 0);
        if (full_ && phase > 1) left_ = std::uint64_t{between(32, 64)} << between(3, 6);
        else left_ = is_dense ? between(16, 64) : between(64, 336);
    }

    std::uint64_t random_ = 0x9e3779b97f4a7c15u;
    std::uint32_t allowed_ = 0;
    std::uint64_t calls_ = 0;
    std::uint64_t phases_ = 0;
    std::uint64_t left_ = 0;  // clocks of this phase, or at full rate vectors
    std::uint64_t next_reset_ = 0;
    bool full_ = true;
    bool repeats_ = false;
    Side gap_, stop_, wait_;
};

// What was done to the handshakes of a design, in the order of the names below; a pause is a stop or a wait.
namespace event {
enum Event : std::size_t {
    gap, longest_gap, long_gap, stop, longest_stop, long_stop, wait, longest_wait, long_wait,
    full_rate, longest_full_rate, long_full_rate, equal_neighbours, equal_but_one,
    reset, reset_in_gap, reset_in_pause, gap_after_pause, pause_after_gap, count,
};
}  // namespace event

constexpr const char* event_names[event::count] = {
    "gap", "longest-gap", "long-gap", "stop", "longest-stop", "long-stop", "wait", "longest-wait", "long-wait",
    "full-rate", "longest-full-rate", "long-full-rate", "equal-neighbours", "equal-but-one",
    "reset", "reset-in-gap", "reset-in-pause", "gap-after-pause", "pause-after-gap",
};

// Clocks of a long gap, stop or wait; vectors of a run at full rate, and of a long one.
constexpr std::uint64_t long_clocks = 40;
constexpr std::uint64_t full_rate_vectors = 256;
constexpr std::uint64_t long_full_rate_vectors = 2048;

class Counts {
  public:
    std::uint64_t of(std::size_t place) const { return counts_[place]; }

    // A clock; gaps last clocks in which the design is not stopped.
    void clock(bool is_gap, bool is_stop, bool is_wait) {
        if (!(is_gap || is_stop || is_wait || disturbed_)) return;
        const bool paused = is_stop || is_wait, was_paused = stop_ > 0 || wait_ > 0, was_gap = gap_ > 0;
        // A vector that stood at the ports in the pause is taken in the clock that ends it.
        if (is_gap && !was_gap && !paused && (was_paused || ended_)) ++counts_[event::gap_after_pause];
        if (paused && !was_paused && was_gap && !is_gap) ++counts_[event::pause_after_gap];
        if (!is_stop) tally(is_gap, gap_, event::gap);
        tally(is_stop, stop_, event::stop);
        tally(is_wait, wait_, event::wait);
        ended_ = was_paused && !paused;
        disturbed_ = gap_ > 0 || paused || ended_;
        if (is_gap || paused) burst_ = 0;
    }

    // A vector that was taken; the two before it.
    void taken(std::size_t vector, std::size_t last, std::size_t before) {
        if (vector == last) ++counts_[event::equal_neighbours];
        else if (vector == before) ++counts_[event::equal_but_one];
        if (++burst_ > counts_[event::longest_full_rate]) counts_[event::longest_full_rate] = burst_;
        if (burst_ == full_rate_vectors) ++counts_[event::full_rate];
        if (burst_ == long_full_rate_vectors) ++counts_[event::long_full_rate];
    }

    void was_reset() {
        ++counts_[event::reset];
        if (gap_ > 0) ++counts_[event::reset_in_gap];
        if (stop_ > 0 || wait_ > 0) ++counts_[event::reset_in_pause];
        burst_ = 0;
    }

  private:
    void tally(bool is, std::uint64_t& run, event::Event first) {
        if (!is) {
            run = 0;
            return;
        }
        ++run;
        if (run == 1) ++counts_[first];
        counts_[first + 1] = std::max(counts_[first + 1], run);
        if (run == long_clocks) ++counts_[first + 2];
    }

    std::array<std::uint64_t, event::count> counts_{};
    std::uint64_t gap_ = 0, stop_ = 0, wait_ = 0;  // clocks that each lasts so far
    std::uint64_t burst_ = 0;                      // vectors since the last of them
    bool ended_ = false;                           // a pause ended in the last clock
    bool disturbed_ = false;
};

}  // namespace

#endif  // TENSORSMITH_PHASES_H
