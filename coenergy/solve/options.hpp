#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coenergy::solve {

struct SavedState;

/// How a simulation is to be carried out. Times in s.
///
/// Methods with error control; `step` is their first step, unless `adaptive` is false:
///   radau               Radau IIA of order 5; stiff systems and high accuracy
///   esdirk              diagonally implicit Runge–Kutta method of order 3; stiff systems at moderate accuracy,
///                       frequent events
///   dopri               Dormand–Prince 5(4)
///   dop853              Dormand–Prince 8(5,3); high accuracy of what is not stiff, such as bodies over long times
///   ida, cvode          SUNDIALS, where it was found when the program was built
/// Methods with error control where no `step` is given, and fixed steps where it is, unless `adaptive` is true:
///   generalized-alpha   Chung–Hulbert by rho_inf, or any pair alpha_m, alpha_f; order 2
///   hht                 alpha_m = 0, damping by alpha_f (0.05 unless given)
///   newmark             alpha_m = alpha_f = 0: no numerical damping, or by gamma > 1/2 at order 1
///   jansen              the parameters that are best for first-order states, by rho_inf
/// Methods without an error estimate, which need a `step`:
///   backward-euler      order 1
///   rk4, trapez, euler  Runge–Kutta of order 4, two-step Adams–Bashforth of order 2, forward Euler
///
/// Fixed steps keep to no tolerance: rtol and atol beside them are refused. Where the error is controlled, all other
/// tolerances (of Newton's iteration, of constraints, of restarts and events) follow from rtol and atol.
struct Options {
  double t_start = 0;
  double t_end = 1;
  std::string method = "radau";
  double step = 0;         ///< fixed step, or first step of an adaptive method; 0: chosen
  double max_step = 0;     ///< upper limit of adaptive steps; 0: a fiftieth of the run, see Simulation::longest_step()
  double min_step = 0;     ///< a run that needs smaller steps is given up; 0: 1e-14 of the larger of |t_start|, |t_end|
  double output_step = 0;  ///< rows at t_start + k·output_step and at t_end; 0: a row after every step
  bool record_events = true;  ///< rows also just before and just after every event

  std::optional<bool> adaptive;  ///< error control; unset: as the method is listed above
  double rtol = 1e-6;            ///< relative error allowed in a step
  double atol = 1e-8;            ///< absolute error allowed in a step, times the nominal value of each variable

  std::optional<double> rho_inf;  ///< spectral radius at infinite frequency, 0…1 (generalized-alpha, jansen); 0.8
  std::optional<double> alpha_m, alpha_f;  ///< instead of rho_inf (generalized-alpha; hht: alpha_f)
  /// Of the generalised-α family, fixed steps: otherwise γ = ½ + α_f − α_m, which alone is of order 2, β = ¼(γ + ½)².
  std::optional<double> gamma, beta;
  /// Relative size of the last correction of accelerations, rates and algebraic variables; 0: see newton_tolerance().
  double newton_tolerance = 0;
  int max_newton = 20;  ///< iterations in a solve

  bool restart = true;  ///< re-solve for accelerations, multipliers, rates and outputs after an event
  bool project = true;  ///< put q and v back on the constraints: explicit methods and radau after each step, all in
                        ///< rows between steps
  int max_event_passes = 50;
  std::string coordinates = "all";  ///< of explicit methods: all, or minimal (see ExplicitForm)

  /// How the run starts: given; steady, everything at rest with all inputs held, or the states alone with a note where
  /// no position of rest is found; static, everything at rest or not at all.
  std::string start = "given";
  /// Voltages of nodes ("a") for a steady start: held while it settles, or only a guess to settle from.
  std::vector<std::pair<std::string, double>> hold, guess;

  /// The saved state of another run of such a model: its variables are the start values, instead of the model's own.
  std::shared_ptr<const SavedState> from;
  std::vector<double> states;  ///< start values of the states, instead of the model's own; empty: those

  std::vector<std::string> signals;  ///< names to record; empty: all

  /// Throws coenergy::Error naming every value that is out of range.
  void check() const;
};

/// The names of all methods, in the order of the comment above (ida and cvode only where they are available).
const std::vector<std::string>& method_names();
/// The name used here of a method with several names ("dormand-prince" is dopri); an unknown one as it is.
std::string canonical_method(const std::string& name);
/// Whether steps are controlled by an error estimate.
bool is_adaptive(const Options& options);
/// Whether the method is an explicit one of ours, which can integrate minimal coordinates.
bool is_explicit(const std::string& method);
/// Whether the method is one of the generalised-α family.
bool is_alpha_method(const std::string& method);
/// Whether the step of the method can be controlled by an error estimate at all.
bool has_error_estimate(const std::string& method);
/// What Newton's iteration is to leave of accelerations, rates and algebraic variables, relative to their sizes or
/// nominal values: as given, or with error control a tenth of the smaller tolerance, from 1e-8 down to 1e-12 (below,
/// round-off would cost iterations and gain nothing), or 1e-8.
double newton_tolerance(const Options& options);
/// Why a tolerance that was given is refused where steps are fixed.
std::string refuse_tolerance(const Options& options, const char* name, double value);
/// "radau, rtol 1e-06, atol 1e-08", or "rk4, fixed step 0.001 s".
std::string describe_method(const Options& options);

}  // namespace coenergy::solve
