// examples/bogie: topology of the bogie of Sass 2004, with invented data.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "coenergy/solve/initialize.hpp"
#include "tests/inline_model.hpp"
#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

const std::string file = std::string(COENERGY_SOURCE_DIR) + "/examples/bogie/bogie.yaml";

TEST(Bogie, FiftySevenJointsLeaveTwentyNineDegreesOfFreedom) {
  const Outcome outcome = run_program({"check", file, "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  const auto j = nlohmann::json::parse(outcome.output);
  EXPECT_EQ(j["bodies"], 57);       // 14 real and 43 fictitious ones
  EXPECT_EQ(j["joints"], 57 + 6);   // of which six balls close loops
  EXPECT_EQ(j["loops"], 6);         //
  EXPECT_EQ(j["coordinates"], 57);  //
  EXPECT_EQ(j["constraints"], 28);  // 18 of loops, 4 wheels on rails, 2 reducers, 4 locked joints
  EXPECT_EQ(j["redundant"].size(), 0u);
  EXPECT_EQ(j["degrees_of_freedom"], 29);
  EXPECT_EQ(j["formulation"], "relative");

  // real bodies are the ones with mass
  const model::Model model = io::read_model(file);
  int real = 0, fictitious = 0;
  for (const auto& component : model.components) {
    if (component.type != "multibody.Body") continue;
    const bool is_massless = component.name[0] == 'f' && std::isdigit(component.name[1]);
    (is_massless ? fictitious : real)++;
  }
  EXPECT_EQ(real, 14);
  EXPECT_EQ(fictitious, 43);
}

TEST(Bogie, CodeIsGeneratedForItsTreeAndCompiles) {
  const Folder folder;
  for (const std::string function : {"mass_matrix", "inverse_dynamics", "kinematics"}) {
    std::string option = function;
    std::replace(option.begin(), option.end(), '_', '-');
    const Outcome outcome =
        run_program({"generate", file, "--function", option, "--language", "c", "-o", (folder / "code").string()});
    ASSERT_EQ(outcome.status, 0) << outcome.all();
    EXPECT_NE(outcome.all().find("operations"), std::string::npos) << outcome.all();
    const std::string source = (folder / "code").string() + "/" + function + ".c";
    EXPECT_EQ(std::system(("cc -std=c99 -Wall -Werror -c " + source + " -o " + source + ".o").c_str()), 0) << function;
  }
}

TEST(Bogie, RollsAtTheSynchronousSpeedOfItsTwoMotors) {
  // 2π 50 Hz/p over the reducer 97/16 at wheels of 0.43 m: 11.141 m/s, less the slip that drag asks for; started near
  // it, so that a second is enough
  const model::Model model =
      read_example("bogie", "bogie_start", {{"V", "10.9 m/s"}, {"T", "1 ms"}, {"offset", "1 mm"}});
  solve::Options options = io::read_simulation_options(model);
  options.t_end = 1, options.output_step = 0.05;
  const solve::Result r = run_model(model, options);
  const double top = 0.43 * 2 * 3.14159265358979 * 50 / 2 / (97.0 / 16);
  EXPECT_NEAR(r.signal("j1.qd").back(), top, 0.01 * top);
  // wheels roll: the axles turn at the speed over the radius, the rotors 97/16 times as fast
  EXPECT_NEAR(r.signal("j30.qd").back() * 0.43, r.signal("j1.qd").back(), 0.005 * top);
  EXPECT_NEAR(r.signal("j49.qd").back(), 97.0 / 16 * r.signal("j48.qd").back(), 1e-6 * 160);
  EXPECT_NEAR(r.signal("front.motor.tau").back(), r.signal("rear.motor.tau").back(), 30);  // of 1270 N.m at most
}

TEST(WheelRail, SaturatesByTheLawOfVermeulenAndJohnson) {
  // a wheelset pulled along at 1 m/s that cannot turn: all of V is slip, in x alone
  for (const double f11 : {200.0, 5000.0, 1e6}) {
    const solve::Result r = run_text(
        "components:\n  gravity: {type: multibody.Gravity}\n"
        "  axle: {type: multibody.Body, mass: 100 kg, inertia: [10, 2, 10]}\n"
        "  x: {type: multibody.Prismatic, parent: ground, child: frame, axis: x, drive: 1 m/s*time}\n"
        "  frame: {type: multibody.Body, mass: 0 kg, inertia: [0, 0, 0]}\n"
        "  z: {type: multibody.Prismatic, parent: frame, child: axle, axis: z, guess: 0.4 m}\n"
        "  wheel: {type: multibody.WheelRail, body: axle, rail: 0.01 mm, radius: 0.4 m, conicity: 0, speed: 1 m/s, "
        "f11: " +
            std::to_string(f11) + " N, f22: 10 N, friction: 0.3}\n",
        0.01, 0.01);
    const double limit = 0.3 * 981, tau = f11 / (3 * limit);
    const double expected = tau < 1 ? f11 * (1 - tau + tau * tau / 3) : limit;
    EXPECT_NEAR(-r.signal("wheel.fx").back(), expected, 1e-5 * expected) << f11;  // 1e-6 of friction rounds the corner
  }
}

}  // namespace
}  // namespace coenergy::tests
