#include "coenergy/symbolic/native_calls.hpp"

#include <cassert>

#include "coenergy/symbolic/operations.hpp"
#include "coenergy/symbolic/sincos.hpp"
#include "coenergy/symbolic/sincos_avx2.hpp"

namespace coenergy::symbolic {

namespace {

constexpr int most_arguments = 64;

double call_scalar(const Program::Call* call, const double* x) { return evaluate(*call, x); }

/// Operation number `context` on each of W lanes; x[j·W + lane] is operand j.
template <int W>
void call_operation(std::uintptr_t context, const double* x, double* result) {
  const auto code = static_cast<Program::Code>(context);
  const int n = operand_count(code);
  for (int lane = 0; lane < W; ++lane)
    result[lane] = evaluate(code, x[lane], n > 1 ? x[W + lane] : 0, n > 2 ? x[2 * W + lane] : 0);
}

template <int W>
void call_lanes(const Program::Call* call, const double* x, double* result) {
  double one[most_arguments];
  assert(call->arguments.size() <= most_arguments && "bug: a call has too many arguments");
  for (int lane = 0; lane < W; ++lane) {
    for (std::size_t j = 0; j < call->arguments.size(); ++j) one[j] = x[j * W + static_cast<std::size_t>(lane)];
    result[lane] = evaluate(*call, one);
  }
}

template <class F>
const void* address(F* f) {
  return reinterpret_cast<const void*>(f);
}

}  // namespace

NativeCall find_native_call(const Program& program, const Program::Instruction& i, int lanes) {
  if (i.code == Program::Code::table || i.code == Program::Code::external) {
    const void* f = lanes == 1 ? address(call_scalar) : lanes == 4 ? address(call_lanes<4>) : address(call_lanes<8>);
    return {f, &program.calls[i.a], false};
  }
  if (lanes > 1) {
    const auto code = static_cast<std::uintptr_t>(i.code);
    return {lanes == 4 ? address(call_operation<4>) : address(call_operation<8>), reinterpret_cast<const void*>(code),
            false};
  }
  if (const UnaryFunction f = find_unary_function(i.code)) return {address(f), nullptr, true};
  return {address(find_binary_function(i.code)), nullptr, true};
}

const void* find_sincos(bool vector) {
  if (!vector) return address(sincos_libm);
  return has_sincos_avx2() ? address(sincos_avx2) : address(sincos_portable);
}

}  // namespace coenergy::symbolic
