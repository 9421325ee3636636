#pragma once
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "coenergy/equations/builder.hpp"

namespace coenergy::equations {

/// Rates of algebraic variables, where equations ask for them: those of the voltage that controls a source across a
/// capacitor, for one, whose current is C d(k u)/dt.
///
/// The rate of an algebraic variable y is one more algebraic unknown, der(y), and its equation is the time derivative
/// of the equation that determines y. Which one that is a maximum matching of the equations with ẋ and y tells. Other
/// y in that equation have their rates found likewise, so that a closed set S of variables and as many equations T(S,
/// x, t) = 0 are differentiated: T_S Ṡ + T_x ẋ + T_t = 0. T_S is regular where the equations as a whole are. An
/// equation that holds a rate itself is not differentiated: what asks for its variable's rate is refused.
/// (S. Mattsson, G. Söderlind: Index reduction in differential-algebraic equations using dummy derivatives, 1993.)
class AlgebraicRates {
 public:
  explicit AlgebraicRates(Builder& builder) : builder_(builder) {}

  /// Gives every algebraic variable in e that has no rate one; `component` asks for it, and `text` says why it is
  /// refused where that cannot be done.
  void require(const symbolic::Expr& e, int component, const std::function<std::string()>& text);
  /// Whether nothing was asked for.
  bool empty() const { return rates_.empty(); }
  struct Refusal {
    int component;
    std::string text;
  };
  /// Writes the equations of all rates, once all others are written; returns what has to be refused. Rates of time and
  /// of the parameters in `source_values` are parameters (see give_rate).
  std::vector<Refusal> write(std::span<const symbolic::Expr> source_values);

 private:
  struct Rate {
    int variable, unknown;  ///< y and der(y), as algebraic variables
    int component;
    std::string text;
  };
  void add(int variable, int component, const std::string& text);

  Builder& builder_;
  std::vector<Rate> rates_;
  std::unordered_map<int, std::size_t> place_;  ///< among rates_, by variable
};

}  // namespace coenergy::equations
