// Beam elements of order 4 and more, curved, twisted, tapered and coupled sections, against closed forms and published
// values.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "coenergy/analyze/linearize.hpp"
#include "coenergy/analyze/modes.hpp"
#include "coenergy/solve/initialize.hpp"
#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

constexpr double pi = std::numbers::pi;

/// A beam clamped at its root, at rest under loads at its tip.
struct Cantilever {
  Cantilever(const std::string& beam, const std::string& force, const std::string& torque = "[0, 0, 0]")
      : evaluator(compile_model(
            io::parse_model("components:\n  clamp: {type: multibody.Fixed, parent: ground, child: beam}\n"
                            "  beam: {type: flexible.BeamBody, " +
                                beam + "}\n  force: {type: multibody.Force, body: beam.tip, force: " + force +
                                "}\n  torque: {type: multibody.Torque, body: beam.tip, torque: " + torque + "}\n",
                            "m.yaml"))) {
    start = solve::initialize(evaluator, {.start = "static"});
    EXPECT_TRUE(start.good) << start.text;
    values.resize(evaluator.system().signals().size());
    evaluator.signals(start.point, values);
  }
  double operator[](const std::string& signal) const {
    const int k = evaluator.system().find_signal(signal);
    EXPECT_GE(k, 0) << signal;
    return k < 0 ? NAN : values[k];
  }
  std::vector<double> frequencies() {  // rad/s
    std::vector<double> found;
    for (const analyze::Mode& m :
         analyze::compute_modes(evaluator.system(), analyze::linearize_states(evaluator, start.point)).modes)
      found.push_back(std::abs(m.eigenvalue));
    return found;
  }
  equations::Evaluator evaluator;
  solve::Start start;
  std::vector<double> values;
};

std::string mesh(int order, int elements) {
  return "order: " + std::to_string(order) + ", elements: " + std::to_string(elements) + ", ";
}
const std::string slender = "EA: 1e6, GA: 4e5, GJ: 80, EI: [100, 200], mass_per_length: 2, inertia_per_length: 1e-6";

TEST(SpectralBeam, LargeDisplacementsConvergeWithTheOrderOfTheElement) {
  const auto tip = [](int order, int elements) {
    const Cantilever c(
        mesh(order, elements) +
            "length: 2, EA: 1e7, GA: 1e6, GJ: 100, EI: 100, mass_per_length: 1, inertia_per_length: 1e-3",
        "[0, 250, 60]");
    // out of the plane, with torsion; the moment at the root is that of the load on its lever
    return std::array<double, 3>{c["beam.tip.x"], c["beam.tip.y"], c["beam.tip.z"]};
  };
  const std::array<double, 3> exact = tip(12, 6);
  const auto error = [&](int order, int elements) {
    const std::array<double, 3> found = tip(order, elements);
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += (found[i] - exact[i]) * (found[i] - exact[i]);
    return std::sqrt(sum);
  };
  // between meshes of 6 and 12: the next term of the error takes some tenths of the order
  for (int order : {2, 4, 6}) {
    const double rate = std::log2(error(order, 6) / error(order, 12));
    EXPECT_GT(rate, order - 0.4) << order;
    EXPECT_LT(rate, order + 0.8) << order;
  }
  EXPECT_LT(error(8, 12), 1e-7);
  EXPECT_LT(error(10, 6), 1e-6);
}

TEST(SpectralBeam, OneElementIsExactForSmallTipLoadsAndDoesNotLock) {
  for (int order : {4, 6, 10})
    for (double GA : {4e5, 4e9}) {
      const std::string beam = mesh(order, 1) + "length: 1.5, EA: 1e6, GA: " + std::to_string(GA) +
                               ", GJ: 80, EI: [100, 200], mass_per_length: 2, inertia_per_length: 1e-6";
      const double f = 1e-4, L = 1.5;
      const Cantilever y(beam, "[0, 1e-4, 0]"), z(beam, "[0, 0, 1e-4]"), t(beam, "[0, 0, 0]", "[1e-4, 0, 0]");
      // the next term is of relative size (f L²/EI)²; the stiffest case leaves round-off of 1e-9 GA/EI
      EXPECT_NEAR(y["beam.tip.y"] / (f * L * L * L / (3 * 200) + f * L / GA), 1, 1e-7) << order;
      EXPECT_NEAR(z["beam.tip.z"] / (f * L * L * L / (3 * 100) + f * L / GA), 1, 1e-7) << order;
      EXPECT_NEAR(2 * std::asin(t["beam.tip.p1"]) / (f * L / 80), 1, 1e-9) << order;
    }
}

