#include "coenergy/generate/system_runtime.hpp"

namespace coenergy::generate {

const std::string_view runtime_interface = R"c(
enum { @_GOOD, @_SINGULAR, @_NOT_FINITE, @_NO_CONVERGENCE, @_OFF_CONSTRAINTS, @_UNSETTLED, @_BOUND, @_DRIVE_JUMPS };
enum { @_RADAU, @_RK4 };

/* All that the code works with: nothing is kept elsewhere, nothing is allocated. A copy of it is a saved state. */
typedef struct {
  double value[@_VALUES]; /* t | q | v | a | lambda | x | x' | y | d | parameters */
  int status;             /* how it went: 0 good */
  int broken;             /* the bound that ended it, where status is @_BOUND */
  int method;             /* @_RADAU or @_RK4 */
  double rtol, atol;      /* of Radau: steps are divided to keep the error below; 0: one step each */
  double max_step;        /* steps are divided by this; 0: not */
  long steps, events;     /* counts */
  /* memory */
  int side[@_INDICATORS + 1], has_matrices, has_factors, passes;
  double start, sampled, suggested, factor_step, clock[2 * @_CLOCKS + 1];
  double next[@_VALUES], stage[@_VALUES];
  double u[5][@_N1], du[5][@_N1], r[5][@_N1], v[5][@_NV1], theta[5][@_NV1], chart[5][@_NV1];
  double m0[@_N1 * @_N1], m1[@_N1 * @_N1], m2[@_N1 * @_N1], real[@_N1 * @_N1], lu[@_N1 * @_N1];
  double re[2][@_N1 * @_N1], im[2][@_N1 * @_N1];
  double jacobian[@_NL * @_NV + 1], scale[@_N1], scales[3][@_N1];
  int pivot[@_N1], pivots[3][@_N1];
} @_model;

/* the consistent start of the model, with its parameters */
int @_start(@_model* m);
/* a parameter, with those that follow it; @_restart() afterwards makes everything fit */
void @_set_parameter(@_model* m, int parameter, double value);
int @_restart(@_model* m);
/* q', v', x' (NQ + NV + NX numbers) at the present t, q, v, x, d; unknowns follow by Newton's method */
int @_derivatives(@_model* m, double* rate);
/* outputs as they are now */
void @_outputs(const @_model* m, double* output);
/* all N rows of the equations, constraints at acceleration level, and their derivatives, N x N by rows each: by
   (a, lambda, x', y), by (v, x), by q along body axes; a matrix that is 0 is left out */
void @_residual(const @_model* m, double* row);
void @_jacobian(const @_model* m, double* by_rates, double* by_states, double* by_places);
/* indicators of events; what switches does so where one changes its sign */
void @_events(const @_model* m, double* indicator);
/* the next sampling instant; infinite without any */
double @_next_time(const @_model* m);
/* what happens at an instant where an indicator has changed its sign, or samples are due */
int @_event(@_model* m);
/* a step in time, cut at events, with all that happens there */
int @_step(@_model* m, double h);
/* z' = A z + B u, y = C z + D u of small deviations z = (q along body axes, v, x): NZ x NZ, NZ x INPUTS, OUTPUTS x NZ,
   OUTPUTS x INPUTS by rows */
int @_linearize(@_model* m, double* A, double* B, double* C, double* D);
/* how output and rates change along a direction of t, q, v, x and parameters in the value array, which is completed by
   the change of a, lambda, x', y */
int @_direction(@_model* m, double* along, double* output, double* rate);
/* the same rates as of @_derivatives, where they are known */
void @_rates_of(const @_model* m, double* rate);
/* after parameters or the time of the start have changed: a consistent start with its samples */
int @_initialize(@_model* m);
/* whether positions have left the constraints, as by integration of rates alone; and puts them back */
int @_has_drifted(const @_model* m);
int @_keep_constraints(@_model* m);
/* typical size of an unknown: q and v, multipliers, x, y */
double @_size_of_unknown(int unknown);
const char* @_message(const @_model* m);
)c";

const std::string_view runtime_types = R"c(
typedef struct {
  int place, axis, column, kind;
} @_seed;
typedef struct {
  int values, rows, constraints, seeds;
  const @_seed* seed;
  void (*value)(const double* in, double* out);
  void (*direction)(const double* in, const double* seed, double* out);
  void (*constraint_value)(const double* in, double* out);
  void (*constraint_direction)(const double* in, const double* seed, double* out);
  void (*energy)(const double* in, double* out);
} @_kernel;
typedef struct {
  const @_kernel* kernel;
  const int *gather, *row, *unknown;
} @_instance;
)c";

