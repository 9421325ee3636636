#include <unordered_set>

#include "coenergy/symbolic/dialect.hpp"

namespace coenergy::symbolic {

using Code = Program::Code;

namespace {

constexpr std::string_view select_code = R"(
function r = @_select(c, a, b)
  if c ~= 0
    r = a;
  else
    r = b;
  end
end
)";

/// Table look-up, as Table::evaluate does it; v and w weigh values and second derivatives of the ends of a cell.
constexpr std::string_view table_code = R"(
function [cell, v, w] = @_weights(grid, cubic, x, order)
  n = numel(grid);
  cell = 1;
  while cell < n - 1 && ~(x < grid(cell + 1))
    cell = cell + 1;
  end
  h = grid(cell + 1) - grid(cell);
  last = min(max(x, grid(1)), grid(n));
  t = (last - grid(cell))/h;
  if last ~= x
    t = double(x > grid(1));
  end
  s = 1 - t;
  v = [0, 0];
  w = [0, 0];
  dv = [-1/h, 1/h];
  dw = cubic*[(1 - 3*s*s)*h/6, (3*t*t - 1)*h/6];
  if order == 0
    v = [s, t] + (x - last)*dv*(last ~= x);
    w = cubic*[(s*s*s - s)*h*h/6, (t*t*t - t)*h*h/6] + (x - last)*dw*(last ~= x);
  elseif order == 1
    v = dv;
    w = dw;
  elseif cubic && last == x && order == 2
    w = [s, t];
  elseif cubic && last == x && order == 3
    w = [-1/h, 1/h];
  end
end

function r = @_look_up(xs, ys, values, second, x, y, dx, dy)
  cubic = ~isempty(second);
  [i, v, w] = @_weights(xs, cubic, x, dx);
  if isempty(ys)
    r = 0;
    if dy == 0
      r = v(1)*values(i) + v(2)*values(i + 1);
      if cubic
        r = r + (w(1)*second(i) + w(2)*second(i + 1));
      end
    end
    return
  end
  [j, vy, wy] = @_weights(ys, cubic, y, dy);
  n = numel(values);
  r = 0;
  for p = 1:2
    for q = 1:2
      k = (i + p - 2)*numel(ys) + j + q - 1;
      r = r + v(p)*vy(q)*values(k);
      if cubic
        r = r + (w(p)*vy(q)*second(k) + v(p)*wy(q)*second(n + k) + w(p)*wy(q)*second(2*n + k));
      end
    end
  end
end
)";

const std::unordered_set<std::string>& reserved_words() {
  static const std::unordered_set<std::string> words = {
      "in",     "out",      "break",    "case",     "catch",   "classdef",  "continue",       "else",        "elseif",
      "end",    "for",      "function", "global",   "if",      "otherwise", "parfor",         "persistent",  "return",
      "spmd",   "switch",   "try",      "while",    "do",      "until",     "unwind_protect", "endfunction", "endif",
      "endfor", "endwhile", "sin",      "cos",      "tan",     "asin",      "acos",           "atan",        "atan2",
      "sinh",   "cosh",     "tanh",     "exp",      "sqrt",    "abs",       "sign",           "floor",       "min",
      "max",    "double",   "zeros",    "realsqrt", "reallog", "realpow"};
  return words;
}

class MatlabDialect : public Dialect {
 public:
  explicit MatlabDialect(std::string prefix) : prefix_(std::move(prefix)) {}

  Text look_up(const Program::Call& call, int table, std::span<const Text> x) override {
    const std::string t = prefix_ + "_t" + std::to_string(table);
    return {prefix_ + "_look_up(" + t + "_x, " + t + "_y, " + t + "_values, " + t + "_second, " + x[0].text + ", " +
            (x.size() > 1 ? x[1].text : "0") + ", " + std::to_string(call.dx) + ", " + std::to_string(call.dy) + ")"};
  }

  Text external(const Program::Call& call, std::span<const Text> x, const std::string&, std::string&) override {
    check_callable(*call.external);
    if (call.dx < 0) return {call.external->name + "([" + join(x) + "])"};
    return {call.external->name + "_derivative([" + join(x) + "], " + std::to_string(call.dx + 1) + ")"};
  }

  void assign(std::string& out, const std::string& variable, const Text& value) override {
    out += "  " + variable + " = " + value.text + ";\n";
  }
  void read_input(std::string& out, const std::string& variable, std::size_t index) override {
    const Place at = find_place(inputs_, index);
    out += "  " + variable + " = " + at.array + "(" + std::to_string(at.index + 1) + ");\n";
  }
  void write_output(std::string& out, const std::string& name, std::size_t index, const Text& value) override {
    const Place at = find_place(outputs_, index);
    out += "  " + at.array + "(" + std::to_string(at.index + 1) + ") = " + value.text + ";" + comment(name, "  % ");
  }

  std::string wrap(const Program&, const PrintOptions& options, std::span<const Program::Call* const> tables,
                   const std::string& statements) override {
    const auto plain = [](const ArrayArgument& a) { return a.name; };
    const std::string results = list(outputs_, plain);
    std::string out = comment(options.header, "% ") + "function " +
                      (outputs_.size() > 1 ? "[" + results + "]" : results) + " = " + options.name + "(" +
                      list(inputs_, plain) + ")\n";
    for (const ArrayArgument& a : outputs_) out += "  " + a.name + " = zeros(" + std::to_string(a.size) + ", 1);\n";
    for (std::size_t i = 0; i < tables.size(); ++i) {
      const Table& t = *tables[i]->table;
      const std::string name = "  " + prefix_ + "_t" + std::to_string(i);
      out += name + "_x = [" + join(t.x, *this) + "];\n" + name + "_y = [" + join(t.y, *this) + "];\n";
      out +=
          name + "_values = [" + join(t.values, *this) + "];\n" + name + "_second = [" + join(t.second, *this) + "];\n";
    }
    out += statements + "end\n";
    if (statements.find(prefix_ + "_select(") != std::string::npos) out += replace_at(select_code, prefix_);
    if (!tables.empty()) out += replace_at(table_code, prefix_);
    return out;
  }

  bool is_reserved(const std::string& word) const override {
    return reserved_words().contains(word) || is_argument(word) || word == prefix_ || word.starts_with(prefix_ + "_");
  }

 protected:
  // the real functions refuse what would be complex
  std::string function(Code code) const override {
    switch (code) {
      case Code::sqrt:
        return "realsqrt";
      case Code::log:
        return "reallog";
      case Code::pow:
        return "realpow";
      default:
        return std::string(name(code));
    }
  }

  Text condition(Code code, std::span<const Text> x) override {
    const auto term = [&](std::size_t i) { return enclose(x[i], Text::sum); };
    switch (code) {
      case Code::less:
        return {"double(" + term(0) + " < " + term(1) + ")"};
      case Code::less_equal:
        return {"double(" + term(0) + " <= " + term(1) + ")"};
      case Code::equal:
        return {"double(" + term(0) + " == " + term(1) + ")"};
      case Code::logical_and:
        return {"double(" + term(0) + " ~= 0 && " + term(1) + " ~= 0)"};
      case Code::logical_or:
        return {"double(" + term(0) + " ~= 0 || " + term(1) + " ~= 0)"};
      case Code::logical_not:
        return {"double(" + term(0) + " == 0)"};
      default:
        return {prefix_ + "_select(" + join(x) + ")"};
    }
  }

 private:
  std::string prefix_;
};

}  // namespace

std::unique_ptr<Dialect> make_matlab_dialect(const std::string& prefix) {
  return std::make_unique<MatlabDialect>(prefix);
}

}  // namespace coenergy::symbolic
