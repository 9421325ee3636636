#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "coenergy/symbolic/program.hpp"

namespace coenergy::symbolic {

enum class Engine {
  automatic,    ///< native code where it can be made, at once for small programs, in the background for large ones
  interpreter,  ///< never native code
  native,       ///< native code before the constructor returns, where it can be made
};

/// A program ready to run. Calls are const and thread-safe: the caller owns the work array. No allocation in a call.
/// All engines give the same bits.
class Function {
 public:
  Function();
  explicit Function(Program program, Engine engine = Engine::automatic);
  ~Function();
  Function(Function&&) noexcept;
  Function& operator=(Function&&) noexcept;

  const Program& program() const;
  std::size_t work_size() const;  ///< doubles the caller provides

  /// out[0..outputs) = f(in[0..inputs)). The three arrays do not overlap.
  void operator()(const double* in, double* out, double* work) const;

  /// Lanes: the same program over lane_count() instances at once; in[i·W + k] is input i of instance k, likewise out.
  /// Arrays that are aligned to W doubles are read faster.
  static int lane_count();             ///< 8, 4 or 1, by what the machine has
  std::size_t lane_work_size() const;  ///< doubles the caller provides; the first call makes the code for lanes
  void lanes(const double* in, double* out, double* work) const;

  bool is_native() const;          ///< false while (or where) the interpreter serves
  void wait_until_native() const;  ///< until code that is being made in the background is ready
  OperationCount count() const;

  /// The first value that is NaN or infinite for this input, with the name of the let binding or output it came from,
  /// as "beta2: div(1, 0) = inf".
  std::optional<std::string> find_bad_value(const double* in) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// One call for occasional use (allocates).
std::vector<double> evaluate(const Function& f, std::span<const double> in);

}  // namespace coenergy::symbolic
