// Circuits in the charges of their meshes (Enge, Kielau, Maißer 1996).
//
// Branch currents follow from those of the coframe, I = A i, and the mesh charges q with q̇ = i obey Lagrange's
// equations
//
//   d/dt ∂Λ/∂q̇ − ∂Λ/∂q + ∂D/∂q̇ = Q,   Λ = W_m(q̇) − W_e(q),   2D = dissipated power,   Q_μ = −Σ A_kμ u_k of the sources
//
// Here W_m, W_e and D are the energies and powers that the program states for the circuit; they are quadratic, so that
// their second derivatives follow from a few values. The program itself solves for branch currents and node voltages.
#include <Eigen/Dense>
#include <cmath>

#include "coenergy/solve/events.hpp"
#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// U1–R1–L1–C1 is the first mesh, C1–L2–R2 the second, R2–C3–L3 the third; the coils of the outer ones are coupled
const std::string circuit = R"(
components:
  U1: {type: electrical.VoltageSource, p: a, n: gnd, v: 12 V}
  R1: {type: electrical.Resistor, p: a, n: b, R: 2 ohm}
  L1: {type: electrical.Inductor, p: b, n: c, L: 3 mH, i0: 0.5 A}
  C1: {type: electrical.Capacitor, p: c, n: gnd, C: 20 uF, v0: 4 V}
  L2: {type: electrical.Inductor, p: c, n: d, L: 1 mH, i0: -0.25 A}
  R2: {type: electrical.Resistor, p: d, n: gnd, R: 5 ohm}
  C3: {type: electrical.Capacitor, p: d, n: e, C: 8 uF, v0: -2 V}
  L3: {type: electrical.Inductor, p: e, n: gnd, L: 2 mH}
  K:  {type: electrical.Coupling, a: L1, b: L3, k: 0.5}
)";
const std::vector<std::string> branches = {"U1", "R1", "L1", "C1", "L2", "R2", "C3", "L3"};
const double C1 = 20e-6, C3 = 8e-6;

MatrixXd loop_matrix() {
  MatrixXd a(8, 3);
  a << -1, 0, 0,  //
      1, 0, 0,    //
      1, 0, 0,    //
      1, -1, 0,   //
      0, 1, 0,    //
      0, 1, -1,   //
      0, 0, 1,    //
      0, 0, 1;
  return a;
}

/// The circuit at given mesh charges (C) and currents (A).
class Circuit {
 public:
  Circuit() : evaluator_(compile_model(io::parse_model(circuit, "m.yaml"))) {}

  struct Energies {
    double stored, dissipated;
  };
  Energies at(const VectorXd& charge, const VectorXd& current) {
    const equations::System& s = evaluator_.system();
    equations::Point p = s.start();
    p.xd.resize(s.nx()), p.y.resize(s.ny());
    const std::pair<const char*, double> states[] = {{"L1.i", current[0]},
                                                     {"L2.i", current[1]},
                                                     {"L3.i", current[2]},
                                                     {"C1.v", (charge[0] - charge[1]) / C1},
                                                     {"C3.v", charge[2] / C3}};
    EXPECT_EQ(s.nx(), 5);
    for (const auto& [name, value] : states)
      for (int i = 0; i < s.nx(); ++i)
        if (s.unknown(s.nv() + s.nl() + i).name == name) p.x[i] = value;
    EXPECT_TRUE(solve::restart(evaluator_, p).converged);
    const equations::Evaluator::Energy e = evaluator_.energy(p);
    return {e.stored, e.dissipated_power};
  }

 private:
  equations::Evaluator evaluator_;
};

/// ∂²f/∂z² of a quadratic f with f(0) = 0.
template <class Function>
MatrixXd find_hessian(Function f) {
  MatrixXd h(3, 3);
  const auto unit = [](int i) { return VectorXd(VectorXd::Unit(3, i)); };
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      h(i, j) = i == j ? 2 * f(unit(i)) : f(VectorXd(unit(i) + unit(j))) - f(unit(i)) - f(unit(j));
  return h;
}

