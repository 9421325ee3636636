#include "coenergy/equations/partial_derivatives.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <numeric>
#include <stdexcept>

#include "coenergy/equations/kernel.hpp"
#include "coenergy/equations/row_shape.hpp"
#include "coenergy/symbolic/algebra.hpp"

namespace coenergy::equations {

using symbolic::Expr;
using symbolic::Function;
using symbolic::Vec3;

double weight(const Weights& w, WeightKind kind) {
  const double by_kind[] = {w.q, w.v, w.a, w.lambda, w.x, w.xd, w.y};
  return by_kind[static_cast<int>(kind)];
}

WeightKind weight_of(Source source) {
  switch (source) {
    case Source::q:
    case Source::rotation_q:
      return WeightKind::q;
    case Source::v:
    case Source::rotation_v:
      return WeightKind::v;
    case Source::a:
    case Source::rotation_a:
      return WeightKind::a;
    case Source::lambda:
      return WeightKind::lambda;
    case Source::x:
      return WeightKind::x;
    case Source::xd:
      return WeightKind::xd;
    case Source::y:
      return WeightKind::y;
    default:
      throw std::logic_error("no weight belongs to this variable");
  }
}

void add_weighted(const MatrixPart& part, std::span<const PartialDerivatives::Entry> entries,
                  std::span<const int> places, const double* out) {
  const Weights& w = part.weights;
  const double by_kind[] = {w.q, w.v, w.a, w.lambda, w.x, w.xd, w.y};
  // an infinite slope that has no weight counts nothing
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (const double factor = by_kind[static_cast<int>(entries[i].weight)]; factor != 0)
      part.values[places[i]] += factor * out[i];
}

namespace {

/// Those variables of expressions that belong to an unknown.
struct UnknownSymbols {
  UnknownSymbols(const EquationSet& set, const Layout& layout, const std::vector<Expr>& e) {
    for (const Expr& s : symbolic::free_symbols(e)) {
      const Address at = set.variables.address(s);
      if (layout.unknown_index(at) < 0) continue;
      symbols.push_back(s);
      addresses.push_back(at);
    }
  }
  std::vector<Expr> symbols;
  std::vector<Address> addresses;
};

/// Colours of unknowns such that two of one colour meet in no row: each gets the first that is free.
std::vector<int> colour_unknowns(int unknowns, const std::vector<PartialDerivatives::Entry>& entries) {
  std::vector<std::vector<int>> rows_of(unknowns);
  int rows = 0;
  for (const auto& e : entries) rows_of[e.column].push_back(e.row), rows = std::max(rows, e.row + 1);
  std::vector<std::vector<char>> taken;  // rows of each colour
  std::vector<int> colour(unknowns, -1);
  for (int j = 0; j < unknowns; ++j) {
    if (rows_of[j].empty()) continue;
    std::size_t c = 0;
    const auto meets = [&](int row) { return taken[c][row] != 0; };
    while (c < taken.size() && std::any_of(rows_of[j].begin(), rows_of[j].end(), meets)) ++c;
    if (c == taken.size()) taken.emplace_back(rows, 0);
    for (const int row : rows_of[j]) taken[c][row] = 1;
    colour[j] = static_cast<int>(c);
  }
  return colour;
}

/// What expressions and groups depend on, and which discrete variables are among it.
PartialDerivatives::Dependence find_dependence(const EquationSet& set, const Layout& layout, const std::vector<Expr>& e,
                                               const std::vector<RowGroup>& groups, std::vector<int>& modes) {
  using Dependence = PartialDerivatives::Dependence;
  Dependence found = Dependence::none;
  const auto include = [&](const Address& at) {
    if (at.source == Source::parameter) return;
    if (at.source == Source::d) modes.push_back(at.index);
    found = std::max(found, at.source == Source::d ? Dependence::discrete : Dependence::any);
  };
  for (const Expr& s : symbolic::free_symbols(e)) include(set.variables.address(s));
  for (const RowGroup& group : groups)
    for (const int place : group.inputs) include(layout.address(place));
  std::sort(modes.begin(), modes.end());
  modes.erase(std::unique(modes.begin(), modes.end()), modes.end());
  return found;
}

/// Of q, v or x, which the restart solve holds.
bool belongs_to_state(WeightKind kind) {
  return kind == WeightKind::q || kind == WeightKind::v || kind == WeightKind::x;
}

/// Whether anything depends on a, λ, ẋ or y.
bool depends_on_rates(const EquationSet& set, const Layout& layout, const std::vector<Expr>& e,
                      const std::vector<RowGroup>& groups) {
  const auto is_rate = [&](const Address& at) {
    return layout.unknown_index(at) >= 0 && !belongs_to_state(weight_of(at.source));
  };
  for (const Expr& s : symbolic::free_symbols(e))
    if (is_rate(set.variables.address(s))) return true;
  for (const RowGroup& group : groups)
    for (const int place : group.inputs)
      if (is_rate(layout.address(place))) return true;
  return false;
}

/// The derivatives of a group: for each symbol that is an unknown in some member, a group of them. The members are
/// counted on from those of `entries`, to which their rows and columns are added. False where a rotation is in it, or a
/// derivative has no shape.
bool differentiate(const EquationSet& set, const Layout& layout, const RowGroup& group, std::span<const int> rows,
                   std::vector<PartialDerivatives::Entry>& entries, std::vector<RowGroup>& derivatives) {
  std::vector<RowGroup> own;
  std::vector<PartialDerivatives::Entry> found;
  const std::vector<Expr> slopes = symbolic::gradient(group.e, group.symbols);
  RowShape shape(set.graph);
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    if (slopes[i].is_zero()) continue;
    if (!slopes[i].is_number() && !shape.read(slopes[i].id())) return false;
    // the symbols that the derivative has kept
    RowGroup derivative{slopes[i], {}, {}, {}};
    std::vector<std::size_t> kept;
    for (std::size_t k = 0; k < group.symbols.size() && !slopes[i].is_number(); ++k)
      if (symbolic::depends_on(slopes[i], group.symbols[k])) kept.push_back(k);
    for (const std::size_t k : kept) derivative.symbols.push_back(group.symbols[k]);
    for (std::size_t member = 0; member < group.members.size(); ++member) {
      const std::span<const int> inputs = group.inputs_of(member);
      const Address at = layout.address(inputs[i]);
      if (at.source == Source::rotation_q) return false;
      const int column = layout.unknown_index(at);
      if (column < 0) continue;
      derivative.members.push_back(static_cast<int>(entries.size() + found.size()));
      for (const std::size_t k : kept) derivative.inputs.push_back(inputs[k]);
      found.push_back({rows[group.members[member]], column, weight_of(at.source)});
    }
    if (!derivative.members.empty()) own.push_back(std::move(derivative));
  }
  entries.insert(entries.end(), found.begin(), found.end());
  std::move(own.begin(), own.end(), std::back_inserter(derivatives));
  return true;
}

}  // namespace

