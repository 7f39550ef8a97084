// The table of one verilated top (see unit_table.h), for the class `Model` that stands before it and drives the top.
//
// `Model` has `run`, `read`, `forget` and `message`, as unit_model.cpp shows, the array `signals` stands beside it, and
// `configure` is a function or null. Never lets an exception out.

#ifndef TENSORSMITH_ENTRY_H
#define TENSORSMITH_ENTRY_H

namespace {

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
    read,                      configure,
};

}  // namespace

extern "C" const tensorsmith_unit_table* TENSORSMITH_ENTRY() { return &table; }

#endif  // TENSORSMITH_ENTRY_H
