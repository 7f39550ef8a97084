// The C++ side of the cxx bridge: units of this program, and units loaded from libraries.
//
// Every failure is a C++ exception here, which cxx turns into a Rust error. It never builds anything: libraries are
// made by the recipe beforehand.

#ifndef TENSORSMITH_BRIDGE_H
#define TENSORSMITH_BRIDGE_H

#include "rust/cxx.h"
#include "unit_table.h"

#include <cstdint>
#include <memory>

namespace tensorsmith {

struct Schedule;
struct Shape;
struct Signal;

// One running model of a unit. Used by one thread at a time; may move between threads.
class Model {
  public:
    // `library` keeps the code of a loaded unit in memory as long as the model lives; null for a linked unit.
    Model(const tensorsmith_unit_table& table, std::shared_ptr<void> library);
    ~Model();
    Model(const Model&) = delete;
    Model& operator=(const Model&) = delete;

    rust::String module() const;
    rust::String sources() const;
    Shape shape() const;

    // As many vectors as d has elements; throws unless the other lengths agree with that.
    void run(rust::Slice<const std::uint64_t> a, rust::Slice<const std::uint64_t> b,
             rust::Slice<const std::uint64_t> scale_a, rust::Slice<const std::uint64_t> scale_b,
             rust::Slice<const std::uint64_t> c, rust::Slice<std::uint64_t> d);

    // Throws for a unit: only a design is driven in several ways.
    void configure(const Schedule& schedule);

    rust::Vec<Signal> signals() const;

    // Empty if there is no such signal.
    rust::Vec<std::uint32_t> read(std::uint32_t index) const;

  private:
    std::shared_ptr<void> library_;
    const tensorsmith_unit_table& table_;
    void* model_ = nullptr;
};

rust::Vec<rust::String> linked_modules();
std::unique_ptr<Model> open_linked(rust::Str module);
// Throws unless the unit was made from the files with that hash.
std::unique_ptr<Model> open_library(rust::Str path, rust::Str sources);

}  // namespace tensorsmith

#endif  // TENSORSMITH_BRIDGE_H
