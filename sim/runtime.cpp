// Verilator's run-time library as one object, compiled once and shared by all units.
//
// Verilator's own endings print and call exit(). Here they throw `Abort`, with the text that the model printed before,
// so that a failing model is an error of one call. Nothing in here ends the process or prints to standard output.

#include "runtime.h"

#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <string>

namespace tensorsmith_runtime {
namespace {

constexpr std::size_t kept_text_limit = 65536;

// Where printed text goes on this thread; null outside a call.
thread_local std::string* printed = nullptr;

void flush(std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    text.clear();
}

int print(const char* format, ...) __attribute__((format(printf, 1, 2)));

int print(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    const int length = std::vsnprintf(nullptr, 0, format, arguments);
    va_end(arguments);
    if (length > 0 && printed != nullptr) {
        const std::size_t start = printed->size();
        printed->resize(start + static_cast<std::size_t>(length) + 1);
        std::vsnprintf(&(*printed)[start], static_cast<std::size_t>(length) + 1, format, again);
        printed->pop_back();
        if (printed->size() > kept_text_limit) flush(*printed);
    }
    va_end(again);
    return length;
}

[[noreturn]] void abort_call(const char* file, int line, const std::string& reason) {
    std::string text;
    if (printed != nullptr) text.swap(*printed);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    std::string message = text.empty() ? reason : text + "\n" + reason;
    if (file != nullptr && file[0] != '\0') message += " at " + std::string(file) + ":" + std::to_string(line);
    throw Abort(message);
}

}  // namespace

Printing::Printing(std::string& text) { printed = &text; }

Printing::~Printing() {
    flush(*printed);
    printed = nullptr;
}

}  // namespace tensorsmith_runtime

#define VL_PRINTF tensorsmith_runtime::print
#define VL_USER_FINISH
#define VL_USER_STOP
#define VL_USER_STOP_MAYBE
#define VL_USER_FATAL

// The one of the four that Verilator's headers do not declare.
void vl_stop_maybe(const char* file, int line, const char* scope, bool maybe);

#include "verilated.cpp"
#include "verilated_threads.cpp"
#if VM_TRACE
#include "verilated_vcd_c.cpp"
#endif

void vl_finish(const char* file, int line, const char*) {
    tensorsmith_runtime::abort_call(file, line, "the model called $finish");
}

void vl_stop(const char* file, int line, const char*) {
    tensorsmith_runtime::abort_call(file, line, "the model stopped ($fatal, $error or $stop)");
}

void vl_stop_maybe(const char* file, int line, const char* scope, bool) { vl_stop(file, line, scope); }

void vl_fatal(const char* file, int line, const char*, const char* message) {
    tensorsmith_runtime::abort_call(file, line, std::string("Verilator: ") + message);
}
