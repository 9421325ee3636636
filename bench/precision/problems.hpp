#pragma once
#include <string>
#include <vector>

namespace bench {

/// A model, how long it runs, and what is known of it. Signals that are compared are those of its plots but for
/// energies, or the given ones: not differences of nearly equal voltages over a small resistance, which have lost
/// digits.
struct Problem {
  std::string name;
  std::string example;  ///< file below examples/, or empty: the text is the model
  std::string text;
  double t_end = 0;    ///< s; 0: as the file says
  bool stiff = false;  ///< explicit methods would need a step for each of many short times
  std::vector<std::string> signals{};
  /// Of the tight run; empty: dop853, or radau where it is stiff. Of 29 J of Bricard's mechanism dop853 at 1e-13 loses
  /// 2e-10 J in two seconds, radau 1e-12 J; of the wheelset radau at 1e-13 takes 335 steps, for 3 mm beside a way of 10 m.
  std::string reference{};
  bool chaotic = false;  ///< errors grow without bound: no factor is asked for
};

const std::vector<Problem>& problems();

}  // namespace bench
