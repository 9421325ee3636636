#include "coenergy/equations/row_contents.hpp"

#include <set>

#include "coenergy/equations/open_equations.hpp"
#include "coenergy/symbolic/algebra.hpp"

namespace coenergy::equations {

std::vector<std::string> find_row_contents(const System& system, int row) {
  const System::Data& data = system.data();
  const OpenEquations equations(data);
  const int states = system.nv() + system.nl(), algebraics = states + system.nx();
  std::set<int> found;
  for (const Instance& instance : data.instances)
    for (std::size_t k = 0; k < instance.rows.size(); ++k) {
      if (instance.rows[k] != row) continue;
      if (!instance.gather.empty()) return {};
      const symbolic::Expr& e = instance.kernel->row_expr[k];
      if (e.is_number()) continue;
      for (const symbolic::Expr& s : symbolic::free_symbols(std::span(&e, 1))) {
        const Address at = equations->variables.address(s);
        if (at.source == Source::q || at.source == Source::v) found.insert(at.index);
        if (at.source == Source::x || at.source == Source::xd) found.insert(states + at.index);
        if (at.source == Source::y) found.insert(algebraics + at.index);
      }
    }
  std::vector<std::string> names;
  for (int k : found) names.push_back(system.unknown(k).name);
  return names;
}

}  // namespace coenergy::equations
