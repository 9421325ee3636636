#include "coenergy/generate/fmu_runtime.hpp"

namespace coenergy::generate {

const std::string_view fmi3_types = R"c(
typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum { fmi3Independent, fmi3Constant, fmi3Fixed, fmi3Tunable, fmi3Discrete, fmi3Dependent } fmi3DependencyKind;
typedef enum { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged } fmi3IntervalQualifier;
typedef void (*fmi3Log)(void*, fmi3Status, const char*, const char*);
typedef void (*fmi3Update)(void*, double, bool, bool, bool, bool, bool*, double*);
)c";

const std::string_view fmi3_functions = R"c(
const char* fmi3GetVersion(void);
fmi3Status fmi3SetDebugLogging(void* instance, bool on, size_t n, const char* const category[]);
void* fmi3InstantiateModelExchange(const char* name, const char* token, const char* resources, bool visible, bool logs, void* environment, fmi3Log log);
void* fmi3InstantiateCoSimulation(const char* name, const char* token, const char* resources, bool visible, bool logs, bool event_mode_used, bool early_return_allowed, const uint32_t required[], size_t n, void* environment, fmi3Log log, fmi3Update update);
void* fmi3InstantiateScheduledExecution(const char* name, const char* token, const char* resources, bool visible, bool logs, void* environment, fmi3Log log, void (*clock_update)(void*), void (*lock)(void), void (*unlock)(void));
void fmi3FreeInstance(void* instance);
fmi3Status fmi3EnterInitializationMode(void* instance, bool has_tolerance, double tolerance, double start, bool has_stop, double stop);
fmi3Status fmi3ExitInitializationMode(void* instance);
fmi3Status fmi3EnterEventMode(void* instance);
fmi3Status fmi3Terminate(void* instance);
fmi3Status fmi3Reset(void* instance);
fmi3Status fmi3GetFloat64(void* instance, const uint32_t r[], size_t n, double value[], size_t values);
fmi3Status fmi3SetFloat64(void* instance, const uint32_t r[], size_t n, const double value[], size_t values);
fmi3Status fmi3GetNumberOfVariableDependencies(void* instance, uint32_t r, size_t* n);
fmi3Status fmi3GetVariableDependencies(void* instance, uint32_t r, size_t element[], uint32_t independent[], size_t of_independent[], fmi3DependencyKind kind[], size_t n);
fmi3Status fmi3GetFMUState(void* instance, void** state);
fmi3Status fmi3SetFMUState(void* instance, void* state);
fmi3Status fmi3FreeFMUState(void* instance, void** state);
fmi3Status fmi3SerializedFMUStateSize(void* instance, void* state, size_t* size);
fmi3Status fmi3SerializeFMUState(void* instance, void* state, uint8_t bytes[], size_t size);
fmi3Status fmi3DeserializeFMUState(void* instance, const uint8_t bytes[], size_t size, void** state);
fmi3Status fmi3GetDirectionalDerivative(void* instance, const uint32_t unknown[], size_t unknowns, const uint32_t known[], size_t knowns, const double seed[], size_t seeds, double change[], size_t changes);
fmi3Status fmi3GetAdjointDerivative(void* instance, const uint32_t unknown[], size_t unknowns, const uint32_t known[], size_t knowns, const double seed[], size_t seeds, double change[], size_t changes);
fmi3Status fmi3EnterConfigurationMode(void* instance);
fmi3Status fmi3ExitConfigurationMode(void* instance);
fmi3Status fmi3EvaluateDiscreteStates(void* instance);
fmi3Status fmi3UpdateDiscreteStates(void* instance, bool* again, bool* terminate, bool* nominals, bool* values, bool* has_next, double* next);
fmi3Status fmi3EnterContinuousTimeMode(void* instance);
fmi3Status fmi3CompletedIntegratorStep(void* instance, bool no_set_before, bool* event_mode, bool* terminate);
fmi3Status fmi3SetTime(void* instance, double t);
fmi3Status fmi3SetContinuousStates(void* instance, const double x[], size_t n);
fmi3Status fmi3GetContinuousStateDerivatives(void* instance, double rate[], size_t n);
fmi3Status fmi3GetEventIndicators(void* instance, double indicator[], size_t n);
fmi3Status fmi3GetContinuousStates(void* instance, double x[], size_t n);
fmi3Status fmi3GetNominalsOfContinuousStates(void* instance, double nominal[], size_t n);
fmi3Status fmi3GetNumberOfEventIndicators(void* instance, size_t* n);
fmi3Status fmi3GetNumberOfContinuousStates(void* instance, size_t* n);
fmi3Status fmi3EnterStepMode(void* instance);
fmi3Status fmi3GetOutputDerivatives(void* instance, const uint32_t r[], size_t n, const int32_t order[], double value[], size_t values);
fmi3Status fmi3DoStep(void* instance, double t, double h, bool no_set_before, bool* event, bool* terminate, bool* early, double* last);
fmi3Status fmi3ActivateModelPartition(void* instance, uint32_t clock, double t);
fmi3Status fmi3GetFloat32(void* c, const uint32_t r[], size_t n, float value[], size_t values);
fmi3Status fmi3SetFloat32(void* c, const uint32_t r[], size_t n, const float value[], size_t values);
fmi3Status fmi3GetInt8(void* c, const uint32_t r[], size_t n, int8_t value[], size_t values);
fmi3Status fmi3SetInt8(void* c, const uint32_t r[], size_t n, const int8_t value[], size_t values);
fmi3Status fmi3GetUInt8(void* c, const uint32_t r[], size_t n, uint8_t value[], size_t values);
fmi3Status fmi3SetUInt8(void* c, const uint32_t r[], size_t n, const uint8_t value[], size_t values);
fmi3Status fmi3GetInt16(void* c, const uint32_t r[], size_t n, int16_t value[], size_t values);
fmi3Status fmi3SetInt16(void* c, const uint32_t r[], size_t n, const int16_t value[], size_t values);
fmi3Status fmi3GetUInt16(void* c, const uint32_t r[], size_t n, uint16_t value[], size_t values);
fmi3Status fmi3SetUInt16(void* c, const uint32_t r[], size_t n, const uint16_t value[], size_t values);
fmi3Status fmi3GetInt32(void* c, const uint32_t r[], size_t n, int32_t value[], size_t values);
fmi3Status fmi3SetInt32(void* c, const uint32_t r[], size_t n, const int32_t value[], size_t values);
fmi3Status fmi3GetUInt32(void* c, const uint32_t r[], size_t n, uint32_t value[], size_t values);
fmi3Status fmi3SetUInt32(void* c, const uint32_t r[], size_t n, const uint32_t value[], size_t values);
fmi3Status fmi3GetInt64(void* c, const uint32_t r[], size_t n, int64_t value[], size_t values);
fmi3Status fmi3SetInt64(void* c, const uint32_t r[], size_t n, const int64_t value[], size_t values);
fmi3Status fmi3GetUInt64(void* c, const uint32_t r[], size_t n, uint64_t value[], size_t values);
fmi3Status fmi3SetUInt64(void* c, const uint32_t r[], size_t n, const uint64_t value[], size_t values);
fmi3Status fmi3GetBoolean(void* c, const uint32_t r[], size_t n, bool value[], size_t values);
fmi3Status fmi3SetBoolean(void* c, const uint32_t r[], size_t n, const bool value[], size_t values);
fmi3Status fmi3GetString(void* c, const uint32_t r[], size_t n, const char* value[], size_t values);
fmi3Status fmi3SetString(void* c, const uint32_t r[], size_t n, const char* const value[], size_t values);
fmi3Status fmi3GetBinary(void* c, const uint32_t r[], size_t n, size_t size[], const uint8_t* value[], size_t values);
fmi3Status fmi3SetBinary(void* c, const uint32_t r[], size_t n, const size_t size[], const uint8_t* const value[], size_t values);
fmi3Status fmi3GetClock(void* c, const uint32_t r[], size_t n, bool value[]);
fmi3Status fmi3SetClock(void* c, const uint32_t r[], size_t n, const bool value[]);
fmi3Status fmi3GetIntervalDecimal(void* c, const uint32_t r[], size_t n, double interval[], fmi3IntervalQualifier qualifier[]);
fmi3Status fmi3GetIntervalFraction(void* c, const uint32_t r[], size_t n, uint64_t counter[], uint64_t resolution[], fmi3IntervalQualifier qualifier[]);
fmi3Status fmi3GetShiftDecimal(void* c, const uint32_t r[], size_t n, double shift[]);
fmi3Status fmi3GetShiftFraction(void* c, const uint32_t r[], size_t n, uint64_t counter[], uint64_t resolution[]);
fmi3Status fmi3SetIntervalDecimal(void* c, const uint32_t r[], size_t n, const double interval[]);
fmi3Status fmi3SetIntervalFraction(void* c, const uint32_t r[], size_t n, const uint64_t counter[], const uint64_t resolution[]);
fmi3Status fmi3SetShiftDecimal(void* c, const uint32_t r[], size_t n, const double shift[]);
fmi3Status fmi3SetShiftFraction(void* c, const uint32_t r[], size_t n, const uint64_t counter[], const uint64_t resolution[]);

