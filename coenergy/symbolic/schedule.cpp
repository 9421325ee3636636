#include <algorithm>
#include <bit>
#include <cassert>
#include <unordered_map>

#include "coenergy/symbolic/lowering.hpp"

namespace coenergy::symbolic::lowering {

using Code = Program::Code;

namespace {

constexpr std::uint32_t none = ~0u;
/// Sines and cosines of at most so many arguments are evaluated together.
constexpr std::uint32_t batch_arguments = 32;

bool is_circular(const Dag::Node& n) { return n.code == Code::sin || n.code == Code::cos; }

/// A value of the program that stands for a node or its negative.
struct Value {
  std::uint32_t index = none;  ///< leaves count from 0, the others from first_instruction
  bool negative = false;
};

class Scheduler {
 public:
  Scheduler(const Dag& dag, Program& program);
  void run();

 private:
  struct Frame {
    std::uint32_t node;      ///< or batch
    std::uint32_t next = 0;  ///< child to look at
    Value sum{};             ///< of the children so far
    bool is_batch = false;
  };

  void find_batches(std::span<const std::uint32_t> needed);
  void find_ranks(std::span<const std::uint32_t> needed);
  void find_wishes(std::span<const std::uint32_t> needed);
  bool wish_negative(std::uint32_t node, int depth = 3);
  void make(std::uint32_t node);
  bool advance(Frame& f);
  bool advance_sum(Frame& f);
  bool advance_product(Frame& f);
  bool advance_batch(Frame& f);
  bool advance_other(Frame& f);
  bool request(Ref child);
  void finish(std::uint32_t node, Value v);
  void make_leaf(std::uint32_t node);

  Value value_of(Ref r) const { return {value_[node_of(r)].index, value_[node_of(r)].negative != is_negative(r)}; }
  std::uint32_t plain_value(Ref r);
  std::uint32_t emit(Code code, std::uint32_t a, std::uint32_t b = 0, std::uint32_t c = 0);
  std::uint32_t constant(double c);
  std::uint32_t power(std::uint32_t base, std::uint32_t exponent);
  bool is_division(Ref factor) const {
    return dag_[node_of(factor)].kind == Kind::reciprocal && uses_[node_of(factor)] == 1;
  }
  void write();
  void write_labels(std::span<const std::uint32_t> old_place);

  static constexpr std::uint32_t first_instruction = 1u << 30;

