// Actuator forces, effective loads and kinematics of mechanisms, against closed forms and other formulations.
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "coenergy/analyze/actuation.hpp"
#include "coenergy/analyze/effective_load.hpp"
#include "coenergy/analyze/inverse_kinematics.hpp"
#include "coenergy/io/csv.hpp"
#include "coenergy/io/urdf.hpp"
#include "coenergy/solve/initialize.hpp"
#include "tests/inline_model.hpp"
#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

const std::string slider_crank = COENERGY_SOURCE_DIR "/examples/slider_crank/slider_crank.yaml";

const std::string four_bar = R"(
components:
  g: {type: multibody.Gravity, g: [0, -9.81, 0]}
  crank:   {type: multibody.Body, mass: 1, com: [0.25, 0, 0], inertia: [0, 0, 0.02]}
  coupler: {type: multibody.Body, mass: 1.8, com: [0.45, 0, 0], inertia: [0, 0, 0.1]}
  rocker:  {type: multibody.Body, mass: 1.4, com: [0.35, 0, 0], inertia: [0, 0, 0.05]}
  hinge:  {type: multibody.Revolute, parent: ground, child: crank, q0: 60 deg, damping: 0.2, torque: TORQUE}
  elbow:  {type: multibody.Revolute, parent: crank, parent_at: [0.5, 0, 0], child: coupler, guess: -45 deg}
  pivot:  {type: multibody.Revolute, parent: ground, parent_at: [1, 0, 0], child: rocker, guess: 80 deg}
  joint:  {type: multibody.Revolute, parent: coupler, parent_at: [0.9, 0, 0], child: rocker, child_at: [0.7, 0, 0], guess: 60 deg}
simulate: {t_end: 1 s, method: radau, rtol: 1e-11, atol: 1e-11, output_step: 10 ms}
)";
std::string with_torque(const std::string& torque) {
  std::string text = four_bar;
  return text.replace(text.find("TORQUE"), 6, torque);
}

/// A model at its consistent start.
struct Ready {
  explicit Ready(const model::Model& model) : evaluator(compile_model(model)), start(solve::initialize(evaluator)) {
    EXPECT_TRUE(start.good) << start.text;
  }
  explicit Ready(const std::string& text) : Ready(io::parse_model(text, "m.yaml")) {}
  int coordinate(const std::string& name) const { return analyze::find_coordinates(evaluator.system(), {name}, "")[0]; }
  equations::Evaluator evaluator;
  solve::Start start;
};