static fmi3Status @_fail(void* instance, const char* text) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)instance;
  if (c->log) ((fmi3Log)c->log)(c->environment, fmi3Error, "logStatusError", text);
  return fmi3Error;
}
static fmi3Status @_told(@_instance_of_fmu* c, int good) {
  return good ? fmi3OK : @_fail(c, c->s.model.status != @_GOOD ? @_message(&c->s.model) : "wrong reference, size or value");
}
static void* @_new(const char* token, void* environment, fmi3Log log, bool logs) {
  @_instance_of_fmu* c;
  if (!token || strcmp(token, @_TOKEN) != 0) {
    if (log) log(environment, fmi3Error, "logStatusError", "the instantiation token is not that of this FMU");
    return 0;
  }
  c = (@_instance_of_fmu*)calloc(1, sizeof *c);
  if (!c) return 0;
  c->environment = environment;
  c->log = (void (*)(void))log;
  c->logs = logs;
  @_start(&c->s.model);
  return c;
}

const char* fmi3GetVersion(void) { return "3.0"; }
fmi3Status fmi3SetDebugLogging(void* instance, bool on, size_t n, const char* const category[]) {
  (void)n, (void)category;
  ((@_instance_of_fmu*)instance)->logs = on;
  return fmi3OK;
}
void* fmi3InstantiateModelExchange(const char* name, const char* token, const char* resources, bool visible, bool logs,
                                   void* environment, fmi3Log log) {
  (void)name, (void)resources, (void)visible;
  return @_new(token, environment, log, logs);
}
void* fmi3InstantiateCoSimulation(const char* name, const char* token, const char* resources, bool visible, bool logs,
                                  bool event_mode_used, bool early_return_allowed, const uint32_t required[],
                                  size_t n, void* environment, fmi3Log log, fmi3Update update) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)@_new(token, environment, log, logs);
  (void)name, (void)resources, (void)visible, (void)required, (void)n;
  (void)event_mode_used, (void)early_return_allowed, (void)update;
  if (!c) return 0;
  c->is_co_simulation = 1;
  return c;
}
void* fmi3InstantiateScheduledExecution(const char* name, const char* token, const char* resources, bool visible,
                                        bool logs, void* environment, fmi3Log log, void (*clock_update)(void*),
                                        void (*lock)(void), void (*unlock)(void)) {
  (void)name, (void)token, (void)resources, (void)visible, (void)logs, (void)clock_update, (void)lock, (void)unlock;
  if (log) log(environment, fmi3Error, "logStatusError", "scheduled execution is not offered");
  return 0;
}
void fmi3FreeInstance(void* instance) { free(instance); }
fmi3Status fmi3EnterInitializationMode(void* instance, bool has_tolerance, double tolerance, double start, bool has_stop,
                                       double stop) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)instance;
  (void)has_stop, (void)stop;
  c->in_initialization = 1;
  return @_told(c, @_begin(c, has_tolerance, tolerance, start));
}
fmi3Status fmi3ExitInitializationMode(void* instance) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)instance;
  c->in_initialization = 0;
  return @_told(c, @_finish_initialization(c));
}
fmi3Status fmi3EnterEventMode(void* instance) {
  (void)instance;
  return fmi3OK;
}
fmi3Status fmi3Terminate(void* instance) {
  (void)instance;
  return fmi3OK;
}
fmi3Status fmi3Reset(void* instance) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)instance;
  memset(&c->s, 0, sizeof c->s);
  @_start(&c->s.model);
  return fmi3OK;
}
fmi3Status fmi3GetFloat64(void* instance, const uint32_t r[], size_t n, double value[], size_t values) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)instance;
  return @_told(c, n == values && @_get(c, r, n, value));
}
fmi3Status fmi3SetFloat64(void* instance, const uint32_t r[], size_t n, const double value[], size_t values) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)instance;
  return @_told(c, n == values && @_set(c, r, n, value));
}
fmi3Status fmi3GetNumberOfVariableDependencies(void* instance, uint32_t r, size_t* n) {
  (void)r, (void)n;
  return @_fail(instance, "dependencies stand in the model description");
}
fmi3Status fmi3GetVariableDependencies(void* instance, uint32_t r, size_t element[], uint32_t independent[],
                                       size_t of_independent[], fmi3DependencyKind kind[], size_t n) {
  (void)r, (void)element, (void)independent, (void)of_independent, (void)kind, (void)n;
  return @_fail(instance, "dependencies stand in the model description");
}
fmi3Status fmi3GetFMUState(void* instance, void** state) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)instance;
  if (!*state) *state = malloc(sizeof c->s);
  if (!*state) return @_fail(c, "no memory");
  memcpy(*state, &c->s, sizeof c->s);
  return fmi3OK;
}
fmi3Status fmi3SetFMUState(void* instance, void* state) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)instance;
  if (!state) return @_fail(c, "no state");
  memcpy(&c->s, state, sizeof c->s);
  return fmi3OK;
}
fmi3Status fmi3FreeFMUState(void* instance, void** state) {
  (void)instance;
  free(*state);
  *state = 0;
  return fmi3OK;
}
fmi3Status fmi3SerializedFMUStateSize(void* instance, void* state, size_t* size) {
  (void)instance, (void)state;
  *size = sizeof(@_state);
  return fmi3OK;
}
fmi3Status fmi3SerializeFMUState(void* instance, void* state, uint8_t bytes[], size_t size) {
  if (size < sizeof(@_state)) return @_fail(instance, "too few bytes for a state");
  memcpy(bytes, state, sizeof(@_state));
  return fmi3OK;
}
fmi3Status fmi3DeserializeFMUState(void* instance, const uint8_t bytes[], size_t size, void** state) {
  if (size < sizeof(@_state)) return @_fail(instance, "too few bytes for a state");
  if (!*state) *state = malloc(sizeof(@_state));
  if (!*state) return @_fail(instance, "no memory");
  memcpy(*state, bytes, sizeof(@_state));
  return fmi3OK;
}
fmi3Status fmi3GetDirectionalDerivative(void* instance, const uint32_t unknown[], size_t unknowns, const uint32_t known[],
                                        size_t knowns, const double seed[], size_t seeds, double change[],
                                        size_t changes) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)instance;
  return @_told(c, seeds == knowns && changes == unknowns && @_along(c, unknown, unknowns, known, knowns, seed, change));
}
fmi3Status fmi3GetAdjointDerivative(void* instance, const uint32_t unknown[], size_t unknowns, const uint32_t known[],
                                    size_t knowns, const double seed[], size_t seeds, double change[], size_t changes) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)instance;
  size_t i, k;
  if (seeds != unknowns || changes != knowns) return @_told(c, 0);
  for (k = 0; k < knowns; ++k) {
    const double one = 1;
    change[k] = 0;
    for (i = 0; i < unknowns; ++i) {
      double part;
      if (!@_along(c, &unknown[i], 1, &known[k], 1, &one, &part)) return @_told(c, 0);
      change[k] += seed[i]*part;
    }
  }
  return fmi3OK;
}
fmi3Status fmi3EnterConfigurationMode(void* instance) { return @_fail(instance, "there are no structural parameters"); }
fmi3Status fmi3ExitConfigurationMode(void* instance) { return @_fail(instance, "there are no structural parameters"); }
fmi3Status fmi3EvaluateDiscreteStates(void* instance) {
  (void)instance;
  return fmi3OK;
}
fmi3Status fmi3UpdateDiscreteStates(void* instance, bool* again, bool* terminate, bool* nominals, bool* values,
                                    bool* has_next, double* next) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)instance;
  int changed = 0;
  if (!@_pass(c, &changed)) return @_told(c, 0);
  *again = *terminate = *nominals = false;
  *values = changed != 0;
  *next = @_next_time(&c->s.model);
  *has_next = *next < 1e300;
  return fmi3OK;
}
fmi3Status fmi3EnterContinuousTimeMode(void* instance) {
  (void)instance;
  return fmi3OK;
}
fmi3Status fmi3CompletedIntegratorStep(void* instance, bool no_set_before, bool* event_mode, bool* terminate) {
  (void)no_set_before;
  *terminate = false;
  *event_mode = @_has_drifted(&((@_instance_of_fmu*)instance)->s.model) != 0;
  return fmi3OK;
}
fmi3Status fmi3SetTime(void* instance, double t) {
  @_set_time((@_instance_of_fmu*)instance, t);
  return fmi3OK;
}
fmi3Status fmi3SetContinuousStates(void* instance, const double x[], size_t n) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)instance;
  return @_told(c, @_set_states(c, x, n));
}
fmi3Status fmi3GetContinuousStateDerivatives(void* instance, double rate[], size_t n) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)instance;
  if (n != (size_t)@_STATES || !@_ensure(c)) return @_told(c, 0);
  @_rates_of(&c->s.model, rate);
  return fmi3OK;
}
fmi3Status fmi3GetEventIndicators(void* instance, double indicator[], size_t n) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)instance;
  if (n != (size_t)@_INDICATORS || !@_ensure(c)) return @_told(c, 0);
  @_indicate(c, indicator);
  return fmi3OK;
}
fmi3Status fmi3GetContinuousStates(void* instance, double x[], size_t n) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)instance;
  size_t i;
  if (n != (size_t)@_STATES) return @_told(c, 0);
  for (i = 0; i < n; ++i) x[i] = c->s.model.value[@_state_place((int)i)];
  return fmi3OK;
}
fmi3Status fmi3GetNominalsOfContinuousStates(void* instance, double nominal[], size_t n) {
  size_t i;
  (void)instance;
  for (i = 0; i < n; ++i) nominal[i] = @_nominal_of((int)i);
  return fmi3OK;
}
fmi3Status fmi3GetNumberOfEventIndicators(void* instance, size_t* n) {
  (void)instance;
  *n = @_INDICATORS;
  return fmi3OK;
}
fmi3Status fmi3GetNumberOfContinuousStates(void* instance, size_t* n) {
  (void)instance;
  *n = @_STATES;
  return fmi3OK;
}
fmi3Status fmi3EnterStepMode(void* instance) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)instance;
  int changed = 0;
  return @_told(c, !c->s.has_new_inputs || @_pass(c, &changed));
}
fmi3Status fmi3GetOutputDerivatives(void* instance, const uint32_t r[], size_t n, const int32_t order[], double value[],
                                    size_t values) {
  (void)r, (void)order, (void)value, (void)values;
  return n == 0 ? fmi3OK : @_fail(instance, "derivatives of outputs are not offered");
}
fmi3Status fmi3DoStep(void* instance, double t, double h, bool no_set_before, bool* event, bool* terminate, bool* early,
                      double* last) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)instance;
  (void)no_set_before;
  *event = *terminate = *early = false;
  if (!@_advance_to(c, t + h)) {
    *last = c->s.model.value[0];
    return @_told(c, 0);
  }
  *last = c->s.model.value[0];
  return fmi3OK;
}
fmi3Status fmi3ActivateModelPartition(void* instance, uint32_t clock, double t) {
  (void)clock, (void)t;
  return @_fail(instance, "scheduled execution is not offered");
}
)c";

}  // namespace coenergy::generate
