// Bodies from meshes and matrices, in mechanisms.
#include <cmath>
#include <filesystem>
#include <fstream>

#include "coenergy/analyze/linearize.hpp"
#include "coenergy/analyze/modes.hpp"
#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

const std::string bracket = "flexible.Superelement, mesh: " COENERGY_SOURCE_DIR
                            "/examples/solid_bracket/bracket.inp, scale: 0.001, E: 70e9, nu: "
                            "0.33, rho: 2700";

/// Angular frequencies above 1 rad/s.
std::vector<double> frequencies_of(const std::string& text) {
  equations::Evaluator evaluator(compile_model(io::parse_model(text, "m.yaml")));
  solve::Options options;
  options.t_end = 1e-9, options.output_step = 1e-9;
  const solve::Result run = solve::simulate(evaluator, options);
  EXPECT_EQ(run.status, solve::Status::done) << run.text;
  const analyze::Modes modes =
      analyze::compute_modes(evaluator.system(), analyze::linearize_states(evaluator, run.end));
  std::vector<double> found;
  for (const analyze::Mode& mode : modes.modes)
    if (const double w = std::abs(mode.eigenvalue); w > 1) found.push_back(w);
  return found;
}

std::string held(const std::string& how, const std::string& entries) {
  return "components:\n  hold: {type: multibody." + how + "}\n  body: {type: " + bracket + ", " + entries + "}\n";
}

TEST(Superelement, HasTenFrequenciesWhicheverInterfaceItsFrameMovesWith) {
  // free, and so with all that couples the frame with the modes; both ways the same shapes are spanned
  const std::string free = "Free, parent: ground, child: body.seat";
  const auto one = frequencies_of(held(free, "interfaces: \"base, seat\", modes: 8")),
             other = frequencies_of(held(free, "interfaces: \"seat, base\", modes: 8"));
  ASSERT_GE(one.size(), 10u);
  for (std::size_t k = 0; k < 10; ++k) EXPECT_NEAR(other[k] / one[k], 1, 1e-8) << k;
  // held by either, it has the frequencies of the structure with that one held
  const auto plain = frequencies_of(held("Fixed, parent: ground, child: body.base", "interfaces: base, modes: 10")),
             turned = frequencies_of(
                 held("Fixed, parent: ground, child: body.base", "interfaces: \"seat mean, base\", modes: 30"));
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(turned[k] / plain[k], 1, 1e-4) << k;  // what 30 modes inside leave
}

std::string write(const std::string& name, const std::string& text) {
  const std::string file = (std::filesystem::temp_directory_path() / ("coenergy_super_" + name)).string();
  std::ofstream(file) << text;
  return file;
}

/// Euler's beam of one element with EI = m = L = 1 in both planes, EA = GJ = 1000, its rotary inertia 0.3 about x.
struct BeamFiles {
  std::string stiffness, mass, nodes;
};
BeamFiles write_beam() {
  std::string k = "%%MatrixMarket matrix coordinate real symmetric\n12 12 26\n",
              m = "%%MatrixMarket matrix coordinate real symmetric\n% consistent mass\n12 12 26\n";
  const auto put = [](std::string& to, int i, int j, double x) {
    to += std::to_string(std::max(i, j)) + " " + std::to_string(std::min(i, j)) + " " + std::to_string(x) + "\n";
  };
  const auto pair = [&](std::string& to, int a, double diagonal, double off) {
    put(to, a, a, diagonal), put(to, a + 6, a + 6, diagonal), put(to, a, a + 6, off);
  };
  pair(k, 1, 1000, -1000), pair(k, 4, 1000, -1000), pair(m, 1, 140 / 420.0, 70 / 420.0), pair(m, 4, 0.1, 0.05);
  // v with the turn about z; w with the opposite turn about y
  for (const auto& [v, turn, s] : {std::tuple(2, 6, 1.0), std::tuple(3, 5, -1.0)}) {
    pair(k, v, 12, -12), pair(k, turn, 4, 2), pair(m, v, 156 / 420.0, 54 / 420.0), pair(m, turn, 4 / 420.0, -3 / 420.0);
    put(k, v, turn, 6 * s), put(k, v, turn + 6, 6 * s), put(k, v + 6, turn, -6 * s), put(k, v + 6, turn + 6, -6 * s);
    put(m, v, turn, 22 * s / 420), put(m, v, turn + 6, -13 * s / 420), put(m, v + 6, turn, 13 * s / 420);
    put(m, v + 6, turn + 6, -22 * s / 420);
  }
  return {write("k.mtx", k), write("m.mtx", m), write("n.csv", "node,x,y,z\n1,0,0,0\n2,1,0,0\n")};
}

