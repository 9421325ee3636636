/* A small FMU of FMI 2 and 3 for tests: T dx/dt = u - x, y = x; n counts how often x rose above `level`.
 * trouble: 1 crashes in the first evaluation behind t = 0.5, 2 never returns from it, 3 reports an error. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  double t, x, u, T, level;
  int n, above, trouble;
} Lag;

enum { TIME, X, DER_X, U, Y, T_LAG, LEVEL, N, TROUBLE };

static double rate(const Lag* m) { return (m->u - m->x) / m->T; }
static int go_wrong(const Lag* m) {
  if (m->t <= 0.5 || m->trouble == 0) return 0;
  if (m->trouble == 1) abort();
  while (m->trouble == 2) {
  }
  return 3;
}
static void count(Lag* m) {
  const int above = m->x > m->level;
  m->n += above && !m->above;
  m->above = above;
}
static double* place(Lag* m, uint32_t r) {
  return r == TIME ? &m->t : r == X || r == Y ? &m->x : r == U ? &m->u : r == T_LAG ? &m->T : r == LEVEL ? &m->level : NULL;
}
static int get(Lag* m, const uint32_t* r, size_t n, double* v) {
  for (size_t k = 0; k < n; ++k) {
    if (r[k] != DER_X && place(m, r[k]) == NULL) return 3;
    v[k] = r[k] == DER_X ? rate(m) : *place(m, r[k]);
  }
  return 0;
}
static int set(Lag* m, const uint32_t* r, size_t n, const double* v) {
  for (size_t k = 0; k < n; ++k)
    if (place(m, r[k]) == NULL) return 3;
    else *place(m, r[k]) = v[k];
  return 0;
}
static Lag* make(void) {
  Lag* m = calloc(1, sizeof *m);
  m->T = 0.2, m->level = 0.5;
  return m;
}
static int step(Lag* m, double t, double h) {
  /* exact between inputs that are held */
  m->t = t + h;
  m->x = m->u + (m->x - m->u) * exp(-h / m->T);
  count(m);
  return go_wrong(m);
}
static int copy_out(Lag* m, void** s) {
  *s = malloc(sizeof *m);
  memcpy(*s, m, sizeof *m);
  return 0;
}
static int drop(void** s) {
  free(*s);
  *s = NULL;
  return 0;
}

/* ---- FMI 2 */
typedef struct {
  int needed, terminate, nominals, values, defined;
  double next;
} Info;
void* fmi2Instantiate(const char* a, int b, const char* guid, const char* c, const void* d, int e, int f) {
  (void)a, (void)b, (void)c, (void)d, (void)e, (void)f;
  return strcmp(guid, "{lag}") == 0 ? make() : NULL;
}
void fmi2FreeInstance(void* m) { free(m); }
int fmi2SetupExperiment(void* m, int a, double b, double t, int c, double d) {
  (void)a, (void)b, (void)c, (void)d;
  ((Lag*)m)->t = t;
  return 0;
}
int fmi2EnterInitializationMode(void* m) { return m == NULL; }
int fmi2ExitInitializationMode(void* m) { return m == NULL; }
int fmi2GetReal(void* m, const uint32_t* r, size_t n, double* v) { return get(m, r, n, v); }
int fmi2SetReal(void* m, const uint32_t* r, size_t n, const double* v) { return set(m, r, n, v); }
int fmi2GetInteger(void* m, const uint32_t* r, size_t n, int* v) {
  for (size_t k = 0; k < n; ++k) v[k] = r[k] == N ? ((Lag*)m)->n : ((Lag*)m)->trouble;
  return 0;
}
int fmi2SetInteger(void* m, const uint32_t* r, size_t n, const int* v) {
  for (size_t k = 0; k < n; ++k)
    if (r[k] == TROUBLE) ((Lag*)m)->trouble = v[k];
  return 0;
}
int fmi2GetBoolean(void* m, const uint32_t* r, size_t n, int* v) { return fmi2GetInteger(m, r, n, v); }
int fmi2SetBoolean(void* m, const uint32_t* r, size_t n, const int* v) { return fmi2SetInteger(m, r, n, v); }
int fmi2GetFMUstate(void* m, void** s) { return copy_out(m, s); }
int fmi2SetFMUstate(void* m, void* s) {
  memcpy(m, s, sizeof(Lag));
  return 0;
}
int fmi2FreeFMUstate(void* m, void** s) {
  (void)m;
  return drop(s);
}
int fmi2DoStep(void* m, double t, double h, int a) {
  (void)a;
  return step(m, t, h);
}
int fmi2EnterEventMode(void* m) { return m == NULL; }
int fmi2NewDiscreteStates(void* m, Info* i) {
  count(m);
  memset(i, 0, sizeof *i);
  return 0;
}
int fmi2EnterContinuousTimeMode(void* m) { return m == NULL; }
int fmi2SetTime(void* m, double t) {
  ((Lag*)m)->t = t;
  return 0;
}
int fmi2SetContinuousStates(void* m, const double* x, size_t n) {
  (void)n;
  ((Lag*)m)->x = x[0];
  return 0;
}
int fmi2GetContinuousStates(void* m, double* x, size_t n) {
  (void)n;
  x[0] = ((Lag*)m)->x;
  return 0;
}
int fmi2GetDerivatives(void* m, double* x, size_t n) {
  (void)n;
  x[0] = rate(m);
  return go_wrong(m);
}
int fmi2GetEventIndicators(void* m, double* z, size_t n) {
  (void)n;
  z[0] = ((Lag*)m)->x - ((Lag*)m)->level;
  return 0;
}

