#include "coenergy/generate/fmu_runtime.hpp"

namespace coenergy::generate {

const std::string_view fmi2_functions = R"c(
typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef void (*fmi2Logger)(void*, const char*, fmi2Status, const char*, const char*, ...);
typedef struct {
  fmi2Logger logger;
  void* (*allocateMemory)(size_t, size_t);
  void (*freeMemory)(void*);
  void (*stepFinished)(void*, fmi2Status);
  void* componentEnvironment;
} fmi2CallbackFunctions;
typedef struct {
  int newDiscreteStatesNeeded, terminateSimulation, nominalsOfContinuousStatesChanged, valuesOfContinuousStatesChanged;
  int nextEventTimeDefined;
  double nextEventTime;
} fmi2EventInfo;

const char* fmi2GetTypesPlatform(void);
const char* fmi2GetVersion(void);
fmi2Status fmi2SetDebugLogging(void* c, int on, size_t n, const char* const category[]);
void* fmi2Instantiate(const char* name, int type, const char* guid, const char* resources, const fmi2CallbackFunctions* functions, int visible, int logs);
void fmi2FreeInstance(void* component);
fmi2Status fmi2SetupExperiment(void* c, int has_tolerance, double tolerance, double start, int has_stop, double stop);
fmi2Status fmi2EnterInitializationMode(void* component);
fmi2Status fmi2ExitInitializationMode(void* component);
fmi2Status fmi2Terminate(void* c);
fmi2Status fmi2Reset(void* component);
fmi2Status fmi2GetReal(void* component, const unsigned int r[], size_t n, double value[]);
fmi2Status fmi2SetReal(void* component, const unsigned int r[], size_t n, const double value[]);
fmi2Status fmi2GetInteger(void* c, const unsigned int r[], size_t n, int value[]);
fmi2Status fmi2SetInteger(void* c, const unsigned int r[], size_t n, const int value[]);
fmi2Status fmi2GetBoolean(void* c, const unsigned int r[], size_t n, int value[]);
fmi2Status fmi2SetBoolean(void* c, const unsigned int r[], size_t n, const int value[]);
fmi2Status fmi2GetString(void* c, const unsigned int r[], size_t n, const char* value[]);
fmi2Status fmi2SetString(void* c, const unsigned int r[], size_t n, const char* const value[]);
fmi2Status fmi2GetFMUstate(void* component, void** state);
fmi2Status fmi2SetFMUstate(void* component, void* state);
fmi2Status fmi2FreeFMUstate(void* c, void** state);
fmi2Status fmi2SerializedFMUstateSize(void* c, void* state, size_t* size);
fmi2Status fmi2SerializeFMUstate(void* c, void* state, char bytes[], size_t size);
fmi2Status fmi2DeSerializeFMUstate(void* c, const char bytes[], size_t size, void** state);
fmi2Status fmi2GetDirectionalDerivative(void* component, const unsigned int unknown[], size_t unknowns, const unsigned int known[], size_t knowns, const double seed[], double change[]);
fmi2Status fmi2EnterEventMode(void* c);
fmi2Status fmi2NewDiscreteStates(void* component, fmi2EventInfo* info);
fmi2Status fmi2EnterContinuousTimeMode(void* c);
fmi2Status fmi2CompletedIntegratorStep(void* component, int no_set_before, int* enter_event_mode, int* terminate);
fmi2Status fmi2SetTime(void* c, double t);
fmi2Status fmi2SetContinuousStates(void* component, const double x[], size_t n);
fmi2Status fmi2GetDerivatives(void* component, double rate[], size_t n);
fmi2Status fmi2GetEventIndicators(void* component, double indicator[], size_t n);
fmi2Status fmi2GetContinuousStates(void* component, double x[], size_t n);
fmi2Status fmi2GetNominalsOfContinuousStates(void* c, double nominal[], size_t n);
fmi2Status fmi2SetRealInputDerivatives(void* c, const unsigned int r[], size_t n, const int order[], const double value[]);
fmi2Status fmi2GetRealOutputDerivatives(void* c, const unsigned int r[], size_t n, const int order[], double value[]);
fmi2Status fmi2DoStep(void* component, double t, double h, int no_set_before);
fmi2Status fmi2CancelStep(void* c);
fmi2Status fmi2GetStatus(void* c, int kind, fmi2Status* value);
fmi2Status fmi2GetRealStatus(void* component, int kind, double* value);
fmi2Status fmi2GetIntegerStatus(void* c, int kind, int* value);
fmi2Status fmi2GetBooleanStatus(void* c, int kind, int* value);
fmi2Status fmi2GetStringStatus(void* c, int kind, const char** value);

static fmi2Status @_fail(void* component, const char* text) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)component;
  if (c->log) ((fmi2Logger)c->log)(c->environment, c->name, fmi2Error, "logStatusError", "%s", text);
  return fmi2Error;
}
static fmi2Status @_told(@_instance_of_fmu* c, int good) {
  return good ? fmi2OK : @_fail(c, c->s.model.status != @_GOOD ? @_message(&c->s.model) : "wrong reference or value");
}

