#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/model/model.hpp"
#include "coenergy/model/registry.hpp"
#include "coenergy/study/measured.hpp"

namespace coenergy::study {

/// Parameters of a mechanism from measured motions and forces, without runs:
/// the balances of its coordinates themselves,
///
///   R_q(q, v, a, u; p) = 0,
///
/// are residuals at every sample, in the forces of the coordinates. Columns of
/// the data are coordinates and rates of all joints (hip.q, hip.qd, hip.qdd, as
/// their signals are named) and entries that are inputs (T1.tau), all of them
/// measured. Of inertial parameters only some combinations move the residuals:
/// rank, and what is free, are told.
class BalanceFit {
 public:
  /// Compiles the model for inputs and for parameters that are items of lists.
  using Compile = std::function<equations::System(const model::Model&, const std::vector<std::string>& inputs)>;
  /// Throws Error with what is missing among the columns, and where the machine
  /// has constraints, states or free rotations.
  BalanceFit(const model::Model& model, const model::Registry& registry, const std::vector<Measured>& data,
             const std::vector<std::string>& parameters, const Compile& compile);
  ~BalanceFit();
  Identification identify(const IdentifyOptions& options);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coenergy::study
