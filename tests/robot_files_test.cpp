// Robot files: URDF and Robotran, read into models that compile.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>

#include "coenergy/compile/compile.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/io/mesh_file.hpp"
#include "coenergy/io/robotran.hpp"
#include "coenergy/io/urdf.hpp"
#include "coenergy/solve/simulate.hpp"

namespace coenergy::tests {
namespace {

compile::Compiled compile(const io::RobotFile& robot) {
  return compile::compile(robot.model, domains::make_standard_registry());
}

std::string refusal(const std::function<io::RobotFile()>& read) {
  try {
    compile(read());
  } catch (const Error& e) {
    return e.what();
  }
  return "not refused";
}

std::string urdf(const std::string& body) { return "<robot name=\"r\">\n" + body + "\n</robot>\n"; }
std::string refuse_urdf(const std::string& body) {
  return refusal([&] { return io::parse_urdf(urdf(body), "r.urdf"); });
}

const model::Value& entry(const io::RobotFile& robot, const std::string& component, const std::string& name) {
  const model::Component* c = robot.model.find(component);
  if (c == nullptr) throw Error("no component " + component);
  for (const auto& [key, value] : c->values)
    if (key == name) return value;
  throw Error(component + " has no " + name);
}

const char* gripper = R"(
<link name="world"/>
<link name="palm"><inertial><origin xyz="0 0 0.1" rpy="0 0 1.5707963267948966"/><mass value="2"/>
  <inertia ixx="1" iyy="2" izz="2.5" ixy="0.1"/></inertial>
  <visual><geometry><mesh filename="palm.stl"/></geometry></visual>
  <visual><origin xyz="0 0 0.05"/><geometry><box size="0.1 0.2 0.3"/></geometry></visual></link>
<link name="left"><inertial><mass value="0.5"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="right"><inertial><mass value="0.5"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="wrist" type="continuous"><parent link="world"/><child link="palm"/><axis xyz="0 0 1"/>
  <dynamics damping="0.3"/></joint>
<joint name="left" type="prismatic"><parent link="palm"/><child link="left"/><origin xyz="0.1 0 0.2" rpy="0 0 0.5"/>
  <axis xyz="1 0 0"/><limit lower="0" upper="0.04" effort="10" velocity="1"/></joint>
<joint name="right" type="prismatic"><parent link="palm"/><child link="right"/><axis xyz="-1 0 0"/>
  <mimic joint="left" multiplier="2" offset="0.01"/></joint>)";

TEST(RobotFiles, UrdfBecomesBodiesAndJoints) {
  const io::RobotFile robot = io::parse_urdf(urdf(gripper), "r.urdf");
  EXPECT_EQ(entry(robot, "palm", "mass").text, "2");
  // turned by 90 degrees about z: Jxx and Jyy change places, Jxy changes its sign
  const double expected[] = {2, 1, 2.5, -0.1, 0, 0};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(std::stod(entry(robot, "palm", "inertia").list[i].text), expected[i], 1e-15);
  EXPECT_EQ(entry(robot, "palm", "shape").map[0].first, "box");
  EXPECT_EQ(entry(robot, "wrist", "damping").text, "0.3");
  EXPECT_EQ(entry(robot, "left_joint", "parent_angles").list[2].text, "0.5");
  EXPECT_EQ(entry(robot, "left_joint", "parent").where.text(), "r.urdf:12:37");
  const compile::Compiled compiled = compile(robot);
  EXPECT_EQ(compiled.summary.mechanism.bodies, 3);
  EXPECT_EQ(compiled.summary.degrees_of_freedom, 2);
  EXPECT_EQ(entry(robot, "left_joint", "upper").text, "0.04");
  EXPECT_EQ(entry(robot, "left_joint", "stop_restitution").text, "0");
  ASSERT_EQ(robot.notes.size(), 1u);
  EXPECT_EQ(robot.notes[0], "1 meshes are not drawn: their files were not found");
}

const char* slider = R"(
<link name="base"/><link name="sled"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="j" type="%s"><parent link="base"/><child link="sled"/><origin rpy="0.3 0 0"/><axis xyz="%s"/>
  <dynamics friction="1.5"/><limit lower="%s" upper="%s" effort="1" velocity="1"/></joint>)";

