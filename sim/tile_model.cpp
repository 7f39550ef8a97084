// The harness of a tile: fills a tensorsmith_unit_table for a module with two AXI4-Streams, as templates/tile.sv.tera says them.
//
// Compiled as design_model.cpp is. A vector is an element of D. Those of a tile follow each other, row by row: a call has whole
// tiles. The a of a row is that of its first element, the b of a column that of the element in the first row; the others are not
// looked at. The text before it defines what entry.h names and TENSORSMITH_ROWS, TENSORSMITH_COLUMNS, TENSORSMITH_SLOTS,
// TENSORSMITH_STEPS (of a tile: an element has as many times TENSORSMITH_LENGTH products), TENSORSMITH_STEP_SCALES,
// TENSORSMITH_ADDS_AT_END (1: c comes with the last step, 0: with the first) and TENSORSMITH_LATENCY (clocks from a step to its
// results; 0: none). It never lets an exception out.

#include "containers.h"

#include <cinttypes>
#include <deque>

namespace {

constexpr std::size_t rows = TENSORSMITH_ROWS;
constexpr std::size_t columns = TENSORSMITH_COLUMNS;
constexpr std::size_t cells = rows * columns;
constexpr std::size_t length = TENSORSMITH_LENGTH;
constexpr std::size_t step_scales = TENSORSMITH_STEP_SCALES;
constexpr std::size_t steps = TENSORSMITH_STEPS;
constexpr std::size_t slots = TENSORSMITH_SLOTS;
constexpr unsigned operand_bits = rows * (length * TENSORSMITH_A_WIDTH + step_scales * TENSORSMITH_SCALE_A_WIDTH)
                                  + columns * (length * TENSORSMITH_B_WIDTH + step_scales * TENSORSMITH_SCALE_B_WIDTH)
                                  + cells * TENSORSMITH_C_WIDTH;

static_assert(steps * length == TENSORSMITH_PRODUCTS && steps * step_scales == TENSORSMITH_SCALES, "steps do not make an element");
static_assert(holds<std::remove_reference_t<decltype(std::declval<Top>().s_axis_tdata)>>(operand_bits),
              "the operands are not as wide as the tile's parameters say");
static_assert(holds<std::remove_reference_t<decltype(std::declval<Top>().m_axis_tdata)>>(cells* TENSORSMITH_D_WIDTH),
              "the results are not as wide as the tile's parameters say");

// What the tile did so far: all clocks, and steps that it took.
constexpr tensorsmith_signal signals[] = {tensorsmith_signal{"clocks", 64}, tensorsmith_signal{"steps", 64}};
constexpr std::uint32_t signal_count = 2;

// Clocks without a step taken or a tile given after which it counts as stuck.
constexpr std::uint64_t patience = 10000;
// Clocks without a step at the end of a call: whatever comes out then was not asked for.
constexpr std::uint64_t quiet_clocks = 64;

// Bits put side by side from the lowest up.
class Word {
  public:
    void put(std::uint64_t element, unsigned width) {
        const std::uint64_t value = element & mask(width);
        const unsigned shift = position_ % 64;
        chunks_[position_ / 64] |= value << shift;
        if (shift + width > 64) chunks_[position_ / 64 + 1] |= value >> (64 - shift);
        position_ += width;
    }

    const std::uint64_t* chunks() const { return chunks_.data(); }

  private:
    std::array<std::uint64_t, operand_bits / 64 + 2> chunks_{};
    std::size_t position_ = 0;
};

template <typename Port>
std::uint64_t bits(const Port& port, std::size_t position, unsigned width) {
    return static_cast<std::uint64_t>(port) >> position & mask(width);
}

template <std::size_t Words>
std::uint64_t bits(const VlWide<Words>& port, std::size_t position, unsigned width) {
    std::uint64_t value = 0;
    for (unsigned done = 0; done < width;) {
        const unsigned shift = (position + done) % 32;
        value |= (std::uint64_t{port[(position + done) / 32]} >> shift) << done;
        done += 32 - shift;
    }
    return value & mask(width);
}

class Model {
  public:
    // The text of the last failure.
    std::array<char, 4096> message{};

