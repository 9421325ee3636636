#include "coenergy/symbolic/interpreter.hpp"

#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>

#include "coenergy/symbolic/operations.hpp"
#include "coenergy/symbolic/sincos.hpp"
#include "coenergy/symbolic/stream.hpp"

namespace coenergy::symbolic {

using Code = Program::Code;

namespace {

/// d = a·b ± c·e, count times; returns the end of the words.
const std::uint32_t* run_arithmetic(const std::uint32_t* pc, double* w) {
  const std::uint32_t* const end = pc + 2 + 5 * static_cast<std::size_t>(pc[1]);
  for (pc += 2; pc != end; pc += 5) {
    const std::uint64_t sign = static_cast<std::uint64_t>(pc[4] & Stream::minus) << 32;
    const double right = w[pc[3]] * w[pc[4] & ~Stream::minus];
    w[pc[0]] = w[pc[1]] * w[pc[2]] + std::bit_cast<double>(std::bit_cast<std::uint64_t>(right) ^ sign);
  }
  return pc;
}

const std::uint32_t* run_sincos(const std::uint32_t* pc, double* w) {
  const std::uint32_t arguments = pc[1], results = pc[2];
  double x[Stream::batch], value[2 * Stream::batch];
  pc += 3;
  for (std::uint32_t i = 0; i < arguments; ++i) x[i] = w[pc[i]];
  sincos(x, value, value + Stream::batch, arguments);
  pc += arguments;
  for (std::uint32_t i = 0; i < results; ++i, pc += 2) w[pc[1]] = value[(pc[0] >> 1) + (pc[0] & 1) * Stream::batch];
  return pc;
}

const std::uint32_t* run_outputs(const std::uint32_t* pc, const double* w, double* out) {
  const std::uint32_t* const end = pc + 2 + 2 * static_cast<std::size_t>(pc[1]);
  for (pc += 2; pc != end; pc += 2) out[pc[0]] = w[pc[1]];
  return pc;
}

const std::uint32_t* run_call(const Program& program, const std::uint32_t* pc, double* w) {
  constexpr std::uint32_t most = 64;
  const std::uint32_t count = pc[3];
  double x[most];
  assert(count <= most && "bug: a call has too many arguments");
  for (std::uint32_t i = 0; i < count; ++i) x[i] = w[pc[4 + i]];
  w[pc[1]] = evaluate(program.calls[pc[2]], x);
  return pc + 4 + count;
}

}  // namespace

Interpreter::Interpreter(const Program& program) : program_(&program) {
  Stream stream = make_stream(program);
  constants_ = std::move(stream.constants);
  stream_ = std::move(stream.words);
  slots_ = stream.slots;
}

void Interpreter::run(const double* in, double* out, double* w) const {
  std::memcpy(w, constants_.data(), constants_.size() * sizeof(double));
  if (!program_->inputs.empty()) std::memcpy(w + constants_.size(), in, program_->inputs.size() * sizeof(double));
  for (const std::uint32_t* pc = stream_.data();;) {
    switch (*pc) {
      case Stream::arithmetic:
        pc = run_arithmetic(pc, w);
        continue;
      case Stream::sincos:
        pc = run_sincos(pc, w);
        continue;
      case Stream::outputs:
        pc = run_outputs(pc, w, out);
        continue;
      case Stream::done:
        return;
      default:
        break;
    }
    const auto code = static_cast<Code>(*pc);
    double& d = w[pc[1]];
    const double* const x = w + pc[2];
    switch (code) {
      case Code::div:
        d = *x / w[pc[3]];
        break;
      case Code::sqrt:
        d = std::sqrt(*x);
        break;
      case Code::abs:
        d = std::fabs(*x);
        break;
      case Code::sign:
        d = sign_of(*x);
        break;
      case Code::min:
        d = minimum(*x, w[pc[3]]);
        break;
      case Code::max:
        d = maximum(*x, w[pc[3]]);
        break;
      case Code::less:
        d = *x < w[pc[3]] ? 1 : 0;
        break;
      case Code::less_equal:
        d = *x <= w[pc[3]] ? 1 : 0;
        break;
      case Code::equal:
        d = *x == w[pc[3]] ? 1 : 0;
        break;
      case Code::logical_and:
        d = both(*x, w[pc[3]]);
        break;
      case Code::logical_or:
        d = either(*x, w[pc[3]]);
        break;
      case Code::logical_not:
        d = *x == 0 ? 1 : 0;
        break;
      case Code::select:
        d = *x != 0 ? w[pc[3]] : w[pc[4]];
        break;
      case Code::table:
      case Code::external:
        pc = run_call(*program_, pc, w);
        continue;
      default: {
        // a function of the C library
        const UnaryFunction unary = find_unary_function(code);
        d = unary != nullptr ? unary(*x) : find_binary_function(code)(*x, w[pc[3]]);
      }
    }
    pc += 2 + operand_count(code);
  }
}

}  // namespace coenergy::symbolic
