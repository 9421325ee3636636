#include <set>
#include <unordered_set>

#include "coenergy/symbolic/dialect.hpp"

namespace coenergy::symbolic {

using Code = Program::Code;

namespace {

/// Table look-up, as Table::evaluate does it.
constexpr std::string_view table_code = R"(
static int @_weights(const double* grid, int n, int cubic, double x, int order, double* r) {
  int low = 1, high = n - 1, cell, k;
  double h, t, s, end = x, slope[4];
  while (low < high) {
    const int middle = (low + high) / 2;
    if (x < grid[middle]) high = middle; else low = middle + 1;
  }
  cell = low - 1;
  h = grid[cell + 1] - grid[cell];
  if (x < grid[0]) end = grid[0];
  if (x > grid[n - 1]) end = grid[n - 1];
  t = (end - grid[cell])/h;
  if (end != x) t = x < grid[0] ? 0.0 : 1.0;
  s = 1 - t;
  for (k = 0; k < 4; ++k) r[k] = slope[k] = 0;
  slope[0] = -1/h, slope[1] = 1/h;
  if (cubic) slope[2] = (1 - 3*s*s)*h/6, slope[3] = (3*t*t - 1)*h/6;
  if (order == 0) {
    r[0] = s, r[1] = t;
    if (cubic) r[2] = (s*s*s - s)*h*h/6, r[3] = (t*t*t - t)*h*h/6;
    if (end != x) for (k = 0; k < 4; ++k) r[k] += slope[k]*(x - end);
  } else if (order == 1) {
    for (k = 0; k < 4; ++k) r[k] = slope[k];
  } else if (cubic && end == x) {
    if (order == 2) r[2] = s, r[3] = t;
    if (order == 3) r[2] = -1/h, r[3] = 1/h;
  }
  return cell;
}

static double @_look_up(const double* xs, int nx, const double* ys, int ny, const double* values, const double* second,
                        double x, double y, int dx, int dy) {
  double a[4], b[4], r = 0;
  int p, q, n = nx*ny, i = @_weights(xs, nx, second != 0, x, dx, a), j;
  if (ny == 1) {
    if (dy > 0) return 0;
    r = a[0]*values[i] + a[1]*values[i + 1];
    return second ? r + (a[2]*second[i] + a[3]*second[i + 1]) : r;
  }
  j = @_weights(ys, ny, second != 0, y, dy, b);
  for (p = 0; p < 2; ++p)
    for (q = 0; q < 2; ++q) {
      const int k = (i + p)*ny + j + q;
      r += a[p]*b[q]*values[k];
      if (second) r += a[2 + p]*b[q]*second[k] + a[p]*b[2 + q]*second[n + k] + a[2 + p]*b[2 + q]*second[2*n + k];
    }
  return r;
}
)";

constexpr std::pair<std::string_view, std::string_view> helpers[] = {
    {"@_min(", "\nstatic double @_min(double a, double b) { return a < b ? a : b; }\n"},
    {"@_max(", "\nstatic double @_max(double a, double b) { return a > b ? a : b; }\n"},
    {"@_sign(", "\nstatic double @_sign(double a) { return (a > 0 ? 1.0 : 0.0) - (a < 0 ? 1.0 : 0.0); }\n"}};

const std::unordered_set<std::string>& reserved_words() {
  static const std::unordered_set<std::string> words = {
      "in",       "out",          "auto",     "break",     "case",      "char",      "const",         "continue",
      "default",  "do",           "double",   "else",      "enum",      "extern",    "float",         "for",
      "goto",     "if",           "inline",   "int",       "long",      "register",  "restrict",      "return",
      "short",    "signed",       "sizeof",   "static",    "struct",    "switch",    "typedef",       "union",
      "unsigned", "void",         "volatile", "while",     "and",       "or",        "not",           "xor",
      "bool",     "catch",        "class",    "delete",    "explicit",  "export",    "false",         "friend",
      "mutable",  "namespace",    "new",      "operator",  "private",   "protected", "public",        "template",
      "this",     "throw",        "true",     "try",       "typeid",    "typename",  "using",         "virtual",
      "concept",  "requires",     "nullptr",  "decltype",  "constexpr", "noexcept",  "sin",           "cos",
      "tan",      "asin",         "acos",     "atan",      "atan2",     "sinh",      "cosh",          "tanh",
      "exp",      "log",          "sqrt",     "fabs",      "floor",     "pow",       "std",           "y0",
      "y1",       "yn",           "j0",       "j1",        "jn",        "gamma",     "signgam",       "asm",
      "linux",    "unix",         "char8_t",  "char16_t",  "char32_t",  "wchar_t",   "static_assert", "alignas",
      "alignof",  "thread_local", "co_await", "co_return", "co_yield",  "assert"};
  return words;
}

class CDialect : public Dialect {
 public:
  CDialect(bool cpp, std::string prefix) : cpp_(cpp), prefix_(std::move(prefix)) {}

