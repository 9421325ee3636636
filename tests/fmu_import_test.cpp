// Machines of other tools by their FMUs: both kinds of FMI 2 and 3 against closed forms, what remembers its past, and
// FMUs that are wrong, crash or never return.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "coenergy/base/data_file.hpp"
#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

const std::string two =
    R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="Lag" guid="{lag}" numberOfEventIndicators="1">
<ModelExchange modelIdentifier="lag" canGetAndSetFMUstate="true"><SourceFiles><File name="lag.c"/></SourceFiles></ModelExchange>
<CoSimulation modelIdentifier="lag" canGetAndSetFMUstate="true"><SourceFiles><File name="lag.c"/></SourceFiles></CoSimulation>
<UnitDefinitions><Unit name="s"><BaseUnit s="1"/></Unit><Unit name="mm"><BaseUnit m="1" factor="0.001"/></Unit></UnitDefinitions>
<DefaultExperiment stopTime="1" stepSize="0.01"/>
<ModelVariables>
<ScalarVariable name="time" valueReference="0" causality="independent" variability="continuous"><Real unit="s"/></ScalarVariable>
<ScalarVariable name="x" valueReference="1" causality="local" variability="continuous" initial="exact"><Real start="0"/></ScalarVariable>
<ScalarVariable name="der(x)" valueReference="2" causality="local" variability="continuous"><Real derivative="2"/></ScalarVariable>
<ScalarVariable name="u" valueReference="3" causality="input" variability="continuous"><Real start="0" unit="mm"/></ScalarVariable>
<ScalarVariable name="y" valueReference="4" causality="output" variability="continuous"><Real unit="mm"/></ScalarVariable>
<ScalarVariable name="T" valueReference="5" causality="parameter" variability="fixed"><Real start="0.2" unit="s"/></ScalarVariable>
<ScalarVariable name="level" valueReference="6" causality="parameter" variability="fixed"><Real start="0.5"/></ScalarVariable>
<ScalarVariable name="n" valueReference="7" causality="output" variability="discrete"><Integer/></ScalarVariable>
<ScalarVariable name="trouble" valueReference="8" causality="parameter" variability="fixed"><Integer start="0"/></ScalarVariable>
</ModelVariables>
<ModelStructure><Outputs><Unknown index="5"/><Unknown index="8"/></Outputs><Derivatives><Unknown index="3"/></Derivatives>
<InitialUnknowns><Unknown index="3"/><Unknown index="5"/><Unknown index="8"/></InitialUnknowns></ModelStructure>
</fmiModelDescription>
)xml";

const std::string three =
    R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="Lag" instantiationToken="{lag}">
<ModelExchange modelIdentifier="lag" canGetAndSetFMUState="true"/>
<CoSimulation modelIdentifier="lag" canGetAndSetFMUState="true"/>
<UnitDefinitions><Unit name="s"><BaseUnit s="1"/></Unit><Unit name="mm"><BaseUnit m="1" factor="0.001"/></Unit></UnitDefinitions>
<DefaultExperiment stopTime="1" stepSize="0.01"/>
<ModelVariables>
<Float64 name="time" valueReference="0" causality="independent" variability="continuous" unit="s"/>
<Float64 name="x" valueReference="1" causality="local" variability="continuous" initial="exact" start="0"/>
<Float64 name="der(x)" valueReference="2" causality="local" variability="continuous" derivative="1"/>
<Float64 name="u" valueReference="3" causality="input" start="0" unit="mm"/>
<Float64 name="y" valueReference="4" causality="output" unit="mm"/>
<Float64 name="T" valueReference="5" causality="parameter" variability="fixed" start="0.2" unit="s"/>
<Float64 name="level" valueReference="6" causality="parameter" variability="fixed" start="0.5"/>
<Int32 name="n" valueReference="7" causality="output"/>
<Int32 name="trouble" valueReference="8" causality="parameter" variability="fixed" start="0"/>
<Float64 name="z" valueReference="9" causality="local"/>
</ModelVariables>
<ModelStructure><Output valueReference="4"/><Output valueReference="7"/><ContinuousStateDerivative valueReference="2"/>
<InitialUnknown valueReference="2"/><InitialUnknown valueReference="4"/><InitialUnknown valueReference="7"/>
<EventIndicator valueReference="9"/></ModelStructure>
</fmiModelDescription>
)xml";

