#pragma once
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "coenergy/base/domain.hpp"
#include "coenergy/base/units.hpp"

namespace coenergy::model {

using coenergy::Domain;

// Handles: what a component's members are. describe() numbers them; Equations finds their values.
struct Pin {
  int index = -1;
};  ///< electrical: voltage, current
struct Rotational {
  int index = -1;
};  ///< angle, torque
struct Translational {
  int index = -1;
};  ///< position, force
struct Fluid {
  int index = -1;
};  ///< pressure, volume flow
struct Gas {
  int index = -1;
};  ///< absolute pressure, mass flow
struct Frame {
  int index = -1;
};  ///< pose of a body, force and torque
struct Parameter {
  int index = -1;
};  ///< scalar quantity; an expression of signals where the description allows it
struct Vector {
  int index = -1;
};  ///< three quantities
struct List {
  int index = -1;
};  ///< any number of quantities (a nested list is read row by row)
struct Choice {
  int index = -1;
};  ///< one of a few words
struct State {
  int index = -1;
};  ///< x with rate ẋ
struct Algebraic {
  int index = -1;
};  ///< y
struct Discrete {
  int index = -1;
};  ///< d, held between events
struct Multiplier {
  int index = -1;
};  ///< λ of a constraint

struct PortInfo {
  std::string name, help;
  Domain domain = Domain::electrical;
  bool optional = false;            ///< may stay unconnected
  int start = -1, start_rate = -1;  ///< parameters with the start value of the across variable and of its rate
};

/// What an entry needs in order to have an effect: any of some others to be given, none of them, or a word of a choice.
struct Use {
  enum class When { given, absent, word };
  When when = When::given;
  std::vector<int> others;         ///< parameters
  std::vector<std::string> words;  ///< of the choice
};

struct ParameterInfo {
  enum class Kind { scalar, vector, list, choice };
  Kind kind = Kind::scalar;
  std::string name, unit, help;
  std::optional<std::string>
      fallback;  ///< default, as the user would write it; without one the parameter must be given
  double minimum = -std::numeric_limits<double>::infinity(), maximum = std::numeric_limits<double>::infinity();
  bool open = false;               ///< bounds excluded (> instead of ≥)
  bool varying = false;            ///< may be an expression of time and other signals
  bool limited = false;            ///< one that varies is held within its bounds; else a run ends where it leaves them
  std::vector<std::string> words;  ///< of a choice
  std::vector<int> sizes;          ///< allowed lengths of a list; empty: any
  bool optional = false;           ///< may be absent without default (Equations::has)
  bool is_file = false;            ///< a choice that names a file, not a component
  std::string structural;          ///< why nothing can be differentiated to it, if it decides on the equations
  std::vector<Use> uses;           ///< all of them must hold where the entry is given; else it is refused
};

struct VariableInfo {
  enum class Kind { state, algebraic, discrete, multiplier };
  Kind kind = Kind::state;
  std::string name, unit, help;
  int start = -1;  ///< parameter with the start value; −1: zero
  double nominal = 1;
};

/// Everything about a kind of component except its equations; drives reader, errors, units, `describe` and the manual.
class Description {
 public:
  std::string type;  ///< "electrical.Resistor"
  std::string help;  ///< one line with the law
  std::vector<PortInfo> ports;
  std::vector<ParameterInfo> parameters;
  std::vector<VariableInfo> variables;
  /// The number of items of a list, where single signals and vectors of signals count as they are.
  using ListSize = std::function<std::size_t(List)>;
  struct OutputInfo {
    std::string name, unit, help;
    std::function<std::size_t(const ListSize&)> count = {};  ///< of outputs with numbers, where lists tell
  };
  std::vector<OutputInfo> outputs;  ///< what Equations::output() will provide, for the manual and for early name checks

  void name(std::string type_name, std::string law) { type = std::move(type_name), help = std::move(law); }

