#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "coenergy/analyze/result_difference.hpp"
#include "coenergy/compile/compile.hpp"
#include "coenergy/io/result_writer.hpp"
#include "coenergy/io/spice.hpp"
#include "coenergy/model/model.hpp"
#include "coenergy/model/registry.hpp"

namespace coenergy::app {

/// What the command line gives to every verb that works on a model.
struct ModelArguments {
  std::string file;
  std::vector<std::string> sets;  ///< path=value
  io::NetlistValues values;       ///< of a step of a netlist
  bool json = false;
  model::Libraries libraries = model::Libraries::refused;
  std::string report;  ///< page of the answer, .html; of run it is RunArguments::report
  bool answers() const { return json || !report.empty(); }  ///< whether the answer is made as one object
};

struct RunArguments {
  ModelArguments model;
  std::string output, report, method;
  io::CsvUnits units = io::CsvUnits::row;  ///< where a result in .csv tells its units
  std::string t_end, step, output_step, rtol, atol;
  std::string checkpoint;        ///< file for the state of the run …
  double checkpoint_every = -1;  ///< … written after so many seconds; < 0: 60
  std::string resume;            ///< file with the state to go on from
  bool quiet = false;
};

/// An operating point, the same for every verb that works at one; nothing: the start of the run.
struct PointArguments {
  std::optional<double> time;  ///< state at this time of a run, s
  bool equilibrium = false;    ///< static equilibrium near the start
  bool steady = false;         ///< at rest but for what turns freely, at a constant speed
};

struct LinearizeArguments {
  ModelArguments model;
  std::vector<std::string> inputs, outputs;
  PointArguments at;
  bool has_inputs = true;  ///< without them those of the model; false: none
  bool averaged = false;   ///< samples as continuous laws that are late, instead of the exact sampled model
};

struct CompareArguments {
  std::string a, b, report;  ///< files of results
  analyze::DifferenceOptions options;
  bool json = false;
};

struct VerifyArguments {
  ModelArguments model;
  int states = 20;
  unsigned seed = 1;
  double tolerance = 1e-9;
};

struct GenerateArguments {
  ModelArguments model;
  std::string function, language = "c", parameters = "symbolic", folder = ".", prefix;
  std::vector<std::string> points, joints, inputs, outputs, independent, actuated;
};

struct FmuArguments {
  ModelArguments model;
  int version = 2;
  std::vector<std::string> kinds = {"me", "cs"}, inputs, outputs;
  std::string output, identifier;
  bool no_binary = false;
};

struct InverseArguments {
  ModelArguments model;
  std::vector<std::string> actuated;  ///< coordinates; empty: the driven ones
  std::vector<std::string> inputs;    ///< entries that make the motion instead
  std::string motion;                 ///< file with a motion, instead of a run
  std::string output, t_end, output_step;
};

struct KinematicsArguments {
  ModelArguments model;
  std::string point, target;        ///< BODY:X,Y,Z; X,Y,Z[,A,B,C]
  std::string path, output;         ///< files: targets row by row, and the joints for them
  std::vector<std::string> limits;  ///< JOINT:LOWER,UPPER
};

struct FrequencyArguments {
  LinearizeArguments point;   ///< with inputs and outputs
  double from = 1, to = 1e6;  ///< Hz
  int points = 61;            ///< evenly on a logarithmic scale
  double rms = 1;             ///< of every input, for `ac`
};

struct PeriodicArguments {
  ModelArguments model;
  double period = 0;                 ///< s
  bool free = false;                 ///< find the period too
  std::vector<std::string> signals;  ///< whose harmonics are wanted
  int harmonics = 10;                ///< how many
};

struct SweepArguments {
  ModelArguments model;
  std::string parameter;  ///< path, as for --set
  std::vector<std::string> values, signals;
  bool steady = false;  ///< operating points instead of runs
};

struct SensitivityArguments {
  ModelArguments model;
  std::vector<std::string> parameters, signals;
  std::string output;               ///< .csv
  bool steady = false;              ///< of an operating point instead of a run
  PointArguments at;                ///< which one
  double frequency = 0;             ///< Hz; > 0: of the steady oscillation about the operating point …
  std::vector<std::string> inputs;  ///< … when these parameters have the amplitude 1
};

struct SolveArguments {
  ModelArguments model;
  std::vector<std::string> guesses;  ///< name=value
  bool trace = false;                ///< the table of iterations
  bool all = false;                  ///< all roots in the box of the bounds …
  int starts = 200;                  ///< … from so many points
};

struct ReduceArguments {
  ModelArguments model;
  std::string method = "gmp", output;
  std::vector<std::string> theta, directions, sensors;
  std::vector<std::string> at;  ///< values of theta, "0.5" or "0.1,0.2", one configuration each
  int modes = 3;                ///< internal ones
  // of linear models
  PointArguments point;
  std::vector<std::string> inputs, outputs, points;
  int order = 0;
};

struct DesignArguments {
  LinearizeArguments point;
  std::string method, output;
  std::vector<double> q, r, w, v;  ///< weights and covariances: diagonals
  std::vector<std::string> poles;  ///< "-1+2j"
  double sample = 0;               ///< s; 0: continuous
  int measurements = 1, controls = 1;
  std::string kind = "pid", rule = "ziegler-nichols";
  double lambda = 0, filter = 1e-3;  ///< s
};

struct IdentifyArguments {
  ModelArguments model;
  std::vector<std::string> data;        ///< files, one for each experiment
  std::vector<std::string> parameters;  ///< what is to be found
  std::vector<std::string> initial;     ///< of which each experiment has its own value
  std::vector<std::string> bounds;      ///< NAME=LOW:HIGH
  std::string loss = "squares";
  bool profile = false;   ///< intervals of the profile likelihood too
  bool balances = false;  ///< of measured motions and forces, without runs
};

struct OptimizeArguments {
  ModelArguments model;
  std::string method = "auto";
  std::string output;    ///< course of a motion, .csv
  int starts = 0;        ///< further starts in the box of the bounds
  double tolerance = 0;  ///< 0: the usual one
};

struct StudyArguments {
  ModelArguments model;
  std::vector<std::string> vary, correlate, measures;
  std::uint64_t samples = 0, seed = 1, chunk = 0;
  std::string sampling = "random", output;
  int threads = 0;     ///< 0: as many as there are cores
  bool slurm = false;  ///< print a job script instead
};

struct ExamplesArguments {
  std::string name, folder = ".";  ///< "": list them; else write the files of this one into a folder
  bool json = false;
};

// exit status: 0 done, 1 the computation failed or a file could not be written, 128 + signal where one stopped a run; a
// wrong input throws Error (2)
int run(const RunArguments& arguments);
int compare(const CompareArguments& arguments);  ///< 1 where the results differ
int check(const ModelArguments& arguments, bool tree);
/// Writes the model as a model file; to standard output without a name.
int convert(const ModelArguments& arguments, const std::string& output);
int list(const ModelArguments& arguments);
/// A component type, or a topic such as units.
int describe(const std::string& type, bool json);
int describe_fmu(const std::string& file, bool json);  ///< the variables of an FMU
int examples(const ExamplesArguments& arguments);
/// With `matrices` a circuit as A y = B w + C z, M dw/dt = D y instead.
int equations(const ModelArguments& arguments, bool matrices, bool lagrange);
int linearize(const LinearizeArguments& arguments);
int modes(const LinearizeArguments& arguments, int count);
/// The same for several values of a parameter: a Campbell diagram as a table.
int modes_by_value(const LinearizeArguments& arguments, int count, const std::string& parameter,
                   const std::vector<std::string>& values);
int generate(const GenerateArguments& arguments);
int export_fmu(const FmuArguments& arguments);
/// The same of functions of the whole model.
int generate_system(const GenerateArguments& arguments);
int inverse(const InverseArguments& arguments);
int kinematics(const KinematicsArguments& arguments);  ///< 1 also where the target cannot be reached
/// A mechanism in few coordinates: rigid ones, constraint and internal modes.
int reduce(const ReduceArguments& arguments);
int reduce_linear(const ReduceArguments& arguments);  ///< of the linear model at an operating point
/// A controller of the linear model at an operating point, as blocks.
int design(const DesignArguments& arguments);
int effective(const LinearizeArguments& arguments, const std::vector<std::string>& joints);
int operating_point(const ModelArguments& arguments);
/// Static equilibrium of the whole and its stability; `output`: a .csv of the signals, or none.
int equilibrium(const ModelArguments& arguments, const std::string& output);
/// The load, a parameter, at which the equilibrium that grows with it ceases to be stable.
int buckling(const ModelArguments& arguments, const std::string& load);
int bode(const FrequencyArguments& arguments);
int ac(const FrequencyArguments& arguments);  ///< steady state at the frequency `from`
int periodic(const PeriodicArguments& arguments);
int sweep(const SweepArguments& arguments);
int sensitivity(const SensitivityArguments& arguments);
int solve_equations(const SolveArguments& arguments);
int identify(const IdentifyArguments& arguments);
int optimize(const OptimizeArguments& arguments);
int run_study(const StudyArguments& arguments);
int verify(const VerifyArguments& arguments);  ///< 1 also where the formulations differ

}  // namespace coenergy::app
