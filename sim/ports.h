// How vectors get onto the ports of a verilated top and results off them: for the harness of a unit (unit_model.cpp) and for
// that of a design (design_model.cpp).
//
// The text before it defines TENSORSMITH_TOP (class), TENSORSMITH_MODULE (name), TENSORSMITH_SOURCES (hash of the files),
// TENSORSMITH_ENTRY (symbol), TENSORSMITH_PRODUCTS, TENSORSMITH_A_WIDTH, _B_WIDTH, _C_WIDTH (0 without addend), _D_WIDTH,
// TENSORSMITH_FLAGS_WIDTH (0 without), TENSORSMITH_SCALES (0 without), TENSORSMITH_SCALE_A_WIDTH and _SCALE_B_WIDTH.

#ifndef TENSORSMITH_PORTS_H
#define TENSORSMITH_PORTS_H

#include "containers.h"

namespace {

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

template <unsigned Width, typename Port, std::size_t... Index>
inline void load(Port& port, const std::uint64_t* elements, std::index_sequence<Index...>) {
    static_assert(holds<Port>(Width * sizeof...(Index)), "a port is not as wide as the unit's parameters say");
    std::uint64_t chunks[(Width * sizeof...(Index) + 63) / 64] = {};
    (place<Width, Index>(chunks, elements[Index]), ...);
    store(port, chunks);
}

// Puts the operands of a vector on the ports.
inline void feed(Top& top, const tensorsmith_operands& operands, std::size_t vector) {
    using Elements = std::make_index_sequence<TENSORSMITH_PRODUCTS>;
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
inline std::uint64_t answer(const Top& top) {
    static_assert(holds<std::remove_reference_t<decltype(top.d_o)>>(TENSORSMITH_D_WIDTH),
                  "the result port is not as wide as the unit's parameters say");
    std::uint64_t d = top.d_o;
#if TENSORSMITH_FLAGS_WIDTH > 0
    static_assert(TENSORSMITH_D_WIDTH + TENSORSMITH_FLAGS_WIDTH <= 64, "result and flags do not fit one word");
    d |= std::uint64_t{top.flags_o} << TENSORSMITH_D_WIDTH;
#endif
    return d;
}

}  // namespace

#endif  // TENSORSMITH_PORTS_H