const std::string_view runtime_functions = R"c(
/* ---- what can be called */

static void @_follow_clocks(@_model* m) {
  double out[2 * @_CLOCKS + 1] = {0};
  int k;
  @_clock_values(m->value, out);
  for (k = 0; k < 2 * @_CLOCKS; ++k) m->clock[k] = out[k];
}

int @_start(@_model* m) {
  int k;
  memset(m, 0, sizeof *m);
  for (k = 0; k < @_VALUES; ++k) m->value[k] = @_start_values[k];
  m->start = m->sampled = m->value[0];
  @_follow_clocks(m);
  @_find_sides(m->value, m->side);
  return m->status;
}

void @_set_parameter(@_model* m, int parameter, double value) {
  double out[@_LAWS + 1] = {0};
  int i;
  m->value[@_P + parameter] = value;
  for (i = @_follow_first[parameter]; i < @_follow_first[parameter + 1]; ++i) {
    @_law_values(m->value, out);
    m->value[@_P + @_law_parameter[@_follow[i]]] = out[@_follow[i]];
  }
  @_follow_clocks(m);
  m->has_factors = m->has_matrices = 0;
}

void @_rates_of(const @_model* m, double* rate) {
  int k;
  for (k = 0; k < @_COORDINATES; ++k) rate[k] = m->value[@_V + k];
  for (k = 0; k < @_ROTATIONS; ++k) {
    const double* const p = m->value + @_Q + @_COORDINATES + 4 * k;
    const double* const w = m->value + @_V + @_COORDINATES + 3 * k;
    double* const to = rate + @_COORDINATES + 4 * k;
    to[0] = 0.5*(-p[1]*w[0] - p[2]*w[1] - p[3]*w[2]);
    to[1] = 0.5*(p[0]*w[0] + p[2]*w[2] - p[3]*w[1]);
    to[2] = 0.5*(p[0]*w[1] - p[1]*w[2] + p[3]*w[0]);
    to[3] = 0.5*(p[0]*w[2] + p[1]*w[1] - p[2]*w[0]);
  }
  for (k = 0; k < @_NV; ++k) rate[@_NQ + k] = m->value[@_A + k];
  for (k = 0; k < @_NX; ++k) rate[@_NQ + @_NV + k] = m->value[@_XD + k];
}

int @_derivatives(@_model* m, double* rate) {
  @_normalize(m->value);
  m->has_factors = m->has_matrices = 0;
  m->status = @_solve_rates(m, m->value);
  @_rates_of(m, rate);
  return m->status;
}

void @_outputs(const @_model* m, double* output) {
  @_signal_values(m->value, output);
  if (@_ENERGY >= 0) output[@_ENERGY >= 0 ? @_ENERGY : 0] = @_stored_energy(m->value);
}

void @_residual(const @_model* m, double* row) { @_rows(m->value, row); }
void @_jacobian(const @_model* m, double* by_rates, double* by_states, double* by_places) {
  @_matrices(m->value, by_rates, by_states, by_places);
}
void @_events(const @_model* m, double* indicator) { @_indicator_values(m->value, indicator); }
double @_next_time(const @_model* m) { return @_next_clock(m, m->value[0]); }
int @_event(@_model* m) { return m->status = @_take_event(m); }

/* along a direction of t, q, v, x, parameters: completes it by that of a, lambda, x', y, which m->lu gives */
static void @_complete(@_model* m, double* seed) {
  double in[@_MOST_VALUES], along[@_MOST_VALUES], out[@_MOST_ROWS], r[@_N1], law[@_LAWS + 1] = {0};
  int i, k, follows = 0;
  for (i = 0; i < @_NP; ++i) follows = follows || seed[@_P + i] != 0;
  /* parameters that follow others, one behind the other */
  for (k = 0; k < @_LAWS && follows; ++k) {
    follows = 0;
    @_law_direction(m->value, seed, law);
    for (i = 0; i < @_LAWS; ++i) {
      if (law[i] != 0 && seed[@_P + @_law_parameter[i]] != law[i]) seed[@_P + @_law_parameter[i]] = law[i], follows = 1;
    }
  }
  for (i = 0; i < @_N; ++i) r[i] = 0;
  for (k = 0; k < @_INSTANCES; ++k) {
    const @_instance* part = &@_instances[k];
    @_gather(part, m->value, in);
    @_gather(part, seed, along);
    part->kernel->direction(in, along, out);
    for (i = 0; i < part->kernel->rows; ++i) r[part->row[i]] -= out[i];
  }
  for (k = 0; k < @_NL; ++k)
    if (@_spare[k]) r[@_NV + k] = 0;
  @_solve(@_N, m->lu, m->scale, m->pivot, r);
  for (i = 0; i < @_N; ++i) seed[@_place_of(i)] = r[i];
}

