#pragma once
#include <string>
#include <vector>

#include "coenergy/mechanics/body_point.hpp"
#include "coenergy/model/model.hpp"
#include "coenergy/model/registry.hpp"
#include "coenergy/symbolic/program.hpp"

namespace coenergy::generate {

/// What a generated function computes of a mechanism.
enum class Task {
  inverse_dynamics,              ///< Q(q, q̇, q̈); of closed loops the forces of the actuated joints
  forward_dynamics,              ///< q̈(q, q̇, Q); of closed loops from the independent coordinates
  mass_matrix,                   ///< M(q), c(q, q̇)
  kinematics,                    ///< pose, velocity, Jacobian and bias acceleration of points
  constraints,                   ///< h, its Jacobian and J̇q̇ of loops and couplings
  inverse_dynamics_derivatives,  ///< ∂Q/∂q, ∂Q/∂q̇, ∂Q/∂q̈
  forward_dynamics_derivatives,  ///< ∂q̈/∂q, ∂q̈/∂q̇, ∂q̈/∂Q
  regressor,  ///< Y(q, q̇, q̈) with Q = Y φ of the bodies' inertial parameters φ, and which columns are independent
};
constexpr int tasks = static_cast<int>(Task::regressor) + 1;

/// How the numbers of the model enter a generated function.
enum class Parameters {
  symbolic,   ///< as an argument: every number that is not zero can be changed
  constants,  ///< likewise; what depends on parameters alone is computed once, by a function of its own
  numeric,    ///< as numbers in the code
};

struct Request {
  Task task = Task::inverse_dynamics;
  Parameters parameters = Parameters::symbolic;
  std::vector<mechanics::BodyPoint> points;  ///< of kinematics; none: the origins of all bodies
  std::vector<std::string> joints;           ///< coordinates whose forces or accelerations are wanted; none: all
  std::vector<std::string> inputs;  ///< entries that are arguments of the function, whatever they are in the model
  // of closed loops
  std::vector<std::string> independent;  ///< coordinates to stay independent; none: chosen by pivoting
  std::vector<std::string> actuated;     ///< joints with actuators, of inverse dynamics; none: the independent ones
};

/// An array argument of a generated function, with its meaning.
struct Array {
  std::string name, meaning;
  struct Entry {
    std::string name, unit;
    double start = 0;  ///< value in the model
  };
  std::vector<Entry> entries;
};

/// A function ready to be written: a program with names.
struct Routine {
  std::string name;   ///< "inverse_dynamics"
  std::string title;  ///< what it computes
  std::vector<Array> inputs, outputs;
  symbolic::Program program;
};

/// How the parts of a function of a mechanism with constraints are put together (see loop_program.hpp).
struct LoopPlan {
  int coordinates = 0, constraints = 0;
  std::vector<int> independent, dependent;
  std::vector<int> rows;  ///< constraints that determine the dependent coordinates
  std::vector<int> actuated;
  bool has_others = false;  ///< an input x
  bool has_parameters = false;
};

/// What was made for a request.
struct Generated {
  std::string model;  ///< title of the model
  Routine main;
  std::vector<Routine> once;       ///< constants of the parameters: run before main, where asked for
  std::vector<Routine> parts;      ///< of a mechanism with constraints: closure and terms, which main puts together
  LoopPlan loops;                  ///< how; where there are parts
  int operations = 0;              ///< of main
  int once_operations = 0;         ///< of the constants
  std::vector<std::string> notes;  ///< what the function leaves out
  bool has_quaternions = false;
};

/// Makes a function of the model's rigid mechanism. Of the ways to compute it, the one with the fewest operations is
/// taken (inertias lumped or not, articulated bodies or mass matrix). Throws Error for a model without rigid bodies,
/// and for points and joints that are not there.
Generated generate(const model::Model& model, const model::Registry& registry, const Request& request);

std::string_view name(Task task);  ///< "inverse-dynamics"
std::string identifier(Task task);

}  // namespace coenergy::generate
