#include <fmt/core.h>

#include <algorithm>

#include "apps/coenergy/answer.hpp"
#include "coenergy/fmi/archive.hpp"
#include "coenergy/fmi/description.hpp"

namespace coenergy::app {

int describe_fmu(const std::string& file, bool json) {
  const fmi::Archive archive(file);
  const fmi::Description d = fmi::read_description(archive.folder(), file);
  if (json) {
    nlohmann::json j = begin_answer();
    j.update({{"type", file}, {"help", d.model}, {"fmi", d.version_text}, {"tool", d.tool}});
    j["kinds"] = nlohmann::json::array();
    if (d.exchange) j["kinds"].push_back("me");
    if (d.cosimulation) j["kinds"].push_back("cs");
    j["variables"] = nlohmann::json::array();
    for (const fmi::Variable& v : d.variables)
      j["variables"].push_back({{"name", v.name},
                                {"kind", v.type},
                                {"causality", v.causality},
                                {"variability", v.variability},
                                {"unit", v.unit},
                                {"start", v.start},
                                {"help", v.description}});
    return print_answer(j);
  }
  fmt::print("{}\n  FMI {}{}{}{}\n", d.model, d.version_text, d.exchange ? ", model exchange" : "",
             d.cosimulation ? ", co-simulation" : "", d.tool.empty() ? "" : ", made by " + d.tool);
  std::size_t width = 8;
  for (const fmi::Variable& v : d.variables) width = std::max(width, v.name.size());
  for (const char* causality :
       {"input", "output", "parameter", "structuralParameter", "calculatedParameter", "local"}) {
    bool first = true;
    for (const fmi::Variable& v : d.variables) {
      if (v.causality != causality) continue;
      if (first) fmt::print("\n{}\n", causality);
      first = false;
      fmt::print("  {:<{}}  {:<10} {:<12} {:<10} {}{}\n", v.name, width, v.type, v.variability, v.unit,
                 v.start.empty() ? "" : "start " + v.start, v.description.empty() ? "" : "  " + v.description);
    }
  }
  return 0;
}

}  // namespace coenergy::app
