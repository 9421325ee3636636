// What the 3-D view of a report shows of a mechanism without being told.
#include <algorithm>
#include <fstream>

#include "coenergy/io/run_report.hpp"
#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

Report make_report(const std::string& text, const std::string& file = "m.yaml") {
  const model::Model model = io::parse_model(text, file);
  const compile::Compiled compiled = compile::compile(model, domains::make_standard_registry());
  solve::Options options;
  options.t_end = 0.1;
  return io::make_report(model, compiled, options, solve::simulate(compiled.system, options));
}

int count(const Report& report, const std::string& kind, const std::string& name) {
  return static_cast<int>(std::count_if(report.shapes.begin(), report.shapes.end(),
                                        [&](const ReportShape& s) { return s.kind == kind && s.name == name; }));
}

const std::string arm = R"y(components:
  upper: {type: multibody.Body, mass: 500, com: [0.5, 0, 0], inertia: [0, 1, 1]}
  lower: {type: multibody.Body, mass: 1, com: [0.4, 0, 0], inertia: [0, 0.1, 0.1], shape: {box: [0.8, 0.1, 0.1]}}
  j1: {type: multibody.Revolute, parent: ground, child: upper, axis: y}
  j2: {type: multibody.Prismatic, parent: upper, child: lower, parent_at: [1, 0, 0], axis: x}
  s: {type: multibody.PointSpringDamper, a: ground, b: lower, a_at: [0, 0, 1], stiffness: 10, length: 1}
)y";

TEST(Scene, JointsSpringsAndBodiesWithoutShapeAreDrawn) {
  const Report report = make_report(arm);
  EXPECT_EQ(count(report, "cylinder", "j1"), 1);
  EXPECT_EQ(count(report, "box", "j2"), 1);
  EXPECT_EQ(count(report, "spring", "s"), 1);
  // rods from both joints to the centre of mass, of the body without shape only
  EXPECT_EQ(count(report, "line", "upper"), 2);
  EXPECT_EQ(count(report, "line", "lower"), 0);
  EXPECT_EQ(count(report, "box", "lower"), 1);
  // the ball of 500 kg is smaller than steel would be (0.25 m), so that the rest stays visible
  for (const ReportShape& s : report.shapes)
    if (s.kind == "sphere" && s.name == "upper") {
      EXPECT_LT(s.size[0], 0.1);
    }
  // the pin of the hinge lies along y
  for (const ReportShape& s : report.shapes)
    if (s.name == "j1") {
      const auto [x, y, z, qw, qx, qy, qz] = s.pose;
      EXPECT_NEAR(2 * (qy * qz - qw * qx), 1, 1e-12);
    }
  ASSERT_EQ(report.plots.size(), 4u);
  const char* const plotted[] = {"j1.q", "j2.q", "j1.qd", "j2.qd"};
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(report.plots[k].signals, std::vector<std::string>{plotted[k]});
  report.check();
}

TEST(Scene, AMeshIsReadFromTheFolderOfTheModel) {
  const auto folder = std::filesystem::temp_directory_path() / "coenergy_scene_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "part.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  auto with = [&](const std::string& file) {
    std::string text = arm;
    text.replace(text.find("box: [0.8, 0.1, 0.1]"), 20, "mesh: " + file + ", scale: [1, 2, 3]");
    return make_report(text, (folder / "m.yaml").string());
  };
  const Report report = with("part.obj");
  ASSERT_EQ(count(report, "mesh", "lower"), 1);
  EXPECT_NE(to_json(report).find("\"triangles\":[0.0,0.0,0.0,1.0,0.0,0.0,0.0,2.0,0.0]"), std::string::npos);
  const Report none = with("other.obj");
  EXPECT_EQ(count(none, "mesh", "lower"), 0);
  EXPECT_NE(none.messages.back().find("other.obj"), std::string::npos) << none.messages.back();
  std::filesystem::remove_all(folder);
}

TEST(Scene, ForcesAreArrowsOfOneScale) {
  // a weight of 20 N hangs on a hinge, pushed by 10 N at its end
  const Report report = make_report(R"y(components:
  gravity: {type: multibody.Gravity}
  b: {type: multibody.Body, mass: 20/9.81, com: [0, 0, -1], inertia: [1, 1, 1]}
  j: {type: multibody.Revolute, parent: ground, child: b, axis: y, reaction: true}
  push: {type: multibody.Force, body: b, at: [0, 0, -2], force: [0, 10, 0]}
  turn: {type: multibody.Force, body: b, at: [0, 0, -2], force: [0, 0, 5], axes: body}
)y");
  report.check();
  const auto arrow = [&](const std::string& name) {
    for (const ReportShape& s : report.shapes)
      if (s.kind == "arrow" && s.name == name) {
        // it ends where the force acts; the tail is a frame without a name
        const ReportFrame& tail = report.frames[static_cast<std::size_t>(s.points[0].frame)];
        EXPECT_EQ(tail.name, "");
        return std::pair(std::array{tail.pose[0], tail.pose[1], tail.pose[2]}, s.points[1].offset);
      }
    ADD_FAILURE() << "no arrow " << name;
    return std::pair(std::array<double, 3>{}, std::array<double, 3>{});
  };
  const auto [push_tail, push_tip] = arrow("push");
  EXPECT_EQ(push_tip, (std::array<double, 3>{0, 0, -2}));
  const double scale = -push_tail[1] / 10;
  EXPECT_GT(scale, 0);
  EXPECT_NEAR(push_tail[2], -2, 1e-12);
  EXPECT_NEAR(arrow("turn").first[2], -2 - 5 * scale, 1e-12);
  // the hinge carries the rest: (0, −10, 20 − 5) N on the body
  const auto hinge = arrow("j").first;
  EXPECT_NEAR(hinge[1], 10 * scale, 1e-9);
  EXPECT_NEAR(hinge[2], -15 * scale, 1e-9);
  // without reactions there are none of them
  EXPECT_EQ(count(make_report(arm), "arrow", "j1"), 0);
}

}  // namespace
}  // namespace coenergy::tests
