#pragma once
#include <optional>
#include <string>
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/math/sparse_lu.hpp"
#include "coenergy/solve/result.hpp"
#include "coenergy/solve/round_off.hpp"

namespace coenergy::solve {

/// Newton's iteration with the time and all coordinates held, robust enough to start from far away.
///
///   τ > 0:  for (a, λ, x, y) with ẋ = (x − x₀)/τ, an implicit step of the states alone
///   τ = 0:  for (a, λ, ẋ, y) with x held
///
/// Electrical nodes may leak where their voltage is solved for: g (S) times it is added to their current balances,
/// which makes every circuit easy for large g (gmin stepping). Or R(z) − (1 − s) R(0) = 0 is followed from s = 0, where
/// z = 0 solves it, to s = 1: what is left of a circuit without voltages and currents are its sources, so these grow
/// from zero (source stepping).
class StaticNewton {
 public:
  StaticNewton(equations::Evaluator& evaluator, Statistics& statistics);

  /// Leaves p at the solution, or anywhere where it returns false.
  bool solve(equations::Point& p, double tau, double leak);
  /// With ever smaller leaks down to none, from large ones. p is the start, and changed only on success.
  bool solve_by_leaks(equations::Point& p, double tau);
  /// With sources that grow from zero. Likewise.
  bool solve_by_sources(equations::Point& p, double tau);
  /// With a capacitor at every node. Likewise.
  bool solve_by_capacitors(equations::Point& p, double tau);
  /// By the first that succeeds; likewise.
  bool solve_anyhow(equations::Point& p, double tau);

  /// The electrical nodes, as unknowns counted among x and y.
  static std::vector<int> find_nodes(const equations::System& s);
  /// See integrals().
  static std::vector<char> find_integrals(const equations::System& s);
  static std::string node_name(const equations::System& s, int node);
  /// A node that is kept at a voltage, by a large conductance.
  struct Held {
    int node;
    double voltage;
  };
  void hold(std::vector<Held> nodes) { held_ = std::move(nodes); }

  /// States that appear in their own row only, voltages of nodes aside: they follow from the others and decide nothing.
  const std::vector<char>& integrals() const { return integral_; }
  int iterations() const { return iterations_; }         ///< of the last solve
  const std::string& reason() const { return reason_; }  ///< why the last solve failed

 private:
  void add_diagonals();
  /// Whether the voltage of a node is solved for, and its value.
  bool is_free(int node) const { return tau_ > 0 || node >= s_.nx(); }
  double voltage(const equations::Point& p, int node) const { return node < s_.nx() ? p.x[node] : p.y[node - s_.nx()]; }
  bool iterate(equations::Point& p, const std::vector<double>& x0);
  void displace(equations::Point& p, double distance) const;
  void evaluate(equations::Point& p, const std::vector<double>& x0);
  bool factor(const equations::Point& p);
  bool take(equations::Point& p, const std::vector<double>& x0);
  bool is_round_off(const equations::Point& p);
  double correction_size(const equations::Point& p) const;
  double residual_size() const;
  std::string worst_row() const;

  equations::Evaluator& evaluator_;
  const equations::System& s_;
  Statistics& statistics_;
  double tau_ = 0, leak_ = 0;
  std::vector<double> offset_;  // taken from the residual; empty: nothing
  std::vector<double> anchor_;  // voltages that leaks lead to, in the order of nodes_; empty: zero
  std::vector<Held> held_;
  std::vector<int> diagonal_of_node_;  // place in the matrix, by unknown
  std::vector<int> nodes_;             // that may leak
  std::vector<char> integral_;
  // the pattern with the diagonals of nodes: where each entry of the system's goes, where the diagonals are
  std::vector<int> column_start_, row_, place_;
  std::vector<double> values_, matrix_, residual_, delta_;
  std::optional<math::SparseLu<double>> lu_;
  std::optional<RoundOff> round_off_;
  std::string reason_;
  int iterations_ = 0;
  bool starts_finite_ = true;  // residual and derivatives, where the last iteration began
};

}  // namespace coenergy::solve
