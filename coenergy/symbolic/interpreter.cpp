#include "coenergy/symbolic/interpreter.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

#include "coenergy/symbolic/operations.hpp"
#include "coenergy/symbolic/sincos.hpp"

namespace coenergy::symbolic {

using Code = Program::Code;

namespace {

/// Words of the stream: one per Program::Code with the same number, then these.
enum Word : std::uint32_t {
  first_extra = static_cast<std::uint32_t>(Code::external) + 1,
  product_plus = first_extra,  ///< d = a·b + c
  product_minus,               ///< d = a·b − c
  minus_product,               ///< d = c − a·b
  two_products_plus,           ///< d = a·b + c·e
  two_products_minus,          ///< d = a·b − c·e
  sincos_batch,  ///< counts of arguments and results, argument slots, (2·argument + is cosine, slot) pairs
  output,        ///< out[index] = slot
  done,
};

constexpr std::uint32_t batch_size = 64;

/// Writes the stream of a program.
class Writer {
 public:
  explicit Writer(const Program& program)
      : p_(program), uses_(program.code.size(), 0), outputs_of_(program.code.size(), none) {
    for (const auto& i : p_.code)
      for (const std::uint32_t v : operands(p_, i)) ++uses_[v];
    // outputs of one value form a list
    next_output_.assign(p_.result.size(), none);
    for (std::uint32_t j = 0; j < p_.result.size(); ++j) {
      ++uses_[p_.result[j]];
      next_output_[j] = outputs_of_[p_.result[j]];
      outputs_of_[p_.result[j]] = j;
    }
  }

