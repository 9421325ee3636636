#include "coenergy/symbolic/native.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "coenergy/symbolic/interpreter.hpp"
#include "coenergy/symbolic/operations.hpp"
#include "coenergy/symbolic/random_program.hpp"

namespace coenergy::symbolic {
namespace {

using Code = Program::Code;

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

/// Values by the definition of every operation, without any engine.
std::vector<double> evaluate_plainly(const Program& p, const std::vector<double>& in) {
  std::vector<double> value(p.code.size()), out;
  for (std::size_t k = 0; k < p.code.size(); ++k) {
    const auto& i = p.code[k];
    std::vector<double> x;
    for (const std::uint32_t v : operands(p, i)) x.push_back(value[v]);
    if (i.code == Code::input)
      value[k] = in[i.a];
    else if (i.code == Code::constant)
      value[k] = p.constants[i.a];
    else if (i.code == Code::table || i.code == Code::external)
      value[k] = evaluate(p.calls[i.a], x.data());
    else
      x.resize(3), value[k] = evaluate(i.code, x[0], x[1], x[2]);
  }
  for (const std::uint32_t v : p.result) out.push_back(value[v]);
  return out;
}

std::vector<double> random_inputs(std::mt19937_64& random, std::size_t n) {
  std::uniform_real_distribution<double> uniform(-3, 3);
  std::vector<double> x(n);
  for (double& v : x) v = uniform(random);
  return x;
}

void expect_same(const std::vector<double>& expected, const std::vector<double>& actual, const std::string& what) {
  ASSERT_EQ(expected.size(), actual.size());
  for (std::size_t j = 0; j < expected.size(); ++j)
    ASSERT_TRUE(same_bits(expected[j], actual[j]))
        << what << ", output " << j << ": " << expected[j] << " and " << actual[j];
}

template <class Engine>
std::vector<double> run(const Engine& engine, const std::vector<double>& in, std::size_t outputs) {
  // a canary behind each array
  std::vector<double> out(outputs + 1, 123.0), work(engine.work_size() + 1, std::nan(""));
  work.back() = 321.0;
  engine.run(in.data(), out.data(), work.data());
  EXPECT_EQ(out.back(), 123.0);
  EXPECT_EQ(work.back(), 321.0);
  out.pop_back();
  return out;
}

struct Setting {
  int size;
  double functions;
};

class Engines : public testing::TestWithParam<Setting> {};

TEST_P(Engines, GiveTheSameBitsOnRandomPrograms) {
  if (native_lanes() == 1) GTEST_SKIP() << "no native code here";
  std::mt19937_64 random(7);
  for (int seed = 0; seed < 500; ++seed) {
    const Program p = make_random_program(static_cast<std::uint64_t>(seed), GetParam().size, GetParam().functions);
    const std::vector<double> in = random_inputs(random, p.inputs.size());
    const std::string what = "program " + std::to_string(seed);
    const std::vector<double> expected = evaluate_plainly(p, in);
    expect_same(expected, run(Interpreter(p), in, expected.size()), "interpreter, " + what);
    const auto avx = make_native(p), sse = make_native(p, {.avx = false});
    ASSERT_TRUE(avx && sse);
    expect_same(expected, run(*avx, in, expected.size()), "AVX, " + what);
    expect_same(expected, run(*sse, in, expected.size()), "SSE2, " + what);
    EXPECT_LE(avx->work_size(), native_work_bound(p));
    EXPECT_LE(sse->work_size(), native_work_bound(p));
    if (HasFatalFailure()) return;
  }
}

TEST_P(Engines, GiveEveryLaneTheBitsOfTheScalar) {
  if (native_lanes() == 1) GTEST_SKIP() << "no lanes here";
  std::mt19937_64 random(8);
  for (int seed = 0; seed < 300; ++seed) {
    const Program p = make_random_program(static_cast<std::uint64_t>(seed), GetParam().size, GetParam().functions);
    for (int lanes = 4; lanes <= native_lanes(); lanes *= 2) {
      const auto w = static_cast<std::size_t>(lanes);
      const std::vector<double> in = random_inputs(random, p.inputs.size() * w);
      const auto code = make_native(p, {.lanes = lanes});
      ASSERT_TRUE(code);
      const std::vector<double> out = run(*code, in, p.outputs.size() * w);
      for (std::size_t lane = 0; lane < w; ++lane) {
        std::vector<double> x(p.inputs.size()), y(p.outputs.size());
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = in[i * w + lane];
        for (std::size_t j = 0; j < y.size(); ++j) y[j] = out[j * w + lane];
        expect_same(evaluate_plainly(p, x), y, "program " + std::to_string(seed) + ", lane " + std::to_string(lane));
      }
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Engines,
                         testing::Values(Setting{30, 0.3}, Setting{200, 0.02}, Setting{200, 0.6}, Setting{2000, 0.1}));

TEST(Native, TreatsSpecialNumbersAsTheDefinitionsDo) {
  if (native_lanes() == 1) GTEST_SKIP() << "no native code here";
  const double special[] = {0.0, -0.0, 1.0, -1.0, 2.5, INFINITY, -INFINITY, NAN};
  for (auto c = static_cast<unsigned>(Code::add); c < static_cast<unsigned>(Code::table); ++c) {
    Program p;
    p.inputs = {"a", "b", "c"};
    p.outputs = {"y"};
    for (std::uint32_t i = 0; i < 3; ++i) p.code.push_back({Code::input, i});
    p.code.push_back({static_cast<Code>(c), 0, 1, 2});
    p.result = {3};
    assign_slots(p);
    const Interpreter interpreter(p);
    const auto avx = make_native(p), sse = make_native(p, {.avx = false});
    for (const double a : special)
      for (const double b : special) {
        const std::vector<double> in = {a, b, 0.5};
        const std::string what =
            std::string(name(static_cast<Code>(c))) + " of " + std::to_string(a) + ", " + std::to_string(b);
        const std::vector<double> expected = evaluate_plainly(p, in);
        expect_same(expected, run(interpreter, in, 1), "interpreter, " + what);
        expect_same(expected, run(*avx, in, 1), "AVX, " + what);
        expect_same(expected, run(*sse, in, 1), "SSE2, " + what);
      }
  }
}

TEST(Native, EvaluatesManySinesInBatchesOverInputsAndOverComputedArguments) {
  if (native_lanes() == 1) GTEST_SKIP() << "no native code here";
  Program p;
  constexpr std::uint32_t n = 150;
  for (std::uint32_t i = 0; i < n; ++i) p.inputs.push_back("q" + std::to_string(i)), p.code.push_back({Code::input, i});
  for (std::uint32_t i = 0; i < n; ++i) p.code.push_back({i % 3 ? Code::sin : Code::cos, n - 1 - i});
  for (std::uint32_t i = 0; i < n; ++i) p.code.push_back({Code::sin, i});
  for (std::uint32_t i = 0; i < n; ++i) p.code.push_back({Code::mul, n + i, 2 * n + i});
  for (std::uint32_t i = 0; i < n; ++i) p.code.push_back({Code::cos, 3 * n + i});
  for (std::uint32_t i = 0; i < n; ++i) p.outputs.push_back("y"), p.result.push_back(4 * n + i);
  p.outputs.push_back("s"), p.result.push_back(n);
  assign_slots(p);
  std::mt19937_64 random(3);
  const std::vector<double> in = random_inputs(random, n), expected = evaluate_plainly(p, in);
  expect_same(expected, run(Interpreter(p), in, n + 1), "interpreter");
  expect_same(expected, run(*make_native(p), in, n + 1), "native");
  // the library's own sine differs by at most one unit in the last place, twice
  const std::vector<double> library = run(*make_native(p, {.vector_sincos = false}), in, n + 1);
  for (std::size_t j = 0; j < n; ++j) EXPECT_NEAR(library[j], expected[j], 1e-15);
}

TEST(Native, StoresNothingAndAsksForNoMemoryWhereRegistersSuffice) {
  if (native_lanes() == 1) GTEST_SKIP() << "no native code here";
  Program p;
  p.inputs = {"a", "b"};
  p.outputs = {"y"};
  p.code = {{Code::input, 0}, {Code::input, 1}, {Code::mul, 0, 1}, {Code::add, 2, 0}, {Code::mul, 3, 2}};
  p.result = {4};
  assign_slots(p);
  EXPECT_EQ(make_native(p)->work_size(), 0u);
}

}  // namespace
}  // namespace coenergy::symbolic
