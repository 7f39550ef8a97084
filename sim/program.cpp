// A verilated top as a program of its own: it reads requests from standard input and writes replies to standard output. What a user
// wrote runs here, and nowhere else: it may end, hang or crash this program, and print whatever it likes to standard error.
//
// Compiled beside the top's object. The command line defines TENSORSMITH_ENTRY (the symbol of the top's table); the first argument is the
// most memory that the program may have, in bytes. All numbers are 64-bit words of this machine; elements of operands have the fewest bytes of
// 1, 2, 4 and 8 that hold them.
//
//   request   kind, bytes behind it
//     1       how a design is driven: seed, reset_after, phases, rounds, gaps, stalls, latency, patience,
//             then the name of the waveform. No reply
//     2       vectors: their count, then all elements of a, b, the scales of a, the scales of b, c
//   reply     kind, bytes behind it
//     1       at the start: products, scales, bytes of an element of a, b, a scale of a, one of b and c, then lines: the hash of the sources, the
//             name of each signal; later: a result for each vector, then the values of the signals, which have 64 bits at most
//     2       a failure: its text
//     3       how many clocks have ended: once a second while a request is under way, if it is another number than before, and when the
//             program ends

#include "unit_table.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

extern "C" const tensorsmith_unit_table* TENSORSMITH_ENTRY();

// Clocks that have ended since the design was started: counted by its harness.
extern "C" {
volatile std::uint64_t tensorsmith_clocks = 0;
}

namespace {

enum : std::uint64_t { configuring = 1, running = 2 };
enum : std::uint64_t { done = 1, failed = 2, progress = 3 };

struct Header {
    std::uint64_t kind;
    std::uint64_t bytes;
};

// Numbers that no file of a design gets by chance.
constexpr int first_own_file = 100;
int requests = -1;
int replies = -1;

// Whatever nobody reads is written in vain: the program that asked is gone.
void write_all(const void* bytes, std::size_t size) {
    const char* next = static_cast<const char*>(bytes);
    while (size > 0) {
        const ssize_t written = write(replies, next, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) _exit(1);
        next += written;
        size -= static_cast<std::size_t>(written);
    }
}

// The end of the requests is the end of the program.
void read_all(void* bytes, std::size_t size) {
    char* next = static_cast<char*>(bytes);
    while (size > 0) {
        const ssize_t count = read(requests, next, size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) _exit(0);
        next += count;
        size -= static_cast<std::size_t>(count);
    }
}

void fail(const char* text) {
    const Header header{failed, std::strlen(text)};
    write_all(&header, sizeof header);
    write_all(text, header.bytes);
}

// ------------------------------------------------------------------------------------------------------------ progress

std::uint64_t clocks_told = 0;
// Whether a request is under way, and no other reply.
volatile std::sig_atomic_t tells = 0;

// At the end of the program, and in handlers of signals: nothing here takes memory.
void tell_clocks() {
    const std::uint64_t words[] = {progress, sizeof(std::uint64_t), tensorsmith_clocks};
    clocks_told = words[2];
    // As short as it is, all of it is written or nothing, and nobody needs it.
    if (write(replies, words, sizeof words) < 0) return;
}

void at_second(int) {
    const int error = errno;
    if (tells && tensorsmith_clocks != clocks_told) tell_clocks();
    errno = error;
}

// A fault of the design ends the program as if there was no handler.
void at_fault(int signal) {
    tell_clocks();
    raise(signal);
}

void handle(int signal, void (*handler)(int), int flags) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigaction(signal, &action, nullptr);
}

void handle_ends() {
    // A stack that overflows needs another one for its handler.
    static char other_stack[1 << 16];
    const stack_t stack{other_stack, 0, sizeof other_stack};
    sigaltstack(&stack, nullptr);
    for (const int signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV}) {
        handle(signal, at_fault, SA_ONSTACK | static_cast<int>(SA_RESETHAND));
    }
    handle(SIGALRM, at_second, SA_RESTART);
    const itimerval second{{1, 0}, {1, 0}};
    setitimer(ITIMER_REAL, &second, nullptr);
    std::atexit(tell_clocks);
}

// ------------------------------------------------------------------------------------------------------------ requests

void configure(const tensorsmith_unit_table& table, void* model, const std::vector<char>& request) {
    std::uint64_t words[8] = {};
    if (request.size() < sizeof words) _exit(1);
    std::memcpy(words, request.data(), sizeof words);
    const std::string wave(request.begin() + sizeof words, request.end());
    const auto narrow = [&](std::size_t index) { return static_cast<std::uint32_t>(words[index]); };
    const tensorsmith_schedule schedule{words[0],  narrow(2), narrow(3), narrow(4), narrow(5),
                                        words[1],  narrow(6), narrow(7), wave.empty() ? nullptr : wave.c_str()};
    if (table.configure == nullptr || table.configure(model, &schedule) != nullptr) _exit(1);
}

