// What the Verilator run-time library (runtime.cpp) offers to the harness of a unit (unit_model.cpp).

#ifndef TENSORSMITH_RUNTIME_H
#define TENSORSMITH_RUNTIME_H

#include <stdexcept>
#include <string>

namespace tensorsmith_runtime {

// Thrown where Verilator would have ended the process: $fatal, $error, $stop, $finish and its internal errors.
class Abort : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// Collects in `text` what models print on this thread ($display) while it lives. A failing call takes the text into its
// error; whatever is left at the end goes to standard error. No state stays behind that would outlive a library.
class Printing {
  public:
    explicit Printing(std::string& text);
    ~Printing();
    Printing(const Printing&) = delete;
    Printing& operator=(const Printing&) = delete;
};

}  // namespace tensorsmith_runtime

#endif  // TENSORSMITH_RUNTIME_H
