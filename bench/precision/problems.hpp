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
  bool chaotic = false;  ///< errors grow without bound: no factor is asked for
};

const std::vector<Problem>& problems();

}  // namespace bench
