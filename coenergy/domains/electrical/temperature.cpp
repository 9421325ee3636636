#include "coenergy/domains/electrical/temperature.hpp"

#include "coenergy/domains/electrical/junction.hpp"

namespace coenergy::domains::electrical {

namespace {

constexpr double reference = 300.15;  // K

Expr find_gap(const Expr& T) { return 1.16 - 7.02e-4 * T * T / (T + 1108); }

Expr turn_potential(const Expr& phi, const Expr& T, const Expr& from) {
  return phi * T / from - 3 * thermal_voltage(T) * log(T / from) - find_gap(from) * T / from + find_gap(T);
}

}  // namespace

Expr Warming::gap() const { return find_gap(T); }
Expr Warming::nominal_gap() const { return find_gap(nominal); }

Expr Warming::saturation_current(const Expr& I, const Expr& gap, const Expr& exponent, const Expr& n) const {
  return I * exp(exponent / n * log(ratio()) + (ratio() - 1) * gap / (n * thermal_voltage(T)));
}

Expr Warming::potential(const Expr& phi) const { return turn_potential(phi, T, nominal); }

Expr Warming::capacitance(const Expr& C, const Expr& phi, const Expr& m) const {
  const Expr at_reference = turn_potential(phi, reference, nominal);
  const auto g = [&](const Expr& t, const Expr& potential) {
    return 1 + m * (4e-4 * (t - reference) + 1 - potential / at_reference);
  };
  return C * g(T, this->potential(phi)) / g(nominal, phi);
}

std::optional<Warming> find_warming(Equations& eq, Parameter T, Parameter nominal) {
  if (!eq.has(T)) return std::nullopt;
  return Warming{eq[T], eq[nominal]};
}

Expr thermal_voltage(Equations& eq, Parameter T, Parameter nominal) {
  return thermal_voltage(eq.has(T) ? eq[T] : eq[nominal]);
}

void describe_temperatures(Description& d, Parameter& T, Parameter& nominal) {
  d.parameter(T, "T", "K", "temperature; the nominal one without it").positive().optional();
  d.parameter(nominal, "Tnom", "K", "temperature at which the other parameters hold").fallback("300.15 K").positive();
}

}  // namespace coenergy::domains::electrical
