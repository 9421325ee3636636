#include "coenergy/symbolic/printer.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "coenergy/base/error.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/symbolic/function.hpp"
#include "coenergy/symbolic/random_graph.hpp"

namespace coenergy::symbolic {
namespace {

namespace fs = std::filesystem;

/// A directory that is removed at the end.
struct Scratch {
  Scratch() {
    std::string name = (fs::temp_directory_path() / "coenergy-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Scratch() { fs::remove_all(path); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name) << text;
    return (path / name).string();
  }
  fs::path path;
};

bool has_command(const std::string& command) {
  return std::system((command + " --version > /dev/null 2>&1").c_str()) == 0;
}

struct Sample {
  Program program;
  std::vector<double> in, expected;
};

/// Programs of 20 random graphs each.
std::vector<Sample> make_samples(int count) {
  std::vector<Sample> samples;
  for (int i = 0; i < count; ++i) {
    RandomGraph r(static_cast<std::uint64_t>(5000 + i), 15 + i % 45, 20, false);
    Program p = make_program(r.symbols, r.outputs);
    const Function f(p, Engine::interpreter);
    const std::vector<double> in = r.inputs();
    samples.push_back({std::move(p), in, evaluate(f, in)});
  }
  return samples;
}

/// Number of outputs that differ by more than 1e-12 relative to max(1, |value|): sines of two libraries differ in the
/// last place, and a comparison next to a tie may then fall the other way.
int count_far(const Sample& s, const std::vector<double>& actual) {
  int far = 0;
  for (std::size_t j = 0; j < actual.size(); ++j)
    if (!(std::fabs(actual[j] - s.expected[j]) <= 1e-12 * std::max(1.0, std::fabs(s.expected[j])))) ++far;
  return far;
}

std::string function_name(std::size_t i) { return "sample" + std::to_string(i); }

/// Output of a command, as numbers.
std::vector<double> run(const std::string& command) {
  std::vector<double> values;
  FILE* pipe = popen(command.c_str(), "r");
  double v;
  while (fscanf(pipe, "%lf", &v) == 1) values.push_back(v);
  pclose(pipe);
  return values;
}

std::string list(const std::vector<double>& x) {
  std::string text;
  for (const double v : x) text += (text.empty() ? "" : ", ") + format_number(v);
  return text;
}

/// Compares numbers printed one after the other with the samples.
void expect_outputs(const std::vector<Sample>& samples, const std::vector<double>& values) {
  std::size_t at = 0;
  int far = 0;
  for (const Sample& s : samples) {
    ASSERT_LE(at + s.expected.size(), values.size()) << "the other program stopped early";
    far += count_far(s, {values.begin() + static_cast<std::ptrdiff_t>(at),
                         values.begin() + static_cast<std::ptrdiff_t>(at + s.expected.size())});
    at += s.expected.size();
  }
  EXPECT_EQ(at, values.size());
  EXPECT_LE(far, 3);
}

/// Number of outputs of some samples that differ after compilation; in one source each, for the compiler's memory grows
/// with the source.
void count_compiled(Language language, const std::string& compiler, const std::string& ending,
                    std::span<const Sample> samples, int& far) {
  const auto entry_name = [](std::size_t i) { return "entry" + std::to_string(i); };
  std::string text;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    text += print(samples[i].program, language, {.name = function_name(i)});
    if (language == Language::cpp)
      text += "extern \"C\" void " + entry_name(i) + "(const double* in, double* out) { " + function_name(i) +
              "(in, out); }\n";
  }
  const Scratch scratch;
  const std::string source = scratch.write("samples" + ending, text), library = (scratch.path / "samples.so").string();
  const std::string flags = " -O0 -Wall -Wextra -Werror -Wno-unused-function -ffp-contract=off -fPIC -shared -o ";
  ASSERT_EQ(std::system((compiler + (language == Language::c ? " -std=c99" : " -std=c++20") + flags + library + " " +
                         source + " -lm")
                            .c_str()),
            0);
  void* handle = dlopen(library.c_str(), RTLD_NOW);
  ASSERT_NE(handle, nullptr) << dlerror();
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::string name = language == Language::c ? function_name(i) : entry_name(i);
    const auto f = reinterpret_cast<void (*)(const double*, double*)>(dlsym(handle, name.c_str()));
    ASSERT_NE(f, nullptr);
    std::vector<double> out(samples[i].expected.size());
    f(samples[i].in.data(), out.data());
    far += count_far(samples[i], out);
  }
  dlclose(handle);
}

void check_compiled(Language language, const std::string& compiler, const std::string& ending, int count) {
  if (!has_command(compiler)) GTEST_SKIP() << "no " << compiler;
  constexpr std::size_t at_a_time = 100;
  const std::vector<Sample> samples = make_samples(count);
  int far = 0;
  for (std::size_t i = 0; i < samples.size(); i += at_a_time) {
    const std::size_t size = std::min(at_a_time, samples.size() - i);
    ASSERT_NO_FATAL_FAILURE(count_compiled(language, compiler, ending, std::span(samples).subspan(i, size), far));
  }
  EXPECT_LE(far, 3);
}

TEST(Printer, WritesC99ThatComputesTheSame) { check_compiled(Language::c, "gcc", ".c", 400); }

TEST(Printer, WritesC99WithTheSameBitsWhereThereIsNoSine) {
  if (!has_command("gcc")) GTEST_SKIP() << "no gcc";
  Graph g;
  std::vector<Expr> x;
  for (int i = 0; i < 8; ++i) x.push_back(g.symbol("x" + std::to_string(i)));
  std::mt19937_64 random(11);
  const auto pick = [&] { return x[random() % x.size()]; };
  std::vector<Expr> inputs = x;
  std::vector<NamedExpr> outputs;
  for (int i = 0; i < 400; ++i) {
    const Expr a = pick(), b = pick(), c = pick();
    x.push_back(g.let("t", i % 3 == 0   ? a * b - c
                           : i % 3 == 1 ? (a - b - c) / (2 + b * b)
                                        : min(a * b * c, exp(-a * a)) - (b - a)));
    if (i % 10 == 0) outputs.push_back({"y", x.back()});
  }
  const Program p = make_program(inputs, outputs);
  const Scratch scratch;
  const std::string source = scratch.write("f.c", print(p, Language::c)), library = (scratch.path / "f.so").string();
  ASSERT_EQ(
      std::system(("gcc -std=c99 -O2 -ffp-contract=off -fPIC -shared -o " + library + " " + source + " -lm").c_str()),
      0);
  void* handle = dlopen(library.c_str(), RTLD_NOW);
  ASSERT_NE(handle, nullptr) << dlerror();
  const auto f = reinterpret_cast<void (*)(const double*, double*)>(dlsym(handle, "f"));
  const Function engine(p);
  for (int k = 0; k < 100; ++k) {
    std::vector<double> in(inputs.size()), out(outputs.size());
    for (double& v : in) v = static_cast<double>(random() % 2001) * 1e-3 - 1;
    f(in.data(), out.data());
    EXPECT_EQ(out, evaluate(engine, in));
  }
  dlclose(handle);
}

TEST(Printer, WritesCppThatComputesTheSame) { check_compiled(Language::cpp, "g++", ".cpp", 10); }

TEST(Printer, WritesMatlabThatOctaveComputesTheSame) {
  if (!has_command("octave-cli")) GTEST_SKIP() << "no octave-cli";
  const std::vector<Sample> samples = make_samples(2000);
  std::string text = "1;\n", calls;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    text += print(samples[i].program, Language::matlab, {.name = function_name(i)});
    calls += "printf('%.17g\\n', " + function_name(i) + "([" + list(samples[i].in) + "]));\n";
  }
  const Scratch scratch;
  expect_outputs(samples, run("octave-cli --norc --no-history " + scratch.write("samples.m", text + calls)));
}