const char* fmi2GetTypesPlatform(void) { return "default"; }
const char* fmi2GetVersion(void) { return "2.0"; }
fmi2Status fmi2SetDebugLogging(void* c, int on, size_t n, const char* const category[]) {
  (void)n, (void)category;
  ((@_instance_of_fmu*)c)->logs = on;
  return fmi2OK;
}
void* fmi2Instantiate(const char* name, int type, const char* guid, const char* resources,
                      const fmi2CallbackFunctions* functions, int visible, int logs) {
  @_instance_of_fmu* c;
  (void)resources, (void)visible;
  if (!functions || !guid || strcmp(guid, @_TOKEN) != 0) {
    if (functions && functions->logger)
      functions->logger(functions->componentEnvironment, name, fmi2Error, "logStatusError",
                        "the GUID is not that of this FMU");
    return 0;
  }
  c = (@_instance_of_fmu*)calloc(1, sizeof *c);
  if (!c) return 0;
  c->name = (char*)calloc(strlen(name ? name : "") + 1, 1);
  if (!c->name) {
    free(c);
    return 0;
  }
  if (name) strcpy(c->name, name);
  c->is_co_simulation = type == 1;
  c->environment = functions->componentEnvironment;
  c->log = (void (*)(void))functions->logger;
  c->logs = logs;
  @_start(&c->s.model);
  return c;
}
void fmi2FreeInstance(void* component) {
  if (!component) return;
  free(((@_instance_of_fmu*)component)->name);
  free(component);
}
fmi2Status fmi2SetupExperiment(void* c, int has_tolerance, double tolerance, double start, int has_stop, double stop) {
  (void)has_stop, (void)stop;
  return @_told((@_instance_of_fmu*)c, @_begin((@_instance_of_fmu*)c, has_tolerance, tolerance, start));
}
fmi2Status fmi2EnterInitializationMode(void* component) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)component;
  c->in_initialization = 1;
  return fmi2OK;
}
fmi2Status fmi2ExitInitializationMode(void* component) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)component;
  c->in_initialization = 0;
  return @_told(c, @_finish_initialization(c));
}
fmi2Status fmi2Terminate(void* c) {
  (void)c;
  return fmi2OK;
}
fmi2Status fmi2Reset(void* component) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)component;
  memset(&c->s, 0, sizeof c->s);
  @_start(&c->s.model);
  return fmi2OK;
}
fmi2Status fmi2GetReal(void* component, const unsigned int r[], size_t n, double value[]) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)component;
  return @_told(c, @_get(c, r, n, value));
}
fmi2Status fmi2SetReal(void* component, const unsigned int r[], size_t n, const double value[]) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)component;
  return @_told(c, @_set(c, r, n, value));
}
fmi2Status fmi2GetInteger(void* c, const unsigned int r[], size_t n, int value[]) {
  (void)r, (void)value;
  return n == 0 ? fmi2OK : @_fail(c, "there are no variables of this type");
}
fmi2Status fmi2SetInteger(void* c, const unsigned int r[], size_t n, const int value[]) {
  (void)r, (void)value;
  return n == 0 ? fmi2OK : @_fail(c, "there are no variables of this type");
}
fmi2Status fmi2GetBoolean(void* c, const unsigned int r[], size_t n, int value[]) {
  (void)r, (void)value;
  return n == 0 ? fmi2OK : @_fail(c, "there are no variables of this type");
}
fmi2Status fmi2SetBoolean(void* c, const unsigned int r[], size_t n, const int value[]) {
  (void)r, (void)value;
  return n == 0 ? fmi2OK : @_fail(c, "there are no variables of this type");
}
fmi2Status fmi2GetString(void* c, const unsigned int r[], size_t n, const char* value[]) {
  (void)r, (void)value;
  return n == 0 ? fmi2OK : @_fail(c, "there are no variables of this type");
}
fmi2Status fmi2SetString(void* c, const unsigned int r[], size_t n, const char* const value[]) {
  (void)r, (void)value;
  return n == 0 ? fmi2OK : @_fail(c, "there are no variables of this type");
}
fmi2Status fmi2GetFMUstate(void* component, void** state) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)component;
  if (!*state) *state = malloc(sizeof c->s);
  if (!*state) return @_fail(c, "no memory");
  memcpy(*state, &c->s, sizeof c->s);
  return fmi2OK;
}
fmi2Status fmi2SetFMUstate(void* component, void* state) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)component;
  if (!state) return @_fail(c, "no state");
  memcpy(&c->s, state, sizeof c->s);
  return fmi2OK;
}
fmi2Status fmi2FreeFMUstate(void* c, void** state) {
  (void)c;
  free(*state);
  *state = 0;
  return fmi2OK;
}
fmi2Status fmi2SerializedFMUstateSize(void* c, void* state, size_t* size) {
  (void)c, (void)state;
  *size = sizeof(@_state);
  return fmi2OK;
}
fmi2Status fmi2SerializeFMUstate(void* c, void* state, char bytes[], size_t size) {
  if (size < sizeof(@_state)) return @_fail(c, "too few bytes for a state");
  memcpy(bytes, state, sizeof(@_state));
  return fmi2OK;
}
fmi2Status fmi2DeSerializeFMUstate(void* c, const char bytes[], size_t size, void** state) {
  if (size < sizeof(@_state)) return @_fail(c, "too few bytes for a state");
  if (!*state) *state = malloc(sizeof(@_state));
  if (!*state) return @_fail(c, "no memory");
  memcpy(*state, bytes, sizeof(@_state));
  return fmi2OK;
}
fmi2Status fmi2GetDirectionalDerivative(void* component, const unsigned int unknown[], size_t unknowns,
                                        const unsigned int known[], size_t knowns, const double seed[],
                                        double change[]) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)component;
  return @_told(c, @_along(c, unknown, unknowns, known, knowns, seed, change));
}

