// Results in other programs' formats: the same numbers from every file, HDF5 fast and in bounded memory, killed writers
// leave what they wrote, Octave and ngspice open theirs; data files in expressions and plots; results compared.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "coenergy/analyze/result_difference.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/base/hdf5_file.hpp"
#include "coenergy/io/csv.hpp"
#include "coenergy/io/result_writer.hpp"
#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

const std::string circuit =
    "model: charging\n"
    "parameters: {E: 5 V}\n"
    "components:\n"
    "  U: {type: electrical.VoltageSource, p: a, n: gnd, v: E}\n"
    "  R: {type: electrical.Resistor, p: a, n: b, R: 1 kohm}\n"
    "  C: {type: electrical.Capacitor, p: b, n: gnd, C: 1 uF}\n"
    "simulate: {t_end: 5 ms, output_step: 10 us}\n";

/// Whether a program is there, and what it says.
bool call(const std::string& command, std::string& output) {
  const Folder folder;
  const int status = std::system((command + " > " + (folder / "out").string() + " 2>&1").c_str());
  output = read_text(folder / "out");
  return status == 0;
}

class ResultFiles : public testing::Test {
 protected:
  std::string run(const std::string& ending, std::vector<std::string> more = {}) {
    const std::string file = folder_ / ("r" + ending);
    std::vector<std::string> words{"run", folder_.write("m.yaml", circuit), "-q", "-o", file};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run_program(words);
    EXPECT_EQ(outcome.status, 0) << outcome.all();
    return file;
  }
  const Folder folder_;
};

TEST_F(ResultFiles, TheSameNumbersComeBackFromCsvAndHdf5) {
  const CsvData csv = read_data(run(".csv"));
  if (!has_hdf5()) GTEST_SKIP() << "no HDF5";
  const CsvData h5 = read_data(run(".h5"));
  EXPECT_EQ(csv.names, h5.names);
  EXPECT_EQ(csv.units, h5.units);
  EXPECT_EQ(csv.values, h5.values);
  EXPECT_EQ(csv.rows(), 501u);
  EXPECT_EQ(read_data(folder_ / "r.h5", {"time", "C.v"}).column("C.v"), csv.column("C.v"));
}

TEST_F(ResultFiles, UnitsStandWhereTheOptionSays) {
  const CsvData row = read_data(run(".csv"));
  const CsvData header = read_data(run(".csv", {"--units", "header"}));
  EXPECT_EQ(read_text(folder_ / "r.csv").substr(0, 17), "time (s),U.i (A),");
  EXPECT_EQ(header.names, row.names);
  EXPECT_EQ(header.units, row.units);
  EXPECT_EQ(header.values, row.values);
  const CsvData none = read_data(run(".csv", {"--units", "none"}));
  EXPECT_EQ(read_text(folder_ / "r.csv").substr(0, 9), "time,U.i,");
  EXPECT_EQ(none.values, row.values);
}

TEST_F(ResultFiles, Hdf5TellsTheRun) {
  if (!has_hdf5()) GTEST_SKIP() << "no HDF5";
  const std::string file = run(".h5", {"--set", "E=7 V"});
  std::string output;
  if (!call("/usr/bin/python3 -c 'import h5py'", output)) GTEST_SKIP() << "no h5py";
  const std::string script = folder_.write(
      "read.py",
      "import h5py, sys\n"
      "f = h5py.File(sys.argv[1], 'r'); r = f['run']\n"
      "p = dict(zip(r['parameter_names'].asstr()[:], r['parameter_values'][:]))\n"
      "print(r.attrs['ended'], '|', r.attrs['title'], '|', r.attrs['set'], '|', p['E'], '|', f['C.v'].attrs['unit'],\n"
      "      '|', f['C.v'].compression, f['C.v'].chunks is not None, '|', 'kohm' in r['model'].asstr()[()])\n"
      "print(float(f['C.v'][-1]))\n");
  ASSERT_TRUE(call("/usr/bin/python3 " + script + " " + file, output)) << output;
  const std::string line = output.substr(0, output.find('\n'));
  EXPECT_EQ(line, "reached t = 0.005 s | charging | E=7 V | 7.0 | V | gzip True | True");
  // 7 V (1 − e⁻⁵); tolerance: rtol 1e-6 of the run, over its steps
  EXPECT_NEAR(std::stod(output.substr(line.size())), 7 * (1 - std::exp(-5)), 2e-5);
}

