// See bridge.h.

#include "bridge.h"

#include "tensorsmith/sim/bridge.rs.h"

#include <dlfcn.h>

#include <stdexcept>
#include <string>
#include <utility>

// Written by build.rs: the entry of every linked unit, then a null pointer.
extern "C" const tensorsmith_unit_entry tensorsmith_linked_units[];

namespace tensorsmith {
namespace {

void check_version(const tensorsmith_unit_table& table) {
    if (table.version != TENSORSMITH_TABLE_VERSION) {
        throw std::runtime_error("the unit has table version " + std::to_string(table.version)
                                 + ", this program reads version " + std::to_string(TENSORSMITH_TABLE_VERSION)
                                 + ": build the unit again");
    }
}

void check_length(const char* slice, std::size_t found, std::size_t vectors, std::size_t each) {
    const bool equal = each == 0 ? found == 0 : found % each == 0 && found / each == vectors;
    if (!equal) {
        throw std::invalid_argument("slice " + std::string(slice) + " has " + std::to_string(found)
                                    + " elements; the " + std::to_string(vectors) + " vectors of slice d need "
                                    + std::to_string(each) + " each");
    }
}

std::string last_load_error() {
    const char* reason = dlerror();
    return reason != nullptr ? reason : "unknown reason";
}

}  // namespace

Model::Model(const tensorsmith_unit_table& table, std::shared_ptr<void> library)
    : library_(std::move(library)), table_(table) {
    check_version(table_);
    if (const char* reason = table_.create(&model_)) throw std::runtime_error(reason);
}

Model::~Model() { table_.destroy(model_); }

rust::String Model::module() const { return rust::String::lossy(table_.module); }

rust::String Model::sources() const { return rust::String::lossy(table_.sources); }

Shape Model::shape() const {
    return Shape{table_.products, table_.a_width, table_.b_width,       table_.c_width,
                 table_.d_width,  table_.scales,  table_.scale_a_width, table_.scale_b_width};
}

void Model::run(rust::Slice<const std::uint64_t> a, rust::Slice<const std::uint64_t> b,
                rust::Slice<const std::uint64_t> scale_a, rust::Slice<const std::uint64_t> scale_b,
                rust::Slice<const std::uint64_t> c, rust::Slice<std::uint64_t> d) {
    check_length("a", a.size(), d.size(), table_.products);
    check_length("b", b.size(), d.size(), table_.products);
    check_length("scale_a", scale_a.size(), d.size(), table_.scales);
    check_length("scale_b", scale_b.size(), d.size(), table_.scales);
    check_length("c", c.size(), d.size(), 1);
    const tensorsmith_operands operands{a.data(), b.data(), scale_a.data(), scale_b.data(), c.data()};
    if (const char* reason = table_.run(model_, &operands, d.data(), d.size())) throw std::runtime_error(reason);
}

void Model::configure(const Schedule& schedule) {
    if (table_.configure == nullptr) throw std::invalid_argument("a unit is driven in one way only");
    const std::string wave(schedule.wave);
    const tensorsmith_schedule plain{schedule.seed,    schedule.phases,   schedule.rounds,
                                     schedule.gaps,    schedule.stalls,   schedule.reset_after,
                                     schedule.latency, schedule.patience, wave.empty() ? nullptr : wave.c_str()};
    if (const char* reason = table_.configure(model_, &plain)) throw std::runtime_error(reason);
}

rust::Vec<Signal> Model::signals() const {
    rust::Vec<Signal> list;
    for (std::uint32_t index = 0; index < table_.signal_count; ++index) {
        list.push_back(Signal{rust::String::lossy(table_.signals[index].name), table_.signals[index].bits});
    }
    return list;
}

rust::Vec<std::uint32_t> Model::read(std::uint32_t index) const {
    rust::Vec<std::uint32_t> words;
    if (index >= table_.signal_count) return words;
    for (std::uint32_t bits = 0; bits < table_.signals[index].bits; bits += 32) words.push_back(0);
    table_.read(model_, index, words.data());
    return words;
}

rust::Vec<rust::String> linked_modules() {
    rust::Vec<rust::String> modules;
    for (const tensorsmith_unit_entry* entry = tensorsmith_linked_units; *entry != nullptr; ++entry) {
        modules.push_back(rust::String::lossy((*entry)()->module));
    }
    return modules;
}

std::unique_ptr<Model> open_linked(rust::Str module) {
    const std::string wanted(module);
    for (const tensorsmith_unit_entry* entry = tensorsmith_linked_units; *entry != nullptr; ++entry) {
        const tensorsmith_unit_table& table = *(*entry)();
        if (wanted == table.module) return std::make_unique<Model>(table, nullptr);
    }
    throw std::invalid_argument("no unit of that name is linked into this program");
}

std::unique_ptr<Model> open_library(rust::Str path, rust::Str sources) {
    const std::string name(path);
    void* opened = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (opened == nullptr) throw std::runtime_error(last_load_error());
    std::shared_ptr<void> library(opened, [](void* handle) { dlclose(handle); });

    void* symbol = dlsym(opened, TENSORSMITH_LIBRARY_ENTRY);
    if (symbol == nullptr) throw std::runtime_error(last_load_error());
    const auto entry = reinterpret_cast<tensorsmith_unit_entry>(symbol);
    const tensorsmith_unit_table& table = *entry();
    check_version(table);
    if (std::string(sources) != table.sources) {
        throw std::runtime_error("its unit was made from other files than this one: remove it, and it is built again");
    }
    return std::make_unique<Model>(table, std::move(library));
}

}  // namespace tensorsmith
