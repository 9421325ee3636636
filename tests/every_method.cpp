#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <sstream>

#include "coenergy/io/spice.hpp"
#include "tests/example_run.hpp"

// Every example, every netlist and every model in the sources of the tests, by every method that accepts it and in both
// formulations: equal to a tight reference within what the method promises, or refused. Prints the table.
//
// A method with error control promises a tolerance for each step: errors of steps add up, and where the model amplifies
// them, as an impact that is just missed does, it amplifies those of the reference as well:
//
//   |x − x*| ≤ tol · (30 + 3 steps) · size + 30 · tol/1e-10 · |x_nearby − x*|     x* at 1e-12, x_nearby at 1e-10
//
// A method with fixed steps promises its order: with a quarter of the step the error falls to less than a half, or it is
// within a thousandth of the size, or within what the model makes of that.

namespace coenergy::tests {
namespace {

constexpr double tolerance = 1e-6, nearby_tolerance = 1e-10, best_tolerance = 1e-12;
constexpr double instants = 7.3;             // rows per run: no whole number, since rows shall not meet events
constexpr double longest = 5, fixed = 1000;  // s of processor time for a run; steps of the coarse one

struct Case {
  std::string name;
  model::Model model;
};

/// Signals at some instants, or why there are none.
struct Course {
  bool good = false, stopped = false;
  std::string text;
  std::vector<double> values;  // by row
  std::vector<std::string> names, units;
  long steps = 0;
};

double user_time() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_utime.tv_sec) + 1e-6 * double(usage.ru_utime.tv_usec);
}