nlohmann::json run_json(std::vector<std::string> arguments) {
  arguments.push_back("--json");
  const Outcome outcome = run_program(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  return nlohmann::json::parse(outcome.output, nullptr, false);
}

// ---- counting

TEST(Check, CountsFreedomsFromThePartsAndNamesWhatIsTooMuch) {
  // a planar loop of spatial hinges: three rows hold by themselves in relative coordinates, follow from others in
  // absolute ones
  const auto count = [](const std::string& file, const std::string& formulation) {
    const Outcome outcome = run_program({"check", file, "--set", "formulation=" + formulation});
    EXPECT_EQ(outcome.status, 0) << outcome.all();
    return outcome.output;
  };
  const std::string relative = count(slider_crank, "relative"), absolute = count(slider_crank, "absolute");
  EXPECT_NE(relative.find("  degrees of freedom        0\n"
                          "  counted from the parts    6*3 - 5*4 - 1 = -3\n"
                          "  over-constrained by 3: wrist position z, wrist rotation out of the plane (2 rows)\n"),
            std::string::npos)
      << relative;
  EXPECT_NE(absolute.find("  counted from the parts    6*3 - 5*4 - 1 = -3\n  over-constrained by 3: "),
            std::string::npos)
      << absolute;
  // six hinges move although none should
  EXPECT_NE(count(COENERGY_SOURCE_DIR "/examples/bricard/bricard.yaml", "relative")
                .find("  counted from the parts    6*5 - 5*6 = 0\n  over-constrained by 1: hinge4 rotation z\n"),
            std::string::npos);
  // nothing is too much
  const std::string free = count(COENERGY_SOURCE_DIR "/examples/stewart/stewart.yaml", "absolute");
  EXPECT_NE(free.find("  counted from the parts    6*13 - 5*6 - 4*6 - 3*6 - 6 = 0\n"), std::string::npos) << free;
  EXPECT_EQ(free.find("over-constrained"), std::string::npos) << free;

  const auto j = run_json({"check", slider_crank});
  EXPECT_EQ(j["counted_freedoms"], -3);
  EXPECT_EQ(j["over_constrained_by"], 3);
  EXPECT_EQ(j["over_constrained_in"].size(), 2u);
}

// ---- friction at rest

TEST(OperatingPoint, FrictionHoldsUpToItsLimit) {
  const Folder folder;
  const auto op = [&](const std::string& force) {
    return run_json({"op", folder.write("block.yaml",
                                        "components:\n"
                                        "  gravity: {type: multibody.Gravity, g: [0, 0, -9.81]}\n"
                                        "  block: {type: multibody.Body, mass: 1, inertia: [1, 1, 1]}\n"
                                        "  slide: {type: multibody.Prismatic, parent: ground, child: "
                                        "block, axis: x, friction: {coulomb: 5 N, law: stick}, force: " +
                                            force + "}\n")});
  };
  // the force that is needed, not the largest; 1e-11: the stiffness of the hold
  const auto held = op("3 N");
  EXPECT_NEAR(held["signals"]["slide.friction_force"].get<double>(), 3, 1e-9);
  EXPECT_NEAR(held["signals"]["slide.qdd"].get<double>(), 0, 1e-9);
  EXPECT_TRUE(held["notes"].empty()) << held["notes"];
  const auto slips = op("7 N");
  EXPECT_EQ(slips["signals"]["slide.friction_force"], 5);
  EXPECT_NEAR(slips["signals"]["slide.qdd"].get<double>(), 2, 1e-9);
  EXPECT_TRUE(slips["notes"][0].get<std::string>().starts_with(
      "positions are held: slide.q would move, with an acceleration of 2; no equilibrium"))
      << slips["notes"];
}

// ---- inverse dynamics

TEST(Inverse, TheActuatorOfADrivenJointExertsItsDriveForce) {
  const Folder folder;
  // minimal coordinates: every row closes its loops and is solved for; radau interpolates rows
  for (const std::string verb : {"inverse", "run"})
    run_json({verb, slider_crank, "--set", "simulate.method=dopri", "--set", "simulate.coordinates=minimal", "--set",
              "simulate.newton_tolerance=1e-12", "-o", (folder / (verb + ".csv")).string()});
  const std::vector<double> actuator = io::read_csv(folder / "inverse.csv").column("shaft.actuator"),
                            drive = io::read_csv(folder / "run.csv").column("shaft.drive_force");
  ASSERT_EQ(actuator.size(), drive.size());
  double largest = 0;
  for (const double f : drive) largest = std::max(largest, std::abs(f));
  EXPECT_GT(largest, 1);
  // the same point, multipliers on one side, the projection Tᵀ(M s̈ + c − Q) on the other
  for (std::size_t i = 0; i < drive.size(); ++i) EXPECT_NEAR(actuator[i], drive[i], 1e-9 * largest) << i;
}

TEST(Inverse, AnotherActuatorNeedsTheSamePower) {
  const Folder folder;
  // away from the dead centres, where the piston cannot move the crank
  const std::vector<std::string> common{"inverse", slider_crank,
                                        "--set",   "simulate.method=dopri",
                                        "--set",   "simulate.coordinates=minimal",
                                        "--set",   "shaft.drive=0.5 rad + speed*time",
                                        "--t-end", "0.1 s"};
  for (const std::string joint : {"shaft", "bore"}) {
    std::vector<std::string> words = common;
    words.insert(words.end(), {"--actuated", joint, "-o", (folder / (joint + ".csv")).string()});
    run_json(words);
  }
  const io::CsvData shaft = io::read_csv(folder / "shaft.csv"), bore = io::read_csv(folder / "bore.csv");
  ASSERT_EQ(shaft.rows(), bore.rows());
  for (std::size_t i = 0; i < shaft.rows(); ++i)
    EXPECT_NEAR(bore.column("power")[i], shaft.column("power")[i], 1e-8) << i;
  const Outcome dead = run_program({"inverse", slider_crank, "--actuated", "bore"});
  EXPECT_EQ(dead.status, 1);
  EXPECT_EQ(dead.message,
            "inverse: at t = 0 s the actuated joints cannot make this motion: the mechanism is singular for them\n");
}

// forward dynamics with a torque, and back
TEST(Inverse, TheMotionOfAFileGivesBackTheTorqueThatMadeIt) {
  const Folder folder;
  const std::string driven = folder.write("driven.yaml", with_torque("\"(8 + 5*sin(7*time/(1 s)))*(1 N.m)\"")),
                    free = folder.write("free.yaml", with_torque("0"));
  run_json({"run", driven, "-o", (folder / "motion.csv").string()});
  run_json({"inverse", free, "--motion", (folder / "motion.csv").string(), "--actuated", "hinge", "-o",
            (folder / "forces.csv").string()});
  const io::CsvData forces = io::read_csv(folder / "forces.csv");
  const std::vector<double> time = forces.column("time"), actuator = forces.column("hinge.actuator");
  ASSERT_EQ(time.size(), 101u);
  for (std::size_t i = 0; i < time.size(); ++i)
    EXPECT_NEAR(actuator[i], 8 + 5 * std::sin(7 * time[i]), 1e-6) << i;  // 1e-11 a step, accelerations recorded

  // positions of the crank alone: second derivatives of a spline are wrong by h² q⁗/12
  const io::CsvData motion = io::read_csv(folder / "motion.csv");
  const std::vector<double> q = motion.column("hinge.q");
  double error[3] = {};
  for (const std::size_t stride : {1, 2}) {
    std::vector<double> rows;
    for (std::size_t i = 0; i < q.size(); i += stride) rows.insert(rows.end(), {time[i], q[i]});
    io::write_csv(folder / "positions.csv", {"time", "hinge.q"}, {"s", "rad"}, rows);
    run_json(
        {"inverse", free, "--motion", (folder / "positions.csv").string(), "-o", (folder / "spline.csv").string()});
    const std::vector<double> spline = io::read_csv(folder / "spline.csv").column("hinge.actuator");
    for (std::size_t i = 10; i + 10 < time.size(); i += 2)
      error[stride] += std::abs(spline[i / stride] - 8 - 5 * std::sin(7 * time[i])) / 40;
  }
  EXPECT_LT(error[1], 1);  // of 8 ± 5 N.m, in a motion that turns over within a few rows
  EXPECT_NEAR(error[2] / error[1], 4, 1);
}

TEST(Inverse, WrongActuatorsAreRefused) {
  const Outcome several = run_program({"inverse", slider_crank, "--actuated", "shaft,bore"});
  EXPECT_EQ(several.status, 2);
  EXPECT_NE(
      several.message.find("the mechanism has 1 degrees of freedom without its drives and 2 actuated joints; name "
                           "1 with --actuated, such as --actuated "),
      std::string::npos)
      << several.message;
  const Outcome unknown = run_program({"inverse", slider_crank, "--actuated", "shft"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.message.find("--actuated: there is no coordinate \"shft\""), std::string::npos) << unknown.message;
}

// ---- effective load

// a winch: J = J_rot + J_d/i² + m r²/i², M = (m g r + M_fric)/i
TEST(EffectiveLoad, OfAWinchIsThatOfTheTextbook) {
  const Folder folder;
  const std::string file = folder.write("winch.yaml", R"(
components:
  rotor:    {type: mechanical.Inertia, shaft: motor, J: 0.02 kg.m2}
  gear:     {type: mechanical.IdealGear, a: motor, b: axle, ratio: 25}
  drum:     {type: mechanical.Inertia, shaft: axle, J: 3 kg.m2}
  friction: {type: mechanical.Torque, flange: axle, tau: -40 N.m}
  rope:     {type: mechanical.RackPinion, pinion: axle, rack: hook, r: 0.3 m/rad}
  load:     {type: mechanical.Mass, flange: hook, m: 500 kg}
  weight:   {type: mechanical.Force, flange: hook, f: -500*9.81 N}
)");
  const auto j = run_json({"effective", file, "--joint", "motor"})["joints"];
  const double i = 25, r = 0.3, m = 500;
  EXPECT_NEAR(j[0]["inertia"].get<double>(), 0.02 + 3 / (i * i) + m * r * r / (i * i), 1e-12);
  EXPECT_NEAR(j[0]["load"].get<double>(), (m * 9.81 * r + 40) / i, 1e-10);
  // the same seen from the rope: a mass and a force
  const auto rope = run_json({"effective", file, "--joint", "hook"})["joints"];
  EXPECT_NEAR(rope[0]["inertia"].get<double>(), m + (3 + 0.02 * i * i) / (r * r), 1e-9);
  EXPECT_EQ(rope[0]["inertia_unit"], "kg");
}

TEST(EffectiveLoad, OfASliderCrankIsItsKineticEnergyAndItsDriveTorque) {
  model::Model model = read_example("slider_crank", "slider_crank");
  model.set("shaft.drive", std::string("0.7 rad + speed*time"));
  Ready ready(model);
  const equations::Point& p = ready.start.point;
  const int shaft = ready.coordinate("shaft");
  const analyze::EffectiveLoad e = analyze::compute_effective_load(ready.evaluator, p, shaft);
  equations::Point rest = p;
  std::fill(rest.v.begin(), rest.v.end(), 0.0);
  const double kinetic = ready.evaluator.energy(p).stored - ready.evaluator.energy(rest).stored;
  EXPECT_NEAR(e.inertia, 2 * kinetic / (20.0 * 20.0), 1e-12);
  // M = −dW/dθ: the slope of the potential energy, by moving the drive
  const double h = 1e-4;
  double potential[2];
  for (const int side : {0, 1}) {
    model.set("shaft.drive", "0.7 rad + " + std::to_string(side == 0 ? -h : h) + " rad + 0*speed*time");
    Ready beside(model);
    potential[side] = beside.evaluator.energy(beside.start.point).stored;
  }
  EXPECT_NEAR(e.load, (potential[1] - potential[0]) / (2 * h), 1e-6);
  // at constant speed the drive bears the load and the change of inertia
  std::vector<double> signals(ready.evaluator.system().signals().size());
  ready.evaluator.signals(p, signals);
  const double drive = signals[ready.evaluator.system().find_signal("shaft.drive_force")];
  EXPECT_NEAR(drive, e.load + e.inertia_slope * 20 * 20 / 2, 1e-6);
  EXPECT_GT(std::abs(e.inertia_slope), 1e-3);
}

// ---- kinematics

const std::string two_links = R"(
components:
  upper: {type: multibody.Body, mass: 1, com: [0.3, 0, 0], inertia: [0.1, 0.1, 0.1]}
  lower: {type: multibody.Body, mass: 1, com: [0.2, 0, 0], inertia: [0.1, 0.1, 0.1]}
  shoulder: {type: multibody.Revolute, parent: ground, child: upper, q0: 20 deg}
  elbow: {type: multibody.Revolute, parent: upper, parent_at: [0.6, 0, 0], child: lower, q0: 30 deg}
)";

TEST(Kinematics, ATwoLinkArmReachesAsItsClosedFormSays) {
  Ready arm(two_links);
  const mechanics::BodyPoint hand{"lower", {0.4, 0, 0}};
  const double x = 0.3, y = 0.7;
  const analyze::Reach r = analyze::find_configuration(arm.evaluator, arm.start.point, hand, {{x, y, 0}, {}}, {});
  ASSERT_TRUE(r.good);
  // cosine rule; the start bends the elbow to the left
  const double c = (x * x + y * y - 0.36 - 0.16) / (2 * 0.6 * 0.4), elbow = std::acos(c),
               shoulder = std::atan2(y, x) - std::atan2(0.4 * std::sin(elbow), 0.6 + 0.4 * c);
  EXPECT_NEAR(r.point.q[arm.coordinate("elbow")], elbow, 1e-9);
  EXPECT_NEAR(r.point.q[arm.coordinate("shoulder")], shoulder, 1e-9);
  // straight down the Jacobian: few iterations
  EXPECT_LE(r.iterations, 20);
}

TEST(Kinematics, LimitsAreKept) {
  Ready arm(two_links);
  const mechanics::BodyPoint hand{"lower", {0.4, 0, 0}};
  const int elbow = arm.coordinate("elbow");
  // the elbow may not bend to the left: the other solution is found
  const analyze::Reach r =
      analyze::find_configuration(arm.evaluator, arm.start.point, hand, {{0.3, 0.7, 0}, {}}, {{elbow, -2, 0.1}});
  ASSERT_TRUE(r.good);
  EXPECT_NEAR(r.point.q[elbow], -std::acos((0.09 + 0.49 - 0.36 - 0.16) / 0.48), 1e-9);
  // stretched to its limit the arm is 0.6 m and 0.4 m under 0.5 rad: the nearest point of its circle
  const analyze::Reach far =
      analyze::find_configuration(arm.evaluator, arm.start.point, hand, {{3, 0, 0}, {}}, {{elbow, 0.5, 2}});
  EXPECT_FALSE(far.good);
  EXPECT_EQ(far.at_limit, std::vector<int>{elbow});
  const double length = std::sqrt(0.36 + 0.16 + 2 * 0.24 * std::cos(0.5));
  EXPECT_NEAR(far.distance, 3 - length, 1e-6);
}

TEST(Kinematics, TheLimitsOfAUrdfRobotAreKept) {
  const auto link = [](const std::string& name) {
    return "<link name='" + name +
           "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>";
  };
  const auto joint = [](const std::string& name, const std::string& ends, const std::string& x,
                        const std::string& range) {
    return "<joint name='" + name + "' type='revolute'>" + ends + "<origin xyz='" + x +
           " 0 0'/><axis xyz='0 0 1'/><limit " + range + " effort='1' velocity='1'/></joint>";
  };
  const Folder folder;
  const std::string robot = folder.write(
      "arm.urdf", "<robot name='arm'><link name='base'/>" + link("upper") + link("lower") +
                      joint("shoulder", "<parent link='base'/><child link='upper'/>", "0", "lower='-3' upper='3'") +
                      joint("elbow", "<parent link='upper'/><child link='lower'/>", "0.6", "lower='-2' upper='-0.5'") +
                      "</robot>");
  // of the two ways to bend the elbow one is allowed
  const auto j = run_json({"kinematics", robot, "--point", "lower:0.4,0,0", "--target", "0.3,0.7,0"});
  EXPECT_NEAR(j["joints"]["elbow.q"].get<double>(), -std::acos((0.09 + 0.49 - 0.36 - 0.16) / 0.48), 1e-9);
  // stretched it would reach
  const Outcome far = run_program({"kinematics", robot, "--point", "lower:0.4,0,0", "--target", "0.99,0,0"});
  EXPECT_EQ(far.status, 1);
  EXPECT_NE(far.message.find("; at their limits: elbow.q = -0.5"), std::string::npos) << far.message;
}

TEST(Kinematics, ATargetOutOfReachIsAnsweredWithTheGap) {
  const Folder folder;
  const Outcome o = run_program(
      {"kinematics", folder.write("arm.yaml", two_links), "--point", "lower:0.4,0,0", "--target", "0,1.5,0"});
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.message.find("kinematics: lower cannot reach (0, 1.5, 0) m; the nearest place found is ("), 0u)
      << o.message;
  EXPECT_NE(o.message.find(" m, 0.5 m away"), std::string::npos) << o.message;
  const Outcome wrong =
      run_program({"kinematics", folder.write("arm.yaml", two_links), "--point", "lwer", "--target", "0,1,0"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_EQ(wrong.message, "--point: there is no body \"lwer\"; did you mean lower?\n");
}

TEST(Kinematics, APointOfAClosedLoopIsBroughtToItsPath) {
  Ready linkage(with_torque("0"));
  const mechanics::BodyPoint tip{"coupler", {0.5, 0.3, 0}};
  // where the tip is for another angle of the crank, by closing the loop
  equations::Point moved = linkage.start.point;
  solve::Statistics statistics;
  solve::Closure closure(linkage.evaluator, statistics);
  const int hinge = linkage.coordinate("hinge");
  std::vector<char> keep(linkage.evaluator.system().nv(), 0);
  keep[hinge] = 1;
  closure.choose(moved, keep);
  moved.q[hinge] += 0.6;
  ASSERT_TRUE(closure.close_position(moved).good);
  const analyze::Pose there = analyze::find_pose(linkage.evaluator, moved, tip);
  const analyze::Reach r =
      analyze::find_configuration(linkage.evaluator, linkage.start.point, tip, {there.position, {}}, {});
  ASSERT_TRUE(r.good);
  for (std::size_t i = 0; i < moved.q.size(); ++i) EXPECT_NEAR(r.point.q[i], moved.q[i], 1e-8) << i;
  // off its path the loop stays closed and the gap is told
  const analyze::Reach off = analyze::find_configuration(linkage.evaluator, linkage.start.point, tip,
                                                         {{there.position[0], there.position[1] + 0.05, 0}, {}}, {});
  EXPECT_FALSE(off.good);
  EXPECT_GT(off.distance, 1e-3);
  EXPECT_LT(off.distance, 0.05);
  std::vector<double> residual(linkage.evaluator.system().n());
  linkage.evaluator.residual(off.point, equations::Level::position, residual);
  for (int k = 0; k < linkage.evaluator.system().nl(); ++k)
    EXPECT_NEAR(residual[linkage.evaluator.system().nv() + k], 0, 1e-9);
}

TEST(Kinematics, TheIiwaReachesPosesOfItsHand) {
  const std::filesystem::path file = std::filesystem::path(COENERGY_SOURCE_DIR).parent_path() / "shared/data/iiwa.urdf";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "../shared/data/iiwa.urdf is not there";
  model::Model m = io::read_urdf(file).model;
  std::vector<analyze::Limit> limits;
  Ready robot(m);
  for (int j = 1; j <= 7; ++j) limits.push_back({robot.coordinate("lbr_iiwa_joint_" + std::to_string(j)), -2, 2});
  const mechanics::BodyPoint hand{"lbr_iiwa_link_7", {0, 0, 0.1}};
  equations::Point there = robot.start.point;
  const double angles[] = {0.4, 0.7, -0.3, -1.2, 0.5, 0.9, -0.6};
  for (int j = 0; j < 7; ++j) there.q[limits[j].coordinate] = angles[j];
  const analyze::Pose pose = analyze::find_pose(robot.evaluator, there, hand);
  const analyze::Reach r =
      analyze::find_configuration(robot.evaluator, robot.start.point, hand, {pose.position, pose.rotation}, limits);
  ASSERT_TRUE(r.good);
  // seven joints, six numbers: the configuration may be another one, the pose not
  const analyze::Pose reached = analyze::find_pose(robot.evaluator, r.point, hand);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(reached.position[i], pose.position[i], 1e-10);
  double same = 0;
  for (int i = 0; i < 4; ++i) same += reached.rotation[i] * pose.rotation[i];
  EXPECT_NEAR(std::abs(same), 1, 1e-14);
  for (const analyze::Limit& l : limits) {
    EXPECT_GE(r.point.q[l.coordinate], l.lower);
    EXPECT_LE(r.point.q[l.coordinate], l.upper);
  }
}

TEST(Kinematics, APathIsFollowedRowByRow) {
  const Folder folder;
  std::string path = "time,x,y,z\ns,m,m,m\n";
  for (int k = 0; k <= 20; ++k)
    path += std::to_string(0.1 * k) + "," + std::to_string(0.5 + 0.2 * std::cos(0.3 * k)) + "," +
            std::to_string(0.5 + 0.2 * std::sin(0.3 * k)) + ",0\n";
  run_json({"kinematics", folder.write("arm.yaml", two_links), "--point", "lower:0.4,0,0", "--path",
            folder.write("path.csv", path), "-o", (folder / "joints.csv").string()});
  const io::CsvData joints = io::read_csv(folder / "joints.csv");
  ASSERT_EQ(joints.rows(), 21u);
  for (std::size_t k = 0; k < joints.rows(); ++k) {
    const double s = joints.column("shoulder.q")[k], e = joints.column("elbow.q")[k];
    // the path is written with six digits
    EXPECT_NEAR(0.6 * std::cos(s) + 0.4 * std::cos(s + e), 0.5 + 0.2 * std::cos(0.3 * static_cast<double>(k)), 1e-6);
    EXPECT_GT(e, 0) << "it stays on its branch";
  }
}

}  // namespace
}  // namespace coenergy::tests
