#include <cctype>

#include "coenergy/base/names.hpp"
#include "coenergy/symbolic/dialect.hpp"

namespace coenergy::symbolic {

using Code = Program::Code;

namespace {

/// Equations for reading: one line per named value in an align* environment.
class LatexDialect : public Dialect {
 public:
  Text number(double value) const override {
    std::string text = format_number(value);
    if (const std::size_t e = text.find('e'); e != std::string::npos) {
      const int exponent = std::stoi(text.substr(e + 1));
      text = text.substr(0, e) + "\\cdot 10^{" + std::to_string(exponent) + "}";
    }
    return {text, value < 0 ? Text::sum : Text::product};
  }

  Text operation(Code code, std::span<const Text> x) override {
    const auto term = [&](std::size_t i, Text::Binding limit) {
      return x[i].binding >= limit ? "\\left(" + x[i].text + "\\right)" : x[i].text;
    };
    switch (code) {
      case Code::add:
        return {x[0].text + " + " + term(1, Text::sum), Text::sum};
      case Code::sub:
        return {x[0].text + " - " + term(1, Text::sum), Text::sum};
      case Code::mul:
        return {term(0, Text::sum) + " \\, " + term(1, Text::sum), Text::product};
      case Code::div:
        return {"\\frac{" + x[0].text + "}{" + x[1].text + "}"};
      case Code::neg:
        return {"-" + term(0, Text::sum), Text::sum};
      case Code::sqrt:
        return {"\\sqrt{" + x[0].text + "}"};
      case Code::abs:
        return {"\\left|" + x[0].text + "\\right|"};
      case Code::floor:
        return {"\\left\\lfloor " + x[0].text + "\\right\\rfloor"};
      case Code::pow:
        return {"{" + term(0, Text::product) + "}^{" + x[1].text + "}"};
      default:
        return Dialect::operation(code, x);
    }
  }

  Text look_up(const Program::Call& call, int, std::span<const Text> x) override {
    std::string name = upright(call.table->name);
    if (call.dx + call.dy > 0) name += "^{(" + std::to_string(call.dx) + "," + std::to_string(call.dy) + ")}";
    return {name + "\\left(" + join(x) + "\\right)"};
  }

  Text external(const Program::Call& call, std::span<const Text> x, const std::string&, std::string&) override {
    std::string name = upright(call.external->name);
    if (call.dx >= 0) name = "\\partial_{" + std::to_string(call.dx + 1) + "} " + name;
    return {name + "\\left(" + join(x) + "\\right)"};
  }

  void assign(std::string& out, const std::string& variable, const Text& value) override {
    out += "  " + variable + " &= " + value.text + " \\\\\n";
  }
  void read_input(std::string&, const std::string&, std::size_t) override {}
  void write_output(std::string& out, const std::string& name, std::size_t, const Text& value) override {
    assign(out, spell(name), value);
  }

  std::string wrap(const Program&, const PrintOptions& options, std::span<const Program::Call* const>,
                   const std::string& statements) override {
    return comment(options.header, "% ") + "\\begin{align*}\n" + statements + "\\end{align*}\n";
  }

  bool is_reserved(const std::string&) const override { return false; }

  /// Letters, then digits and what follows an underscore as an index: "w12_x" is w_{12,x}.
  std::string spell(const std::string& identifier) const override {
    std::size_t letters = 0;
    while (letters < identifier.size() && std::isalpha(static_cast<unsigned char>(identifier[letters])) != 0) ++letters;
    std::string head = identifier.substr(0, letters), index;
    for (const char c : identifier.substr(letters)) {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0)
        index += c;
      else if (!index.empty() && index.back() != ',')
        index += ',';
    }
    if (!index.empty() && index.back() == ',') index.pop_back();
    head = head.size() == 1 ? head : upright(head);
    return index.empty() ? head : head + "_{" + index + "}";
  }

 protected:
  std::string function(Code code) const override {
    switch (code) {
      case Code::asin:
        return "\\arcsin";
      case Code::acos:
        return "\\arccos";
      case Code::atan:
        return "\\arctan";
      case Code::atan2:
      case Code::sign:
        return upright(std::string(name(code)));
      default:
        return "\\" + std::string(name(code));
    }
  }

  Text condition(Code code, std::span<const Text> x) override {
    switch (code) {
      case Code::less:
        return {"\\left[" + x[0].text + " < " + x[1].text + "\\right]"};
      case Code::less_equal:
        return {"\\left[" + x[0].text + " \\le " + x[1].text + "\\right]"};
      case Code::equal:
        return {"\\left[" + x[0].text + " = " + x[1].text + "\\right]"};
      case Code::logical_and:
        return {"\\left[" + x[0].text + " \\wedge " + x[1].text + "\\right]"};
      case Code::logical_or:
        return {"\\left[" + x[0].text + " \\vee " + x[1].text + "\\right]"};
      case Code::logical_not:
        return {"\\left[\\neg " + x[0].text + "\\right]"};
      default:
        return {"\\begin{cases} " + x[1].text + " & " + x[0].text + " \\\\ " + x[2].text +
                " & \\text{else} \\end{cases}"};
    }
  }

 private:
  static std::string upright(const std::string& name) {
    std::string text;
    for (const char c : name) {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0) text += c;
      if (c == '_') text += "\\_";
    }
    return "\\mathrm{" + text + "}";
  }
};

}  // namespace

std::unique_ptr<Dialect> make_latex_dialect() { return std::make_unique<LatexDialect>(); }

}  // namespace coenergy::symbolic
