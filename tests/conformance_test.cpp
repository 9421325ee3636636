// Every registered kind of component is held to the same rules, before its author writes a test of its own: its
// description, derivatives, native code and signals here, energies, parameters and outputs in the files beside this one.
#include <cstring>

#include "coenergy/model/expression.hpp"
#include "tests/conformance_points.hpp"

namespace coenergy::conformance {
namespace {

void check_entry(const std::string& what, const std::string& name, const std::string& unit, const std::string& help) {
  EXPECT_FALSE(name.empty()) << what;
  EXPECT_FALSE(help.empty()) << what << "." << name << " has no help";
  EXPECT_TRUE(unit == model::any_unit || find_unit(unit).has_value()) << what << "." << name << ": unit " << unit;
}

void check_default(const std::string& what, const ParameterInfo& info) {
  if (!info.fallback || info.kind == ParameterInfo::Kind::choice || info.fallback->front() == '[') return;
  if (info.kind == ParameterInfo::Kind::vector) return;
  symbolic::Graph graph;
  const auto q =
      model::Expression::parse(*info.fallback).evaluate(graph, [](const std::string&) { return std::nullopt; });
  ASSERT_TRUE(q.value.is_number()) << what;
  model::check_unit(q, info.unit, {}, what, *info.fallback);
  EXPECT_GE(q.value.number(), info.minimum) << what;
  EXPECT_LE(q.value.number(), info.maximum) << what;
  EXPECT_TRUE(!info.open || q.value.number() != info.minimum) << what;
}

TEST(Conformance, DescriptionsAreComplete) {
  for (const std::string& type : registry().names()) {
    const model::Description& d = registry().find(type)->description;
    SCOPED_TRACE(type);
    const std::size_t dot = type.find('.');
    ASSERT_NE(dot, std::string::npos);
    EXPECT_TRUE(std::isupper(static_cast<unsigned char>(type[dot + 1])));
    EXPECT_FALSE(d.help.empty());
    std::set<std::string> entries, signals;
    for (const auto& p : d.ports) {
      check_entry(type, p.name, "", p.help);
      EXPECT_TRUE(entries.insert(p.name).second) << p.name << " twice";
    }
    for (const auto& p : d.parameters) {
      check_entry(type, p.name, p.unit, p.help);
      check_default(type + "." + p.name, p);
      EXPECT_TRUE(entries.insert(p.name).second) << p.name << " twice";
      EXPECT_LE(p.minimum, p.maximum);
    }
    for (const auto& v : d.variables) {
      check_entry(type, v.name, v.unit, v.help);
      EXPECT_GT(v.nominal, 0);
      EXPECT_TRUE(signals.insert(v.name).second) << v.name << " twice";
    }
    for (const auto& o : d.outputs) {
      check_entry(type, o.name, o.unit, o.help);
      EXPECT_TRUE(signals.insert(o.name).second) << o.name << " twice";
    }
  }
}

/// One kind of variable: its weight in the Jacobian and how a point is moved along one of its unknowns.
struct Direction {
  const char* name;
  double Weights::*weight;
  std::vector<double> Point::*values;
  int first, count;
};

std::vector<Direction> directions(const System& s) {
  const int l = s.nv(), x = l + s.nl(), y = x + s.nx();
  return {{"q", &Weights::q, &Point::q, 0, s.nv()}, {"v", &Weights::v, &Point::v, 0, s.nv()},
          {"a", &Weights::a, &Point::a, 0, s.nv()}, {"lambda", &Weights::lambda, &Point::lambda, l, s.nl()},
          {"x", &Weights::x, &Point::x, x, s.nx()}, {"xd", &Weights::xd, &Point::xd, x, s.nx()},
          {"y", &Weights::y, &Point::y, y, s.ny()}};
}

Point moved(const Evaluator& evaluator, const Point& p, const Direction& d, int k, double h) {
  Point m = p;
  if (d.values == &Point::q) {
    std::vector<double> dq(d.count);
    dq[k] = h;
    evaluator.retract(m.q, dq);
  } else {
    (m.*d.values)[k] += h;
  }
  return m;
}

TEST_P(ComponentTest, JacobianIsTheDerivativeOfTheResidual) {
  for (bool varying : {false, true}) {
    const System system = compile(varying, 11);
    Evaluator evaluator(system);
    std::mt19937 random(5);
    const Point p = random_point(system, evaluator, random);
    const int n = system.n();
    const auto& pattern = system.pattern();
    std::vector<double> plus(n), minus(n), values(pattern.row.size());
    for (Level level : {Level::position, Level::velocity, Level::acceleration}) {
      for (const Direction& d : directions(system)) {
        Weights w;
        w.*d.weight = 1;
        evaluator.jacobian(p, level, w, values);
        for (int k = 0; k < d.count; ++k) {
          const int column = d.first + k;
          const double h = 1e-5 * system.unknown(column).nominal;
          evaluator.residual(moved(evaluator, p, d, k, h), level, plus);
          evaluator.residual(moved(evaluator, p, d, k, -h), level, minus);
          std::vector<double> exact(n, 0.0);
          for (int i = pattern.column_start[column]; i < pattern.column_start[column + 1]; ++i)
            exact[pattern.row[i]] += values[i];
          for (int row = 0; row < n; ++row) {
            // rounding of the difference, and its truncation (third derivatives of order one in nominal units)
            const double rounding = 1e-14 * (std::abs(plus[row]) + std::abs(minus[row])) / h;
            EXPECT_NEAR(exact[row], (plus[row] - minus[row]) / (2 * h), 1e-6 * std::abs(exact[row]) + rounding + 1e-9)
                << system.row_name(row) << " to " << d.name << " of " << system.unknown(column).name;
          }
        }
      }
    }
  }
}

TEST_P(ComponentTest, ParameterDerivativeIsTheDerivativeOfTheResidual) {
  const System system = compile(false, 12);
  Evaluator evaluator(system);
  std::mt19937 random(6);
  const Point p = random_point(system, evaluator, random);
  std::vector<double> plus(system.n()), minus(system.n()), exact(system.n());
  for (int k = 0; k < system.parameters(); ++k) {
    // what is added to a delayed pressure is seen beside that: the rows are quadratic in it, and any width is exact
    const bool is_added = std::string(system.parameter_name(k)).ends_with(" added");
    const double value = evaluator.parameter(k), h = is_added ? 1 : 1e-5 * std::max(std::abs(value), 1e-3);
    evaluator.parameter_derivative(p, Level::acceleration, k, exact);
    evaluator.set_parameter(k, value + h);
    evaluator.residual(p, Level::acceleration, plus);
    evaluator.set_parameter(k, value - h);
    evaluator.residual(p, Level::acceleration, minus);
    evaluator.set_parameter(k, value);
    for (int row = 0; row < system.n(); ++row) {
      const double rounding = 1e-14 * (std::abs(plus[row]) + std::abs(minus[row])) / h;
      EXPECT_NEAR(exact[row], (plus[row] - minus[row]) / (2 * h), 1e-6 * std::abs(exact[row]) + rounding + 1e-9)
          << system.row_name(row) << " to " << system.parameter_name(k);
    }
  }
}

TEST_P(ComponentTest, NativeCodeGivesTheBitsOfTheInterpreter) {
  const System system = compile(true, 13);
  Evaluator evaluator(system);
  std::mt19937 random(7);
  const auto& data = system.data();
  std::vector<const symbolic::Function*> functions{&data.signal_function.get().straight(), &data.update_function.get(),
                                                   &data.indicator_function.get()};
  for (const auto& k : data.kernels) {
    functions.insert(functions.end(), {&k->residual.straight(), &k->energy.get()});
    for (const auto* c : {&k->velocity, &k->acceleration})
      if (c->rows) functions.push_back(&c->rows.get());
    for (const auto* d :
         {&k->balances, &k->position.derivatives, &k->velocity.derivatives, &k->acceleration.derivatives})
      for (const symbolic::Function* f : d->functions()) functions.push_back(f);
  }
  for (const symbolic::Function* f : functions) {
    if (f->program().outputs.empty()) continue;
    const symbolic::Function interpreted(f->program(), symbolic::Engine::interpreter);
    const symbolic::Function native(f->program(), symbolic::Engine::native);
    for (int trial = 0; trial < 3; ++trial) {
      std::vector<double> in = value_array(system, random_point(system, evaluator, random));
      in.resize(f->program().inputs.size(), 0.7);
      const std::vector<double> a = evaluate(interpreted, in), b = evaluate(native, in);
      for (std::size_t k = 0; k < a.size(); ++k)
        EXPECT_EQ(0, std::memcmp(&a[k], &b[k], sizeof(double)))
            << f->program().outputs[k] << ": " << a[k] << " and " << b[k];
    }
  }
}

TEST_P(ComponentTest, EverySignalOfTheDescriptionExists) {
  const System system = compile(false, 15);
  const model::Description& d = registry().find(GetParam().type)->description;
  auto check = [&](const std::string& name, const std::string& unit) {
    const int k = system.find_signal("subject." + name);
    ASSERT_GE(k, 0) << name;
    EXPECT_EQ(system.signals()[k].unit, unit) << name;
  };
  for (const auto& v : d.variables) check(v.name, v.unit);
  for (const auto& o : d.outputs)
    if (o.name.back() != '#' && GetParam().type != "blocks.StateSpace") check(o.name, o.unit);
}

INSTANTIATE_TEST_SUITE_P(Registry, ComponentTest, testing::ValuesIn(all_cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace coenergy::conformance
