#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "coenergy/equations/builder.hpp"

namespace coenergy::mechanics {

/// What an element states: its variables, and the rows it adds.
struct ElementEquations {
  symbolic::Graph* graph = nullptr;
  std::vector<equations::Variables::Coordinate> coordinates;
  std::vector<equations::Variables::Rotation> rotations;
  std::vector<symbolic::Expr> multipliers, parameters;

  // filled by the element
  std::vector<symbolic::Expr> balance;     ///< of each coordinate
  std::vector<symbolic::Vec3> torque;      ///< of each rotation, body axes
  std::vector<symbolic::Expr> constraint;  ///< Φ of each multiplier; Φ_qᵀλ is added for it
  symbolic::Expr stored, dissipated;
};

/// Elements that occur many times. Elements of the same key and with the same pattern of parameters (which of them are
/// numbers, and equal symbols) share one kernel; one whose parameters are expressions is written out by itself.
class ElementCatalog {
 public:
  explicit ElementCatalog(equations::Builder& builder) : builder_(builder) {}
  ElementCatalog(const ElementCatalog&) = delete;

  /// `at` names the builder's coordinates, rotations and multipliers; its parameters are found here.
  void add(const std::string& key, equations::Binding at, const std::vector<symbolic::Expr>& parameters,
           const std::function<void(ElementEquations&)>& make);
  int kernels() const { return static_cast<int>(shared_.size()); }

 private:
  void write_out(const equations::Binding& at, const std::vector<symbolic::Expr>& parameters,
                 const std::function<void(ElementEquations&)>& make);
  equations::Builder& builder_;
  std::map<std::string, std::shared_ptr<equations::EquationSet>> shared_;
};

}  // namespace coenergy::mechanics
