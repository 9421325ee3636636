#include "coenergy/system/signal_selection.hpp"

#include "coenergy/system/data.hpp"

namespace coenergy::system {

SignalSelection::SignalSelection(const System& system, std::vector<int> signals) {
  const System::Data& data = system.data();
  std::vector<symbolic::Expr> chosen;
  for (int k : signals) {
    if (k == data.energy_signal) energies_.push_back(chosen.size());
    chosen.push_back(data.signal_values[k]);
  }
  const std::lock_guard lock(data.kernels.front()->set->mutex);  // programs are made from the system's graph
  function_ = data.kernels.front()->make_function(chosen);
  work_.resize(function_.work_size() + 1);
}

void SignalSelection::compute(Evaluator& evaluator, const Point& p, std::span<double> values) {
  function_(evaluator.values(p).data(), values.data(), work_.data());
  for (std::size_t k : energies_) values[k] = evaluator.energy(p).stored;
}

}  // namespace coenergy::system