  const Dag& dag_;
  Program& program_;
  std::vector<std::uint32_t> uses_;
  std::vector<Value> value_;
  std::vector<std::uint32_t> rank_;
  std::vector<bool> wish_;     ///< the negative of the node is wanted
  std::vector<bool> settled_;  ///< the sign of the node must stay
  std::vector<std::uint32_t> batch_of_;
  std::vector<std::vector<std::uint32_t>> batches_;
  std::vector<Frame> stack_;
  std::vector<Program::Instruction> leaves_, body_;
  std::vector<std::uint32_t> body_labels_;  ///< 2·label + (1 where the value is the negative), 0: none
  std::vector<std::uint32_t> body_ranks_;
  std::uint32_t current_rank_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> constants_, powers_, negated_;
};

Scheduler::Scheduler(const Dag& dag, Program& program)
    : dag_(dag),
      program_(program),
      value_(dag.size()),
      rank_(dag.size()),
      wish_(dag.size(), false),
      batch_of_(dag.size(), none) {
  const std::vector<std::uint32_t> needed = needed_nodes(dag);
  uses_ = count_uses(dag, needed);
  find_ranks(needed);
  find_batches(needed);
  find_wishes(needed);
  body_.reserve(needed.size());
}

/// Level of a sine: one more than the deepest sine below its argument. Sines of one level do not depend on each other.
void Scheduler::find_batches(std::span<const std::uint32_t> needed) {
  std::vector<std::uint32_t> level(dag_.size(), 0), circular;
  for (const std::uint32_t node : needed) {
    for (const Ref r : dag_.children(node)) level[node] = std::max(level[node], level[node_of(r)]);
    if (dag_[node].kind != Kind::function || !is_circular(dag_[node])) continue;
    ++level[node];
    circular.push_back(node);
  }
  std::stable_sort(circular.begin(), circular.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return level[a] < level[b]; });
  std::unordered_map<std::uint32_t, std::uint32_t> batch_of_argument;
  std::uint32_t arguments = 0, current = none;
  for (const std::uint32_t node : circular) {
    const std::uint32_t x = node_of(dag_.children(node)[0]);
    auto [it, is_new] = batch_of_argument.try_emplace(x, 0);
    if (is_new) {
      if (current == none || level[node] != level[batches_[current][0]] || arguments == batch_arguments) {
        current = static_cast<std::uint32_t>(batches_.size());
        batches_.emplace_back();
        arguments = 0;
      }
      ++arguments;
      it->second = current;
    }
    batches_[it->second].push_back(node);
    batch_of_[node] = it->second;
  }
}

/// When a node was created, or its first user if that is older: regrouping makes nodes for users that are there
/// already.
void Scheduler::find_ranks(std::span<const std::uint32_t> needed) {
  for (std::uint32_t node = 0; node < dag_.size(); ++node) rank_[node] = node;
  for (std::size_t i = needed.size(); i-- > 0;)
    for (const Ref r : dag_.children(needed[i])) rank_[node_of(r)] = std::min(rank_[node_of(r)], rank_[needed[i]]);
}

/// Outputs and arguments of functions need the value of a node itself or its negative, sums and products take either.
void Scheduler::find_wishes(std::span<const std::uint32_t> needed) {
  // factoring leaves sums of one term: the wish is the term's
  const auto term_of = [&](Ref r) {
    while (dag_[node_of(r)].kind == Kind::sum && dag_[node_of(r)].count == 1)
      r = with_sign(dag_.children(node_of(r))[0], is_negative(r));
    return r;
  };
  const auto wanted = [&](auto f) {
    for (const Ref r : dag_.outputs) f(term_of(r));
    for (const std::uint32_t node : needed)
      if (dag_[node].kind == Kind::function || dag_[node].kind == Kind::call)
        for (const Ref r : dag_.children(node)) f(term_of(r));
  };
  settled_.assign(dag_.size(), false);
  wanted([&](Ref r) {
    if (!is_negative(r)) settled_[node_of(r)] = true;
  });
  wanted([&](Ref r) {
    if (is_negative(r)) wish_negative(node_of(r));
  });
}

/// −x costs nothing where x is a sum with terms of both signs: all signs are changed. One whose terms have all the same
/// sign gets another by a term that can change its own; a product changes the sign of a factor. The first wish counts.
bool Scheduler::wish_negative(std::uint32_t node, int depth) {
  const Kind kind = dag_[node].kind;
  if (settled_[node] || (kind != Kind::sum && kind != Kind::product) || depth == 0) return false;
  const std::span<const Ref> x = dag_.children(node);
  const auto change_one = [&] {
    return std::any_of(x.begin(), x.end(), [&](Ref r) { return wish_negative(node_of(r), depth - 1); });
  };
  if (kind == Kind::product) return settled_[node] = change_one();
  const auto sign = [&](Ref r) { return is_negative(r) != wish_[node_of(r)]; };
  const auto first = sign(x[0]);
  const bool is_mixed = std::any_of(x.begin(), x.end(), [&](Ref r) { return sign(r) != first; });
  if (!is_mixed && !change_one()) return false;
  return settled_[node] = wish_[node] = true;
}

void Scheduler::run() {
  for (const Ref r : dag_.outputs) {
    make(node_of(r));
    program_.result.push_back(plain_value(r));
  }
  write();
  write_labels(reorder(program_, body_ranks_));
}

/// Depth first with an explicit stack: graphs may be deep.
void Scheduler::make(std::uint32_t node) {
  request(2 * node);
  while (!stack_.empty()) {
    // a frame that is not complete has pushed the child it waits for
    const std::size_t depth = stack_.size();
    Frame f = stack_.back();
    if (advance(f))
      stack_.pop_back();
    else
      stack_[depth - 1] = f;
  }
}

/// True where the child has its value; else it is put on the stack.
bool Scheduler::request(Ref child) {
  const std::uint32_t node = node_of(child);
  if (value_[node].index != none) return true;
  if (dag_[node].kind == Kind::input || dag_[node].kind == Kind::constant) {
    make_leaf(node);
    return true;
  }
  const bool batched = batch_of_[node] != none;
  stack_.push_back({batched ? batch_of_[node] : node, 0, {}, batched});
  return false;
}

bool Scheduler::advance(Frame& f) {
  current_rank_ = rank_[f.is_batch ? batches_[f.node][0] : f.node];
  if (f.is_batch) return advance_batch(f);
  switch (dag_[f.node].kind) {
    case Kind::sum:
      return advance_sum(f);
    case Kind::product:
      return advance_product(f);
    default:
      return advance_other(f);
  }
}

/// Adds children as they become known. The sum so far may be kept negative, so that no negation is ever needed inside.
bool Scheduler::advance_sum(Frame& f) {
  const std::span<const Ref> terms = dag_.children(f.node);
  const bool flip = wish_[f.node];
  for (; f.next < terms.size(); ++f.next) {
    if (!request(terms[f.next])) return false;
    Value t = value_of(terms[f.next]);
    t.negative ^= flip;
    if (f.next == 0)
      f.sum = t;
    else if (f.sum.negative == t.negative)
      f.sum.index = emit(Code::add, f.sum.index, t.index);
    else if (f.sum.negative)
      f.sum = {emit(Code::sub, t.index, f.sum.index), false};
    else
      f.sum.index = emit(Code::sub, f.sum.index, t.index);
  }
  f.sum.negative ^= flip;
  finish(f.node, f.sum);
  return true;
}

/// Multiplies children as they become known; a divisor of this product alone comes last.
bool Scheduler::advance_product(Frame& f) {
  const std::span<const Ref> factors = dag_.children(f.node);
  for (; f.next < factors.size(); ++f.next) {
    const Ref factor = factors[f.next];
    if (is_division(factor)) continue;
    if (!request(factor)) return false;
    const Value v = value_of(factor);
    f.sum.index = f.sum.index == none ? v.index : emit(Code::mul, f.sum.index, v.index);
    f.sum.negative ^= v.negative;
  }
  for (const Ref factor : factors) {
    if (!is_division(factor)) continue;
    const Ref divisor = dag_.children(node_of(factor))[0];
    if (!request(divisor)) return false;
    const Value v = value_of(divisor);
    f.sum.index = emit(Code::div, f.sum.index, v.index);
    f.sum.negative ^= v.negative;
  }
  finish(f.node, f.sum);
  return true;
}

bool Scheduler::advance_batch(Frame& f) {
  const std::vector<std::uint32_t>& batch = batches_[f.node];
  for (; f.next < batch.size(); ++f.next)
    if (!request(dag_.children(batch[f.next])[0])) return false;
  for (const std::uint32_t node : batch) {
    const Value x = value_of(dag_.children(node)[0]);
    finish(node, {emit(dag_[node].code, x.index), x.negative && dag_[node].code == Code::sin});
  }
  return true;
}

bool Scheduler::advance_other(Frame& f) {
  const Dag::Node& n = dag_[f.node];
  const std::span<const Ref> children = dag_.children(f.node);
  for (; f.next < children.size(); ++f.next)
    if (!request(children[f.next])) return false;
  switch (n.kind) {
    case Kind::reciprocal: {
      const Value x = value_of(children[0]);
      finish(f.node, {emit(Code::div, constant(1), x.index), x.negative});
      return true;
    }
    case Kind::power: {
      const Value x = value_of(children[0]);
      finish(f.node, {power(x.index, static_cast<std::uint32_t>(n.data)), x.negative && n.data % 2 == 1});
      return true;
    }
    case Kind::call: {
      Program::Call& call = program_.calls[n.data];
      call.arguments.clear();
      for (const Ref r : children) call.arguments.push_back(plain_value(r));
      finish(f.node, {emit(call.table ? Code::table : Code::external, static_cast<std::uint32_t>(n.data)), false});
      return true;
    }
    default: {
      std::uint32_t x[3] = {0, 0, 0};
      assert(n.kind == Kind::function && children.size() <= 3);
      for (std::size_t i = 0; i < children.size(); ++i) x[i] = plain_value(children[i]);
      finish(f.node, {emit(n.code, x[0], x[1], x[2]), false});
      return true;
    }
  }
}

void Scheduler::finish(std::uint32_t node, Value v) {
  value_[node] = v;
  if (dag_[node].label == 0 || v.index < first_instruction) return;
  std::uint32_t& label = body_labels_[v.index - first_instruction];
  if (label == 0) label = 2 * dag_[node].label + (v.negative ? 1 : 0);
}

void Scheduler::make_leaf(std::uint32_t node) {
  const Dag::Node& n = dag_[node];
  if (n.kind == Kind::constant) {
    value_[node] = {constant(n.value()), false};
    return;
  }
  leaves_.push_back({Code::input, static_cast<std::uint32_t>(n.data)});
  value_[node] = {static_cast<std::uint32_t>(leaves_.size() - 1), false};
}

std::uint32_t Scheduler::constant(double c) {
  auto [it, is_new] =
      constants_.try_emplace(std::bit_cast<std::uint64_t>(c), static_cast<std::uint32_t>(leaves_.size()));
  if (is_new) {
    leaves_.push_back({Code::constant, static_cast<std::uint32_t>(program_.constants.size())});
    program_.constants.push_back(c);
  }
  return it->second;
}

/// The value itself: negated where only its negative is there.
std::uint32_t Scheduler::plain_value(Ref r) {
  const Value v = value_of(r);
  if (!v.negative) return v.index;
  if (v.index < first_instruction && leaves_[v.index].code == Code::constant) {
    const double c = program_.constants[leaves_[v.index].a];
    return constant(-c);
  }
  auto [it, is_new] = negated_.try_emplace(v.index, 0);
  if (is_new) it->second = emit(Code::neg, v.index);
  return it->second;
}

/// x^n by squaring; x², x⁴ … are shared.
std::uint32_t Scheduler::power(std::uint32_t base, std::uint32_t exponent) {
  if (exponent == 1) return base;
  const std::uint64_t key = static_cast<std::uint64_t>(base) << 32 | exponent;
  if (const auto it = powers_.find(key); it != powers_.end()) return it->second;
  const std::uint32_t half = power(base, exponent / 2);
  std::uint32_t result = emit(Code::mul, half, half);
  if (exponent % 2 == 1) result = emit(Code::mul, result, base);
  return powers_[key] = result;
}

std::uint32_t Scheduler::emit(Code code, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  body_.push_back({code, a, b, c});
  body_labels_.push_back(0);
  body_ranks_.push_back(current_rank_);
  return first_instruction + static_cast<std::uint32_t>(body_.size()) - 1;
}

/// Inputs in their order, constants, then the instructions; operands are renumbered.
void Scheduler::write() {
  const auto shift = static_cast<std::uint32_t>(leaves_.size());
  std::vector<std::uint32_t> order(shift), place(shift);
  for (std::uint32_t i = 0; i < shift; ++i) order[i] = i;
  const auto rank = [&](std::uint32_t i) { return std::pair(leaves_[i].code, leaves_[i].a); };
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return rank(a) < rank(b); });
  for (std::uint32_t i = 0; i < shift; ++i) place[order[i]] = i;

  const auto renumber = [&](std::uint32_t& v) {
    v = v >= first_instruction ? v - first_instruction + shift : place[v];
  };
  for (Program::Instruction& i : body_) {
    std::uint32_t* const x[] = {&i.a, &i.b, &i.c};
    for (int j = 0; j < operand_count(i.code); ++j) renumber(*x[j]);
  }
  for (Program::Call& call : program_.calls)
    for (std::uint32_t& v : call.arguments) renumber(v);
  for (std::uint32_t& v : program_.result) renumber(v);
  program_.code.clear();
  for (const std::uint32_t i : order) program_.code.push_back(leaves_[i]);
  program_.code.insert(program_.code.end(), body_.begin(), body_.end());
  body_ranks_.insert(body_ranks_.begin(), shift, 0);
}

void Scheduler::write_labels(std::span<const std::uint32_t> old_place) {
  const std::size_t shift = leaves_.size();
  program_.label.assign(old_place.size(), "");
  for (std::size_t i = shift; i < old_place.size(); ++i) {
    const std::uint32_t label = body_labels_[old_place[i] - shift];
    if (label == 0) continue;
    if (label % 2 != 0) program_.label[i] = "-";
    program_.label[i] += dag_.label_text(label / 2);
  }
}

}  // namespace

void schedule(const Dag& dag, Program& program) { Scheduler(dag, program).run(); }

}  // namespace coenergy::symbolic::lowering
