/* The same through the interface for C. */
#include <coenergy/coenergy.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  coenergy_model* m = coenergy_load(argv[1]);
  if (m == NULL) {
    printf("error %s\n", coenergy_error());
    return 1;
  }
  if (coenergy_set(m, "R.R", "2 kohm") != 0) return 1;
  coenergy_result* r = coenergy_run(m, 4e-3);
  if (r == NULL) return 1;
  double* v = malloc(coenergy_rows(r) * sizeof *v);
  if (v == NULL || coenergy_read(r, "C.v", v) != 0) return 1;
  printf("run %.6f %lu\n", v[coenergy_rows(r) - 1], (unsigned long)coenergy_signals(r));
  free(v);
  coenergy_simulator* s = coenergy_simulate(m);
  double once = 0, again = 1;
  size_t size = 0;
  if (coenergy_set_input(s, "U.v", 10) != 0 || coenergy_step(s, 2e-3) != 0) return 1;
  if (coenergy_save(s, NULL, &size) != 0) return 1;
  void* state = malloc(size);
  if (state == NULL || coenergy_save(s, state, &size) != 0 || coenergy_step(s, 1e-3) != 0) return 1;
  coenergy_get(s, "C.v", &once);
  if (coenergy_load_state(s, state, size) != 0 || coenergy_step(s, 1e-3) != 0) return 1;
  coenergy_get(s, "C.v", &again);
  printf("driven %.6f %d\n", once, once == again);
  const int status = coenergy_get(s, "C.w", &once);
  printf("wrong %d %s\n", status, coenergy_error());
  free(state);
  coenergy_free_simulator(s);
  coenergy_free_result(r);
  coenergy_free_model(m);
  return 0;
}
