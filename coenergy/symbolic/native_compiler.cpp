#if defined(COENERGY_ASMJIT) && defined(__x86_64__)
#include "coenergy/symbolic/native_compiler.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "coenergy/symbolic/native_allocator.hpp"
#include "coenergy/symbolic/native_calls.hpp"

namespace coenergy::symbolic {

using Code = Program::Code;

namespace {

constexpr std::uint32_t never = Allocator::never;

/// Next uses, found by one pass from the end.
struct NextUses {
  explicit NextUses(const Program& p);
  /// Of operand j of instruction k, after k.
  std::uint32_t of(const Program::Instruction& i, std::uint32_t k, std::size_t j) const {
    return i.code == Code::table || i.code == Code::external ? call[i.a][j] : operand[k][j];
  }
  std::vector<std::array<std::uint32_t, 3>> operand;
  std::vector<std::vector<std::uint32_t>> call;
  std::vector<std::uint32_t> first;  ///< of every value
};

NextUses::NextUses(const Program& p) : operand(p.code.size()), call(p.calls.size()), first(p.code.size(), never) {
  for (auto k = static_cast<std::uint32_t>(p.code.size()); k-- > 0;) {
    const auto& i = p.code[k];
    const std::span<const std::uint32_t> v = operands(p, i);
    const bool is_call = i.code == Code::table || i.code == Code::external;
    for (std::size_t j = 0; j < v.size(); ++j) {
      if (is_call)
        call[i.a].push_back(first[v[j]]);
      else
        operand[k][j] = first[v[j]];
    }
    for (const std::uint32_t x : v) first[x] = k;
  }
}

/// What must be known before the first instruction is written.
struct Survey {
  Survey(const Program& p, const NativeOptions& options);
  bool makes_calls = false;
  std::int32_t gathered = 0;  ///< most arguments gathered for one call
};

Survey::Survey(const Program& p, const NativeOptions& options) {
  std::size_t most = 0;
  for (std::uint32_t k = 0; k < p.code.size(); ++k) {
    const Code code = p.code[k].code;
    if (code == Code::input || code == Code::constant || Emitter::is_inline(code, options)) continue;
    makes_calls = true;
    const std::uint32_t batch = std::max(end_of_sincos(p, k), k + 1) - k;
    most = std::max({most, std::size_t{batch}, operands(p, p.code[k]).size()});
    k += batch - 1;
  }
  gathered = static_cast<std::int32_t>(most);
}

class Compiler {
 public:
  Compiler(const Program& program, const NativeOptions& options);
  std::unique_ptr<NativeCode> compile();

 private:
  // ---- definitions
  void define(std::uint32_t k, int reg);
  void define_in_memory(std::uint32_t k, Place place);
  void store_outputs(std::uint32_t k, int reg);
  void use_up(std::uint32_t k);
  void release_operands(std::uint32_t k);

  // ---- instructions
  void compile_instruction(std::uint32_t k);
  void compile_binary(std::uint32_t k);
  void compile_operation(std::uint32_t k);
  void compile_function(std::uint32_t k);
  void compile_sincos(std::uint32_t k, std::uint32_t end);
  void define_sincos(std::uint32_t k, std::uint32_t end, std::span<const std::uint32_t> x, std::int32_t sines);

  // ---- calls
  bool is_worth_loading(std::uint32_t k, std::uint32_t next) const;
  Place gather(std::vector<std::uint32_t>& values, bool any_order);
  bool lie_side_by_side(std::span<const std::uint32_t> values) const;
  void load_function_arguments(std::uint32_t a, std::uint32_t b, int count);
  Place address_of(const void* target);
  std::vector<std::uint64_t> make_pool() const;
  Place element(Base base, std::uint32_t index) const { return {base, static_cast<std::int32_t>(index) * width_}; }

