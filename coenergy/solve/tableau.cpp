#include "coenergy/solve/tableau.hpp"

namespace coenergy::solve {

const Tableau& Tableau::euler() {
  static const Tableau t{.stages = 1, .c = {0}, .a = {}, .b = {1}, .b_error = {}};
  return t;
}

const Tableau& Tableau::rk4() {
  static const Tableau t{.stages = 4,
                         .c = {0, 0.5, 0.5, 1},
                         .a = {0.5, 0, 0.5, 0, 0, 1},
                         .b = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6},
                         .b_error = {}};
  return t;
}

/// Hairer, Nørsett & Wanner, Solving ODEs I, II.6: order 4.
static void weights_of_dormand_prince(double s, double* w) {
  const std::vector<double>& b = Tableau::dormand_prince().b;
  const double r = 1 - s, u = s * s * (3 - 2 * s), v = s * s * r * r;
  w[0] = u * b[0] + s * r * r - v * 5 * (2558722523 - 31403016 * s) / 11282082432;
  w[1] = 0;
  w[2] = u * b[2] + v * 100 * (882725551 - 15701508 * s) / 32700410799;
  w[3] = u * b[3] - v * 25 * (443332067 - 31403016 * s) / 1880347072;
  w[4] = u * b[4] + v * 32805 * (23143187 - 3489224 * s) / 199316789632;
  w[5] = u * b[5] - v * 55 * (29972135 - 7076736 * s) / 822651844;
  w[6] = -s * s * r + v * 10 * (7414447 - 829305 * s) / 29380423;
}

const Tableau& Tableau::dormand_prince() {
  static const Tableau t{
      .stages = 7,
      .c = {0, 0.2, 0.3, 0.8, 8.0 / 9, 1, 1},
      .a = {1.0 / 5,                    //
            3.0 / 40,        9.0 / 40,  //
            44.0 / 45,       -56.0 / 15,
            32.0 / 9,  //
            19372.0 / 6561,  -25360.0 / 2187,
            64448.0 / 6561,  -212.0 / 729,  //
            9017.0 / 3168,   -355.0 / 33,
            46732.0 / 5247,  49.0 / 176,
            -5103.0 / 18656,  //
            35.0 / 384,      0,
            500.0 / 1113,    125.0 / 192,
            -2187.0 / 6784,  11.0 / 84},
      .b = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0},
      .b_error = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40},
      .last_is_next = true,
      .error_order = 5,
      .weights = weights_of_dormand_prince};
  return t;
}

}  // namespace coenergy::solve
