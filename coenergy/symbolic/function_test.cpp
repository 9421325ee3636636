#include "coenergy/symbolic/function.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "coenergy/symbolic/native.hpp"
#include "coenergy/symbolic/random_graph.hpp"

namespace coenergy::symbolic {
namespace {

TEST(Function, GivesTheSameBitsFromEveryEngineOnThousandsOfRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    RandomGraph r(seed, 20 + static_cast<int>(seed % 60));
    const Program p = make_program(r.symbols, r.outputs);
    const Function interpreter(p, Engine::interpreter), native(p, Engine::native);
    EXPECT_FALSE(interpreter.is_native());
    const auto w = static_cast<std::size_t>(Function::lane_count());
    std::vector<double> lanes_in(p.inputs.size() * w), lanes_out(p.outputs.size() * w), work(native.lane_work_size());
    std::vector<std::vector<double>> expected;
    for (std::size_t lane = 0; lane < w; ++lane) {
      const std::vector<double> x = r.inputs();
      expected.push_back(evaluate(interpreter, x));
      ASSERT_EQ(expected.back(), evaluate(native, x)) << "graph " << seed;
      for (std::size_t i = 0; i < x.size(); ++i) lanes_in[i * w + lane] = x[i];
    }
    native.lanes(lanes_in.data(), lanes_out.data(), work.data());
    for (std::size_t lane = 0; lane < w; ++lane)
      for (std::size_t j = 0; j < p.outputs.size(); ++j)
        ASSERT_EQ(expected[lane][j], lanes_out[j * w + lane]) << "graph " << seed << ", lane " << lane;
  }
}

TEST(Function, RunsLanesThroughTheInterpreterToo) {
  RandomGraph r(4, 80);
  const Function f(make_program(r.symbols, r.outputs), Engine::interpreter);
  const auto w = static_cast<std::size_t>(Function::lane_count());
  std::vector<double> in(r.symbols.size() * w), out(r.outputs.size() * w), work(f.lane_work_size());
  const std::vector<double> x = r.inputs(), expected = evaluate(f, x);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = x[i / w];
  f.lanes(in.data(), out.data(), work.data());
  for (std::size_t j = 0; j < out.size(); ++j) EXPECT_EQ(out[j], expected[j / w]);
}

/// A program too large to be compiled before the constructor returns.
Program make_large_program() {
  Graph g;
  const Expr x = g.symbol("x");
  Expr y = x;
  for (int i = 0; i < 30'000; ++i) y = g.let("y", y * 0.5 + x);
  const NamedExpr output{"y", y};
  return make_program({&x, 1}, {&output, 1});
}

TEST(Function, ServesFromTheFirstCallAndGoesNativeInTheBackground) {
  const Function f(make_large_program());
  const std::vector<double> x = {3};
  const std::vector<double> before = evaluate(f, x);
  EXPECT_NEAR(before[0], 6, 1e-12);
  f.wait_until_native();
  EXPECT_EQ(f.is_native(), native_lanes() > 1);
  EXPECT_EQ(evaluate(f, x), before);
}

TEST(Function, MayBeDestroyedOrMovedWhileItsCodeIsBeingMade) {
  Function f(make_large_program());
  Function g = std::move(f);
  EXPECT_NEAR(evaluate(g, std::vector<double>{3})[0], 6, 1e-12);
  g = Function(make_large_program());
}

TEST(Function, RunsInManyThreadsAtOnce) {
  RandomGraph r(9, 300);
  const Function f(make_program(r.symbols, r.outputs));
  const std::vector<double> x = r.inputs(), expected = evaluate(f, x);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) EXPECT_EQ(evaluate(f, x), expected);
    });
  for (std::thread& t : threads) t.join();
}

TEST(Function, CountsItsOperationsAndItsCode) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  const Expr inputs[] = {x, y};
  const NamedExpr output{"z", sqrt(x * y + x / y) - sin(y)};
  const OperationCount c = Function(make_program(inputs, {&output, 1}), Engine::native).count();
  EXPECT_EQ(c.additions, 2);
  EXPECT_EQ(c.multiplications, 1);
  EXPECT_EQ(c.divisions, 1);
  EXPECT_EQ(c.functions, 2);
  EXPECT_EQ(c.total(), 6);
  EXPECT_EQ(c.bytes > 20, native_lanes() > 1);
}

TEST(Function, NamesTheBindingOfTheFirstBadValue) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  const Expr inputs[] = {x, y};
  const Expr root = g.let("root", 1 + sqrt(x - y)), ratio = g.let("ratio", y / (x + y));
  const NamedExpr outputs[] = {{"out", exp(root * ratio)}, {"other", log(x) * 2}};
  const Function f(make_program(inputs, outputs));
  const double good[] = {2, 1}, negative[] = {1, 2}, zero[] = {1, -1}, nan[] = {NAN, 1}, last[] = {0, -1};
  EXPECT_EQ(f.find_bad_value(good), std::nullopt);
  EXPECT_EQ(f.find_bad_value(negative), "root: sqrt(-1) = nan");
  EXPECT_EQ(f.find_bad_value(zero), "ratio: div(-1, 0) = -inf");
  EXPECT_EQ(f.find_bad_value(nan), "input x = nan");
  EXPECT_EQ(f.find_bad_value(last), "other: log(0) = -inf");
}

TEST(Function, ComputesTablesAndExternalFunctions) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  auto table = std::make_shared<Table>();
  table->name = "line", table->x = {0, 1, 3}, table->values = {0, 2, 2};
  table->prepare();
  const auto external =
      std::make_shared<External>(External{"norm", 2, [](const double* v) { return std::hypot(v[0], v[1]); },
                                          [](const double* v, int k) { return v[k] / std::hypot(v[0], v[1]); }});
  const Expr inputs[] = {x, y};
  const NamedExpr outputs[] = {{"table", g.table(table, x)}, {"external", g.external(external, inputs)}};
  for (const Engine engine : {Engine::interpreter, Engine::native})
    EXPECT_EQ(evaluate(Function(make_program(inputs, outputs), engine), std::vector<double>{3, 4}),
              (std::vector<double>{2, 5}));
}

}  // namespace
}  // namespace coenergy::symbolic
