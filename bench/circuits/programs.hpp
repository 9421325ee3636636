#pragma once
#include <string>
#include <vector>

namespace bench {

/// A netlist without its .tran and .print, and what is compared.
struct Circuit {
  std::string name, netlist;
  std::string step, stop;            ///< of .tran
  bool given_start = false;          ///< uic
  std::vector<std::string> signals;  ///< v(out), i(L1)
  double accuracy = 1e-3;            ///< error allowed, as a part of the largest value of each signal
};
Circuit read_circuit(const std::string& path, double accuracy);
/// RC ladder with a pulse at its start; 2 n + 1 elements.
Circuit make_ladder(int sections, double accuracy);

struct Setting {
  double reltol = 1e-3;
  double max_step = 0;  ///< s
  std::string method;   ///< of integration, by the name the program has for it
};

/// Signals at the times of the grid, row by row, and what they cost.
struct Run {
  std::vector<double> values;
  double transient = 0;  ///< s, processor time of the analysis alone
  double process = 0;    ///< s, processor time of the whole program
  bool good = false;
};
/// `as_process`: also as a program of its own. `count_making`: the analysis includes making its programs.
Run run_coenergy(const Circuit& c, const Setting& s, bool as_process, bool count_making);
Run run_ngspice(const Circuit& c, const Setting& s);

/// Times at which results are compared.
std::vector<double> grid_of(const Circuit& c);
/// Largest error of a signal, as a part of its largest value.
double compute_error(const Circuit& c, const Run& run, const Run& reference);

}  // namespace bench
