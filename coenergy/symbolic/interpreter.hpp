#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "coenergy/symbolic/program.hpp"

namespace coenergy::symbolic {

/// Portable engine. Sums, differences, products and negations are all one operation,
///   d = a·b ± c·e      with 1, −1 or −0 where an operand is missing (x·1 = x and x + (−0) = x to the last bit),
/// so that they run in a loop without any branch to mispredict; a product that only one sum reads is part of that sum
/// (each operation is still rounded by itself). Inside such a loop, operations are ordered by level in small windows,
/// so that neighbours do not wait for each other. Neighbouring sines and cosines are one batch; all else is a switch.
///
/// A call copies constants and inputs to the front of the work array and then works on slots.
class Interpreter {
 public:
  /// The program must outlive the interpreter.
  explicit Interpreter(const Program& program);
  std::size_t work_size() const { return slots_; }
  void run(const double* in, double* out, double* work) const;

 private:
  const Program* program_;
  std::vector<double> constants_;
  std::vector<std::uint32_t> stream_;
  std::size_t slots_ = 0;
};

/// The first value that is NaN or infinite, with the binding or output it belongs to, for example
/// "beta2: div(1, 0) = inf".
std::optional<std::string> find_bad_value(const Program& program, const double* in);

}  // namespace coenergy::symbolic
