// The harness of one verilated unit: fills a tensorsmith_unit_table for it.
//
// Compiled at the end of the one file that holds all generated code of the unit, so that the evaluation is inlined into
// the loop below. The text before it defines what ports.h names, TENSORSMITH_LATENCY (0: combinational) and
// TENSORSMITH_SIGNALS(SIGNAL), a list of SIGNAL(name, bits, member of the generated root class). It never lets an exception
// out, and never uses a state that an earlier call left.

#include "ports.h"

namespace {

using Root = std::remove_reference_t<decltype(*std::declval<Top&>().rootp)>;

// ----------------------------------------------------------------------------------------------------------- signals

template <typename Value>
inline void words_of(const Value& value, std::uint32_t* words) {
    words[0] = static_cast<std::uint32_t>(value);
    if constexpr (sizeof(Value) > 4) words[1] = static_cast<std::uint32_t>(value >> 32);
}

template <std::size_t Words>
inline void words_of(const VlWide<Words>& value, std::uint32_t* words) {
    for (std::size_t word = 0; word < Words; ++word) words[word] = value[word];
}

struct Reader {
    std::uint32_t bits;
    void (*read)(const Root&, std::uint32_t*);
};

#define TENSORSMITH_DESCRIBE(name, bits, member) tensorsmith_signal{name, bits},
#define TENSORSMITH_READER(name, bits, member)                                                                 \
    Reader{bits, [](const Root& root, std::uint32_t* words) {                                                  \
               using Value = std::remove_cv_t<std::remove_reference_t<decltype(root.member)>>;                 \
               static_assert(holds<Value>(bits), "signal " name " is not as wide as the request says");        \
               words_of(root.member, words);                                                                   \
           }},

// Both lists end with an entry that is not counted: an untraced unit has no signals, and an array needs one element.
constexpr tensorsmith_signal signals[] = {TENSORSMITH_SIGNALS(TENSORSMITH_DESCRIBE) tensorsmith_signal{nullptr, 0}};
constexpr Reader readers[] = {TENSORSMITH_SIGNALS(TENSORSMITH_READER) Reader{0, nullptr}};
constexpr std::uint32_t signal_count = sizeof(signals) / sizeof(signals[0]) - 1;

// The most words that one signal needs.
constexpr std::size_t widest_signal() {
    std::size_t words = 1;
    for (const Reader& reader : readers) {
        const std::size_t needed = (std::size_t{reader.bits} + 31) / 32;
        if (needed > words) words = needed;
    }
    return words;
}

// ------------------------------------------------------------------------------------------------------------- model

class Model {
  public:
    // The text of the last failure.
    std::array<char, 4096> message{};

    Model() { restart(); }

    // A failed call leaves no half-evaluated state behind: the next one makes the model anew.
    void forget() { top_.reset(); }

    void run(const tensorsmith_operands& operands, std::uint64_t* d, std::size_t count, std::size_t& vector) {
        const tensorsmith_runtime::Printing printing(printed_);
        if (!top_) restart();
        Verilated::threadContextp(context_.get());
#if TENSORSMITH_LATENCY > 0
        clock(operands, d, count, vector);
#else
        for (vector = 0; vector < count; ++vector) {
            feed(*top_, operands, vector);
            top_->eval();
            d[vector] = answer(*top_);
        }
#endif
        check_signals();
    }

    void read(std::uint32_t index, std::uint32_t* words) const {
        if (top_) {
            readers[index].read(*top_->rootp, words);
        } else {
            std::fill_n(words, (readers[index].bits + 31) / 32, 0u);
        }
    }

  private:
#if TENSORSMITH_LATENCY > 0
    // One vector a clock, but for gaps, where other operands stand at the ports, and stalls, where they do and nothing may
    // move; one in sixteen clocks each, the same in every run. Results are taken when the latency says.
    void clock(const tensorsmith_operands& operands, std::uint64_t* d, std::size_t count, std::size_t& vector) {
        constexpr std::size_t none = ~std::size_t{0};
        std::array<std::size_t, TENSORSMITH_LATENCY> held;  // which vector each stage has
        held.fill(none);
        Top& top = *top_;
        std::uint64_t random = 0x9e3779b97f4a7c15u;
        std::size_t stage = 0;
        for (std::size_t fed = 0, answered = 0; answered < count;) {
            random ^= random << 13, random ^= random >> 7, random ^= random << 17;
            const bool gap = fed == count || random % 16 == 0;
            const bool stall = random / 16 % 16 == 0;
            // In a gap and while everything stands still the ports have any other operands.
            feed(top, operands, gap || stall ? (fed * 7 + 3) % count : fed);
            top.ce_i = !stall;
            const std::uint64_t before = answer(*top_);
            top.clk_i = 1;
            top.eval();
            if (stall) {
                if (answered > 0 && answer(*top_) != before) throw std::runtime_error("the result changed while ce_i was 0");
            } else {
                held[stage] = gap ? none : fed++;
                stage = (stage + 1) % TENSORSMITH_LATENCY;
                // The oldest has passed all registers by this edge.
                vector = held[stage];
                if (vector != none) {
                    d[vector] = answer(*top_);
                    held[stage] = none;
                    ++answered;
                }
            }
            top.clk_i = 0;
            top.eval();
        }
    }
#endif

    void restart() {
        top_.reset();
        context_ = std::make_unique<VerilatedContext>();
        Verilated::threadContextp(context_.get());
        top_ = std::make_unique<Top>(context_.get(), "");
#if TENSORSMITH_LATENCY > 0
        // The first evaluation sees no edge.
        top_->clk_i = 0;
        top_->ce_i = 0;
        top_->eval();
#endif
    }

    // A signal wider than the request says must not be cut silently.
    void check_signals() const {
        for (std::uint32_t index = 0; index < signal_count; ++index) {
            const std::uint32_t bits = readers[index].bits;
            std::uint32_t words[widest_signal()] = {};
            read(index, words);
            if (bits % 32 != 0 && (words[bits / 32] >> (bits % 32)) != 0) {
                throw std::runtime_error("signal " + std::string(signals[index].name) + " holds more than the "
                                         + std::to_string(bits) + " bits that the request gives it");
            }
        }
    }

    std::string printed_;
    std::unique_ptr<VerilatedContext> context_;
    std::unique_ptr<Top> top_;  // after the context that it uses: destroyed first
};

// A unit is driven in one way only.
constexpr auto configure = static_cast<const char* (*)(void*, const tensorsmith_schedule*)>(nullptr);

}  // namespace

#include "entry.h"
