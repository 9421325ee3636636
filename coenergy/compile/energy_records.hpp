#pragma once
#include <cstddef>
#include <vector>

#include "coenergy/symbolic/expr.hpp"

namespace coenergy::compile {

/// What components say of their energies and ports while they write their equations.
struct EnergyRecords {
  struct Component {
    symbolic::Expr coenergy = 0, stored = 0, dissipated = 0, supplied = 0;
    symbolic::Expr delivered = 0;         ///< power to coordinates and bodies, beside the ports
    std::vector<symbolic::Expr> through;  ///< by port, into the component
    int group = 0;  ///< components that add to each other's rows have one: the least of their numbers
  };
  std::vector<Component> components;

  explicit EnergyRecords(std::size_t n);
  void join(int a, int b);
};

}  // namespace coenergy::compile
