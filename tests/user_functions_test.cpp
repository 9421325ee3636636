// Functions of the user's own: C code in a shared library that expressions of a model call.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "coenergy/io/csv.hpp"
#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

const char* const code = R"(
double pull(const double* x) { return -4*x[0] - 0.2*x[1]; }
double push(const double* x) { return -4*x[0] - 0.2*x[1]; }
double push_derivative(const double* x, int k) { (void)x; return k == 0 ? -4 : -0.2; }
)";

/// A mass of 1 kg that the function holds: ẍ + 0.2 ẋ + 4 x = 0, x(0) = 1 m.
std::string oscillator(const std::string& functions, const std::string& force = "pull(slide.q, slide.qd)") {
  return "functions:\n" + functions +
         "components:\n"
         "  mass: {type: multibody.Body, mass: 1, inertia: [1, 1, 1]}\n"
         "  slide: {type: multibody.Prismatic, parent: ground, child: mass, axis: x, q0: 1, force: \"" +
         force +
         "\"}\n"
         "simulate: {t_end: 2 s, output_step: 50 ms, method: radau, rtol: 1e-9, atol: 1e-9}\n";
}
double exact(double t) {
  const double w = std::sqrt(4 - 0.01);
  return std::exp(-0.1 * t) * (std::cos(w * t) + 0.1 / w * std::sin(w * t));
}

bool has_compiler() { return std::system("command -v cc >/dev/null") == 0; }

class UserFunctions : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_compiler()) GTEST_SKIP() << "there is no C compiler";
    folder_.write("mine.c", code);
    const std::string at = (folder_ / "").string();
    ASSERT_EQ(std::system(("cc -shared -fPIC " + at + "mine.c -o " + at + "mine.so").c_str()), 0);
  }
  std::string refuse(const std::string& functions, const std::string& force = "pull(slide.q, slide.qd)") {
    const Outcome o =
        run_program({"check", folder_.write("m.yaml", oscillator(functions, force)), "--allow-libraries"});
    EXPECT_EQ(o.status, 2) << o.all();
    std::string text = o.message;
    const std::string at = (folder_ / "").string();
    for (std::size_t k = text.find(at); k != std::string::npos; k = text.find(at)) text.erase(k, at.size());
    return text;
  }
  Folder folder_;
};

TEST_F(UserFunctions, AreForcesOfAModelWithTheirDerivativesOrDifferences) {
  for (const std::string name : {"pull", "push"}) {
    const std::string model = folder_.write(
        "m.yaml", oscillator("  law: {library: mine.so, symbol: " + name + ", arguments: [m, m/s], unit: N}\n",
                             "law(slide.q, slide.qd)"));
    const Outcome o = run_program({"run", model, "--allow-libraries", "-o", (folder_ / "run.csv").string()});
    ASSERT_EQ(o.status, 0) << o.all();
    const io::CsvData table = io::read_csv(folder_ / "run.csv");
    const auto t = table.column("time"), q = table.column("slide.q");
    ASSERT_EQ(t.size(), 41u);
    // the tolerance of a step, times the steps
    for (std::size_t i = 0; i < t.size(); ++i) EXPECT_NEAR(q[i], exact(t[i]), 1e-7) << name << " " << t[i];
  }
}

