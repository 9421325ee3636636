#include <fmt/ranges.h>

#include <fcntl.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <system_error>

#include "apps/coenergy/command_words.hpp"
#include "apps/coenergy/load.hpp"
#include "apps/coenergy/messages.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/base/version.hpp"
#include "coenergy/io/result_writer.hpp"
#include "coenergy/solve/options.hpp"
#include "coenergy/symbolic/native_switch.hpp"

namespace {

using namespace coenergy;

/// A number above zero.
const CLI::Validator positive(
    [](const std::string& text) {
      double value = 0;
      const bool good = CLI::detail::lexical_cast(text, value) && value > 0 && value < 1e300;
      return good ? std::string() : text + " must be a number > 0";
    },
    "NUMBER > 0");

/// Of verbs that only read the model.
void add_reading_options(CLI::App& verb, app::ModelArguments& arguments) {
  verb.add_option("model", arguments.file, "model file (.yaml) or SPICE netlist (.cir)")->required();
  verb.add_option("--set", arguments.sets,
                  "change a value: component.entry=value, instance.component.entry=value or parameter=value")
      ->take_all()
      ->allow_extra_args(false);
  verb.add_flag("--json", arguments.json, "print JSON");
}

/// Of verbs that compute with it.
void add_model_options(CLI::App& verb, app::ModelArguments& arguments) {
  add_reading_options(verb, arguments);
  verb.add_flag_callback(
      "--allow-libraries", [&arguments] { arguments.libraries = model::Libraries::allowed; },
      "load the shared libraries that the model names, from its folder; they run with all your rights");
  verb.add_flag_callback("--no-native", symbolic::turn_native_code_off, "interpret equations, make no machine code");
}

/// The same meaning in every verb.
void add_point_options(CLI::App& verb, app::PointArguments& at) {
  CLI::Option* time = verb.add_option("--at", at.time, "operating point: the state at this time of a run, in s");
  CLI::Option* rest = verb.add_flag("--equilibrium", at.equilibrium, "operating point: static equilibrium");
  CLI::Option* steady =
      verb.add_flag("--steady", at.steady, "operating point: at rest, or at constant speeds where free shafts turn");
  time->excludes(rest)->excludes(steady);
  rest->excludes(steady);
}

/// Of verbs whose answer may be a page.
void add_report_option(CLI::App& verb, app::ModelArguments& arguments) {
  verb.add_option("--report", arguments.report, "HTML page of the answer");
}

void add_operating_point(CLI::App& verb, app::LinearizeArguments& arguments) {
  add_model_options(verb, arguments.model);
  add_point_options(verb, arguments.at);
}

void add_averaged(CLI::App& verb, app::LinearizeArguments& arguments) {
  verb.add_flag("--averaged", arguments.averaged,
                "of a model with samples its continuous equivalent for what is slow, with the delays of its holds");
}

void add_frequency_options(CLI::App& verb, app::FrequencyArguments& arguments) {
  add_operating_point(verb, arguments.point);
  add_averaged(verb, arguments.point);
  verb.add_option(
          "--input", arguments.point.inputs,
          "entry that is an input, e.g. U1.v; cut open where it follows a signal; without it those of the model")
      ->take_all()
      ->allow_extra_args(false);
  verb.add_option("--signal,--output", arguments.point.outputs,
                  "signal that is an output; without it those of the model")
      ->take_all()
      ->allow_extra_args(false);
}

bool wants_json(const std::vector<std::string>& words) {
  return std::find(words.begin(), words.end(), "--json") != words.end();
}

/// Declares every verb; returns the action of the one the user chose.
int run_command(const std::vector<std::string>& words) {
  CLI::App program{"coenergy: derives, couples, solves and shows mechatronic systems", "coenergy"};
  program.require_subcommand(1);
  program.set_version_flag("--version", version);
  int status = 0;

  app::RunArguments run;
  CLI::App& run_verb = *program.add_subcommand("run", "simulate a model");
  add_model_options(run_verb, run.model);
  const solve::Options standard;
  run_verb.add_option("-o,--output", run.output, fmt::format("result file, {}", fmt::join(io::result_endings(), ", ")));
  const std::map<std::string, io::CsvUnits> places{
      {"row", io::CsvUnits::row}, {"header", io::CsvUnits::header}, {"none", io::CsvUnits::none}};
  run_verb
      .add_option("--units", run.units, "where .csv tells units: row (the second line), header (a name (unit)), none")
      ->transform(CLI::CheckedTransformer(places).description(""));
  run_verb.add_option("--report", run.report, "HTML page with plots and animation");
  run_verb.add_option(
      "--method", run.method,
      fmt::format("integration method: {} (default {})", fmt::join(solve::method_names(), ", "), standard.method));
  run_verb.add_option("--t-end", run.t_end, "end of the run (default: simulate.t_end of the model)");
  run_verb.add_option("--step", run.step, "step size; fixed for methods that control no error (default: chosen)");
  run_verb.add_option("--output-step", run.output_step, "spacing of recorded rows (default: every step)");
  run_verb.add_option("--rtol", run.rtol, fmt::format("relative tolerance (default {:g})", standard.rtol));
  run_verb.add_option("--atol", run.atol, fmt::format("absolute tolerance (default {:g})", standard.atol));
  run_verb.add_option("--checkpoint", run.checkpoint, "file for the state of the run, replaced from time to time");
  run_verb.add_option("--checkpoint-every", run.checkpoint_every, "seconds between two states (default 60)")
      ->check(CLI::NonNegativeNumber);
  run_verb.add_option("--resume", run.resume, "go on from the state in this file; the model and options of that run");
  run_verb.footer(
      "Exit status: 0 done, 1 failed or a file could not be written, 2 mistakes in the input,\n"
      "130 or 143 stopped by SIGINT or SIGTERM, with result, report and checkpoint up to there.\n"
      "Files are written as NAME.part.csv (.h5, …) and NAME.part.html and get their names at the end.");
  run_verb.add_flag("-q,--quiet", run.quiet, "print nothing but errors");
  run_verb.callback([&] { status = app::run(run); });

  app::CompareArguments compared;
  CLI::App& compare_verb = *program.add_subcommand("compare", "differences of two results");
  compare_verb.add_option("a", compared.a, "result, .csv or .h5")->required();
  compare_verb.add_option("b", compared.b, "result that is the reference")->required();
  compare_verb.add_option("--rtol", compared.options.relative, "allowed, relative to the largest value of a signal")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  compare_verb.add_option("--atol", compared.options.absolute, "allowed besides, in SI")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  compare_verb
      .add_option("--ttol", compared.options.time, "by what instants may differ, in s (default: 1e-9 of the run)")
      ->check(CLI::NonNegativeNumber);
  compare_verb.add_option("--signal", compared.options.signals, "signal to compare; without it all that both have")
      ->take_all()
      ->allow_extra_args(false);
  compare_verb.add_option("--report", compared.report, "HTML page with the curves that differ most");
  compare_verb.add_flag("--json", compared.json, "print JSON");
  compare_verb.footer("Exit status: 0 equal within the tolerances, 1 the results differ, 2 mistakes in the input.");
  compare_verb.callback([&] { status = app::compare(compared); });

  app::ModelArguments check, list, equations, convert;
  CLI::App& check_verb = *program.add_subcommand("check", "count bodies, degrees of freedom, states and constraints");
  add_model_options(check_verb, check);
  bool tree = false;
  check_verb.add_flag("--tree", tree, "show the parts and what is inside them");
  check_verb.callback([&] { status = app::check(check, tree); });

  CLI::App& list_verb = *program.add_subcommand("list", "component types, or the signals and parameters of a model");
  list_verb.add_option("model", list.file, "model file");
  list_verb.add_option("--set", list.sets, "change a value")->take_all()->allow_extra_args(false);
  list_verb.add_flag("--json", list.json, "print JSON");
  list.libraries = convert.libraries = model::Libraries::replaced;
  list_verb.callback([&] { status = app::list(list); });

  std::string type;
  bool describe_json = false;
  CLI::App& describe_verb = *program.add_subcommand("describe", "ports, parameters and laws of a component type");
  describe_verb
      .add_option("type", type,
                  "component type, e.g. electrical.Resistor; or a topic: simulate, methods, expressions, units, plots, "
                  "parts, include")
      ->required();
  describe_verb.add_flag("--json", describe_json, "print JSON");
  describe_verb.callback([&] { status = app::describe(type, describe_json); });

  app::ExamplesArguments examples;
  CLI::App& examples_verb = *program.add_subcommand("examples", "list the examples, or write the files of one");
  examples_verb.add_option("name", examples.name, "example to write, e.g. scara; a list without it");
  examples_verb.add_option("-o,--output", examples.folder, "folder in which its own folder is made")
      ->capture_default_str();
  examples_verb.add_flag("--json", examples.json, "print JSON");
  examples_verb.callback([&] { status = app::examples(examples); });

  std::string converted;
  CLI::App& convert_verb = *program.add_subcommand("convert", "write a SPICE netlist as a model file");
  add_reading_options(convert_verb, convert);
  convert_verb.add_option("-o,--output", converted, "model file, .yaml; standard output without it");
  convert_verb.callback([&] { status = app::convert(convert, converted); });

  CLI::App& equations_verb = *program.add_subcommand("equations", "print the equations of a model");
  add_model_options(equations_verb, equations);
  bool matrices = false;
  equations_verb.add_flag("--matrices", matrices, "a circuit of R, L, C and sources as A y = B w + C z, M dw/dt = D y");
  bool lagrange = false;
  equations_verb.add_flag("--lagrange", lagrange, "of circuits: Lambda, D and Q by the charges of meshes")
      ->excludes("--matrices");
  equations_verb.callback([&] { status = app::equations(equations, matrices, lagrange); });

  app::LinearizeArguments linearize, modes;
  modes.has_inputs = false;
  CLI::App& linearize_verb = *program.add_subcommand("linearize", "state space A, B, C, D with names");
  add_operating_point(linearize_verb, linearize);
  add_averaged(linearize_verb, linearize);
  linearize_verb
      .add_option(
          "--input", linearize.inputs,
          "entry that is an input, e.g. U1.v; cut open where it follows a signal; without it those of the model")
      ->take_all()
      ->allow_extra_args(false);
  linearize_verb
      .add_option("--signal,--output", linearize.outputs, "signal that is an output; without it those of the model")
      ->take_all()
      ->allow_extra_args(false);
  linearize_verb.callback([&] { status = app::linearize(linearize); });

  int count = 10;
  CLI::App& modes_verb = *program.add_subcommand("modes", "eigenvalues, frequencies, damping and shapes");
  add_operating_point(modes_verb, modes);
  add_averaged(modes_verb, modes);
  add_report_option(modes_verb, modes.model);
  modes_verb.add_option("-n,--count", count, "how many to print")->capture_default_str()->check(CLI::Range(1, 1000000));
  std::string swept;
  std::vector<std::string> swept_values;
  CLI::Option* swept_option = modes_verb.add_option(
      "--parameter", swept, "frequencies for several values of this entry or parameter: a Campbell diagram");
  CLI::Option* swept_value =
      modes_verb.add_option("--value", swept_values, "its values")->take_all()->allow_extra_args(false);
  swept_option->needs(swept_value), swept_value->needs(swept_option);
  modes_verb.callback([&] {
    status = swept.empty() ? app::modes(modes, count) : app::modes_by_value(modes, count, swept, swept_values);
  });

  app::ModelArguments op;
  CLI::App& op_verb = *program.add_subcommand("op", "operating point: all signals with every state at rest");
  add_model_options(op_verb, op);
  add_report_option(op_verb, op);
  op_verb.callback([&] { status = app::operating_point(op); });

  app::ModelArguments at_rest;
  std::string rest_output;
  CLI::App& equilibrium_verb =
      *program.add_subcommand("equilibrium", "static equilibrium: all signals at rest, and whether it is stable");
  add_model_options(equilibrium_verb, at_rest);
  equilibrium_verb.add_option("-o,--output", rest_output, "file of name, value and unit of every signal, .csv");
  add_report_option(equilibrium_verb, at_rest);
  equilibrium_verb.callback([&] { status = app::equilibrium(at_rest, rest_output); });

  app::ModelArguments buckled;
  std::string load;
  CLI::App& buckling_verb =
      *program.add_subcommand("buckling", "the load at which the equilibrium ceases to be stable, or to exist");
  add_model_options(buckling_verb, buckled);
  buckling_verb.add_option("--load", load, "parameter that grows from zero, in the direction of its value")->required();
  buckling_verb.callback([&] { status = app::buckling(buckled, load); });

  app::FrequencyArguments bode, ac;
  CLI::App& bode_verb = *program.add_subcommand("bode", "frequency response from inputs to outputs");
  add_frequency_options(bode_verb, bode);
  add_report_option(bode_verb, bode.point.model);
  bode_verb.add_option("--from", bode.from, "lowest frequency in Hz")->capture_default_str()->check(positive);
  bode_verb.add_option("--to", bode.to, "highest frequency in Hz")->capture_default_str()->check(positive);
  bode_verb.add_option("--points", bode.points, "number of frequencies")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
  bode_verb.callback([&] { status = app::bode(bode); });
  CLI::App& ac_verb = *program.add_subcommand("ac", "sinusoidal steady state: RMS values, phases, average powers");
  add_frequency_options(ac_verb, ac);
  ac_verb.add_option("--frequency", ac.from, "frequency in Hz")->required()->check(positive);
  ac_verb.add_option("--rms", ac.rms, "RMS value of every input")->capture_default_str()->check(positive);
  ac_verb.callback([&] { status = app::ac(ac); });

  app::PeriodicArguments periodic;
  CLI::App& periodic_verb = *program.add_subcommand("periodic", "periodic steady state and Floquet multipliers");
  add_model_options(periodic_verb, periodic.model);
  periodic_verb.add_option("--period", periodic.period, "period in s; with --free a guess")->required();
  periodic_verb.add_flag("--free", periodic.free, "free oscillation: find the period too");
  periodic_verb.add_option("--signal", periodic.signals, "signal whose harmonics and distortion are wanted")
      ->take_all()
      ->allow_extra_args(false);
  periodic_verb.add_option("--harmonics", periodic.harmonics, "how many harmonics")->check(CLI::Range(1, 1000));
  periodic_verb.callback([&] { status = app::periodic(periodic); });

  app::SweepArguments sweep;
  CLI::App& sweep_verb = *program.add_subcommand("sweep", "runs, or operating points, for several values of an entry");
  add_model_options(sweep_verb, sweep.model);
  add_report_option(sweep_verb, sweep.model);
  sweep_verb.add_option("--parameter", sweep.parameter, "component.entry or parameter")->required();
  sweep_verb.add_option("--value", sweep.values, "its values")->required()->take_all()->allow_extra_args(false);
  sweep_verb.add_option("--signal", sweep.signals, "signal to show")->required()->take_all()->allow_extra_args(false);
  sweep_verb.add_flag("--op,--steady", sweep.steady,
                      "operating points instead of the ends of runs; free shafts turn steadily");
  sweep_verb.callback([&] { status = app::sweep(sweep); });

  app::SensitivityArguments sensitivity;
  CLI::App& sensitivity_verb = *program.add_subcommand(
      "sensitivity", "derivatives of signals with respect to parameters, along a run or of the operating point");
  add_model_options(sensitivity_verb, sensitivity.model);
  sensitivity_verb.add_option("--parameter", sensitivity.parameters, "component.entry or parameter")
      ->required()
      ->take_all()
      ->allow_extra_args(false);
  sensitivity_verb.add_option("--signal", sensitivity.signals, "signal to differentiate; all without it")
      ->take_all()
      ->allow_extra_args(false);
  sensitivity_verb.add_flag("--op", sensitivity.steady,
                            "of an operating point instead of a run: --steady where no other is named");
  add_point_options(sensitivity_verb, sensitivity.at);
  CLI::Option* frequency =
      sensitivity_verb
          .add_option("--frequency", sensitivity.frequency, "of magnitudes and phases at this frequency, in Hz")
          ->check(positive);
  sensitivity_verb.add_option("--input", sensitivity.inputs, "parameter that oscillates with amplitude 1, e.g. U1.v")
      ->take_all()
      ->allow_extra_args(false)
      ->needs(frequency);
  sensitivity_verb.add_option("-o,--output", sensitivity.output, "result file of a run, .csv");
  sensitivity_verb.callback([&] { status = app::sensitivity(sensitivity); });

  app::SolveArguments solved;
  CLI::App& solve_verb =
      *program.add_subcommand("solve", "unknowns of the model file's own equations: unknowns, residuals");
  add_model_options(solve_verb, solved.model);
  add_report_option(solve_verb, solved.model);
  solve_verb.add_option("--guess", solved.guesses, "start from another value: unknown=value")
      ->take_all()
      ->allow_extra_args(false);
  solve_verb.add_flag("--trace", solved.trace, "print the table of Newton's iterations");
  solve_verb.add_flag("--all", solved.all, "all roots in the box of the bounds min and max, from many starts");
  solve_verb.add_option("--starts", solved.starts, "how many starts")
      ->capture_default_str()
      ->check(CLI::Range(1, 10000000));
  solve_verb.callback([&] { status = app::solve_equations(solved); });

  app::IdentifyArguments identified;
  CLI::App& identify_verb =
      *program.add_subcommand("identify", "parameters from measured data, with what the data tell of them");
  add_model_options(identify_verb, identified.model);
  add_report_option(identify_verb, identified.model);
  identify_verb.add_option("--data", identified.data, "measured data of an experiment, .csv")
      ->required()
      ->take_all()
      ->allow_extra_args(false);
  identify_verb
      .add_option("--parameter", identified.parameters, "what is to be found: component.entry, parameter or unknown")
      ->take_all()
      ->allow_extra_args(false);
  identify_verb
      .add_option("--initial", identified.initial,
                  "entry of which each experiment has its own value, such as a start value")
      ->take_all()
      ->allow_extra_args(false);
  identify_verb.add_option("--bounds", identified.bounds, "NAME=LOW:HIGH of a parameter")
      ->take_all()
      ->allow_extra_args(false);
  identify_verb.add_option("--loss", identified.loss, "squares, huber or cauchy: how much outliers weigh")
      ->capture_default_str();
  identify_verb.add_flag("--profile", identified.profile, "intervals of the profile likelihood too");
  identify_verb.add_flag("--balances", identified.balances,
                         "by the balances of measured motions (joint.q, .qd, .qdd) and forces, without runs");
  identify_verb.callback([&] { status = app::identify(identified); });

  app::OptimizeArguments optimized;
  CLI::App& optimize_verb =
      *program.add_subcommand("optimize", "best values of design variables: the section optimize of the model file");
  add_model_options(optimize_verb, optimized.model);
  add_report_option(optimize_verb, optimized.model);
  optimize_verb.add_option("--method", optimized.method, "auto, ipopt, slsqp, mma or cobyla")->capture_default_str();
  optimize_verb
      .add_option("--starts", optimized.starts,
                  "search from so many further points in the box of the bounds, for the best minimum")
      ->check(CLI::Range(0, 1000000));
  optimize_verb.add_option("--tolerance", optimized.tolerance, "of the search (default 1e-9)")->check(positive);
  optimize_verb.add_option("-o,--output", optimized.output, "course of the best motion, .csv");
  optimize_verb.callback([&] { status = app::optimize(optimized); });

  app::StudyArguments studied;
  CLI::App& study_verb = *program.add_subcommand("study", "many variants of a model: grids, samples, statistics");
  add_model_options(study_verb, studied.model);
  add_report_option(study_verb, studied.model);
  study_verb
      .add_option(
          "--vary", studied.vary,
          "ENTRY=FIRST:STEP:LAST, ENTRY=A,B,C, or ENTRY~normal(MEAN, DEVIATION), uniform, lognormal, triangular")
      ->required()
      ->take_all()
      ->allow_extra_args(false);
  study_verb
      .add_option("--measure", studied.measures,
                  "number of a run: SIGNAL, \"SIGNAL at TIME\", \"max(SIGNAL)\", min, mean, rms, integral, range, "
                  "time_of_max, time_of_min, \"rise(SIGNAL, LEVEL)\", fall")
      ->required()
      ->take_all()
      ->allow_extra_args(false);
  study_verb.add_option("--samples", studied.samples, "how many samples of the distributions");
  study_verb.add_option("--seed", studied.seed, "of the samples")->capture_default_str();
  study_verb.add_option("--sampling", studied.sampling, "random, lhs, sobol, or saltelli: shares of the variance too")
      ->capture_default_str();
  study_verb.add_option("--correlate", studied.correlate, "ENTRY,ENTRY=0.8: correlation of two distributions")
      ->take_all()
      ->allow_extra_args(false);
  study_verb.add_option("-o,--output", studied.output,
                        fmt::format("result file, a row for each variant: {}", fmt::join(io::result_endings(), ", ")));
  study_verb.add_option("--threads", studied.threads, "threads of this process; as many as there are cores without it")
      ->check(CLI::Range(1, 4096));
  study_verb.add_option("--chunk", studied.chunk, "variants that are finished together")
      ->check(CLI::Range(1, 10000000));
  study_verb.add_flag("--slurm", studied.slurm, "print a job script for many machines instead");
  study_verb.footer(
      "Killed studies go on where they were by the same call. Under mpirun or srun, or where the same call is made "
      "several\n"
      "times at once, all processes share the work.");
  study_verb.callback([&] { status = app::run_study(studied); });

  app::VerifyArguments verify;
  CLI::App& verify_verb = *program.add_subcommand(
      "verify", "derive the mechanism in relative, in absolute coordinates and from energies, and compare");
  add_model_options(verify_verb, verify.model);
  verify_verb.add_option("--states", verify.states, "random states besides the start")
      ->capture_default_str()
      ->check(CLI::Range(0, 100000));
  verify_verb.add_option("--seed", verify.seed, "of the random states")->capture_default_str();
  verify_verb.add_option("--tolerance", verify.tolerance, "largest difference allowed")
      ->capture_default_str()
      ->check(positive);
  verify_verb.callback([&] { status = app::verify(verify); });

  app::GenerateArguments generate;
  CLI::App& generate_verb = *program.add_subcommand("generate", "source code of a model, or of its mechanism");
  add_model_options(generate_verb, generate.model);
  generate_verb
      .add_option(
          "--function", generate.function,
          "of the whole model: derivatives, residual, outputs, events, step or linearize; of its mechanism: "
          "inverse-dynamics, forward-dynamics, either with -derivatives, mass-matrix, kinematics, constraints or "
          "regressor")
      ->required();
  generate_verb.add_option("--language", generate.language, "c, cpp, matlab or python")->capture_default_str();
  generate_verb
      .add_option("--parameters", generate.parameters,
                  "symbolic: arguments; constants: arguments, combined once; numeric: numbers in the code")
      ->capture_default_str();
  generate_verb.add_option("--points", generate.points, "of kinematics: BODY or BODY:X,Y,Z")
      ->take_all()
      ->allow_extra_args(false);
  generate_verb
      .add_option("--input", generate.inputs,
                  "entry that is an argument of the function, also where it follows a signal")
      ->take_all()
      ->allow_extra_args(false);
  generate_verb.add_option("--joints", generate.joints, "only these joints' forces or accelerations")
      ->take_all()
      ->allow_extra_args(false);
  generate_verb
      .add_option("--independent", generate.independent, "independent coordinates of closed loops; chosen without it")
      ->delimiter(',');
  generate_verb
      .add_option("--actuated", generate.actuated, "joints with actuators, for inverse dynamics of closed loops")
      ->delimiter(',');
  generate_verb.add_option("--outputs", generate.outputs, "of the whole model: only these signals")->delimiter(',');
  generate_verb.add_option("--prefix", generate.prefix,
                           "of all names in the code of the whole model; model without it");
  generate_verb.add_option("-o,--output", generate.folder, "folder of the files")->capture_default_str();
  generate_verb.callback([&] { status = app::generate(generate); });

  app::FmuArguments fmu;
  CLI::App& fmu_verb =
      *program.add_subcommand("export-fmu", "the model as a functional mock-up unit, for other programs");
  add_model_options(fmu_verb, fmu.model);
  fmu_verb.add_option("--fmi", fmu.version, "version of the standard: 2 or 3")
      ->capture_default_str()
      ->check(CLI::IsMember({2, 3}));
  fmu_verb.add_option("--kind", fmu.kinds, "me (model exchange), cs (co-simulation) or both: me,cs")
      ->delimiter(',')
      ->capture_default_str();
  fmu_verb.add_option("--inputs", fmu.inputs, "entries that the importer drives, as U1.v")->delimiter(',');
  fmu_verb.add_option("--outputs", fmu.outputs, "signals that it reads; all without it")->delimiter(',');
  fmu_verb.add_option("--name", fmu.identifier, "of its files and C functions; that of the model's file without it");
  fmu_verb.add_flag("--no-binary", fmu.no_binary, "C sources alone, no library for this machine");
  fmu_verb.add_option("-o,--output", fmu.output, "file, .fmu")->required();
  fmu_verb.callback([&] { status = app::export_fmu(fmu); });

  app::InverseArguments inverse;
  CLI::App& inverse_verb =
      *program.add_subcommand("inverse", "actuator forces for the motion of a run or of a file, also of closed loops");
  add_model_options(inverse_verb, inverse.model);
  inverse_verb
      .add_option(
          "--actuated", inverse.actuated,
          "joints with actuators, or entries that are inputs, e.g. U1.v; without it those that drives or the file move")
      ->delimiter(',');
  inverse_verb
      .add_option("--input", inverse.inputs,
                  "entry whose value is wanted instead, e.g. F1.f, also where it follows a signal")
      ->take_all()
      ->allow_extra_args(false);
  inverse_verb.add_option("--motion", inverse.motion, "motion instead of a run, .csv: time and joint.q columns");
  inverse_verb.add_option("-o,--output", inverse.output, "result file, .csv");
  inverse_verb.add_option("--t-end", inverse.t_end, "end of the run");
  inverse_verb.add_option("--output-step", inverse.output_step, "spacing of the rows");
  inverse_verb.callback([&] { status = app::inverse(inverse); });

  app::KinematicsArguments kinematics;
  CLI::App& kinematics_verb =
      *program.add_subcommand("kinematics", "pose of a point, or the joints that bring it to a target");
  add_model_options(kinematics_verb, kinematics.model);
  kinematics_verb.add_option("--point", kinematics.point, "BODY or BODY:X,Y,Z in metres")->required();
  kinematics_verb.add_option("--target", kinematics.target, "X,Y,Z in metres, or X,Y,Z,A,B,C with angles in rad");
  kinematics_verb.add_option("--path", kinematics.path, "targets row by row, .csv: columns x, y, z and rx, ry, rz");
  kinematics_verb.add_option("--limit", kinematics.limits, "range of a joint: JOINT:LOWER,UPPER")
      ->take_all()
      ->allow_extra_args(false);
  kinematics_verb.add_option("-o,--output", kinematics.output, "joints of a path, .csv");
  kinematics_verb.callback([&] { status = app::kinematics(kinematics); });

  app::LinearizeArguments effective;
  effective.has_inputs = false;
  std::vector<std::string> effective_joints;
  CLI::App& effective_verb =
      *program.add_subcommand("effective", "inertia and load that an actuator feels of the whole mechanism");
  add_operating_point(effective_verb, effective);
  effective_verb.add_option("--joint", effective_joints, "joint or shaft of the actuator")->required()->delimiter(',');
  effective_verb.callback([&] { status = app::effective(effective, effective_joints); });

  app::ReduceArguments reduce;
  CLI::App& reduce_verb =
      *program.add_subcommand("reduce", "a flexible mechanism, or a linear model, in few coordinates");
  add_model_options(reduce_verb, reduce.model);
  reduce_verb
      .add_option("--method", reduce.method,
                  "gmp: rigid, constraint and internal modes of each configuration; of the linear model balanced, "
                  "residual, modal, krylov, irka")
      ->capture_default_str();
  reduce_verb
      .add_option("--theta", reduce.theta,
                  "joint whose coordinate is kept; without it those whose torque or force is an input of the model")
      ->take_all()
      ->allow_extra_args(false);
  reduce_verb
      .add_option("--direction", reduce.directions,
                  "position that loads act on, e.g. tip.z; without it the outputs of the model")
      ->take_all()
      ->allow_extra_args(false);
  reduce_verb.add_option("--sensor", reduce.sensors, "further position to be told")
      ->take_all()
      ->allow_extra_args(false);
  reduce_verb.add_option("--modes", reduce.modes, "internal modes")->capture_default_str()->check(CLI::Range(0, 1000));
  reduce_verb
      .add_option("--at", reduce.at,
                  "configuration: theta, or several with commas, e.g. 0.1,-0.2; of a linear model the time of the run")
      ->take_all()
      ->allow_extra_args(false);
  reduce_verb.add_flag("--equilibrium", reduce.point.equilibrium, "of a linear model: at the static equilibrium");
  reduce_verb.add_flag("--steady", reduce.point.steady, "of a linear model: at rest, or at constant speeds");
  reduce_verb.add_option("--input", reduce.inputs, "of a linear model: input; without it those of the model")
      ->take_all()
      ->allow_extra_args(false);
  reduce_verb.add_option("--signal", reduce.outputs, "of a linear model: output; without it those of the model")
      ->take_all()
      ->allow_extra_args(false);
  reduce_verb.add_option("--order", reduce.order, "of a linear model: states that are kept");
  reduce_verb.add_option("--point", reduce.points, "of krylov: a place s where both models agree, 10 or 1+20j, 1/s")
      ->take_all()
      ->allow_extra_args(false);
  reduce_verb.add_option("-o,--output", reduce.output, "file of the reduced model, .yaml");
  reduce_verb.callback([&] { status = app::reduce(reduce); });

  app::DesignArguments design;
  CLI::App& design_verb = *program.add_subcommand("design", "a controller of the linear model, as blocks to include");
  add_operating_point(design_verb, design.point);
  add_report_option(design_verb, design.point.model);
  design_verb
      .add_option(
          "--method", design.method,
          "lqr, place: of all states; lqg, pid, hinf, h2: of the outputs; kalman: observer alone; analyze: poles, "
          "zeros, transfer functions, norms, margins")
      ->required();
  design_verb
      .add_option("--input", design.point.inputs, "entry that the controller sets; without it the model's inputs")
      ->take_all()
      ->allow_extra_args(false);
  design_verb.add_option("--signal", design.point.outputs, "signal that is measured; without it the model's outputs")
      ->take_all()
      ->allow_extra_args(false);
  design_verb.add_option("-o,--output", design.output, "file of the controller, .yaml");
  design_verb.add_option("--q", design.q, "weights of states: one, or one for each")->delimiter(',');
  design_verb.add_option("--r", design.r, "weights of inputs")->delimiter(',');
  design_verb.add_option("--w", design.w, "covariances of noise on the rates of states")->delimiter(',');
  design_verb.add_option("--v", design.v, "covariances of noise on the outputs")->delimiter(',');
  design_verb.add_option("--pole", design.poles, "of place: -3, or -1+2j for a pair")
      ->take_all()
      ->allow_extra_args(false);
  design_verb.add_option("--sample", design.sample, "period of a sampled controller, in s")->check(positive);
  design_verb.add_option("--measurements", design.measurements, "of hinf and h2: that many last outputs are measured")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  design_verb.add_option("--controls", design.controls, "of hinf and h2: that many last inputs are set")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  design_verb.add_option("--kind", design.kind, "of pid: p, pi or pid")->capture_default_str();
  design_verb.add_option("--rule", design.rule, "of pid: ziegler-nichols, lambda or optimize")->capture_default_str();
  design_verb.add_option("--lambda", design.lambda, "of rule lambda: time constant of the loop, s")->check(positive);
  design_verb.add_option("--filter", design.filter, "of pid: time constant of the derivative, s")
      ->capture_default_str()
      ->check(positive);
  design_verb.callback([&] { status = app::design(design); });

  if (words.empty()) {
    std::fputs(program.help().c_str(), stderr);
    return 2;
  }
  const std::vector<std::string> unknown = app::find_unknown_words(program, words);
  if (!unknown.empty()) {
    app::print_refusal(unknown, wants_json(words));
    return 2;
  }
  try {
    std::vector<std::string> spread = app::spread_lists(program, words);
    std::reverse(spread.begin(), spread.end());  // as CLI11 takes them
    program.parse(spread);
  } catch (const CLI::Success& e) {
    return program.exit(e);
  } catch (const CLI::ParseError& e) {
    const std::string verb = app::verb_of(program, words);
    const std::string help = verb.empty() ? "coenergy --help" : "coenergy " + verb + " --help";
    app::print_refusal(std::vector<std::string>{std::string(e.what()) + "; " + help + " tells more"},
                       wants_json(words));
    return 2;
  }
  return status;
}

/// Files must not become standard streams, where those are closed: what is printed would go into them. Writing to what
/// is open for reading only fails.
void occupy_standard_streams() {
  for (int stream = 0; stream < 3; ++stream)
    if (fcntl(stream, F_GETFD) < 0) static_cast<void>(open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY));
}

