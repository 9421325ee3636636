#include "programs.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "coenergy/compile/compile.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/io/simulation_options.hpp"
#include "coenergy/io/spice.hpp"
#include "coenergy/io/spice_expression.hpp"
#include "coenergy/solve/simulate.hpp"

namespace bench {

using namespace coenergy;

namespace {

double number(const std::string& text) { return *io::spice::parse_number(text); }

double thread_time() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Processor time of one call of a program through the shell.
double time_of_call(const std::string& call) {
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", call.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  rusage usage{};
  int status = 0;
  wait4(child, &status, 0, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::filesystem::path folder() {
  static const std::filesystem::path path = [] {
    std::string name = (std::filesystem::temp_directory_path() / "bench_XXXXXX").string();
    return std::filesystem::path(mkdtemp(name.data()));
  }();
  return path;
}

std::string analysis(const Circuit& c, const Setting& s, double factor) {
  std::ostringstream text;
  text << ".options reltol=" << s.reltol << " vntol=" << s.reltol * factor << " abstol=" << 1e-3 * s.reltol * factor
       << " method=" << s.method << "\n.tran " << c.step << " " << c.stop << " 0 " << s.max_step
       << (c.given_start ? " uic" : "") << "\n";
  return text.str();
}

}  // namespace

Circuit read_circuit(const std::string& path, double accuracy) {
  Circuit c;
  c.name = std::filesystem::path(path).stem();
  c.accuracy = accuracy;
  std::ifstream file(path);
  static const std::regex signal(R"([vi]\([^)]*\))");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == ".tran") {
      words >> c.step >> c.stop;
      c.given_start = line.find("uic") != std::string::npos;
    } else if (word == ".print") {
      for (std::sregex_iterator i(line.begin(), line.end(), signal); i != std::sregex_iterator(); ++i)
        c.signals.push_back(i->str());
    } else if (word != ".end") {
      c.netlist += line + "\n";
    }
  }
  return c;
}

Circuit make_ladder(int sections, double accuracy) {
  Circuit c;
  c.name = "ladder of " + std::to_string(sections) + " sections";
  c.step = "10u", c.stop = "1m", c.accuracy = accuracy;
  std::ostringstream text;
  text << c.name << "\nV1 n0 0 PULSE(0 1 0 1u 1u 1 2)\n";
  for (int k = 1; k <= sections; ++k)
    text << "R" << k << " n" << k - 1 << " n" << k << " 1\nC" << k << " n" << k << " 0 1n\n";
  c.netlist = text.str();
  c.signals = {"v(n250)", "v(n500)"};
  return c;
}

std::vector<double> grid_of(const Circuit& c) {
  std::vector<double> times;
  const double step = number(c.step), stop = number(c.stop);
  for (int k = 1; k * step < stop * (1 + 1e-9); ++k) times.push_back(k * step);
  return times;
}

Run run_coenergy(const Circuit& c, const Setting& s, bool as_process, bool count_making) {
  Run run;
  std::string text = c.netlist + analysis(c, s, 1e-2);
  if (as_process) {
    const std::string file = (folder() / "coenergy.cir").string();
    std::ofstream(file) << text << ".end\n";
    run.process = time_of_call(std::string(BENCH_COENERGY) + " run " + file + " > /dev/null 2>&1");
  }
  io::Netlist netlist = io::parse_netlist(text, "netlist.cir");
  solve::Options options = io::read_simulation_options(netlist.model);
  for (const std::string& signal : c.signals)
    options.signals.push_back(signal.substr(2, signal.size() - 3) + (signal[0] == 'v' ? ".v" : ".i"));
  options.record_events = false;
  const compile::Compiled compiled = compile::compile(netlist.model, domains::make_standard_registry());
  // programs are made when they are first needed: in an empty analysis, as ngspice's own is taken off
  if (!count_making) {
    solve::Options empty = options;
    empty.t_end = empty.t_start + 1e-15;
    solve::simulate(compiled.system, empty);
  }
  equations::Evaluator evaluator(compiled.system);
  const double begin = thread_time();
  const solve::Result result = solve::simulate(evaluator, options);
  run.transient = thread_time() - begin;
  run.good = result.status == solve::Status::done;
  if (!run.good) return run;
  // rows of the grid; the first is the start
  std::size_t row = 0;
  for (const double t : grid_of(c)) {
    while (row + 1 < result.times.size() && result.times[row] < t * (1 - 1e-9)) ++row;
    const auto values = result.row(row);
    run.values.insert(run.values.end(), values.begin(), values.end());
  }
  return run;
}

Run run_ngspice(const Circuit& c, const Setting& s) {
  std::string names;
  for (const std::string& signal : c.signals) names += " " + signal;
  const std::string begin = c.netlist + analysis(c, s, 1e-2) + ".save" + names + "\n.control\nset noinit\nrun\n",
                    end = ".endc\n.end\n";
  std::ofstream(folder() / "ngspice.cir") << begin << "set numdgt=14\nset wr_singlescale\nwrdata waves" << names << "\n"
                                          << end;
  std::ofstream(folder() / "timed.cir") << begin << end;
  Run run;
  run.process = time_of_call("cd " + folder().string() + " && rm -f waves && ngspice -b ngspice.cir > log 2>&1");
  // the analysis is timed without writing the waves, as ours is
  const double computing = time_of_call("cd " + folder().string() + " && ngspice -b timed.cir > log 2>&1");
  // ngspice tells wall time of the analysis; processor time is that of the program less that of an empty analysis
  static std::map<std::string, double> start;
  const auto [place, is_new] = start.emplace(c.name, INFINITY);
  for (int k = 0; is_new && k < 5; ++k) {
    std::ofstream(folder() / "empty.cir")
        << c.netlist << ".tran 1f 1f uic\n.save" << names << "\n.control\nrun\n.endc\n.end\n";
    const double time = time_of_call("cd " + folder().string() + " && ngspice -b empty.cir > log 2>&1");
    place->second = std::min(place->second, time);
  }
  run.transient = computing - place->second;
  // linear interpolation to the grid, as ngspice itself prints its rows
  std::ifstream table(folder() / "waves");
  const std::vector<double> grid = grid_of(c);
  std::vector<double> last(c.signals.size() + 1), next(last);
  std::size_t k = 0;
  bool first = true;
  for (double x; table >> x; first = false) {
    last = next;
    next[0] = x;
    for (std::size_t i = 1; i < next.size(); ++i) table >> next[i];
    if (first) last = next;
    for (; k < grid.size() && grid[k] <= next[0] * (1 + 1e-12); ++k)
      for (std::size_t i = 1; i < next.size(); ++i) {
        const double part = next[0] > last[0] ? (grid[k] - last[0]) / (next[0] - last[0]) : 1;
        run.values.push_back(last[i] + part * (next[i] - last[i]));
      }
  }
  run.good = k == grid.size();
  return run;
}

double compute_error(const Circuit& c, const Run& run, const Run& reference) {
  if (!run.good || run.values.size() != reference.values.size()) return INFINITY;
  double worst = 0;
  const std::size_t n = c.signals.size();
  for (std::size_t i = 0; i < n; ++i) {
    double largest = 0, error = 0;
    for (std::size_t k = i; k < run.values.size(); k += n) {
      largest = std::max(largest, std::abs(reference.values[k]));
      error = std::max(error, std::abs(run.values[k] - reference.values[k]));
    }
    worst = std::max(worst, error / largest);
  }
  return worst;
}

}  // namespace bench