TEST(Printer, WritesPythonThatComputesTheSame) {
  if (!has_command("/usr/bin/python3")) GTEST_SKIP() << "no /usr/bin/python3";
  const std::vector<Sample> samples = make_samples(100);
  std::string text;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    text += print(samples[i].program, Language::python, {.name = function_name(i)});
    text += "for v in " + function_name(i) + "([" + list(samples[i].in) + "]): print(repr(v))\n";
  }
  const Scratch scratch;
  expect_outputs(samples, run("/usr/bin/python3 " + scratch.write("samples.py", text)));
}

/// y = −b·(x − let) with a quotient, a sine and an input with an awkward name.
std::string print_small(Language language) {
  Graph g;
  const Expr inputs[] = {g.symbol("x"), g.symbol("in"), g.symbol("joint 1.q")};
  const Expr u = g.let("w1_2", sin(inputs[2]) / (1 + inputs[1]));
  const NamedExpr output{"torque", u * (inputs[0] - u) + select(less(u, 0), u, 2)};
  return print(make_program(inputs, {&output, 1}), language,
               {.name = "model", .header = "made from a graph\nline 2 */ x"});
}

TEST(Printer, WritesReadableC) {
  EXPECT_EQ(print_small(Language::c), R"(// made from a graph
// line 2 / x
#include <math.h>

void model(const double* restrict in, double* restrict out) {
  const double x = in[0];
  const double vin = in[1];
  const double joint_1_q = in[2];
  const double w1_2 = sin(joint_1_q)/(vin + 1.0);
  out[0] = ((w1_2 < 0.0 ? 1.0 : 0.0) != 0 ? w1_2 : 2.0) + w1_2*(x - w1_2);  // torque
}
)");
}