  std::vector<std::uint32_t> write() {
    const auto n = static_cast<std::uint32_t>(p_.code.size());
    stream_.reserve(4 * n + 1);
    for (std::uint32_t k = 0; k < n;) {
      const std::uint32_t end = write_from(k);
      for (; k < end; ++k) write_outputs(k);
    }
    stream_.push_back(done);
    return std::move(stream_);
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  bool is_inner_product(std::uint32_t k) const {
    return k < p_.code.size() && p_.code[k].code == Code::mul && uses_[k] == 1;
  }
  std::uint32_t slot(std::uint32_t value) const { return p_.slot[value]; }
  void put(std::initializer_list<std::uint32_t> words) { stream_.insert(stream_.end(), words); }

  /// Writes what begins at instruction k; returns one past the last instruction it covers.
  std::uint32_t write_from(std::uint32_t k) {
    const Program::Instruction& i = p_.code[k];
    switch (i.code) {
      case Code::input:
      case Code::constant:
        return k + 1;
      case Code::sin:
      case Code::cos:
        return write_sincos(k);
      case Code::mul:
        if (const std::uint32_t end = write_fused(k); end > k) return end;
        break;
      default:
        break;
    }
    put({static_cast<std::uint32_t>(i.code), slot(k)});
    if (i.code == Code::table || i.code == Code::external) {
      put({i.a});
    } else {
      for (const std::uint32_t v : operands(p_, i)) put({slot(v)});
    }
    return k + 1;
  }

  /// One or two products that only the following sum reads; returns k where the pattern does not fit.
  std::uint32_t write_fused(std::uint32_t k) {
    if (!is_inner_product(k)) return k;
    const auto is_sum = [&](std::uint32_t j) {
      return j < p_.code.size() && (p_.code[j].code == Code::add || p_.code[j].code == Code::sub);
    };
    const Program::Instruction& first = p_.code[k];
    if (is_inner_product(k + 1) && is_sum(k + 2)) {
      const Program::Instruction &second = p_.code[k + 1], &sum = p_.code[k + 2];
      const bool in_order = sum.a == k && sum.b == k + 1, swapped = sum.a == k + 1 && sum.b == k;
      if (in_order || swapped) {
        const Program::Instruction &left = in_order ? first : second, &right = in_order ? second : first;
        put({sum.code == Code::add ? two_products_plus : two_products_minus, slot(k + 2), slot(left.a), slot(left.b),
             slot(right.a), slot(right.b)});
        return k + 3;
      }
    }
    if (!is_sum(k + 1)) return k;
    const Program::Instruction& sum = p_.code[k + 1];
    if (sum.a != k && sum.b != k) return k;
    const bool left = sum.a == k;
    const Word word = sum.code == Code::add ? product_plus : left ? product_minus : minus_product;
    put({word, slot(k + 1), slot(first.a), slot(first.b), slot(left ? sum.b : sum.a)});
    return k + 2;
  }

  std::uint32_t write_sincos(std::uint32_t k) {
    std::uint32_t end = end_of_sincos(p_, k);
    std::vector<std::uint32_t> arguments, results;
    for (std::uint32_t j = k; j < end; ++j) {
      const std::uint32_t x = p_.code[j].a;
      std::size_t at = std::find(arguments.begin(), arguments.end(), x) - arguments.begin();
      if (at == arguments.size()) {
        if (at == batch_size) end = j;
        if (at == batch_size) break;
        arguments.push_back(x);
      }
      results.push_back(static_cast<std::uint32_t>(2 * at + (p_.code[j].code == Code::cos)));
      results.push_back(slot(j));
    }
    put({sincos_batch, static_cast<std::uint32_t>(arguments.size()), end - k});
    for (const std::uint32_t x : arguments) put({slot(x)});
    stream_.insert(stream_.end(), results.begin(), results.end());
    return end;
  }

  void write_outputs(std::uint32_t k) {
    for (std::uint32_t j = outputs_of_[k]; j != none; j = next_output_[j]) put({output, j, slot(k)});
  }

  const Program& p_;
  std::vector<std::uint32_t> uses_, outputs_of_, next_output_, stream_;
};

/// Evaluates one batch in place; returns the end of its words.
const std::uint32_t* run_sincos(const std::uint32_t* pc, double* w) {
  const std::uint32_t arguments = pc[1], results = pc[2];
  double x[batch_size], value[2 * batch_size];
  pc += 3;
  for (std::uint32_t i = 0; i < arguments; ++i) x[i] = w[pc[i]];
  sincos(x, value, value + batch_size, arguments);
  pc += arguments;
  for (std::uint32_t i = 0; i < results; ++i, pc += 2) w[pc[1]] = value[(pc[0] >> 1) + (pc[0] & 1) * batch_size];
  return pc;
}

double run_call(const Program& program, std::uint32_t index, const double* w) {
  const Program::Call& call = program.calls[index];
  std::array<double, 64> x;
  assert(call.arguments.size() <= x.size() && "bug: a call has too many arguments");
  for (std::size_t i = 0; i < call.arguments.size(); ++i) x[i] = w[program.slot[call.arguments[i]]];
  return evaluate(call, x.data());
}

}  // namespace

Interpreter::Interpreter(const Program& program) : program_(&program), stream_(Writer(program).write()) {}

void Interpreter::run(const double* in, double* out, double* w) const {
  const Program& p = *program_;
  if (!p.constants.empty()) std::memcpy(w, p.constants.data(), p.constants.size() * sizeof(double));
  if (!p.inputs.empty()) std::memcpy(w + p.constants.size(), in, p.inputs.size() * sizeof(double));

  // in the order of Program::Code, then of Word
  static const void* const target[] = {&&unused,
                                       &&unused,
                                       &&add,
                                       &&sub,
                                       &&mul,
                                       &&div,
                                       &&neg,
                                       &&unused,
                                       &&unused,
                                       &&tan,
                                       &&asin,
                                       &&acos,
                                       &&atan,
                                       &&sinh,
                                       &&cosh,
                                       &&tanh,
                                       &&exp,
                                       &&log,
                                       &&sqrt,
                                       &&abs,
                                       &&sign,
                                       &&floor,
                                       &&atan2,
                                       &&pow,
                                       &&min,
                                       &&max,
                                       &&less,
                                       &&less_equal,
                                       &&equal,
                                       &&logical_and,
                                       &&logical_or,
                                       &&logical_not,
                                       &&select,
                                       &&call,
                                       &&call,
                                       &&product_plus,
                                       &&product_minus,
                                       &&minus_product,
                                       &&two_products_plus,
                                       &&two_products_minus,
                                       &&sincos_batch,
                                       &&output,
                                       &&done};
  const std::uint32_t* pc = stream_.data();
#define NEXT(words) \
  pc += (words);    \
  goto* target[*pc]
#define D w[pc[1]]
#define A w[pc[2]]
#define B w[pc[3]]
#define C w[pc[4]]
#define E w[pc[5]]
  goto* target[*pc];
  // clang-format off
add: D = A + B; NEXT(4);
sub: D = A - B; NEXT(4);
mul: D = A * B; NEXT(4);
div: D = A / B; NEXT(4);
neg: D = -A; NEXT(3);
product_plus: D = A * B + C; NEXT(5);
product_minus: D = A * B - C; NEXT(5);
minus_product: D = C - A * B; NEXT(5);
two_products_plus: D = A * B + C * E; NEXT(6);
two_products_minus: D = A * B - C * E; NEXT(6);
output: out[pc[1]] = A; NEXT(3);
sincos_batch:
  pc = run_sincos(pc, w);
  NEXT(0);
tan: D = std::tan(A); NEXT(3);
asin: D = std::asin(A); NEXT(3);
acos: D = std::acos(A); NEXT(3);
atan: D = std::atan(A); NEXT(3);
sinh: D = std::sinh(A); NEXT(3);
cosh: D = std::cosh(A); NEXT(3);
tanh: D = std::tanh(A); NEXT(3);
exp: D = std::exp(A); NEXT(3);
log: D = std::log(A); NEXT(3);
sqrt: D = std::sqrt(A); NEXT(3);
abs: D = std::fabs(A); NEXT(3);
sign: D = sign_of(A); NEXT(3);
floor: D = std::floor(A); NEXT(3);
atan2: D = std::atan2(A, B); NEXT(4);
pow: D = std::pow(A, B); NEXT(4);
min: D = minimum(A, B); NEXT(4);
max: D = maximum(A, B); NEXT(4);
less: D = A < B ? 1 : 0; NEXT(4);
less_equal: D = A <= B ? 1 : 0; NEXT(4);
equal: D = A == B ? 1 : 0; NEXT(4);
logical_and: D = both(A, B); NEXT(4);
logical_or: D = either(A, B); NEXT(4);
logical_not: D = A == 0 ? 1 : 0; NEXT(3);
select: D = A != 0 ? B : C; NEXT(5);
call: D = run_call(p, pc[2], w); NEXT(3);
unused:
  assert(!"bug: a word of the stream has no operation");
done:
  return;
  // clang-format on
#undef NEXT
#undef D
#undef A
#undef B
#undef C
#undef E
}

}  // namespace coenergy::symbolic
