// Every netlist of tests/netlists, run by coenergy as it is and by ngspice, gives the same waveforms.
//
// Two statements, each with its own tolerance, for every signal of .print, as parts of its largest value:
//  1. The run is right to what a line `* tolerance 1e-4: reason` says: it is compared with a run of a thousandth of the
//     error per step.
//  2. That accurate run agrees with ngspice as far as ngspice agrees with itself: ngspice runs twice with tight
//     tolerances, with a largest step of 1/20 of that of .tran (or of what a line `* reference step 1n: reason` says)
//     and with twice that. Where its own steps are shorter anyhow, a line `* reference tolerance 1e-9: reason` sets its
//     reltol, instead of 1e-7; the worse run has ten times that. The difference of these two runs is an estimate of the
//     error of the worse one; the better one may be off by twice that, where its error is of first order and irregular.
//     5e-6 are added for the constants of nature (k/q of ngspice is right to 1e-6) and the 1e-12 S it puts beside every
//     junction. A line `* reference error 2e-4: reason` says where the error of ngspice shows in neither.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <regex>

#include "coenergy/io/csv.hpp"
#include "coenergy/io/spice_expression.hpp"
#include "coenergy/io/spice_lines.hpp"
#include "tests/ngspice.hpp"

namespace coenergy::tests {
namespace {

const std::filesystem::path folder = std::filesystem::path(COENERGY_SOURCE_DIR) / "tests" / "netlists";

struct Comparison {
  std::string text;
  double tolerance = 0, reference_error = 0;
  std::optional<double> reference_tolerance;
  std::string step, stop, reference_step;
  bool given_start = false;  ///< uic
  std::vector<std::string> signals;
};

Comparison read_comparison(const std::filesystem::path& file) {
  Comparison c;
  c.text = read_text(file);
  std::istringstream lines(c.text);
  static const std::regex tolerance(R"(\* tolerance (\S+): \S.*)"), reference(R"(\* reference step ([^\s:]+).*)"),
      reference_error(R"(\* reference error (\S+): \S.*)"),
      reference_tolerance(R"(\* reference tolerance (\S+): \S.*)"), signal(R"([vi]\([^)]*\))");
  std::smatch match;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (std::regex_match(line, match, tolerance)) c.tolerance = std::stod(match[1]);
    if (std::regex_match(line, match, reference)) c.reference_step = match[1];
    if (std::regex_match(line, match, reference_error)) c.reference_error = std::stod(match[1]);
    if (std::regex_match(line, match, reference_tolerance)) c.reference_tolerance = std::stod(match[1]);
    if (word == ".tran") words >> c.step >> c.stop, c.given_start = line.find("uic") != std::string::npos;
    if (word == ".print")
      for (std::sregex_iterator i(line.begin(), line.end(), signal); i != std::sregex_iterator(); ++i)
        c.signals.push_back(i->str());
  }
  return c;
}

/// By ngspice, the better or the worse run.
Waves run_reference(const Comparison& c, bool better) {
  const double tolerance = !c.reference_tolerance ? 1e-7
                           : better               ? *c.reference_tolerance
                                                  : 10 * *c.reference_tolerance;
  const double step = (better ? 1 : 2) * (c.reference_step.empty() ? *io::spice::parse_number(c.step) / 20
                                                                   : *io::spice::parse_number(c.reference_step));
  std::ostringstream options;
  options << ".options reltol=" << tolerance << " abstol=1e-14 vntol=1e-10 chgtol=1e-22 trtol=1 itl4=100\n.tran "
          << c.step << " " << c.stop << " 0 " << step << (c.given_start ? " uic" : "");
  return run_ngspice(c.text, options.str(), c.signals);
}

/// "v(out)" is out.v, "i(L1)" is L1.i in a result of coenergy, whatever the letters; a node 1 is n_1.
std::size_t find_column(const io::CsvData& data, const std::string& signal) {
  const std::string name = io::spice::to_lower(signal.substr(2, signal.size() - 3)) + (signal[0] == 'v' ? ".v" : ".i");
  const auto place = std::find_if(data.names.begin(), data.names.end(), [&](const std::string& label) {
    const std::string lower = io::spice::to_lower(label);
    return lower == name || lower == signal;
  });
  return static_cast<std::size_t>(place - data.names.begin());
}

std::vector<std::string> list_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".cir") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class Netlists : public testing::TestWithParam<std::string> {};

