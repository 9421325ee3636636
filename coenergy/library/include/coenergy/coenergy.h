/* The library of coenergy for C and for languages that call C.
 *
 *   coenergy_model* m = coenergy_load("crane.yaml");
 *   if (m == NULL) puts(coenergy_error());
 *   coenergy_set(m, "motor.R", "1.2 ohm");
 *   coenergy_simulator* s = coenergy_simulate(m);
 *   coenergy_set_input(s, "U1.v", 3.0);
 *   coenergy_step(s, 1e-3);
 *   double w;
 *   coenergy_get(s, "wheel.w", &w);
 *
 * Numbers are SI. Functions that return int return 0 where all is well, 1 where a computation failed, 2 where the model
 * or the call is wrong, and 3 from coenergy_step where the run has come to its end; those that return pointers return
 * NULL then. coenergy_error() tells why, of the last call in this thread. */
#ifndef COENERGY_H
#define COENERGY_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct coenergy_model coenergy_model;
typedef struct coenergy_simulator coenergy_simulator;
typedef struct coenergy_result coenergy_result;

const char* coenergy_version(void);
const char* coenergy_error(void);

coenergy_model* coenergy_load(const char* path);
void coenergy_free_model(coenergy_model* model);
/* component.entry, a parameter or simulate.entry, as it would stand in a model file */
int coenergy_set(coenergy_model* model, const char* path, const char* value);
/* a run to its end; t_end < 0: that of the model */
coenergy_result* coenergy_run(const coenergy_model* model, double t_end);

/* a run that is driven from outside; it may outlive its model */
coenergy_simulator* coenergy_simulate(const coenergy_model* model);
void coenergy_free_simulator(coenergy_simulator* simulator);
int coenergy_set_input(coenergy_simulator* simulator, const char* name, double value);
int coenergy_step(coenergy_simulator* simulator, double dt);
int coenergy_get(coenergy_simulator* simulator, const char* name, double* value);
/* the state as bytes: *size is how many there are, and at most that many of them as it says are written to buffer, which
 * may be NULL to ask for the size alone */
int coenergy_save(coenergy_simulator* simulator, void* buffer, size_t* size);
int coenergy_load_state(coenergy_simulator* simulator, const void* buffer, size_t size);

void coenergy_free_result(coenergy_result* result);
size_t coenergy_rows(const coenergy_result* result);
size_t coenergy_signals(const coenergy_result* result);
const char* coenergy_signal_name(const coenergy_result* result, size_t signal);
const char* coenergy_signal_unit(const coenergy_result* result, size_t signal);
/* rows numbers of a signal ("time" too) into values */
int coenergy_read(const coenergy_result* result, const char* signal, double* values);
/* in the format of the ending: .csv, .h5, .mat, .raw */
int coenergy_write(const coenergy_result* result, const char* path);
/* how it ended; 1 where the run failed */
const char* coenergy_ended(const coenergy_result* result);
int coenergy_status(const coenergy_result* result);

#ifdef __cplusplus
}
#endif
#endif
