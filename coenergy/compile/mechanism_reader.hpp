#pragma once
#include <array>
#include <string>
#include <vector>

#include "coenergy/compile/component_equations.hpp"
#include "coenergy/mechanics/scene.hpp"

namespace coenergy::compile {

/// Reads bodies, joints and gravity from the components of a compilation, and what is drawn of them.
class MechanismReader {
 public:
  MechanismReader(Compilation& compilation, ErrorList& errors, mechanics::Scene& scene)
      : m_(compilation), errors_(errors), scene_(scene) {}

  /// Throws what mistakes there are; notes are for the user.
  mechanics::MechanismDescription read(std::vector<std::string>& notes);
  /// Lines and springs that components draw between points of bodies.
  void add_drawings();

 private:
  double value_of(const symbolic::Expr& e);
  std::array<double, 3> value_of(const symbolic::Vec3& v);
  void add_body(int c, ComponentEquations& eq, mechanics::MechanismDescription& description);
  void add_joint(int c, ComponentEquations& eq, mechanics::MechanismDescription& description);
  std::array<double, 3> unit_axis(model::Motion& motion, ComponentEquations& eq);

  Compilation& m_;
  ErrorList& errors_;
  mechanics::Scene& scene_;
};

}  // namespace coenergy::compile
