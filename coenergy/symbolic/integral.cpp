#include "coenergy/symbolic/integral.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"
#include "coenergy/symbolic/function.hpp"

namespace coenergy::symbolic {

namespace {

/// Where f may have a corner: where g(u) takes one of these values, g being linear in u.
struct Corner {
  Expr g;
  std::vector<double> values;
};

struct Integral : External {
  Expr integrand;
  std::vector<Expr> symbols;  ///< u, then all others that f depends on
  std::vector<Corner> corners;
  Function program;                                               ///< of u and the others: f, then g of every corner
  mutable std::vector<std::shared_ptr<const Integral>> partials;  ///< of ∂f/∂pₖ, once they are asked for
};

/// What tells an Integral from functions of the user's.
double call(const double*) {
  assert(!"bug: an integral is evaluated by evaluate_integral");
  return 0;
}

const Integral& as_integral(const External& function) {
  assert(is_integral(function));
  return static_cast<const Integral&>(function);
}

std::vector<Corner> find_corners(const Expr& f) {
  std::vector<Corner> corners;
  const std::span<const Expr> whole(&f, 1);
  Graph& graph = *f.graph();
  const auto argument = [&](const Expr& node, std::size_t k) { return graph.at(graph.arguments(node.id())[k]); };
  for (const Expr& node : find_nodes(whole, Op::table)) {
    const Table& table = *graph.table_of(node.id());
    corners.push_back({argument(node, 0), table.x});
    if (!table.y.empty()) corners.push_back({argument(node, 1), table.y});
  }
  for (const Op op : {Op::abs, Op::sign})
    for (const Expr& node : find_nodes(whole, op)) corners.push_back({argument(node, 0), {0}});
  for (const Op op : {Op::min, Op::max, Op::less, Op::less_equal, Op::equal})
    for (const Expr& node : find_nodes(whole, op)) corners.push_back({argument(node, 0) - argument(node, 1), {0}});
  return corners;
}

Expr make_integral(const Expr& f, const std::vector<Expr>& symbols, std::span<const Expr> arguments);

std::shared_ptr<const Integral> make_call(const Expr& f, std::vector<Expr> symbols) {
  auto made = std::make_shared<Integral>();
  made->name = "integral";
  made->arity = static_cast<int>(symbols.size());
  made->value = call;
  made->integrand = f;
  made->corners = find_corners(f);
  std::vector<NamedExpr> outputs{{"f", f}};
  for (const Corner& corner : made->corners) outputs.push_back({"g", corner.g});
  made->program = Function(make_program(symbols, outputs), Engine::interpreter);
  made->symbols = std::move(symbols);
  made->partials.resize(made->symbols.size());
  return made;
}

/// Σ cₖ xᵏ⁺¹/(k + 1), where f is a polynomial in x.
std::optional<Expr> integrate_polynomial(const Expr& f, const Expr& x) {
  if (f.is_number() || !depends_on(f, x)) return f * x;
  const auto coefficients = collect(unbind(f), x);
  if (!coefficients) return std::nullopt;
  Expr sum = 0;
  for (std::size_t k = coefficients->size(); k-- > 0;)
    sum = (sum + (*coefficients)[k] / static_cast<double>(k + 1)) * x;
  return sum;
}

Expr make_integral(const Expr& f, const std::vector<Expr>& symbols, std::span<const Expr> arguments) {
  if (const auto closed = integrate_polynomial(f, symbols[0]))
    return closed->is_number() ? *closed : substitute(*closed, symbols, arguments);
  return f.graph()->external(make_call(f, symbols), arguments);
}

// ---- evaluation

// nodes of the 15-point Kronrod rule on (−1, 1), its weights, and those of the 7-point Gauss rule at every second node
constexpr std::array<double, 8> kronrod_nodes = {
    0.991455371120812639206854697526329, 0.949107912342758524526189684047851, 0.864864423359769072789712788640926,
    0.741531185599394439863864773280788, 0.586087235467691130294144691693013, 0.405845151377397166906606412076961,
    0.207784955007898467600689403773245, 0.000000000000000000000000000000000};
constexpr std::array<double, 8> kronrod_weights = {
    0.022935322010529224963732008058970, 0.063092092629978553290700663189204, 0.104790010322250183839876322541518,
    0.140653259715525918745189590510238, 0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
    0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
constexpr std::array<double, 4> gauss_weights = {
    0.129484966168869693270611432679082, 0.279705391489276667901467771423780, 0.381830050505118944950369775488975,
    0.417959183673469387755102040816327};

struct Rule {
  double value, error, magnitude;  ///< ∫ f, how much both rules differ, ∫ |f|
};

/// What an evaluation needs; kept for the next one, so that calls do not allocate.
struct Memory {
  std::vector<double> in, out, work, at_zero, at_half, ends;
  std::vector<Rule> rules;
};

class BorrowedMemory {
 public:
  BorrowedMemory() {
    if (pool().empty()) pool().push_back(std::make_unique<Memory>());
    memory_ = std::move(pool().back());
    pool().pop_back();
  }
  ~BorrowedMemory() { pool().push_back(std::move(memory_)); }
  BorrowedMemory(const BorrowedMemory&) = delete;
  BorrowedMemory& operator=(const BorrowedMemory&) = delete;
  Memory* operator->() { return memory_.get(); }

 private:
  static std::vector<std::unique_ptr<Memory>>& pool() {
    static thread_local std::vector<std::unique_ptr<Memory>> free;
    return free;
  }
  std::unique_ptr<Memory> memory_;
};

/// One evaluation of an integral.
class Quadrature {
 public:
  Quadrature(const Integral& integral, const double* arguments) : integral_(integral), x_(arguments[0]) {
    m_->in.assign(arguments, arguments + integral.arity);
    m_->out.resize(1 + integral.corners.size());
    m_->work.resize(integral.program.work_size());
  }

  double run() {
    if (x_ == 0) return 0;
    divide();
    const std::vector<double>& ends = m_->ends;
    m_->rules.clear();
    for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
      m_->rules.push_back(apply(ends[k], ends[k + 1]));
      scale_ += m_->rules.back().magnitude;
    }
    double sum = 0;
    for (std::size_t k = 0; k + 1 < ends.size(); ++k) sum += refine(m_->rules[k], ends[k], ends[k + 1], 0);
    return sum;
  }

 private:
  double f(double u) {
    m_->in[0] = u;
    integral_.program(m_->in.data(), m_->out.data(), m_->work.data());
    return m_->out[0];
  }

  /// The ends of the parts between corners.
  void divide() {
    std::vector<double>& ends = m_->ends;
    ends.assign({0, x_});
    if (integral_.corners.empty()) return;
    f(0);
    m_->at_zero = m_->out;
    f(x_ / 2);
    m_->at_half = m_->out;
    f(x_);
    for (std::size_t k = 0; k < integral_.corners.size(); ++k) {
      const double g0 = m_->at_zero[k + 1], g1 = m_->out[k + 1], bend = m_->at_half[k + 1] - (g0 + g1) / 2;
      constexpr double straight = 1e-12;
      if (g0 == g1 || !(std::abs(bend) <= straight * (std::abs(g0) + std::abs(g1)))) continue;
      for (const double value : integral_.corners[k].values) {
        const double part = (value - g0) / (g1 - g0);
        if (part > 0 && part < 1) ends.push_back(part * x_);
      }
    }
    const bool rising = x_ > 0;
    std::sort(ends.begin(), ends.end(), [&](double a, double b) { return rising ? a < b : a > b; });
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  }

  Rule apply(double a, double b) {
    const double centre = (a + b) / 2, half = (b - a) / 2, middle = f(centre);
    double kronrod = kronrod_weights[7] * middle, gauss = gauss_weights[3] * middle, magnitude = std::abs(kronrod);
    for (std::size_t k = 0; k < 7; ++k) {
      const double left = f(centre - half * kronrod_nodes[k]), right = f(centre + half * kronrod_nodes[k]);
      kronrod += kronrod_weights[k] * (left + right);
      magnitude += kronrod_weights[k] * (std::abs(left) + std::abs(right));
      if (k % 2 == 1) gauss += gauss_weights[k / 2] * (left + right);
    }
    return {half * kronrod, std::abs(half * (kronrod - gauss)), std::abs(half) * magnitude};
  }

  /// What the polynomial through the nodes of a rule would be at an end, where the law may have all it has: the part of
  /// an integral up to deep saturation that a rule does not see.
  double surprise(double a, double b, double end) {
    const double centre = (a + b) / 2, half = (b - a) / 2;
    double sum = 0, weights = 0;
    for (int k = 0; k < 15; ++k) {
      const double node =
          k < 7 ? -kronrod_nodes[static_cast<std::size_t>(k)] : kronrod_nodes[static_cast<std::size_t>(14 - k)];
      const double w = barycentric_weights()[static_cast<std::size_t>(k)] / ((end - centre) / half - node);
      sum += w * f(centre + half * node);
      weights += w;
    }
    return std::abs(half * (sum / weights - f(end))) * kronrod_weights[0];
  }

  static const std::array<double, 15>& barycentric_weights() {
    static const std::array<double, 15> weights = [] {
      std::array<double, 15> node{}, w{};
      for (std::size_t k = 0; k < 15; ++k) node[k] = k < 7 ? -kronrod_nodes[k] : kronrod_nodes[14 - k];
      for (std::size_t k = 0; k < 15; ++k) {
        w[k] = 1;
        for (std::size_t j = 0; j < 15; ++j)
          if (j != k) w[k] /= node[k] - node[j];
      }
      return w;
    }();
    return weights;
  }

  /// The 15-point rule errs by about (200 d)^1.5 where both differ by d (QUADPACK): 3e-15 where d is 1e-12. What halving
  /// does not lessen is rounding.
  double refine(const Rule& whole, double a, double b, int depth) {
    constexpr double agreed = 1e-12, noise = 0.7;
    constexpr int deepest = 48, most_rules = 400, no_noise = 4;
    const bool known = !(whole.error > agreed * scale_) && (a != 0 || !(surprise(a, b, 0) > agreed * scale_));
    if (known || depth == deepest || rules_ > most_rules) return whole.value;
    rules_ += 2;
    const double middle = (a + b) / 2;
    const Rule left = apply(a, middle), right = apply(middle, b);
    if (depth >= no_noise && a != 0 && left.error + right.error > noise * whole.error) return left.value + right.value;
    return refine(left, a, middle, depth + 1) + refine(right, middle, b, depth + 1);
  }

  const Integral& integral_;
  double x_, scale_ = 0;
  int rules_ = 0;
  BorrowedMemory m_;
};

}  // namespace

Expr integral(const Expr& f, const Expr& x) {
  if (f.is_number()) return f * x;
  std::vector<Expr> symbols{x};
  for (const Expr& s : free_symbols(std::span(&f, 1)))
    if (!same(s, x)) symbols.push_back(s);
  return make_integral(f, symbols, symbols);
}

bool is_integral(const External& function) { return function.value == call; }

double evaluate_integral(const External& function, const double* arguments) {
  return Quadrature(as_integral(function), arguments).run();
}

Expr differentiate_integral(const External& function, std::span<const Expr> arguments, std::size_t k) {
  const Integral& i = as_integral(function);
  if (k == 0) return substitute(i.integrand, i.symbols, arguments);
  if (i.partials[k]) return i.integrand.graph()->external(i.partials[k], arguments);
  const Expr slope = derivative(i.integrand, i.symbols[k]);
  if (const auto closed = integrate_polynomial(slope, i.symbols[0]))
    return closed->is_number() ? *closed : substitute(*closed, i.symbols, arguments);
  i.partials[k] = make_call(slope, i.symbols);
  return i.integrand.graph()->external(i.partials[k], arguments);
}

}  // namespace coenergy::symbolic