TEST(SpectralBeam, RollsUpToACircle) {
  const double moment = 2 * pi * 200;
  const Cantilever c(mesh(10, 4) + "length: 1, " + slender, "[0, 0, 0]", "[0, 0, " + std::to_string(moment) + "]");
  EXPECT_NEAR(c["beam.tip.x"], 0, 1e-7);
  EXPECT_NEAR(c["beam.tip.y"], 0, 1e-7);
  EXPECT_NEAR(std::abs(c["beam.tip.p0"]), 1, 1e-9);
}

TEST(SpectralBeam, FrequenciesBetweenPinsAreThoseOfTimoshenko) {
  // w = W sin kx, φ = Φ cos kx with k = nπ/L: (GA k² − m ω²)(EI k² + GA − J ω²) = GA² k²
  const double EI = 200, GA = 5e4, m = 2, J = 4e-3, L = 1.3;
  equations::Evaluator e(compile_model(io::parse_model(R"(
components:
  left: {type: multibody.Revolute, parent: ground, child: beam}
  beam: {type: flexible.BeamBody, length: 1.3, order: 12, elements: 4, EA: 1e6, GA: 5e4, GJ: 3e3, EI: [9e4, 200],
         mass_per_length: 2, inertia_per_length: 4e-3}
  right: {type: multibody.PointOnLine, parent: ground, child: beam.tip, axis: x}
)",
                                                       "m.yaml")));
  const solve::Start start = solve::initialize(e);
  const analyze::Modes modes = analyze::compute_modes(e.system(), analyze::linearize_states(e, start.point));
  for (int n = 1; n <= 4; ++n) {
    const double k = n * pi / L, b = GA * k * k * J + m * (EI * k * k + GA), c = GA * EI * std::pow(k, 4);
    const double w = std::sqrt(2 * c / (b + std::sqrt(b * b - 4 * m * J * c)));
    double nearest = 1;
    for (const analyze::Mode& mode : modes.modes)
      nearest = std::min(nearest, std::abs(std::abs(mode.eigenvalue) / w - 1));
    // order 12 on 4 elements leaves 1e-9 of the fourth, eigenvalues from 1e4 to 1e11 round-off of 1e-9
    EXPECT_LT(nearest, 1e-7) << n;
  }
}

TEST(SpectralBeam, ATwistedBeamBendsAsPublished) {
  // MacNeal and Harder 1985: 12 by 1.1 by 0.32, twisted by 90°, E 29e6, ν 0.22, unit loads: 0.005424 and 0.001754
  const std::string beam =
      mesh(6, 4) + "length: 12, section: {rectangle: [1.1, 0.32]}, E: 29e6 Pa, nu: 0.22, rho: 1, twist: [0, 90 deg]";
  // their values are those of a mesh of plates; beams agree to 0.3 %
  EXPECT_NEAR(Cantilever(beam, "[0, 1, 0]")["beam.tip.y"], 0.001754, 0.003 * 0.001754);
  EXPECT_NEAR(Cantilever(beam, "[0, 0, 1]")["beam.tip.z"], 0.005424, 0.003 * 0.005424);
}

