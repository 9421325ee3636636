#pragma once
#include <set>

#include "coenergy/domains/standard.hpp"
#include "tests/conformance_cases_blocks.hpp"
#include "tests/conformance_cases_electrical.hpp"
#include "tests/conformance_cases_machines.hpp"
#include "tests/conformance_cases_mechanical.hpp"
#include "tests/conformance_cases_multibody.hpp"

/// The whole registry on the bench: each kind with the entries that cannot be guessed, and with those whose equations
/// differ from the plain case.
namespace coenergy::conformance {

inline const model::Registry& registry() {
  // an FMU brings a law of its own, which remembers: tests/fmu_import_test.cpp holds fmu.Import
  static const model::Registry all = [] {
    const model::Registry standard = domains::make_standard_registry();
    model::Registry kept;
    for (const std::string& name : standard.names())
      if (name != "fmu.Import") kept.add(*standard.find(name));
    return kept;
  }();
  return all;
}

inline std::vector<Case> all_cases() {
  std::vector<Case> cases;
  std::set<std::string> covered;
  for (const std::vector<Case>& some : {electrical_cases(), machine_cases(), mechanical_cases(), multibody_cases(),
                                        blocks_cases(), sampled_blocks_cases()})
    for (Case c : some) {
      if (c.name.empty()) covered.insert(c.type);
      c.name = c.type + (c.name.empty() ? "" : "_" + c.name);
      cases.push_back(c);
    }
  for (const std::string& type : registry().names())
    if (covered.count(type) == 0) cases.push_back({type, type, {}});
  // mechanisms in both formulations (flexible bodies know one)
  const std::size_t count = cases.size();
  for (std::size_t k = 0; k < count; ++k) {
    const ComponentType& type = *registry().find(cases[k].type);
    if (!is_of_mechanism(type) || type.flexible) continue;
    Case absolute = cases[k];
    absolute.name += "_absolute";
    absolute.formulation = "absolute";
    cases.push_back(absolute);
  }
  for (Case& c : cases) std::replace(c.name.begin(), c.name.end(), '.', '_');
  return cases;
}

}  // namespace coenergy::conformance
