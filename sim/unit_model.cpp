// The harness of one verilated unit: fills a tensorsmith_unit_table for it.
//
// Compiled at the end of the one file that holds all generated code of the unit, so that the evaluation is inlined into
// the loop below. The text before it defines TENSORSMITH_TOP (class), TENSORSMITH_MODULE (name), TENSORSMITH_SOURCES (hash of
// the files), TENSORSMITH_ENTRY (symbol), TENSORSMITH_PRODUCTS, TENSORSMITH_A_WIDTH, _B_WIDTH, _C_WIDTH (0 without addend),
// _D_WIDTH, TENSORSMITH_FLAGS_WIDTH (0 without), TENSORSMITH_SCALES (0 without), TENSORSMITH_SCALE_A_WIDTH, _SCALE_B_WIDTH,
// TENSORSMITH_LATENCY (0: combinational) and TENSORSMITH_SIGNALS(SIGNAL), a list of SIGNAL(name, bits, member of the generated root
// class). It never lets an exception out, and never uses a state that an earlier call left.

namespace {

using Top = TENSORSMITH_TOP;
using Root = std::remove_reference_t<decltype(*std::declval<Top&>().rootp)>;

// ------------------------------------------------------------------------------------------------------- containers
// Verilator stores a vector of `bits` in the smallest of these types.

template <typename Type>
constexpr bool holds(unsigned bits) {
    if (std::is_same<Type, CData>::value) return bits >= 1 && bits <= 8;
    if (std::is_same<Type, SData>::value) return bits >= 9 && bits <= 16;
    if (std::is_same<Type, IData>::value) return bits >= 17 && bits <= 32;
    if (std::is_same<Type, QData>::value) return bits >= 33 && bits <= 64;
    return bits > 64 && sizeof(Type) == sizeof(EData) * ((bits + 31) / 32);
}

constexpr std::uint64_t mask(unsigned width) {
    return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

// ------------------------------------------------------------------------------------------------------------ ports
// Elements lie in a port from the least significant bit up: element i in bits [i*Width +: Width].

template <unsigned Width, std::size_t Index>
inline void place(std::uint64_t* chunks, std::uint64_t element) {
    constexpr std::size_t position = Index * Width;
    constexpr unsigned shift = position % 64;
    const std::uint64_t value = element & mask(Width);
    chunks[position / 64] |= value << shift;
    if constexpr (shift + Width > 64) chunks[position / 64 + 1] |= value >> (64 - shift);
}

template <typename Port>
inline void store(Port& port, const std::uint64_t* chunks) {
    port = static_cast<Port>(chunks[0]);
}

template <std::size_t Words>
inline void store(VlWide<Words>& port, const std::uint64_t* chunks) {
    for (std::size_t word = 0; word < Words; ++word) {
        port[word] = static_cast<EData>(chunks[word / 2] >> (word % 2 * 32));
    }
}

template <unsigned Width, typename Port, std::size_t... Index>
inline void load(Port& port, const std::uint64_t* elements, std::index_sequence<Index...>) {
    static_assert(holds<Port>(Width * sizeof...(Index)), "a port is not as wide as the unit's parameters say");
    std::uint64_t chunks[(Width * sizeof...(Index) + 63) / 64] = {};
    (place<Width, Index>(chunks, elements[Index]), ...);
    store(port, chunks);
}

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
        static_assert(holds<std::remove_reference_t<decltype(top_->d_o)>>(TENSORSMITH_D_WIDTH),
                      "the result port is not as wide as the unit's parameters say");
#if TENSORSMITH_LATENCY > 0
        clock(operands, d, count, vector);
#else
        for (vector = 0; vector < count; ++vector) {
            feed(operands, vector);
            top_->eval();
            d[vector] = answer();
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
    // Puts the operands of a vector on the ports.
    void feed(const tensorsmith_operands& operands, std::size_t vector) {
        using Elements = std::make_index_sequence<TENSORSMITH_PRODUCTS>;
        Top& top = *top_;
        load<TENSORSMITH_A_WIDTH>(top.a_i, operands.a + vector * TENSORSMITH_PRODUCTS, Elements{});
        load<TENSORSMITH_B_WIDTH>(top.b_i, operands.b + vector * TENSORSMITH_PRODUCTS, Elements{});
#if TENSORSMITH_C_WIDTH > 0
        load<TENSORSMITH_C_WIDTH>(top.c_i, operands.c + vector, std::make_index_sequence<1>{});
#endif
#if TENSORSMITH_SCALES > 0
        using Scales = std::make_index_sequence<TENSORSMITH_SCALES>;
        load<TENSORSMITH_SCALE_A_WIDTH>(top.scale_a_i, operands.scale_a + vector * TENSORSMITH_SCALES, Scales{});
        load<TENSORSMITH_SCALE_B_WIDTH>(top.scale_b_i, operands.scale_b + vector * TENSORSMITH_SCALES, Scales{});
#endif
    }

    // The result on the ports; flags stand above the bits of d.
    std::uint64_t answer() const {
        std::uint64_t d = top_->d_o;
#if TENSORSMITH_FLAGS_WIDTH > 0
        static_assert(TENSORSMITH_D_WIDTH + TENSORSMITH_FLAGS_WIDTH <= 64, "result and flags do not fit one word");
        d |= std::uint64_t{top_->flags_o} << TENSORSMITH_D_WIDTH;
#endif
        return d;
    }

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
            feed(operands, gap || stall ? (fed * 7 + 3) % count : fed);
            top.ce_i = !stall;
            const std::uint64_t before = answer();
            top.clk_i = 1;
            top.eval();
            if (stall) {
                if (answered > 0 && answer() != before) throw std::runtime_error("the result changed while ce_i was 0");
            } else {
                held[stage] = gap ? none : fed++;
                stage = (stage + 1) % TENSORSMITH_LATENCY;
                // The oldest has passed all registers by this edge.
                vector = held[stage];
                if (vector != none) {
                    d[vector] = answer();
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

// ------------------------------------------------------------------------------------------------------------- table

const char* create(void** model) noexcept {
    static thread_local std::array<char, 1024> message;
    try {
        *model = new Model();
        return nullptr;
    } catch (const std::exception& error) {
        std::snprintf(message.data(), message.size(), "%s", error.what());
    } catch (...) {
        std::snprintf(message.data(), message.size(), "%s", "unknown C++ exception");
    }
    return message.data();
}

void destroy(void* model) noexcept { delete static_cast<Model*>(model); }

const char* run(void* handle, const tensorsmith_operands* operands, std::uint64_t* d, std::size_t count) noexcept {
    Model& model = *static_cast<Model*>(handle);
    std::size_t vector = 0;
    const auto explain = [&](const char* reason) {
        std::snprintf(model.message.data(), model.message.size(), "vector %zu: %s", vector, reason);
    };
    try {
        model.run(*operands, d, count, vector);
        return nullptr;
    } catch (const std::exception& error) {
        explain(error.what());
    } catch (...) {
        explain("unknown C++ exception");
    }
    model.forget();
    return model.message.data();
}

void read(const void* model, std::uint32_t index, std::uint32_t* words) noexcept {
    static_cast<const Model*>(model)->read(index, words);
}

constexpr tensorsmith_unit_table table = {
    TENSORSMITH_TABLE_VERSION, TENSORSMITH_PRODUCTS, TENSORSMITH_A_WIDTH, TENSORSMITH_B_WIDTH,
    TENSORSMITH_C_WIDTH,       TENSORSMITH_D_WIDTH,  TENSORSMITH_SCALES,  TENSORSMITH_SCALE_A_WIDTH,
    TENSORSMITH_SCALE_B_WIDTH, TENSORSMITH_MODULE,   TENSORSMITH_SOURCES, create,
    destroy,                   run,                  signal_count,        signals,
    read,
};

}  // namespace

extern "C" const tensorsmith_unit_table* TENSORSMITH_ENTRY() { return &table; }
