#include "coenergy/symbolic/printer.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <unordered_set>

#include "coenergy/base/error.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/symbolic/dialect.hpp"
#include "coenergy/symbolic/integral.hpp"

namespace coenergy::symbolic {

using Code = Program::Code;

namespace {

/// Longer expressions get a variable of their own.
constexpr std::size_t longest = 120;

std::unique_ptr<Dialect> make_dialect(Language language, const std::string& name) {
  switch (language) {
    case Language::c:
      return make_c_dialect(false, name);
    case Language::cpp:
      return make_c_dialect(true, name);
    case Language::matlab:
      return make_matlab_dialect(name);
    case Language::python:
      return make_python_dialect(name);
    case Language::latex:
      break;
  }
  return make_latex_dialect();
}

/// Gives every variable an identifier of its own.
class Names {
 public:
  explicit Names(const Dialect& dialect) : dialect_(dialect) {}

  std::string make(const std::string& wanted) {
    std::string base;
    for (const char c : wanted) base += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    if (base.empty() || std::isalpha(static_cast<unsigned char>(base[0])) == 0) base = "v" + base;
    while (dialect_.is_reserved(base)) base = "v" + base;
    std::string name = base;
    for (int i = 2; !taken_.insert(name).second; ++i) name = base + "_" + std::to_string(i);
    return dialect_.spell(name);
  }

  void keep(const std::string& name) { taken_.insert(name); }

 private:
  const Dialect& dialect_;
  std::unordered_set<std::string> taken_;
};

/// Name of an external function with its derivative: the only names that are part of the interface.
std::string checked_name(const Program::Call& call) {
  const std::string& name = call.external->name;
  if (is_integral(*call.external))
    throw Error("print: the co-energy of a law without a closed integral cannot be printed as code");
  if (!is_identifier(name))
    throw Error("print: the external function \"" + name + "\" has a name that is not an identifier");
  return name;
}

class Printer {
 public:
  Printer(const Program& program, Dialect& dialect) : p_(program), dialect_(dialect), names_(dialect) {}
  std::string run(const PrintOptions& options);

 private:
  void count_uses();
  void print_value(std::uint32_t k);
  Text expression(std::uint32_t k);
  int table_index(const Program::Call& call);
  bool is_inner(std::uint32_t k, const Text& text) const;

  const Program& p_;
  Dialect& dialect_;
  Names names_;
  std::vector<std::uint32_t> uses_;
  std::vector<std::vector<std::uint32_t>> outputs_;
  std::vector<Text> text_;  ///< how each value is referred to
  std::vector<const Program::Call*> tables_;
  std::string out_;
};

void Printer::count_uses() {
  uses_.assign(p_.code.size(), 0);
  outputs_.assign(p_.code.size(), {});
  for (const auto& i : p_.code)
    for (const std::uint32_t v : operands(p_, i)) ++uses_[v];
  for (std::uint32_t j = 0; j < p_.result.size(); ++j) {
    ++uses_[p_.result[j]];
    outputs_[p_.result[j]].push_back(j);
  }
}

int Printer::table_index(const Program::Call& call) {
  const auto at =
      std::find_if(tables_.begin(), tables_.end(), [&](const Program::Call* c) { return c->table == call.table; });
  if (at != tables_.end()) return static_cast<int>(at - tables_.begin());
  tables_.push_back(&call);
  return static_cast<int>(tables_.size()) - 1;
}

Text Printer::expression(std::uint32_t k) {
  const auto& i = p_.code[k];
  std::vector<Text> x;
  for (const std::uint32_t v : operands(p_, i)) x.push_back(text_[v]);
  if (i.code == Code::table) return dialect_.look_up(p_.calls[i.a], table_index(p_.calls[i.a]), x);
  if (i.code == Code::external) return dialect_.external(p_.calls[i.a], x, names_.make("x" + std::to_string(k)), out_);
  return dialect_.operation(i.code, x);
}

/// A value that is written where it is used.
bool Printer::is_inner(std::uint32_t k, const Text& text) const {
  const bool named = k < p_.label.size() && !p_.label[k].empty();
  return uses_[k] == 1 && !named && text.text.size() <= longest;
}

void Printer::print_value(std::uint32_t k) {
  const auto& i = p_.code[k];
  if (i.code == Code::constant) {
    text_[k] = dialect_.number(p_.constants[i.a]);
  } else if (i.code == Code::input) {
    const std::string variable = names_.make(p_.inputs[i.a]);
    dialect_.read_input(out_, variable, i.a);
    text_[k] = {variable};
  } else {
    Text value = expression(k);
    if (!is_inner(k, value)) {
      std::string label = k < p_.label.size() ? p_.label[k] : "";
      // the negative of a binding
      if (!label.empty() && label[0] == '-') label = label.substr(1) + "_neg";
      const std::string variable = names_.make(label.empty() ? "t" + std::to_string(k) : label);
      dialect_.assign(out_, variable, value);
      value = {variable};
    }
    text_[k] = std::move(value);
  }
  for (const std::uint32_t j : outputs_[k])
    dialect_.write_output(out_, p_.outputs[j].empty() ? "output " + std::to_string(j + 1) : p_.outputs[j], j, text_[k]);
}

std::string Printer::run(const PrintOptions& options) {
  count_uses();
  // functions of the user keep their names
  for (const Program::Call& call : p_.calls)
    if (call.external) names_.keep(checked_name(call)), names_.keep(checked_name(call) + "_derivative");
  text_.resize(p_.code.size());
  for (std::uint32_t k = 0; k < p_.code.size(); ++k) print_value(k);
  return dialect_.wrap(p_, options, tables_, out_);
}

}  // namespace

std::string enclose(const Text& x, Text::Binding limit) { return x.binding >= limit ? "(" + x.text + ")" : x.text; }

std::string join(std::span<const Text> x) {
  std::string text;
  for (const Text& t : x) text += (text.empty() ? "" : ", ") + t.text;
  return text;
}

std::string join(std::span<const double> x, const Dialect& dialect) {
  std::string text;
  for (const double v : x) text += (text.empty() ? "" : ", ") + dialect.number(v).text;
  return text;
}

std::string comment(const std::string& text, const std::string& prefix) {
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out += prefix;
    // what could end or continue a comment is left out
    for (const char c : text.substr(begin, end - begin))
      if (std::isprint(static_cast<unsigned char>(c)) != 0 && c != '*' && c != '\\') out += c;
    out += '\n';
    begin = end + 1;
  }
  return out;
}

