#include "coenergy/model/container.hpp"

#include <cmath>

#include "coenergy/base/names.hpp"
#include "coenergy/model/expression.hpp"

namespace coenergy::model {

const Container::Element* Container::find(const std::string& name) const {
  const auto place = index.find(name);
  return place == index.end() ? nullptr : &elements[place->second];
}

const Value* Container::find_parameter(const std::string& name) const {
  for (const auto& [own, value] : parameters)
    if (own == name) return &value;
  return nullptr;
}

std::string Container::title() const { return part == nullptr ? "the model" : path + " (" + part->name + ")"; }

std::string Container::full(const std::string& name) const { return path.empty() ? name : path + "." + name; }

std::vector<std::string> Container::element_names() const {
  std::vector<std::string> names;
  for (const Element& e : elements) names.push_back(e.name);
  return names;
}

std::pair<std::string, std::string> split_name(const std::string& name) {
  const std::size_t dot = name.find('.');
  return {name.substr(0, dot), dot == std::string::npos ? "" : name.substr(dot + 1)};
}

std::optional<Quantity> Constants::find(const std::string& name, const Way* inside, int depth) {
  if (const auto index = Scopes::find_index(name, inside)) return make_plain(*index);
  const auto of = [&](const Value& value, const std::string& full) {
    used_.emplace(full, user_);
    if (value.kind != Value::Kind::text) throw Error(value.where, name + " is no quantity");
    return evaluate(value.text, value.where, "parameter " + name, depth + 1);
  };
  // a parameter of the part, of an instance in it, or of the model
  const Container* c = containers_.at(inside);
  if (const Value* value = c->find_parameter(name)) return of(*value, c->full(name));
  std::string rest = name;
  for (const Container::Element* e = nullptr; c != nullptr; c = e->inside.get()) {
    const auto [first, behind] = split_name(rest);
    e = c->find(first);
    if (e == nullptr || behind.empty() || !e->inside) break;
    if (const Value* value = e->inside->find_parameter(behind)) return of(*value, e->inside->full(behind));
    rest = behind;
  }
  for (const auto& [own, value] : model_.parameters)
    if (own == name) return of(value, name);
  return std::nullopt;
}

Quantity Constants::evaluate(const std::string& text, const Location& where, const std::string& what, int depth) {
  constexpr int deepest = 100;
  if (depth > deepest) throw Error(where, what + " is defined by itself");
  if (depth == 0) user_ = what;
  std::vector<std::string> known;
  for (const auto& [name, value] : model_.parameters) known.push_back(name);
  for (const auto& [name, value] : containers_.at(where.inside)->parameters) known.push_back(name);
  const Scope scope = [&](const std::string& name) { return find(name, where.inside, depth); };
  return Expression::parse(text, where, what).evaluate(graph_, scope, known);
}

double Constants::evaluate(const std::string& text, const Location& where, const std::string& what) {
  const Quantity q = evaluate(text, where, what, 0);
  if (!q.value.is_number()) throw Error(where, what + " = " + text + " must be a constant");
  return q.value.number();
}

int Constants::evaluate_whole(const std::string& text, const Location& where, const std::string& what) {
  const Quantity q = evaluate(text, where, what, 0);
  constexpr double most = 2e9;
  const bool is_number = q.value.is_number() && fits(q, {});
  if (!is_number || q.value.number() != std::floor(q.value.number()) || std::abs(q.value.number()) > most)
    throw Error(
        where,
        what + " = " + text + " must be a whole number" +
            (is_number && format_number(q.value.number()) != text ? ", not " + format_short(q.value.number()) : ""));
  return static_cast<int>(q.value.number());
}

}  // namespace coenergy::model
