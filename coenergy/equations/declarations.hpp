#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "coenergy/base/domain.hpp"

namespace coenergy::equations {

// What the names of a system are declared with. Facts stand in these fields: names and words are made from them, and
// nothing is read back from a name.

/// What a signal is.
enum class SignalKind : std::uint8_t {
  coordinate,    ///< position or angle of a joint, shaft or node
  rate,          ///< of a coordinate or a pose
  acceleration,  ///< of a coordinate
  pose,          ///< place (x y z) or turn (p0 … p3) of a frame
  state,
  algebraic,
  discrete,
  multiplier,  ///< of a constraint
  reaction,    ///< force or torque that a joint carries
  output,      ///< anything else a component shows
  momentum,
  energy
};
const char* to_string(SignalKind kind);  ///< "coordinate" …

/// A signal: what can be recorded, plotted, drawn, linearised and used in expressions.
struct SignalInfo {
  std::string name, unit;
  SignalKind kind = SignalKind::output;
  std::optional<Domain> domain = {};  ///< of a node's or shaft's variable
  int owner_size = 0;                 ///< characters of the name in front of the dot: see owner()

  /// The component or node it belongs to; "" for a signal of no one.
  std::string_view owner() const { return std::string_view(name).substr(0, static_cast<std::size_t>(owner_size)); }
};
SignalInfo make_signal_info(const std::string& owner, const std::string& field, std::string unit, SignalKind kind,
                            std::optional<Domain> domain = {});

struct UnknownInfo {
  std::string name, unit;
  double nominal = 1;       ///< typical size, for error norms and scaling
  bool fixed = false;       ///< the start value was given by the user and must be kept if the constraints allow
  bool fixed_rate = false;  ///< likewise the start rate of a coordinate
  bool turns = false;       ///< the coordinate is an angle, its balance one of torques
  int owner_size = 0;       ///< characters of the name in front of the dot
  /// A coordinate without a start value of its own: it takes what constraints need before any other moves.
  bool follows = false;
  std::string loop;  ///< of a signal that depends on itself: the components on the way around, "a, b, c"

  /// The joint, body, component or node it belongs to; the whole name where that is not said.
  std::string_view owner() const {
    return owner_size == 0 ? std::string_view(name) : std::string_view(name).substr(0, std::size_t(owner_size));
  }
};

/// What a row states.
enum class RowKind : std::uint8_t {
  law,  ///< the law of its unknown: of a state, an algebraic variable, a constraint
  current_balance,
  flow_balance,
  torque_balance,
  force_balance
};
RowKind balance_of(Domain domain);
const char* to_words(RowKind kind);  ///< "current balance" …; "" for a law

struct RowInfo {
  std::string name;  ///< for messages: "a current balance"
  RowKind kind = RowKind::law;
  int owner_size = 0;  ///< characters of the name that are the node's or joint's
  std::string_view owner() const { return std::string_view(name).substr(0, static_cast<std::size_t>(owner_size)); }
};

/// A parameter of a system: a number that may be changed without compiling again.
struct ParameterInfo {
  std::string name, unit;
  enum class Kind : std::uint8_t {
    entry,  ///< of a component, "motor.k", or an item of it, "arm.com[1]"
    model,  ///< of the model's `parameters:`
    rate,   ///< of time, or of another parameter that is an input; see System::find_rate
    input,  ///< an entry that was opened to be an input; see System::opened
    start,  ///< an entry that is a start value
    other
  };
  Kind kind = Kind::entry;
  int rate_of = -1;  ///< of a rate: the parameter; −1: time
};

}  // namespace coenergy::equations
