#include <algorithm>

#include "coenergy/base/error.hpp"
#include "coenergy/symbolic/lowering.hpp"
#include "coenergy/symbolic/traverse.hpp"

namespace coenergy::symbolic {

using Code = Program::Code;
using lowering::Dag;
using lowering::Ref;

namespace {

Code code_of(Op op) {
  switch (op) {
    case Op::sin:
      return Code::sin;
    case Op::cos:
      return Code::cos;
    case Op::tan:
      return Code::tan;
    case Op::asin:
      return Code::asin;
    case Op::acos:
      return Code::acos;
    case Op::atan:
      return Code::atan;
    case Op::sinh:
      return Code::sinh;
    case Op::cosh:
      return Code::cosh;
    case Op::tanh:
      return Code::tanh;
    case Op::exp:
      return Code::exp;
    case Op::log:
      return Code::log;
    case Op::sqrt:
      return Code::sqrt;
    case Op::abs:
      return Code::abs;
    case Op::sign:
      return Code::sign;
    case Op::floor:
      return Code::floor;
    case Op::atan2:
      return Code::atan2;
    case Op::pow:
      return Code::pow;
    case Op::min:
      return Code::min;
    case Op::max:
      return Code::max;
    case Op::less:
      return Code::less;
    case Op::less_equal:
      return Code::less_equal;
    case Op::equal:
      return Code::equal;
    case Op::logical_and:
      return Code::logical_and;
    case Op::logical_or:
      return Code::logical_or;
    case Op::logical_not:
      return Code::logical_not;
    default:
      return Code::select;
  }
}

/// Rewrites the part of a graph that the outputs need as a Dag.
class Builder {
 public:
  Builder(Graph& graph, Program& program)
      : g_(graph), program_(program), input_(graph.impl()), ref_(graph.impl()), uses_(graph.impl()) {}

  Dag build(std::span<const Expr> inputs, std::span<const NamedExpr> outputs);

 private:
  void read_inputs(std::span<const Expr> inputs);
  void check_symbols(std::span<const Id> nodes) const;
  Ref convert(Id id);
  Ref convert_sum(Id id);
  Ref convert_product(Id id);
  Ref convert_call(Id id);
  void factor(Id base, std::uint32_t exponent, std::vector<Ref>& list);
  std::string binding_of(Id node) const;

