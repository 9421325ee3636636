#include "coenergy/equations/declarations.hpp"

namespace coenergy::equations {

const char* to_string(SignalKind kind) {
  static const char* const words[] = {"coordinate", "rate",       "acceleration", "pose",   "state",    "algebraic",
                                      "discrete",   "multiplier", "reaction",     "output", "momentum", "energy"};
  return words[static_cast<std::size_t>(kind)];
}

SignalInfo make_signal_info(const std::string& owner, const std::string& field, std::string unit, SignalKind kind,
                            std::optional<Domain> domain) {
  return {owner + "." + field, std::move(unit), kind, domain, static_cast<int>(owner.size())};
}

RowKind balance_of(Domain domain) {
  switch (domain) {
    case Domain::electrical:
      return RowKind::current_balance;
    case Domain::hydraulic:
    case Domain::pneumatic:
      return RowKind::flow_balance;
    case Domain::rotational:
      return RowKind::torque_balance;
    default:
      return RowKind::force_balance;
  }
}

const char* to_words(RowKind kind) {
  static const char* const words[] = {"", "current balance", "flow balance", "torque balance", "force balance"};
  return words[static_cast<std::size_t>(kind)];
}

}  // namespace coenergy::equations
