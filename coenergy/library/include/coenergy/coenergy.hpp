#pragma once
// The library of coenergy for programs of others: models in, runs, linear models and operating points out.
//
//   coenergy::Model model = coenergy::Model::load("crane.yaml");
//   model.set("motor.R", "1.2 ohm");
//   coenergy::Result r = model.run({.t_end = 3});
//   double last = r["wheel.w"].back();
//
//   coenergy::Simulator s = model.simulator();
//   s.set("U1.v", 3.0);
//   s.step(1e-3);
//   double speed = s.get("wheel.w");
//
// Names are those of model files, numbers SI. What is wrong with a model or a call throws Error (with file, line, column
// and a suggestion); a computation that does not succeed throws Failure, but a run tells it in its result. A Model may
// be used by several threads as long as none changes it; a Simulator belongs to one thread at a time.
#include <complex>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "coenergy/base/error.hpp"

namespace coenergy {

/// A computation that did not succeed although model and call are in order.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What can be recorded, read and linearised; of parameters the value as well.
struct Signal {
  std::string name, unit;
};
struct Parameter {
  std::string name, unit;
  double value = 0;
};

/// Integration methods; see docs/manual and `coenergy describe methods`.
enum class Method {
  radau,
  esdirk,
  dopri,
  dop853,
  ida,
  cvode,
  generalized_alpha,
  hht,
  newmark,
  jansen,
  backward_euler,
  rk4,
  trapez,
  euler
};

/// Where an analysis takes place: at the start of a run, at a time of it, at rest, or at rest but for free shafts that
/// turn steadily.
enum class At { start, time, equilibrium, steady };

/// What a run does differently from the `simulate:` of its model; nothing set: as that says.
struct Options {
  std::optional<Method> method;
  std::optional<double> t_end, step, output_step;  ///< s
  std::optional<double> rtol, atol;
  std::vector<std::string> signals;  ///< to be recorded; empty: as the model says
  /// Called after every step with the time and the part of the run that is done; false stops it.
  std::function<bool(double t, double fraction)> progress;
};

/// Numbers that lie at equal distances in memory that someone else keeps.
class Column {
 public:
  Column(const double* data, std::size_t size, std::size_t stride) : data_(data), size_(size), stride_(stride) {}
  double operator[](std::size_t k) const { return data_[k * stride_]; }
  double front() const { return (*this)[0]; }
  double back() const { return (*this)[size_ - 1]; }
  std::size_t size() const { return size_; }
  const double* data() const { return data_; }
  std::size_t stride() const { return stride_; }  ///< in numbers

 private:
  const double* data_;
  std::size_t size_, stride_;
};

/// What a run gave. A value: copies share the numbers, which never change.
class Result {
 public:
  enum class Status { done, failed, stopped };

  const std::vector<std::string>& names() const;  ///< of the signals, without time
  const std::vector<std::string>& units() const;
  std::size_t rows() const;
  Column time() const;
  /// A signal over the rows; good as long as a copy of the result lives. Throws Error with a suggestion.
  Column operator[](const std::string& name) const;
  const double* values() const;  ///< all rows, row-major: rows() × names().size()

  Status status() const;
  const std::string& text() const;  ///< how it ended
  const std::vector<std::string>& notes() const;
  long steps() const;
  double wall_time() const;  ///< s

  /// In the format of the ending: .csv, .h5, .mat, .raw.
  void write(const std::string& path) const;
  /// The report with plots and animation as one HTML page.
  std::string html() const;