std::string make_slider(const char* type, const char* axis, const char* lower, const char* upper) {
  char text[1000];
  std::snprintf(text, sizeof text, slider, type, axis, lower, upper);
  return urdf(text);
}

TEST(RobotFiles, LimitsAreStopsAndFrictionStaysInTheJoint) {
  const io::RobotFile robot = io::parse_urdf(make_slider("prismatic", "0 0 1", "-0.2", "0.5"), "r.urdf");
  EXPECT_EQ(entry(robot, "j", "friction").text, "1.5");
  solve::Options options;
  options.t_end = 1;
  const solve::Result result = solve::simulate(compile(robot).system, options);
  ASSERT_EQ(result.status, solve::Status::done) << result.text;
  // it slides down to its limit and rests there, with the weight along the slide on the stop
  EXPECT_NEAR(result.signal("j.q").back(), -0.2, 1e-6);
  EXPECT_NEAR(result.signal("j.lower_stop_force").back(), 2 * 9.81 * std::cos(0.3), 1e-5);
  // a range without zero
  const io::RobotFile bent = io::parse_urdf(make_slider("revolute", "0 0 1", "-3", "-1"), "r.urdf");
  EXPECT_EQ(entry(bent, "j", "q0").text, "-2");
  EXPECT_EQ(bent.notes.at(0), "joint j starts at -2, since its range -3 … -1 does not hold 0");
}

TEST(RobotFiles, APlanarJointMovesNormalToItsAxis) {
  const io::RobotFile robot = io::parse_urdf(make_slider("planar", "0 1 0", "0", "0"), "r.urdf");
  solve::Options options;
  options.t_end = 1;
  options.rtol = options.atol = 1e-10;
  const solve::Result result = solve::simulate(compile(robot).system, options);
  // the normal is y turned by 0.3 about x: the sled falls along the plane, and keeps its angles at the start
  const double fall = -9.81 / 2 * std::cos(0.3);
  EXPECT_NEAR(result.signal("sled.y").back(), -fall * std::sin(0.3), 1e-7);
  EXPECT_NEAR(result.signal("sled.z").back(), fall * std::cos(0.3), 1e-7);
  EXPECT_NEAR(result.signal("sled.p0").back(), std::cos(0.15), 1e-7);
  EXPECT_NEAR(result.signal("sled.p1").back(), std::sin(0.15), 1e-7);
}

TEST(RobotFiles, MeshesOfARobotAreFoundBesideIt) {
  const auto folder = std::filesystem::temp_directory_path() / "coenergy_mesh_test";
  std::filesystem::create_directories(folder / "robot" / "meshes");
  std::filesystem::create_directories(folder / "robot" / "urdf");
  std::ofstream(folder / "robot" / "meshes" / "a.stl")
      << "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 2 0\nendloop\nendfacet\n";
  std::ofstream(folder / "robot" / "urdf" / "r.urdf") << urdf(
      "<link name=\"a\"><visual><geometry><mesh filename=\"package://my_robot/meshes/a.stl\" "
      "scale=\"0.001 0.001 0.001\"/></geometry></visual></link>");
  const io::RobotFile robot = io::read_urdf(folder / "robot" / "urdf" / "r.urdf");
  EXPECT_TRUE(robot.notes.empty());
  EXPECT_EQ(entry(robot, "a", "shape").map[0].second.text, "../meshes/a.stl");
  EXPECT_EQ(io::read_mesh(folder / "robot" / "meshes" / "a.stl", {1, 1, 10}),
            (std::vector<float>{0, 0, 0, 1, 0, 0, 0, 2, 0}));
  // faces of four corners are two triangles
  std::ofstream(folder / "b.obj") << "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1/1 2/1 3/1 -1/1\n";
  EXPECT_EQ(io::read_mesh(folder / "b.obj").size(), 18u);
  std::ofstream(folder / "c.obj") << "v 0 0 0\nf 1 2 3\n";
  EXPECT_EQ(refusal([&] { return io::read_mesh(folder / "c.obj"), io::RobotFile(); }),
            "the mesh " + (folder / "c.obj").string() + " cannot be drawn: a face names the corner 2 of 1");
  EXPECT_EQ(refusal([&] { return io::read_mesh(folder / "d.dae"), io::RobotFile(); }),
            "the mesh " + (folder / "d.dae").string() + " cannot be drawn; meshes are .stl or .obj files");
  std::filesystem::remove_all(folder);
}