PartialDerivatives::PartialDerivatives(const std::shared_ptr<EquationSet>& set, const Layout& layout,
                                       const std::vector<Expr>& e, const std::vector<int>& rows,
                                       const symbolic::JacobianLimit& limit) {
  // groups first, then the rows that stand alone; all of them do where it goes by columns
  RowGroups found = find_row_groups(*set, e);
  std::vector<RowGroup> derivatives;
  std::vector<Entry> grouped;
  for (const RowGroup& group : found.groups)
    if (!differentiate(*set, layout, group, rows, grouped, derivatives))
      found.others.insert(found.others.end(), group.members.begin(), group.members.end());
  std::sort(found.others.begin(), found.others.end());
  std::vector<Expr> single;
  for (const int k : found.others) single.push_back(e[k]);
  UnknownSymbols unknowns(*set, layout, single);
  symbolic::LimitedJacobian jacobian = symbolic::jacobian(single, unknowns.symbols, limit);
  by_columns_ = !jacobian.has_values;
  if (by_columns_ && !derivatives.empty()) {
    derivatives.clear(), grouped.clear();
    found.others.resize(e.size());
    std::iota(found.others.begin(), found.others.end(), 0);
    unknowns = UnknownSymbols(*set, layout, e);
    jacobian = symbolic::jacobian(e, unknowns.symbols, symbolic::JacobianLimit{});
  }

  std::vector<Expr> values;
  // quaternion entries of one rotation in one row are gathered first, then projected on the three body axes
  std::map<std::pair<int, int>, std::array<Expr, 4>> rotation_entries;
  for (const symbolic::JacobianEntry& entry : jacobian.entries) {
    const Address at = unknowns.addresses[entry.column];
    const int row = rows[found.others[entry.row]];
    if (at.source == Source::rotation_q) {
      rotation_entries[{row, at.index}][at.part] = entry.value;
      continue;
    }
    entries_.push_back({row, layout.unknown_index(at), weight_of(at.source)});
    values.push_back(entry.value);
  }
  for (const auto& [key, slope] : rotation_entries) {
    for (int j = 0; j < 3; ++j) {
      Vec3 unit;
      unit[j] = 1;
      const auto rate = symbolic::quaternion_rate(set->variables.rotation(key.second).p, unit);
      Expr value = slope[0] * rate[0] + slope[1] * rate[1] + slope[2] * rate[2] + slope[3] * rate[3];
      if (value.is_zero() && !by_columns_) continue;
      entries_.push_back({key.first, layout.unknown_index({Source::rotation_q, key.second, j}), WeightKind::q});
      values.push_back(value);
    }
  }
  dependence_ = by_columns_ ? Dependence::any : find_dependence(*set, layout, values, derivatives, modes_);
  if (by_columns_) {
    derive_columns(set, layout, e, rows);
    return;
  }
  // those of groups stand behind the others
  const int shift = static_cast<int>(entries_.size());
  entries_.insert(entries_.end(), grouped.begin(), grouped.end());
  for (RowGroup& group : derivatives)
    for (int& member : group.members) member += shift;
  make_entries(set, layout, std::move(values), std::move(derivatives));
}

