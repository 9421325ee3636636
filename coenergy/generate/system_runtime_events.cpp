#include "coenergy/generate/system_runtime.hpp"

namespace coenergy::generate {

const std::string_view runtime_events = R"c(
/* ---- what switches */

static double @_same_instant(double period, double t) {
  const double size = fabs(t);
  return 1e-12*(period > size ? period : size);
}

static double @_next_clock(const @_model* m, double t) {
  double next = HUGE_VAL;
  int k;
  for (k = 0; k < @_CLOCKS; ++k) {
    const double period = m->clock[2 * k], offset = m->clock[2 * k + 1], same = @_same_instant(period, t);
    double at = offset;
    if (period > 0 && at <= t) {
      const double ticks = floor((t + same - offset)/period);
      at = offset + period*(ticks + 1);
      if (at <= t + same) at = offset + period*(ticks + 2);
      if (at <= t + same) at = t + 2*same;
    }
    if (at > t + same && at < next) next = at;
  }
  return next;
}

static int @_is_due(const @_model* m, int clock, double t) {
  const double period = m->clock[2 * clock], offset = m->clock[2 * clock + 1], same = @_same_instant(period, t);
  double phase;
  if (period == 0) return fabs(t - offset) <= same;
  if (t < offset - same) return 0;
  phase = (t - offset)/period;
  return fabs(phase - floor(phase + 0.5))*period <= same;
}

static int @_is_any_due(const @_model* m, double t) {
  int k;
  for (k = 0; k < @_CLOCKS; ++k)
    if (@_is_due(m, k, t)) return 1;
  return 0;
}

/* sides of indicators, of comparisons as their modes are */
static void @_find_sides(const double* value, int* side) {
  double g[@_INDICATORS + 1];
  int k;
  @_indicator_values(value, g);
  for (k = 0; k < @_INDICATORS; ++k)
    side[k] = @_indicator_mode[k] >= 0 ? value[@_D + @_indicator_mode[k]] != 0 : g[k] > 0;
}

static int @_update_modes(double* value, int comparisons_only, const int* held) {
  double out[@_UPDATES + 1];
  int i, changed = 0;
  @_update_values(value, out);
  for (i = 0; i < @_UPDATES; ++i) {
    const int comparison = @_update_comparison[i];
    double* const d = value + @_D + @_update_discrete[i];
    if (@_update_clock[i] >= 0 || (comparisons_only && comparison < 0)) continue;
    if (held && comparison >= 0 && held[comparison]) continue;
    if (*d != out[i]) changed = 1;
    *d = out[i];
  }
  return changed;
}

/* samples that are due, in the order of the signal flow */
static int @_update_clocks(const @_model* m, double* value) {
  double out[@_UPDATES + 1];
  int any = 0, done = -1;
  for (;;) {
    int turn = -1, i;
    for (i = 0; i < @_UPDATES; ++i)
      if (@_update_clock[i] >= 0 && @_update_turn[i] > done && (turn < 0 || @_update_turn[i] < turn) &&
          @_is_due(m, @_update_clock[i], value[0]))
        turn = @_update_turn[i];
    if (turn < 0) return any;
    if (any) @_update_modes(value, 1, 0);
    @_update_values(value, out);
    for (i = 0; i < @_UPDATES; ++i)
      if (@_update_clock[i] >= 0 && @_update_turn[i] == turn && @_is_due(m, @_update_clock[i], value[0]))
        value[@_D + @_update_discrete[i]] = out[i];
    any = 1, done = turn;
  }
}

/* the matrix by which velocities and states jump by impulses */
static int @_factor_impulses(@_model* m, const double* value) {
  @_matrices(value, m->lu, 0, 0);
  return @_factor(@_N, m->lu, m->scale, m->pivot);
}

static void @_add_jumps(double* value, const double* jump, double factor) {
  int i;
  for (i = 0; i < @_NV; ++i) value[@_V + i] += factor*jump[i];
  for (i = 0; i < @_NX; ++i) value[@_X + i] += factor*jump[@_NV + @_NL + i];
}

/* drives whose rates jump with discrete variables: their impulse makes velocities fit again */
static int @_pass_jumps(@_model* m, double* value, double* fitting, int* any) {
  double now[2 * @_NL + 1], then[2 * @_NL + 1], d[@_ND1], jump[@_N1];
  double stored;
  int i, k, pass, differs = 0, moves = 0;
  *any = 0;
  for (i = 0; i < @_ND; ++i) differs = differs || value[@_D + i] != fitting[i];
  if (@_NL == 0 || !differs) return @_GOOD;
  @_constraint_rows(value, now);
  for (i = 0; i < @_ND; ++i) d[i] = value[@_D + i], value[@_D + i] = fitting[i];
  @_constraint_rows(value, then);
  for (i = 0; i < @_ND; ++i) value[@_D + i] = d[i];
  for (i = 0; i < @_ND; ++i) fitting[i] = d[i];
  for (k = 0; k < @_NL; ++k) {
    const double rate = fabs(now[@_NL + k] - then[@_NL + k]);
    if (rate > 1e-13) moves = 1;
    if (fabs(now[k] - then[k]) > 1e-13 + 10*@_same_instant(0, value[0])*rate) return @_DRIVE_JUMPS;
  }
  if (!moves) return @_GOOD;
  stored = @_DISSIPATED >= 0 ? @_stored_energy(value) : 0;
  k = @_project(m, value, 1);
  if (k != @_GOOD) return k;
  for (i = 0; i < @_IMPACT_MODES; ++i) value[@_D + @_impact_mode[i]] = @_impact_value[i];
  for (pass = 0; pass < 2; ++pass) {
    if (!@_factor_impulses(m, value)) return @_SINGULAR;
    @_constraint_rows(value, now);
    for (i = 0; i < @_N; ++i) jump[i] = 0;
    for (k = 0; k < @_NL; ++k) jump[@_NV + k] = -now[@_NL + k];
    @_solve(@_N, m->lu, m->scale, m->pivot, jump);
    @_add_jumps(value, jump, 1);
  }
  if (@_DISSIPATED > 0) value[@_X + @_DISSIPATED - 1] += @_stored_energy(value) - stored;
  *any = 1;
  return @_GOOD;
}

/* modes and rates until neither changes */
static int @_settle(@_model* m, double* value, const double* before, double* fitting) {
  double g[@_INDICATORS + 1];
  int held[@_INDICATORS + 1], switched[@_INDICATORS + 1];
  int pass, k, any, status;
  for (k = 0; k < @_INDICATORS; ++k)
    switched[k] = @_indicator_mode[k] >= 0 && value[@_D + @_indicator_mode[k]] != before[@_indicator_mode[k]];
  for (pass = 0; pass < 50; ++pass) {
    double largest = 1;
    status = @_pass_jumps(m, value, fitting, &any);
    if (status == @_GOOD) status = @_solve_rates(m, value);
    if (status != @_GOOD) return status;
    for (k = 0; k < @_NV; ++k)
      if (fabs(value[@_V + k]) > largest) largest = fabs(value[@_V + k]);
    for (k = 0; k < @_NX; ++k)
      if (fabs(value[@_X + k]) > largest) largest = fabs(value[@_X + k]);
    for (k = 0; k < @_NY; ++k)
      if (fabs(value[@_Y + k]) > largest) largest = fabs(value[@_Y + k]);
    @_indicator_values(value, g);
    for (k = 0; k < @_INDICATORS; ++k) held[k] = switched[k] && fabs(g[k]) <= 1e-11*largest;
    if (@_update_modes(value, 0, held)) continue;
    for (k = 0; k < @_REQUIREMENTS; ++k)
      if (g[@_requirement[k]] > 0 || (@_excludes_zero[k] && g[@_requirement[k]] == 0)) {
        m->broken = k;
        return @_BOUND;
      }
    @_find_sides(value, m->side);
    m->has_factors = 0;
    return @_GOOD;
  }
  return @_UNSETTLED;
}

/* all that happens at one instant */
static int @_pass_event(@_model* m, int samples) {
  double before[@_ND1], fitting[@_ND1];
  double* const value = m->value;
  int k, pass, any, status;
  for (k = 0; k < @_ND; ++k) before[k] = fitting[k] = value[@_D + k];
  if (samples && @_is_any_due(m, value[0])) {
    for (pass = 0; pass < 50 && @_update_modes(value, 1, 0); ++pass)
      if (@_pass_jumps(m, value, fitting, &any) != @_GOOD || @_solve_rates(m, value) != @_GOOD) break;
    @_update_clocks(m, value);
  }
  @_update_modes(value, 1, 0);
  status = @_pass_jumps(m, value, fitting, &any);
  if (status != @_GOOD) return status;
  @_update_modes(value, 0, 0);
  return @_settle(m, value, before, fitting);
}

int @_restart(@_model* m) {
  double before[@_ND1], fitting[@_ND1];
  int k;
  for (k = 0; k < @_ND; ++k) before[k] = fitting[k] = m->value[@_D + k];
  @_update_modes(m->value, 0, 0);
  return m->status = @_settle(m, m->value, before, fitting);
}
)c";

}  // namespace coenergy::generate
