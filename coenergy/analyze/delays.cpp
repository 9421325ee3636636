#include "coenergy/analyze/delays.hpp"

#include "coenergy/base/error.hpp"
#include "coenergy/equations/data.hpp"

namespace coenergy::analyze {

void refuse_delays(const equations::System& system, const std::string& what) {
  if (system.delays() == 0) return;
  throw Error(system.data().delays[0].name + " reads the past of a signal, which no finite number of states tells: " +
              what + " cannot follow it; put a lag, a filter or a sampled delay in its place, or run the model");
}

}  // namespace coenergy::analyze
