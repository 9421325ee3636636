#include <fmt/format.h>

#include <array>
#include <cstring>
#include <functional>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>

#include <Eigen/Cholesky>

#include "bench/symbolic/report.hpp"
#include "chain_model.hpp"
#include "coenergy/symbolic/native.hpp"
#include "coenergy/system/forward_dynamics.hpp"
#include "coenergy/system/inverse_dynamics.hpp"
#include "coenergy/system/mass_matrix.hpp"

namespace {

using namespace bench;
using namespace coenergy::symbolic;
using namespace coenergy;

Program make(const std::vector<Expr>& inputs, const std::vector<Expr>& values) {
  std::vector<NamedExpr> named;
  for (const Expr& e : values) named.push_back({"", e});
  return make_program(inputs, named);
}

Program inverse_program(const SymbolicChain& c) {
  return make(c.inputs(), system::compute_inverse_dynamics(c.tree).forces);
}
Program matrix_program(const SymbolicChain& c) {
  const system::TreeMatrix m = system::compute_mass_matrix(
      c.tree, c.q.size() > 10 ? system::MassMatrixAxes::world : system::MassMatrixAxes::links);
  std::vector<Expr> values;
  for (int i = 0; i < m.size(); ++i)
    for (int j = 0; j < m.size(); ++j) values.push_back(m.at(i, j));
  return make(c.inputs(false), values);
}
Program forward_program(const SymbolicChain& c) {
  const Program order_n = make(c.inputs(), system::compute_articulated_accelerations(c.tree, c.last));
  if (c.q.size() > 16) return order_n;
  const Program by_matrix = make(c.inputs(), system::compute_matrix_accelerations(c.tree, c.last));
  return by_matrix.count().total() < order_n.count().total() ? by_matrix : order_n;
}

/// A program as native code with its arrays; columns of the mass matrix need no q̇.
struct Runner {
  explicit Runner(const Program& p)
      : code(make_native(p)), in(p.inputs.size()), out(p.outputs.size()), work(code->work_size() + 8) {
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = 0.5 * std::sin(static_cast<double>(i + 1));
  }
  void operator()() { code->run(in.data(), out.data(), work.data()); }
  std::unique_ptr<const NativeCode> code;
  std::vector<double> in, out, work;
};

KDL::Chain make_kdl(int joints) {
  KDL::Chain chain;
  const std::vector<ChainLink> links = make_links(joints);
  const KDL::Joint::JointType types[] = {KDL::Joint::RotX, KDL::Joint::RotY, KDL::Joint::RotZ};
  // a KDL segment is a joint and then the way to the next one; the first joint's place goes before it
  const auto vector = [](const double* v) { return KDL::Vector(v[0], v[1], v[2]); };
  chain.addSegment(KDL::Segment("base", KDL::Joint(KDL::Joint::None), KDL::Frame(vector(links[0].d))));
  for (int i = 0; i < joints; ++i) {
    const ChainLink& l = links[i];
    const KDL::Vector tip = i + 1 < joints ? vector(links[i + 1].d) : KDL::Vector::Zero();
    const KDL::RotationalInertia I(l.inertia[0], l.inertia[1], l.inertia[2], l.inertia[3], l.inertia[4], l.inertia[5]);
    // its inertia refers to the tip's frame
    chain.addSegment(KDL::Segment("s" + std::to_string(i), KDL::Joint(types[l.axis]), KDL::Frame(tip),
                                  KDL::RigidBodyInertia(l.mass, vector(l.com) - tip, I)));
  }
  return chain;
}

double largest_difference(const double* a, const double* b, std::size_t n) {
  double scale = 1e-300, difference = 0;
  for (std::size_t i = 0; i < n; ++i) {
    scale = std::max(scale, std::fabs(a[i]));
    difference = std::max(difference, std::fabs(a[i] - b[i]));
  }
  return difference / scale;
}

/// Against KDL: its recursive Newton–Euler, its joint-space inertia, and forward dynamics by both and Cholesky.
void compare_with_kdl(Report& report, int joints) {
  const SymbolicChain chain(joints);
  Runner inverse(inverse_program(chain)), matrix(matrix_program(chain)), forward(forward_program(chain));
  const KDL::Chain kdl = make_kdl(joints);
  const KDL::Vector gravity(0, 0, -9.81);
  KDL::ChainIdSolver_RNE rne(kdl, gravity);
  KDL::ChainDynParam parameters(kdl, gravity);
  KDL::JntArray q(joints), qd(joints), qdd(joints), zero(joints), Q(joints), c(joints), a(joints);
  KDL::JntSpaceInertiaMatrix M(joints);
  const KDL::Wrenches wrenches(joints + 1, KDL::Wrench::Zero());
  for (int i = 0; i < joints; ++i)
    q(i) = inverse.in[i], qd(i) = inverse.in[joints + i], qdd(i) = inverse.in[2 * joints + i];
  const auto kdl_forward = [&] {
    rne.CartToJnt(q, qd, zero, wrenches, c);
    parameters.JntToMass(q, M);
    a.data = M.data.ldlt().solve(qdd.data - c.data);
  };
  inverse(), matrix(), forward();
  rne.CartToJnt(q, qd, qdd, wrenches, Q);
  parameters.JntToMass(q, M);
  kdl_forward();
  report.heading(fmt::format("{} joints, against Orocos KDL", joints));
  report.at_most("difference of inverse dynamics", largest_difference(Q.data.data(), inverse.out.data(), joints), 1e-9,
                 "");
  report.at_most("difference of mass matrix", largest_difference(M.data.data(), matrix.out.data(), joints * joints),
                 1e-9, "");
  report.at_most("difference of forward dynamics", largest_difference(a.data.data(), forward.out.data(), joints), 1e-6,
                 "");
  const auto best = best_interleaved(
      100, 5 + 500 / joints, [&] { inverse(); }, [&] { rne.CartToJnt(q, qd, qdd, wrenches, Q); }, [&] { matrix(); },
      [&] { parameters.JntToMass(q, M); }, [&] { forward(); }, kdl_forward);
  const char* names[] = {"inverse dynamics", "mass matrix", "forward dynamics"};
  for (int k = 0; k < 3; ++k) {
    report.note(fmt::format("{}: {:.2f} us, KDL {:.2f} us", names[k], best[2 * k] * 1e6, best[2 * k + 1] * 1e6));
    report.at_least(std::string("times faster, ") + names[k], best[2 * k + 1] / best[2 * k], 5, "");
  }
}

/// Order-N: the time of a call for each joint stays the same.
void measure_growth(Report& report) {
  report.heading("forward dynamics by articulated bodies");
  double first = 0;
  for (const int joints : {50, 100, 200, 500, 1000}) {
    const SymbolicChain chain(joints);
    Runner run(make(chain.inputs(), system::compute_articulated_accelerations(chain.tree, chain.last)));
    const double time = best_time(200, [&] { run(); }) / joints;
    report.note(fmt::format("{} joints: {:.1f} ns for each", joints, time * 1e9));
    if (first == 0) first = time;
    if (joints == 1000) report.at_most("1000 joints over 50 joints, for each", time / first, 2, "");
  }
}

void measure_generation(Report& report) {
  report.heading("from the description to programs, 100 joints");
  const auto time = [](const std::function<Program(const SymbolicChain&)>& f) {
    return 1e3 * best_time(5, [&] { f(SymbolicChain(100)); });
  };
  const double inverse = time(inverse_program), forward = time(forward_program), matrix = time(matrix_program);
  report.note(fmt::format("inverse dynamics {:.1f} ms, forward dynamics {:.1f} ms, mass matrix {:.1f} ms", inverse,
                          forward, matrix));
  report.at_most("inverse dynamics", inverse, 50, "ms");
  report.at_most("forward dynamics", forward, 50, "ms");
}

}  // namespace

/// Figures of the multibody generators against their limits; --strict makes a missed one the exit status.
int main(int argc, char** argv) {
  Report report;
  for (const int joints : {7, 20, 50, 100}) compare_with_kdl(report, joints);
  measure_growth(report);
  measure_generation(report);
  std::printf("\n%d limits missed\n", report.missed());
  return argc > 1 && std::strcmp(argv[1], "--strict") == 0 && report.missed() > 0 ? 1 : 0;
}
