#include "coenergy/symbolic/stream.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace coenergy::symbolic {

using Code = Program::Code;

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
/// Operations that are ordered by level together.
constexpr std::size_t window = 64;

/// A step of the stream. Values are those of the program; three more stand for 1, −1 and −0.
struct Unit {
  enum Kind : std::uint8_t { arithmetic, other, sincos, outputs } kind;
  bool minus = false;                ///< arithmetic: a·b − c·e
  std::uint32_t value;               ///< arithmetic and other: what it defines; sincos and outputs: the first one
  std::array<std::uint32_t, 4> x{};  ///< arithmetic: a, b, c, e
  std::uint32_t end = 0;             ///< sincos: one past the last instruction; outputs: in `written_`
};

class Writer {
 public:
  explicit Writer(const Program& p)
      : p_(p), one_(static_cast<std::uint32_t>(p.code.size())), minus_one_(one_ + 1), minus_zero_(one_ + 2) {}

  Stream write() {
    count_uses();
    make_units();
    order_by_level();
    assign();
    stream_.words.reserve(5 * units_.size() + 16);
    for (std::size_t i = 0; i < units_.size();) i = write_from(i);
    stream_.words.push_back(Stream::done);
    return std::move(stream_);
  }

 private:
  bool is_leaf(std::uint32_t v) const { return p_.code[v].code == Code::input || p_.code[v].code == Code::constant; }

  void count_uses() {
    uses_.assign(p_.code.size(), 0);
    is_output_.assign(p_.code.size(), false);
    for (const auto& i : p_.code)
      for (const std::uint32_t v : operands(p_, i)) ++uses_[v];
    for (const std::uint32_t v : p_.result) ++uses_[v], is_output_[v] = true;
  }

  // ---- units in the order of the program

  /// A product that only its sum reads.
  bool is_inner(std::uint32_t k) const {
    return p_.code[k].code == Code::mul && uses_[k] == 1 && !is_output_[k] && inner_[k];
  }

  void find_inner_products() {
    inner_.assign(p_.code.size(), false);
    for (const auto& i : p_.code)
      if (i.code == Code::add || i.code == Code::sub) inner_[i.a] = inner_[i.b] = true;
  }

  void make_units() {
    find_inner_products();
    list_outputs();
    units_.reserve(p_.code.size());
    auto pending = static_cast<std::uint32_t>(written_.size());
    for (std::uint32_t j = 0; j < p_.result.size(); ++j)
      if (is_leaf(p_.result[j])) written_.push_back(j);
    // outputs are written where the loop over arithmetic ends
    const auto flush = [&] {
      const auto end = static_cast<std::uint32_t>(written_.size());
      if (end > pending) units_.push_back({.kind = Unit::outputs, .value = pending, .end = end});
      pending = end;
    };
    for (std::uint32_t k = 0; k < p_.code.size();) {
      if (is_leaf(k) || is_inner(k)) {
        ++k;
        continue;
      }
      std::uint32_t end = std::max(end_of_sincos(p_, k), k + 1);
      if (const bool simple = make_arithmetic(k); !simple) {
        flush();
        end = make_other(k, end);
      }
      for (; k < end; ++k)
        for (std::uint32_t j = first_output_[k]; j != none; j = next_output_[j]) written_.push_back(j);
    }
    flush();
  }

  /// Outputs of each value form a list.
  void list_outputs() {
    first_output_.assign(p_.code.size(), none);
    next_output_.assign(p_.result.size(), none);
    for (std::uint32_t j = 0; j < p_.result.size(); ++j) {
      next_output_[j] = first_output_[p_.result[j]];
      first_output_[p_.result[j]] = j;
    }
  }

  bool make_arithmetic(std::uint32_t k) {
    const auto& i = p_.code[k];
    Unit u{.kind = Unit::arithmetic, .value = k};
    // the two factors of an operand
    const auto factors = [&](std::uint32_t v, std::size_t at) {
      u.x[at] = is_inner(v) ? p_.code[v].a : v;
      u.x[at + 1] = is_inner(v) ? p_.code[v].b : one_;
    };
    switch (i.code) {
      case Code::sub:
        u.minus = true;
        [[fallthrough]];
      case Code::add:
        factors(i.a, 0), factors(i.b, 2);
        break;
      case Code::mul:
        u.x = {i.a, i.b, minus_zero_, one_};
        break;
      case Code::neg:
        u.x = {i.a, minus_one_, minus_zero_, one_};
        break;
      default:
        return false;
    }
    units_.push_back(u);
    return true;
  }

  /// Returns one past the last instruction covered.
  std::uint32_t make_other(std::uint32_t k, std::uint32_t end) {
    if (p_.code[k].code != Code::sin && p_.code[k].code != Code::cos) {
      units_.push_back({.kind = Unit::other, .value = k});
      return k + 1;
    }
    std::vector<std::uint32_t> arguments;
    for (std::uint32_t j = k; j < end; ++j) {
      if (std::find(arguments.begin(), arguments.end(), p_.code[j].a) != arguments.end()) continue;
      if (arguments.size() == Stream::batch) end = j;
      arguments.push_back(p_.code[j].a);
    }
    units_.push_back({.kind = Unit::sincos, .value = k, .end = end});
    return end;
  }

  // ---- order and slots

