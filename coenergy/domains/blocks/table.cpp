#include "coenergy/domains/blocks/table.hpp"

#include <memory>

#include "coenergy/base/names.hpp"

namespace coenergy::domains::blocks {

using Grid = symbolic::Table;

namespace {

std::shared_ptr<Grid> make_grid(const std::string& name, Grid::Method method, std::vector<double> x,
                                std::vector<double> y, std::vector<double> values) {
  auto grid = std::make_shared<Grid>();
  grid->name = name, grid->method = method;
  grid->x = std::move(x), grid->y = std::move(y), grid->values = std::move(values);
  grid->prepare();
  return grid;
}

/// The number of the cell (0, 1, …) by located events; beyond the middles of cells for the nearest point.
Expr find_cell(Equations& eq, const Sampling& sampling, const std::string& name, const Expr& u,
               const std::vector<double>& x, bool nearest) {
  Expr cell = 0;
  for (std::size_t k = 1; k < x.size(); ++k)
    cell += sampling.relation(eq, name, u - (nearest ? (x[k - 1] + x[k]) / 2 : x[k]));
  return cell;
}

/// values[index], by halving.
Expr pick(const Expr& index, const std::vector<double>& values, std::size_t first, std::size_t last) {
  if (last - first == 1) return values[first];
  const std::size_t middle = (first + last) / 2;
  return select(less(index, static_cast<double>(middle) - 0.5), pick(index, values, first, middle),
                pick(index, values, middle, last));
}

}  // namespace

/// Up to two axes by one table; along a further one the value is linear in the layers of the others: each has the weight of
/// the interpolant that is 1 at its point and 0 at all others (a hat, or a natural spline).
Expr Table::interpolate(symbolic::Graph& g, Grid::Method method, const std::vector<Axis>& all,
                        const std::vector<double>& z) {
  const auto grid = [&](std::size_t i) { return all[i].grid; };
  if (all.size() == 1) return g.table(make_grid("table", method, grid(0), {}, z), all[0].u);
  if (all.size() == 2) return g.table(make_grid("table", method, grid(0), grid(1), z), all[0].u, all[1].u);
  const Axis& last = all.back();
  const std::size_t n = last.grid.size(), others = z.size() / n;
  Expr y = 0;
  for (std::size_t k = 0; k < n; ++k) {
    std::vector<double> weight(n, 0.0), layer;
    weight[k] = 1;
    for (std::size_t i = 0; i < others; ++i) layer.push_back(z[i * n + k]);
    y += g.table(make_grid("weight", method, last.grid, {}, weight), last.u) *
         interpolate(g, method, {all.begin(), all.end() - 1}, layer);
  }
  return y;
}

std::vector<Table::Axis> Table::read_axes(Equations& eq) const {
  const std::vector<Expr> in = eq[u];
  std::vector<Axis> given;
  for (const List& list : axes)
    if (eq.has(list)) given.push_back({0, eq.numbers(list)});
  if (in.size() != given.size())
    eq.refuse("u has " + std::to_string(in.size()) + " inputs for " + std::to_string(given.size()) + " axes");
  std::size_t points = 1;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::vector<double>& x = given[i].grid;
    const std::string name = "x" + std::to_string(i + 1);
    if (x.size() < 2) eq.refuse(name + " needs two points or more");
    for (std::size_t k = 1; k < x.size(); ++k)
      if (!(x[k] > x[k - 1]))
        eq.refuse(name + " must increase; " + format_short(x[k]) + " follows " + format_short(x[k - 1]));
    points *= x.size();
    given[i].u = in[i];
  }
  if (eq.numbers(values).size() != points)
    eq.refuse("values has " + std::to_string(eq.numbers(values).size()) + " entries; the grid has " +
              std::to_string(points) + " points");
  return given;
}

void Table::equations(Equations& eq) const {
  std::vector<Axis> all = read_axes(eq);
  const std::vector<double> z = eq.numbers(values);
  const std::string how = eq[interpolation];
  if (how == "nearest" || how == "previous") {
    Expr index = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
      index = index * static_cast<double>(all[i].grid.size()) +
              find_cell(eq, sampling, "cell of x" + std::to_string(i + 1), all[i].u, all[i].grid, how == "nearest");
    return sampling.output(eq, "y", pick(index, z, 0, z.size()));
  }

  for (std::size_t i = 0; i < all.size(); ++i) {
    Expr& in = all[i].u;
    const double low = all[i].grid.front(), high = all[i].grid.back();
    if (eq[outside] == "hold") in = min(max(in, low), high);
    if (eq[outside] == "refuse") {
      const std::string text =
          "input " + std::to_string(i + 1) + " leaves its grid, " + format_short(low) + " to " + format_short(high);
      eq.require("x" + std::to_string(i + 1) + " low", low - in, text);
      eq.require("x" + std::to_string(i + 1) + " high", in - high, text);
    }
  }
  const auto method = how == "cubic" ? Grid::Method::cubic : Grid::Method::linear;
  symbolic::Graph& g = eq.graph();
  sampling.output(eq, "y", interpolate(g, method, all, z));
}

}  // namespace coenergy::domains::blocks
