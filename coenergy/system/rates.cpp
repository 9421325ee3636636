#include "coenergy/system/rates.hpp"

#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/system/data.hpp"

namespace coenergy::system {

using symbolic::Expr;

std::string rate_name(const std::string& name) { return "der(" + name + ")"; }

void give_rate(Builder& builder, const Expr& symbol) {
  Variables& v = builder.variables();
  const Address at = v.address(symbol);
  if (v.has_rate(symbol) || (at.source != Source::time && at.source != Source::parameter)) return;
  const bool is_time = at.source == Source::time;
  const std::string unit = is_time ? "" : builder.parameter_info(at.index).unit + "/s";
  v.set_rate(symbol, v.parameter(builder.add_parameter(rate_name(to_string(symbol)), unit, is_time ? 1 : 0)));
}

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
