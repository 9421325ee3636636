#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

#include "bench/multibody/chain_model.hpp"
#include "bench/multibody/peer.hpp"
#include "bench/symbolic/report.hpp"
#include "coenergy/mechanics/forward_dynamics.hpp"
#include "coenergy/mechanics/inverse_dynamics.hpp"
#include "coenergy/mechanics/mass_matrix.hpp"
#include "coenergy/mechanics/mass_matrix_function.hpp"
#include "coenergy/symbolic/native.hpp"

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
  return make(c.inputs(), mechanics::compute_inverse_dynamics(c.tree).forces);
}
Program forward_program(const SymbolicChain& c) {
  const Program order_n = make(c.inputs(), mechanics::compute_articulated_accelerations(c.tree, c.last));
  if (c.q.size() > 16) return order_n;
  const Program by_matrix = make(c.inputs(), mechanics::compute_matrix_accelerations(c.tree, c.last));
  return by_matrix.count().total() < order_n.count().total() ? by_matrix : order_n;
}

/// A program as native code with its arrays, at the common state.
struct Runner {
  explicit Runner(const Program& p)
      : code(make_native(p)), in(p.inputs.size()), out(p.outputs.size()), work(code->work_size() + 8) {
    // q, then q̇, then q̈ or Q of make_state
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = 0.5 * std::sin(static_cast<double>(i + 1));
  }
  void operator()() { code->run(in.data(), out.data(), work.data()); }
  std::unique_ptr<const NativeCode> code;
  std::vector<double> in, out, work;
};

/// The mass matrix: straight-line code for short chains, else a program for the columns and loops.
using Form = mechanics::MassMatrixFunction::Form;
constexpr std::size_t shortest_long_chain = 16;

Program matrix_program(const SymbolicChain& c, Form form) {
  const mechanics::TreeMatrix m = mechanics::compute_mass_matrix(c.tree);
  std::vector<Expr> values;
  for (int i = 0; i < m.size(); ++i)
    for (int j = 0; j < (form == Form::lower ? i + 1 : m.size()); ++j) values.push_back(m.at(i, j));
  return make(c.inputs(false), values);
}

struct MatrixRunner {
  MatrixRunner(const SymbolicChain& c, Form form) {
    if (c.q.size() < shortest_long_chain) {
      const auto program = std::make_shared<Runner>(matrix_program(c, form));
      run = [program] { (*program)(); };
      result = program->out.data();
      return;
    }
    const auto function = std::make_shared<mechanics::MassMatrixFunction>(c.tree, c.inputs(false), form);
    function->columns().wait_until_native();
    struct Memory {
      std::vector<double> in, out, work;
    };
    const auto memory = std::make_shared<Memory>();
    for (std::size_t i = 0; i < 2 * c.q.size(); ++i) memory->in.push_back(0.5 * std::sin(static_cast<double>(i + 1)));
    memory->out.resize(function->size()), memory->work.resize(function->work_size());
    run = [function, memory] { (*function)(memory->in.data(), memory->out.data(), memory->work.data()); };
    result = memory->out.data();
  }
  std::function<void()> run;
  const double* result;
};

/// Largest |a − b| relative to the largest |a|.
template <class A, class B>
double largest_difference(int n, const A& a, const B& b) {
  double scale = 1e-300, difference = 0;
  for (int i = 0; i < n; ++i) {
    scale = std::max(scale, std::fabs(a(i)));
    difference = std::max(difference, std::fabs(a(i) - b(i)));
  }
  return difference / scale;
}

/// One library on one task: the results agree, and how often we are as fast, taking turns.
void compare(Report& report, const std::string& what, const std::function<void()>& ours,
             const std::function<void()>& theirs, int calls) {
  const auto best = best_interleaved(100, calls, ours, theirs);
  report.note(fmt::format("{}: {:.2f} us against {:.2f} us", what, best[0] * 1e6, best[1] * 1e6));
  report.at_least("times as fast, " + what, best[1] / best[0], 5, "");
}