  /// Fluent refinement of the entry added last.
  struct PortRef {
    PortInfo* p;
    PortRef& optional() { return p->optional = true, *this; }
    PortRef& start(Parameter value, Parameter rate) {
      return p->start = value.index, p->start_rate = rate.index, *this;
    }
  };
  struct ParameterRef {
    ParameterInfo* p;
    ParameterRef& fallback(std::string text) { return p->fallback = std::move(text), *this; }
    ParameterRef& positive() { return p->minimum = 0, p->open = true, *this; }
    ParameterRef& not_negative() { return p->minimum = 0, *this; }
    ParameterRef& at_least(double low) { return p->minimum = low, *this; }
    ParameterRef& between(double low, double high) { return p->minimum = low, p->maximum = high, *this; }
    ParameterRef& varying() { return p->varying = true, *this; }
    /// Physics holds what varies within the bounds: a valve cannot be more than closed.
    ParameterRef& limited() { return p->limited = true, *this; }
    /// The entry has an effect only where any of the others (described before) is given.
    template <class... Handle>
    ParameterRef& used_with(const Handle&... others) {
      return p->uses.push_back({Use::When::given, {others.index...}, {}}), *this;
    }
    /// … only where the choice is one of these words.
    ParameterRef& used_for(Choice choice, std::vector<std::string> words) {
      return p->uses.push_back({Use::When::word, {choice.index}, std::move(words)}), *this;
    }
    /// … only where none of the others is given: it says the same in another way.
    template <class... Handle>
    ParameterRef& instead_of(const Handle&... others) {
      return p->uses.push_back({Use::When::absent, {others.index...}, {}}), *this;
    }
    ParameterRef& optional() { return p->optional = true, *this; }
    /// It decides on the equations, and why: "a count", "chooses the branch".
    ParameterRef& structural(std::string why) { return p->structural = std::move(why), *this; }
    ParameterRef& file() { return p->is_file = true, *this; }
    ParameterRef& sizes(std::vector<int> n) { return p->sizes = std::move(n), *this; }
  };
  struct VariableRef {
    VariableInfo* p;
    VariableRef& start(Parameter value) { return p->start = value.index, *this; }
    VariableRef& nominal(double size) { return p->nominal = size, *this; }
  };

  PortRef port(Pin& h, std::string name, std::string help) { return add_port(h.index, Domain::electrical, name, help); }
  PortRef port(Rotational& h, std::string name, std::string help) {
    return add_port(h.index, Domain::rotational, name, help);
  }
  PortRef port(Translational& h, std::string name, std::string help) {
    return add_port(h.index, Domain::translational, name, help);
  }
  PortRef port(Fluid& h, std::string name, std::string help) {
    return add_port(h.index, Domain::hydraulic, name, help);
  }
  PortRef port(Gas& h, std::string name, std::string help) { return add_port(h.index, Domain::pneumatic, name, help); }
  PortRef port(Frame& h, std::string name, std::string help) { return add_port(h.index, Domain::frame, name, help); }
  ParameterRef parameter(Parameter& h, std::string name, std::string unit, std::string help);
  ParameterRef parameter(Vector& h, std::string name, std::string unit, std::string help);
  ParameterRef parameter(List& h, std::string name, std::string unit, std::string help);
  /// The first word is the default; without words any name is taken (of another component), and it must be given.
  ParameterRef choice(Choice& h, std::string name, std::vector<std::string> words, std::string help);
  VariableRef variable(State& h, std::string name, std::string unit, std::string help);
  VariableRef variable(Algebraic& h, std::string name, std::string unit, std::string help);
  VariableRef variable(Discrete& h, std::string name, std::string unit, std::string help);
  VariableRef variable(Multiplier& h, std::string name, std::string unit, std::string help);
  void output(std::string name, std::string unit, std::string help) { outputs.push_back({name, unit, help}); }
  /// Outputs name, or name1, name2, … where there are several: as many as the lists tell, so that `component.name` stands for
  /// all of them in lists (compile/vectors.hpp).
  void outputs_by(const std::string& name, const std::string& unit, std::function<std::size_t(const ListSize&)> count) {
    outputs.push_back({name, unit, "the output, if there is one"});
    outputs.push_back({name + "#", unit, "output 1, 2, ..., if there are several", std::move(count)});
  }

 private:
  PortRef add_port(int& index, Domain domain, std::string& name, std::string& help);
  ParameterRef add_parameter(int& index, ParameterInfo info);
  VariableRef add_variable(int& index, VariableInfo::Kind kind, std::string name, std::string unit, std::string help);
};

}  // namespace coenergy::model