TEST(Superelement, OfMatricesIsTheBeamThatTheyAre) {
  const BeamFiles f = write_beam();
  const std::string body =
      "  body: {type: flexible.Superelement, stiffness: " + f.stiffness + ", mass: " + f.mass + ", nodes: " + f.nodes;
  // consistent mass of one element: 3.5327 and 34.807, each twice; and held by the tip, which then is no frame of the body
  for (const std::string& rest :
       {"  hold: {type: multibody.Fixed, parent: ground, child: body.i1}\n" + body + ", interfaces: \"1\", modes: 5}\n",
        "  hold: {type: multibody.Fixed, parent: ground, child: body.i2}\n" + body +
            ", interfaces: \"1, 2\", modes: 0}\n"}) {
    const std::vector<double> w = frequencies_of("components:\n" + rest);
    ASSERT_GE(w.size(), 4u);
    EXPECT_NEAR(w[0], 3.5327, 1e-4);
    EXPECT_NEAR(w[1], 3.5327, 1e-4);
    EXPECT_NEAR(w[2], 34.807, 2e-3);  // the files have six digits behind the point
  }
}

TEST(Superelement, MovesAlikeInBothFormulations) {
  const auto run = [](const std::string& formulation) {
    model::Model model = read_example("solid_bracket", "solid_bracket");
    model.formulation = formulation;
    solve::Options options;
    options.t_end = 0.02, options.output_step = 0.02, options.rtol = 1e-8, options.atol = 1e-12;
    return run_model(model, options);
  };
  const solve::Result a = run("relative"), b = run("absolute");
  for (const char* name : {"bracket.seat.x", "bracket.seat.p2", "bracket.stress1.mises", "housing.z"}) {
    const int k = a.find(name), l = b.find(name);
    ASSERT_GE(k, 0) << name;
    const double x = a.row(a.times.size() - 1)[k], y = b.row(b.times.size() - 1)[l];
    EXPECT_NEAR(x, y, 1e-6 * (1 + std::abs(y))) << name;  // a hundred times rtol
  }
}

TEST(Superelement, RefusesWhatDoesNotFit) {
  const auto refusal = [](const std::string& entries) {
    return error_of("components:\n  body: {type: " + bracket + ", " + entries + "}\n");
  };
  EXPECT_EQ(refusal("interfaces: \"base, top\""),
            "m.yaml:2:3: body: interfaces: there is no node set \"top\"; there are base, seat");
  EXPECT_EQ(refusal("interfaces: \"9999\""), "m.yaml:2:3: body: interfaces: there is no node 9999");
  EXPECT_EQ(refusal("interfaces: \"1 2\""),
            "m.yaml:2:3: body: interface i1 has no three nodes beside a line, which its turns need");
  EXPECT_EQ(refusal("interfaces: base, stress_nodes: [7000]"), "m.yaml:2:3: body: stress_nodes: there is no node 7000");
  EXPECT_EQ(refusal("interfaces: base, eta: [1]"), "m.yaml:2:3: body: eta: 1 values for 6 modes");
  EXPECT_EQ(error_of("components:\n  body: {type: flexible.Superelement, interfaces: base}\n"),
            "m.yaml:2:3: body: it needs a mesh, or stiffness with mass and nodes");
}

}  // namespace
}  // namespace coenergy::tests