TEST_F(UserFunctions, OfSeveralValuesHaveAContextAndAJacobian) {
  folder_.write("law.c", R"(
#include <stdlib.h>
struct Law { double k, d; };
static int alive = 0;
void* law_create(const double* n, int count) {
  if (count != 2 || n[0] < 0) return 0;
  struct Law* law = malloc(sizeof(struct Law));
  law->k = n[0], law->d = n[1], ++alive;
  return law;
}
void law_destroy(void* law) { free(law); --alive; }
void law(const void* context, const double* x, double* y) {
  const struct Law* c = context;
  y[0] = -c->k*x[0] - c->d*x[1], y[1] = x[0]*x[1];
}
void law_jacobian(const void* context, const double* x, double* j) {
  const struct Law* c = context;
  j[0] = -c->k, j[1] = -c->d, j[2] = x[1], j[3] = x[0];
}
void plain(const void* context, const double* x, double* y) {
  if (context != 0) abort();
  y[0] = -4*x[0] - 0.2*x[1], y[1] = x[0]*x[1];
}
)");
  const std::string at = (folder_ / "").string();
  ASSERT_EQ(std::system(("cc -shared -fPIC " + at + "law.c -o " + at + "law.so").c_str()), 0);
  const std::string with = "  law: {library: law.so, arguments: [m, m/s], values: 2, context: [4, 200 mm]}\n",
                    without = "  law: {library: law.so, symbol: plain, arguments: 2, values: 2}\n",
                    product = "  p: {type: blocks.Expression, value: \"law_2(slide.q, slide.qd)\"}\n";
  std::vector<double> first;
  for (const std::string& functions : {with, without})
    for (const char* native : {"", "--no-native"}) {
      std::string text = oscillator(functions, "law_1(slide.q, slide.qd)");
      text.insert(text.find("simulate:"), product);
      std::vector<std::string> words = {"run", folder_.write("m.yaml", text), "--allow-libraries", "-o",
                                        (folder_ / "run.csv").string()};
      if (*native != 0) words.emplace_back(native);
      const Outcome o = run_program(words);
      ASSERT_EQ(o.status, 0) << o.all();
      const io::CsvData table = io::read_csv(folder_ / "run.csv");
      const auto t = table.column("time"), q = table.column("slide.q"), qd = table.column("slide.qd"),
                 p = table.column("p.y");
      ASSERT_EQ(t.size(), 41u);
      for (std::size_t i = 0; i < t.size(); ++i) {
        EXPECT_NEAR(q[i], exact(t[i]), 1e-7) << functions << t[i];
        EXPECT_EQ(p[i], q[i] * qd[i]);
      }
      // the interpreter and native code give the same bits
      if (*native == 0)
        first = q;
      else
        EXPECT_EQ(q, first);
    }

  // with memories and samples by blocks.Custom: z ← 0.5 z + x y of a constant, z_k = 2 (1 − 0.5^k)·6
  const std::string sampled =
      "functions:\n" + without +
      "components:\n"
      "  c: {type: blocks.Custom, updates: [\"0.5*c.z1 + law_2(2, 3)\"], outputs: [c.z1], sample: 0.1 s}\n"
      "simulate: {t_end: 0.35 s, output_step: 0.35 s}\n";
  const Outcome o =
      run_program({"run", folder_.write("s.yaml", sampled), "--allow-libraries", "-o", (folder_ / "run.csv").string()});
  ASSERT_EQ(o.status, 0) << o.all();
  EXPECT_EQ(io::read_csv(folder_ / "run.csv").column("c.y").back(), 12 * (1 - 1.0 / 16));

  // mistakes
  EXPECT_EQ(refuse("  law: {library: law.so, arguments: 2, values: 2, context: [-1, 1]}\n", "0"),
            "m.yaml:2:60: function law: law_create refuses these numbers\n");
  EXPECT_EQ(refuse("  law: {library: law.so, arguments: 2, values: 2, context: [one]}\n", "0"),
            "m.yaml:2:61: function law: context must be numbers, such as [1.5, 20 mm]\n");
  EXPECT_EQ(refuse("  law: {library: law.so, arguments: 2, context: [1]}\n", "0"),
            "m.yaml:2:49: function law: context has no effect without values\n");
  EXPECT_EQ(refuse("  law: {library: law.so, symbol: plain, arguments: 2, values: 2, context: [1]}\n", "0"),
            "m.yaml:2:34: function law: law.so has no function plain_create; it must be a C function void* "
            "plain_create(const double* numbers, int count)\n");
  EXPECT_EQ(refuse(with, "law_3(slide.q, slide.qd)"),
            "m.yaml:5:91: slide.force: unknown function \"law_3\"; did you mean law_1?\n");
  const Outcome code = run_program({"generate", folder_.write("m.yaml", oscillator(with, "law_1(slide.q, slide.qd)")),
                                    "--allow-libraries", "--function", "forward-dynamics", "-o", at + "code"});
  EXPECT_EQ(code.status, 2) << code.all();
  EXPECT_NE(code.message.find("function law has several values or a context, which live in this program"),
            std::string::npos)
      << code.all();
}