/// The programs of all entries, and of those that do not belong to q, v and x.
void PartialDerivatives::make_entries(const std::shared_ptr<EquationSet>& set, const Layout& layout,
                                      std::vector<Expr> values, std::vector<RowGroup> groups) {
  std::vector<Expr> frozen_values;
  std::vector<RowGroup> frozen_groups;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!belongs_to_state(entries_[i].weight)) frozen_entries_.push_back(int(i)), frozen_values.push_back(values[i]);
  for (const RowGroup& group : groups) {
    RowGroup part{group.e, group.symbols, {}, {}};
    for (std::size_t k = 0; k < group.members.size(); ++k) {
      const int i = group.members[k];
      if (belongs_to_state(entries_[i].weight)) continue;
      part.members.push_back(int(frozen_entries_.size()));
      frozen_entries_.push_back(i);
      const std::span<const int> inputs = group.inputs_of(k);
      part.inputs.insert(part.inputs.end(), inputs.begin(), inputs.end());
    }
    if (!part.members.empty()) frozen_groups.push_back(std::move(part));
  }
  is_linear_in_rates_ = !depends_on_rates(*set, layout, frozen_values, frozen_groups);
  if (frozen_entries_.size() < entries_.size())
    frozen_function_ = LazyRows(set->mutex, [set, e = std::move(frozen_values), g = std::move(frozen_groups)] {
      return RowFunction(*set, e, g);
    });
  function_ =
      LazyRows(set->mutex, [set, e = std::move(values), g = std::move(groups)] { return RowFunction(*set, e, g); });
}

void PartialDerivatives::derive_columns(const std::shared_ptr<EquationSet>& set, const Layout& layout,
                                        const std::vector<Expr>& e, const std::vector<int>& rows) {
  // one entry for all variables of an unknown
  const auto order = [](const Entry& a, const Entry& b) {
    return a.column != b.column ? a.column < b.column : a.row < b.row;
  };
  const auto equal = [](const Entry& a, const Entry& b) { return a.column == b.column && a.row == b.row; };
  std::sort(entries_.begin(), entries_.end(), order);
  entries_.erase(std::unique(entries_.begin(), entries_.end(), equal), entries_.end());

  inputs_ = static_cast<std::size_t>(layout.values());
  outputs_ = e.size();
  colour_ = colour_unknowns(layout.n(), entries_);
  group_.resize(static_cast<std::size_t>(1 + *std::max_element(colour_.begin(), colour_.end())));
  std::vector<int> output_of_row(layout.n(), -1);
  for (std::size_t i = 0; i < rows.size(); ++i) output_of_row[rows[i]] = static_cast<int>(i);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    output_.push_back(output_of_row[entries_[i].row]);
    group_[colour_[entries_[i].column]].push_back(static_cast<int>(i));
  }
  full_ = make_directional(set, layout, e, false);
  frozen_ = make_directional(set, layout, e, true);
}

