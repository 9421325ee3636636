#include "coenergy/domains/blocks/linear_system.hpp"

namespace coenergy::domains::blocks {

Polynomial multiply(const Polynomial& a, const Polynomial& b) {
  Polynomial product(a.size() + b.size() - 1, Expr(0));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) product[i + j] += a[i] * b[j];
  return product;
}

Expr write_transfer(Equations& eq, Polynomial b, Polynomial a, const Expr& u, const Sampling& sampling, int first) {
  if (a.empty() || a[0].is_zero()) eq.refuse("the first coefficient of den must not be 0");
  if (b.empty()) eq.refuse("num has no coefficient");
  if (b.size() > a.size())
    eq.refuse("num has a higher degree (" + std::to_string(b.size() - 1) + ") than den (" +
              std::to_string(a.size() - 1) +
              (sampling.given(eq) ? "); the block would need samples of the future"
                                  : "); the block would differentiate its input"));

  // monic in the denominator and of the same length
  b.insert(b.begin(), a.size() - b.size(), Expr(0));
  for (Expr& c : b) c /= a[0];
  for (std::size_t k = a.size(); k-- > 0;) a[k] /= a[0];

  const int n = static_cast<int>(a.size()) - 1;
  const auto name = [&](int i) { return "x" + std::to_string(first + i); };
  std::vector<State> states;
  std::vector<Discrete> samples;
  std::vector<Expr> x;
  for (int i = 0; i < n; ++i) {
    if (sampling.given(eq)) {
      samples.push_back(eq.make_discrete(name(i), "", 0));
      x.push_back(eq[samples.back()]);
    } else {
      states.push_back(eq.make_state(name(i), "", 0));
      x.push_back(eq[states.back()]);
    }
  }
  Expr y = b[0] * u, last = u;
  for (int i = 0; i < n; ++i) {
    last -= a[n - i] * x[i];
    y += (b[n - i] - a[n - i] * b[0]) * x[i];
  }
  for (int i = 0; i < n; ++i) {
    const Expr next = i + 1 < n ? x[i + 1] : last;
    if (sampling.given(eq))
      sampling.update(eq, samples[i], next);
    else
      eq.zero(states[i], eq.der(states[i]) - next);
  }
  return y;
}

}  // namespace coenergy::domains::blocks
