#include "coenergy/equations/row_function.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "coenergy/equations/kernel.hpp"
#include "coenergy/symbolic/algebra.hpp"

namespace coenergy::equations {

using symbolic::Expr;
using Code = symbolic::Program::Code;

namespace {

constexpr int width = RowFunction::width;

template <class Operation>
void for_each(double* d, const double* a, const double* b, Operation operation) {
#pragma GCC ivdep
  for (int i = 0; i < width; ++i) d[i] = operation(a[i], b[i]);
}

/// d = a ∘ b for `width` values; unary operations do not read b.
void compute(Code code, double* d, const double* a, const double* b, const double* c) {
  switch (code) {
    case Code::add:
      return for_each(d, a, b, [](double x, double y) { return x + y; });
    case Code::sub:
      return for_each(d, a, b, [](double x, double y) { return x - y; });
    case Code::mul:
      return for_each(d, a, b, [](double x, double y) { return x * y; });
    case Code::div:
      return for_each(d, a, b, [](double x, double y) { return x / y; });
    case Code::neg:
      return for_each(d, a, a, [](double x, double) { return -x; });
    case Code::sqrt:
      return for_each(d, a, a, [](double x, double) { return std::sqrt(x); });
    case Code::abs:
      return for_each(d, a, a, [](double x, double) { return std::fabs(x); });
    case Code::sign:
      return for_each(d, a, a, [](double x, double) { return (x > 0 ? 1.0 : 0.0) - (x < 0 ? 1.0 : 0.0); });
    case Code::min:
      return for_each(d, a, b, [](double x, double y) { return x < y ? x : y; });
    case Code::max:
      return for_each(d, a, b, [](double x, double y) { return x > y ? x : y; });
    case Code::less:
      return for_each(d, a, b, [](double x, double y) { return x < y ? 1.0 : 0.0; });
    case Code::less_equal:
      return for_each(d, a, b, [](double x, double y) { return x <= y ? 1.0 : 0.0; });
    case Code::equal:
      return for_each(d, a, b, [](double x, double y) { return x == y ? 1.0 : 0.0; });
    case Code::logical_and:
      return for_each(d, a, b, [](double x, double y) { return x != 0 && y != 0 ? 1.0 : 0.0; });
    case Code::logical_or:
      return for_each(d, a, b, [](double x, double y) { return x != 0 || y != 0 ? 1.0 : 0.0; });
    case Code::logical_not:
      return for_each(d, a, a, [](double x, double) { return x == 0 ? 1.0 : 0.0; });
    case Code::select:
      for (int i = 0; i < width; ++i) d[i] = a[i] != 0 ? b[i] : c[i];
      return;
    default:
      assert(false && "bug: an operation that has no loop");
  }
}

}  // namespace

RowFunction::RowFunction(EquationSet& set, std::span<const Expr> e, std::span<const RowGroup> further)
    : size_(e.size()) {
  const RowGroups rows = find_row_groups(set, e);
  if (rows.groups.empty() && further.empty()) {
    straight_ = make_function(set, e);
    return;
  }
  for (const int k : rows.numbers) numbers_.emplace_back(k, e[k].number());
  for (const RowGroup& group : rows.groups) add_group(group);
  for (const RowGroup& group : further) add_group(group), size_ += group.members.size();
  std::vector<Expr> rest;
  for (const int k : rows.others) rest.push_back(e[k]);
  add_straight(set, rows.others, rest);
}

/// One program over what the expressions read.
void RowFunction::add_straight(EquationSet& set, std::vector<int> places, std::span<const Expr> e) {
  const Layout layout(set.variables);
  const std::vector<Expr> symbols = symbolic::free_symbols(e);
  for (const Expr& s : symbols) straight_inputs_.push_back(layout.value_index(set.variables.address(s)));
  straight_ = make_function(symbols, e);
  straight_outputs_ = std::move(places);
}

void RowFunction::add_group(const RowGroup& group) {
  if (group.e.is_number()) {
    for (const int k : group.members) numbers_.emplace_back(k, group.e.number());
    return;
  }
  const symbolic::NamedExpr output{"row", group.e};
  Shape& shape = shapes_.emplace_back();
  shape.program = symbolic::make_program(group.symbols, std::span(&output, 1));
  shape.members = group.members.size();

  // operands of each block; the last block repeats its last member
  const std::size_t count = group.symbols.size();
  std::array<int, width> places;
  for (std::size_t first = 0; first < shape.members; first += width)
    for (std::size_t i = 0; i <= count; ++i) {
      for (std::size_t k = 0; k < width; ++k) {
        const std::size_t member = std::min(first + k, shape.members - 1);
        places[k] = i == count ? group.members[member] : group.inputs[member * count + i];
      }
      const int step = places[1] - places[0];
      bool is_regular = step >= 0;
      for (std::size_t k = 1; k < width; ++k) is_regular = is_regular && places[k] - places[k - 1] == step;
      if (is_regular) {
        shape.operands.push_back({places[0], step});
      } else {
        shape.operands.push_back({static_cast<int>(shape.lists.size()), -1});
        shape.lists.insert(shape.lists.end(), places.begin(), places.end());
      }
    }
}

std::size_t RowFunction::repeated() const {
  std::size_t count = numbers_.size();
  for (const Shape& shape : shapes_) count += shape.members;
  return count;
}

void RowFunction::run(const Shape& shape, const double* in, double* out, double* work) {
  const symbolic::Program& program = shape.program;
  const std::size_t slots = program.slots, inputs = program.inputs.size();
  // the values of a slot: in the work array, or where an input lies
  const double** const at = reinterpret_cast<const double**>(work + slots * width);
  for (std::size_t s = 0; s < slots; ++s) at[s] = work + s * width;
  for (std::size_t k = 0; k < program.code.size(); ++k)
    if (program.code[k].code == Code::constant)
      std::fill_n(work + program.slot[k] * width, width, program.constants[program.code[k].a]);

  const Operand* operand = shape.operands.data();
  for (std::size_t first = 0; first < shape.members; first += width, operand += inputs + 1) {
    for (std::size_t k = 0; k < program.code.size(); ++k) {
      const symbolic::Program::Instruction& i = program.code[k];
      double* const d = work + program.slot[k] * width;
      if (i.code == Code::constant) continue;
      if (i.code == Code::input) {
        const Operand o = operand[i.a];
        const double*& values = at[program.slot[k]];
        values = d;
        if (o.step == 1)
          values = in + o.first;
        else if (o.step >= 0)
          for (int j = 0; j < width; ++j) d[j] = in[o.first + o.step * j];
        else
          for (int j = 0; j < width; ++j) d[j] = in[shape.lists[o.first + j]];
        continue;
      }
      const auto value = [&](std::uint32_t v) { return at[program.slot[v]]; };
      const int operands = operand_count(i.code);
      const double* const a = value(i.a);
      compute(i.code, d, a, operands > 1 ? value(i.b) : a, operands > 2 ? value(i.c) : a);
      at[program.slot[k]] = d;
    }
    const double* const result = at[program.slot[program.result[0]]];
    const Operand o = operand[inputs];
    if (o.step >= 0)
      for (int j = 0; j < width; ++j) out[o.first + o.step * j] = result[j];
    else
      for (int j = 0; j < width; ++j) out[shape.lists[o.first + j]] = result[j];
  }
}

void RowFunction::operator()(const double* in, double* out, WorkArray& memory) const {
  if (shapes_.empty() && numbers_.empty()) {
    if (size_ > 0) straight_(in, out, memory.fit(straight_.work_size()));
    return;
  }
  for (const auto& [output, value] : numbers_) out[output] = value;
  for (const Shape& shape : shapes_) run(shape, in, out, memory.fit(shape.program.slots * (width + 1)));
  if (straight_outputs_.empty()) return;
  const std::size_t inputs = straight_inputs_.size(), outputs = straight_outputs_.size();
  double* const work = memory.fit(straight_.work_size() + inputs + outputs);
  double* const from = work + straight_.work_size();
  double* const to = from + inputs;
  for (std::size_t i = 0; i < inputs; ++i) from[i] = in[straight_inputs_[i]];
  straight_(from, to, work);
  for (std::size_t i = 0; i < outputs; ++i) out[straight_outputs_[i]] = to[i];
}

}  // namespace coenergy::equations
