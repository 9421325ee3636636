// Every netlist of tests/census, in the dialects that people write, gives what ngspice gives.
//
// A file says how it is judged:
//   * census 1e-4: reason       the largest difference, as a part of the largest value of a signal, and why so much
//   * signals v(out) i(V1)      what is compared, in the words of ngspice
//   * at rest 1e-9              a difference that counts as none whatever the values (of currents of 1e-12 A, say)
//   * ngspice options x=1       options of ngspice beside those that all have, where it fails by these
//   * ngspice: text             replaces the next line where ngspice writes otherwise; with no text it has no such line
// and has one card .op, .dc, .ac or .tran. ngspice runs with tight tolerances, the program with those that it has by
// itself unless the file gives others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>
#include <numbers>

#include "coenergy/io/csv.hpp"
#include "coenergy/io/spice_lines.hpp"
#include "tests/ngspice.hpp"

namespace coenergy::tests {
namespace {

const std::filesystem::path folder = std::filesystem::path(COENERGY_SOURCE_DIR) / "tests" / "census";

struct Sample {
  std::string reference;  ///< netlist for ngspice
  std::string kind;       ///< op, dc, ac, tran
  std::string card;       ///< for ngspice, without its dot
  std::string options;    ///< for ngspice
  std::vector<std::string> signals;
  double tolerance = 0, least = 0;
};

std::string behind(const std::string& line, const std::string& begin) { return line.substr(begin.size()); }

Sample read_sample(const std::filesystem::path& file) {
  Sample s;
  std::istringstream lines(read_text(file));
  std::string instead;
  bool replaces = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("* census ")) s.tolerance = std::stod(behind(line, "* census "));
    if (line.starts_with("* at rest ")) s.least = std::stod(behind(line, "* at rest "));
    if (line.starts_with("* ngspice options ")) s.options = "option " + behind(line, "* ngspice options ") + "\n";
    if (line.starts_with("* ngspice:")) {
      instead = behind(line, "* ngspice:"), replaces = true;
      continue;
    }
    if (line.starts_with("* signals ")) {
      std::istringstream words(behind(line, "* signals "));
      for (std::string word; words >> word;) s.signals.push_back(word);
    }
    if (replaces) line = instead.substr(std::min(instead.size(), instead.find_first_not_of(' ')));
    replaces = false;
    const std::string word = io::spice::to_lower(line.substr(0, line.find(' ')));
    for (const char* kind : {"op", "dc", "ac", "tran"})
      if (word == std::string(".") + kind) s.kind = kind, s.card = line.substr(1);
    s.reference += line + "\n";
  }
  return s;
}

/// v(out) is out.v, i(L1) is L1.i, whatever the letters; node 1 is n_1, x1.mid is X1_mid.
bool is_signal(std::string label, const std::string& signal) {
  label = io::spice::to_lower(label);
  std::string name = io::spice::to_lower(signal);
  if (label == name) return true;
  name = name.substr(2, name.size() - 3) + (name[0] == 'v' ? ".v" : ".i");
  std::replace(name.begin(), name.end() - 2, '.', '_');
  return label == name || label == "n_" + name;
}

/// Rows of key and values, by the program: parts of phasors in two columns.
std::vector<std::vector<double>> run_sample(const std::filesystem::path& file, const Sample& s) {
  const Folder results;
  const std::string table = (results / "table.csv").string();
  const Outcome outcome =
      run_program({"run", file.string(), "-o", table, "--json", "--set", "simulate.record_events=false"}, 60);
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  if (outcome.status != 0) return {};
  std::vector<std::vector<double>> rows;
  if (s.kind == "op") {
    const auto json = nlohmann::json::parse(outcome.output);
    rows.push_back({0});
    for (const std::string& signal : s.signals)
      for (const auto& [label, value] : json["op"]["signals"].items())
        if (is_signal(label, signal)) {
          rows[0].push_back(value.get<double>());
          break;
        }
    return rows;
  }
  const io::CsvData data = io::read_csv(table);
  for (std::size_t r = 0; r < data.rows(); ++r) {
    rows.push_back({data.at(r, 0)});
    for (const std::string& signal : s.signals) {
      for (std::size_t c = 0; c < data.columns(); ++c) {
        if (s.kind != "ac" && is_signal(data.names[c], signal)) {
          rows.back().push_back(data.at(r, c));
          break;
        }
        if (s.kind != "ac" || !data.names[c].ends_with(" magnitude")) continue;
        if (!is_signal(data.names[c].substr(0, data.names[c].size() - 10), signal)) continue;
        const std::complex<double> z = std::polar(data.at(r, c), data.at(r, c + 1) * std::numbers::pi / 180);
        rows.back().push_back(z.real()), rows.back().push_back(z.imag());
        break;
      }
    }
  }
  return rows;
}

