#include "coenergy/analyze/kinks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>

#include "coenergy/equations/data.hpp"
#include "coenergy/symbolic/algebra.hpp"

namespace coenergy::analyze {

using equations::Point;
using symbolic::Expr;
using symbolic::Graph;
using symbolic::Op;

Kinks::Kinks(equations::Evaluator& evaluator) : evaluator_(evaluator) {
  const equations::System::Data& data = evaluator.system().data();
  const equations::Kernel& own = *data.kernels.front();
  const std::lock_guard lock(own.set->mutex);
  Graph& g = own.set->graph;
  std::vector<Expr> all = own.row_expr, kinks;
  all.insert(all.end(), data.signal_values.begin(), data.signal_values.end());
  for (const Op op : {Op::abs, Op::min, Op::max, Op::less, Op::less_equal})
    for (const Expr& node : symbolic::find_nodes(all, op)) {
      const auto arguments = g.arguments(node.id());
      kinks.push_back(op == Op::abs ? g.at(arguments[0]) : g.at(arguments[0]) - g.at(arguments[1]));
    }
  for (const Expr& node : symbolic::find_nodes(all, Op::table)) {
    const symbolic::Table& table = *g.table_of(node.id());
    if (table.method != symbolic::Table::Method::linear || !table.y.empty()) continue;
    for (const double corner : table.x) kinks.push_back(g.at(g.arguments(node.id())[0]) - corner);
  }
  std::erase_if(kinks, [](const Expr& e) { return e.is_number(); });
  count_ = kinks.size();
  if (empty()) return;
  function_ = own.make_function(kinks);
  values_.resize(count_), work_.resize(function_.work_size() + 1);
}

const std::vector<double>& Kinks::find_values(const Point& p) {
  function_(evaluator_.values(p).data(), values_.data(), work_.data());
  return values_;
}

void Kinks::find_sides(const Point& p, std::vector<char>& sides) {
  sides.resize(count_);
  if (empty()) return;
  find_values(p);
  for (std::size_t k = 0; k < count_; ++k) sides[k] = values_[k] > 0;
}

bool Kinks::rests(const Point& from, const Point& middle, const Point& to) {
  resting_.clear();
  if (empty()) return false;
  find_values(to);
  for (std::size_t k = 0; k < count_; ++k)
    if (values_[k] == 0) resting_.push_back(k);
  for (const Point* p : {&middle, &from}) {
    if (resting_.empty()) return false;
    find_values(*p);
    std::erase_if(resting_, [&](std::size_t k) { return values_[k] != 0; });
  }
  return !resting_.empty();
}

namespace {

void move(std::vector<double>& values, const std::vector<double>& by, std::size_t count, double distance) {
  for (std::size_t i = 0; i < std::min(count, by.size()); ++i) values[i] += distance * by[i];
}

/// What a motion consists of, and what follows from it.
constexpr int given = 1, following = 2;

/// Evaluates something with the point and the parameters moved along a direction, and puts the parameters back.
template <class Action>
void evaluate_beside(equations::Evaluator& evaluator, Point p, const Direction& direction, const Deviation& all,
                     const std::vector<double>& d, double distance, int parts, const Action& action) {
  const equations::System& s = evaluator.system();
  const auto scalars = static_cast<std::size_t>(s.nv() - 3 * (s.nq() - s.nv()));
  if ((parts & given) != 0) {
    move(p.q, all.q, scalars, distance), move(p.v, all.v, p.v.size(), distance);
    move(p.x, all.x, p.x.size(), distance), move(p.d, d, p.d.size(), distance);
  }
  if ((parts & following) != 0) {
    move(p.a, all.a, p.a.size(), distance), move(p.lambda, all.lambda, p.lambda.size(), distance);
    move(p.xd, all.xd, p.xd.size(), distance), move(p.y, all.y, p.y.size(), distance);
  }
  std::vector<double> before;
  for (const auto& [k, slope] : direction.parameters) {
    before.push_back(evaluator.parameter(k));
    if ((parts & given) != 0) evaluator.set_parameter_alone(k, before.back() + distance * slope);
  }
  action(p);
  for (std::size_t i = 0; i < before.size(); ++i)
    evaluator.set_parameter_alone(direction.parameters[i].first, before[i]);
}

}  // namespace

std::string Kinks::find_corner(const Point& p, const Direction& direction, const Deviation& all,
                               const std::vector<double>& d) {
  constexpr double part = 1e-6, round_off = 1e-3;  // of the value; of a difference over such a distance
  const double step = part * (direction.value != 0 ? std::abs(direction.value) : 1);
  const equations::System& s = evaluator_.system();
  const auto beside = [&](double distance, int parts, const auto& action) {
    evaluate_beside(evaluator_, p, direction, all, d, distance, parts, action);
  };

  // kinks that the direction leaves
  std::vector<double> size(resting_.size()), leaves(resting_.size());
  for (const int parts : {given, following, given | following})
    beside(step, parts, [&](const Point& q) {
      find_values(q);
      for (std::size_t i = 0; i < resting_.size(); ++i) {
        const double moved = std::abs(values_[resting_[i]]);
        if (parts == (given | following))
          leaves[i] = moved;
        else
          size[i] += moved;
      }
    });
  bool any = false;
  for (std::size_t i = 0; i < size.size(); ++i) any = any || leaves[i] > round_off * size[i];
  if (!any) return "";

  // rows with a corner there
  std::array<std::vector<double>, 3> r;
  for (const int parts : {given, following}) {
    for (int side = -1; side <= 1; ++side) {
      r[side + 1].resize(s.n());
      beside(side * step, parts,
             [&](const Point& q) { evaluator_.residual(q, equations::Level::acceleration, r[side + 1]); });
    }
    for (int i = 0; i < s.n(); ++i) {
      const double change = std::abs(r[2][i] - r[1][i]) + std::abs(r[1][i] - r[0][i]);
      if (std::abs(r[2][i] - 2 * r[1][i] + r[0][i]) > round_off * change) return s.row_name(i);
    }
  }
  return "";
}

}  // namespace coenergy::analyze
