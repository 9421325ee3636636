#include "coenergy/domains/blocks/transfer_function.hpp"

namespace coenergy::domains::blocks {

void TransferFunction::describe(Description& d) {
  d.name("blocks.TransferFunction", "transfer function: y(s) = num(s)/den(s) u(s), highest power of s first");
  d.parameter(u, "u", "any", "input").varying();
  d.parameter(num, "num", "any", "coefficients of the numerator, highest power first").fallback("[1]");
  d.parameter(den, "den", "any", "coefficients of the denominator, highest power first");
  d.output("x#", "", "state 1, 2, ...");
  d.output("y", "", "output");
}

void TransferFunction::equations(Equations& eq) const {
  std::vector<Expr> b = eq[num], a = eq[den];
  const std::vector<double> leading = eq.numbers(den);
  if (leading.empty() || leading[0] == 0) eq.refuse("the first coefficient of den must not be 0");
  if (b.empty()) eq.refuse("num has no coefficient");
  if (b.size() > a.size())
    eq.refuse("num has a higher degree (" + std::to_string(b.size() - 1) + ") than den (" +
              std::to_string(a.size() - 1) + "); the block would differentiate its input");

  // both monic in the denominator and of the same length
  b.insert(b.begin(), a.size() - b.size(), Expr(0));
  for (Expr& c : b) c /= a[0];
  for (std::size_t k = a.size(); k-- > 0;) a[k] /= a[0];

  const int n = static_cast<int>(a.size()) - 1;
  std::vector<State> x;
  for (int i = 0; i < n; ++i) x.push_back(eq.make_state("x" + std::to_string(i + 1), "", 0));
  Expr y = b[0] * eq[u], last = eq[u];
  for (int i = 0; i < n; ++i) {
    last -= a[n - i] * eq[x[i]];
    y += (b[n - i] - a[n - i] * b[0]) * eq[x[i]];
  }
  for (int i = 0; i < n; ++i) eq.zero(x[i], eq.der(x[i]) - (i + 1 < n ? eq[x[i + 1]] : last));
  eq.output("y", "", y);
}

}  // namespace coenergy::domains::blocks