TEST(SpectralBeam, ACurveThroughPointsOfAnArcIsTheArc) {
  std::string points;
  const double R = 3, angle = 1.9;
  for (int k = 0; k <= 24; ++k) {
    const double a = angle * k / 24;
    points +=
        (k > 0 ? ", [" : "[") + std::to_string(R * std::sin(a)) + ", " + std::to_string(R * (1 - std::cos(a))) + ", 0]";
  }
  const std::string material = "section: {tube: [80 mm, 4 mm]}, material: aluminium";
  const Cantilever arc(mesh(6, 6) + "length: 5.7, bend: 1.9 rad, " + material, "[300, -200, 500]");
  const Cantilever curve(mesh(6, 6) + "points: [" + points + "], " + material, "[300, -200, 500]");
  const Cantilever coarse(mesh(2, 40) + "length: 5.7, bend: 1.9 rad, " + material, "[300, -200, 500]");
  // the slope of a spline of 24 pieces at the root is off by 1e-4, the order 2 leaves 1/40² of half a metre
  for (const char* axis : {"beam.tip.x", "beam.tip.y", "beam.tip.z"}) {
    EXPECT_NEAR(arc[axis], curve[axis], 6e-4) << axis;
    EXPECT_NEAR(arc[axis], coarse[axis], 1e-3) << axis;
  }
}

TEST(SpectralBeam, ARelaxedHelixIsFreeOfLoads) {
  std::string points;
  for (int k = 0; k <= 30; ++k)
    points += (k > 0 ? ", [" : "[") + std::to_string(std::cos(0.3 * k)) + ", " + std::to_string(std::sin(0.3 * k)) +
              ", " + std::to_string(0.1 * k) + "]";
  const Cantilever c(mesh(6, 12) + "points: [" + points + "], twist: [0, 1, -0.5], stations: [0, 0.37], " + slender,
                     "[0, 0, 0]");
  for (const char* load : {"N", "Qy", "Qz", "Mx", "My", "Mz"}) {
    // round-off of EA times strains of 1e-16
    EXPECT_NEAR(c[std::string("beam.s1.") + load], 0, 1e-8) << load;
    EXPECT_NEAR(c[std::string("beam.s2.") + load], 0, 1e-8) << load;
  }
  // the frame of the body is at the first point
  const double distance = std::sqrt(std::pow(std::cos(9) - 1, 2) + std::pow(std::sin(9), 2) + 9);
  EXPECT_NEAR(std::hypot(c["beam.tip.x"], c["beam.tip.y"], c["beam.tip.z"]), distance, 1e-6);
}

TEST(SpectralBeam, ATaperedBeamBendsByTheIntegralOfItsFlexibility) {
  // heights 60, 30 and 24 mm at the root, in the middle and at the tip, width 20 mm: unit loads, Σ by Simpson's rule
  const Cantilever c(mesh(8, 4) +
                         "length: 1.2, section: {rectangle: [[60 mm, 20 mm], [30 mm, 20 mm], [24 mm, 20 mm]]}, E: 70e9 "
                         "Pa, nu: 0.3, rho: 2700",
                     "[0, 1, 0]");
  const auto height = [](double s) {
    return s < 0.5 ? 0.06 + (0.03 - 0.06) * 2 * s : 0.03 + (0.024 - 0.03) * (2 * s - 1);
  };
  const double G = 70e9 / 2.6, kappa = 10 * 1.3 / (12 + 11 * 0.3);
  const auto flexibility = [&](double s) {
    const double h = height(s), lever = 1.2 * (1 - s);
    return lever * lever / (70e9 * 0.02 * h * h * h / 12) + 1 / (kappa * G * 0.02 * h);
  };
  double sum = 0;
  const int n = 2000;
  for (int k = 0; k < n; ++k) {
    const double a = double(k) / n, b = double(k + 1) / n;
    sum += (flexibility(a) + 4 * flexibility((a + b) / 2) + flexibility(b)) / 6 * 1.2 / n;
  }
  // the flexibility of a taper is no polynomial: order 8 leaves 1e-6
  EXPECT_NEAR(c["beam.tip.y"] / sum, 1, 1e-5);
}

