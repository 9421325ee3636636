// One table: the derivatives of the examples' runs to their parameters, beside differences of runs with the differences'
// own accuracy, or why there are none. It is written to sensitivity_table.csv where the test runs. A few examples always;
// all of them, with every parameter, among the slow tests: COENERGY_CASES chooses those whose name has it in it.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "coenergy/io/part_file.hpp"
#include "coenergy/model/expand.hpp"
#include "tests/run_sensitivity.hpp"

namespace coenergy::tests {
namespace {

using analyze::Direction;
using analyze::Sensitivity;

/// A run of an example that is short enough to be repeated for every parameter.
struct Course {
  const char* file;
  double t_end;
};
constexpr Course always[] = {{"01_pendulum/pendulum", 0.7},
                             {"02_rlc/rlc", 0},
                             {"03_dc_servo/dc_servo", 0.1},
                             {"04_four_bar_pid/four_bar_digital", 0.06}};
constexpr Course others[] = {{"04_four_bar_pid/four_bar_pid", 0.1},
                             {"05_cantilever/cantilever", 5e-3},
                             {"06_hydraulic_cylinder/hydraulic_cylinder", 0.11},
                             {"07_everything/everything", 0.02},
                             {"andrews/andrews", 0.005},
                             {"bogie/bogie", 0.005},
                             {"bricard/bricard", 0.5},
                             {"class_e/class_e", 32e-6},
                             {"condenser_speaker/condenser_speaker", 2e-3},
                             {"flyball_governor/governor", 0.3},
                             {"generalised_machine/dc", 0.2},
                             {"generalised_machine/induction", 0.05},
                             {"generalised_machine/synchronous", 0.1},
                             {"induction_motor/induction_motor", 0.005},
                             {"induction_motor/induction_motor_vector", 0.005},
                             {"one_constraint/one_constraint", 0},
                             {"orthoglide/orthoglide", 0.2},
                             {"parts/barrier", 0.02},
                             {"parts/two_arms", 0.05},
                             {"ring_modulator/ring_modulator", 2e-5},
                             {"rlc_filter/rlc_filter", 0},
                             {"robot_arm/robot_arm", 0.05},
                             {"scara/scara", 0.1},
                             {"scara/scara_obstacle", 0.1},
                             {"scara/scara_sampled", 0.05},
                             {"servo_drive/servo_drive", 1e-3},
                             {"slider_crank/slider_crank", 0.2},
                             {"speaker/speaker", 2e-3},
                             {"step_motor/step_motor", 0.005},
                             {"stewart/stewart", 0.1},
                             {"stick_slip/stick_slip", 0.1},
                             {"transistor_amplifier/transistor_amplifier", 0.01},
                             {"triangle/triangle", 0},
                             {"two_link/two_link", 0.1},
                             {"wheelset/wheelset", 0.05},
                             {"bend45/bend45", 1e-3},
                             {"bogie/bogie_start", 0.005},
                             {"flexible_four_bar/fb1", 1e-3},
                             {"flexible_four_bar/flexible_four_bar", 1e-3},
                             {"flexible_slider_crank/flexible_slider_crank", 1e-3},
                             {"helicopter_blade/helicopter_blade", 5e-3},
                             {"hybrid_stepper/hybrid_stepper", 5e-3},
                             {"induction_motor/identification", 0.005},
                             {"maglev/maglev", 0.02},
                             {"maglev/open_loop", 0.02},
                             {"maglev/state_control", 0.02},
                             {"orthoglide/og1", 0.05},
                             {"parking_gate/parking_gate", 0.02},
                             {"planar_motor/coil_slide", 0.02},
                             {"planar_motor/hybrid_stepper", 5e-3},
                             {"princeton_beam/princeton_beam", 1e-3},
                             {"right_angle_frame/right_angle_frame", 1e-3},
                             {"servo_drive/servo_sampled", 1e-3},
                             {"spin_up/spin_up", 0.02},
                             {"wind_or_grid/grid_converter", 2e-3}};

constexpr double hundredth = -1;  // of the example's own run

/// Examples that run and are in neither list.
std::vector<std::string> find_further_examples() {
  namespace fs = std::filesystem;
  std::set<std::string> known;
  for (const Course& course : always) known.insert(course.file);
  for (const Course& course : others) known.insert(course.file);
  std::vector<std::string> names;
  for (const auto& file : fs::recursive_directory_iterator(COENERGY_SOURCE_DIR "/examples")) {
    if (file.path().extension() != ".yaml") continue;
    std::ifstream in(file.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::string name = file.path().parent_path().filename().string() + "/" + file.path().stem().string();
    // without it a file is a part of others
    if (text.find("\nsimulate:") != std::string::npos && known.count(name) == 0) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Example {
 public:
  explicit Example(const Course& course)
      : name_(course.file),
        model_(io::read_model(std::string(COENERGY_SOURCE_DIR "/examples/") + course.file + ".yaml")) {
    registry_ = domains::make_standard_registry();
    if (is_hierarchical(model_)) model_ = expand(model_, registry_);
    options_ = io::read_simulation_options(model_);
    if (course.t_end > 0) options_.t_end = course.t_end;
    if (course.t_end == hundredth) options_.t_end = options_.t_start + (options_.t_end - options_.t_start) / 100;
    options_.method = "radau", options_.step = 0, options_.adaptive = true, options_.rho_inf.reset(),
    options_.alpha_m.reset(), options_.alpha_f.reset();
    options_.coordinates = "all";
    options_.rtol = 1e-10, options_.atol = 1e-12;
    options_.output_step = options_.t_end - options_.t_start, options_.record_events = false;
    system_.emplace(compile::compile(model_, registry_).system);
    for (int i = 0; i < system_->nv() + system_->nl() + system_->nx(); ++i) {
      const std::string& unknown = system_->unknown(i).name;
      if (i < system_->nv() || i >= system_->nv() + system_->nl())
        if (system_->find_signal(unknown) >= 0 && !unknown.starts_with("energy.")) signals_.push_back(unknown);
    }
    options_.signals = signals_;
  }

  const std::string& name() const { return name_; }
  const std::vector<std::string>& signals() const { return signals_; }
  const equations::System& system() const { return *system_; }

  std::vector<std::string> parameters() const {
    std::vector<std::string> names;
    using Kind = equations::ParameterInfo::Kind;
    for (int k = 0; k < system_->parameters(); ++k)
      if (const Kind kind = system_->parameter_info(k).kind;
          kind == Kind::entry || kind == Kind::model || kind == Kind::start)
        names.push_back(system_->parameter_name(k));
    return names;
  }
  Direction direction(const std::string& parameter) const {
    return analyze::find_direction(model_, registry_, *system_, parameter);
  }
  Sensitivity differentiate(const std::vector<Direction>& directions) const {
    try {
      equations::Evaluator evaluator(*system_);
      return analyze::simulate_sensitivity(evaluator, options_, directions, signals_);
    } catch (const Error& e) {
      // a dimension of a loop that fits in one way only
      Sensitivity refused;
      refused.good = false, refused.text = e.what();
      return refused;
    }
  }
  /// The signals at the end of a run with another value, set as by a user (names_test: as if compiled anew), with
  /// tolerances smaller by a factor; nothing where it fails.
  std::vector<double> end(const std::string& parameter, double value, double factor) const {
    try {
      equations::Evaluator evaluator(*system_);
      evaluator.set_parameter(parameter, value);
      solve::Options options = options_;
      options.rtol *= factor, options.atol *= factor;
      const solve::Result run = solve::simulate(evaluator, options);
      if (run.status != solve::Status::done) return {};
      const auto row = run.row(run.times.size() - 1);
      return {row.begin(), row.end()};
    } catch (const Error&) {
      return {};
    }
  }

 private:
  std::string name_;
  model::Registry registry_;
  model::Model model_;
  solve::Options options_;
  std::optional<equations::System> system_;
  std::vector<std::string> signals_;
};

/// Differences of fourth and of second order, whose distance tells how good they are.
struct Differences {
  std::vector<double> slope, accuracy;
};
Differences find_differences(const Example& example, const Direction& direction, double relative, double factor = 1) {
  const double h = relative * (direction.value != 0 ? std::abs(direction.value) : 1), x = direction.value;
  const auto end = [&](double value) { return example.end(direction.name, value, factor); };
  const auto a = end(x - 2 * h), b = end(x - h), c = end(x + h), d = end(x + 2 * h);
  Differences result;
  if (a.empty() || b.empty() || c.empty() || d.empty()) return result;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double second = (c[i] - b[i]) / (2 * h), wide = (d[i] - a[i]) / (4 * h);
    result.slope.push_back((4 * second - wide) / 3);
    // runs keep 1e-8 of their values
    result.accuracy.push_back(std::abs(second - wide) + 1e-8 * (std::abs(a[i]) + 1e-3) / h);
  }
  return result;
}

/// Where round-off of runs, which choose their steps, spoils one width: of each signal the two of four widths, a decade
/// apart, that agree best, and how well they do. Runs are a hundred times more accurate here: the ring modulator's reach
/// of a capacitance of 2 pF is beyond the others.
Differences refine_differences(const Example& example, const Direction& direction) {
  std::vector<Differences> all;
  for (const double width : {1e-2, 1e-3, 1e-4, 1e-5}) all.push_back(find_differences(example, direction, width, 0.01));
  Differences best = all[2];
  for (std::size_t i = 0; i < best.slope.size(); ++i) {
    double nearest = INFINITY;
    for (std::size_t k = 0; k + 1 < all.size(); ++k) {
      if (all[k].slope.empty() || all[k + 1].slope.empty()) continue;
      const double apart = std::abs(all[k].slope[i] - all[k + 1].slope[i]);
      if (apart < nearest) nearest = best.accuracy[i] = apart, best.slope[i] = all[k].slope[i];
    }
  }
  return best;
}

class Table {
 public:
  Table() : file_("sensitivity_table.csv") {
    file_ << "example,parameter,signal,derivative,difference,accuracy,verdict\n";
  }

  void add(const Example& example, std::size_t most) {
    std::vector<std::string> names = example.parameters();
    const std::size_t stride = std::max<std::size_t>(1, names.size() / most);
    std::vector<Direction> directions;
    for (std::size_t k = 0; k < names.size(); k += stride) {
      try {
        directions.push_back(example.direction(names[k]));
      } catch (const Error& e) {
        refuse(example, names[k], e.what());
      }
    }
    const Sensitivity all = example.differentiate(directions);
    for (std::size_t k = 0; k < directions.size(); ++k) {
      // one that has no derivative takes it from all
      const Sensitivity found = all.good ? all : example.differentiate({directions[k]});
      if (found.good)
        compare(example, found, all.good ? k : 0, directions[k]);
      else
        refuse(example, directions[k].name, found.text);
    }
    fmt::print("{:<40}{:>6} compared {:>6} refused {:>6} without differences {:>6} wrong\n", example.name(), compared_,
               refused_, open_, wrong_);
    std::fflush(stdout), file_.flush();
    compared_ = refused_ = open_ = wrong_ = 0;
  }

 private:
  void refuse(const Example& example, const std::string& parameter, const std::string& why) {
    EXPECT_NE(why.find(parameter), std::string::npos)
        << example.name() << ": " << parameter << " is refused without its name: " << why;
    file_ << example.name() << ',' << parameter << ",,,,,\"" << why << "\"\n";
    ++refused_;
  }

  void compare(const Example& example, const Sensitivity& found, std::size_t k, const Direction& direction) {
    constexpr double width = 1e-4;  // of the value
    Differences differences = find_differences(example, direction, width);
    if (differences.slope.empty()) {
      file_ << example.name() << ',' << direction.name << ",,,,,no runs beside this one\n";
      ++open_;
      return;
    }
    ++compared_;
    bool good = true;
    const auto fits = [&](std::size_t i) {
      const double other = differences.slope[i];
      // a run that says so is less accurate
      const bool is_noted = std::any_of(found.notes.begin(), found.notes.end(), [](const std::string& note) {
        return note.ends_with("accurate than the run");
      });
      return std::abs(at_end(found, i, k) - other) <=
             differences.accuracy[i] + (is_noted ? 1e-3 : 2e-5) * std::abs(other);
    };
    for (std::size_t i = 0; i < found.signals.size() && good; ++i) good = fits(i);
    if (!good) differences = refine_differences(example, direction);
    good = true;
    for (std::size_t i = 0; i < found.signals.size(); ++i) {
      const double own = at_end(found, i, k), other = differences.slope[i];
      const bool agrees = fits(i);
      file_ << fmt::format("{},{},{},{:.12g},{:.12g},{:.2g},{}\n", example.name(), direction.name, found.signals[i],
                           own, other, differences.accuracy[i], agrees ? "agrees" : "WRONG");
      EXPECT_TRUE(agrees) << example.name() << ": d(" << found.signals[i] << ")/d(" << direction.name << ") = " << own
                          << ", by differences " << other << " +- " << differences.accuracy[i];
      good = good && agrees;
    }
    wrong_ += good ? 0 : 1;
  }

  std::ofstream file_;
  int compared_ = 0, refused_ = 0, open_ = 0, wrong_ = 0;
};

TEST(SensitivityTable, DerivativesOfTheExamplesAreThoseOfTheirRuns) {
  const char* const only = std::getenv("COENERGY_CASES");
  const auto is_chosen = [&](const Course& course) {
    return only == nullptr || std::string(course.file).find(only) != std::string::npos;
  };
  Table table;
  for (const Course& course : always)
    if (is_chosen(course)) table.add(Example(course), COENERGY_PARAMETERS);
  if (COENERGY_PARAMETERS <= 100) return;
  for (const Course& course : others)
    if (is_chosen(course)) table.add(Example(course), COENERGY_PARAMETERS);
  for (const std::string& name : find_further_examples())
    if (const Course course{name.c_str(), hundredth}; is_chosen(course))
      table.add(Example(course), COENERGY_PARAMETERS);
}

}  // namespace
}  // namespace coenergy::tests