TEST(Printer, WritesReadableLatex) {
  EXPECT_EQ(print_small(Language::latex), R"(% made from a graph
% line 2 / x
\begin{align*}
  w_{1,2} &= \frac{\sin(\mathrm{joint}_{1,q})}{\mathrm{in} + 1} \\
  \mathrm{torque} &= \begin{cases} w_{1,2} & \left[w_{1,2} < 0\right] \\ 2 & \text{else} \end{cases} + w_{1,2} \, \left(x - w_{1,2}\right) \\
\end{align*}
)");
}

TEST(Printer, NeverPassesANameThrough) {
  Graph g;
  const Expr evil = g.symbol("a = 1; system(\"rm\"); /*");
  const NamedExpr output{"*/ y\n#error", g.let("int", evil * evil + 1) * evil};
  const Program p = make_program({&evil, 1}, {&output, 1});
  for (const Language language : {Language::c, Language::cpp, Language::matlab, Language::python, Language::latex}) {
    const std::string text = print(p, language);
    EXPECT_EQ(text.find("system("), std::string::npos) << text;
    EXPECT_EQ(text.find("*/"), std::string::npos) << text;
    EXPECT_EQ(text.find("\n#error"), std::string::npos) << text;
  }
  try {
    print(p, Language::c, {.name = "f(); int g"});
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "print: \"f(); int g\" is not a function name; it must be letters, digits and underscores");
  }
}

TEST(Printer, PrintsExternalFunctionsAsPrototypes) {
  Graph g;
  const Expr x = g.symbol("x");
  const auto f = std::make_shared<External>(External{"friction", 1, [](const double* v) { return v[0]; }, nullptr});
  const NamedExpr output{"y", 2 * g.external(f, {&x, 1})};
  const std::string text = print(make_program({&x, 1}, {&output, 1}), Language::c);
  EXPECT_NE(text.find("extern double friction(const double* x);"), std::string::npos) << text;
  EXPECT_NE(text.find("friction(x"), std::string::npos) << text;
}

}  // namespace
}  // namespace coenergy::symbolic