/// A 6×6 matrix as text: a diagonal and one entry beside it with its mirror image.
std::string matrix(std::array<double, 6> diagonal, int row = 0, int column = 0, double value = 0, double mirror = NAN) {
  std::string text = "[";
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 6; ++k) {
      const double entry = i == k                    ? diagonal[i]
                           : i == row && k == column ? value
                           : i == column && k == row ? (std::isnan(mirror) ? value : mirror)
                                                     : 0;
      text += (i + k == 0 ? "" : ", ") + std::to_string(entry);
    }
  return text + "]";
}

TEST(SpectralBeam, ASectionThatCouplesStretchAndTorsionTurnsUnderTension) {
  const double EA = 2e5, GJ = 300, coupling = 4e3, L = 0.8, F = 1e-2;
  const Cantilever c(mesh(4, 2) +
                         "length: 0.8, stiffness_matrix: " + matrix({EA, 1e5, 1e5, GJ, 100, 150}, 0, 3, coupling) +
                         ", mass_matrix: " + matrix({2, 2, 2, 2e-3, 1e-3, 1e-3}),
                     "[1e-2, 0, 0]");
  const double det = EA * GJ - coupling * coupling;
  EXPECT_NEAR((c["beam.tip.x"] - L) / (GJ / det * F * L), 1, 1e-5);  // round-off of the position: 1e-16 of 4e-8
  EXPECT_NEAR(2 * c["beam.tip.p1"] / (-coupling / det * F * L), 1, 1e-6);
}

TEST(SpectralBeam, ASectionBesideTheLineBendsUnderTensionAndHangsBesideIt) {
  // the centre 40 mm above the line: M = −F c_z about y, and gravity along y turns about the line
  const std::string beam =
      mesh(4, 3) +
      "length: 1.1, section: {rectangle: [30 mm, 10 mm]}, material: steel, offset: [0, 40 mm], stations: [0]";
  const double EI = 210e9 * 0.03 * std::pow(0.01, 3) / 12, F = 1e-3, L = 1.1;
  const Cantilever c(beam, "[1e-3, 0, 0]");
  // a force along the line has the lever −c_z: κ_y = −(−c_z) F … bends the tip towards the centre's side
  EXPECT_NEAR(c["beam.tip.z"] / (0.04 * F * L * L / (2 * EI)), 1, 1e-5);
  const Cantilever g(beam + "}\n  gravity: {type: multibody.Gravity, g: [0, -9.81, 0]", "[0, 0, 0]");
  const double weight = 7850 * 0.03 * 0.01 * L * 9.81;
  EXPECT_NEAR(g["beam.s1.Mx"] / (weight * 0.04), 1, 1e-3);  // large displacements take some of it
  EXPECT_NEAR(g["beam.s1.Qy"] / -weight, 1, 1e-3);
}

TEST(SpectralBeam, ACutCarriesWhatActsBehindIt) {
  for (int order : {2, 6}) {
    const Cantilever c(mesh(order, 5) + "length: 2, stations: [0.3, 1, 0], " + slender, "[0.7, 2e-3, 0]",
                       "[0, 3e-3, 0]");
    // small displacements: M = F (L − s); N times the deflection of 6e-5 m comes to it
    EXPECT_NEAR(c["beam.s1.N"], 0.7, 1e-6) << order;
    EXPECT_NEAR(c["beam.s1.Mz"], 2e-3 * 1.4, 5e-5) << order;
    EXPECT_NEAR(c["beam.s1.My"], 3e-3, 5e-5) << order;
    EXPECT_NEAR(c["beam.s1.x"], 0.6, 1e-5) << order;
    EXPECT_NEAR(c["beam.s2.N"], 0.7, 1e-6) << order;
    EXPECT_NEAR(c["beam.s2.My"], 3e-3, 1e-9) << order;
    EXPECT_NEAR(c["beam.s3.Mz"], 2e-3 * 2, 5e-5) << order;
  }
}

