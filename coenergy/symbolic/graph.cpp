#include <algorithm>
#include <cassert>
#include <cstring>
#include <mutex>

#include "coenergy/base/error.hpp"
#include "coenergy/symbolic/graph_impl.hpp"

namespace coenergy::symbolic {

Graph::Impl::Impl(Graph& owner) : graph(owner) {
  for (const int value : {0, 1}) number(Number::integer(value));
}

std::size_t Graph::Impl::bytes() const {
  std::size_t total = NodeStore::bytes();
  for (const auto& s : scratch) total += (s->value.capacity() + s->mark.capacity()) * sizeof(Id);
  for (const auto& n : names) total += sizeof(n) + (n.size() > 15 ? n.capacity() : 0);
  return total;
}

// ---- numbers

Number Graph::Impl::number(Id id) const {
  assert(is_number(id));
  Number result;
  const std::uint32_t* w = words(id);
  result.exact = has(id, flag_exact);
  if (result.exact) {
    std::memcpy(&result.n, w, 8);
    std::memcpy(&result.d, w + 2, 8);
  } else {
    std::memcpy(&result.v, w, 8);
  }
  return result;
}

namespace {

Id intern_number(NodeStore& store, const Number& value) {
  std::uint32_t w[4];
  std::uint8_t flags = value.is_negative() ? flag_negative : 0;
  if (!value.exact) {
    std::memcpy(w, &value.v, 8);
    return store.intern(Op::number, std::span(w, 2), 2, flags);
  }
  std::memcpy(w, &value.n, 8);
  std::memcpy(w + 2, &value.d, 8);
  if (value.d == 1 && (value.n == 0 || value.n == 1)) flags |= flag_boolean;
  return store.intern(Op::number, w, 4, flags | flag_exact);
}

}  // namespace

Id Graph::Impl::number(const Number& value) {
  if (value.is_negative()) return number(-value) + 1;
  const std::size_t before = size();
  const Id id = intern_number(*this, value);
  // the neighbour of a new number is its negative
  if (size() != before && !value.is_zero()) intern_number(*this, -value);
  return id;
}

// ---- named nodes

std::string_view Graph::Impl::name(Id id) const {
  assert(op(id) == Op::symbol || op(id) == Op::let);
  return names[words(id)[op(id) == Op::let ? 1 : 0]];
}

namespace {
std::uint32_t hash_of(std::string_view name) {
  const std::size_t h = std::hash<std::string_view>()(name);
  return static_cast<std::uint32_t>(h ^ (h >> 32));
}
}  // namespace

Id Graph::Impl::find_symbol(std::string_view name) {
  return symbols.find(hash_of(name), [&](Id id) { return this->name(id) == name; });
}

Id Graph::Impl::symbol(std::string_view name) {
  if (const Id known = find_symbol(name); known != NodeIndex::none) return known;
  const std::uint32_t index = static_cast<std::uint32_t>(names.size());
  names.emplace_back(name);
  const Id id = intern(Op::symbol, std::span(&index, 1), 1);
  symbols.insert(hash_of(name), id);
  return id;
}

std::string Graph::Impl::unique_let_name(std::string_view name) {
  std::string candidate(name);
  std::uint32_t& uses = let_names[candidate];
  std::uint32_t next = uses;
  // the first keeps its name, later ones count from 2, past names that exist by themselves
  if (next != 0 || find_symbol(candidate) != NodeIndex::none) {
    next = std::max(next, 1u);
    do candidate = std::string(name) + "_" + std::to_string(++next);
    while (let_names.count(candidate) != 0 || find_symbol(candidate) != NodeIndex::none);
  } else {
    next = 1;
  }
  uses = next;
  if (candidate != name) let_names.emplace(candidate, 1);
  return candidate;
}

Id Graph::Impl::let(std::string_view name, Id value) {
  // numbers, variables and their negatives stay transparent
  Id inner = value;
  if (op(value) == Op::sum) {
    const auto a = arguments(value);
    if (a.size() == 3 && a[0] == zero && a[1] == minus_one) inner = a[2];
  }
  if (is_number(inner) || op(inner) == Op::symbol || op(inner) == Op::let) return value;
  const std::uint32_t probe[] = {value, static_cast<std::uint32_t>(names.size())};
  const Id id = intern(Op::let, probe, 1);
  if (words(id)[1] == names.size()) names.push_back(unique_let_name(name));
  return id;
}

namespace {

template <class T>
std::uint32_t index_of(std::vector<std::shared_ptr<const T>>& list,
                       std::unordered_map<const void*, std::uint32_t>& index, std::shared_ptr<const T> item) {
  const auto [entry, is_new] = index.try_emplace(item.get(), static_cast<std::uint32_t>(list.size()));
  if (is_new) list.push_back(std::move(item));
  return entry->second;
}

}  // namespace

Id Graph::Impl::table(std::uint32_t index, std::span<const Id> arguments, int dx, int dy) {
  const Table& t = *tables[index];
  // derivatives beyond the order of the interpolant vanish
  const int order = t.method == Table::Method::linear ? 1 : 3;
  if (dx > order || dy > order) return zero;
  if (is_number(arguments[0]) && (arguments.size() == 1 || is_number(arguments[1])))
    return number(Number::real(
        t.evaluate(number(arguments[0]).value(), arguments.size() == 1 ? 0 : number(arguments[1]).value(), dx, dy)));
  Buffer<std::uint32_t, 8> w;
  for (const Id a : arguments) w.push_back(a);
  for (const int data : {static_cast<int>(index), dx, dy}) w.push_back(static_cast<std::uint32_t>(data));
  return intern(Op::table, {w.data(), w.size()}, 3);
}

Id Graph::Impl::external(std::uint32_t index, std::span<const Id> arguments, int derivative) {
  Buffer<std::uint32_t, 16> w;
  for (const Id a : arguments) w.push_back(a);
  w.push_back(index);
  w.push_back(static_cast<std::uint32_t>(derivative));
  return intern(Op::external, {w.data(), w.size()}, 2);
}

// ---- the public face

namespace {

std::mutex numbering;  // of the graphs alive

}  // namespace

Graph::Graph() : impl_(std::make_unique<Impl>(*this)) {
  const std::lock_guard lock(numbering);
  Graph** const end = Expr::graphs + Expr::max_graphs;
  Graph** const free = std::find(Expr::graphs + 1, end, nullptr);
  if (free == end) throw Error("more than " + std::to_string(Expr::max_graphs - 1) + " expression graphs at once");
  *free = this;
  number_ = static_cast<std::uint32_t>(free - Expr::graphs);
}

Graph::~Graph() {
  const std::lock_guard lock(numbering);
  Expr::graphs[number_] = nullptr;
}

Expr Graph::symbol(std::string_view name) { return at(impl_->symbol(name)); }

Expr Graph::find_symbol(std::string_view name) const {
  const Id found = impl_->find_symbol(name);
  return found == NodeIndex::none ? Expr() : impl_->expr(found);
}

Expr Graph::rational(std::int64_t n, std::int64_t d) { return at(impl_->number(Number::rational(n, d))); }
Expr Graph::constant(double value) { return at(impl_->number(Number::real(value))); }
Expr Graph::let(std::string_view name, const Expr& value) { return at(impl_->let(name, impl_->id_of(value))); }

Expr Graph::table(std::shared_ptr<const Table> table, const Expr& x, const Expr& y) {
  if (!table || !table->is_prepared())
    throw Error("table \"" + (table ? table->name : "") + "\" is used before it is prepared; call Table::prepare()");
  const Id arguments[] = {impl_->id_of(x), impl_->id_of(y)};
  const std::size_t axes = table->y.empty() ? 1 : 2;
  const std::uint32_t index = index_of(impl_->tables, impl_->table_index, std::move(table));
  return at(impl_->table(index, std::span(arguments, axes), 0, 0));
}

Expr Graph::external(std::shared_ptr<const External> function, std::span<const Expr> arguments) {
  if (!function || function->value == nullptr)
    throw Error("external function \"" + (function ? function->name : "") + "\" has no code to call");
  if (static_cast<int>(arguments.size()) != function->arity)
    throw Error("external function " + function->name + " takes " + std::to_string(function->arity) +
                " arguments, not " + std::to_string(arguments.size()));
  std::vector<Id> ids;
  for (const Expr& a : arguments) ids.push_back(impl_->id_of(a));
  const std::uint32_t index = index_of(impl_->externals, impl_->external_index, std::move(function));
  return at(impl_->external(index, ids, -1));
}

std::uint32_t Graph::symbol_index(const Expr& symbol) const {
  assert(symbol.graph() == this && op(symbol.id()) == Op::symbol);
  return *impl_->words(symbol.id());
}

std::size_t Graph::size() const { return impl_->size(); }
std::size_t Graph::bytes() const { return impl_->bytes(); }

Op Graph::op(std::uint32_t id) const { return impl_->op(id); }
std::string_view Graph::name(std::uint32_t id) const { return impl_->name(id); }
double Graph::number(std::uint32_t id) const { return impl_->number(id).value(); }

bool Graph::exact(std::uint32_t id, std::int64_t& numerator, std::int64_t& denominator) const {
  const Number n = impl_->number(id);
  if (n.exact) numerator = n.n, denominator = n.d;
  return n.exact;
}

std::span<const std::uint32_t> Graph::arguments(std::uint32_t id) const { return impl_->arguments(id); }

const std::shared_ptr<const Table>& Graph::table_of(std::uint32_t id) const {
  assert(op(id) == Op::table);
  return impl_->tables[impl_->data(id)[0]];
}

int Graph::table_derivative(std::uint32_t id, int axis) const {
  assert(op(id) == Op::table && (axis == 0 || axis == 1));
  return static_cast<int>(impl_->data(id)[1 + axis]);
}

const std::shared_ptr<const External>& Graph::external_of(std::uint32_t id) const {
  assert(op(id) == Op::external);
  return impl_->externals[impl_->data(id)[0]];
}

int Graph::external_derivative(std::uint32_t id) const {
  assert(op(id) == Op::external);
  return static_cast<int>(impl_->data(id)[1]);
}

}  // namespace coenergy::symbolic
