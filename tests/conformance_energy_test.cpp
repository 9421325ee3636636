// The energy balance of every registered kind: at an instant to round-off, and over a run.
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/simulate.hpp"
#include "tests/conformance_points.hpp"

namespace coenergy::conformance {
namespace {

/// d(stored)/dt, supplied and dissipated power at a point, with the sum of the sizes of all their terms.
struct Powers {
  double stored_rate = 0, supplied = 0, dissipated = 0;
};

Powers find_powers(const System& system, const Point& p) {
  const std::vector<double> values = value_array(system, p);
  Powers total;
  for (const auto& instance : system.data().instances) {
    const equations::Kernel& kernel = *instance.kernel;
    const auto& set = *kernel.set;
    const Expr rate = set.stored.is_number() ? Expr(0) : set.variables.time_derivative(set.stored);
    std::vector<double> in = values;
    if (!instance.gather.empty()) {
      in.clear();
      for (int i : instance.gather) in.push_back(values[i]);
    }
    const std::vector<double> out = evaluate(kernel.make_function({rate, set.supplied, set.dissipated}), in);
    total.stored_rate += out[0];
    total.supplied += out[1];
    total.dissipated += out[2];
  }
  return total;
}

TEST_P(ComponentTest, EnergyBalanceHoldsToRoundOff) {
  for (bool varying : {false, true}) {
    for (unsigned seed = 20; seed < 23; ++seed) {
      const System system = compile(varying, seed);
      Evaluator evaluator(system);
      solve::Options options;
      options.newton_tolerance = 1e-13;
      const solve::Start start = solve::initialize(evaluator, options);
      ASSERT_TRUE(start.good) << start.text;
      const Powers power = find_powers(system, start.point);
      const double scale = std::abs(power.stored_rate) + std::abs(power.supplied) + std::abs(power.dissipated);
      EXPECT_GT(scale, 1e-3);
      // the balance is the sum of node equations times rates; each is solved to some 1e-15 of its largest term, and
      // terms may exceed their sum by a few powers of ten
      EXPECT_NEAR(power.stored_rate - power.supplied + power.dissipated, 0, 1e-10 * scale)
          << "seed " << seed << ", varying " << varying;
      const auto energy = evaluator.energy(start.point);
      EXPECT_DOUBLE_EQ(energy.supplied_power, power.supplied);
      EXPECT_DOUBLE_EQ(energy.dissipated_power, power.dissipated);
    }
  }
}

/// The largest |v i| at any electrical pin of the subject: the bench's own elements tell the current into it.
double find_pin_power(const solve::Result& r, const model::Description& d) {
  double largest = 0;
  std::vector<std::string> nodes;
  for (const auto& port : d.ports) nodes.push_back("node_" + port.name);
  for (const char* side : {"node_a", "node_b"}) nodes.emplace_back(side);  // of couplings
  for (const std::string& node : nodes) {
    const int v = r.find(node + ".v"), source = r.find(node + "_I.i"), resistor = r.find(node + "_R.i");
    if (v < 0 || source < 0 || resistor < 0) continue;
    for (std::size_t k = 0; k < r.times.size(); ++k)
      largest = std::max(largest, std::abs(r.row(k)[v] * (r.row(k)[source] - r.row(k)[resistor])));
  }
  return largest;
}

TEST_P(ComponentTest, KeepsItsAccountOverARun) {
  const ComponentType& type = *registry().find(GetParam().type);
  for (bool varying : {false, true}) {
    Model model = Bench(GetParam(), type, varying, 31).make();
    model.energy = true;
    const bool is_electrical = GetParam().type.starts_with("electrical.");
    // tighter than the balance by what errors of some hundred steps may add up to
    const double rtol = is_electrical ? 1e-12 : 1e-11;
    // the piston of the bench's cylinder leaves its tube after 7 ms
    const double t_end = is_electrical ? 2.0 : GetParam().type == "hydraulic.Cylinder" ? 5e-3 : 0.3;
    const solve::Options options{.t_end = t_end,
                                 .method = "radau",
                                 .output_step = 0.02,
                                 .rtol = rtol,
                                 .atol = rtol / 10,
                                 .newton_tolerance = rtol};
    const solve::Result r = solve::simulate(compile::compile(model, registry()).system, options);
    ASSERT_EQ(r.status, solve::Status::done) << r.text;
    const auto stored = r.signal("energy.stored"), supplied = r.signal("energy.supplied"),
               lost = r.signal("energy.dissipated");
    double error = 0, size = 0;
    for (std::size_t k = 0; k < stored.size(); ++k) {
      error = std::max(error, std::abs((stored[k] - stored[0]) - (supplied[k] - supplied[0]) + lost[k] - lost[0]));
      size = std::max({size, std::abs(stored[k]), std::abs(supplied[k]), std::abs(lost[k])});
    }
    EXPECT_LE(error, 1e-9 * size) << "varying " << varying;
    // an element without an account would be seen: power flows through its pins (a ground has no voltage, a modulator
    // no pins, a voltmeter no current)
    static const std::set<std::string> powerless = {"electrical.Ground", "electrical.Pwm", "electrical.Voltmeter"};
    if (is_electrical && powerless.count(GetParam().type) == 0) {
      EXPECT_GT(find_pin_power(r, type.description), 1e-3) << "varying " << varying;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, ComponentTest, testing::ValuesIn(all_cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace coenergy::conformance
