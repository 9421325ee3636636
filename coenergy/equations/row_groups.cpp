#include "coenergy/equations/row_groups.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_map>

#include "coenergy/equations/equation_set.hpp"
#include "coenergy/equations/row_shape.hpp"

namespace coenergy::equations {

RowGroups find_row_groups(EquationSet& set, std::span<const symbolic::Expr> e) {
  RowGroups found;
  if (e.size() < RowGroups::fewest) {
    found.others.resize(e.size());
    std::iota(found.others.begin(), found.others.end(), 0);
    return found;
  }
  const Layout layout(set.variables);
  std::unordered_map<std::string, std::size_t> index;
  RowShape shape(set.graph);
  for (std::size_t k = 0; k < e.size(); ++k) {
    if (e[k].is_number()) {
      found.numbers.push_back(static_cast<int>(k));
    } else if (shape.read(e[k].id())) {
      const auto [place, is_new] = index.try_emplace(shape.key(), found.groups.size());
      if (is_new) {
        RowGroup& group = found.groups.emplace_back();
        group.e = e[k];
        for (const std::uint32_t symbol : shape.symbols()) group.symbols.push_back(set.graph.at(symbol));
      }
      RowGroup& group = found.groups[place->second];
      group.members.push_back(static_cast<int>(k));
      for (const std::uint32_t symbol : shape.symbols())
        group.inputs.push_back(layout.value_index(set.variables.address(set.graph.at(symbol))));
    } else {
      found.others.push_back(static_cast<int>(k));
    }
  }

  // small groups are none
  for (const RowGroup& group : found.groups)
    if (group.members.size() < RowGroups::fewest)
      found.others.insert(found.others.end(), group.members.begin(), group.members.end());
  std::erase_if(found.groups, [](const RowGroup& group) { return group.members.size() < RowGroups::fewest; });
  std::sort(found.others.begin(), found.others.end());
  return found;
}

}  // namespace coenergy::equations
