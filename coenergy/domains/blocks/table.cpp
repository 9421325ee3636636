#include "coenergy/domains/blocks/table.hpp"

#include <memory>

#include "coenergy/base/names.hpp"

namespace coenergy::domains::blocks {

namespace {

using Grid = symbolic::Table;

std::shared_ptr<Grid> make_grid(const std::string& name, Grid::Method method, std::vector<double> x,
                                std::vector<double> y, std::vector<double> values) {
  auto grid = std::make_shared<Grid>();
  grid->name = name, grid->method = method;
  grid->x = std::move(x), grid->y = std::move(y), grid->values = std::move(values);
  grid->prepare();
  return grid;
}

/// The number of the cell (0, 1, …) by located events; beyond the middles of cells for the nearest point.
Expr find_cell(Equations& eq, const std::string& name, const Expr& u, const std::vector<double>& x, bool nearest) {
  Expr cell = 0;
  for (std::size_t k = 1; k < x.size(); ++k) cell += eq.relation(name, u - (nearest ? (x[k - 1] + x[k]) / 2 : x[k]));
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

std::vector<Table::Axis> Table::read_axes(Equations& eq) const {
  const std::vector<Expr> in = eq[u];
  std::vector<Axis> axes;
  for (const List* list : {&x1, &x2, &x3})
    if (eq.has(*list)) axes.push_back({0, eq.numbers(*list)});
  if (in.size() != axes.size())
    eq.refuse("u has " + std::to_string(in.size()) + " inputs for " + std::to_string(axes.size()) + " axes");
  std::size_t points = 1;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::vector<double>& x = axes[i].grid;
    const std::string name = "x" + std::to_string(i + 1);
    if (x.size() < 2) eq.refuse(name + " needs two points or more");
    for (std::size_t k = 1; k < x.size(); ++k)
      if (!(x[k] > x[k - 1]))
        eq.refuse(name + " must increase; " + format_short(x[k]) + " follows " + format_short(x[k - 1]));
    points *= x.size();
    axes[i].u = in[i];
  }
  if (eq.numbers(values).size() != points)
    eq.refuse("values has " + std::to_string(eq.numbers(values).size()) + " entries; the grid has " +
              std::to_string(points) + " points");
  return axes;
}

void Table::equations(Equations& eq) const {
  std::vector<Axis> axes = read_axes(eq);
  const std::vector<double> z = eq.numbers(values);
  const std::string how = eq[interpolation];
  if (how == "nearest" || how == "previous") {
    Expr index = 0;
    for (std::size_t i = 0; i < axes.size(); ++i)
      index = index * static_cast<double>(axes[i].grid.size()) +
              find_cell(eq, "cell of x" + std::to_string(i + 1), axes[i].u, axes[i].grid, how == "nearest");
    return eq.output("y", "", pick(index, z, 0, z.size()));
  }

  for (std::size_t i = 0; i < axes.size(); ++i) {
    Expr& in = axes[i].u;
    const double low = axes[i].grid.front(), high = axes[i].grid.back();
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
  if (axes.size() == 1) return eq.output("y", "", g.table(make_grid("table", method, axes[0].grid, {}, z), axes[0].u));
  if (axes.size() == 2)
    return eq.output("y", "", g.table(make_grid("table", method, axes[0].grid, axes[1].grid, z), axes[0].u, axes[1].u));
  if (how == "cubic") eq.refuse("cubic has one or two axes");

  // along the third axis the hat function of each point weighs a table of the others
  const std::size_t n = axes[2].grid.size(), others = z.size() / n;
  Expr y = 0;
  for (std::size_t k = 0; k < n; ++k) {
    std::vector<double> hat(n, 0.0), layer;
    hat[k] = 1;
    for (std::size_t i = 0; i < others; ++i) layer.push_back(z[i * n + k]);
    y += g.table(make_grid("hat", method, axes[2].grid, {}, hat), axes[2].u) *
         g.table(make_grid("layer", method, axes[0].grid, axes[1].grid, layer), axes[0].u, axes[1].u);
  }
  eq.output("y", "", y);
}

}  // namespace coenergy::domains::blocks
