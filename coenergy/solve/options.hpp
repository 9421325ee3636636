#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coenergy::solve {

/// How a simulation is to be carried out. Times in s.
///
/// Methods:
///   generalized-alpha   Chung–Hulbert by rho_inf, or any pair alpha_m, alpha_f; order 2, fixed step or adaptive
///   hht                 alpha_m = 0, damping by alpha_f (0.05 unless given)
///   newmark             alpha_m = alpha_f = 0: no numerical damping
///   jansen              the parameters that are best for first-order states, by rho_inf
///   radau               Radau IIA of order 5, adaptive; stiff systems and high accuracy
///   esdirk              diagonally implicit Runge–Kutta method of order 3, adaptive; stiff systems at moderate
///                       accuracy, frequent events
///   backward-euler      order 1, fixed step
///   dopri               Dormand–Prince 5(4), adaptive
///   dop853              Dormand–Prince 8(5,3), adaptive; high accuracy of what is not stiff, such as bodies over long
///                       times
///   rk4, trapez, euler  fixed step: Runge–Kutta of order 4, two-step Adams–Bashforth of order 2, forward Euler
///   ida, cvode          SUNDIALS, where it was found when the program was built
struct Options {
  double t_start = 0;
  double t_end = 1;
  std::string method = "generalized-alpha";
  double step = 0;         ///< fixed step, or first step of an adaptive method; 0: chosen (t_end/1000 where fixed)
  double max_step = 0;     ///< upper limit of adaptive steps; 0: none
  double min_step = 0;     ///< a run that needs smaller steps is given up; 0: 1e-14 of the larger of |t_start|, |t_end|
  double output_step = 0;  ///< rows at t_start + k·output_step; 0: a row after every step
  bool record_events = true;  ///< rows also just before and just after every event

  std::optional<bool> adaptive;  ///< error control; unset: as the method is listed above
  double rtol = 1e-6;            ///< relative error allowed in a step
  double atol = 1e-8;            ///< absolute error allowed in a step, times the nominal value of each variable

  double rho_inf = 0.8;                    ///< spectral radius at infinite frequency, 0…1 (generalized-alpha, jansen)
  std::optional<double> alpha_m, alpha_f;  ///< instead of rho_inf
  double newton_tolerance =
      1e-8;             ///< relative size of the last correction of accelerations, rates and algebraic variables
  int max_newton = 20;  ///< iterations in a solve

  bool restart = true;  ///< re-solve for accelerations, multipliers, rates and outputs after an event
  bool project = true;  ///< put q and v back on the constraints: explicit methods and radau after each step, all in
                        ///< rows between steps
  int max_event_passes = 50;
  std::string coordinates = "all";  ///< of explicit methods: all, or minimal (see ExplicitForm)

  std::string start = "given";  ///< states at the start: given, or steady, settled from there with all inputs held
  /// Voltages of nodes ("a") for a steady start: held while it settles, or only a guess to settle from.
  std::vector<std::pair<std::string, double>> hold, guess;

  std::vector<double> states;  ///< start values of the states, instead of the model's own; empty: those

  std::vector<std::string> signals;  ///< names to record; empty: all

  /// Throws coenergy::Error naming every value that is out of range.
  void check() const;
};

/// The names of all methods, in the order of the comment above (ida and cvode only where they are available).
const std::vector<std::string>& method_names();
/// The name used here of a method with several names ("dormand-prince" is dopri); an unknown one as it is.
std::string canonical_method(const std::string& name);
/// Whether the method controls its step by an error estimate unless told otherwise.
bool is_adaptive(const Options& options);
/// Whether the method is an explicit one of ours, which can integrate minimal coordinates.
bool is_explicit(const std::string& method);
/// Whether the step of the method can be controlled by an error estimate at all.
bool has_error_estimate(const std::string& method);

}  // namespace coenergy::solve