  Text look_up(const Program::Call& call, int table, std::span<const Text> x) override {
    const std::string t = prefix_ + "_t" + std::to_string(table);
    const Table& data = *call.table;
    const bool plane = !data.y.empty();
    return {prefix_ + "_look_up(" + t + "_x, " + std::to_string(data.x.size()) + ", " + (plane ? t + "_y" : "0") +
            ", " + std::to_string(plane ? data.y.size() : 1) + ", " + t + "_values, " +
            (data.second.empty() ? "0" : t + "_second") + ", " + x[0].text + ", " + (plane ? x[1].text : "0.0") + ", " +
            std::to_string(call.dx) + ", " + std::to_string(call.dy) + ")"};
  }

  Text external(const Program::Call& call, std::span<const Text> x, const std::string& scratch,
                std::string& out) override {
    check_callable(*call.external);
    externals_.insert(call.external->name);
    out += "  const double " + scratch + "[] = {" + join(x) + "};\n";
    if (call.dx < 0) return {call.external->name + "(" + scratch + ")"};
    return {call.external->name + "_derivative(" + scratch + ", " + std::to_string(call.dx) + ")"};
  }

  void assign(std::string& out, const std::string& variable, const Text& value) override {
    out += "  const double " + variable + " = " + value.text + ";\n";
  }
  void read_input(std::string& out, const std::string& variable, std::size_t index) override {
    const Place at = find_place(inputs_, index);
    out += "  const double " + variable + " = " + at.array + "[" + std::to_string(at.index) + "];\n";
  }
  void write_output(std::string& out, const std::string& name, std::size_t index, const Text& value) override {
    const Place at = find_place(outputs_, index);
    out += "  " + at.array + "[" + std::to_string(at.index) + "] = " + value.text + ";" + comment(name, "  // ");
  }

  std::string wrap(const Program&, const PrintOptions& options, std::span<const Program::Call* const> tables,
                   const std::string& statements) override {
    std::string out = comment(options.header, "// ") + (cpp_ ? "#include <cmath>\n" : "#include <math.h>\n");
    for (const auto& [call, code] : helpers)
      if (statements.find(replace_at(call, prefix_)) != std::string::npos) out += replace_at(code, prefix_);
    if (!tables.empty()) out += replace_at(table_code, prefix_);
    for (std::size_t i = 0; i < tables.size(); ++i) {
      const Table& t = *tables[i]->table;
      const std::string name = "static const double " + prefix_ + "_t" + std::to_string(i);
      out += name + "_x[] = {" + join(t.x, *this) + "};\n";
      if (!t.y.empty()) out += name + "_y[] = {" + join(t.y, *this) + "};\n";
      out += name + "_values[] = {" + join(t.values, *this) + "};\n";
      if (!t.second.empty()) out += name + "_second[] = {" + join(t.second, *this) + "};\n";
    }
    const std::string linkage = cpp_ ? "extern \"C\" " : "extern ";
    for (const std::string& name : externals_)
      out += linkage + "double " + name + "(const double* x);\n" + linkage + "double " + name +
             "_derivative(const double* x, int k);\n";
    const std::string pointer = cpp_ ? "* __restrict " : "* restrict ";
    out += "\nvoid " + options.name + "(" +
           list(inputs_, [&](const ArrayArgument& a) { return "const double" + pointer + a.name; }) + ", " +
           list(outputs_, [&](const ArrayArgument& a) { return "double" + pointer + a.name; }) + ") {\n";
    for (const ArrayArgument& a : inputs_)
      if (statements.find(" " + a.name + "[") == std::string::npos) out += "  (void)" + a.name + ";\n";
    return out + statements + "}\n";
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
      default:
        return (cpp_ ? "std::" : "") + std::string(code == Code::abs ? "fabs" : name(code));
    }
  }

  Text condition(Code code, std::span<const Text> x) override {
    return write_condition(code, x, " && ", " || ", [](const auto& test, const auto& yes, const auto& no) {
      return "(" + test + " ? " + yes + " : " + no + ")";
    });
  }

 private:
  bool cpp_;
  std::string prefix_;
  std::set<std::string> externals_;
};

}  // namespace

std::unique_ptr<Dialect> make_c_dialect(bool cpp, const std::string& prefix) {
  return std::make_unique<CDialect>(cpp, prefix);
}

}  // namespace coenergy::symbolic
