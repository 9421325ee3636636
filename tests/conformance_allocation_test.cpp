// Evaluation of no registered kind allocates memory.
#include <atomic>
#include <cstdlib>
#include <new>

#include "tests/conformance_points.hpp"

namespace {
std::atomic<bool> counting{false};
std::atomic<long> allocations{0};
void* allocate(std::size_t n) {
  if (counting) ++allocations;
  if (void* p = std::malloc(n > 0 ? n : 1)) return p;
  throw std::bad_alloc();
}
}  // namespace

void* operator new(std::size_t n) { return allocate(n); }
void* operator new[](std::size_t n) { return allocate(n); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }

namespace coenergy::conformance {
namespace {

TEST_P(ComponentTest, EvaluationDoesNotAllocate) {
  const System system = compile(true, 14);
  Evaluator evaluator(system);
  std::mt19937 random(8);
  Point p = random_point(system, evaluator, random);
  std::vector<double> r(system.n()), values(system.pattern().row.size()), signals(system.signals().size()),
      g(system.indicators());
  // the first round makes programs and memory
  for (int round = 0; round < 2; ++round) {
    allocations = 0;
    counting = round == 1;
    for (Level level : {Level::position, Level::velocity, Level::acceleration}) {
      evaluator.residual(p, level, r);
      evaluator.jacobian(p, level, {1, 1, 1, 1, 1, 1, 1}, values);
    }
    evaluator.signals(p, signals);
    evaluator.energy(p);
    evaluator.indicators(p, g);
    evaluator.next_clock_time(p.t);
    evaluator.update_clocks(p);
    evaluator.update_modes(p);
  }
  counting = false;
  EXPECT_EQ(allocations, 0);
}

INSTANTIATE_TEST_SUITE_P(Registry, ComponentTest, testing::ValuesIn(all_cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace coenergy::conformance
