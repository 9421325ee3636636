#if defined(COENERGY_ASMJIT) && defined(__x86_64__)
#include "coenergy/symbolic/native_compiler.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>

#include "coenergy/symbolic/native_calls.hpp"
#include "coenergy/symbolic/native_emitter.hpp"

namespace coenergy::symbolic {

using Code = Program::Code;

namespace {

constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();

/// Next uses of every operand, found by one pass from the end.
struct NextUses {
  explicit NextUses(const Program& p);
  std::vector<std::array<std::uint32_t, 3>> operand;  ///< after instruction k, of its operands a, b, c
  std::vector<std::vector<std::uint32_t>> call;       ///< likewise, of the arguments of calls
  std::vector<std::uint32_t> first;                   ///< of every value
};

NextUses::NextUses(const Program& p) : operand(p.code.size()), call(p.calls.size()), first(p.code.size(), never) {
  for (auto k = static_cast<std::uint32_t>(p.code.size()); k-- > 0;) {
    const auto& i = p.code[k];
    if (i.code == Code::table || i.code == Code::external) {
      for (const std::uint32_t v : p.calls[i.a].arguments) call[i.a].push_back(first[v]);
      for (const std::uint32_t v : p.calls[i.a].arguments) first[v] = k;
      continue;
    }
    const std::uint32_t* v = &i.a;
    const int n = operand_count(i.code);
    for (int j = 0; j < n; ++j) operand[k][j] = first[v[j]];
    for (int j = 0; j < n; ++j) first[v[j]] = k;
  }
}

/// Bytes of one value.
constexpr std::int32_t width(int lanes) { return 8 * lanes; }

/// What must be known before the first instruction is written.
struct Survey {
  Survey(const Program& p, const NativeOptions& options);
  bool makes_calls = false;
  std::size_t gathered = 0;  ///< most arguments gathered for one call
};

Survey::Survey(const Program& p, const NativeOptions& options) {
  for (std::uint32_t k = 0; k < p.code.size(); ++k) {
    const Code code = p.code[k].code;
    if (code == Code::input || code == Code::constant || Emitter::is_inline(code, options)) continue;
    makes_calls = true;
    const std::size_t batch = std::max(end_of_sincos(p, k), k + 1) - k;
    gathered = std::max({gathered, batch, operands(p, p.code[k]).size()});
    k += static_cast<std::uint32_t>(batch) - 1;
  }
}

class Compiler {
 public:
  Compiler(const Program& program, const NativeOptions& options);
  std::unique_ptr<NativeCode> compile();

 private:
  // ---- registers and memory
  std::uint32_t next_use(int reg) const { return next_[value_in_[reg]]; }
  int take_register();
  void evict(int reg);
  void release(std::uint32_t v);
  void release_register(std::uint32_t v);
  int ensure_register(std::uint32_t v);
  bool is_worth_loading(std::uint32_t k, std::uint32_t next) const;
  Place take_slot();
  void set_register(std::uint32_t v, int reg);
  void define(std::uint32_t k, int reg);
  void define_in_memory(std::uint32_t k, Place slot);
  void store_outputs(std::uint32_t k, int reg);

  // ---- instructions
  void compile_instruction(std::uint32_t k);
  void compile_binary(std::uint32_t k);
  void compile_operation(std::uint32_t k);
  void compile_function(std::uint32_t k);
  std::uint32_t compile_sincos(std::uint32_t k);
  void use_up(std::uint32_t k);

  // ---- calls
  void save_registers_across(std::uint32_t k);
  void forget_registers();
  void gather(std::span<const std::uint32_t> values);
  void load_function_arguments(std::uint32_t a, std::uint32_t b, int count);
  Place gathered(std::size_t i) const { return {Base::work, static_cast<std::int32_t>(i) * width_}; }
  Place address_of(const void* target);

  const Program& p_;
  const NativeOptions options_;
  const Survey survey_;
  const NextUses uses_;
  const std::int32_t width_;
  Emitter emit_;

