#pragma once
#include <mutex>

#include "coenergy/equations/data.hpp"

namespace coenergy::equations {

/// The one door to the symbolic equations behind a System. A graph serves one derivation at a time, and a System may be
/// shared between threads: whoever reads, prints or makes expressions of it holds one of these meanwhile, and asks for
/// no function of the System while holding it. Functions that are made on first use take the same lock (Lazy).
class OpenEquations {
 public:
  explicit OpenEquations(const System& system) : OpenEquations(system.data()) {}
  explicit OpenEquations(const System::Data& data)
      : set_(*data.kernels.front()->set), lock_(data.kernels.front()->set->mutex) {}

  EquationSet& operator*() const { return set_; }
  EquationSet* operator->() const { return &set_; }

 private:
  EquationSet& set_;
  std::lock_guard<std::mutex> lock_;
};

}  // namespace coenergy::equations
