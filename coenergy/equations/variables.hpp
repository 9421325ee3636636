#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "coenergy/symbolic/expr.hpp"
#include "coenergy/symbolic/vector.hpp"

namespace coenergy::equations {

/// Where the value of a symbol comes from. For q, v, a of a rotation `part` counts 0..3 (q) or 0..2 (v, a).
enum class Source : std::uint8_t { time, q, v, a, rotation_q, rotation_v, rotation_a, lambda, x, xd, y, d, parameter };

struct Address {
  Source source;
  int index = 0;
  int part = 0;
};

/// The variables a set of equations is written in: symbols of a graph, each with an address. The same class serves a
/// component's local variables (one kernel for all instances) and the variables of a whole system.
class Variables {
 public:
  explicit Variables(symbolic::Graph& graph) : graph_(&graph) {}

  symbolic::Graph& graph() const { return *graph_; }
  symbolic::Expr time();

  // each add_ returns the index within its kind; names are those shown to the user
  int add_coordinate(const std::string& name);  ///< symbols name, named velocity and acceleration name+"d", name+"dd"
  int add_rotation(const std::string& name);    ///< unit quaternion, body angular velocity and its derivative
  int add_multiplier(const std::string& name);
  int add_state(const std::string& name);
  int add_algebraic(const std::string& name);
  int add_discrete(const std::string& name);
  int add_parameter(const std::string& name);

  struct Coordinate {
    symbolic::Expr q, v, a;
  };
  struct Rotation {
    std::array<symbolic::Expr, 4> p;
    symbolic::Vec3 w, alpha;
  };
  struct State {
    symbolic::Expr x, xd;
  };
  const Coordinate& coordinate(int k) const { return coordinates_[k]; }
  const Rotation& rotation(int k) const { return rotations_[k]; }
  const State& state(int k) const { return states_[k]; }
  symbolic::Expr multiplier(int k) const { return multipliers_[k]; }
  symbolic::Expr algebraic(int k) const { return algebraics_[k]; }
  symbolic::Expr discrete(int k) const { return discretes_[k]; }
  symbolic::Expr parameter(int k) const { return parameters_[k]; }
  int coordinates() const { return static_cast<int>(coordinates_.size()); }
  int rotations() const { return static_cast<int>(rotations_.size()); }
  int multipliers() const { return static_cast<int>(multipliers_.size()); }
  int states() const { return static_cast<int>(states_.size()); }
  int algebraics() const { return static_cast<int>(algebraics_.size()); }
  int discretes() const { return static_cast<int>(discretes_.size()); }
  int parameters() const { return static_cast<int>(parameters_.size()); }

  /// Address of a symbol; throws std::logic_error (our bug) for a symbol that is none of these variables.
  Address address(const symbolic::Expr& symbol) const;

  /// The rate of a symbol in time derivatives: of an algebraic variable that depends on states, or one that takes the
  /// place of the usual rate.
  void set_rate(const symbolic::Expr& symbol, const symbolic::Expr& rate) { rates_[symbol.id()] = rate; }
  bool has_rate(const symbolic::Expr& symbol) const { return rates_.count(symbol.id()) != 0; }

  /// Symbols with their rates, for total time derivatives: q→v→a, x→ẋ, t→1, quaternions → ½ p⊗ω.
  /// d and parameters have the rate 0; a, ẋ, λ and y without a set rate throw std::logic_error.
  symbolic::Expr time_derivative(const symbolic::Expr& e) const;

 private:
  symbolic::Expr add_symbol(const std::string& name, Address address);
  symbolic::Graph* graph_;
  bool has_time_ = false;
  symbolic::Expr time_;
  std::vector<Coordinate> coordinates_;
  std::vector<Rotation> rotations_;
  std::vector<State> states_;
  std::vector<symbolic::Expr> multipliers_, algebraics_, discretes_, parameters_;
  std::vector<Address> addresses_;  ///< by index of the symbol; those of no variable have a negative index
  std::unordered_map<std::uint32_t, symbolic::Expr> rates_;
};

}  // namespace coenergy::equations