PartialDerivatives::Directional PartialDerivatives::make_directional(const std::shared_ptr<EquationSet>& set,
                                                                     const Layout& layout, const std::vector<Expr>& e,
                                                                     bool frozen) const {
  const UnknownSymbols unknowns(*set, layout, e);
  Directional result;
  std::vector<Expr> symbols, slopes, seeds;
  const auto add_seed = [&](const std::string& name, const Address& at) {
    seeds.push_back(set->graph.symbol("δ" + name));
    result.seeds.push_back({layout.unknown_index(at), weight_of(at.source)});
    return seeds.back();
  };
  std::vector<char> done(layout.rotations, 0);
  for (std::size_t i = 0; i < unknowns.symbols.size(); ++i) {
    const Address& at = unknowns.addresses[i];
    const WeightKind kind = weight_of(at.source);
    if (frozen && belongs_to_state(kind)) continue;
    if (at.source != Source::rotation_q) {
      symbols.push_back(unknowns.symbols[i]);
      slopes.push_back(add_seed(to_string(unknowns.symbols[i]), at));
      continue;
    }
    // a quaternion varies with the three seeds of its body axes
    if (done[at.index]++ != 0) continue;
    const auto& p = set->variables.rotation(at.index).p;
    Vec3 turn;
    for (int j = 0; j < 3; ++j)
      turn[j] = add_seed(to_string(p[0]) + "." + std::to_string(j), {Source::rotation_q, at.index, j});
    const auto rate = symbolic::quaternion_rate(p, turn);
    for (int part = 0; part < 4; ++part) symbols.push_back(p[part]), slopes.push_back(rate[part]);
  }
  result.kinds.assign(group_.size(), 0);
  for (const Seed& s : result.seeds)
    if (colour_[s.unknown] >= 0) result.kinds[colour_[s.unknown]] |= 1u << static_cast<int>(s.weight);
  result.function = LazyFunction(set->mutex, [set, e, symbols, slopes, seeds] {
    return make_function(*set, symbolic::directional_derivative(e, symbols, slopes), seeds);
  });
  return result;
}

void PartialDerivatives::add_to(std::span<const MatrixPart> parts, std::span<const int> places, const double* in,
                                Workspace& memory) const {
  if (entries_.empty()) return;
  if (by_columns_) {
    for (const MatrixPart& part : parts) add_columns(part, places, in, memory);
    return;
  }
  double* const out = memory.out.fit(entries_.size());
  const bool is_frozen = frozen_function_ && std::all_of(parts.begin(), parts.end(), [](const MatrixPart& part) {
                           return part.weights.q == 0 && part.weights.v == 0 && part.weights.x == 0;
                         });
  if (!is_frozen) {
    function_.get()(in, out, memory.work);
    for (const MatrixPart& part : parts) add_weighted(part, entries_, places, out);
    return;
  }
  frozen_function_.get()(in, out, memory.work);
  for (const MatrixPart& part : parts)
    for (std::size_t k = 0; k < frozen_entries_.size(); ++k) {
      const int i = frozen_entries_[k];
      if (const double by = weight(part.weights, entries_[i].weight); by != 0) part.values[places[i]] += by * out[k];
    }
}

void PartialDerivatives::add_columns(const MatrixPart& part, std::span<const int> places, const double* in,
                                     Workspace& memory) const {
  const auto& [w, values] = part;
  const Directional& directional = w.q == 0 && w.v == 0 && w.x == 0 ? frozen_ : full_;
  const std::vector<Seed>& seeds = directional.seeds;
  const Function& f = directional.function.get();
  const auto lanes = static_cast<std::size_t>(Function::lane_count());
  double* const from = memory.in.fit((inputs_ + seeds.size()) * lanes);
  double* const out = memory.out.fit(outputs_ * lanes);
  double* const work = memory.work.fit(f.lane_work_size());
  for (std::size_t i = 0; i < inputs_; ++i) std::fill_n(from + i * lanes, lanes, in[i]);
  unsigned weighted = 0;
  for (int k = 0; k <= static_cast<int>(WeightKind::y); ++k)
    if (weight(w, static_cast<WeightKind>(k)) != 0) weighted |= 1u << k;
  for (std::size_t next = 0; next < group_.size();) {
    // the colours of the next call
    std::array<int, 8> colours;
    std::size_t count = 0;
    for (; next < group_.size() && count < lanes; ++next)
      if ((directional.kinds[next] & weighted) != 0) colours[count++] = static_cast<int>(next);
    if (count == 0) return;
    double* seed = from + inputs_ * lanes;
    for (const Seed& s : seeds)
      for (std::size_t lane = 0; lane < lanes; ++lane)
        *seed++ = lane < count && colour_[s.unknown] == colours[lane] ? weight(w, s.weight) : 0;
    f.lanes(from, out, work);
    for (std::size_t lane = 0; lane < count; ++lane)
      for (const int i : group_[colours[lane]]) values[places[i]] += out[output_[i] * lanes + lane];
  }
}

std::vector<const Function*> PartialDerivatives::functions() const {
  if (entries_.empty()) return {};
  if (!by_columns_) return {&function_.get().straight()};
  return {&full_.function.get(), &frozen_.function.get()};
}

}  // namespace coenergy::equations