const std::string build =
    "<?xml version=\"1.0\"?><fmiBuildDescription fmiVersion=\"3.0\"><BuildConfiguration modelIdentifier=\"lag\">"
    "<SourceFileSet language=\"C99\"><SourceFile name=\"lag.c\"/></SourceFileSet></BuildConfiguration>"
    "</fmiBuildDescription>";

class Fmus : public testing::Test {
 protected:
  void SetUp() override {
    if (run_program({"describe", "fmu.Import"}).status != 0) GTEST_SKIP() << "no FMUs in this build";
  }
  std::string make(const std::string& description, const std::string& name = "lag.fmu",
                   const std::string& source = read_text(COENERGY_SOURCE_DIR "/tests/fmu/lag.c")) {
    const std::string folder = folder_ / ("of_" + name);
    std::filesystem::create_directories(folder + "/sources");
    std::ofstream(folder + "/modelDescription.xml") << description;
    if (!source.empty()) std::ofstream(folder + "/sources/lag.c") << source;
    if (!source.empty()) std::ofstream(folder + "/sources/buildDescription.xml") << build;
    std::filesystem::remove(folder_ / name);
    const std::string words = source.empty() ? " modelDescription.xml" : " modelDescription.xml sources/";
    EXPECT_EQ(std::system(("cd " + folder + " && python3 -m zipfile -c ../" + name + words).c_str()), 0);
    return folder_ / name;
  }
  std::string model(const std::string& entries) {
    return folder_.write("m.yaml", "components:\n  lag: {type: fmu.Import, file: lag.fmu, " + entries +
                                       "}\nsimulate: {t_end: 1 s, output_step: 10 ms, rtol: 1e-9, atol: 1e-11}\n");
  }
  CsvData run(const std::string& entries) {
    const Outcome outcome = run_program({"run", model(entries), "-q", "-o", folder_ / "r.csv"});
    EXPECT_EQ(outcome.status, 0) << outcome.all();
    return read_data(folder_ / "r.csv");
  }
  Outcome fails(const std::string& entries) { return run_program({"run", model(entries), "-q"}); }
  const Folder folder_;
};

TEST_F(Fmus, ModelExchangeJoinsTheEquations) {
  for (const std::string& description : {two, three}) {
    make(description);
    // 3 mm from a source in metres; x rises above 1.5 once
    const CsvData r = run("kind: me, inputs: [3 mm], start: \"T=0.4, level=1.5\"");
    const std::vector<double> t = r.column("time"), y = r.column("lag.y"), n = r.column("lag.n");
    for (std::size_t i = 0; i < t.size(); ++i) {
      // 1e-9 of each of some fifty steps
      ASSERT_NEAR(y[i], 3e-3 * (1 - std::exp(-t[i] / 0.4)), 1e-10) << t[i];
      const double crossing = 0.4 * std::log(2.0);
      if (std::abs(t[i] - crossing) > 1e-6) ASSERT_EQ(n[i], t[i] > crossing ? 1 : 0) << t[i];
    }
  }
}

TEST_F(Fmus, FeedbackThroughAModelIsSolvedAtOnce) {
  make(three);
  // u = 1 − 4 y in mm: T dx/dt = 1 − 5 x
  const CsvData r = run("kind: me, inputs: [\"1 mm - 4*lag.y\"]");
  const std::vector<double> t = r.column("time"), y = r.column("lag.y");
  for (std::size_t i = 0; i < t.size(); ++i) ASSERT_NEAR(y[i], 2e-4 * (1 - std::exp(-25 * t[i])), 1e-10) << t[i];
}

TEST_F(Fmus, CoSimulationIsSampled) {
  for (const std::string& description : {two, three}) {
    make(description);
    const CsvData r = run("kind: cs, inputs: [2 mm], start: \"level=1\"");
    const std::vector<double> t = r.column("time"), y = r.column("lag.y"), n = r.column("lag.n");
    // exact at each step of 10 ms; the row is just behind it
    std::size_t compared = 0;
    for (std::size_t i = 0; i + 1 < t.size(); ++i)
      if (t[i + 1] > t[i] + 1e-6) {
        const double k = std::floor(t[i] / 0.01 + 1e-6);
        ASSERT_NEAR(y[i], 2e-3 * (1 - std::exp(-0.01 * k / 0.2)), 1e-15) << t[i];
        ++compared;
      }
    EXPECT_GT(compared, 90u);
    EXPECT_EQ(n.back(), 1);
  }
}