int @_linearize(@_model* m, double* A, double* B, double* C, double* D) {
  double seed[@_VALUES], out[@_OUTPUTS + 1];
  int i, j;
  m->status = @_solve_rates(m, m->value);
  if (m->status != @_GOOD) return m->status;
  @_matrices(m->value, m->lu, 0, 0);
  if (!@_factor(@_N, m->lu, m->scale, m->pivot)) return m->status = @_SINGULAR;
  for (j = 0; j < @_NZ + @_INPUTS; ++j) {
    for (i = 0; i < @_VALUES; ++i) seed[i] = 0;
    if (j < @_COORDINATES) seed[@_Q + j] = 1;
    else if (j < @_NV) {
      const int at = @_Q + @_COORDINATES + 4*((j - @_COORDINATES)/3);
      @_turn_rate(m->value + at, (j - @_COORDINATES) % 3, seed + at);
    } else if (j < 2 * @_NV) seed[@_V + j - @_NV] = 1;
    else if (j < @_NZ) seed[@_X + j - 2 * @_NV] = 1;
    else seed[@_P + @_input_parameter[j - @_NZ]] = 1;
    @_complete(m, seed);
    for (i = 0; i < @_NZ; ++i) {
      double value;
      if (i < @_NV) {
        value = seed[@_V + i];
        /* in axes that turn: theta' = dw - w x theta */
        if (i >= @_COORDINATES && j >= @_COORDINATES && j < @_NV && (i - @_COORDINATES)/3 == (j - @_COORDINATES)/3) {
          const int r = (i - @_COORDINATES) % 3, c = (j - @_COORDINATES) % 3;
          const double* const w = m->value + @_V + i - r;
          if (c == (r + 1) % 3) value += w[(r + 2) % 3];
          if (c == (r + 2) % 3) value -= w[(r + 1) % 3];
        }
      } else {
        value = i < 2 * @_NV ? seed[@_A + i - @_NV] : seed[@_XD + i - 2 * @_NV];
      }
      if (j < @_NZ && A) A[i * @_NZ + j] = value;
      if (j >= @_NZ && B) B[i * @_INPUTS + j - @_NZ] = value;
    }
    if (!C && !D) continue;
    @_signal_direction(m->value, seed, out);
    for (i = 0; i < @_OUTPUTS; ++i) {
      if (j < @_NZ && C) C[i * @_NZ + j] = out[i];
      if (j >= @_NZ && D) D[i * @_INPUTS + j - @_NZ] = out[i];
    }
  }
  return @_GOOD;
}

int @_direction(@_model* m, double* along, double* output, double* rate) {
  int i, k;
  @_matrices(m->value, m->lu, 0, 0);
  if (!@_factor(@_N, m->lu, m->scale, m->pivot)) return m->status = @_SINGULAR;
  /* quaternions are of unit length whatever the direction */
  for (k = 0; k < @_ROTATIONS; ++k) {
    const double* const p = m->value + @_Q + @_COORDINATES + 4 * k;
    double* const d = along + @_Q + @_COORDINATES + 4 * k;
    const double longer = p[0]*d[0] + p[1]*d[1] + p[2]*d[2] + p[3]*d[3];
    for (i = 0; i < 4; ++i) d[i] -= longer*p[i];
  }
  @_complete(m, along);
  @_signal_direction(m->value, along, output);
  for (k = 0; k < @_COORDINATES; ++k) rate[k] = along[@_V + k];
  for (k = 0; k < @_ROTATIONS; ++k) {
    const double* const p = m->value + @_Q + @_COORDINATES + 4 * k;
    const double* const w = m->value + @_V + @_COORDINATES + 3 * k;
    const double* const dp = along + @_Q + @_COORDINATES + 4 * k;
    const double* const dw = along + @_V + @_COORDINATES + 3 * k;
    double* const to = rate + @_COORDINATES + 4 * k;
    to[0] = 0.5*(-dp[1]*w[0] - dp[2]*w[1] - dp[3]*w[2] - p[1]*dw[0] - p[2]*dw[1] - p[3]*dw[2]);
    to[1] = 0.5*(dp[0]*w[0] + dp[2]*w[2] - dp[3]*w[1] + p[0]*dw[0] + p[2]*dw[2] - p[3]*dw[1]);
    to[2] = 0.5*(dp[0]*w[1] - dp[1]*w[2] + dp[3]*w[0] + p[0]*dw[1] - p[1]*dw[2] + p[3]*dw[0]);
    to[3] = 0.5*(dp[0]*w[2] + dp[1]*w[1] - dp[2]*w[0] + p[0]*dw[2] + p[1]*dw[1] - p[2]*dw[0]);
  }
  for (k = 0; k < @_NV; ++k) rate[@_NQ + k] = along[@_A + k];
  for (k = 0; k < @_NX; ++k) rate[@_NQ + @_NV + k] = along[@_XD + k];
  return @_GOOD;
}