/* model exchange */
fmi2Status fmi2EnterEventMode(void* c) {
  (void)c;
  return fmi2OK;
}
fmi2Status fmi2NewDiscreteStates(void* component, fmi2EventInfo* info) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)component;
  int changed = 0;
  if (!@_pass(c, &changed)) return @_told(c, 0);
  memset(info, 0, sizeof *info);
  info->valuesOfContinuousStatesChanged = changed;
  info->nextEventTime = @_next_time(&c->s.model);
  info->nextEventTimeDefined = info->nextEventTime < 1e300;
  return fmi2OK;
}
fmi2Status fmi2EnterContinuousTimeMode(void* c) {
  (void)c;
  return fmi2OK;
}
fmi2Status fmi2CompletedIntegratorStep(void* component, int no_set_before, int* enter_event_mode, int* terminate) {
  (void)no_set_before;
  *terminate = 0;
  *enter_event_mode = @_has_drifted(&((@_instance_of_fmu*)component)->s.model);
  return fmi2OK;
}
fmi2Status fmi2SetTime(void* c, double t) {
  @_set_time((@_instance_of_fmu*)c, t);
  return fmi2OK;
}
fmi2Status fmi2SetContinuousStates(void* component, const double x[], size_t n) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)component;
  return @_told(c, @_set_states(c, x, n));
}
fmi2Status fmi2GetDerivatives(void* component, double rate[], size_t n) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)component;
  if (n != (size_t)@_STATES || !@_ensure(c)) return @_told(c, 0);
  @_rates_of(&c->s.model, rate);
  return fmi2OK;
}
fmi2Status fmi2GetEventIndicators(void* component, double indicator[], size_t n) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)component;
  if (n != (size_t)@_INDICATORS || !@_ensure(c)) return @_told(c, 0);
  @_indicate(c, indicator);
  return fmi2OK;
}
fmi2Status fmi2GetContinuousStates(void* component, double x[], size_t n) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)component;
  size_t i;
  if (n != (size_t)@_STATES) return @_told(c, 0);
  for (i = 0; i < n; ++i) x[i] = c->s.model.value[@_state_place((int)i)];
  return fmi2OK;
}
fmi2Status fmi2GetNominalsOfContinuousStates(void* c, double nominal[], size_t n) {
  size_t i;
  (void)c;
  for (i = 0; i < n; ++i) nominal[i] = @_nominal_of((int)i);
  return fmi2OK;
}

/* co-simulation */
fmi2Status fmi2SetRealInputDerivatives(void* c, const unsigned int r[], size_t n, const int order[], const double value[]) {
  (void)r, (void)order, (void)value;
  return n == 0 ? fmi2OK : @_fail(c, "inputs are constant within a step");
}
fmi2Status fmi2GetRealOutputDerivatives(void* c, const unsigned int r[], size_t n, const int order[], double value[]) {
  (void)r, (void)order, (void)value;
  return n == 0 ? fmi2OK : @_fail(c, "derivatives of outputs are not offered");
}
fmi2Status fmi2DoStep(void* component, double t, double h, int no_set_before) {
  @_instance_of_fmu* const c = (@_instance_of_fmu*)component;
  (void)no_set_before;
  return @_told(c, @_advance_to(c, t + h));
}
fmi2Status fmi2CancelStep(void* c) { return @_fail(c, "no step is under way"); }
fmi2Status fmi2GetStatus(void* c, int kind, fmi2Status* value) {
  (void)c, (void)kind, (void)value;
  return fmi2Discard;
}
fmi2Status fmi2GetRealStatus(void* component, int kind, double* value) {
  if (kind != 2) return fmi2Discard;
  *value = ((@_instance_of_fmu*)component)->s.model.value[0];
  return fmi2OK;
}
fmi2Status fmi2GetIntegerStatus(void* c, int kind, int* value) {
  (void)c, (void)kind, (void)value;
  return fmi2Discard;
}
fmi2Status fmi2GetBooleanStatus(void* c, int kind, int* value) {
  (void)c;
  if (kind != 3) return fmi2Discard;
  *value = 0;
  return fmi2OK;
}
fmi2Status fmi2GetStringStatus(void* c, int kind, const char** value) {
  (void)c, (void)kind, (void)value;
  return fmi2Discard;
}
)c";

}  // namespace coenergy::generate
