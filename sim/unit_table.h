// The table of functions through which every verilated unit is used, linked statically or loaded at run time.
//
// Plain C types only: a library may have been built by another compiler run than the program that loads it.
// No function of the table lets a C++ exception out; a failing function returns a text instead.
// Any change to this file that alters the layout or the meaning of a field raises TENSORSMITH_TABLE_VERSION.

#ifndef TENSORSMITH_UNIT_TABLE_H
#define TENSORSMITH_UNIT_TABLE_H

#include <cstddef>
#include <cstdint>

#define TENSORSMITH_TABLE_VERSION 5u

// The one symbol that a library built for run-time use exports.
#define TENSORSMITH_LIBRARY_ENTRY "tensorsmith_unit"

extern "C" {

// One stage signal of a traced unit.
struct tensorsmith_signal {
    const char* name;
    std::uint32_t bits;
};

// The operands of some vectors. Element i of vector v is a[v * products + i], its scale s is scale_a[v * scales + s];
// bits above the element width are ignored. A unit without scales does not look at the scale arrays.
struct tensorsmith_operands {
    const std::uint64_t* a;
    const std::uint64_t* b;
    const std::uint64_t* scale_a;
    const std::uint64_t* scale_b;
    const std::uint64_t* c;
};

// How a design of a user's own or a tile is driven.
struct tensorsmith_schedule {
    std::uint64_t seed;         // of the first values of registers that nothing gives
    std::uint32_t phases;       // of a design, what its phases may have: bits of phases.h
    std::uint32_t rounds;       // of a design, how often the vectors of a call come, at least once
    std::uint32_t gaps;         // of a tile, clocks in 256 that offer no step, though one is there
    std::uint32_t stalls;       // of a tile, clocks in 256 in which its result is not taken
    std::uint64_t reset_after;  // answers after which a call resets the design once more; 0: never
    std::uint32_t latency;      // clocks from a vector to its result; 0: the design says when
    std::uint32_t patience;     // most clocks without a vector taken or a result given
    const char* wave;           // file for the waveform, of a model that was built to write one; else null
};

struct tensorsmith_unit_table {
    std::uint32_t version;  // TENSORSMITH_TABLE_VERSION; always the first field
    std::uint32_t products;
    std::uint32_t a_width;  // bits of one element, 1 to 64, as are the next three
    std::uint32_t b_width;
    std::uint32_t c_width;
    std::uint32_t d_width;
    std::uint32_t scales;  // of a per vector, and of b; 0 for none
    std::uint32_t scale_a_width;
    std::uint32_t scale_b_width;
    const char* module;
    const char* sources;  // hash of the files that the unit was made from: 32 hexadecimal digits

    // Makes a model in *model. Returns null, or why it failed: valid until the next call on the same thread.
    const char* (*create)(void** model);
    void (*destroy)(void* model);

    // Runs `count` vectors. Returns null, or what stopped the model: valid until the next call for the same model. After a failure the
    // results are undefined and the next call starts from a fresh model.
    const char* (*run)(void* model, const tensorsmith_operands* operands, std::uint64_t* d, std::size_t count);

    std::uint32_t signal_count;
    const tensorsmith_signal* signals;

    // Writes the value after the last vector as (bits + 31) / 32 words, least significant first.
    // `index` must be below signal_count.
    void (*read)(const void* model, std::uint32_t index, std::uint32_t* words);

    // Says how the design is driven from now on, and starts it anew; null for a unit, which is driven in one way only.
    const char* (*configure)(void* model, const tensorsmith_schedule* schedule);
};

typedef const tensorsmith_unit_table* (*tensorsmith_unit_entry)(void);

}  // extern "C"

#endif  // TENSORSMITH_UNIT_TABLE_H