    // A failed call leaves no half-evaluated state behind: the next one makes the model anew.
    void forget() {
        top_.reset();
        context_.reset();
    }

    void configure(const tensorsmith_schedule& schedule) {
        schedule_ = schedule;
        schedule_.wave = nullptr;
        forget();
    }

    void run(const tensorsmith_operands& operands, std::uint64_t* d, std::size_t count, std::size_t& vector) {
        const tensorsmith_runtime::Printing printing(printed_);
        if (count % cells != 0) throw std::runtime_error("the elements are no whole tiles");
        if (!top_) restart();
        Verilated::threadContextp(context_.get());
        Call call{operands, d, count / cells};
        progress_ = clocks_;
        while (call.answered < call.tiles) step(call, vector);
        for (std::uint64_t left = quiet_clocks; left > 0; --left) step(call, vector);
    }

    void read(std::uint32_t index, std::uint32_t* words) const {
        const std::uint64_t value = index == 0 ? clocks_ : taken_;
        words[0] = static_cast<std::uint32_t>(value);
        words[1] = static_cast<std::uint32_t>(value >> 32);
    }

  private:
    // The packet that a slot is given.
    struct Packet {
        bool open = false;
        std::size_t tile = 0;
        std::size_t step = 0;
    };

    // Where a call stands.
    struct Call {
        const tensorsmith_operands& operands;
        std::uint64_t* d;
        std::size_t tiles;
        std::size_t given = 0;     // tiles whose packets were begun
        std::size_t answered = 0;  // tiles that came out
        std::size_t slot = 0;      // whose turn it is
        bool offered = false;      // a step stands at the port
        std::array<Packet, slots> packets{};
        std::array<std::deque<std::size_t>, slots> ended{};  // tiles that are to come out
    };

    std::uint64_t random() {
        random_ ^= random_ << 13, random_ ^= random_ >> 7, random_ ^= random_ << 17;
        return random_;
    }

    static bool chance(std::uint64_t random, unsigned shift, std::uint32_t in_256) {
        return ((random >> shift) & 255u) < in_256;
    }

    void step(Call& call, std::size_t& vector) {
        Top& top = *top_;
        const std::uint64_t chances = random();
        if (!call.offered) {
            top.s_axis_tvalid = !chance(chances, 8, schedule_.gaps) && next(call);
            if (top.s_axis_tvalid) {
                offer(call);
                call.offered = true;
            }
        }
        top.m_axis_tready = !chance(chances, 16, schedule_.stalls);
        top.aclk = 0;
        top.eval();
        if (top.s_axis_tvalid && top.s_axis_tready) {
            take(call);
            progress_ = clocks_;
        }
        sample(call, vector);
        top.aclk = 1;
        top.eval();
        if (++clocks_ - progress_ > patience && call.answered < call.tiles) {
            vector = call.answered * cells;
            throw std::runtime_error("the tile took no step and gave no result in " + std::to_string(patience) + " clocks");
        }
    }

    // Finds a slot with a step, beginning with the one whose turn it is.
    bool next(Call& call) {
        for (std::size_t tried = 0; tried < slots; ++tried, call.slot = (call.slot + 1) % slots) {
            Packet& packet = call.packets[call.slot];
            if (!packet.open && call.given < call.tiles) packet = Packet{true, call.given++, 0};
            if (packet.open) return true;
        }
        return false;
    }

    // Puts the step of the slot on the port. What the tile is not to look at is something else.
    void offer(const Call& call) {
        const Packet& packet = call.packets[call.slot];
        const tensorsmith_operands& operands = call.operands;
        const std::size_t first = packet.tile * cells;
        Word word;
        const auto side = [&](const std::uint64_t* all, std::size_t count, std::size_t each, std::size_t total, std::size_t own,
                              unsigned width) {
            for (std::size_t line = 0; line < count; ++line) {
                const std::uint64_t* elements = all + (first + line * each) * total + packet.step * own;
                for (std::size_t place = 0; place < own; ++place) word.put(elements[place], width);
            }
        };
        side(operands.a, rows, columns, TENSORSMITH_PRODUCTS, length, TENSORSMITH_A_WIDTH);
        side(operands.b, columns, 1, TENSORSMITH_PRODUCTS, length, TENSORSMITH_B_WIDTH);
        side(operands.scale_a, rows, columns, TENSORSMITH_SCALES, step_scales, TENSORSMITH_SCALE_A_WIDTH);
        side(operands.scale_b, columns, 1, TENSORSMITH_SCALES, step_scales, TENSORSMITH_SCALE_B_WIDTH);
        const bool last = packet.step + 1 == steps;
        const bool looks = TENSORSMITH_ADDS_AT_END ? last : packet.step == 0;
        for (std::size_t cell = 0; cell < cells; ++cell) {
            word.put(looks ? operands.c[first + cell] : ~operands.c[first + cell], TENSORSMITH_C_WIDTH);
        }
        store(top_->s_axis_tdata, word.chunks());
        top_->s_axis_tlast = last;
        top_->s_axis_tid = static_cast<std::remove_reference_t<decltype(top_->s_axis_tid)>>(call.slot);
    }