/* ---- FMI 3 */
void* fmi3InstantiateModelExchange(const char* a, const char* token, const char* b, bool c, bool d, void* e, void* f) {
  (void)a, (void)b, (void)c, (void)d, (void)e, (void)f;
  return strcmp(token, "{lag}") == 0 ? make() : NULL;
}
void* fmi3InstantiateCoSimulation(const char* a, const char* token, const char* b, bool c, bool d, bool e, bool f,
                                  const uint32_t* g, size_t h, void* i, void* j, void* k) {
  (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h, (void)i, (void)j, (void)k;
  return strcmp(token, "{lag}") == 0 ? make() : NULL;
}
void fmi3FreeInstance(void* m) { free(m); }
int fmi3EnterInitializationMode(void* m, bool a, double b, double t, bool c, double d) {
  (void)a, (void)b, (void)c, (void)d;
  ((Lag*)m)->t = t;
  return 0;
}
int fmi3ExitInitializationMode(void* m) { return m == NULL; }
int fmi3GetFloat64(void* m, const uint32_t* r, size_t n, double* v, size_t k) {
  (void)k;
  return get(m, r, n, v);
}
int fmi3SetFloat64(void* m, const uint32_t* r, size_t n, const double* v, size_t k) {
  (void)k;
  return set(m, r, n, v);
}
int fmi3GetInt32(void* m, const uint32_t* r, size_t n, int* v, size_t k) {
  (void)k;
  return fmi2GetInteger(m, r, n, v);
}
int fmi3SetInt32(void* m, const uint32_t* r, size_t n, const int* v, size_t k) {
  (void)k;
  return fmi2SetInteger(m, r, n, v);
}
int fmi3GetBoolean(void* m, const uint32_t* r, size_t n, bool* v, size_t k) {
  (void)m, (void)r, (void)n, (void)v, (void)k;
  return 3;
}
int fmi3SetBoolean(void* m, const uint32_t* r, size_t n, const bool* v, size_t k) {
  (void)m, (void)r, (void)n, (void)v, (void)k;
  return 3;
}
int fmi3GetFMUState(void* m, void** s) { return copy_out(m, s); }
int fmi3SetFMUState(void* m, void* s) { return fmi2SetFMUstate(m, s); }
int fmi3FreeFMUState(void* m, void** s) { return fmi2FreeFMUstate(m, s); }
int fmi3DoStep(void* m, double t, double h, bool a, bool* event, bool* terminate, bool* early, double* reached) {
  (void)a;
  *event = *terminate = *early = false, *reached = t + h;
  return step(m, t, h);
}
int fmi3EnterEventMode(void* m) { return m == NULL; }
int fmi3UpdateDiscreteStates(void* m, bool* a, bool* b, bool* c, bool* d, bool* e, double* next) {
  count(m);
  *a = *b = *c = *d = *e = false, *next = 0;
  return 0;
}
int fmi3EnterContinuousTimeMode(void* m) { return m == NULL; }
int fmi3SetTime(void* m, double t) { return fmi2SetTime(m, t); }
int fmi3SetContinuousStates(void* m, const double* x, size_t n) { return fmi2SetContinuousStates(m, x, n); }
int fmi3GetContinuousStates(void* m, double* x, size_t n) { return fmi2GetContinuousStates(m, x, n); }
int fmi3GetContinuousStateDerivatives(void* m, double* x, size_t n) { return fmi2GetDerivatives(m, x, n); }
int fmi3GetEventIndicators(void* m, double* z, size_t n) { return fmi2GetEventIndicators(m, z, n); }