int @_initialize(@_model* m) {
  double law[@_START_LAWS + 1] = {0};
  int k;
  /* discrete variables begin anew; start values that follow from parameters take those of the present ones */
  for (k = 0; k < @_ND; ++k) m->value[@_D + k] = @_first_discrete[k];
  @_start_law_values(m->value, law);
  for (k = 0; k < @_START_LAWS; ++k)
    if (law[k] != @_start_law[k]) m->value[@_start_place[k]] = law[k];
  m->start = m->value[0];
  m->sampled = m->start - 1 - fabs(m->start);
  m->has_factors = m->has_matrices = 0;
  @_update_modes(m->value, 0, 0);
  m->status = @_project(m, m->value, 1);
  for (k = 0; k < @_ND; ++k) m->value[@_D + k] = @_first_discrete[k];
  if (m->status == @_GOOD) m->status = @_solve_rates(m, m->value);
  for (k = 0; k < 50 && m->status == @_GOOD && @_update_modes(m->value, 1, 0); ++k)
    m->status = @_solve_rates(m, m->value);
  return m->status == @_GOOD ? @_event(m) : m->status;
}

int @_has_drifted(const @_model* m) {
  double r[2 * @_NL + 1];
  int k;
  if (@_NL == 0) return 0;
  @_constraint_rows(m->value, r);
  for (k = 0; k < 2 * @_NL; ++k)
    if (!(fabs(r[k]) <= 1e-10)) return 1;
  return 0;
}

int @_keep_constraints(@_model* m) {
  if (!@_has_drifted(m)) return @_GOOD;
  m->status = @_project(m, m->value, 1);
  if (m->status == @_GOOD) m->status = @_solve_rates(m, m->value);
  return m->status;
}

double @_size_of_unknown(int unknown) { return @_nominal[unknown]; }

const char* @_message(const @_model* m) {
  static const char* const text[] = {"good",
                                     "the equations do not determine an unknown",
                                     "an equation has no finite value",
                                     "Newton's method did not converge",
                                     "the constraints cannot be kept",
                                     "modes do not settle",
                                     "a value left its bounds",
                                     "a drive jumps"};
  if (m->status == @_BOUND && m->broken < @_REQUIREMENTS) return @_bound[m->broken];
  return text[m->status];
}
)c";

const std::string_view runtime_main = R"c(#include "@.%ENDING%"

#include <stdio.h>
#include <stdlib.h>

/* @_main [end [rows [steps per row [rtol [atol]]]]]: a run from the start of the model, a row of outputs each time */
static @_model model;

static void print_row(void) {
  static double output[@_OUTPUTS + 1];
  int k;
  @_outputs(&model, output);
  printf("%.17g", model.value[0]);
  for (k = 0; k < @_OUTPUTS; ++k) printf(",%.17g", output[k]);
  printf("\n");
}

int main(int count, char** word) {
  const double end = count > 1 ? atof(word[1]) : %END%;
  const int rows = count > 2 ? atoi(word[2]) : %ROWS%, steps = count > 3 ? atoi(word[3]) : %STEPS%;
  double begin;
  int row, step;
  @_start(&model);
  begin = model.value[0];
  if (count > 4) model.rtol = model.atol = atof(word[4]);
  if (count > 5) model.atol = atof(word[5]);
  printf("time");
  for (row = 0; row < @_OUTPUTS; ++row) printf(",%s", @_output_name[row]);
  printf("\ns");
  for (row = 0; row < @_OUTPUTS; ++row) printf(",%s", @_output_unit[row]);
  printf("\n");
  print_row();
  for (row = 1; row <= rows; ++row) {
    for (step = 1; step <= steps; ++step) {
      const double to = begin + (end - begin)*((double)(row - 1) + (double)step/(double)steps)/(double)rows;
      if (@_step(&model, to - model.value[0]) != @_GOOD) {
        fprintf(stderr, "t = %.17g: %s\n", model.value[0], @_message(&model));
        return 1;
      }
    }
    print_row();
  }
  fprintf(stderr, "%ld steps, %ld events\n", model.steps, model.events);
  return 0;
}
)c";

}  // namespace coenergy::generate