TEST(RobotFiles, AnInertiaThatNoBodyHasIsNoted) {
  const std::string text =
      "<link name=\"world\"/><link name=\"a\"><inertial><mass value=\"1\"/>"
      "<inertia ixx=\"1\" iyy=\"1\" izz=\"3\"/></inertial></link>"
      "<joint name=\"j\" type=\"continuous\"><parent link=\"world\"/><child link=\"a\"/></joint>";
  const compile::Compiled compiled = compile(io::parse_urdf(urdf(text), "r.urdf"));
  ASSERT_FALSE(compiled.summary.notes.empty());
  EXPECT_EQ(compiled.summary.notes.back(),
            "a: no real body has this inertia: its principal moment 3 kg.m2 exceeds the sum of the other two, 2 kg.m2");
  // products of inertia that make it indefinite have no motion to compute
  std::string worse = text;
  worse.replace(worse.find("izz"), 3, "ixy=\"1.5\" izz");
  EXPECT_EQ(refusal([&] { return compile(io::parse_urdf(urdf(worse), "r.urdf")), io::RobotFile(); }).substr(0, 80),
            "r.urdf:2:21: a: the inertia has the negative principal moment -0.5 kg.m2; produc");
}

TEST(RobotFiles, MimicJointsFollow) {
  io::RobotFile robot = io::parse_urdf(urdf(gripper), "r.urdf");
  robot.model.set("left_joint.qd0", model::Value(0.1));
  const compile::Compiled compiled = compile(robot);
  solve::Options options;
  options.t_end = 0.1;
  const solve::Result result = solve::simulate(compiled.system, options);
  const double left = result.signal("left_joint.q").back(), right = result.signal("right_joint.q").back();
  EXPECT_GT(left, 1e-3);
  // the constraint holds to the solver's tolerance
  EXPECT_NEAR(right, 2 * left + 0.01, 1e-7);
}

TEST(RobotFiles, MimicsBesideFixedJointsAreNoMistakes) {
  const io::RobotFile robot = io::parse_urdf(R"xml(<robot name="r">
  <link name="a"/>
  <link name="b"><inertial><mass value="1"/><inertia ixx="1e-3" iyy="1e-3" izz="1e-3"/></inertial></link>
  <link name="c"><inertial><mass value="1"/><inertia ixx="-2e-20" iyy="1e-20" izz="1e-20" ixy="3e-20"/></inertial></link>
  <joint name="j" type="fixed"><parent link="a"/><child link="b"/><mimic joint="k"/></joint>
  <joint name="k" type="revolute"><parent link="b"/><child link="c"/><origin xyz="0.5 0 0"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1"/><mimic joint="j" multiplier="2" offset="0.25"/></joint>
</robot>)xml",
                                             "r.urdf");
  ASSERT_EQ(robot.notes.size(), 2u);
  EXPECT_EQ(robot.notes[0], "1 links have moments of inertia of the size of round-off, which are read as zero");
  EXPECT_EQ(robot.notes[1], "fixed joints cannot mimic others, as these should: j");
  // k stays at its offset
  const compile::Compiled compiled = compile(robot);
  const solve::Result r = solve::simulate(compiled.system, {.t_end = 0.1, .output_step = 0.1});
  ASSERT_EQ(r.status, solve::Status::done) << r.text;
  EXPECT_NEAR(r.signal("k.q").back(), 0.25, 1e-9);
}

