#include "coenergy/analyze/linear_notes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "coenergy/analyze/moving_axes.hpp"
#include "coenergy/equations/data.hpp"

namespace coenergy::analyze {
namespace {

/// The component of a friction mode: "hinge" of "hinge.slip"; empty for other modes.
std::string friction_of(const std::string& mode) {
  constexpr std::string_view slip = ".slip";
  return mode.ends_with(slip) ? mode.substr(0, mode.size() - slip.size()) : "";
}

/// The coordinate or state that changes fastest, relative to its nominal value; empty where nothing does.
std::string find_motion(const equations::System& s, const equations::Point& p) {
  constexpr double rest = 1e-6;  // nominal values in a second
  double fastest = rest;
  std::string text;
  const auto consider = [&](double rate, const equations::UnknownInfo& info) {
    if (!(std::abs(rate) > fastest * info.nominal)) return;
    fastest = std::abs(rate) / info.nominal;
    text = fmt::format("{} changes by {:.3g} {}/s", info.name, rate, info.unit.empty() ? "1" : info.unit);
  };
  for (int i = 0; i < s.nv(); ++i) consider(p.v[i], s.unknown(i));
  for (int i = 0; i < s.nx(); ++i)
    if (const auto& info = s.unknown(s.nv() + s.nl() + i); !info.name.starts_with("energy.")) consider(p.xd[i], info);
  return text;
}

}  // namespace

std::vector<std::string> describe_linear_point(const equations::System& system, const equations::Point& point) {
  const equations::System::Data& data = system.data();
  std::vector<std::string> stuck, closed, notes;
  for (std::size_t k = 0; k < data.discrete_names.size(); ++k)
    if (const std::string name = friction_of(data.discrete_names[k]); !name.empty() && point.d[k] == 0)
      stuck.push_back(name);
  for (const auto& contact : data.contacts)
    if (point.d[contact.closed] == 1) closed.push_back(contact.name);
  if (!stuck.empty())
    notes.push_back(
        fmt::format("friction sticks and holds its motion in the linear model: {}; for the sliding model "
                    "linearise about a point where it slides, or with the law tanh",
                    fmt::join(stuck, ", ")));
  if (!closed.empty())
    notes.push_back(
        fmt::format("contacts are closed and stay closed in the linear model: {}", fmt::join(closed, ", ")));
  if (const std::string motion = find_motion(system, point); !motion.empty())
    notes.push_back(fmt::format(
        "the system moves at this point ({}): the linear model holds for this instant and varies "
        "in time{}",
        motion,
        turns_flexible_body(system, point)
            ? ", unless the motion is steady: deviations of flexible bodies are seen in axes that turn with "
              "them, or in fixed ones where the model changes less in those"
            : ""));
  return notes;
}

}  // namespace coenergy::analyze
