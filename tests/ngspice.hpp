#pragma once
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/program.hpp"

namespace coenergy::tests {

/// Signals of one ngspice run over its own time points.
struct Waves {
  std::vector<double> times;
  std::vector<std::vector<double>> values;  ///< of each signal
  std::string failure;                      ///< why there are none

  /// Linear interpolation between the points.
  double at(std::size_t signal, double t) const {
    const auto after = std::upper_bound(times.begin(), times.end(), t);
    if (after == times.begin()) return values[signal].front();
    if (after == times.end()) return values[signal].back();
    const std::size_t k = static_cast<std::size_t>(after - times.begin());
    const double part = (t - times[k - 1]) / (times[k] - times[k - 1]);
    return values[signal][k - 1] + part * (values[signal][k] - values[signal][k - 1]);
  }
};

/// What ngspice prints for commands of its own, and the numbers of the file `table` that wrdata may have written.
struct NgspiceOutput {
  std::string log;
  std::vector<std::vector<double>> table;

  /// The number behind "name = " in the log.
  double printed(const std::string& name) const {
    const std::size_t at = log.find("\n" + name + " = ");
    return at == std::string::npos ? std::nan("") : std::stod(log.substr(at + name.size() + 4));
  }
};

/// Runs a netlist by ngspice with commands instead of its cards for analyses.
inline NgspiceOutput command_ngspice(const std::string& netlist, const std::string& commands) {
  const Folder folder;
  std::istringstream lines(netlist);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    bool skipped = line == ".end" || line == ".op";
    for (const char* card : {".tran", ".print", ".ac ", ".dc "}) skipped = skipped || line.starts_with(card);
    if (!skipped) text += line + "\n";
  }
  text += ".control\nset numdgt=14\nset wr_singlescale\n" + commands + "\n.endc\n.end\n";
  folder.write("netlist.cir", text);
  const std::string call = "cd " + (folder / "").string() + " && ngspice -b netlist.cir > log 2>&1";
  [[maybe_unused]] const int status = std::system(call.c_str());
  NgspiceOutput output{read_text(folder / "log"), {}};
  std::ifstream table(folder / "table");
  for (std::string line; std::getline(table, line);) {
    std::istringstream words(line);
    output.table.emplace_back();
    for (double x; words >> x;) output.table.back().push_back(x);
  }
  return output;
}

inline bool has_ngspice() { return std::system("ngspice --version > /dev/null 2>&1") == 0; }

/// Runs a netlist by ngspice. Lines of `options` replace its .tran card; `signals` are as in .print: v(out), i(L1).
inline Waves run_ngspice(const std::string& netlist, const std::string& options,
                         const std::vector<std::string>& signals) {
  const Folder folder;
  std::istringstream lines(netlist);
  std::string text;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with(".tran") && !line.starts_with(".print") && line != ".end") text += line + "\n";
  text += options + "\n.save";
  for (const std::string& s : signals) text += " " + s;
  text += "\n.control\nset numdgt=14\nset wr_singlescale\nrun\nwrdata waves";
  for (const std::string& s : signals) text += " " + s;
  text += "\n.endc\n.end\n";
  folder.write("netlist.cir", text);
  // from within the folder: ngspice writes the names of files in small letters
  const std::string call = "cd " + (folder / "").string() + " && ngspice -b netlist.cir > log 2>&1";
  const int status = std::system(call.c_str());
  Waves waves;
  waves.values.resize(signals.size());
  std::ifstream table(folder / "waves");
  for (double t; table >> t;) {
    waves.times.push_back(t);
    for (auto& column : waves.values) {
      double x = 0;
      table >> x;
      column.push_back(x);
    }
  }
  if (waves.times.size() < 2) {
    const std::string log = read_text(folder / "log");
    waves.failure = "ngspice ended with status " + std::to_string(status) + ": …" +
                    log.substr(log.size() - std::min<std::size_t>(log.size(), 500));
  }
  return waves;
}

}  // namespace coenergy::tests