  /// Sorts windows of arithmetic by the length of the longest chain before each operation inside the window.
  void order_by_level() {
    std::vector<std::uint32_t> level(p_.code.size() + 3, 0);
    for (std::size_t begin = 0; begin < units_.size();) {
      std::size_t end = begin;
      while (end < units_.size() && end - begin < window && units_[end].kind == Unit::arithmetic) ++end;
      for (std::size_t i = begin; i < end; ++i) {
        std::uint32_t deepest = 0;
        for (const std::uint32_t v : units_[i].x) deepest = std::max(deepest, level[v]);
        level[units_[i].value] = deepest + 1;
      }
      std::stable_sort(units_.begin() + static_cast<std::ptrdiff_t>(begin),
                       units_.begin() + static_cast<std::ptrdiff_t>(end),
                       [&](const Unit& a, const Unit& b) { return level[a.value] < level[b.value]; });
      for (std::size_t i = begin; i < end; ++i) level[units_[i].value] = 0;
      begin = std::max(end, begin + 1);
    }
  }

  template <class F>
  void for_each_read(const Unit& u, F f) const {
    switch (u.kind) {
      case Unit::arithmetic:
        std::for_each(u.x.begin(), u.x.end(), f);
        return;
      case Unit::other:
        std::ranges::for_each(operands(p_, p_.code[u.value]), f);
        return;
      case Unit::outputs:
        for (std::uint32_t j = u.value; j < u.end; ++j) f(p_.result[written_[j]]);
        return;
      case Unit::sincos:
        for (std::uint32_t k = u.value; k < u.end; ++k) f(p_.code[k].a);
    }
  }

  void assign() {
    stream_.constants = p_.constants;
    stream_.constants.insert(stream_.constants.end(), {1.0, -1.0, -0.0});
    const auto constants = static_cast<std::uint32_t>(stream_.constants.size());
    fixed_ = constants + static_cast<std::uint32_t>(p_.inputs.size());
    slot_.assign(p_.code.size() + 3, none);
    for (std::uint32_t k = 0; k < p_.code.size(); ++k) {
      if (p_.code[k].code == Code::constant) slot_[k] = p_.code[k].a;
      if (p_.code[k].code == Code::input) slot_[k] = constants + p_.code[k].a;
    }
    for (std::uint32_t i = 0; i < 3; ++i) slot_[one_ + i] = constants - 3 + i;

    std::vector<std::uint32_t> last(p_.code.size() + 3, none);
    for (std::uint32_t i = 0; i < units_.size(); ++i) for_each_read(units_[i], [&](std::uint32_t v) { last[v] = i; });
    stream_.slots = fixed_;
    for (std::uint32_t i = 0; i < units_.size(); ++i) {
      const Unit& u = units_[i];
      for_each_read(u, [&](std::uint32_t v) {
        if (last[v] != i || slot_[v] < fixed_) return;
        free_.push_back(slot_[v]);
        last[v] = none;
      });
      if (u.kind == Unit::outputs) continue;
      for (std::uint32_t k = u.value; k < std::max(u.end, u.value + 1); ++k) slot_[k] = take_slot();
    }
  }

  std::uint32_t take_slot() {
    if (free_.empty()) return static_cast<std::uint32_t>(stream_.slots++);
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }

  // ---- words

  void put(std::initializer_list<std::uint32_t> words) { stream_.words.insert(stream_.words.end(), words); }

  /// Writes the entry that begins at unit i; returns the next unit.
  std::size_t write_from(std::size_t i) {
    const Unit& u = units_[i];
    switch (u.kind) {
      case Unit::arithmetic:
        return write_arithmetic(i);
      case Unit::sincos:
        write_sincos(u);
        break;
      case Unit::outputs:
        put({Stream::outputs, u.end - u.value});
        for (std::uint32_t j = u.value; j < u.end; ++j) put({written_[j], slot_[p_.result[written_[j]]]});
        break;
      case Unit::other: {
        const auto& x = p_.code[u.value];
        put({static_cast<std::uint32_t>(x.code), slot_[u.value]});
        const bool is_call = x.code == Code::table || x.code == Code::external;
        if (is_call) put({x.a, static_cast<std::uint32_t>(operands(p_, x).size())});
        for (const std::uint32_t v : operands(p_, x)) put({slot_[v]});
      }
    }
    return i + 1;
  }

  std::size_t write_arithmetic(std::size_t i) {
    std::size_t end = i;
    while (end < units_.size() && units_[end].kind == Unit::arithmetic) ++end;
    put({Stream::arithmetic, static_cast<std::uint32_t>(end - i)});
    for (; i < end; ++i) {
      const auto& [a, b, c, e] = units_[i].x;
      put({slot_[units_[i].value], slot_[a], slot_[b], slot_[c], slot_[e] | (units_[i].minus ? Stream::minus : 0)});
    }
    return end;
  }

  void write_sincos(const Unit& u) {
    std::vector<std::uint32_t> arguments, results;
    for (std::uint32_t k = u.value; k < u.end; ++k) {
      const std::uint32_t x = p_.code[k].a;
      const auto at = static_cast<std::uint32_t>(std::find(arguments.begin(), arguments.end(), x) - arguments.begin());
      if (at == arguments.size()) arguments.push_back(x);
      results.push_back(2 * at + (p_.code[k].code == Code::cos ? 1 : 0));
      results.push_back(slot_[k]);
    }
    put({Stream::sincos, static_cast<std::uint32_t>(arguments.size()), u.end - u.value});
    for (const std::uint32_t x : arguments) put({slot_[x]});
    stream_.words.insert(stream_.words.end(), results.begin(), results.end());
  }

  const Program& p_;
  const std::uint32_t one_, minus_one_, minus_zero_;
  std::vector<std::uint32_t> uses_;
  std::vector<bool> is_output_, inner_;
  std::vector<Unit> units_;
  std::vector<std::uint32_t> first_output_, next_output_, written_;
  std::vector<std::uint32_t> slot_, free_;
  std::uint32_t fixed_ = 0;
  Stream stream_;
};

}  // namespace

Stream make_stream(const Program& program) { return Writer(program).write(); }

}  // namespace coenergy::symbolic
