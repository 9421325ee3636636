#include "coenergy/analyze/kinks.hpp"

#include <mutex>

#include "coenergy/equations/data.hpp"
#include "coenergy/symbolic/algebra.hpp"

namespace coenergy::analyze {

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

void Kinks::find_sides(const equations::Point& p, std::vector<char>& sides) {
  sides.resize(count_);
  if (empty()) return;
  function_(evaluator_.values(p).data(), values_.data(), work_.data());
  for (std::size_t k = 0; k < count_; ++k) sides[k] = values_[k] > 0;
}

}  // namespace coenergy::analyze
