#include <array>
#include <cmath>

#include "coenergy/base/names.hpp"
#include "coenergy/symbolic/graph_impl.hpp"
#include "coenergy/symbolic/op_name.hpp"

namespace coenergy::symbolic {

std::string_view op_name(Op op) {
  static constexpr std::array<std::string_view, 34> names = {
      "number",      "symbol",     "sum",         "product", "let",   "sin",      "cos",  "tan",        "asin",
      "acos",        "atan",       "sinh",        "cosh",    "tanh",  "exp",      "log",  "sqrt",       "abs",
      "sign",        "floor",      "atan2",       "pow",     "min",   "max",      "less", "less_equal", "equal",
      "logical_and", "logical_or", "logical_not", "select",  "table", "external", ""};
  static_assert(static_cast<std::size_t>(Op::external) + 2 == names.size());
  return names[static_cast<std::size_t>(op)];
}

namespace {

using Impl = Graph::Impl;

// how tightly a piece of text binds: what is weaker than its place gets parentheses
enum Strength { of_sum, of_product, of_power, of_atom };

// a piece of text or a node still to be written, on an explicit stack because expressions may be very deep
struct Piece {
  std::string text;
  Id node = 0;
  Strength place = of_sum;
  bool is_node = false;
};

class Writer {
 public:
  Writer(const Impl& g, std::size_t limit) : g_(g), limit_(limit) {}

  std::string write(Id id) {
    node(id, of_sum);
    flush();
    while (!stack_.empty()) {
      if (out_.size() > limit_) return out_ + "...";
      const Piece p = std::move(stack_.back());
      stack_.pop_back();
      if (!p.is_node) {
        out_ += p.text;
        continue;
      }
      expand(p.node, p.place);
      flush();
    }
    return out_;
  }

 private:
  void text(std::string s) { pending_.push_back({std::move(s)}); }
  void node(Id id, Strength place) { pending_.push_back({{}, id, place, true}); }
  // pieces were listed in reading order; the stack wants them reversed
  void flush() {
    for (std::size_t i = pending_.size(); i-- > 0;) stack_.push_back(std::move(pending_[i]));
    pending_.clear();
  }

  void expand(Id id, Strength place) {
    switch (g_.op(id)) {
      case Op::number:
        return number(id, place);
      case Op::symbol:
      case Op::let:
        return text(std::string(g_.name(id)));
      case Op::sum:
        return sum(id, place);
      case Op::product:
        return product(id, place);
      default:
        return call(id);
    }
  }

  void number(Id id, Strength place) {
    const Number n = g_.number(id);
    const bool weak = n.is_negative() ? place > of_sum : (!n.is_integer() && n.exact && place > of_product);
    text(weak ? "(" + to_string(n) + ")" : to_string(n));
  }

  void call(Id id) {
    std::string head(op_name(g_.op(id)));
    if (g_.op(id) == Op::table) {
      head = g_.graph.table_of(id)->name;
      for (int axis = 0; axis < 2; ++axis)
        for (int k = g_.graph.table_derivative(id, axis); k > 0; --k) head += axis == 0 ? "_dx" : "_dy";
    } else if (g_.op(id) == Op::external) {
      head = g_.graph.external_of(id)->name;
      if (g_.graph.external_derivative(id) >= 0) head += "_d" + std::to_string(g_.graph.external_derivative(id));
    }
    text(head + "(");
    bool first = true;
    for (const Id a : g_.arguments(id)) {
      if (!first) text(", ");
      node(a, of_sum);
      first = false;
    }
    text(")");
  }

  // |c|·t after its sign is written
  void scaled(Id c, Id t) {
    Number n = g_.number(c);
    if (n.is_negative()) n = -n;
    if (n.is_integer() && n.n == 1) return node(t, of_product);
    // a fraction divides: a/2, 2*a/3; a product would read as a divisor's factor otherwise
    if (n.exact && n.d != 1 && g_.op(t) != Op::product) {
      if (n.n != 1) text(std::to_string(n.n) + "*");
      node(t, of_power);
      return text("/" + std::to_string(n.d));
    }
    text(n.exact && n.d != 1 ? "(" + to_string(n) + ")*" : to_string(n) + "*");
    node(t, of_product);
  }

  void sum(Id id, Strength place) {
    const auto a = g_.arguments(id);
    const bool is_scaled_term = a.size() == 3 && a[0] == zero;
    const bool negative = is_scaled_term && g_.is_negative(a[1]);
    const bool parentheses = is_scaled_term && !negative ? place > of_product : place > of_sum;
    if (parentheses) text("(");
    // start with a positive term where there is one; the constant comes last
    std::size_t lead = 1;
    while (lead < a.size() && g_.is_negative(a[lead])) lead += 2;
    const bool constant_leads = lead >= a.size() && a[0] != zero && !g_.is_negative(a[0]);
    if (constant_leads)
      node(a[0], of_sum);
    else if (lead >= a.size())
      lead = 1, text("-"), scaled(a[1], a[2]);
    else
      scaled(a[lead], a[lead + 1]);
    for (std::size_t i = 1; i < a.size(); i += 2) {
      if (i == lead && !constant_leads) continue;
      text(g_.is_negative(a[i]) ? " - " : " + ");
      scaled(a[i], a[i + 1]);
    }
    if (a[0] != zero && !constant_leads) {
      const Number c = g_.number(a[0]);
      text(c.is_negative() ? " - " + to_string(-c) : " + " + to_string(c));
    }
    if (parentheses) text(")");
  }

  void powers(Id id, bool numerator) {
    const auto a = g_.arguments(id);
    bool first = true;
    for (std::size_t i = 0; i < a.size(); i += 2) {
      const long n = static_cast<std::int32_t>(a[i + 1]);
      if ((n > 0) != numerator) continue;
      if (!first) text("*");
      first = false;
      const long power = std::abs(n);
      node(a[i], power == 1 && numerator ? of_power : of_atom);
      if (power != 1) text("^" + std::to_string(power));
    }
    if (first && numerator) text("1");
  }

  void product(Id id, Strength place) {
    const auto a = g_.arguments(id);
    int divisors = 0;
    for (std::size_t i = 1; i < a.size(); i += 2) divisors += static_cast<std::int32_t>(a[i]) < 0;
    const bool is_power = a.size() == 2 && divisors == 0;
    const bool parentheses = place > (is_power ? of_power : of_product);
    if (parentheses) text("(");
    powers(id, true);
    if (divisors > 0) text(divisors > 1 ? "/(" : "/");
    if (divisors > 0) powers(id, false);
    if (divisors > 1) text(")");
    if (parentheses) text(")");
  }

  const Impl& g_;
  std::size_t limit_;
  std::string out_;
  std::vector<Piece> stack_, pending_;
};

}  // namespace

std::string Graph::Impl::text(Id id, std::size_t limit) const { return Writer(*this, limit).write(id); }

std::string to_string(const Expr& e) {
  constexpr std::size_t longest = 1 << 20;
  if (e.graph() == nullptr)
    return std::isfinite(e.number()) ? to_string(Number::real(e.number())) : format_number(e.number());
  return e.graph()->impl().text(e.id(), longest);
}

}  // namespace coenergy::symbolic