/// The same by ngspice; of .tran at the times of the program's rows.
std::vector<std::vector<double>> run_reference(const Sample& s, const std::vector<std::vector<double>>& own) {
  std::string list;
  for (const std::string& signal : s.signals) list += " " + signal;
  std::string options = "option reltol=1e-5 abstol=1e-14 vntol=1e-8 chgtol=1e-18 trtol=1 itl4=100\n" + s.options;
  if (s.kind == "op") {
    const NgspiceOutput output = command_ngspice(s.reference, options + "op\nprint" + list);
    std::vector<double> row{0};
    for (const std::string& signal : s.signals) row.push_back(output.printed(io::spice::to_lower(signal)));
    return {row};
  }
  const NgspiceOutput output = command_ngspice(s.reference, options + s.card + "\nwrdata table" + list);
  if (output.table.empty()) ADD_FAILURE() << output.log;
  if (s.kind != "tran") return output.table;
  std::vector<std::vector<double>> rows;
  std::size_t k = 1;
  for (const std::vector<double>& row : own) {
    if (output.table.size() < 2) break;
    while (k + 1 < output.table.size() && output.table[k][0] < row[0]) ++k;
    const std::vector<double>&a = output.table[k - 1], &b = output.table[k];
    const double part = std::clamp((row[0] - a[0]) / (b[0] - a[0]), 0.0, 1.0);
    rows.push_back({row[0]});
    for (std::size_t c = 1; c < a.size(); ++c) rows.back().push_back(a[c] + part * (b[c] - a[c]));
  }
  return rows;
}

std::vector<std::string> list_samples() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".cir") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class NetlistCensus : public testing::TestWithParam<std::string> {};

TEST_P(NetlistCensus, AgreesWithNgspice) {
  if (!has_ngspice()) GTEST_SKIP() << "ngspice is not installed";
  const std::filesystem::path file = folder / (GetParam() + ".cir");
  const Sample s = read_sample(file);
  ASSERT_GT(s.tolerance, 0) << "no line * census …: reason";
  ASSERT_FALSE(s.signals.empty() || s.kind.empty());
  const auto own = run_sample(file, s), reference = run_reference(s, own);
  ASSERT_EQ(own.size(), reference.size());
  ASSERT_FALSE(own.empty());
  const std::size_t parts = s.kind == "ac" ? 2 : 1;
  ASSERT_EQ(own[0].size(), 1 + parts * s.signals.size()) << "signals are missing";
  ASSERT_EQ(reference[0].size(), own[0].size()) << "signals are missing in ngspice";
  for (std::size_t k = 0; k < s.signals.size(); ++k) {
    double largest = 0, difference = 0, where = 0;
    for (std::size_t r = 0; r < own.size(); ++r) {
      double size = 0, error = 0;
      for (std::size_t c = 1 + k * parts; c < 1 + (k + 1) * parts; ++c) {
        size = std::hypot(size, reference[r][c]);
        error = std::hypot(error, own[r][c] - reference[r][c]);
      }
      largest = std::max(largest, size);
      if (!(error <= difference)) difference = error, where = own[r][0];
    }
    EXPECT_LE(difference, s.tolerance * largest + s.least)
        << s.signals[k] << " at " << where << ": differs by " << difference << " of " << largest;
    if (std::getenv("COENERGY_SHOW_FIGURES") != nullptr)
      std::printf("%-24s %-10s %.2g of %.3g at %.3g\n", GetParam().c_str(), s.signals[k].c_str(), difference, largest,
                  where);
  }
}

TEST(NetlistCensusFolder, HoldsManyNetlists) { EXPECT_GE(list_samples().size(), 200u); }

INSTANTIATE_TEST_SUITE_P(Files, NetlistCensus, testing::ValuesIn(list_samples()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace coenergy::tests
