#include "coenergy/generate/fmu_runtime.hpp"

namespace coenergy::generate {

const std::string_view fmu_core = R"c(
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "@.h"

/* Value references: a place in the value array; then der of each state, outputs, event indicators. States are q, v, x. */
enum {
  @_STATES = @_NQ + @_NV + @_NX,
  @_DER = @_VALUES,
  @_OUT = @_DER + @_STATES,
  @_IND = @_OUT + @_OUTPUTS,
  @_END_OF_REFERENCES = @_IND + @_INDICATORS
};

typedef struct {
  @_model model;
  int is_solved;       /* rates belong to the values */
  int has_new_inputs;  /* parameters or inputs changed since the last event */
  int has_parameters;  /* parameters or the time of the start changed before the initialization */
  int was_initialized;
} @_state;

typedef struct {
  @_state s;
  int in_initialization;
  int is_co_simulation;
  void* environment;
  void (*log)(void);  /* the callback of the importer, of the version's own type */
  char* name;
  int logs;
} @_instance_of_fmu;

static int @_state_place(int state) {
  if (state < @_NQ) return @_Q + state;
  state -= @_NQ;
  return state < @_NV ? @_V + state : @_X + state - @_NV;
}

/* rates of the present values; 0 where there are none */
static int @_ensure(@_instance_of_fmu* c) {
  double rate[@_STATES + 1];
  if (c->s.is_solved) return 1;
  if (@_derivatives(&c->s.model, rate) != @_GOOD) return 0;
  c->s.is_solved = 1;
  return 1;
}

static int @_get(@_instance_of_fmu* c, const unsigned int* reference, size_t count, double* value) {
  double rate[@_STATES + 1], output[@_OUTPUTS + 1], indicator[@_INDICATORS + 1];
  int has_rate = 0, has_output = 0, has_indicator = 0;
  size_t i;
  for (i = 0; i < count; ++i) {
    const int r = (int)reference[i];
    if (reference[i] >= (unsigned int)@_END_OF_REFERENCES) return 0;
    /* all but a, lambda, x', y and what follows from them */
    if (r < @_A || (r >= @_X && r < @_XD) || (r >= @_D && r < @_DER)) {
      value[i] = c->s.model.value[r];
      continue;
    }
    if (!@_ensure(c)) return 0;
    if (r < @_DER) {
      value[i] = c->s.model.value[r];
    } else if (r < @_OUT) {
      if (!has_rate) @_rates_of(&c->s.model, rate), has_rate = 1;
      value[i] = rate[r - @_DER];
    } else if (r < @_IND) {
      if (!has_output) @_outputs(&c->s.model, output), has_output = 1;
      value[i] = output[r - @_OUT];
    } else {
      if (!has_indicator) @_events(&c->s.model, indicator), has_indicator = 1;
      value[i] = indicator[r - @_IND];
    }
  }
  return 1;
}

static int @_set(@_instance_of_fmu* c, const unsigned int* reference, size_t count, const double* value) {
  size_t i;
  for (i = 0; i < count; ++i) {
    const int r = (int)reference[i];
    if (reference[i] >= (unsigned int)@_VALUES || r < @_P || !(value[i] - value[i] == 0)) return 0;
    if (c->s.model.value[r] == value[i]) continue;
    @_set_parameter(&c->s.model, r - @_P, value[i]);
    c->s.is_solved = 0, c->s.has_new_inputs = 1;
    if (!c->s.was_initialized) c->s.has_parameters = 1;
  }
  return 1;
}

static void @_set_time(@_instance_of_fmu* c, double t) {
  if (c->s.model.value[0] == t) return;
  c->s.model.value[0] = t;
  c->s.is_solved = 0;
}

static int @_begin(@_instance_of_fmu* c, int has_tolerance, double tolerance, double start) {
  c->s.model.rtol = has_tolerance && tolerance > 0 && tolerance < 1e-3 ? tolerance : 1e-9;
  c->s.model.atol = 1e-4*c->s.model.rtol;
  if (start != c->s.model.value[0]) {
    c->s.model.value[0] = start;
    c->s.has_parameters = 1, c->s.is_solved = 0;
  }
  return 1;
}

static int @_finish_initialization(@_instance_of_fmu* c) {
  if (c->s.has_parameters && @_initialize(&c->s.model) != @_GOOD) return 0;
  c->s.was_initialized = c->s.is_solved = 1;
  c->s.has_parameters = c->s.has_new_inputs = 0;
  return 1;
}

static int @_set_states(@_instance_of_fmu* c, const double* x, size_t n) {
  size_t i;
  if (n != (size_t)@_STATES) return 0;
  for (i = 0; i < n; ++i) c->s.model.value[@_state_place((int)i)] = x[i];
  c->s.is_solved = 0;
  return 1;
}

static double @_nominal_of(int state) {
  return state < @_COORDINATES  ? @_size_of_unknown(state)
         : state < @_NQ         ? 1.0
         : state < @_NQ + @_NV  ? @_size_of_unknown(state - @_NQ)
                                : @_size_of_unknown(@_NV + @_NL + state - @_NQ - @_NV);
}

/* an indicator that is zero but for round-off is on the side of its mode */
static void @_indicate(@_instance_of_fmu* c, double* indicator) { @_events(&c->s.model, indicator); }

/* what happens at an event; whether states changed */
static int @_pass(@_instance_of_fmu* c, int* states_changed) {
  double before[@_STATES + 1];
  int i;
  for (i = 0; i < @_STATES; ++i) before[i] = c->s.model.value[@_state_place(i)];
  if (@_keep_constraints(&c->s.model) != @_GOOD || @_event(&c->s.model) != @_GOOD) return 0;
  c->s.is_solved = 1, c->s.has_new_inputs = 0;
  *states_changed = 0;
  for (i = 0; i < @_STATES; ++i)
    if (before[i] != c->s.model.value[@_state_place(i)]) *states_changed = 1;
  return 1;
}

/* a step of co-simulation from the present time to t */
static int @_advance_to(@_instance_of_fmu* c, double t) {
  if (c->s.has_new_inputs && @_restart(&c->s.model) != @_GOOD) return 0;
  c->s.has_new_inputs = 0;
  if (@_step(&c->s.model, t - c->s.model.value[0]) != @_GOOD) return 0;
  c->s.is_solved = 1;
  return 1;
}

/* the change of unknowns along that of knowns: states, inputs and parameters; 0 where a reference is none of these */
static int @_along(@_instance_of_fmu* c, const unsigned int* unknown, size_t unknowns, const unsigned int* known,
                   size_t knowns, const double* seed, double* change) {
  double along[@_VALUES], output[@_OUTPUTS + 1], rate[@_STATES + 1];
  size_t i;
  int k;
  if (!@_ensure(c)) return 0;
  for (k = 0; k < @_VALUES; ++k) along[k] = 0;
  for (i = 0; i < knowns; ++i) {
    const int r = (int)known[i];
    if (known[i] >= (unsigned int)@_VALUES) return 0;
    if ((r >= @_A && r < @_X) || (r >= @_XD && r < @_P)) return 0;
    along[r] += seed[i];
  }
  if (@_direction(&c->s.model, along, output, rate) != @_GOOD) return 0;
  for (i = 0; i < unknowns; ++i) {
    const int r = (int)unknown[i];
    if (unknown[i] >= (unsigned int)@_IND) return 0;
    change[i] = r < @_DER ? along[r] : r < @_OUT ? rate[r - @_DER] : output[r - @_OUT];
  }
  return 1;
}
)c";

}  // namespace coenergy::generate