std::size_t bytes(std::uint32_t width) {
    return width == 0 ? 0 : width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : 8;
}

template <typename Element>
void widen(const char* elements, std::vector<std::uint64_t>& words) {
    for (std::size_t index = 0; index < words.size(); ++index) {
        Element element;
        std::memcpy(&element, elements + index * sizeof element, sizeof element);
        words[index] = element;
    }
}

// The operands of a vector: how many elements, and bytes of each.
struct Operand {
    std::size_t elements;
    std::size_t bytes;
    std::vector<std::uint64_t> words = {};
};

class Operands {
  public:
    explicit Operands(const tensorsmith_unit_table& table)
        : all{Operand{table.products, bytes(table.a_width)}, Operand{table.products, bytes(table.b_width)},
              Operand{table.scales, bytes(table.scale_a_width)}, Operand{table.scales, bytes(table.scale_b_width)},
              Operand{1, bytes(table.c_width)}} {}

    // False where there are more bytes or fewer.
    bool read(const char* next, const char* end, std::size_t count) {
        for (Operand& operand : all) {
            operand.words.resize(count * operand.elements);
            const std::size_t size = operand.words.size() * operand.bytes;
            if (static_cast<std::size_t>(end - next) < size) return false;
            if (operand.bytes == 1) widen<std::uint8_t>(next, operand.words);
            if (operand.bytes == 2) widen<std::uint16_t>(next, operand.words);
            if (operand.bytes == 4) widen<std::uint32_t>(next, operand.words);
            if (operand.bytes == 8) widen<std::uint64_t>(next, operand.words);
            next += size;
        }
        return next == end;
    }

    Operand all[5];
};

void run(const tensorsmith_unit_table& table, void* model, Operands& operands, const std::vector<char>& request) {
    std::uint64_t count = 0;
    if (request.size() < sizeof count) _exit(1);
    std::memcpy(&count, request.data(), sizeof count);
    if (!operands.read(request.data() + sizeof count, request.data() + request.size(), count)) _exit(1);
    const auto words = [&](std::size_t index) { return operands.all[index].words.data(); };
    const tensorsmith_operands all{words(0), words(1), words(2), words(3), words(4)};
    std::vector<std::uint64_t> reply(2 + count + table.signal_count);
    tells = 1;
    const char* reason = table.run(model, &all, reply.data() + 2, count);
    tells = 0;
    if (reason != nullptr) {
        fail(reason);
        return;
    }
    for (std::uint32_t index = 0; index < table.signal_count; ++index) {
        std::uint32_t value[2] = {};
        table.read(model, index, value);
        reply[2 + count + index] = std::uint64_t{value[1]} << 32 | value[0];
    }
    reply[0] = done;
    reply[1] = (reply.size() - 2) * sizeof(std::uint64_t);
    write_all(reply.data(), reply.size() * sizeof(std::uint64_t));
}

void greet(const tensorsmith_unit_table& table, const Operands& operands) {
    std::string sources(table.sources);
    for (std::uint32_t index = 0; index < table.signal_count; ++index) sources += std::string("\n") + table.signals[index].name;
    std::uint64_t words[] = {done, 7 * sizeof(std::uint64_t) + sources.size(), table.products, table.scales, 0, 0, 0, 0, 0};
    for (std::size_t index = 0; index < 5; ++index) words[4 + index] = operands.all[index].bytes;
    write_all(words, sizeof words);
    write_all(sources.data(), sources.size());
}

// Takes standard input and output away from what a user wrote.
void keep_files() {
    requests = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, first_own_file);
    replies = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, first_own_file);
    const int nothing = open("/dev/null", O_RDONLY);
    if (requests < 0 || replies < 0 || nothing < 0) _exit(1);
    dup2(nothing, STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    if (nothing != STDIN_FILENO) close(nothing);
}

void limit(int resource, rlim_t most) {
    rlimit both{};
    if (getrlimit(resource, &both) != 0) return;
    both.rlim_cur = both.rlim_max = both.rlim_max < most ? both.rlim_max : most;
    setrlimit(resource, &both);
}

}  // namespace

int main(int count, char** arguments) {
    keep_files();
    limit(RLIMIT_CORE, 0);
    if (count > 1) limit(RLIMIT_AS, std::strtoull(arguments[1], nullptr, 10));
    handle_ends();

    const tensorsmith_unit_table& table = *TENSORSMITH_ENTRY();
    void* model = nullptr;
    if (const char* reason = table.create(&model)) {
        fail(reason);
        return 1;
    }
    Operands operands(table);
    greet(table, operands);
    std::vector<char> request;
    for (;;) {
        Header header{};
        read_all(&header, sizeof header);
        request.resize(header.bytes);
        read_all(request.data(), request.size());
        if (header.kind == configuring) {
            configure(table, model, request);
        } else if (header.kind == running) {
            run(table, model, operands, request);
        } else {
            _exit(1);
        }
    }
}