TEST_F(Fmus, OurOwnEqualTheModelsTheyWereMadeOf) {
  const std::vector<std::string> run{"--t-end", "0.05", "--output-step", "1 ms", "--rtol", "1e-11", "--atol", "1e-13"};
  for (const std::string& example : {"02_rlc/rlc", "03_dc_servo/dc_servo"}) {
    const std::string source = COENERGY_SOURCE_DIR "/examples/" + example + ".yaml";
    std::vector<std::string> words{"run", source, "-q", "--method", "radau", "-o", folder_ / "own.csv"};
    words.insert(words.end(), run.begin(), run.end());
    ASSERT_EQ(run_program(words).status, 0);
    const CsvData own = read_data(folder_ / "own.csv");
    for (const std::string& version : {"2", "3"}) {
      const Outcome made =
          run_program({"export-fmu", source, "--fmi", version, "--kind", "me,cs", "-o", folder_ / "own.fmu"});
      ASSERT_EQ(made.status, 0) << made.all();
      words[1] = folder_.write("own.yaml", "components: {fmu: {type: fmu.Import, file: own.fmu, kind: me}}\n");
      words[6] = folder_ / "fmu.csv";
      const Outcome imported = run_program(words);
      ASSERT_EQ(imported.status, 0) << imported.all();
      const CsvData fmu = read_data(folder_ / "fmu.csv");
      int compared = 0;
      for (std::size_t k = 0; k < own.columns(); ++k) {
        std::string name = "fmu." + own.names[k];
        std::replace(name.begin() + 4, name.end(), '.', '_');
        if (std::find(fmu.names.begin(), fmu.names.end(), name) == fmu.names.end()) continue;
        const std::vector<double> a = own.column(own.names[k]), b = fmu.column(name);
        double largest = 1e-3;
        for (const double v : a) largest = std::max(largest, std::abs(v));
        // 1e-8 of the largest value, as both runs are at 1e-11; the last row stands outside of all events
        EXPECT_NEAR(a.back(), b.back(), 1e-8 * largest) << name;
        ++compared;
      }
      EXPECT_GT(compared, 8) << example;
    }
  }
}

TEST_F(Fmus, AreRunCheckedAndDescribed) {
  const std::string fmu = make(two);
  EXPECT_EQ(run_program({"check", fmu}).status, 0);
  EXPECT_EQ(run_program({"run", fmu, "-q"}).status, 0);
  const Outcome described = run_program({"describe", fmu});
  EXPECT_EQ(described.status, 0) << described.all();
  for (const char* word : {"Lag", "FMI 2.0", "model exchange", "co-simulation", "der(x)", "mm"})
    EXPECT_NE(described.output.find(word), std::string::npos) << word << described.output;
}

TEST_F(Fmus, WhatBreaksTheStandardIsToldWithItsLine) {
  const auto refusal = [&](const std::string& description) {
    const Outcome outcome = run_program({"check", make(description)});
    EXPECT_EQ(outcome.status, 2) << outcome.all();
    return outcome.message;
  };
  const auto expect = [&](const std::string& description, const std::string& text) {
    const std::string message = refusal(description);
    EXPECT_NE(message.find(text), std::string::npos) << message;
    EXPECT_NE(message.find("lag.fmu"), std::string::npos) << message;
  };
  expect(replaced(two, "causality=\"parameter\" variability=\"fixed\"",
                  "causality=\"parameter\" variability=\"continuous\""),
         "modelDescription.xml:13: T: causality parameter with variability continuous is not legal");
  expect(replaced(two, "<Real start=\"0\" unit=\"mm\"/>", "<Real unit=\"mm\"/>"), "u: a start value is required");
  expect(replaced(two, "<Real derivative=\"2\"/>", "<Real derivative=\"2\" start=\"1\"/>"),
         "der(x): a start value is forbidden");
  expect(replaced(two, "<Real start=\"0.5\"/>", "<Real start=\"0.5\" unit=\"ell\"/>"),
         "level: the unit \"ell\" is not defined");
  expect(replaced(two, "name=\"level\"", "name=\"T\""), "the name \"T\" stands twice");
  expect(replaced(two, "<Unknown index=\"5\"/><Unknown index=\"8\"/></Outputs>", "<Unknown index=\"5\"/></Outputs>"),
         "n: it is missing among the outputs");
  expect(replaced(two, "<InitialUnknowns><Unknown index=\"3\"/>",
                  "<InitialUnknowns><Unknown index=\"2\"/><Unknown index=\"3\"/>"),
         "x: it must not stand among the initial unknowns");
  expect(replaced(two, "<Real derivative=\"2\"/>", "<Real derivative=\"3\"/>"), "its chain of derivatives is cyclic");
  expect(replaced(three, "valueReference=\"8\"", "valueReference=\"6\""), "the value reference 6 is that of level");
  expect(replaced(three,
                  "<Float64 name=\"time\" valueReference=\"0\" causality=\"independent\" variability=\"continuous\" "
                  "unit=\"s\"/>",
                  ""),
         "the independent variable is missing");
  expect(replaced(two, "</ModelVariables>", ""), "modelDescription.xml:");
}

