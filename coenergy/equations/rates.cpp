#include "coenergy/equations/rates.hpp"

#include "coenergy/equations/data.hpp"
#include "coenergy/symbolic/algebra.hpp"

namespace coenergy::equations {

using symbolic::Expr;

std::string rate_name(const std::string& name) { return "der(" + name + ")"; }

void give_rate(Builder& builder, const Expr& symbol) {
  Variables& v = builder.variables();
  const Address at = v.address(symbol);
  if (v.has_rate(symbol) || (at.source != Source::time && at.source != Source::parameter)) return;
  const bool is_time = at.source == Source::time;
  const std::string unit = is_time ? "" : builder.parameter_info(at.index).unit + "/s";
  const ParameterInfo rate{rate_name(to_string(symbol)), unit, ParameterInfo::Kind::rate, is_time ? -1 : at.index};
  v.set_rate(symbol, v.parameter(builder.add_parameter(rate, is_time ? 1 : 0)));
}

Expr put_rates(const System::Data& data, const Expr& e) {
  if (e.is_number()) return e;
  std::vector<Expr> rates, values;
  const Variables& v = data.kernels.front()->set->variables;
  for (std::size_t k = 0; k < data.parameters.size(); ++k) {
    if (data.parameters[k].kind != ParameterInfo::Kind::rate) continue;
    rates.push_back(v.parameter(static_cast<int>(k)));
    values.emplace_back(data.parameter_values[k]);
  }
  return rates.empty() ? e : symbolic::substitute(e, rates, values);
}

}  // namespace coenergy::equations