TEST(RobotFiles, UrdfMistakesAreLocated) {
  EXPECT_EQ(refusal([] { return io::parse_urdf("<robot name=\"r\">\n  <link name=\"a\">\n</robot>", "r.urdf"); }),
            "r.urdf:3:3: this is not XML: Start-end tags mismatch");
  EXPECT_EQ(refusal([] { return io::parse_urdf("", "r.urdf"); }),
            "r.urdf:1:1: this is not XML: No document element found");
  EXPECT_EQ(refusal([] { return io::parse_urdf("<sdf/>", "r.urdf"); }),
            "r.urdf:1:1: a URDF file starts with <robot>, not <sdf>");
  EXPECT_EQ(refuse_urdf(""), "r.urdf:1:1: the robot has no <link>");
  EXPECT_EQ(refuse_urdf("<link/>"), "r.urdf:2:1: <link> needs the attribute name");
  EXPECT_EQ(refuse_urdf("<link name=\"a\"/>\n<link name=\"a\"/>"),
            "r.urdf:3:1: link \"a\" is there twice; the other one stands at line 2");
  EXPECT_EQ(refuse_urdf("<link name=\"a\"/>\n<link name=\"b\"/>"),
            "r.urdf:3:1: link b hangs on no joint, nor does a; only one link is the root");
  EXPECT_EQ(refuse_urdf("<link name=\"a\"><inertial><mass value=\"heavy\"/></inertial></link>"),
            "r.urdf:2:26: <mass value>: \"heavy\" is not a number");
  EXPECT_EQ(refuse_urdf("<link name=\"a\"><inertial><mass value=\"-1\"/></inertial></link>"),
            "r.urdf:2:26: a: mass = -1 kg must be >= 0");
  const std::string two = "<link name=\"arm\"/><link name=\"hand\"/>\n";
  EXPECT_EQ(
      refuse_urdf(two + "<joint name=\"j\" type=\"revolute\"><parent link=\"arm\"/><child link=\"hnd\"/></joint>"),
      "r.urdf:3:53: there is no link \"hnd\"; did you mean hand?");
  EXPECT_EQ(
      refuse_urdf(two + "<joint name=\"j\" type=\"revolut\"><parent link=\"arm\"/><child link=\"hand\"/></joint>"),
      "r.urdf:3:1: joint j: type \"revolut\" must be revolute, continuous, prismatic, fixed, floating or planar; "
      "did you mean revolute?");
  EXPECT_EQ(refuse_urdf(two + "<joint name=\"j\" type=\"fixed\"><parent link=\"arm\"/></joint>"),
            "r.urdf:3:1: joint j needs <child link=\"…\"/>");
  EXPECT_EQ(refuse_urdf(two + "<joint name=\"j\" type=\"fixed\"><parent link=\"arm\"/><child link=\"hand\"/>"
                              "<origin xyz=\"1 2\"/></joint>"),
            "r.urdf:3:70: <origin xyz> must be three numbers, not \"1 2\"");
  EXPECT_EQ(refuse_urdf(two + "<joint name=\"j\" type=\"fixed\"><parent link=\"arm\"/><child link=\"hand\"/></joint>\n"
                              "<joint name=\"k\" type=\"fixed\"><parent link=\"hand\"/><child link=\"arm\"/></joint>"),
            "r.urdf:1:1: the joints form a circle; one link must be the child of no joint");
  EXPECT_EQ(refuse_urdf(two + "<joint name=\"j\" type=\"fixed\"><parent link=\"arm\"/><child link=\"hand\"/></joint>\n"
                              "<joint name=\"k\" type=\"fixed\"><parent link=\"arm\"/><child link=\"hand\"/></joint>"),
            "r.urdf:4:1: joint k: link hand hangs on another joint already; a URDF robot is a tree");
  EXPECT_EQ(refuse_urdf(two + "<joint name=\"j\" type=\"revolute\"><parent link=\"arm\"/><child link=\"hand\"/>"
                              "<mimic joint=\"jj\"/></joint>"),
            "r.urdf:3:73: joint j mimics \"jj\", which is no joint; did you mean j?");
}

