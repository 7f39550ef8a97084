// Many vectors on several threads, with one handle for all and with one each, and a matrix product in parts, by libtensorsmith.
//
//     usage: threads UNIT THREADS < VECTORS
//
// VECTORS are those of dot.c, all with the result that is expected. Status 1 if one differs, 2 if something is wrong.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tensorsmith.h"

namespace {

using Numbers = std::vector<uint64_t>;

// An exception for each status but OK.
void check(tensorsmith_status status) {
  if (status != TENSORSMITH_STATUS_OK) throw std::runtime_error(tensorsmith_last_error());
}

struct Close {
  void operator()(tensorsmith_unit *unit) const { tensorsmith_close(unit); }
};
using Unit = std::unique_ptr<tensorsmith_unit, Close>;

Unit open(const std::string &name) {
  tensorsmith_unit *unit = nullptr;
  check(tensorsmith_open(name.c_str(), &unit));
  return Unit(unit);
}

tensorsmith_shape shape_of(const Unit &unit) {
  tensorsmith_shape shape;
  check(tensorsmith_shape_of(unit.get(), &shape));
  return shape;
}

// Operands of many vectors, one array an operand, and the results that are expected.
struct Vectors {
  Numbers a, b, scale_a, scale_b, c, expected;
};

Vectors read(std::istream &stream, const tensorsmith_shape &shape) {
  Vectors vectors;
  for (std::string line; std::getline(stream, line);) {
    std::istringstream numbers(line);
    numbers >> std::hex;
    auto take = [&](Numbers &into, size_t count) {
      for (size_t i = 0; i < count; i++) {
        uint64_t value;
        if (!(numbers >> value)) throw std::runtime_error("too few numbers: " + line);
        into.push_back(value);
      }
    };
    take(vectors.a, shape.products);
    take(vectors.b, shape.products);
    take(vectors.scale_a, shape.scales);
    take(vectors.scale_b, shape.scales);
    take(vectors.c, shape.c_width != 0);
    take(vectors.expected, 1);
  }
  return vectors;
}

// The vectors from `first` on: all at once into d.
void run(const Unit &unit, const Vectors &vectors, size_t first, size_t count, Numbers &d) {
  const tensorsmith_shape shape = shape_of(unit);
  const size_t products = shape.products, scales = shape.scales, addends = shape.c_width != 0;
  const tensorsmith_operands part = {
      vectors.a.data() + first * products,     count * products,
      vectors.b.data() + first * products,     count * products,
      vectors.c.data() + first * addends,      count * addends,
      vectors.scale_a.data() + first * scales, count * scales,
      vectors.scale_b.data() + first * scales, count * scales,
  };
  check(tensorsmith_run(unit.get(), count, &part, d.data() + first, count, nullptr, 0));
}

// How many results differ from what is expected; thread t runs with `unit_of(t)`, half of its part at once, then one by one.
template <typename UnitOf>
size_t mismatches(const Vectors &vectors, size_t threads, UnitOf unit_of) {
  const size_t count = vectors.expected.size(), part = (count + threads - 1) / threads;
  Numbers d(count);
  std::vector<std::string> errors(threads);
  std::vector<std::thread> running;
  for (size_t thread = 0; thread < threads; thread++) {
    running.emplace_back([&, thread] {
      try {
        decltype(auto) unit = unit_of(thread);
        const size_t first = std::min(count, thread * part), end = std::min(count, first + part);
        const size_t middle = first + (end - first) / 2;
        run(unit, vectors, first, middle - first, d);
        for (size_t vector = middle; vector < end; vector++) run(unit, vectors, vector, 1, d);
      } catch (const std::exception &error) {
        errors[thread] = error.what();
      }
    });
  }
  for (std::thread &thread : running) thread.join();
  for (const std::string &error : errors)
    if (!error.empty()) throw std::runtime_error(error);
  size_t wrong = 0;
  for (size_t vector = 0; vector < count; vector++) wrong += d[vector] != vectors.expected[vector];
  return wrong;
}

// Rows of D by several threads, of the vectors' a times the first vector's b, beside the same products as vectors.
size_t wrong_elements(const Unit &unit, const Vectors &vectors, size_t threads) {
  const tensorsmith_shape shape = shape_of(unit);
  if (shape.scales != 0) return 0;
  const size_t k = shape.products, m = std::min<size_t>(vectors.expected.size(), 32);
  Vectors rows = vectors;
  for (size_t row = 0; row < m; row++) std::copy_n(vectors.b.begin(), k, rows.b.begin() + row * k);
  Numbers d(m), expected(m);
  run(unit, rows, 0, m, expected);
  std::vector<std::thread> running;
  const size_t part = (m + threads - 1) / threads;
  for (size_t first = 0; first < m; first += part) {
    running.emplace_back([&, first] {
      const size_t count = std::min(part, m - first);
      const size_t addends = shape.c_width != 0;
      tensorsmith_operands matrices = {vectors.a.data() + first * k, count * k, vectors.b.data(), k,
                                       vectors.c.data() + first * addends, count * addends, nullptr, 0, nullptr, 0};
      // What is left undone differs from what is expected.
      (void)tensorsmith_multiply(unit.get(), count, 1, k, &matrices, d.data() + first, count);
    });
  }
  for (std::thread &thread : running) thread.join();
  size_t wrong = 0;
  for (size_t row = 0; row < m; row++) wrong += d[row] != expected[row];
  return wrong;
}

}  // namespace

int main(int argc, char **argv) try {
  const int threads = argc == 3 ? std::atoi(argv[2]) : 0;
  if (threads < 1) {
    std::cerr << "usage: threads UNIT THREADS < VECTORS\n";
    return 2;
  }
  const Unit unit = open(argv[1]);
  const Vectors vectors = read(std::cin, shape_of(unit));
  const size_t one = mismatches(vectors, threads, [&](size_t) -> const Unit & { return unit; });
  const size_t each = mismatches(vectors, threads, [&](size_t) { return open(argv[1]); });
  const size_t elements = wrong_elements(unit, vectors, threads);
  std::cout << argv[1] << ": " << vectors.expected.size() << " vectors compared on " << threads << " threads, " << one
            << " mismatches with one handle, " << each << " with one each, " << elements << " elements of D differ\n";
  return one + each + elements != 0;
} catch (const std::exception &error) {
  std::cerr << "error: " << error.what() << "\n";
  return 2;
}