TEST(SpectralBeam, HoldsJointsAtStationsAndNodes) {
  // a pin-ended beam with a load where a second body hangs on a hinge at 0.25: reactions by the lever
  equations::Evaluator e(compile_model(io::parse_model(R"(
components:
  gravity: {type: multibody.Gravity, g: [0, -10, 0]}
  left: {type: multibody.Revolute, parent: ground, child: beam, reaction: yes}
  beam: {type: flexible.BeamBody, length: 2, order: 4, elements: 4, stations: [0.25], section: {circle: 40 mm}, material: steel, rho: 1e-3}
  right: {type: multibody.Free, parent: ground, parent_at: [2, 0, 0], child: beam.n8}
  roll: {type: multibody.PointOnLine, parent: ground, child: beam.tip, axis: x, reaction: yes}
  pin: {type: multibody.Revolute, parent: beam.s1, child: load}
  load: {type: multibody.Body, mass: 3, com: [0, -0.1, 0], inertia: [0.1, 0.1, 0.1]}
)",
                                                       "m.yaml")));
  const solve::Start start = solve::initialize(e, {.start = "static"});
  ASSERT_TRUE(start.good) << start.text;
  std::vector<double> values(e.system().signals().size());
  e.signals(start.point, values);
  const auto at = [&](const char* name) { return values.at(e.system().find_signal(name)); };
  EXPECT_NEAR(at("left.fy"), 30 * 0.75, 1e-3);
  EXPECT_NEAR(at("roll.fy"), 30 * 0.25, 1e-3);
}

TEST(SpectralBeam, DampingRatioHoldsAtItsFrequency) {
  const double f = 1.875104068711961 * 1.875104068711961 * std::sqrt(100 / 2.0) / (2 * pi);
  Cantilever c(mesh(6, 3) + "length: 1, damping_ratio: 2 %, damping_frequency: " + std::to_string(f) + ", " + slender,
               "[0, 0, 0]");
  const analyze::Modes modes =
      analyze::compute_modes(c.evaluator.system(), analyze::linearize_states(c.evaluator, c.start.point));
  EXPECT_NEAR(modes.modes[0].damping, 0.02, 2e-5);  // shear lowers the frequency by 5e-4
}

TEST(SpectralBeam, RefusesWhatItCannotBe) {
  const auto told = [](const std::string& beam) {
    return error_of("components:\n  beam: {type: flexible.BeamBody, " + beam + "}\n");
  };
  const std::string circle = "section: {circle: 10 mm}, material: steel, ";
  const std::pair<std::string, std::string> cases[] = {
      {circle + "length: 1, order: 3", "order must be 2, 4, 6, 8, 10 or 12"},
      {circle + "length: 1, order: 2, twist: [0, 1]", "order 2 is for straight beams and arcs of one section"},
      {circle + "elements: 3", "it needs length, or points"},
      {circle + "points: [[0, 0, 0], [1, 0]]", "two or more points [x, y, z] are needed"},
      {circle + "points: [[0, 0, 0], [1, 0, 0], [1, 0, 0]]", "points: 2 and 3 are the same"},
      {circle + "length: 1, stations: [0.2, 1.2]", "stations"},
      {circle + "length: 1, damping_ratio: 0.01", "damping_ratio needs damping_frequency"},
      {"length: 1, stiffness_matrix: " + matrix({1, 1, 1, 1, 1, 1}, 0, 3, 0.5, 0.4) +
           ", mass_matrix: " + matrix({1, 1, 1, 1, 1, 1}),
       "stiffness_matrix is not symmetric"},
      {"length: 1, stiffness_matrix: " + matrix({1, 1, 1, 1, 1, 1}, 0, 3, 2) +
           ", mass_matrix: " + matrix({1, 1, 1, 1, 1, 1}),
       "stiffness_matrix is not positive definite"},
      {"length: 1, stiffness_matrix: " + matrix({1, 1, 1, 1, 1, 1}) + ", mass_matrix: " + matrix({1, 1, 2, 1, 1, 1}),
       "mass_matrix is not that of a mass"},
  };
  for (const auto& [beam, text] : cases)
    EXPECT_NE(told(beam).find(text), std::string::npos) << text << "\n" << told(beam);
}

}  // namespace
}  // namespace coenergy::tests
