#pragma once
#include <complex>
#include <string>
#include <vector>

#include "coenergy/analyze/state_space.hpp"
#include "coenergy/equations/data.hpp"
#include "coenergy/equations/system.hpp"

namespace coenergy::analyze {

/// Throws coenergy::Error where the system reads the past of a signal: no finite number of states tells what it does
/// next, which `what` (the analysis) would have to know.
void refuse_delays(const equations::System& system, const std::string& what);

/// Throws coenergy::Error where a delay depends on the variables.
void refuse_varying(const equations::System::Data::Delay& delay);

/// A linear model of a system with delays z_k = u_k(t − T_k). It is made with u_k itself in the place of z_k and with an
/// input p_k added to it, so that p_k = (e^{−jωT_k} − 1) u_k closes what was opened:
///
///   H = H_wr + H_wp Δ (1 − H_up Δ)⁻¹ H_ur,   Δ = diag(e^{−jωT_k} − 1)
///
/// of the open model with the inputs (r, p) and the outputs (w, u).
struct DelayedModel {
  StateSpace open;
  std::vector<double> delays;  ///< T_k, s
  int inputs() const { return open.b.columns - static_cast<int>(delays.size()); }
  int outputs() const { return open.c.rows - static_cast<int>(delays.size()); }
};

/// At a consistent point; `inputs` and `outputs` as those of linearize(), all signals where none is named. Throws
/// coenergy::Error where a delay varies with the variables.
DelayedModel linearize_delayed(equations::Evaluator& evaluator, const equations::Point& point,
                               const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);

/// H(jω) at an angular frequency (rad/s), exact: row-major, outputs × inputs.
std::vector<std::complex<double>> compute_delayed_response(const DelayedModel& model, double omega);

}  // namespace coenergy::analyze