/// `unwritten` becomes the cause where standard output took no more in the middle of a verb.
int run_guarded(const std::vector<std::string>& words, int& unwritten) {
  const bool json = wants_json(words);
  try {
    return run_command(words);
  } catch (const coenergy::Error& e) {
    app::print_refusal(e, json);
    return 2;
  } catch (const coenergy::app::Failure& e) {
    app::print_failure(e.what(), json);
    return 1;
  } catch (const std::bad_alloc&) {
    app::print_failure(
        "coenergy: the memory does not suffice; record fewer rows (--output-step) or make the model smaller", json);
    return 1;
  } catch (const std::system_error& e) {
    // what cannot be printed is told at the end
    if (std::ferror(stdout) != 0)
      unwritten = e.code().value();
    else
      app::print_failure(std::string("coenergy: ") + e.what(), json);
    return 1;
  } catch (const std::exception& e) {
    app::print_failure(
        std::string("coenergy: ") + e.what() + "\nThis is a bug in coenergy; please report it with the model.", json);
    return 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_streams();
  // a pipe that nobody reads is an error of writing, not the end of the program
  std::signal(SIGPIPE, SIG_IGN);
  int unwritten = 0;
  const int status = run_guarded({argv + 1, argv + argc}, unwritten);
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    const int cause = unwritten != 0 ? unwritten : errno != 0 ? errno : EIO;
    std::fprintf(stderr, "coenergy: cannot write to standard output: %s\n", std::strerror(cause));
    return status == 0 ? 1 : status;
  }
  return status == 0 && std::ferror(stderr) != 0 ? 1 : status;
}
