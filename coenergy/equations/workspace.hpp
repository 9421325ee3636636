#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace coenergy::equations {

/// Working memory that grows to what is asked of it and is kept: calls after the first allocate nothing.
class WorkArray {
 public:
  /// At least `size` doubles, aligned to a cache line. What it held before is lost when it grows.
  double* fit(std::size_t size) {
    constexpr std::size_t line = 64;
    if (memory_.size() < size + line / sizeof(double)) memory_.resize(size + line / sizeof(double));
    const auto at = reinterpret_cast<std::uintptr_t>(memory_.data());
    return memory_.data() + (line - at % line) % line / sizeof(double);
  }

 private:
  std::vector<double> memory_;
};

/// What one call of a function needs.
struct Workspace {
  WorkArray in, out, work;
};

}  // namespace coenergy::equations