    // The tile has taken the step that stands at the port.
    void take(Call& call) {
        Packet& packet = call.packets[call.slot];
        ++taken_;
        call.offered = false;
        if (++packet.step == steps) {
            call.ended[call.slot].push_back(packet.tile);
            packet.open = false;
        }
        call.slot = (call.slot + 1) % slots;
    }

    // What the tile gives in this clock.
    void sample(Call& call, std::size_t& vector) {
        Top& top = *top_;
        vector = (call.tiles - 1) * cells;
        if (!top.m_axis_tvalid) {
            if (waiting_) fail("withdraws a result in clock %" PRIu64 ", before it was taken");
            return;
        }
        std::deque<std::size_t>& ended = call.ended[top.m_axis_tid];
        // Without registers a result stands there while its step waits with it.
        const bool waits = TENSORSMITH_LATENCY == 0 && call.offered && top.s_axis_tlast && top.s_axis_tid == top.m_axis_tid;
        if (ended.empty() && !waits) fail("gives a result in clock %" PRIu64 " of a slot that has none to give");
        const std::size_t tile = ended.empty() ? call.packets[call.slot].tile : ended.front();
        vector = tile * cells;
        for (std::size_t cell = 0; cell < cells; ++cell) {
            const std::uint64_t element = bits(top.m_axis_tdata, cell * TENSORSMITH_D_WIDTH, TENSORSMITH_D_WIDTH);
            std::uint64_t& d = call.d[tile * cells + cell];
            if (waiting_ && d != element) fail("changes a result in clock %" PRIu64 ", before it was taken");
            d = element;
        }
        waiting_ = !top.m_axis_tready;
        if (waiting_) return;
        ended.pop_front();
        ++call.answered;
        progress_ = clocks_;
    }

    [[noreturn]] void fail(const char* format) {
        std::array<char, 256> text;
        std::snprintf(text.data(), text.size(), format, clocks_);
        throw std::runtime_error("the tile " + std::string(text.data()));
    }

    void restart() {
        context_ = std::make_unique<VerilatedContext>();
        Verilated::threadContextp(context_.get());
        // What has no first value of its own starts at random, as a chip's registers may.
        context_->randReset(2);
        context_->randSeed(static_cast<int>(schedule_.seed & 0x7fffffffu) | 1);
        top_ = std::make_unique<Top>(context_.get(), "");
        random_ = 0x9e3779b97f4a7c15u;
        clocks_ = taken_ = progress_ = 0;
        waiting_ = false;
        Top& top = *top_;
        top.aresetn = 0;
        top.s_axis_tvalid = 0;
        top.m_axis_tready = 0;
        for (unsigned cycle = 0; cycle < 4; ++cycle) {
            top.aclk = 0;
            top.eval();
            top.aclk = 1;
            top.eval();
        }
        top.aresetn = 1;
    }

    std::string printed_;
    tensorsmith_schedule schedule_{};
    std::uint64_t random_ = 1;
    std::unique_ptr<VerilatedContext> context_;
    std::unique_ptr<Top> top_;  // after the context that it uses: destroyed first
    std::uint64_t clocks_ = 0;
    std::uint64_t taken_ = 0;     // steps
    std::uint64_t progress_ = 0;  // the last clock in which a step was taken or a result given
    bool waiting_ = false;        // a result stood at the port and was not taken
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
