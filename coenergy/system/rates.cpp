#include "coenergy/system/rates.hpp"

#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/system/data.hpp"

namespace coenergy::system {

using symbolic::Expr;

std::string rate_name(const std::string& name) { return "der(" + name + ")"; }

Expr put_rates(const System::Data& data, const Expr& e) {
  if (e.is_number()) return e;
  std::vector<Expr> rates, values;
  const Variables& v = data.kernels.front()->set->variables;
  for (std::size_t k = 0; k < data.parameters.size(); ++k) {
    if (!data.parameters[k].name.starts_with("der(")) continue;
    rates.push_back(v.parameter(static_cast<int>(k)));
    values.emplace_back(data.parameter_values[k]);
  }
  return rates.empty() ? e : symbolic::substitute(e, rates, values);
}

}  // namespace coenergy::system