 private:
  friend class Model;
  struct Data;
  explicit Result(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

/// ż = A z + B u, w = C z + D u about an operating point; matrices row-major.
struct LinearModel {
  std::vector<double> a, b, c, d;
  std::vector<std::string> states, inputs, outputs;
  std::vector<std::string> state_units, input_units, output_units;
  double period = 0;  ///< of a model with samples: x(k+1) = A x(k) + B u(k) over this time, s; 0: continuous
  std::vector<std::string> notes;
};

struct Mode {
  std::complex<double> eigenvalue;          ///< 1/s
  double frequency = 0;                     ///< |λ|/2π, Hz
  double damping = 0;                       ///< −Re λ/|λ|
  std::vector<std::complex<double>> shape;  ///< of Modes::names, the largest is 1
};
struct Modes {
  std::vector<std::string> names;
  std::vector<Mode> modes;
};

/// Responses of outputs to inputs, row-major: frequencies × outputs × inputs.
struct FrequencyResponse {
  std::vector<double> frequencies;  ///< Hz
  std::vector<std::string> inputs, outputs;
  std::vector<std::complex<double>> values;
};

/// All signals at rest.
struct Equilibrium {
  std::vector<Signal> signals;
  std::vector<double> values;
  bool stable = true;
  double lowest_eigenvalue = 0;  ///< 1/s²
};

/// Where and of what a linear model is made; no inputs or outputs named: those the model declares.
struct LinearOptions {
  std::vector<std::string> inputs, outputs;
  At at = At::start;
  double time = 0;  ///< of At::time
};

/// A run that is driven from outside.
class Simulator {
 public:
  Simulator(Simulator&&) noexcept;
  Simulator& operator=(Simulator&&) noexcept;
  ~Simulator();

  /// A parameter or input from now on.
  void set(const std::string& name, double value);
  /// A signal or parameter now; "time" is the time. Throws Error with a suggestion.
  double get(const std::string& name);
  std::vector<double> values();  ///< of all signals, in the order of Model::signals()
  /// Goes on by dt, exactly; false where the run ended before. Throws Failure where the computation fails.
  bool step(double dt);
  bool advance_to(double t);
  double time();

  /// All that the rest of the run depends on; a run that loads it goes on to the same bits.
  std::string save();
  void load(const std::string& state);

  /// Places of names, for loops that must be fast.
  int find(const std::string& signal) const;
  double value(int signal);
  int find_input(const std::string& parameter) const;
  void set_value(int parameter, double value);

 private:
  friend class Model;
  struct Impl;
  explicit Simulator(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// A function of a rigid mechanism, evaluated over many rows at once in the lanes of the processor.
class Function {
 public:
  struct Argument {
    std::string name, meaning;
    std::vector<std::string> entries;  ///< names of its numbers
    std::vector<double> start;         ///< their values in the model
  };
  const std::vector<Argument>& inputs() const;
  const std::vector<Argument>& outputs() const;
  std::size_t input_size() const;  ///< numbers of a row
  std::size_t output_size() const;
  /// rows × input_size numbers to rows × output_size numbers, row-major.
  void evaluate(const double* in, double* out, std::size_t rows) const;

 private:
  friend class Model;
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// A machine: a file, a text, or made component by component; see docs/model-language.md.
class Model {
 public:
  static Model load(const std::string& path);  ///< model file, netlist, robot: by its ending
  static Model parse(const std::string& text, const std::string& name = "model.yaml");
  explicit Model(const std::string& title = "");  ///< empty, to be filled by add()

  /// entries: ports, parameters, each as it would stand in a model file.
  void add(const std::string& name, const std::string& type,
           const std::vector<std::pair<std::string, std::string>>& entries);
  /// `component.entry`, a parameter, `simulate.entry`: as --set of the command line.
  void set(const std::string& path, const std::string& value);
  void set(const std::string& path, double value);
  /// What is written there; for what is not written, the number in SI of a parameter that can be set.
  std::string get(const std::string& path) const;
  /// A function of this program that expressions may call; units: of the arguments, then of the value ("any").
  void add_function(const std::string& name, double (*call)(const double*), const std::vector<std::string>& units);
  /// Lets functions in shared libraries beside the model run.
  void allow_libraries();

  std::string title() const;
  std::string file() const;
  std::string text() const;  ///< as a model file
  std::vector<Signal> signals() const;
  std::vector<Parameter> parameters() const;
  std::vector<std::string> inputs() const, outputs() const;  ///< that the model declares
  std::vector<std::string> notes() const;

  Result run(const Options& options = {}) const;
  Simulator simulator(const Options& options = {}) const;
  LinearModel linearize(const LinearOptions& options = {}) const;
  Modes modes(const LinearOptions& options = {}) const;
  /// Logarithmically from the lowest to the highest frequency, Hz.
  FrequencyResponse bode(const LinearOptions& options, double from = 0.1, double to = 1000, int points = 200) const;
  Equilibrium equilibrium() const;
  /// task: inverse-dynamics, forward-dynamics, mass-matrix, kinematics, constraints.
  Function function(const std::string& task) const;

 private:
  struct Impl;
  Impl& own();  ///< to be changed
  std::shared_ptr<Impl> impl_;
};

/// Of the library.
std::string library_version();

}  // namespace coenergy