void compare_with_peers(Report& report, int joints) {
  const SymbolicChain chain(joints);
  Runner inverse(inverse_program(chain)), forward(forward_program(chain));
  const MatrixRunner full(chain, Form::full), lower(chain, Form::lower);
  inverse(), full.run(), lower.run(), forward();
  const int calls = 5 + 500 / joints;
  for (const Peer& peer : make_peers(make_links(joints), make_state(joints))) {
    report.heading(fmt::format("{} joints, against {}", joints, peer.name));
    if (peer.inverse) {
      peer.inverse();
      report.at_most("difference of inverse dynamics",
                     largest_difference(joints, peer.force, [&](int i) { return inverse.out[i]; }), peer.tolerance, "");
      compare(
          report, "inverse dynamics", [&] { inverse(); }, peer.inverse, calls);
    }
    if (peer.matrix) {
      peer.matrix();
      const auto theirs = [&](int k) { return peer.mass(k / joints, k % joints); };
      const auto ours = [&](int k) {
        const int i = std::max(k / joints, k % joints), j = std::min(k / joints, k % joints);
        return peer.triangle ? lower.result[i * (i + 1) / 2 + j] : full.result[k];
      };
      report.at_most("difference of mass matrix", largest_difference(joints * joints, theirs, ours), peer.tolerance,
                     "");
      compare(report, peer.triangle ? "mass matrix, one triangle" : "mass matrix", peer.triangle ? lower.run : full.run,
              peer.matrix, calls);
    }
    if (peer.forward) {
      // the condition of M, up to 1e5, multiplies round-off
      peer.forward();
      report.at_most("difference of forward dynamics",
                     largest_difference(joints, peer.acceleration, [&](int i) { return forward.out[i]; }),
                     1e3 * peer.tolerance, "");
      compare(
          report, "forward dynamics", [&] { forward(); }, peer.forward, calls);
    }
  }
}

/// Order-N: the time of a call for each joint stays the same.
void measure_growth(Report& report) {
  report.heading("forward dynamics by articulated bodies");
  std::vector<Runner> runs;
  const std::vector<int> sizes{50, 100, 200, 500, 1000};
  for (const int joints : sizes) {
    const SymbolicChain chain(joints);
    runs.emplace_back(make(chain.inputs(), mechanics::compute_articulated_accelerations(chain.tree, chain.last)));
  }
  // taking turns, so that what disturbs the machine disturbs all of them
  std::vector<double> best(sizes.size(), 1e30);
  for (int round = 0; round < 300; ++round)
    for (std::size_t i = 0; i < sizes.size(); ++i)
      best[i] = std::min(best[i], best_time(2, [&] { runs[i](); }) / sizes[i]);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    report.note(fmt::format("{} joints: {:.1f} ns for each", sizes[i], best[i] * 1e9));
  report.at_most("1000 joints over 50 joints, for each", best.back() / best.front(), 2, "");
}

void measure_generation(Report& report) {
  report.heading("from the description to programs, 100 joints");
  const auto time = [](const auto& f) { return 1e3 * best_time(5, [&] { f(SymbolicChain(100)); }); };
  const double inverse = time(inverse_program), forward = time(forward_program),
               matrix = time([](const auto&c) { mechanics::MassMatrixFunction(c.tree, c.inputs(false), Form::full); });
  report.note(fmt::format("inverse dynamics {:.1f} ms, forward dynamics {:.1f} ms, mass matrix {:.1f} ms", inverse,
                          forward, matrix));
  report.at_most("inverse dynamics", inverse, 50, "ms");
  report.at_most("forward dynamics", forward, 50, "ms");
  report.at_most("mass matrix", matrix, 50, "ms");
}

}  // namespace

namespace bench {
void measure_start(Report& report);
}

/// Figures of the multibody generators against their limits; --strict makes a missed one the exit status. Words choose
/// parts: peers, growth, generation, start.
int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto has = [&](const char* word) { return std::find(words.begin(), words.end(), word) != words.end(); };
  const bool strict = has("--strict"), all = words.size() == (strict ? 1 : 0);
  Report report;
  if (all || has("peers"))
    for (const int joints : {7, 20, 50, 100}) compare_with_peers(report, joints);
  if (all || has("growth")) measure_growth(report);
  if (all || has("generation")) measure_generation(report);
  if (all || has("start")) measure_start(report);
  std::printf("\n%d limits missed\n", report.missed());
  return strict && report.missed() > 0 ? 1 : 0;
}
