#include "coenergy/domains/blocks/transfer_function.hpp"

namespace coenergy::domains::blocks {

void TransferFunction::describe(Description& d) {
  d.name("blocks.TransferFunction",
         "transfer function: y(s) = num(s)/den(s) u(s), highest power of s first; of z where it is sampled");
  d.parameter(u, "u", "any", "input").varying();
  d.parameter(num, "num", "any", "coefficients of the numerator, highest power first").fallback("[1]");
  d.parameter(den, "den", "any", "coefficients of the denominator, highest power first");
  sampling.describe(d);
  d.output("x#", "", "state 1, 2, ...");
  d.output("y", "", "output");
}

void TransferFunction::equations(Equations& eq) const {
  if (const std::vector<double> leading = eq.numbers(den); leading.empty() || leading[0] == 0)
    eq.refuse("the first coefficient of den must not be 0");
  sampling.output(eq, "y", write_transfer(eq, eq[num], eq[den], eq[u], sampling));
}

}  // namespace coenergy::domains::blocks