std::string joint(const std::string& name, const std::string& type, const std::string& more = "") {
  return "<joint><jointname>" + name + "</jointname><type>" + type + "</type>" + more + "</joint>";
}
std::string mbs_body(const std::string& name, const std::string& parent, const std::string& point,
                     const std::string& joints, const std::string& more = "") {
  return "<body><bodyname>" + name + "</bodyname><parent><bodyname>" + parent + "</bodyname><pointname>" + point +
         "</pointname></parent>" + joints +
         "<mass>1</mass><com><coordinates><x>0.5</x></coordinates></com><inertia><Iyy>0.1</Iyy><Izz>0.1</Izz></"
         "inertia>" +
         more + "</body>\n";
}
std::string point(const std::string& name, double x, double y = 0, const std::string& more = "") {
  return "<point><pointname>" + name + "</pointname><coordinates><x>" + std::to_string(x) + "</x><y>" +
         std::to_string(y) + "</y></coordinates>" + more + "</point>";
}
std::string mbs(const std::string& bodies, const std::string& rest = "") {
  return "<mbsDescR7><mbsname>m</mbsname><base><gravity><coordinates><z>-9.81</z></coordinates></gravity>" +
         point("far", 2) + "</base>\n<bodytree>\n" + bodies + "</bodytree>\n" + rest + "</mbsDescR7>";
}
io::RobotFile parse_mbs(const std::string& text) { return io::parse_robotran_xml(text, "m.mbs"); }
std::string nature(const std::string& name, double q = 0) {
  return "<nature>" + name + "</nature><initialvalue><q>" + std::to_string(q) + "</q></initialvalue>";
}

TEST(RobotFiles, RobotranBodiesCarrySeveralJoints) {
  const io::RobotFile robot =
      parse_mbs(mbs(mbs_body("a", "base", "origin", joint("x", "T1") + joint("turn", "R3", nature("independent", 0.3)),
                             point("tip", 1, 0, "<extforce name=\"push\"/><sensor name=\"s\"/>"))));
  EXPECT_EQ(entry(robot, "a_x", "mass").text, "0");
  EXPECT_EQ(entry(robot, "turn", "parent").text, "a_x");
  EXPECT_EQ(entry(robot, "turn", "axis").text, "z");
  EXPECT_EQ(entry(robot, "turn", "q0").text, "0.3");
  EXPECT_EQ(entry(robot, "push", "at").list[0].text, "1");
  EXPECT_EQ(compile(robot).summary.degrees_of_freedom, 2);
  EXPECT_EQ(entry(robot, "s", "body").text, "a");
  EXPECT_EQ(entry(robot, "s", "at").list[0].text, "1");
  EXPECT_GE(compile(robot).system.find_signal("s.ax"), 0);
}

/// A crank, a coupler and a rocker between the origin and the point (2, 0).
std::string four_bar(const std::string& cut) {
  return mbs(mbs_body("crank", "base", "origin", joint("j1", "R3", nature("independent", 1)), point("end", 1)) +
                 mbs_body("coupler", "crank", "end", joint("j2", "R3", nature("dependent", -1)), point("end", 2)) +
                 mbs_body("rocker", "base", "far", joint("j3", "R3", nature("dependent", 1.5)), point("end", 1.5)),
             "<cuts>" + cut + "</cuts>");
}
std::string ends(const std::string& a, const std::string& b) {
  return "<endpoint1><bodyname>" + a + "</bodyname><pointname>end</pointname></endpoint1><endpoint2><bodyname>" + b +
         "</bodyname><pointname>end</pointname></endpoint2>";
}

TEST(RobotFiles, RobotranCutsCloseLoops) {
  const io::RobotFile ball = parse_mbs(four_bar("<ball><name>c</name>" + ends("coupler", "rocker") + "</ball>"));
  EXPECT_EQ(compile(ball).summary.degrees_of_freedom, 1);
  EXPECT_EQ(entry(ball, "j2", "guess").text, "-1");
  const io::RobotFile rod =
      parse_mbs(four_bar("<rod><name>c</name>" + ends("crank", "rocker") + "<length>1.2</length></rod>"));
  EXPECT_EQ(compile(rod).summary.degrees_of_freedom, 2);
}