TEST_F(Fmus, WhatIsNoFmuOrLacksPartsIsRefused) {
  const std::string fmu = folder_ / "lag.fmu";
  const auto expect = [&](const std::string& text) {
    const Outcome outcome = fails("kind: me");
    EXPECT_EQ(outcome.status, 2) << outcome.all();
    EXPECT_NE(outcome.message.find("lag.fmu: " + text), std::string::npos) << outcome.message;
  };
  expect("there is no such file");
  std::ofstream(fmu) << "no zip";
  expect("it is no zip archive");
  make(replaced(replaced(two, "<SourceFiles><File name=\"lag.c\"/></SourceFiles>", ""),
                "<SourceFiles><File name=\"lag.c\"/></SourceFiles>", ""),
       "lag.fmu", "");
  expect("it has neither binaries/linux64/lag.so nor sources to compile");
  make(two, "lag.fmu", "int fmi2Nothing;\n");
  expect("it misses the function fmi2Instantiate");
  make(two, "lag.fmu", "int 2;\n");
  expect("it has no binaries/linux64/lag.so, and its sources do not compile");
  make(replaced(two, "guid=\"{lag}\"", "guid=\"{other}\""));
  expect("it cannot be instantiated");
  EXPECT_EQ(
      std::system(("cd " + (folder_ / ".").string() +
                   " && python3 -c \"import zipfile; z = zipfile.ZipFile('lag.fmu', 'w'); z.writestr('../x', 'y')\"")
                      .c_str()),
      0);
  expect("the file \"../x\" leads out of the archive");
}

TEST_F(Fmus, CrashesAndErrorsNameTheFmu) {
  make(three);
  for (const std::string& kind : {"me", "cs"}) {
    const Outcome crash = fails("kind: " + kind + ", start: trouble=1");
    EXPECT_EQ(crash.status, 1) << crash.all();
    EXPECT_NE(crash.message.find("lag.fmu: it crashed: Aborted"), std::string::npos) << crash.message;
    const Outcome error = fails("kind: " + kind + ", start: trouble=3");
    EXPECT_EQ(error.status, 1) << error.all();
    EXPECT_NE(error.message.find("reports an error"), std::string::npos) << error.message;
    EXPECT_NE(error.message.find("lag.fmu"), std::string::npos) << error.message;
  }
}

TEST_F(Fmus, EntriesThatDoNotFitAreRefused) {
  make(two);
  const auto expect = [&](const std::string& entries, const std::string& text) {
    const Outcome outcome = fails(entries);
    EXPECT_EQ(outcome.status, 2) << outcome.all();
    EXPECT_NE(outcome.message.find(text), std::string::npos) << outcome.message;
  };
  expect("inputs: [1, 2]", "inputs has 2 entries, but the FMU has 1 inputs: u");
  expect("start: \"leval=1\"", "did you mean level?");
  expect("start: \"y=1\"", "y cannot be set: it is calculated");
  expect("kind: me, step: 1 ms", "step has no effect with model exchange");
}

}  // namespace
}  // namespace coenergy::tests
