// What stands before the generated code of a unit in its one C++ file: every header that no unit changes.
//
// After each evaluation Verilator empties a queue of messages from its worker threads. Units have no worker threads, so
// the queue is always empty; but looking at it costs a lock for every vector, and makes the thread remember the library
// until it ends, so that an unloaded one would stay in memory. Hence the call becomes one without effect. The headers
// that declare it come first: only calls in generated code change, and messages are still delivered at once.

#ifndef TENSORSMITH_UNIT_BEFORE_H
#define TENSORSMITH_UNIT_BEFORE_H

#include "runtime.h"
#include "unit_table.h"
#include "verilated.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#define endOfEval(queue) mtaskId()

#endif  // TENSORSMITH_UNIT_BEFORE_H