  const Program& p_;
  const NativeOptions options_;
  const std::int32_t width_;  ///< bytes of a value
  const Survey survey_;
  const NextUses uses_;
  Emitter emit_;
  Allocator values_;
  std::vector<std::uint32_t> first_output_, next_output_;  ///< lists of the outputs of each value
  std::vector<const void*> addresses_;
  std::unordered_map<const void*, std::size_t> address_index_;
};

Compiler::Compiler(const Program& program, const NativeOptions& options)
    : p_(program),
      options_(options),
      width_(8 * options.lanes),
      survey_(program, options),
      uses_(program),
      emit_(options, survey_.makes_calls, survey_.gathered * width_, program.code.size() * 12 + 256),
      values_(emit_, uses_.first, width_, survey_.gathered),
      first_output_(program.code.size(), never),
      next_output_(program.result.size(), never) {
  for (std::uint32_t j = 0; j < p_.result.size(); ++j) {
    next_output_[j] = first_output_[p_.result[j]];
    first_output_[p_.result[j]] = j;
  }
}

std::unique_ptr<NativeCode> Compiler::compile() {
  for (std::uint32_t k = 0; k < p_.code.size();) {
    if (const std::uint32_t end = end_of_sincos(p_, k); end > k) {
      compile_sincos(k, end);
      k = end;
    } else {
      compile_instruction(k++);
    }
  }
  // with lanes one slot more, for alignment
  const std::int32_t slots = values_.slots() + (options_.lanes > 1 ? 1 : 0);
  return std::make_unique<NativeCode>(emit_.finish(), make_pool(), static_cast<std::size_t>(slots * options_.lanes));
}

/// Masks, constants in every lane, addresses.
std::vector<std::uint64_t> Compiler::make_pool() const {
  std::vector<std::uint64_t> pool;
  Emitter::fill_masks(pool, options_.lanes);
  for (const double c : p_.constants)
    pool.insert(pool.end(), static_cast<std::size_t>(options_.lanes), std::bit_cast<std::uint64_t>(c));
  for (const void* a : addresses_) pool.push_back(reinterpret_cast<std::uint64_t>(a));
  return pool;
}

Place Compiler::address_of(const void* target) {
  const auto [at, is_new] = address_index_.try_emplace(target, addresses_.size());
  if (is_new) addresses_.push_back(target);
  const std::size_t first =
      Emitter::mask_words(options_.lanes) + p_.constants.size() * static_cast<std::size_t>(options_.lanes);
  return {Base::pool, static_cast<std::int32_t>(8 * (first + at->second))};
}

// ---- definitions

void Compiler::define(std::uint32_t k, int reg) {
  values_.set_register(k, reg);
  store_outputs(k, reg);
  if (values_.is_dead(k)) values_.release(k);
}

void Compiler::define_in_memory(std::uint32_t k, Place place) {
  values_.set_place(k, place);
  if (first_output_[k] != never) store_outputs(k, values_.ensure_register(k));
  if (values_.is_dead(k)) values_.release(k);
}

/// Outputs are stored where they are defined, which also gives the value a memory copy.
void Compiler::store_outputs(std::uint32_t k, int reg) {
  for (std::uint32_t j = first_output_[k]; j != never; j = next_output_[j]) {
    emit_.store(element(Base::out, j), reg);
    if (!values_.place(k)) values_.set_place(k, element(Base::out, j));
  }
}

/// Moves the operands of instruction k on to their next use.
void Compiler::use_up(std::uint32_t k) {
  const std::span<const std::uint32_t> v = operands(p_, p_.code[k]);
  for (std::size_t j = 0; j < v.size(); ++j) values_.set_next_use(v[j], uses_.of(p_.code[k], k, j));
}

/// Releases the operands of instruction k that it was the last to use; a repeated operand once.
void Compiler::release_operands(std::uint32_t k) {
  for (const std::uint32_t v : operands(p_, p_.code[k]))
    if (values_.is_dead(v) && (values_.reg(v) >= 0 || values_.place(v))) values_.release(v);
}

// ---- instructions

void Compiler::compile_instruction(std::uint32_t k) {
  const auto& i = p_.code[k];
  switch (i.code) {
    case Code::input:
      define_in_memory(k, element(Base::in, i.a));
      return;
    case Code::constant: {
      Place place = element(Base::pool, i.a);
      place.offset += static_cast<std::int32_t>(8 * Emitter::mask_words(options_.lanes));
      define_in_memory(k, place);
      return;
    }
    case Code::add:
    case Code::sub:
    case Code::mul:
    case Code::div:
    case Code::min:
    case Code::max:
      compile_binary(k);
      return;
    default:
      Emitter::is_inline(i.code, options_) ? compile_operation(k) : compile_function(k);
  }
}

/// True where an operand in memory that instruction k reads should stay in a register for its next use.
bool Compiler::is_worth_loading(std::uint32_t k, std::uint32_t next) const {
  constexpr std::uint32_t horizon = 16;
  return next != never && next - k <= horizon && values_.has_free_register();
}

void Compiler::compile_binary(std::uint32_t k) {
  const auto& i = p_.code[k];
  std::uint32_t a = i.a, b = i.b;
  const bool commutes = i.code == Code::add || i.code == Code::mul;
  if (commutes && values_.reg(a) < 0 && values_.reg(b) >= 0) std::swap(a, b);
  if (values_.reg(b) >= 0) values_.pin(values_.reg(b));
  const int ra = values_.ensure_register(a);
  values_.pin(ra);
  use_up(k);
  Source second{values_.reg(b), values_.place(b)};
  if (second.reg < 0 && is_worth_loading(k, values_.next_use(b))) second.reg = values_.ensure_register(b);
  values_.unpin_all();
  // registers of operands that end here make room for the result, their slots only after they are read
  for (const std::uint32_t v : {a, b})
    if (values_.is_dead(v)) values_.release_register(v);
  const int d = values_.take_register();
  emit_.binary(i.code, d, ra, second);
  release_operands(k);
  define(k, d);
}

void Compiler::compile_operation(std::uint32_t k) {
  const auto& i = p_.code[k];
  int x[3] = {-1, -1, -1};
  const std::span<const std::uint32_t> v = operands(p_, i);
  for (std::size_t j = 0; j < v.size(); ++j) {
    x[j] = values_.ensure_register(v[j]);
    values_.pin(x[j]);
  }
  // result and scratch are registers of their own
  const int t = values_.take_register();
  values_.pin(t);
  const int d = values_.take_register();
  values_.unpin_all();
  emit_.operation(i.code, d, t, x[0], x[1], x[2]);
  values_.give_back(t);
  use_up(k);
  release_operands(k);
  define(k, d);
}

// ---- calls

void Compiler::compile_function(std::uint32_t k) {
  const auto& i = p_.code[k];
  std::vector<std::uint32_t> x(operands(p_, i).begin(), operands(p_, i).end());
  const NativeCall call = find_native_call(p_, i, options_.lanes);
  use_up(k);
  values_.save_registers();
  if (call.takes_registers) {
    load_function_arguments(i.a, i.b, static_cast<int>(x.size()));
  } else {
    const Place arguments = gather(x, false);
    emit_.argument_word(0, address_of(call.context));
    emit_.argument_address(1, arguments);
  }
  const bool in_memory = options_.lanes > 1;
  const Place result = in_memory ? values_.take_slot() : Place{};
  if (in_memory) emit_.argument_address(2, result);
  emit_.call(address_of(call.function));
  release_operands(k);
  values_.forget_registers();
  if (in_memory)
    define_in_memory(k, result);
  else
    define(k, 0);
}

/// a to register 0, b to register 1, wherever they are; all registers are saved.
void Compiler::load_function_arguments(std::uint32_t a, std::uint32_t b, int count) {
  const auto bring = [&](int d, std::uint32_t v) {
    values_.reg(v) >= 0 ? emit_.move(d, values_.reg(v)) : emit_.load(d, values_.place(v));
  };
  if (count == 1) {
    bring(0, a);
  } else if (values_.reg(a) == 1 && values_.reg(b) == 0) {
    emit_.move(2, 0);
    emit_.move(0, 1);
    emit_.move(1, 2);
  } else if (values_.reg(a) == 1) {
    bring(0, a);
    bring(1, b);
  } else {
    bring(1, b);
    bring(0, a);
  }
}

bool Compiler::lie_side_by_side(std::span<const std::uint32_t> values) const {
  for (std::size_t j = 0; j < values.size(); ++j) {
    const Place first = values_.place(values[0]), place = values_.place(values[j]);
    if (place.base != Base::in || place.offset != first.offset + static_cast<std::int32_t>(j) * width_) return false;
  }
  return true;
}

/// A place where the values lie side by side: where they are, if they are inputs in a row (sorted, where any order will
/// do), else copied to the front of the work array. All registers are saved, so that they may be used for copying.
Place Compiler::gather(std::vector<std::uint32_t>& values, bool any_order) {
  std::vector<std::uint32_t> sorted = values;
  if (any_order)
    std::sort(sorted.begin(), sorted.end(),
              [&](std::uint32_t a, std::uint32_t b) { return values_.place(a).offset < values_.place(b).offset; });
  if (lie_side_by_side(sorted)) {
    values = sorted;
    return values_.place(values[0]);
  }
  for (std::uint32_t j = 0; j < values.size(); ++j)
    if (values_.reg(values[j]) >= 0) emit_.store(element(Base::work, j), values_.reg(values[j]));
  for (std::uint32_t j = 0; j < values.size(); ++j) {
    if (values_.reg(values[j]) >= 0) continue;
    const int reg = static_cast<int>(j % 4);
    emit_.load(reg, values_.place(values[j]));
    emit_.store(element(Base::work, j), reg);
  }
  return element(Base::work, 0);
}

void Compiler::compile_sincos(std::uint32_t k, std::uint32_t end) {
  std::vector<std::uint32_t> x;
  for (std::uint32_t j = k; j < end; ++j) {
    use_up(j);
    if (std::find(x.begin(), x.end(), p_.code[j].a) == x.end()) x.push_back(p_.code[j].a);
  }
  values_.save_registers();
  const Place arguments = gather(x, true);
  // all sines, then all cosines
  const auto count = static_cast<std::int32_t>(x.size());
  const std::int32_t sines = values_.take_slots(2 * count);
  emit_.argument_address(0, arguments);
  emit_.argument_address(1, {Base::work, sines});
  emit_.argument_address(2, {Base::work, sines + count * width_});
  emit_.argument_number(3, count * options_.lanes);
  emit_.call(address_of(find_sincos(options_.vector_sincos)));
  for (const std::uint32_t v : x)
    if (values_.is_dead(v)) values_.release(v);
  values_.forget_registers();
  define_sincos(k, end, x, sines);
}

/// The first sine (or cosine) of an argument owns the slot, a repeated one is a copy.
void Compiler::define_sincos(std::uint32_t k, std::uint32_t end, std::span<const std::uint32_t> x, std::int32_t sines) {
  const auto slot = [&](std::size_t index) {
    return Place{Base::work, sines + static_cast<std::int32_t>(index) * width_};
  };
  std::vector<std::uint32_t> owner(2 * x.size(), never);
  for (std::uint32_t j = k; j < end; ++j) {
    const auto at = static_cast<std::size_t>(std::find(x.begin(), x.end(), p_.code[j].a) - x.begin());
    const std::size_t index = at + (p_.code[j].code == Code::cos ? x.size() : 0);
    if (owner[index] == never) {
      owner[index] = j;
    } else {
      const int reg = values_.take_register();
      emit_.load(reg, slot(index));
      define(j, reg);
    }
  }
  for (std::size_t index = 0; index < owner.size(); ++index) {
    if (owner[index] != never)
      define_in_memory(owner[index], slot(index));
    else
      values_.give_back_slot(slot(index).offset);
  }
}

}  // namespace

std::unique_ptr<NativeCode> compile_native(const Program& program, const NativeOptions& options) {
  return Compiler(program, options).compile();
}

}  // namespace coenergy::symbolic
#endif