TEST(RobotFiles, RobotranLinksKeepTheirPoints) {
  std::string text = four_bar("");
  text.replace(text.find("<cuts>"), 6,
               "<links><link><name>l</name>" + ends("crank", "rocker") + "</link></links><cuts>");
  io::RobotFile robot = parse_mbs(text);
  ASSERT_EQ(robot.notes.size(), 1u);
  EXPECT_EQ(robot.notes[0],
            "link l has no force yet, since its law is not part of the file; set l.stiffness, .damping and .length, or "
            "l.force");
  EXPECT_EQ(entry(robot, "l", "b").text, "rocker");
  EXPECT_EQ(entry(robot, "l", "b_at").list[0].text, "1.5");
  robot.model.set("l.stiffness", model::Value("100 N/m"));
  EXPECT_EQ(compile(robot).summary.degrees_of_freedom, 3);
}

TEST(RobotFiles, RobotranJointsMayBeDrivenOrLocked) {
  const io::RobotFile robot = parse_mbs(mbs(
      mbs_body("a", "base", "far", joint("lift", "T3", nature("locked", 0.5)) + joint("turn", "R3"), point("end", 1)) +
      mbs_body("b", "a", "end", joint("drive", "R2", nature("driven", 0.2)))));
  EXPECT_EQ(entry(robot, "lift", "parent_at").list[2].text, "0.5");
  EXPECT_EQ(entry(robot, "drive_drive", "phi").text, "0.2 rad + (0 rad/s)*time + (0 rad/s^2)*time^2");
  EXPECT_EQ(compile(robot).summary.degrees_of_freedom, 1);
}

TEST(RobotFiles, RobotranMistakesAreLocated) {
  const auto refuse = [](const std::string& text) { return refusal([&] { return parse_mbs(text); }); };
  EXPECT_EQ(refuse("<robot/>"), "m.mbs:1:1: a Robotran model starts with <mbsDescR7>, not <robot>");
  EXPECT_EQ(refuse("<mbsDescR7>\n<bodytree/></mbsDescR7>"), "m.mbs:1:1: the model has no <body> in its <bodytree>");
  EXPECT_EQ(refuse(mbs(mbs_body("a", "bse", "origin", joint("j", "R3")))),
            "m.mbs:3:37: there is no body \"bse\"; did you mean base?");
  EXPECT_EQ(refuse(mbs(mbs_body("a", "base", "tip", joint("j", "R3")))), "m.mbs:3:62: body base has no point \"tip\"");
  EXPECT_EQ(refuse(mbs(mbs_body("a", "base", "origin", joint("j", "R4")))),
            "m.mbs:3:131: joint j: type \"R4\" must be T1, T2, T3, R1, R2 or R3");
  EXPECT_EQ(refuse(mbs(mbs_body("a", "base", "origin", joint("j", "R3", "<nature>free</nature>")))),
            "m.mbs:3:146: joint j: nature \"free\" must be independent, dependent, driven or locked");
  EXPECT_EQ(
      refuse(mbs(mbs_body("a", "b", "origin", joint("j", "R3")) + mbs_body("b", "a", "origin", joint("k", "R3")))),
      "m.mbs:3:1: body a does not lead to the base: its parents form a circle; close loops by cuts\n"
      "m.mbs:4:1: body b does not lead to the base: its parents form a circle; close loops by cuts");
  EXPECT_EQ(refuse(mbs(mbs_body("a", "base", "origin", joint("j", "R3")) + mbs_body("a", "base", "origin", ""))),
            "m.mbs:4:1: body \"a\" is there twice");
  EXPECT_EQ(refuse(four_bar("<rod><name>c</name>" + ends("crank", "rocker") + "</rod>")),
            "m.mbs:7:7: rod c: length = 0 m must be > 0");
  EXPECT_EQ(refuse(four_bar("<ball><name>c</name></ball>")), "m.mbs:7:7: cut c needs <endpoint1>");
}