std::string read_all(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<std::filesystem::path> list_files(const char* folder, const char* ending) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::filesystem::path(COENERGY_SOURCE_DIR) / folder))
    if (entry.path().string().ends_with(ending)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// Whether a file or text is a machine that can be run as it stands; those that tests complete or mean to be wrong are
/// not.
template <class Read>
void add_case(const std::string& name, Read&& read, std::vector<Case>& cases) {
  const char* const only = std::getenv("COENERGY_CASES");
  if (only != nullptr && name.find(only) == std::string::npos) return;
  try {
    Case c{name, read()};
    io::read_simulation_options(c.model);
    if (compile_model(c.model).n() > 0) cases.push_back(std::move(c));
  } catch (const Error&) {
  }
}

/// Models between R"y( and )y" in a source file, named by its lines.
void add_models_of_source(const std::filesystem::path& file, std::vector<Case>& cases) {
  const std::string text = read_all(file);
  static const std::regex opening(R"re(R"([a-z]*)\()re");
  for (std::sregex_iterator i(text.begin(), text.end(), opening), none; i != none; ++i) {
    const auto begin = std::size_t(i->position() + i->length());
    const std::size_t end = text.find(")" + i->str(1) + "\"", begin);
    const std::string model = text.substr(begin, end - begin);
    if (end == std::string::npos || model.find("components:") == std::string::npos) continue;
    const auto line = std::count(text.begin(), text.begin() + i->position(), '\n') + 1;
    const std::string name = fmt::format("{}:{}", file.stem().string(), line);
    add_case(
        name, [&] { return io::parse_model(model, (file.parent_path() / "m.yaml").string()); }, cases);
  }
}

std::vector<Case> list_cases() {
  std::vector<Case> cases;
  for (const auto& file : list_files("examples", ".yaml"))
    add_case(
        "examples/" + file.stem().string(), [&] { return io::read_model(file); }, cases);
  for (const auto& file : list_files("tests/netlists", ".cir"))
    add_case(
        "netlists/" + file.stem().string(), [&] { return io::read_spice(file); }, cases);
  for (const char* folder : {"tests", "coenergy", "bench/precision"})
    for (const auto& file : list_files(folder, ".cpp")) add_models_of_source(file, cases);
  return cases;
}

Course follow(const equations::System& system, solve::Options options) {
  options.output_step = (options.t_end - options.t_start) / instants;
  options.record_events = false;
  options.signals.clear();
  const double begin = user_time();
  solve::Hooks hooks;
  hooks.progress = [&](const solve::Progress&) { return user_time() - begin < longest; };
  Course course;
  try {
    const solve::Result result = solve::simulate(system, options, hooks);
    course.good = result.status == solve::Status::done;
    course.stopped = result.status == solve::Status::stopped;
    course.text = result.text;
    course.values = result.values;
    course.names = result.names, course.units = result.units;
    course.steps = result.statistics.steps;
  } catch (const Error& e) {
    course.text = e.what();
  }
  return course;
}

/// The sizes of signals: the largest value, but at least a thousandth of that of a signal of the same unit, and a
/// hundredth of the unit.
std::vector<double> find_sizes(const Course& c) {
  const std::size_t n = c.names.size();
  std::vector<double> sizes(n);
  std::map<std::string, double> of_unit;
  for (std::size_t k = 0; k < c.values.size(); ++k) {
    sizes[k % n] = std::max(sizes[k % n], std::abs(c.values[k]));
    of_unit[c.units[k % n]] = std::max(of_unit[c.units[k % n]], std::abs(c.values[k]));
  }
  for (std::size_t k = 0; k < n; ++k) sizes[k] = std::max({sizes[k], 1e-3 * of_unit[c.units[k]], 1e-2});
  return sizes;
}

class Table {
 public:
  void compare(const Case& c);
  void print() const {
    fmt::print(
        "{} models: {} runs agree, {} are refused, {} are too long, {} too coarse, {} of models without a "
        "tight reference; {} are wrong\n",
        models_, agreed_, refused_, stopped_, coarse_, unknown_, wrong_);
    for (const auto& [text, count] : reasons_) fmt::print("  {:4} refused: {}\n", count, text);
  }
  int agreed() const { return agreed_; }
  int models() const { return models_; }

 private:
  struct Worst {
    double part = 0;  // of what is allowed
    std::string where;
  };
  template <class Allowed>
  Worst find_worst(const Course& found, Allowed&& allowed) const;
  void compare_methods(const std::string& name, const equations::System& system, const solve::Options& own);
  std::string check_tolerance(const std::string& name, const equations::System& system, solve::Options options);
  std::string check_order(const std::string& name, const equations::System& system, solve::Options options);
  std::string refuse(const Course& c);
  std::string tell_wrong(const std::string& name, const std::string& method, const Worst& worst);

  Course best_, nearby_;
  std::vector<double> sizes_;
  int models_ = 0, agreed_ = 0, refused_ = 0, stopped_ = 0, coarse_ = 0, unknown_ = 0, wrong_ = 0;
  std::map<std::string, int> reasons_;
};

void Table::compare(const Case& c) {
  std::optional<std::size_t> unknowns;
  for (const char* formulation : {"relative", "absolute"}) {
    model::Model m = c.model;
    solve::Options options;
    try {
      options = io::read_simulation_options(m);
      m.formulation = formulation;
      const equations::System system = compile_model(m);
      // where there are no bodies, both are one
      if (system.nv() == 0 && unknowns) return;
      unknowns = system.n();
      compare_methods(c.name + (system.nv() == 0 ? "" : std::string(" ") + formulation), system, options);
    } catch (const Error&) {
      continue;  // flexible bodies have one formulation
    }
  }
}

void Table::compare_methods(const std::string& name, const equations::System& system, const solve::Options& own) {
  solve::Options options;
  options.t_start = own.t_start, options.t_end = own.t_end, options.start = own.start;
  options.hold = own.hold, options.guess = own.guess;
  const auto with = [&](const std::string& method, double tol) {
    solve::Options o = options;
    o.method = method, o.rtol = tol, o.atol = 1e-2 * tol;
    return o;
  };
  best_ = follow(system, with("radau", best_tolerance));
  nearby_ = follow(system, with("radau", nearby_tolerance));
  fmt::print("{:<44}", name);
  if (!best_.good || !nearby_.good) {
    const Course& why = best_.good ? nearby_ : best_;
    ++(why.stopped ? unknown_ : refused_);
    fmt::print(" no reference: {}\n", why.text.substr(0, 100));
    return;
  }
  ++models_;
  sizes_ = find_sizes(best_);
  for (const std::string& method : solve::method_names()) {
    solve::Options o = with(method, tolerance);
    const bool adaptive = solve::has_error_estimate(method);
    if (!adaptive) o.rtol = solve::Options{}.rtol, o.atol = solve::Options{}.atol;
    fmt::print(" {}", adaptive ? check_tolerance(name, system, o) : check_order(name, system, o));
    std::fflush(stdout);
  }
  fmt::print("\n");
}

template <class Allowed>
Table::Worst Table::find_worst(const Course& found, Allowed&& allowed) const {
  Worst worst;
  const std::size_t n = best_.names.size();
  if (found.values.size() != best_.values.size()) return {INFINITY, "rows are missing"};
  for (std::size_t k = 0; k < best_.values.size(); ++k) {
    const double part = std::abs(found.values[k] - best_.values[k]) / allowed(k, sizes_[k % n]);
    if (part <= worst.part) continue;
    worst = {part, fmt::format("{} in row {}: {:.10g} instead of {:.10g}", best_.names[k % n], k / n, found.values[k],
                               best_.values[k])};
    if (std::isnan(part)) worst.part = INFINITY;
  }
  return worst;
}

std::string Table::check_tolerance(const std::string& name, const equations::System& system, solve::Options options) {
  const Course found = follow(system, options);
  if (!found.good) return refuse(found);
  const auto amplified = [&](std::size_t k) {
    return 30 * tolerance / nearby_tolerance * std::abs(nearby_.values[k] - best_.values[k]);
  };
  const Worst worst = find_worst(found, [&](std::size_t k, double size) {
    return tolerance * double(30 + 3 * found.steps) * size + amplified(k);
  });
  if (!(worst.part <= 1)) return tell_wrong(name, options.method, worst);
  ++agreed_;
  return fmt::format("{:7.1e}", find_worst(found, [](std::size_t, double size) { return tolerance * size; }).part);
}

std::string Table::check_order(const std::string& name, const equations::System& system, solve::Options options) {
  constexpr double fine = 1e-3, falls = 0.5, gross = 0.5;
  const auto error = [&](double steps, Course& found) {
    options.step = (options.t_end - options.t_start) / steps;
    found = follow(system, options);
    return find_worst(found, [](std::size_t, double size) { return size; });
  };
  Course coarse, found;
  const Worst before = error(fixed, coarse), after = error(4 * fixed, found);
  if (!found.good) return refuse(found);
  const Worst amplified = find_worst(found, [&](std::size_t k, double size) {
    return fine * (size + 30 / nearby_tolerance * std::abs(nearby_.values[k] - best_.values[k]));
  });
  if (amplified.part <= 1 || (coarse.good && after.part <= falls * before.part)) {
    ++agreed_;
    return fmt::format("{:7.1e}", after.part);
  }
  // steps longer than what happens
  if (!coarse.good || after.part > gross) {
    ++coarse_;
    return "coarse ";
  }
  return tell_wrong(name, options.method, after);
}

std::string Table::refuse(const Course& c) {
  if (c.stopped) {
    ++stopped_;
    return "too long";
  }
  ++refused_;
  ++reasons_[c.text.substr(0, c.text.find(" at t =")).substr(0, 60)];
  return "refused";
}

std::string Table::tell_wrong(const std::string& name, const std::string& method, const Worst& worst) {
  ++wrong_;
  ADD_FAILURE() << name << " by " << method << ": " << worst.where << ", " << worst.part << " of what is allowed";
  return "WRONG  ";
}

TEST(EveryMethod, IsRightOrRefuses) {
  fmt::print("errors in units of the tolerance {:g}, or of the size where steps are fixed\n{:<44}", tolerance, "");
  for (const std::string& method : solve::method_names()) fmt::print(" {:.7}", method);
  fmt::print("\n");
  Table table;
  for (const Case& c : list_cases()) table.compare(c);
  table.print();
  EXPECT_GT(table.agreed(), 5 * table.models());
}

}  // namespace
}  // namespace coenergy::tests
