#pragma once
#include <memory>
#include <random>
#include <string>

#include "coenergy/symbolic/program.hpp"

namespace coenergy::symbolic {

/// For tests: a program of random instructions of every kind over a few inputs and constants. Later instructions prefer
/// young operands, with some reaching far back; a share of the values are outputs.
inline Program make_random_program(std::uint64_t seed, int size, double share_of_functions = 0.2) {
  using Code = Program::Code;
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::uint32_t>(random() % n); };
  const auto chance = [&](double p) { return static_cast<double>(random() >> 11) * 0x1p-53 < p; };
  Program p;
  for (int i = 0; i < 6; ++i) {
    p.code.push_back({Code::input, static_cast<std::uint32_t>(p.inputs.size())});
    p.inputs.push_back("x" + std::to_string(i));
  }
  for (const double c : {0.0, 1.0, -0.5, 3.25}) {
    p.code.push_back({Code::constant, static_cast<std::uint32_t>(p.constants.size())});
    p.constants.push_back(c);
  }
  auto table = std::make_shared<Table>();
  table->name = "ramp";
  table->x = {-1, 0, 0.5, 2};
  table->values = {0.3, -1, 0.25, 4};
  table->method = Table::Method::cubic;
  table->prepare();
  const auto external =
      std::make_shared<External>(External{"blend", 2, [](const double* x) { return 0.25 * x[0] + x[1]; },
                                          [](const double*, int k) { return k == 0 ? 0.25 : 1.0; }});

  const auto pick = [&] {
    const std::size_t n = p.code.size();
    return chance(0.7) ? static_cast<std::uint32_t>(n - 1 - below(std::min<std::size_t>(n, 12))) : below(n);
  };
  const Code arithmetic[] = {Code::add, Code::sub, Code::mul, Code::add, Code::sub, Code::mul, Code::div, Code::neg};
  constexpr auto first_function = static_cast<unsigned>(Code::sin),
                 last_function = static_cast<unsigned>(Code::external);
  while (static_cast<int>(p.code.size()) < size) {
    Code code = arithmetic[below(std::size(arithmetic))];
    if (chance(share_of_functions))
      code = static_cast<Code>(first_function + below(last_function - first_function + 1));
    if (code == Code::table || code == Code::external) {
      Program::Call call;
      if (code == Code::table) {
        call.table = table, call.dx = static_cast<int>(below(2)), call.arguments = {pick()};
      } else {
        call.external = external, call.dx = static_cast<int>(below(3)) - 1, call.arguments = {pick(), pick()};
      }
      p.code.push_back({code, static_cast<std::uint32_t>(p.calls.size())});
      p.calls.push_back(std::move(call));
    } else {
      p.code.push_back({code, pick(), pick(), pick()});
    }
  }
  for (std::uint32_t k = 0; k < p.code.size(); ++k)
    if (chance(0.1) || k + 1 == p.code.size()) {
      p.outputs.push_back("y" + std::to_string(p.outputs.size()));
      p.result.push_back(k);
    }
  p.label.assign(p.code.size(), "");
  assign_slots(p);
  return p;
}

}  // namespace coenergy::symbolic