TEST_F(ResultFiles, OctaveOpensMat) {
  std::string output;
  if (!call("octave-cli --version", output)) GTEST_SKIP() << "no Octave";
  const Outcome outcome = run_program({"run", folder_.write("m.yaml", circuit), "-q", "-o", folder_ / "r.mat"});
  if (outcome.status == 2 && outcome.message.find("no matio") != std::string::npos) GTEST_SKIP() << "no matio";
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  const CsvData csv = read_data(run(".csv"));
  ASSERT_TRUE(call("octave-cli --eval \"s = load('" + (folder_ / "r.mat").string() +
                       "'); k = find(strcmp(s.names, 'C.v')); printf('%d %.17g %.17g %s %s\\n', rows(s.values), "
                       "s.time(end), s.values(end, k), s.units{k}, s.ended)\"",
                   output))
      << output;
  char last[40];
  std::snprintf(last, sizeof last, "%.17g", csv.column("C.v").back());
  EXPECT_EQ(output.substr(0, output.find('\n')),
            "501 0.0050000000000000001 " + std::string(last) + " V reached t = 0.005 s");
}

TEST_F(ResultFiles, NgspiceOpensRaw) {
  std::string output;
  if (!call("ngspice --version", output)) GTEST_SKIP() << "no ngspice";
  const std::string raw = run(".raw");
  const CsvData csv = read_data(run(".csv"));
  const std::string script = folder_.write(
      "n.cir", "* x\n.control\nload " + raw + "\nset numdgt=14\nprint length(time) c#v[500]\nquit\n.endc\n.end\n");
  call("ngspice -b " + script, output);
  EXPECT_NE(output.find("length(time) = 5.01"), std::string::npos) << output;
  const std::size_t at = output.find("c#v[500] = ");
  ASSERT_NE(at, std::string::npos) << output;
  // ngspice prints 15 digits
  EXPECT_NEAR(std::stod(output.substr(at + 11)), csv.column("C.v").back(), 1e-13);
}

TEST_F(ResultFiles, WhatCannotBeWrittenIsRefused) {
  const std::string model = folder_.write("m.yaml", circuit);
  const auto refusal = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"run", model, "-q"});
    const Outcome outcome = run_program(words);
    EXPECT_EQ(outcome.status, 2) << outcome.all();
    return outcome.message;
  };
  EXPECT_NE(refusal({"-o", folder_ / "r.xlsx"}).find("the file name must end with .csv"), std::string::npos);
  EXPECT_NE(refusal({"-o", folder_ / "r.raw", "--units", "none"}).find("--units: only a result in .csv"),
            std::string::npos);
  EXPECT_NE(refusal({"-o", folder_ / "r.raw", "--checkpoint", folder_ / "c"}).find("writes its result as .csv"),
            std::string::npos);
}

io::ResultHeader wide_header(std::size_t columns) {
  io::ResultHeader header;
  header.names = {"time"}, header.units = {"s"};
  for (std::size_t k = 1; k < columns; ++k)
    header.names.push_back("m" + std::to_string(k) + ".w"), header.units.push_back("rad/s");
  return header;
}
void fill_row(std::vector<double>& row, std::size_t i) {
  row[0] = 1e-5 * static_cast<double>(i);
  // phases by rotation: cheap, and smooth as results are
  static thread_local double c = 1, s = 0;
  if (i == 0) c = 1, s = 0;
  const double turned = 0.99999 * c - 0.004472 * s;
  s = 0.004472 * c + 0.99999 * s, c = turned;
  for (std::size_t k = 1; k < row.size(); ++k) row[k] = c / static_cast<double>(k) + s;
}

TEST_F(ResultFiles, Hdf5IsWrittenFastInBoundedMemory) {
  if (!has_hdf5()) GTEST_SKIP() << "no HDF5";
  const std::size_t rows = COENERGY_RESULT_ROWS, columns = 20;
  std::vector<double> row(columns);
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  {
    const auto writer = io::make_result_writer(folder_ / "big.h5", wide_header(columns));
    for (std::size_t i = 0; i < rows; ++i) fill_row(row, i), writer->append(row);
    writer->close();
  }
  getrusage(RUSAGE_SELF, &after);
  const double seconds = double(after.ru_utime.tv_sec - before.ru_utime.tv_sec) +
                         1e-6 * double(after.ru_utime.tv_usec - before.ru_utime.tv_usec) +
                         double(after.ru_stime.tv_sec - before.ru_stime.tv_sec) +
                         1e-6 * double(after.ru_stime.tv_usec - before.ru_stime.tv_usec);
  const double megabytes = 8e-6 * double(rows * columns);
  std::printf("%.0f MB of numbers in %.2f s of processor time (%.0f MB/s) as %.0f MB; at most %ld MB of memory\n",
              megabytes, seconds, megabytes / seconds, 1e-6 * double(std::filesystem::file_size(folder_ / "big.h5")),
              after.ru_maxrss / 1024);
  EXPECT_GT(megabytes / seconds, 100);
  EXPECT_LT(after.ru_maxrss / 1024, 200);
  const CsvData data = read_data(folder_ / "big.h5", {"time", "m7.w"});
  ASSERT_EQ(data.rows(), rows);
  fill_row(row, 0);
  EXPECT_EQ(data.at(0, 1), row[7]);
  EXPECT_EQ(data.at(rows - 1, 0), 1e-5 * double(rows - 1));
}

