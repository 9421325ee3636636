#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "coenergy/symbolic/program.hpp"

namespace coenergy::symbolic {

/// Portable engine: threaded code over slots. A call copies constants and inputs to the front of the work array and
/// then runs one stream of words: operation, destination slot, operand slots. A product that only feeds the sum after
/// it is one operation with it (rounded twice, as if they were two), and neighbouring sines and cosines are one batch.
class Interpreter {
 public:
  /// The program must outlive the interpreter and have its slots assigned.
  explicit Interpreter(const Program& program);
  std::size_t work_size() const { return program_->slots; }
  void run(const double* in, double* out, double* work) const;

 private:
  const Program* program_;
  std::vector<std::uint32_t> stream_;
};

/// The first value that is NaN or infinite, with the binding or output it belongs to, for example
/// "beta2: div(1, 0) = inf".
std::optional<std::string> find_bad_value(const Program& program, const double* in);

}  // namespace coenergy::symbolic
