#pragma once
#include <string>
#include <utility>
#include <vector>

#include "coenergy/base/error.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/io/xml_file.hpp"

namespace coenergy::io {

/// What readers of robots in XML share: they add components with the places of their elements, and note all independent
/// mistakes.
class RobotReader {
 public:
  RobotReader(const XmlFile& xml, RobotFile& robot) : xml_(xml), robot_(robot) {}

 protected:
  using Entries = std::vector<std::pair<std::string, model::Value>>;

  /// Carries out a step; its mistake is noted and the others go on.
  template <class Action>
  void guard(Action&& action) {
    try {
      action();
    } catch (const Error& e) {
      errors_.add(e);
    }
  }

  model::Component& add(const std::string& name, const std::string& type, Entries entries, const pugi::xml_node& node) {
    model::Component& c = robot_.model.add(name, type, std::move(entries));
    c.where = c.type_where = xml_.where(node);
    return c;
  }

  // values with their places
  model::Value text(const std::string& value, const pugi::xml_node& node) const {
    return make_value(value, xml_.where(node));
  }
  model::Value number(double x, const pugi::xml_node& node) const { return make_value(x, xml_.where(node)); }
  template <class Numbers>
  model::Value list(const Numbers& x, const pugi::xml_node& node) const {
    return make_list({x.begin(), x.end()}, node ? xml_.where(node) : Location{xml_.file()});
  }

  /// Mass of a body, which must not be negative. `node` holds the number.
  double check_mass(double mass, const std::string& body, const pugi::xml_node& node) const {
    if (mass < 0) throw Error(xml_.where(node), body + ": mass = " + format_short(mass) + " kg must be >= 0");
    return mass;
  }
  /// Jxx Jyy Jzz, with Jxy Jxz Jyz where one of them is not zero.
  model::Value inertia(std::vector<double> J, const pugi::xml_node& node) const {
    if (J[3] == 0 && J[4] == 0 && J[5] == 0) J.resize(3);
    return list(J, node);
  }

  const XmlFile& xml_;
  RobotFile& robot_;
  ErrorList errors_;
  ComponentNames names_;
};

}  // namespace coenergy::io