TEST_F(ResultFiles, KilledWritersLeaveReadableFiles) {
  if (!has_hdf5()) GTEST_SKIP() << "no HDF5";
  std::string output;
  const bool has_h5py = call("/usr/bin/python3 -c 'import h5py'", output);
  const std::string model =
      folder_.write("endless.yaml",
                    "components:\n"
                    "  U: {type: electrical.VoltageSource, p: a, n: gnd, v: \"5 V*sin(2000*time/(1 s))\"}\n"
                    "  R: {type: electrical.Resistor, p: a, n: b, R: 1 kohm}\n"
                    "  C: {type: electrical.Capacitor, p: b, n: gnd, C: 1 uF}\n"
                    "simulate: {t_end: 1000 s, method: rk4, step: 10 us}\n");
  for (int k = 0; k < COENERGY_RESULT_KILLS; ++k) {
    for (const char* ending : {".h5", ".raw"}) {
      const std::string file = folder_ / (std::string("k") + ending), part = folder_ / (std::string("k.part") + ending);
      const pid_t child = fork();
      if (child == 0) {
        execl(COENERGY_PROGRAM, COENERGY_PROGRAM, "run", model.c_str(), "-q", "-o", file.c_str(), nullptr);
        _exit(127);
      }
      // until some chunks are there, and a moment that differs each time
      while (!std::filesystem::exists(part) || std::filesystem::file_size(part) < 2000000)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      std::this_thread::sleep_for(std::chrono::microseconds(1 + 7919 * k % 50000));
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
      if (std::string(ending) == ".raw") {
        std::filesystem::remove(part);
        continue;
      }
      const CsvData data = read_data(part);
      ASSERT_GT(data.rows(), 1000u);
      for (std::size_t i = 0; i < data.rows(); ++i) ASSERT_NEAR(data.at(i, 0), 1e-5 * double(i), 1e-9) << i;
      if (has_h5py && k == 0) {
        EXPECT_TRUE(
            call("/usr/bin/python3 -c \"import h5py; print(len(h5py.File('" + part + "', 'r')['C.v'][:]))\"", output))
            << output;
        EXPECT_EQ(std::stoul(output), data.rows());
      }
      std::filesystem::remove(part);
    }
  }
}

TEST_F(ResultFiles, AColumnOfAFileStandsInExpressions) {
  folder_.write("bench.csv", "time,u,x\nms,mV,-\n0,0,1\n1,2000,2\n3,1000,3\n");
  std::string text = circuit;
  text.replace(text.find("v: E"), 4, "v: '2*table(\"bench.csv\", \"u\")'");
  const auto run_text = [&](const std::string& model) {
    const Outcome o = run_program({"run", folder_.write("t.yaml", model), "-q", "-o", folder_ / "t.csv"});
    EXPECT_EQ(o.status, 0) << o.all();
    return read_data(folder_ / "t.csv");
  };
  const CsvData csv = run_text(text);
  const std::vector<double> t = csv.column("time"), u = csv.column("a.v");
  for (std::size_t i = 0; i < t.size(); ++i) {
    const double expected = t[i] < 1e-3 ? 4e3 * t[i] : t[i] < 3e-3 ? 4 - 1e3 * (t[i] - 1e-3) : 2;
    ASSERT_NEAR(u[i], expected, 1e-12) << t[i];
  }
  if (!has_hdf5()) return;
  // a result in HDF5 as the input of another run: its rows are straight between, so that at them nothing is lost
  const CsvData first = read_data(run(".h5"));
  text = circuit;
  text.replace(text.find("v: E"), 4, "v: 'table(\"r.h5\", \"b.v\")'");
  EXPECT_EQ(run_text(text).column("a.v").at(250), first.column("b.v").at(250));
}

