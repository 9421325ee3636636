#pragma once
#include "coenergy/domains/blocks/trigger.hpp"

namespace coenergy::domains::blocks {

/// Logic of signals taken as yes (above 0.5) or no: y = 1 or 0. Every change is a located event. `xor` is yes where an
/// odd number of inputs is, `not` has one input.
struct Logic {
  List u;
  Choice operation;
  Sampling sampling;

  void describe(Description& d) {
    d.name("blocks.Logic", "logic of signals that are yes above 0.5: y = 1 or 0");
    d.parameter(u, "u", "any", "inputs").varying();
    d.choice(operation, "operation", {"and", "or", "xor", "nand", "nor", "not"}, "what is made of them");
    sampling.describe(d);
    d.output("y", "", "1 or 0");
  }

  void equations(Equations& eq) const {
    const std::string word = eq[operation];
    const std::vector<Expr> in = eq[u];
    if (in.empty()) eq.refuse("u has no input");
    if (word == "not" && in.size() > 1) eq.refuse("not has one input; use nor");
    Expr y;
    for (std::size_t k = 0; k < in.size(); ++k) {
      const Expr on = is_on(eq, sampling, "input " + std::to_string(k + 1), in[k]);
      if (k == 0)
        y = on;
      else if (word == "and" || word == "nand")
        y = logical_and(y, on);
      else if (word == "xor")
        y = logical_not(equal(y, on));
      else
        y = logical_or(y, on);
    }
    sampling.output(eq, "y", word[0] == 'n' ? logical_not(y) : y);
  }
};

}  // namespace coenergy::domains::blocks