const char* sass = R"(Robot
4
0 1 2 2
-- Joints --
R3 sm1 smd1 smdd1
R1 sm2 smd2 smdd2
T1 sm3 0 0
R2 sm4 smd4 smdd4
-- d^hi vectors --
0 0 0
D21 0 0
D31 D32 D33
D41 0 D43
-- d^ii vectors --
0 0 0
L11 0 L23
L31 L32 0
L41 L42 0
-- Mass --
0
m2
m3
m4
-- Inertia --
0 0 0
0 0
0
I211 0 0
I222 0
I233
I311 0 0
I322 0
I333
I411 I412 I413
I422 I423
I433
-- External Forces --
0 0 0
0 0 0
0 0 0
F41 F42 F43
-- External Torques --
0 0 0
0 0 0
0 0 0
C41 C42 C43
-- Gravity --
0 0 g
)";

TEST(RobotFiles, TheTextFileOfSassIsRead) {
  io::RobotFile robot = io::parse_robotran_text(sass, "robot.mbs");
  EXPECT_EQ(robot.model.title, "Robot");
  EXPECT_EQ(entry(robot, "sm4", "parent").text, "body2");
  EXPECT_EQ(entry(robot, "sm4", "axis").text, "y");
  EXPECT_EQ(entry(robot, "sm3_lock", "parent_at").list[0].text, "D31 + sm3");
  EXPECT_EQ(entry(robot, "body4", "inertia").list[3].text, "I412");
  EXPECT_EQ(entry(robot, "force4", "axes").text, "body");
  EXPECT_EQ(entry(robot, "gravity", "g").list[2].text, "g");
  for (const char* name : {"I412", "I413", "I423"}) robot.model.set(name, model::Value("0.1 kg.m2"));
  EXPECT_EQ(compile(robot).summary.degrees_of_freedom, 3);
}

TEST(RobotFiles, TextMistakesAreLocated) {
  const auto refuse = [](const std::string& from, const std::string& to) {
    std::string text = sass;
    text.replace(text.find(from), from.size(), to);
    return refusal([&] { return io::parse_robotran_text(text, "robot.mbs"); });
  };
  EXPECT_EQ(refuse("0 1 2 2", "0 1 2"), "robot.mbs:3:1: the parent of each body: 4 entries expected, not 3");
  EXPECT_EQ(refuse("0 1 2 2", "0 1 4 2"),
            "robot.mbs:3:5: the parent of body 3 is 4; it must be 0 (the base) or a body before it");
  EXPECT_EQ(refuse("\n4\n", "\nfour\n"), "robot.mbs:2:1: the number of bodies: \"four\" is not a whole number");
  EXPECT_EQ(refuse("R1 sm2", "R7 sm2"), "robot.mbs:6:1: joint 2: type \"R7\" must be T1, T2, T3, R1, R2 or R3");
  EXPECT_EQ(refuse("D41 0 D43", "D41 0 D4*3"), "robot.mbs:13:7: \"D4*3\" is neither a symbol nor a number");
  EXPECT_EQ(refuse("0 0 g\n", ""), "robot.mbs:47:1: the file ends where gravity is expected");
  EXPECT_EQ(refuse("0 0 g\n", "0 0 g\n1\n"), "robot.mbs:49:1: the file should end here, after the gravity vector");
}

std::filesystem::path shared(const char* name) {
  return std::filesystem::path(COENERGY_SOURCE_DIR).parent_path() / "shared" / "data" / name;
}

TEST(RobotFiles, PublishedRobotsAreRead) {
  if (!std::filesystem::exists(shared("coman.mbs"))) GTEST_SKIP() << "../shared/data is not there";
  const compile::Compiled coman = compile(io::read_robotran(shared("coman.mbs")));
  EXPECT_EQ(coman.summary.degrees_of_freedom, 29);
  const compile::Compiled iiwa = compile(io::read_urdf(shared("iiwa.urdf")));
  EXPECT_EQ(iiwa.summary.degrees_of_freedom, 7);
}

}  // namespace
}  // namespace coenergy::tests