TEST_F(ResultFiles, WhatIsWrongInADataFileIsTold) {
  const auto refusal = [&](const std::string& expression, const std::string& data) {
    folder_.write("bench.csv", data);
    std::string text = circuit;
    text.replace(text.find("v: E"), 4, "v: '" + expression + "'");
    const Outcome o = run_program({"run", folder_.write("t.yaml", text), "-q"});
    EXPECT_EQ(o.status, 2) << o.all();
    return o.message;
  };
  const auto has = [](const std::string& text, const std::string& what) {
    return text.find(what) != std::string::npos;
  };
  const std::string table = "table(\"bench.csv\", \"u\")", good = "time,u\ns,V\n0,0\n1,2\n";
  for (const auto& [data, what] : std::vector<std::pair<std::string, std::string>>{
           {"time,w\ns,V\n0,0\n1,2\n", "unknown column \"u\""},
           {"time,u\ns,A\n0,0\n1,2\n", "must be in V, not in A"},
           {"time,u\ns,V\n0,0\n1,\n", "bench.csv:4:3: \"\" is not a number"},
           {"time,u\ns,V\n0,0\n1,high\n", "bench.csv:4:3: \"high\" is not a number"},
           {"time,u\ns,V\n0,0\n1,nan\n2,1\n", "bench.csv: column u, row 2: nan is no value"},
           {"time,u\ns,V\n0,0\n2,1\n1,1\n", "bench.csv: row 3: time = 1 s follows 2 s"},
           {"time,u\ns,V\n0,0\n2,1\n2,3\n", "a second value at time = 2 s; a table cannot jump"},
           {"time,u\ns,V\n0,0\n", "needs two rows or more"}}) {
    const std::string message = refusal(table, data);
    EXPECT_TRUE(has(message, what)) << message;
  }
  EXPECT_TRUE(has(refusal("table(\"none.csv\", \"u\")", good), "none.csv: No such file"));
  EXPECT_TRUE(has(refusal("table(\"bench.csv\")", good), "write table(\"file.csv\", \"column\")"));
  EXPECT_TRUE(has(refusal("2*\"u\"", good), "a text can only stand in table("));
}

TEST_F(ResultFiles, MeasuredCurvesLieOverPlots) {
  folder_.write("bench.csv", "time,u\nms,V\n1,1\n2,3\n");
  const Outcome o =
      run_program({"run", folder_.write("p.yaml", circuit + "plots: [[C.v, 'table(\"bench.csv\", \"u\")']]\n"), "-q",
                   "--report", folder_ / "p.html"});
  ASSERT_EQ(o.status, 0) << o.all();
  const std::string text = read_text(folder_ / "p.html"), begin = "id=\"coenergy-data\"";
  const std::size_t from = text.find('>', text.find(begin)) + 1;
  const auto data = nlohmann::json::parse(text.substr(from, text.find("</script>", from) - from));
  EXPECT_EQ(data["plots"][0]["signals"], nlohmann::json({"C.v", "bench.csv: u"}));
  EXPECT_NE(text.find("bench.csv: u"), std::string::npos);
}

TEST_F(ResultFiles, ResultsAreCompared) {
  const std::string a = run(".csv"), b = folder_ / "b.csv";
  std::filesystem::copy(a, b);
  EXPECT_EQ(run_program({"compare", a, b}).status, 0);
  CsvData data = read_data(a);
  const auto place = std::find(data.names.begin(), data.names.end(), "C.v") - data.names.begin();
  data.values[100 * data.columns() + std::size_t(place)] += 0.25;
  io::write_csv(b, data.names, data.units, data.values);
  const Outcome outcome = run_program({"compare", a, b, "--json"});
  EXPECT_EQ(outcome.status, 1);
  const auto j = nlohmann::json::parse(outcome.output);
  EXPECT_FALSE(j["equal"]);
  // within the window of time, 5e-12 s, the spike of 10 us is lower by 0.25·5e-7
  EXPECT_NEAR(j["signals"]["C.v"]["largest"].get<double>(), 0.25, 2e-7);
  EXPECT_NEAR(j["signals"]["C.v"]["at"].get<double>(), 1e-3, 1e-15);
  EXPECT_TRUE(j["signals"]["a.v"]["equal"]);
  EXPECT_EQ(run_program({"compare", a, b, "--atol", "0.26"}).status, 0);
  EXPECT_EQ(run_program({"compare", a, b, "--signal", "C.w"}).status, 2);
}

TEST(ResultDifferences, JumpsAtOneInstantAreNone) {
  const CsvData a = parse_csv("time,x\ns,m\n0,0\n1,0\n1,5\n2,5\n", "a"),
                b = parse_csv("time,x\ns,mm\n0,0\n0.5,0\n1.0000000005,0\n1.0000000005,5000\n1.5,5000\n2,5000\n", "b");
  EXPECT_TRUE(analyze::compare_results(a, "a", b, "b").good());
  EXPECT_TRUE(analyze::compare_results(b, "b", a, "a").good());
  const CsvData late = parse_csv("time,x\ns,m\n0,0\n1.01,0\n1.01,5\n2,5\n", "late");
  const analyze::ResultDifference d = analyze::compare_results(a, "a", late, "late");
  EXPECT_FALSE(d.good());
  EXPECT_EQ(d.signals[0].largest, 5);
  EXPECT_TRUE(analyze::compare_results(a, "a", late, "late", {.time = 0.02}).good());
  const CsvData other = parse_csv("time,x\ns,kg\n0,0\n2,5\n", "c");
  EXPECT_THROW(analyze::compare_results(a, "a", other, "c"), Error);
}

}  // namespace
}  // namespace coenergy::tests