  std::array<std::uint32_t, 32> value_in_;  ///< never: free
  std::uint32_t free_ = 0;                  ///< bit set of free registers
  std::uint32_t pinned_ = 0;                ///< bit set of registers that must stay
  std::vector<std::int8_t> reg_;            ///< of every value, −1: none
  std::vector<Place> place_;                ///< of every value, if it has a memory copy
  std::vector<std::uint32_t> next_;         ///< next use of every value
  std::vector<std::uint32_t> first_output_, next_output_;
  std::vector<std::int32_t> free_slots_;
  std::int32_t slots_;  ///< in use so far, the gathered arguments first
  std::vector<const void*> addresses_;
  std::size_t first_address_;  ///< word of the pool
};

Compiler::Compiler(const Program& program, const NativeOptions& options)
    : p_(program),
      options_(options),
      survey_(program, options),
      uses_(program),
      width_(width(options.lanes)),
      emit_(options, survey_.makes_calls, static_cast<std::int32_t>(survey_.gathered) * width(options.lanes),
            program.code.size() * 12 + 256),
      reg_(program.code.size(), -1),
      place_(program.code.size()),
      next_(uses_.first),
      first_output_(program.code.size(), never),
      next_output_(program.result.size(), never),
      slots_(static_cast<std::int32_t>(survey_.gathered)),
      first_address_(Emitter::mask_words(options.lanes) +
                     program.constants.size() * static_cast<std::size_t>(options.lanes)) {
  value_in_.fill(never);
  free_ = emit_.registers() == 32 ? ~0u : (1u << emit_.registers()) - 1;
  for (std::uint32_t j = 0; j < p_.result.size(); ++j) {
    next_output_[j] = first_output_[p_.result[j]];
    first_output_[p_.result[j]] = j;
  }
}

std::unique_ptr<NativeCode> Compiler::compile() {
  const auto n = static_cast<std::uint32_t>(p_.code.size());
  for (std::uint32_t k = 0; k < n;) {
    if (const std::uint32_t end = end_of_sincos(p_, k); end > k) {
      k = compile_sincos(k);
    } else {
      compile_instruction(k++);
    }
  }
  const std::vector<std::uint8_t> code = emit_.finish();

  // pool: masks, constants in every lane, addresses
  std::vector<std::uint64_t> pool;
  pool.reserve(first_address_ + addresses_.size());
  Emitter::fill_masks(pool, options_.lanes);
  for (const double c : p_.constants)
    pool.insert(pool.end(), static_cast<std::size_t>(options_.lanes), std::bit_cast<std::uint64_t>(c));
  for (const void* a : addresses_) pool.push_back(reinterpret_cast<std::uint64_t>(a));
  return std::make_unique<NativeCode>(code, std::move(pool), static_cast<std::size_t>(slots_ * options_.lanes));
}

// ---- registers and memory ------------------------------------------------------------------------------------------

int Compiler::take_register() {
  if (const std::uint32_t usable = free_ & ~pinned_; usable != 0) {
    const int reg = std::countr_zero(usable);
    free_ &= ~(1u << reg);
    return reg;
  }
  // farthest next use leaves; of two equally far ones, the one that needs no store
  int best = -1;
  std::uint64_t farthest = 0;
  for (int reg = 0; reg < emit_.registers(); ++reg) {
    if (pinned_ >> reg & 1) continue;
    const std::uint64_t key = 2 * static_cast<std::uint64_t>(next_use(reg)) + (place_[value_in_[reg]] ? 1 : 0);
    if (best < 0 || key > farthest) best = reg, farthest = key;
  }
  evict(best);
  free_ &= ~(1u << best);
  return best;
}

void Compiler::evict(int reg) {
  const std::uint32_t v = value_in_[reg];
  if (!place_[v]) {
    place_[v] = take_slot();
    emit_.store(place_[v], reg);
  }
  reg_[v] = -1;
  value_in_[reg] = never;
  free_ |= 1u << reg;
}

/// Gives up the register of a dead value; its slot, if any, may still be read.
void Compiler::release_register(std::uint32_t v) {
  if (const int reg = reg_[v]; reg >= 0) {
    reg_[v] = -1;
    value_in_[reg] = never;
    free_ |= 1u << reg;
  }
}

/// Gives up the register and the slot of a dead value.
void Compiler::release(std::uint32_t v) {
  release_register(v);
  if (place_[v].base == Base::work) free_slots_.push_back(place_[v].offset);
  place_[v] = {};
}

int Compiler::ensure_register(std::uint32_t v) {
  if (reg_[v] < 0) {
    const int reg = take_register();
    emit_.load(reg, place_[v]);
    set_register(v, reg);
  }
  return reg_[v];
}

/// True where an operand of instruction k should stay in a register for its next use.
bool Compiler::is_worth_loading(std::uint32_t k, std::uint32_t next) const {
  constexpr std::uint32_t horizon = 32;
  return next != never && next - k <= horizon && (free_ & ~pinned_) != 0;
}

Place Compiler::take_slot() {
  if (free_slots_.empty()) return {Base::work, slots_++ * width_};
  const std::int32_t offset = free_slots_.back();
  free_slots_.pop_back();
  return {Base::work, offset};
}

void Compiler::set_register(std::uint32_t v, int reg) {
  reg_[v] = static_cast<std::int8_t>(reg);
  value_in_[reg] = v;
  free_ &= ~(1u << reg);
}

void Compiler::define(std::uint32_t k, int reg) {
  set_register(k, reg);
  store_outputs(k, reg);
  if (next_[k] == never) release(k);
}

void Compiler::store_outputs(std::uint32_t k, int reg) {
  for (std::uint32_t j = first_output_[k]; j != never; j = next_output_[j]) {
    const Place place{Base::out, static_cast<std::int32_t>(j) * width_};
    emit_.store(place, reg);
    if (!place_[k]) place_[k] = place;
  }
}

void Compiler::define_in_memory(std::uint32_t k, Place slot) {
  place_[k] = slot;
  if (first_output_[k] != never) {
    pinned_ = 0;
    const int reg = ensure_register(k);
    store_outputs(k, reg);
  }
  if (next_[k] == never) release(k);
}

// ---- instructions --------------------------------------------------------------------------------------------------

void Compiler::compile_instruction(std::uint32_t k) {
  const auto& i = p_.code[k];
  switch (i.code) {
    case Code::input:
      define_in_memory(k, {Base::in, static_cast<std::int32_t>(i.a) * width_});
      return;
    case Code::constant: {
      const auto masks = static_cast<std::int32_t>(Emitter::mask_words(options_.lanes) * 8);
      define_in_memory(k, {Base::pool, masks + static_cast<std::int32_t>(i.a) * width_});
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

void Compiler::compile_binary(std::uint32_t k) {
  const auto& i = p_.code[k];
  std::uint32_t a = i.a, b = i.b;
  auto [next_a, next_b, unused] = uses_.operand[k];
  if ((i.code == Code::add || i.code == Code::mul) && reg_[a] < 0 && reg_[b] >= 0) {
    std::swap(a, b);
    std::swap(next_a, next_b);
  }
  pinned_ = reg_[b] >= 0 ? 1u << reg_[b] : 0;
  const int ra = ensure_register(a);
  pinned_ |= 1u << ra;
  Source second{reg_[b], place_[b]};
  if (second.reg < 0 && is_worth_loading(k, next_b)) second.reg = ensure_register(b);
  // registers of operands that end here make room for the result, their slots only after they are read
  pinned_ = 0;
  next_[a] = next_a;
  next_[b] = next_b;
  if (next_a == never) release_register(a);
  if (next_b == never) release_register(b);
  const int d = take_register();
  emit_.binary(i.code, d, ra, second);
  if (next_a == never) release(a);
  if (next_b == never && b != a) release(b);
  define(k, d);
}

void Compiler::compile_operation(std::uint32_t k) {
  const auto& i = p_.code[k];
  int operand[3] = {-1, -1, -1};
  pinned_ = 0;
  const std::uint32_t* v = &i.a;
  for (int j = 0; j < operand_count(i.code); ++j) {
    operand[j] = ensure_register(v[j]);
    pinned_ |= 1u << operand[j];
  }
  const int t = take_register();
  pinned_ |= 1u << t;
  const int d = take_register();
  pinned_ = 0;
  emit_.operation(i.code, d, t, operand[0], operand[1], operand[2]);
  free_ |= 1u << t;
  use_up(k);
  define(k, d);
}

/// Moves the operands of instruction k on to their next use and releases those that end here.
void Compiler::use_up(std::uint32_t k) {
  const auto& i = p_.code[k];
  const bool is_call = i.code == Code::table || i.code == Code::external;
  const std::span<const std::uint32_t> v = operands(p_, i);
  for (std::size_t j = 0; j < v.size(); ++j) next_[v[j]] = is_call ? uses_.call[i.a][j] : uses_.operand[k][j];
  for (std::size_t j = 0; j < v.size(); ++j)
    if (next_[v[j]] == never && std::find(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(j), v[j]) ==
                                    v.begin() + static_cast<std::ptrdiff_t>(j))
      release(v[j]);
}

// ---- calls ---------------------------------------------------------------------------------------------------------

Place Compiler::address_of(const void* target) {
  const auto found = std::find(addresses_.begin(), addresses_.end(), target);
  const auto index = static_cast<std::size_t>(found - addresses_.begin());
  if (found == addresses_.end()) addresses_.push_back(target);
  return {Base::pool, static_cast<std::int32_t>(8 * (first_address_ + index))};
}

/// Gives every register value that is used after instruction k a memory copy: calls keep no vector register.
void Compiler::save_registers_across(std::uint32_t k) {
  for (int reg = 0; reg < emit_.registers(); ++reg) {
    const std::uint32_t v = value_in_[reg];
    if (v == never || place_[v]) continue;
    // operands whose last use is this instruction need none
    const std::span<const std::uint32_t> used = operands(p_, p_.code[k]);
    const auto at = std::find(used.begin(), used.end(), v);
    const bool is_call = p_.code[k].code == Code::table || p_.code[k].code == Code::external;
    if (at != used.end()) {
      const auto j = static_cast<std::size_t>(at - used.begin());
      if ((is_call ? uses_.call[p_.code[k].a][j] : uses_.operand[k][j]) == never) continue;
    }
    place_[v] = take_slot();
    emit_.store(place_[v], reg);
  }
}

void Compiler::forget_registers() {
  for (int reg = 0; reg < emit_.registers(); ++reg) {
    if (value_in_[reg] != never) reg_[value_in_[reg]] = -1;
    value_in_[reg] = never;
  }
  free_ = emit_.registers() == 32 ? ~0u : (1u << emit_.registers()) - 1;
}

/// Copies values side by side to the front of the work array. Registers are saved already: register 0 is free to use
/// once the values in registers are stored.
void Compiler::gather(std::span<const std::uint32_t> values) {
  for (std::size_t j = 0; j < values.size(); ++j)
    if (reg_[values[j]] >= 0) emit_.store(gathered(j), reg_[values[j]]);
  for (std::size_t j = 0; j < values.size(); ++j) {
    if (reg_[values[j]] >= 0) continue;
    const int reg = static_cast<int>(j % 4);
    emit_.load(reg, place_[values[j]]);
    emit_.store(gathered(j), reg);
  }
}

/// a to register 0, b to register 1, whatever they are in now.
void Compiler::load_function_arguments(std::uint32_t a, std::uint32_t b, int count) {
  const auto bring = [&](int d, std::uint32_t v) { reg_[v] >= 0 ? emit_.move(d, reg_[v]) : emit_.load(d, place_[v]); };
  if (count == 1) {
    bring(0, a);
  } else if (reg_[a] == 1 && reg_[b] == 0) {
    emit_.move(2, 0);
    emit_.move(0, 1);
    emit_.move(1, 2);
  } else if (reg_[a] == 1) {
    bring(0, a);
    bring(1, b);
  } else {
    bring(1, b);
    bring(0, a);
  }
}

void Compiler::compile_function(std::uint32_t k) {
  const auto& i = p_.code[k];
  const std::span<const std::uint32_t> values = operands(p_, i);
  const NativeCall call = find_native_call(p_, i, options_.lanes);
  save_registers_across(k);
  if (call.takes_registers) {
    load_function_arguments(i.a, i.b, static_cast<int>(values.size()));
  } else {
    gather(values);
    emit_.argument_word(0, address_of(call.context));
    emit_.argument_address(1, gathered(0));
  }
  Place result{};
  if (options_.lanes > 1) {
    result = take_slot();
    emit_.argument_address(2, result);
  }
  emit_.call(address_of(call.function));
  use_up(k);
  forget_registers();
  if (options_.lanes > 1)
    define_in_memory(k, result);
  else
    define(k, 0);
}

std::uint32_t Compiler::compile_sincos(std::uint32_t k) {
  const std::uint32_t end = end_of_sincos(p_, k);
  std::vector<std::uint32_t> x;
  for (std::uint32_t j = k; j < end; ++j)
    if (std::find(x.begin(), x.end(), p_.code[j].a) == x.end()) x.push_back(p_.code[j].a);

  // inputs that lie side by side are used where they are
  std::vector<std::uint32_t> sorted = x;
  std::sort(sorted.begin(), sorted.end(),
            [&](std::uint32_t a, std::uint32_t b) { return place_[a].offset < place_[b].offset; });
  bool side_by_side = true;
  for (std::size_t j = 0; j < sorted.size(); ++j) {
    const Place place = place_[sorted[j]], first = place_[sorted[0]];
    side_by_side &= place.base == Base::in && place.offset == first.offset + static_cast<std::int32_t>(j) * width_;
  }
  if (side_by_side) x = sorted;

  // arguments that end in the batch need no copy
  for (std::uint32_t j = k; j < end; ++j) next_[p_.code[j].a] = uses_.operand[j][0];
  for (int reg = 0; reg < emit_.registers(); ++reg) {
    const std::uint32_t v = value_in_[reg];
    if (v == never || place_[v] || next_[v] == never) continue;
    place_[v] = take_slot();
    emit_.store(place_[v], reg);
  }
  if (!side_by_side) gather(x);

  // results: all sines, then all cosines, in new slots
  const auto count = static_cast<std::int32_t>(x.size());
  const std::int32_t sines = slots_ * width_, cosines = sines + count * width_;
  slots_ += 2 * count;
  emit_.argument_address(0, side_by_side ? place_[x[0]] : gathered(0));
  emit_.argument_address(1, {Base::work, sines});
  emit_.argument_address(2, {Base::work, cosines});
  emit_.argument_number(3, count * options_.lanes);
  emit_.call(address_of(find_sincos(options_.vector_sincos)));
  for (const std::uint32_t v : x)
    if (next_[v] == never) release(v);
  forget_registers();

  // the first sine (or cosine) of an argument owns the slot, a repeated one is a copy
  std::vector<std::uint32_t> owner(2 * x.size(), never);
  for (std::uint32_t j = k; j < end; ++j) {
    const auto at = static_cast<std::size_t>(std::find(x.begin(), x.end(), p_.code[j].a) - x.begin());
    const std::size_t index = at + (p_.code[j].code == Code::cos ? x.size() : 0);
    const Place slot{Base::work, sines + static_cast<std::int32_t>(index) * width_};
    if (owner[index] == never) {
      owner[index] = j;
      place_[j] = slot;
    } else {
      const int reg = take_register();
      emit_.load(reg, slot);
      define(j, reg);
    }
  }
  for (std::size_t index = 0; index < owner.size(); ++index) {
    if (owner[index] != never)
      define_in_memory(owner[index], place_[owner[index]]);
    else
      free_slots_.push_back(sines + static_cast<std::int32_t>(index) * width_);
  }
  return end;
}

}  // namespace

std::unique_ptr<NativeCode> compile_native(const Program& program, const NativeOptions& options) {
  return Compiler(program, options).compile();
}

}  // namespace coenergy::symbolic
#endif