std::string replace_at(std::string_view text, const std::string& prefix) {
  std::string out;
  for (const char c : text) c == '@' ? out += prefix : out += c;
  return out;
}

Dialect::Place Dialect::find_place(const std::vector<ArrayArgument>& arrays, std::size_t index) {
  for (const ArrayArgument& a : arrays) {
    if (index < a.size) return {a.name, index};
    index -= a.size;
  }
  throw std::logic_error("an input or output is in no array");
}

Text Dialect::write_condition(Program::Code code, std::span<const Text> x, const char* both, const char* either,
                              const Choice& choose) {
  using Code = Program::Code;
  const auto term = [&](std::size_t i) { return enclose(x[i], Text::sum); };
  const auto compare = [&](const char* by) { return Text{choose(term(0) + by + term(1), "1.0", "0.0")}; };
  const auto join_tests = [&](const char* by) {
    return Text{choose(term(0) + " != 0" + by + term(1) + " != 0", "1.0", "0.0")};
  };
  switch (code) {
    case Code::less:
      return compare(" < ");
    case Code::less_equal:
      return compare(" <= ");
    case Code::equal:
      return compare(" == ");
    case Code::logical_and:
      return join_tests(both);
    case Code::logical_or:
      return join_tests(either);
    case Code::logical_not:
      return {choose(term(0) + " == 0", "1.0", "0.0")};
    default:
      return {choose(term(0) + " != 0", term(1), term(2))};
  }
}

std::string Dialect::list(const std::vector<ArrayArgument>& arrays,
                          const std::function<std::string(const ArrayArgument&)>& spell) {
  std::string text;
  for (const ArrayArgument& a : arrays) text += (text.empty() ? "" : ", ") + spell(a);
  return text;
}

bool Dialect::is_argument(const std::string& word) const {
  const auto is_same = [&](const ArrayArgument& a) { return a.name == word; };
  return std::any_of(inputs_.begin(), inputs_.end(), is_same) || std::any_of(outputs_.begin(), outputs_.end(), is_same);
}

void Dialect::check_callable(const External& function) {
  if (function.is_local)
    throw Error("function " + function.name +
                " has several values or a context, which live in this program: it cannot be written as code");
}

Text Dialect::number(double value) const {
  std::string text = format_number(value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return {text, value < 0 ? Text::sum : Text::atom};
}

Text Dialect::operation(Code code, std::span<const Text> x) {
  switch (code) {
    case Code::add:
      return {x[0].text + " + " + enclose(x[1], Text::sum), Text::sum};
    case Code::sub:
      return {x[0].text + " - " + enclose(x[1], Text::sum), Text::sum};
    case Code::mul:
      return {enclose(x[0], Text::sum) + "*" + enclose(x[1], Text::product), Text::product};
    case Code::div:
      return {enclose(x[0], Text::sum) + "/" + enclose(x[1], Text::product), Text::product};
    case Code::neg:
      return {"-" + enclose(x[0], Text::sum), Text::sum};
    case Code::less:
    case Code::less_equal:
    case Code::equal:
    case Code::logical_and:
    case Code::logical_or:
    case Code::logical_not:
    case Code::select:
      return condition(code, x);
    default:
      return {function(code) + "(" + join(x) + ")"};
  }
}

std::string print(const Program& program, Language language, const PrintOptions& options) {
  if (!is_identifier(options.name))
    throw Error("print: \"" + options.name + "\" is not a function name; it must be letters, digits and underscores");
  const std::unique_ptr<Dialect> dialect = make_dialect(language, options.name);
  for (const auto* arrays : {&options.inputs, &options.outputs})
    for (const ArrayArgument& a : *arrays)
      if (!is_identifier(a.name))
        throw Error("print: \"" + a.name +
                    "\" is not the name of an array; it must be letters, digits and underscores");
  dialect->set_arguments(
      options.inputs.empty() ? std::vector<ArrayArgument>{{dialect->input_name(), program.inputs.size()}}
                             : options.inputs,
      options.outputs.empty() ? std::vector<ArrayArgument>{{"out", program.outputs.size()}} : options.outputs);
  return Printer(program, *dialect).run(options);
}

}  // namespace coenergy::symbolic
