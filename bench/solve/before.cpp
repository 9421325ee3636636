#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <vector>

#include "problems.hpp"
#include "sections.hpp"

namespace bench {
namespace {

namespace fs = std::filesystem;

/// The last row of a result, by signal.
using Row = std::map<std::string, double>;

struct Outcome {
  bool good = false;
  double time = INFINITY;  ///< user time of the process, s
  Row last;
};

Row read_last_row(const fs::path& file) {
  std::ifstream in(file);
  std::string line, names, last;
  while (std::getline(in, line)) {
    if (line.empty() || line[0] == '#') continue;
    if (names.empty()) names = line;
    last = line;
  }
  Row row;
  std::istringstream a(names), b(last);
  std::string name, value;
  while (std::getline(a, name, ',') && std::getline(b, value, ',')) {
    // "name [unit]", perhaps in quotes
    std::erase(name, '"');
    row[name.substr(0, name.find(' '))] = std::atof(value.c_str());
  }
  return row;
}

/// Two programs, and a folder for what they read and write.
class Programs {
 public:
  Programs(std::string now, std::string before)
      : program_{std::move(now), std::move(before)},
        folder_(fs::temp_directory_path() / fmt::format("bench_solve.{}", getpid())) {
    fs::create_directories(folder_);
  }
  ~Programs() { fs::remove_all(folder_); }
  Programs(const Programs&) = delete;
  Programs& operator=(const Programs&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  Outcome run(int which, std::vector<std::string> arguments) const {
    const fs::path result = folder_ / "result.csv";
    fs::remove(result);
    arguments.insert(arguments.begin(), {program_[which], "run"});
    arguments.insert(arguments.end(), {"-o", result.string()});
    std::vector<char*> argv;
    for (std::string& a : arguments) argv.push_back(a.data());
    argv.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      std::freopen("/dev/null", "w", stdout);
      std::freopen("/dev/null", "w", stderr);
      execv(argv[0], argv.data());
      _exit(127);
    }
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    Outcome o{WIFEXITED(status) && WEXITSTATUS(status) == 0,
              double(usage.ru_utime.tv_sec) + 1e-6 * double(usage.ru_utime.tv_usec),
              {}};
    if (o.good) o.last = read_last_row(result);
    return o;
  }

 private:
  std::string program_[2];
  fs::path folder_;
};

/// The best of some runs of both programs, in turns; each by its own arguments.
std::array<Outcome, 2> measure(const Programs& programs, const std::vector<std::string>& now,
                               const std::vector<std::string>& before, int rounds) {
  std::array<Outcome, 2> best;
  for (int k = 0; k < rounds; ++k)
    for (int which : {0, 1}) {
      const Outcome o = programs.run(which, which == 0 ? now : before);
      if (o.good && o.time < best[which].time) best[which] = o;
    }
  return best;
}

/// The same run by both programs.
void compare(Report& report, const Programs& programs, const std::string& what,
             const std::vector<std::string>& arguments, double times_as_fast, int rounds) {
  const auto [now, before] = measure(programs, arguments, arguments, rounds);
  report.note(fmt::format("{}: {:.3f} s, before {:.3f} s", what, now.time, before.time));
  report.at_least(what + ": times as fast as before", before.time / now.time, times_as_fast, "");
}

/// Each program at the loosest tolerance by which it reaches the accuracy.
void compare_four_bars(Report& report, const Programs& programs, const std::string& formulation, double accuracy,
                       double times_as_fast, int rounds) {
  const int windows = 40;
  const double t = 10;
  const Place right = find_four_bar(windows, t);
  const std::string file = programs.write(fmt::format("bars_{}.yaml", formulation), four_bars(windows, formulation));
  std::vector<std::string> arguments[2];
  double errors[2] = {INFINITY, INFINITY};
  for (int which : {0, 1}) {
    for (double exponent = 3; exponent <= 10; exponent += 1) {
      const std::string rtol = fmt::format("1e-{:g}", exponent);
      arguments[which] = {file, "--method", "radau", "--rtol",        rtol, "--atol",
                          rtol, "--t-end",  "10",    "--output-step", "10"};
      const Outcome o = programs.run(which, arguments[which]);
      if (!o.good) continue;
      errors[which] = std::hypot(o.last.at("B0.x") - right.x, o.last.at("B0.y") - right.y);
      report.note(fmt::format("{} {}: rtol {} error {:.1e} {:.3f} s", formulation, which == 0 ? "now" : "before", rtol,
                              errors[which], o.time));
      if (errors[which] <= accuracy) break;
    }
  }
  const auto [now, before] = measure(programs, arguments[0], arguments[1], rounds);
  const std::string what = fmt::format("40 four-bars, {} coordinates, {:.0e}", formulation, accuracy);
  report.note(fmt::format("{}: {:.3f} s at rtol {}, before {:.3f} s at rtol {}", what, now.time, arguments[0][4],
                          before.time, arguments[1][4]));
  report.at_least(what + ": times as fast as before", before.time / now.time, times_as_fast, "");
}

}  // namespace

void run_before(Report& report, const std::string& program, const std::string& before) {
  const Programs programs(program, before);
  const std::string examples = BENCH_EXAMPLES;
  report.heading("against an earlier program: user time, in turns");
  const std::string file = programs.write("pendulum.yaml", pendulum());
  compare(report, programs, "pendulum, a million steps of generalised-alpha",
          {file, "--method", "generalized-alpha", "--step", "1e-4", "--t-end", "100", "--output-step", "10"}, 1, 3);
  compare(report, programs, "pendulum, radau at 1e-9 over 1000 s",
          {file, "--method", "radau", "--rtol", "1e-9", "--atol", "1e-9", "--t-end", "1000", "--output-step", "100"}, 1,
          3);
  compare_four_bars(report, programs, "relative", 1e-5, 1, 3);
  compare_four_bars(report, programs, "absolute", 1e-5, 10, 2);
  compare(report, programs, "examples/07_everything", {examples + "/07_everything/everything.yaml"}, 2, 3);
  compare(report, programs, "examples/bogie", {examples + "/bogie/bogie.yaml"}, 2, 3);
}

}  // namespace bench
