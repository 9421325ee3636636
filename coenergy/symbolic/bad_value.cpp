#include <cmath>

#include "coenergy/base/names.hpp"
#include "coenergy/symbolic/interpreter.hpp"
#include "coenergy/symbolic/operations.hpp"

namespace coenergy::symbolic {

using Code = Program::Code;

namespace {

/// Name of what a value belongs to: its own label, or that of the first binding or output computed from it.
std::vector<std::string> owners(const Program& p) {
  const std::size_t n = p.code.size();
  std::vector<std::string> text(n);
  for (std::size_t j = p.result.size(); j-- > 0;) text[p.result[j]] = p.outputs[j];
  for (std::size_t k = n; k-- > 0;) {
    if (k < p.label.size() && !p.label[k].empty()) text[k] = p.label[k][0] == '-' ? p.label[k].substr(1) : p.label[k];
    for (const std::uint32_t v : operands(p, p.code[k]))
      if (text[v].empty()) text[v] = text[k];
  }
  return text;
}

std::string describe(const Program& p, std::size_t k, const std::vector<double>& value) {
  const Program::Instruction& i = p.code[k];
  if (i.code == Code::constant) return "constant " + format_short(value[k]);
  std::string text(i.code == Code::table      ? "table " + p.calls[i.a].table->name
                   : i.code == Code::external ? p.calls[i.a].external->name
                                              : std::string(name(i.code)));
  text += '(';
  const char* separator = "";
  for (const std::uint32_t v : operands(p, i)) {
    text += separator + format_short(value[v]);
    separator = ", ";
  }
  return text + ") = " + format_short(value[k]);
}

}  // namespace

std::optional<std::string> find_bad_value(const Program& p, const double* in) {
  std::vector<double> value(p.code.size()), x;
  for (std::size_t k = 0; k < p.code.size(); ++k) {
    const Program::Instruction& i = p.code[k];
    x.clear();
    for (const std::uint32_t v : operands(p, i)) x.push_back(value[v]);
    switch (i.code) {
      case Code::input:
        value[k] = in[i.a];
        break;
      case Code::constant:
        value[k] = p.constants[i.a];
        break;
      case Code::table:
      case Code::external:
        value[k] = evaluate(p.calls[i.a], x.data());
        break;
      default:
        x.resize(3);
        value[k] = evaluate(i.code, x[0], x[1], x[2]);
    }
    if (std::isfinite(value[k])) continue;
    if (i.code == Code::input) return "input " + p.inputs[i.a] + " = " + format_short(value[k]);
    const std::string owner = owners(p)[k];
    return (owner.empty() ? "" : owner + ": ") + describe(p, k, value);
  }
  return std::nullopt;
}

}  // namespace coenergy::symbolic
