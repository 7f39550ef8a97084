// How Verilator keeps the vectors of a top's ports, for what fills and reads them.
//
// The text before it defines TENSORSMITH_TOP (class).

#ifndef TENSORSMITH_CONTAINERS_H
#define TENSORSMITH_CONTAINERS_H

#include <cstddef>
#include <cstdint>

namespace {

using Top = TENSORSMITH_TOP;

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

// Fills a port from chunks of 64 bits, the lowest first.
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

}  // namespace

#endif  // TENSORSMITH_CONTAINERS_H
