#include "coenergy/domains/blocks/custom.hpp"

#include "coenergy/domains/blocks/trigger.hpp"

namespace coenergy::domains::blocks {

void Custom::describe(Description& d) {
  d.name("blocks.Custom", "a block by expressions: dx/dt = rates, z = updates at samples, y = outputs");
  d.parameter(rates, "rates", "any", "rate of each state x1, x2, ...").varying().optional();
  d.parameter(x0, "x0", "any", "states at the start; without it zero").optional().used_with(rates);
  d.parameter(updates, "updates", "any", "next value of each memory z1, z2, ...").varying().optional();
  d.parameter(z0, "z0", "any", "memories at the start; without it zero").optional().used_with(updates);
  d.parameter(outputs, "outputs", "any", "outputs").varying();
  sampling.describe(d);
  d.parameter(trigger, "trigger", "any", "the memories are updated when it rises above 0.5")
      .varying()
      .optional()
      .used_with(updates)
      .instead_of(sampling.period);
  d.output("x#", "", "state 1, 2, ...");
  d.output("z#", "", "memory 1, 2, ...");
  d.outputs_by("y", "", [outputs = outputs](const auto& size) { return size(outputs); });
}

void Custom::equations(Equations& eq) const {
  const auto start_of = [&](const List& list, std::size_t count, const char* name) {
    std::vector<double> start = eq.numbers(list);
    if (!start.empty() && start.size() != count)
      eq.refuse(std::string(name) + " has " + std::to_string(start.size()) + " entries; it needs " +
                std::to_string(count));
    start.resize(count, 0.0);
    return start;
  };
  // the variables come first: all expressions may name them
  const std::vector<double> x_start = start_of(x0, eq.size(rates), "x0"),
                            z_start = start_of(z0, eq.size(updates), "z0");
  std::vector<State> x;
  std::vector<Discrete> z;
  for (std::size_t i = 0; i < x_start.size(); ++i)
    x.push_back(eq.make_state("x" + std::to_string(i + 1), "", x_start[i]));
  for (std::size_t i = 0; i < z_start.size(); ++i)
    z.push_back(eq.make_discrete("z" + std::to_string(i + 1), "", z_start[i]));
  if (!z.empty() && !sampling.given(eq) && !eq.has(trigger))
    eq.refuse("updates need their times; give sample, or trigger");
  if (z.empty() && sampling.given(eq)) eq.refuse("sample has no effect without updates");

  const std::vector<Expr> y = eq[outputs], rate = eq[rates], next = eq[updates];
  for (std::size_t i = 0; i < y.size(); ++i) eq.output(y.size() == 1 ? "y" : "y" + std::to_string(i + 1), "", y[i]);
  for (std::size_t i = 0; i < x.size(); ++i) eq.zero(x[i], eq.der(x[i]) - rate[i]);
  if (eq.has(trigger)) {
    const Expr rises = Trigger(eq, sampling, "trigger", eq[trigger]).rises();
    for (std::size_t i = 0; i < z.size(); ++i) eq.mode(z[i], select(rises, next[i], eq[z[i]]));
  } else {
    for (std::size_t i = 0; i < z.size(); ++i) sampling.update(eq, z[i], next[i]);
  }
}

}  // namespace coenergy::domains::blocks
