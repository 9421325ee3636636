#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "coenergy/compile/compile.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/generate/write.hpp"
#include "coenergy/io/model_file.hpp"
#include "coenergy/symbolic/function.hpp"

/// Models, and compilers and interpreters for the sources, for the tests of generated code.
namespace coenergy::generate::test {

using symbolic::Language;

/// An arm with a slide in the middle, oblique frames, a welded tool and a branch.
inline const char* const arm = R"(
model: arm
components:
  g:     {type: multibody.Gravity, g: [1, -2, -9]}
  upper: {type: multibody.Body, mass: 2, com: [0.1, 0.2, 0.3], inertia: [0.3, 0.2, 0.25, 0.01, 0.02, 0.03]}
  slide: {type: multibody.Body, mass: 1.5, com: [0, 0.1, 0.2], inertia: [0.1, 0.11, 0.05]}
  hand:  {type: multibody.Body, mass: 0.7, com: [0.05, 0, 0.1], inertia: [0.01, 0.012, 0.008, 0.001, 0, 0]}
  tool:  {type: multibody.Body, mass: 0.3, com: [0, 0, 0.2], inertia: [0.002, 0.002, 0.001]}
  side:  {type: multibody.Body, mass: 0.4, com: [0.1, 0, 0], inertia: [0.001, 0.003, 0.003]}
  shoulder: {type: multibody.Revolute, parent: ground, child: upper, axis: z, q0: 0.3, qd0: 0.7}
  rail:  {type: multibody.Prismatic, parent: upper, parent_at: [0.5, 0, 0.1], parent_angles: [0, 90 deg, 0], child: slide, axis: -x, q0: 0.2, qd0: -0.4}
  wrist: {type: multibody.Revolute, parent: slide, parent_at: [0, 0, 0.3], child: hand, child_at: [0, 0, -0.1], axis: [1, 2, 2], q0: -0.5, qd0: 1.1}
  weld:  {type: multibody.Fixed, parent: hand, parent_at: [0, 0, 0.2], parent_angles: [0.4, 0, 0], child: tool}
  twist: {type: multibody.Revolute, parent: upper, parent_at: [0, 0.2, 0], parent_angles: [0.3, 0.2, 0.1], child: side, axis: y, q0: 0.8, qd0: 0.2}
)";

/// Springs, dampers, loads, a stop, a link between points, time.
inline const char* const loaded_arm = R"y(
model: arm with forces
components:
  g:     {type: multibody.Gravity}
  upper: {type: multibody.Body, mass: 2, com: [0.1, 0.2, 0.3], inertia: [0.3, 0.2, 0.25, 0.01, 0.02, 0.03]}
  lower: {type: multibody.Body, mass: 1, com: [0.3, 0, 0.1], inertia: [0.02, 0.1, 0.1]}
  shoulder: {type: multibody.Revolute, parent: ground, child: upper, axis: [1, 2, 2], q0: 0.4, qd0: 0.7, stiffness: 12, rest: 0.1, damping: 0.8}
  elbow: {type: multibody.Prismatic, parent: upper, parent_at: [0.5, 0, 0], child: lower, axis: x, q0: 0.2, qd0: -0.3, lower: 0.25, upper: 1, stop_stiffness: 300, stop_damping: 0.1, force: "3 N*sin(2*time/(1 s))"
}
  link:  {type: multibody.PointSpringDamper, a: ground, b: lower, a_at: [1, 1, 0], b_at: [0.2, 0, 0], stiffness: 40, damping: 2, length: 0.4}
  push:  {type: multibody.Force, body: lower, at: [0.1, 0, 0], force: [1, -2, "time*(1 N/s)"]}
)y";

inline model::Model parse(const char* text) { return io::parse_model(text, "m.yaml"); }
inline Generated make(const model::Model& m, const Request& request) {
  return generate(m, domains::make_standard_registry(), request);
}
inline compile::Compiled compile(const model::Model& m) {
  return compile::compile(m, domains::make_standard_registry());
}

inline std::vector<double> start_values(const Generated& g) {
  std::vector<double> in;
  for (const Array& a : g.main.inputs)
    for (const Array::Entry& e : a.entries) in.push_back(e.start);
  return in;
}

/// Outputs for given inputs; the constants, where they are made before, from the parameters of the model.
inline std::vector<double> evaluate(const Generated& g, std::vector<double> in) {
  if (!g.once.empty()) {
    std::vector<double> p;
    for (const Array::Entry& e : g.once[0].inputs[0].entries) p.push_back(e.start);
    const std::vector<double> k = symbolic::evaluate(symbolic::Function(g.once[0].program), p);
    std::copy(k.begin(), k.end(), in.end() - static_cast<std::ptrdiff_t>(k.size()));
  }
  return symbolic::evaluate(symbolic::Function(g.main.program), in);
}

inline void expect_near(const std::vector<double>& expected, const std::vector<double>& actual, double tolerance) {
  ASSERT_EQ(expected.size(), actual.size());
  double scale = 1;
  for (const double x : expected) scale = std::max(scale, std::fabs(x));
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(expected[i], actual[i], tolerance * scale) << i;
}

inline std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& e) {
    return e.what();
  }
  return "not refused";
}

// ---- the printed sources

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "generate-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::filesystem::path path;
};

inline std::vector<double> run(const std::string& command, int& status) {
  std::vector<double> numbers;
  FILE* pipe = popen((command + " 2>errors").c_str(), "r");
  char line[200];
  while (std::fgets(line, sizeof line, pipe) != nullptr) numbers.push_back(std::strtod(line, nullptr));
  status = pclose(pipe);
  return numbers;
}

/// The last row of a table, without its time.
inline std::vector<double> last_row(const std::string& command, int& status) {
  FILE* pipe = popen((command + " 2>errors").c_str(), "r");
  char buffer[2000];
  std::string line;
  while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) line = buffer;
  status = pclose(pipe);
  std::vector<double> numbers;
  for (std::size_t at = line.find(','); at != std::string::npos; at = line.find(',', at + 1))
    numbers.push_back(std::strtod(line.c_str() + at + 1, nullptr));
  return numbers;
}

inline bool has(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null").c_str()) == 0;
}

struct Compiler {
  Language language;
  std::string program, build, call;  ///< build and call commands in the folder; @ is the function
};
inline const Compiler compilers[] = {
    {Language::c, "gcc", "gcc -std=c99 -O1 -ffp-contract=off -Wall -Wextra -Werror -pedantic *.c -lm -o f",
     "./f numbers"},
    {Language::cpp, "g++", "g++ -std=c++11 -O1 -ffp-contract=off -Wall -Wextra -Werror -pedantic *.cpp -o f",
     "./f numbers"},
    {Language::python, "python3", "true", "python3 @_main.py numbers"},
    {Language::matlab, "octave-cli", "true", "octave-cli --no-gui --quiet --eval \"@_main('numbers')\""}};

}  // namespace coenergy::generate::test
