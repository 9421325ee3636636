#pragma once
#include <string>
#include <utility>
#include <vector>

#include "coenergy/base/error.hpp"

namespace coenergy::model {

/// What a user wrote for one entry of a component, still as text: a scalar (number, quantity, expression or name), a
/// list or a map. Values are read (units, expressions, names) when the model is compiled, by what the component's
/// description says of them.
struct Value {
  enum class Kind { text, list, map };
  Kind kind = Kind::text;
  std::string text;
  std::vector<Value> list;
  std::vector<std::pair<std::string, Value>> map;
  Location where;

  Value() = default;
  Value(const char* t) : text(t) {}             // NOLINT: values are written inline in C++ models
  Value(std::string t) : text(std::move(t)) {}  // NOLINT
  Value(double number);                         // NOLINT
  Value(std::vector<Value> items) : kind(Kind::list), list(std::move(items)) {}  // NOLINT
  const Value* find(const std::string& key) const;                               ///< of a map; null if absent
};

}  // namespace coenergy::model