/// e^{A t}: Taylor of a small part, squared.
MatrixXd exponential(MatrixXd a) {
  constexpr int squarings = 12;
  a /= std::ldexp(1.0, squarings);
  MatrixXd term = MatrixXd::Identity(a.rows(), a.cols()), sum = term;
  for (int k = 1; k < 25; ++k) sum += term = term * a / k;
  for (int k = 0; k < squarings; ++k) sum = sum * sum;
  return sum;
}

struct Lagrange {
  MatrixXd mass, damping, stiffness;
};
Lagrange make_lagrange() {
  Circuit c;
  const VectorXd none = VectorXd::Zero(3);
  return {find_hessian([&](const VectorXd& i) { return c.at(none, i).stored; }),
          find_hessian([&](const VectorXd& i) { return c.at(none, i).dissipated / 2; }),
          find_hessian([&](const VectorXd& q) { return c.at(q, none).stored; })};
}

TEST(MeshCharges, EnergiesHaveTheMatricesOfTheMeshes) {
  const MatrixXd a = loop_matrix();
  MatrixXd l = MatrixXd::Zero(8, 8), r = l, s = l;
  l(2, 2) = 3e-3, l(4, 4) = 1e-3, l(7, 7) = 2e-3, l(2, 7) = l(7, 2) = 0.5 * std::sqrt(6e-6);
  r(1, 1) = 2, r(5, 5) = 5, s(3, 3) = 1 / C1, s(6, 6) = 1 / C3;
  const Lagrange found = make_lagrange();
  // differences of a few numbers of the size of the entries
  EXPECT_LT((found.mass - a.transpose() * l * a).norm(), 1e-14 * found.mass.norm() * 10);
  EXPECT_LT((found.damping - a.transpose() * r * a).norm(), 1e-13 * found.damping.norm());
  EXPECT_LT((found.stiffness - a.transpose() * s * a).norm(), 1e-13 * found.stiffness.norm());
}

TEST(MeshCharges, LagrangesEquationsGiveTheCurrentsOfTheRun) {
  const Lagrange lagrange = make_lagrange();
  const MatrixXd a = loop_matrix();
  // (q, q̇, 1)' = (q̇, M⁻¹(Q − D q̇ − K q), 0)
  MatrixXd system = MatrixXd::Zero(7, 7);
  const Eigen::PartialPivLU<MatrixXd> mass(lagrange.mass);
  VectorXd u = VectorXd::Zero(8);
  u[0] = 12;
  system.block(0, 3, 3, 3) = MatrixXd::Identity(3, 3);
  system.block(3, 0, 3, 3) = -mass.solve(lagrange.stiffness);
  system.block(3, 3, 3, 3) = -mass.solve(lagrange.damping);
  system.block(3, 6, 3, 1) = -mass.solve(a.transpose() * u);
  VectorXd z(7);
  z << 4 * C1, 0, -2 * C3, 0.5, -0.25, 0, 1;
  solve::Options options;
  options.t_end = 2e-3, options.output_step = 1e-4, options.method = "radau";
  options.rtol = options.atol = 1e-11, options.max_step = 1e-6;
  const solve::Result run = run_model(io::parse_model(circuit, "m.yaml"), options);
  const MatrixXd step = exponential(system * 1e-4);
  for (int k = 0; k <= 20; ++k, z = step * z) {
    const double t = 1e-4 * k;
    VectorXd mesh(3);
    mesh << value_at(run, "L1.i", t), value_at(run, "L2.i", t), value_at(run, "L3.i", t);
    // errors of 1e-11 a step, which the circuit damps; rows lie on a cubic between steps of 1 us at most
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(mesh[i], z[3 + i], 1e-9) << t;
    EXPECT_NEAR(C1 * value_at(run, "C1.v", t), z[0] - z[1], 1e-9 * 12 * C1) << t;
    EXPECT_NEAR(C3 * value_at(run, "C3.v", t), z[2], 1e-9 * 12 * C3) << t;
    // all branches follow from the coframe, to rounding
    const VectorXd all = a * mesh;
    for (std::size_t b = 0; b < branches.size(); ++b)
      EXPECT_NEAR(value_at(run, branches[b] + ".i", t), all[static_cast<int>(b)], 1e-11) << branches[b] << " " << t;
  }
}

}  // namespace
}  // namespace coenergy::tests