  Graph& g_;
  Program& program_;
  Dag dag_;
  NodeMap input_, ref_, uses_;
  std::vector<Id> nodes_;
};

void Builder::read_inputs(std::span<const Expr> inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Expr& e = inputs[i];
    if (e.graph() == nullptr || e.op() != Op::symbol)
      throw Error("input " + std::to_string(i + 1) + " is " + to_string(e) + "; an input must be a symbol");
    if (input_.has(e.id()))
      throw Error("input " + std::to_string(i + 1) + ": " + std::string(g_.name(e.id())) + " is given twice");
    input_.set(e.id(), static_cast<Id>(i));
    program_.inputs.emplace_back(g_.name(e.id()));
  }
}

void Builder::check_symbols(std::span<const Id> nodes) const {
  ErrorList errors;
  for (const Id id : nodes) {
    if (g_.op(id) != Op::symbol || input_.has(id)) continue;
    const std::string name(g_.name(id));
    errors.add({}, "symbol " + name + " is used but is not an input" + did_you_mean(name, program_.inputs));
  }
  errors.throw_if_any();
}

Dag Builder::build(std::span<const Expr> inputs, std::span<const NamedExpr> outputs) {
  read_inputs(inputs);
  std::vector<Expr> values;
  for (const NamedExpr& o : outputs) values.push_back(o.value);
  const std::vector<Id> roots = ids_of(g_.impl(), values);
  nodes_ = reachable(g_.impl(), roots);
  check_symbols(nodes_);

  // uses of each node in the graph; outputs count
  Buffer<Id, 16> children;
  for (const Id id : nodes_) {
    g_.impl().children(id, children);
    for (const Id c : children) uses_.set(c, uses_.get(c, 0) + 1);
  }
  for (const Id id : roots) uses_.set(id, uses_.get(id, 0) + 1);

  dag_.reserve(nodes_.size() + nodes_.size() / 4);
  for (const Id id : nodes_) ref_.set(id, convert(id));
  for (std::size_t j = 0; j < outputs.size(); ++j) {
    program_.outputs.push_back(outputs[j].name);
    dag_.outputs.push_back(ref_.has(roots[j]) ? ref_.at(roots[j]) : dag_.constant(g_.number(roots[j])));
  }
  return std::move(dag_);
}

Ref Builder::convert(Id id) {
  switch (g_.op(id)) {
    case Op::number:
      return dag_.constant(g_.number(id));
    case Op::symbol:
      return dag_.input(input_.at(id));
    case Op::sum:
      return convert_sum(id);
    case Op::product:
      return convert_product(id);
    case Op::table:
    case Op::external:
      return convert_call(id);
    case Op::let: {
      const Ref r = ref_.at(g_.arguments(id)[0]);
      dag_.label(r, g_.name(id));
      return r;
    }
    default: {
      Buffer<Ref, 4> x;
      for (const Id a : g_.arguments(id)) x.push_back(ref_.at(a));
      return dag_.function(code_of(g_.op(id)), {x.data(), x.size()});
    }
  }
}

Ref Builder::convert_sum(Id id) {
  const std::span<const std::uint32_t> a = g_.arguments(id);
  std::vector<Ref> terms;
  if (const double c0 = g_.number(a[0]); c0 != 0) terms.push_back(dag_.constant(c0));
  for (std::size_t i = 1; i < a.size(); i += 2) {
    const double c = g_.number(a[i]);
    const Ref t = ref_.at(a[i + 1]);
    // the number becomes a factor of a product that has no other use
    const bool open = g_.op(a[i + 1]) == Op::product && uses_.at(a[i + 1]) == 1;
    if (c != 1 && c != -1 && open && dag_[lowering::node_of(t)].kind == lowering::Kind::product) {
      const std::span<const Ref> x = dag_.children(lowering::node_of(t));
      std::vector<Ref> factors(x.begin(), x.end());
      factors.push_back(dag_.constant(c));
      terms.push_back(lowering::with_sign(dag_.product(std::move(factors)), lowering::is_negative(t)));
    } else {
      terms.push_back(dag_.scale(c, t));
    }
  }
  return dag_.sum(std::move(terms));
}

/// Puts base^exponent on a list of factors: small powers as repeated factors.
void Builder::factor(Id base, std::uint32_t exponent, std::vector<Ref>& list) {
  const Ref x = ref_.at(base);
  if (exponent > 3) {
    list.push_back(dag_.power(x, exponent));
  } else {
    list.insert(list.end(), exponent, x);
  }
}

Ref Builder::convert_product(Id id) {
  const std::span<const std::uint32_t> a = g_.arguments(id);
  std::vector<Ref> factors, divisors;
  for (std::size_t i = 0; i < a.size(); i += 2) {
    const auto n = static_cast<std::int32_t>(a[i + 1]);
    const auto magnitude = n < 0 ? 0u - static_cast<std::uint32_t>(n) : static_cast<std::uint32_t>(n);
    factor(a[i], magnitude, n < 0 ? divisors : factors);
  }
  if (!divisors.empty()) {
    // terms that a let kept apart may have cancelled
    const Ref divisor = dag_.product(std::move(divisors));
    const Dag::Node& n = dag_[lowering::node_of(divisor)];
    if (n.kind == lowering::Kind::constant && n.value() == 0)
      throw Error(binding_of(id) + "division by zero in " + to_string(g_.at(id)) +
                  "; the divisor is structurally zero");
    factors.push_back(dag_.reciprocal(divisor));
  }
  return dag_.product(std::move(factors));
}

Ref Builder::convert_call(Id id) {
  Program::Call call;
  if (g_.op(id) == Op::table) {
    call.table = g_.table_of(id);
    call.dx = g_.table_derivative(id, 0);
    call.dy = g_.table_derivative(id, 1);
  } else {
    call.external = g_.external_of(id);
    call.dx = g_.external_derivative(id);
  }
  program_.calls.push_back(std::move(call));
  std::vector<Ref> x;
  for (const Id a : g_.arguments(id)) x.push_back(ref_.at(a));
  return dag_.call(static_cast<std::uint32_t>(program_.calls.size() - 1), x);
}

/// Name of the first binding whose value contains the node, as "name: ", or "".
std::string Builder::binding_of(Id node) const {
  NodeMap contains(g_.impl());
  contains.set(node, 1);
  Buffer<Id, 16> children;
  for (const Id id : nodes_) {
    g_.impl().children(id, children);
    if (std::none_of(children.begin(), children.end(), [&](Id c) { return contains.has(c); })) continue;
    if (g_.op(id) == Op::let) return std::string(g_.name(id)) + ": ";
    contains.set(id, 1);
  }
  return "";
}

/// Graphs up to this size are regrouped in several ways, and the cheapest is taken.
constexpr std::uint32_t tried_in_many_ways = 30'000;

/// Factors before or after sharing, or not at all, whichever leaves less to compute.
Dag regroup(Dag dag) {
  Dag best = dag;
  const bool factors = factor_sums(best);
  share_pairs(best);
  if (!factors || dag.size() > tried_in_many_ways) return best;
  double least = cost(best);
  share_pairs(dag);
  if (const double shared = cost(dag); shared < least) best = dag, least = shared;
  factor_sums(dag);
  return cost(dag) < least ? std::move(dag) : std::move(best);
}

}  // namespace

Program make_program(std::span<const Expr> inputs, std::span<const NamedExpr> outputs) {
  std::vector<Expr> values;
  for (const NamedExpr& o : outputs) values.push_back(o.value);
  Graph* graph = graph_of({inputs, values});
  Graph empty;
  Program program;
  const Dag dag = regroup(Builder(graph != nullptr ? *graph : empty, program).build(inputs, outputs));
  schedule(dag, program);
  assign_slots(program);
  return program;
}

}  // namespace coenergy::symbolic
