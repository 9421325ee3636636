// How soon a large mechanism moves: from the command to its first step.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <nlohmann/json.hpp>

#include "bench/multibody/chain_file.hpp"
#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

/// Processor time of all children that have ended, s.
double children_time() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

#ifdef __SANITIZE_ADDRESS__
constexpr double limit = 30;
#else
constexpr double limit = 1.5;  // seen: 0.25 s; writing down every partial derivative takes 4 s
#endif

TEST(Start, AChainOfAHundredJointsStartsAtOnce) {
  const Folder folder;
  for (const char* method : {"generalized-alpha", "radau", "rk4", "dopri"}) {
    const std::string options = fmt::format("t_end: 0.1 ms, step: 0.1 ms, method: {}", method);
    const std::string file = folder.write("chain.yaml", bench::write_chain(100, options));
    const double before = children_time();
    const Outcome outcome = run_program({"run", file, "--json"});
    ASSERT_EQ(outcome.status, 0) << outcome.all();
    EXPECT_LT(children_time() - before, limit) << method << ", s of processor time";
    EXPECT_GE(nlohmann::json::parse(outcome.output)["steps"], 1) << method;
  }
}

/// Accelerations found by two ways of integration: an implicit one with the full matrix, an explicit one without.
TEST(Start, ImplicitAndExplicitMethodsAgreeOnALongChain) {
  const Folder folder;
  std::vector<double> speed;
  for (const char* method : {"radau", "dopri"}) {
    const std::string options = fmt::format("t_end: 20 ms, rtol: 1e-9, atol: 1e-9, method: {}", method);
    const Outcome outcome = run_program({"run", folder.write("chain.yaml", bench::write_chain(60, options)), "--json"});
    ASSERT_EQ(outcome.status, 0) << outcome.all();
    const auto final = nlohmann::json::parse(outcome.output)["final"];
    for (const char* name : {"j1.qd", "j30.qd", "j60.qd"}) speed.push_back(final[name]);
  }
  // rates of up to 10 rad/s at tolerances of 1e-9 in some ten steps
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(speed[i], speed[3 + i], 1e-6) << i;
}

}  // namespace
}  // namespace coenergy::tests
