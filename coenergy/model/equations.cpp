#include "coenergy/model/equations.hpp"

#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::model {

namespace {
bool is_mechanical(const PortInfo& port) {
  return port.domain == Domain::rotational || port.domain == Domain::translational;
}
/// ∂e/∂s, zero where s is a fixed node's number.
Expr slope(const Expr& e, const Expr& s) {
  return s.is_number() || e.is_number() ? Expr(0) : symbolic::derivative(e, s);
}
}  // namespace

void Equations::potential(const Expr& v) {
  const auto& ports = description().ports;
  for (int k = 0; k < static_cast<int>(ports.size()); ++k)
    if (is_mechanical(ports[k]) && port_connected(k)) add_through(k, slope(v, across(k, 0)));
  stored(v);
}

void Equations::kinetic(const Expr& t) {
  const auto& ports = description().ports;
  for (int k = 0; k < static_cast<int>(ports.size()); ++k) {
    if (!is_mechanical(ports[k]) || !port_connected(k)) continue;
    const Expr momentum = slope(t, across(k, 1));
    if (!momentum.is_zero()) add_through(k, time_derivative(momentum));
  }
  stored(t);
}

void Equations::dissipation(const Expr& d) {
  const auto& ports = description().ports;
  Expr power = 0;
  for (int k = 0; k < static_cast<int>(ports.size()); ++k) {
    if (!is_mechanical(ports[k]) || !port_connected(k)) continue;
    const Expr force = slope(d, across(k, 1));
    if (force.is_zero()) continue;
    add_through(k, force);
    power += force * across(k, 1);
  }
  dissipated(power);
}

}  // namespace coenergy::model