TEST_F(UserFunctions, OfNumbersAreNumbers) {
  const std::string model = folder_.write("m.yaml", oscillator("  pull: {library: ./mine.so, arguments: 2}\n", "0") +
                                                        "parameters: {start: \"-pull(2, 5)/4\"}\n");
  const Outcome o =
      run_program({"run", model, "--allow-libraries", "--set", "slide.q0=start", "-o", (folder_ / "run.csv").string()});
  ASSERT_EQ(o.status, 0) << o.all();
  EXPECT_EQ(io::read_csv(folder_ / "run.csv").column("slide.q").front(), 2.25);
}

TEST_F(UserFunctions, MistakesAreToldWithTheirPlace) {
  EXPECT_EQ(refuse("  pull: {library: other.so, arguments: 2}\n"),
            "m.yaml:2:19: function pull: there is no library other.so; make it with cc -shared -fPIC\n");
  EXPECT_EQ(refuse("  pull: {library: mine.so, symbol: pul, arguments: 2}\n"),
            "m.yaml:2:36: function pull: mine.so has no function pul; it must be a C function double pul(const double* "
            "x)\n");
  EXPECT_EQ(refuse("  pull: {library: mine.so}\n"), "m.yaml:2:9: function pull: arguments is missing\n");
  EXPECT_EQ(refuse("  pull: {library: mine.so, arguments: two}\n"),
            "m.yaml:2:39: function pull: arguments must be a list of units, such as [m/s, N], or their number\n");
  EXPECT_EQ(refuse("  pull: {library: mine.so, arguments: [m, m/z]}\n"),
            "m.yaml:2:43: function pull: unknown unit \"z\" in \"m/z\"\n");
  EXPECT_EQ(refuse("  pull: {libary: mine.so, arguments: 2}\n"),
            "m.yaml:2:18: function pull: unknown entry \"libary\"; did you mean library?\n");
  EXPECT_EQ(refuse("  sin: {library: mine.so, arguments: 2}\n", "0"),
            "m.yaml:2:8: function sin: sin is built in; choose another name\n");
  EXPECT_NE(refuse("  pull: {library: mine.c, arguments: 2}\n")
                .find("m.yaml:2:19: function pull: the library cannot be "
                      "loaded: "),
            std::string::npos);

  const std::string good = "  pull: {library: mine.so, arguments: [m, m/s], unit: N}\n";
  EXPECT_EQ(refuse(good, "pull(slide.q)"), "m.yaml:5:91: slide.force: pull takes 2 arguments, not 1\n");
  EXPECT_EQ(refuse(good, "pull(slide.q, slide.q)"),
            "m.yaml:5:105: slide.force: argument 2 of pull must be in m/s, not slide.q (m)\n");
  EXPECT_EQ(refuse(good, "pul(slide.q, slide.qd)"),
            "m.yaml:5:91: slide.force: unknown function \"pul\"; did you mean pull?\n");
}

TEST_F(UserFunctions, AreNotLoadedWithoutConsent) {
  // a library that leaves a trace as soon as it is loaded
  const std::string at = (folder_ / "").string();
  folder_.write("spy.c", "#include <stdio.h>\n__attribute__((constructor)) static void look(void) { fclose(fopen(\"" +
                             at + "trace\", \"w\")); }\ndouble pull(const double* x) { return -x[0]; }\n");
  ASSERT_EQ(std::system(("cc -shared -fPIC " + at + "spy.c -o " + at + "spy.so").c_str()), 0);
  const std::string model =
      folder_.write("m.yaml", oscillator("  pull: {library: spy.so, arguments: [m, m/s], unit: N}\n"));
  const std::string refusal =
      model +
      ":2:19: function pull: the library spy.so is not loaded without your consent, since it can do all that "
      "you can; if you trust it, use --allow-libraries\n";
  const std::string code_folder = at + "code";
  for (const std::vector<std::string>& verb :
       std::vector<std::vector<std::string>>{{"run"},
                                             {"check"},
                                             {"equations"},
                                             {"linearize"},
                                             {"modes"},
                                             {"op"},
                                             {"verify"},
                                             {"generate", "--function", "mass-matrix", "-o", code_folder}}) {
    std::vector<std::string> words{verb[0], model};
    words.insert(words.end(), verb.begin() + 1, verb.end());
    const Outcome o = run_program(words);
    EXPECT_EQ(o.status, 2) << verb[0];
    EXPECT_EQ(o.message, refusal) << verb[0];
  }
  // verbs that only read never load it, and cannot be asked to
  const Outcome listed = run_program({"list", model});
  EXPECT_EQ(listed.status, 0) << listed.all();
  EXPECT_NE(listed.output.find("  slide.qd "), std::string::npos) << listed.output;
  EXPECT_EQ(
      listed.message,
      "note: functions in libraries are not called here; values that come from them are shown as if they were 1\n");
  const Outcome converted = run_program({"convert", model});
  EXPECT_EQ(converted.status, 0) << converted.all();
  EXPECT_NE(converted.output.find("spy.so"), std::string::npos) << converted.output;
  EXPECT_EQ(run_program({"list", model, "--allow-libraries"}).status, 2);
  EXPECT_EQ(run_program({"convert", model, "--allow-libraries"}).status, 2);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "trace"));
  EXPECT_EQ(run_program({"check", model, "--allow-libraries"}).status, 0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "trace"));
}

