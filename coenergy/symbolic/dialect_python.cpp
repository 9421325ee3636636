#include <unordered_set>

#include "coenergy/symbolic/dialect.hpp"

namespace coenergy::symbolic {

using Code = Program::Code;

namespace {

constexpr std::string_view helper_code = R"(
def @_min(a, b):
    return a if a < b else b


def @_max(a, b):
    return a if a > b else b


def @_sign(a):
    return (1.0 if a > 0 else 0.0) - (1.0 if a < 0 else 0.0)

)";

/// Table look-up, as Table::evaluate does it; v and w weigh values and second derivatives of the ends of a cell.
constexpr std::string_view table_code = R"(
def @_weights(grid, cubic, x, order):
    cell = 0
    while cell < len(grid) - 2 and not x < grid[cell + 1]:
        cell += 1
    h = grid[cell + 1] - grid[cell]
    end = min(max(x, grid[0]), grid[-1])
    outside = end != x
    t = (end - grid[cell])/h
    if outside:
        t = 1.0 if x > grid[0] else 0.0
    s = 1 - t
    dv = [-1/h, 1/h]
    dw = [(1 - 3*s*s)*h/6, (3*t*t - 1)*h/6] if cubic else [0.0, 0.0]
    if order == 0:
        v = [s, t]
        w = [(s*s*s - s)*h*h/6, (t*t*t - t)*h*h/6] if cubic else [0.0, 0.0]
        if outside:
            v = [v[k] + dv[k]*(x - end) for k in range(2)]
            w = [w[k] + dw[k]*(x - end) for k in range(2)]
        return cell, v, w
    if order == 1:
        return cell, dv, dw
    if cubic and not outside and order == 2:
        return cell, [0.0, 0.0], [s, t]
    if cubic and not outside and order == 3:
        return cell, [0.0, 0.0], [-1/h, 1/h]
    return cell, [0.0, 0.0], [0.0, 0.0]


def @_look_up(xs, ys, values, second, x, y, dx, dy):
    i, v, w = @_weights(xs, bool(second), x, dx)
    if not ys:
        if dy > 0:
            return 0.0
        r = v[0]*values[i] + v[1]*values[i + 1]
        return r + (w[0]*second[i] + w[1]*second[i + 1]) if second else r
    j, vy, wy = @_weights(ys, bool(second), y, dy)
    n = len(values)
    r = 0.0
    for p in range(2):
        for q in range(2):
            k = (i + p)*len(ys) + j + q
            r += v[p]*vy[q]*values[k]
            if second:
                r += w[p]*vy[q]*second[k] + v[p]*wy[q]*second[n + k] + w[p]*wy[q]*second[2*n + k]
    return r

)";

const std::unordered_set<std::string>& reserved_words() {
  static const std::unordered_set<std::string> words = {
      "inp",   "out",   "math",   "False",    "None",   "True",  "and",  "as",     "assert",   "async",
      "await", "break", "class",  "continue", "def",    "del",   "elif", "else",   "except",   "finally",
      "for",   "from",  "global", "if",       "import", "in",    "is",   "lambda", "nonlocal", "not",
      "or",    "pass",  "raise",  "return",   "try",    "while", "with", "yield",  "float",    "abs",
      "min",   "max",   "len",    "range",    "bool",   "match", "case"};
  return words;
}

class PythonDialect : public Dialect {
 public:
  explicit PythonDialect(std::string prefix) : prefix_(std::move(prefix)) {}
  const char* input_name() const override { return "inp"; }

  Text look_up(const Program::Call& call, int table, std::span<const Text> x) override {
    const std::string t = prefix_ + "_t" + std::to_string(table);
    return {prefix_ + "_look_up(*" + t + ", " + x[0].text + ", " + (x.size() > 1 ? x[1].text : "0.0") + ", " +
            std::to_string(call.dx) + ", " + std::to_string(call.dy) + ")"};
  }

  Text external(const Program::Call& call, std::span<const Text> x, const std::string&, std::string&) override {
    check_callable(*call.external);
    if (call.dx < 0) return {call.external->name + "([" + join(x) + "])"};
    return {call.external->name + "_derivative([" + join(x) + "], " + std::to_string(call.dx) + ")"};
  }

  void assign(std::string& out, const std::string& variable, const Text& value) override {
    out += "    " + variable + " = " + value.text + "\n";
  }
  void read_input(std::string& out, const std::string& variable, std::size_t index) override {
    const Place at = find_place(inputs_, index);
    out += "    " + variable + " = " + at.array + "[" + std::to_string(at.index) + "]\n";
  }
  void write_output(std::string& out, const std::string& name, std::size_t index, const Text& value) override {
    const Place at = find_place(outputs_, index);
    out += "    " + at.array + "[" + std::to_string(at.index) + "] = " + value.text + comment(name, "  # ");
  }

  std::string wrap(const Program&, const PrintOptions& options, std::span<const Program::Call* const> tables,
                   const std::string& statements) override {
    std::string out = comment(options.header, "# ") + "import math\n\n";
    if (statements.find(prefix_ + "_m") != std::string::npos ||
        statements.find(prefix_ + "_sign(") != std::string::npos)
      out += replace_at(helper_code, prefix_);
    if (!tables.empty()) out += replace_at(table_code, prefix_);
    for (std::size_t i = 0; i < tables.size(); ++i) {
      const Table& t = *tables[i]->table;
      out += prefix_ + "_t" + std::to_string(i) + " = ([" + join(t.x, *this) + "], [" + join(t.y, *this) + "], [" +
             join(t.values, *this) + "], [" + join(t.second, *this) + "])\n";
    }
    const auto plain = [](const ArrayArgument& a) { return a.name; };
    out += "\ndef " + options.name + "(" + list(inputs_, plain) + "):\n";
    for (const ArrayArgument& a : outputs_) out += "    " + a.name + " = [0.0]*" + std::to_string(a.size) + "\n";
    return out + statements + "    return " + list(outputs_, plain) + "\n";
  }

  bool is_reserved(const std::string& word) const override {
    return reserved_words().contains(word) || is_argument(word) || word == prefix_ || word.starts_with(prefix_ + "_");
  }

 protected:
  std::string function(Code code) const override {
    switch (code) {
      case Code::min:
        return prefix_ + "_min";
      case Code::max:
        return prefix_ + "_max";
      case Code::sign:
        return prefix_ + "_sign";
      case Code::abs:
        return "math.fabs";
      default:
        return "math." + std::string(name(code));
    }
  }

  Text condition(Code code, std::span<const Text> x) override {
    return write_condition(code, x, " and ", " or ", [](const auto& test, const auto& yes, const auto& no) {
      return "(" + yes + " if " + test + " else " + no + ")";
    });
  }

 private:
  std::string prefix_;
};

}  // namespace

std::unique_ptr<Dialect> make_python_dialect(const std::string& prefix) {
  return std::make_unique<PythonDialect>(prefix);
}

}  // namespace coenergy::symbolic
