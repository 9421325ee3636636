#pragma once
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "coenergy/base/way.hpp"

namespace coenergy {

/// The name of a user's file. The places of a file share it, since a large model has millions of them; the names of all
/// files ever read are kept.
class FileName {
 public:
  FileName() = default;
  FileName(std::string_view name);                                         // NOLINT: a name is written inline
  FileName(const std::string& name) : FileName(std::string_view(name)) {}  // NOLINT
  FileName(const char* name) : FileName(std::string_view(name)) {}         // NOLINT
  const std::string& text() const { return *text_; }
  operator const std::string&() const { return *text_; }  // NOLINT
  bool empty() const { return text_->empty(); }
  friend bool operator==(const FileName& a, const FileName& b) { return a.text_ == b.text_; }
  friend bool operator<(const FileName& a, const FileName& b) { return *a.text_ < *b.text_; }

 private:
  static const std::string* nothing();
  const std::string* text_ = nothing();
};

/// A place in a user's file; line and column count from 1, 0 means unknown. What stands in a part stands in each of its
/// instances: `inside` tells in which one; null: in the model itself.
struct Location {
  FileName file;
  int line = 0, column = 0;
  const Way* inside = nullptr;
  bool known() const { return !file.empty() || line > 0; }
  std::string text() const;  ///< "file:line:column", as much as is known
};

/// The user's model or call is wrong. Text: where: what, with value and unit; what is allowed; what to do.
/// what() is one line for each independent problem, each with its location in front. The same mistake in many instances
/// of a part is told once: `axis.yaml:12:5: in robot.x (Axis) and 29 more: motor.R = -1 ohm must be > 0`.
class Error : public std::runtime_error {
 public:
  struct Item {
    Location where;
    std::string text;
  };
  explicit Error(std::string text) : Error(Location{}, std::move(text)) {}
  Error(Location where, std::string text);
  explicit Error(std::vector<Item> items);
  const std::vector<Item>& items() const { return items_; }

 private:
  std::vector<Item> items_;
};

/// The same errors with `what: ` in front of each text, for what the thrower could not know.
Error add_context(const Error& e, const std::string& what);

/// Collects independent errors so that all are reported at once.
class ErrorList {
 public:
  void add(Location where, std::string text) { items_.push_back({std::move(where), std::move(text)}); }
  void add(const Error& e) { items_.insert(items_.end(), e.items().begin(), e.items().end()); }
  bool empty() const { return items_.empty(); }
  void throw_if_any() const;  ///< throws Error with all of them, each once, ordered by location

 private:
  std::vector<Error::Item> items_;
};

/// The entry of `known` nearest to `name` by edit distance, or "" if none is near.
std::string suggest(const std::string& name, const std::vector<std::string>& known);
/// `; did you mean X?` or "".
std::string did_you_mean(const std::string& name, const std::vector<std::string>& known);

}  // namespace coenergy
