#include "coenergy/equations/system.hpp"

#include <algorithm>

#include "coenergy/base/error.hpp"
#include "coenergy/equations/data.hpp"
#include "coenergy/equations/parameter_laws.hpp"
#include "coenergy/equations/solver_form.hpp"

namespace coenergy::equations {

int System::nq() const { return data_->layout.nq(); }
int System::nv() const { return data_->layout.nv(); }
int System::nl() const { return data_->layout.multipliers; }
int System::nx() const { return data_->layout.states; }
int System::ny() const { return data_->layout.algebraics; }
int System::nd() const { return data_->layout.discretes; }
const UnknownInfo& System::unknown(int i) const { return data_->unknowns[i]; }
bool System::is_velocity_constraint(int k) const { return data_->is_velocity_constraint[k] != 0; }
const std::string& System::row_name(int i) const { return data_->rows[i].name; }
const RowInfo& System::row(int i) const { return data_->rows[i]; }
const SparsePattern& System::pattern() const { return data_->pattern; }
const SparsePattern& System::solver_pattern() const {
  const SolverForm* form = solver_form(*data_);
  return form != nullptr ? form->pattern : data_->pattern;
}
const std::vector<SignalInfo>& System::signals() const { return data_->signals; }
const std::vector<FrameSignals>& System::frames() const { return data_->frames; }
const std::vector<OpenedInput>& System::opened() const { return data_->opened; }
const Point& System::start() const { return data_->start; }
const std::vector<DependentStart>& System::dependent_starts() const { return data_->dependent_starts; }
const std::vector<std::vector<FlexibleNode>>& System::flexible_bodies() const { return data_->flexible_bodies; }
bool System::is_linear(bool in_all_modes) const {
  using Dependence = PartialDerivatives::Dependence;
  const Dependence most = in_all_modes ? Dependence::none : Dependence::discrete;
  return data_->layout.multipliers == 0 && data_->layout.rotations == 0 &&
         std::all_of(data_->kernels.begin(), data_->kernels.end(),
                     [&](const auto& kernel) { return kernel->balances.dependence() <= most; });
}
bool System::is_linear_in_rates() const {
  return std::all_of(data_->kernels.begin(), data_->kernels.end(), [](const auto& kernel) {
    return kernel->balances.is_linear_in_rates() && kernel->acceleration.derivatives.is_linear_in_rates();
  });
}
const std::vector<int>& System::matrix_modes() const { return data_->matrix_modes; }
bool System::has_mass_solver() const { return static_cast<bool>(data_->mass_solver); }
int System::indicators() const { return static_cast<int>(data_->indicator_names.size()); }
int System::delays() const { return static_cast<int>(data_->delays.size()); }
const std::string& System::indicator_name(int k) const { return data_->indicator_names[k]; }
int System::parameters() const { return static_cast<int>(data_->parameters.size()); }
const ParameterInfo& System::parameter_info(int k) const { return data_->parameters[k]; }
const std::string& System::parameter_name(int k) const { return data_->parameters[k].name; }
const std::string& System::parameter_unit(int k) const { return data_->parameters[k].unit; }
double System::parameter(int k) const { return data_->parameter_values[k]; }

int System::find_signal(const std::string& name) const { return data_->signal_index.find(data_->signals, name); }

int System::find_parameter(const std::string& name) const {
  return data_->parameter_index.find(data_->parameters, name);
}

int System::get_signal(const std::string& name, const std::string& what) const {
  const int k = find_signal(name);
  if (k >= 0) return k;
  std::vector<std::string> known;
  for (const SignalInfo& s : signals()) known.push_back(s.name);
  throw Error(what + ": there is no signal \"" + name + "\"" + did_you_mean(name, known));
}

std::string System::find_built_in(int k) const { return equations::find_built_in(*data_, k); }
std::string System::find_clocked(int k) const { return equations::find_clocked(*data_, k); }

int System::find_rate(const std::string& name) const {
  const int k = find_parameter(rate_name(name));
  return k >= 0 && data_->parameters[k].kind == ParameterInfo::Kind::rate ? k : -1;
}

}  // namespace coenergy::equations