TEST_F(UserFunctions, AreLoadedFromTheFolderOfTheModelOnly) {
  std::filesystem::create_directories(folder_ / "parts" / "inner");
  std::filesystem::copy_file(folder_ / "mine.so", folder_ / "parts" / "inner" / "own.so");
  std::filesystem::create_symlink(folder_ / "mine.so", folder_ / "parts" / "link.so");
  const auto check = [&](const std::string& library) {
    const std::string text = oscillator("  pull: {library: " + library + ", arguments: [m, m/s], unit: N}\n");
    return run_program({"check", folder_.write("parts/m.yaml", text), "--allow-libraries"});
  };
  EXPECT_EQ(check("inner/own.so").status, 0);
  const std::string folder = std::filesystem::canonical(folder_ / "parts").string();
  for (const std::string name : {"../mine.so", "link.so", "inner/../../mine.so"}) {
    const Outcome o = check(name);
    EXPECT_EQ(o.status, 2) << name;
    EXPECT_NE(o.message.find("m.yaml:2:19: function pull: the library "), std::string::npos) << o.message;
    EXPECT_NE(o.message.find(" is not in the folder of the model, " + folder +
                             "; only those in it are loaded: put a copy there\n"),
              std::string::npos)
        << o.message;
  }
}

TEST_F(UserFunctions, HaveStubsInGeneratedCodeWhichAreKept) {
  const std::string model = folder_.write(
      "m.yaml", oscillator("  push: {library: mine.so, arguments: [m, m/s], unit: N}\n", "push(slide.q, slide.qd)"));
  const std::string code_folder = (folder_ / "code").string();
  const std::vector<std::string> words = {"generate",         model, "--allow-libraries", "--function",
                                          "forward-dynamics", "-o",  code_folder};
  Outcome o = run_program(words);
  ASSERT_EQ(o.status, 0) << o.all();
  EXPECT_NE(read_text(code_folder + "/user_functions.c")
                .find("/* of x[0] ... x[1] */\ndouble push(const double* x) {\n  (void)x;\n  return 0;\n}\n"),
            std::string::npos);
  std::filesystem::copy_file(folder_ / "mine.c", code_folder + "/user_functions.c",
                             std::filesystem::copy_options::overwrite_existing);
  o = run_program(words);
  EXPECT_NE(o.output.find("user_functions.c (yours, kept)\n"), std::string::npos) << o.output;
  ASSERT_EQ(std::system(("cd " + code_folder + " && cc -std=c99 *.c -lm -o f && ./f run > run.csv").c_str()), 0);
  const io::CsvData table = io::read_csv(code_folder + "/run.csv");
  const auto t = table.column("time"), q = table.column("slide.q");
  ASSERT_EQ(t.size(), 41u);
  // Runge–Kutta of order 4 with 2 ms
  for (std::size_t i = 0; i < t.size(); ++i) EXPECT_NEAR(q[i], exact(t[i]), 1e-9) << t[i];
}

}  // namespace
}  // namespace coenergy::tests
