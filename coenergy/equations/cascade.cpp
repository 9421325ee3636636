#include "coenergy/equations/cascade.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "coenergy/equations/kernel.hpp"
#include "coenergy/symbolic/algebra.hpp"

namespace coenergy::equations {
namespace {

using symbolic::Expr;
using symbolic::Vec3;

/// The bound variables below rows, a symbol for each, and all definitions and rows in terms of these.
struct Opened {
  Opened(EquationSet& set, const std::vector<Expr>& e) : bound(symbolic::find_nodes(e, symbolic::Op::let)) {
    std::vector<Expr> closed = e;
    for (std::size_t k = 0; k < bound.size(); ++k) {
      symbols.push_back(set.graph.symbol("cascade " + std::to_string(k)));
      closed.push_back(set.graph.at(set.graph.arguments(bound[k].id())[0]));
    }
    all = symbolic::substitute(closed, bound, symbols);
  }
  std::vector<Expr> bound, symbols;
  std::vector<Expr> all;  ///< rows, then definitions
};

/// A derivative of row or definition i of all to a symbol.
struct Slope {
  int row, column;  ///< of definitions and bound variables: behind the unknowns
  WeightKind weight;
  Expr value;
};

}  // namespace

Cascade::Cascade(const std::shared_ptr<EquationSet>& set, const Layout& layout, const std::vector<Expr>& e,
                 const std::vector<int>& rows) {
  const Opened opened(*set, e);
  const int n = layout.n();
  const auto row_of = [&](int i) { return i < int(e.size()) ? rows[i] : n + i - int(e.size()); };

  // slopes to unknowns and to bound variables; quaternions are gathered, then projected on the body axes
  std::vector<Expr> symbols;
  std::vector<Address> addresses;
  std::unordered_map<std::uint32_t, int> place;  // of the symbols of bound variables
  for (std::size_t k = 0; k < opened.symbols.size(); ++k) place.emplace(opened.symbols[k].id(), int(k));
  for (const Expr& s : symbolic::free_symbols(opened.all)) {
    const bool is_bound = place.count(s.id()) > 0;
    const Address at = is_bound ? Address{} : set->variables.address(s);
    if (!is_bound && layout.unknown_index(at) < 0) continue;
    symbols.push_back(s), addresses.push_back(at);
  }
  std::vector<Slope> slopes;
  std::map<std::pair<int, int>, std::array<Expr, 4>> turns;
  for (const symbolic::JacobianEntry& entry : symbolic::jacobian(opened.all, symbols)) {
    const int row = row_of(entry.row);
    if (const auto bound = place.find(symbols[entry.column].id()); bound != place.end())
      slopes.push_back({row, n + bound->second, WeightKind::y, entry.value});
    else if (const Address& at = addresses[entry.column]; at.source == Source::rotation_q)
      turns[{row, at.index}][at.part] = entry.value;
    else
      slopes.push_back({row, layout.unknown_index(at), weight_of(at.source), entry.value});
  }
  for (const auto& [key, slope] : turns)
    for (int j = 0; j < 3; ++j) {
      Vec3 unit;
      unit[j] = 1;
      const auto rate = symbolic::quaternion_rate(set->variables.rotation(key.second).p, unit);
      const Expr value = slope[0] * rate[0] + slope[1] * rate[1] + slope[2] * rate[2] + slope[3] * rate[3];
      if (!value.is_zero())
        slopes.push_back({key.first, layout.unknown_index({Source::rotation_q, key.second, j}), WeightKind::q, value});
    }

  // bound variables that no unknown moves are numbers; definitions stand in the order of their dependence
  std::vector<char> moves(opened.bound.size(), 0);
  std::stable_sort(slopes.begin(), slopes.end(), [](const Slope& a, const Slope& b) { return a.row < b.row; });
  const auto is_moved = [&](const Slope& s) { return s.column < n || moves[s.column - n] != 0; };
  for (const Slope& s : slopes)
    if (s.row >= n && is_moved(s)) moves[s.row - n] = 1;
  std::vector<int> number(opened.bound.size(), -1);
  std::vector<Expr> bound, values;
  for (std::size_t k = 0; k < moves.size(); ++k)
    if (moves[k] != 0) number[k] = variables_++, bound.push_back(opened.bound[k]);
  const auto renumber = [&](int i) { return i < n ? i : n + number[i - n]; };
  for (const Slope& s : slopes) {
    if (!is_moved(s)) continue;
    entries_.push_back({renumber(s.row), renumber(s.column), s.weight});
    values.push_back(s.value);
  }
  for (int k = 0; k < variables_; ++k) {
    entries_.push_back({n + k, n + k, WeightKind::y});
    values.push_back(-1);
  }
  values = symbolic::substitute(values, opened.symbols, opened.bound);
  function_ = LazyRows(set->mutex, [set, values] { return RowFunction(*set, values); });
  values_ = LazyFunction(set->mutex, [set, bound] { return make_function(*set, bound); });
}

void Cascade::add_to(std::span<const MatrixPart> parts, std::span<const int> places, const double* in,
                     Workspace& memory) const {
  double* const out = memory.out.fit(entries_.size());
  function_.get()(in, out, memory.work);
  for (const MatrixPart& part : parts) add_weighted(part, entries_, places, out);
}

void Cascade::evaluate(const double* in, std::span<double> z, Workspace& memory) const {
  const symbolic::Function& f = values_.get();
  f(in, z.data(), memory.work.fit(f.work_size()));
}

}  // namespace coenergy::equations