TEST_P(Netlists, AgreeWithNgspice) {
  if (!has_ngspice()) GTEST_SKIP() << "ngspice is not installed";
  const std::filesystem::path file = folder / (GetParam() + ".cir");
  const Comparison c = read_comparison(file);
  ASSERT_GT(c.tolerance, 0) << "no line * tolerance …: reason";
  ASSERT_FALSE(c.signals.empty());
  const Folder results;
  // rows on the grid of .tran only, so that two runs have the same times
  const auto run = [&](const char* name, const char* rtol, const char* atol) {
    std::vector<std::string> arguments{"run", file.string(), "-o", (results / name).string()};
    arguments.insert(arguments.end(), {"--set", "simulate.record_events=false"});
    if (rtol != nullptr) arguments.insert(arguments.end(), {"--rtol", rtol, "--atol", atol});
    const Outcome outcome = run_program(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.all();
    return io::read_csv((results / name).string());
  };
  const io::CsvData data = run("result.csv", nullptr, nullptr), accurate = run("accurate.csv", "1e-9", "1e-11");
  ASSERT_EQ(data.rows(), accurate.rows());
  const Waves fine = run_reference(c, true), coarse = run_reference(c, false);
  ASSERT_EQ(fine.failure + coarse.failure, "");

  for (std::size_t s = 0; s < c.signals.size(); ++s) {
    const std::size_t column = find_column(data, c.signals[s]);
    ASSERT_LT(column, data.names.size()) << c.signals[s];
    double largest = 0, own = 0, other = 0, reference = 0, where = 0;
    for (double x : fine.values[s]) largest = std::max(largest, std::abs(x));
    for (std::size_t row = 0; row < data.rows(); ++row) {
      // with given start values the first point of ngspice is behind its first step
      const double t = data.at(row, 0), x = accurate.at(row, column);
      own = std::max(own, std::abs(data.at(row, column) - x));
      if (t < coarse.times.front()) continue;
      reference = std::max(reference, std::abs(fine.at(s, t) - coarse.at(s, t)));
      if (const double difference = std::abs(x - fine.at(s, t)); difference > other) other = difference, where = t;
    }
    char text[200];
    std::snprintf(text, sizeof text, "own %.2g, against ngspice %.2g, of ngspice itself %.2g", own / largest,
                  other / largest, reference / largest);
    RecordProperty(c.signals[s], text);
    EXPECT_LE(own, c.tolerance * largest) << c.signals[s] << ": " << text;
    EXPECT_LE(other, std::max(2 * reference, c.reference_error * largest) + 5e-6 * largest)
        << c.signals[s] << " at t = " << where << ": " << text;
    if (std::getenv("COENERGY_SHOW_FIGURES") != nullptr)
      std::printf("%-20s %-10s %s\n", GetParam().c_str(), c.signals[s].c_str(), text);
  }
}

TEST_P(Netlists, ConvertToModelsWithTheSameResult) {
  const std::string netlist = (folder / (GetParam() + ".cir")).string();
  const Folder results;
  const std::string model = (results / "model.yaml").string(), direct = (results / "direct.csv").string(),
                    converted = (results / "converted.csv").string();
  const Outcome conversion = run_program({"convert", netlist, "-o", model});
  ASSERT_EQ(conversion.status, 0) << conversion.all();
  ASSERT_EQ(run_program({"run", netlist, "-o", direct}).status, 0);
  const Outcome run = run_program({"run", model, "-o", converted});
  ASSERT_EQ(run.status, 0) << run.all();
  // the same numbers in the same order: not a bit may differ
  EXPECT_TRUE(read_text(direct) == read_text(converted)) << read_text(model).substr(0, 2000);
}

std::string replace_once(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return text.replace(place, from.size(), to);
}

TEST(NetlistOptions, MethodEsdirkRunsTheBuckConverterInLongStepsToItsTolerance) {
  const Folder results;
  const std::string text = read_text((folder / "buck.cir").string());
  const std::string loose = results.write(
      "loose.cir", replace_once(text, ".tran 0.2u 400u uic",
                                ".options method=esdirk reltol=1e-3 vntol=1e-5\n.tran 0.2u 400u 0 40u uic"));
  const std::string a = (results / "exact.csv").string(), b = (results / "loose.csv").string();
  ASSERT_EQ(
      run_program({"run", (folder / "buck.cir").string(), "-o", a, "--set", "simulate.record_events=false"}).status, 0);
  const Outcome outcome = run_program({"run", loose, "-o", b, "--set", "simulate.record_events=false"});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  const io::CsvData exact = io::read_csv(a), fast = io::read_csv(b);
  ASSERT_EQ(exact.rows(), fast.rows());
  for (const char* name : {"out.v", "L1.i"}) {
    const auto u = exact.column(name), v = fast.column(name);
    double largest = 0, error = 0;
    for (std::size_t k = 0; k < u.size(); ++k)
      largest = std::max(largest, std::abs(u[k])), error = std::max(error, std::abs(u[k] - v[k]));
    EXPECT_LT(error, 1e-3 * largest) << name;  // the tolerance of a step; 300 steps, of which the circuit forgets most
  }
}

TEST(NetlistOptions, AMethodOfSpiceIsLeftOutWithANote) {
  const Folder results;
  const std::string text = read_text((folder / "buck.cir").string());
  const auto convert = [&](const std::string& options) {
    const std::string file = results.write("options.cir", replace_once(text, ".tran", options + "\n.tran"));
    const Outcome outcome = run_program({"convert", file, "-o", (results / "model.yaml").string()});
    EXPECT_EQ(outcome.status, 0) << outcome.all();
    return outcome.all() + read_text((results / "model.yaml").string());
  };
  EXPECT_NE(convert(".options method=gear").find("options left out: method"), std::string::npos);
  EXPECT_NE(convert(".options method=gear").find("method: radau"), std::string::npos);
  EXPECT_NE(convert(".options method=esdirk").find("method: esdirk"), std::string::npos);
  EXPECT_EQ(convert(".options method=esdirk").find("left out"), std::string::npos);
}

TEST(NetlistsFolder, HoldsManyKindsOfCircuits) { EXPECT_GE(list_names().size(), 12u); }

INSTANTIATE_TEST_SUITE_P(Files, Netlists, testing::ValuesIn(list_names()), [](const auto& info) { return info.param; });

}  // namespace
}  // namespace coenergy::tests
