#include "coenergy/model/description.hpp"

namespace coenergy::model {

Description::PortRef Description::add_port(int& index, Domain domain, std::string& name, std::string& help) {
  index = static_cast<int>(ports.size());
  ports.push_back({std::move(name), std::move(help), domain});
  return {&ports.back()};
}

Description::ParameterRef Description::add_parameter(int& index, ParameterInfo info) {
  index = static_cast<int>(parameters.size());
  parameters.push_back(std::move(info));
  return {&parameters.back()};
}

Description::ParameterRef Description::parameter(Parameter& h, std::string name, std::string unit, std::string help) {
  return add_parameter(h.index, {ParameterInfo::Kind::scalar, std::move(name), std::move(unit), std::move(help)});
}
Description::ParameterRef Description::parameter(Vector& h, std::string name, std::string unit, std::string help) {
  return add_parameter(h.index, {ParameterInfo::Kind::vector, std::move(name), std::move(unit), std::move(help)});
}
Description::ParameterRef Description::parameter(List& h, std::string name, std::string unit, std::string help) {
  return add_parameter(h.index, {ParameterInfo::Kind::list, std::move(name), std::move(unit), std::move(help)});
}
Description::ParameterRef Description::choice(Choice& h, std::string name, std::vector<std::string> words,
                                              std::string help) {
  ParameterInfo info{ParameterInfo::Kind::choice, std::move(name), "", std::move(help)};
  if (!words.empty()) info.fallback = words.front();
  info.words = std::move(words);
  return add_parameter(h.index, std::move(info));
}

Description::VariableRef Description::add_variable(int& index, VariableInfo::Kind kind, std::string name,
                                                   std::string unit, std::string help) {
  index = static_cast<int>(variables.size());
  variables.push_back({kind, std::move(name), std::move(unit), std::move(help)});
  return {&variables.back()};
}

Description::VariableRef Description::variable(State& h, std::string name, std::string unit, std::string help) {
  return add_variable(h.index, VariableInfo::Kind::state, std::move(name), std::move(unit), std::move(help));
}
Description::VariableRef Description::variable(Algebraic& h, std::string name, std::string unit, std::string help) {
  return add_variable(h.index, VariableInfo::Kind::algebraic, std::move(name), std::move(unit), std::move(help));
}
Description::VariableRef Description::variable(Discrete& h, std::string name, std::string unit, std::string help) {
  return add_variable(h.index, VariableInfo::Kind::discrete, std::move(name), std::move(unit), std::move(help));
}
Description::VariableRef Description::variable(Multiplier& h, std::string name, std::string unit, std::string help) {
  return add_variable(h.index, VariableInfo::Kind::multiplier, std::move(name), std::move(unit), std::move(help));
}

}  // namespace coenergy::model
