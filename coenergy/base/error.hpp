#pragma once
#include <stdexcept>
#include <string>
#include <vector>

namespace coenergy {

/// A place in a user's file; line and column count from 1, 0 means unknown.
struct Location {
  std::string file;
  int line = 0, column = 0;
  bool known() const { return !file.empty() || line > 0; }
  std::string text() const;  ///< "file:line:column", as much as is known
};

/// The user's model or call is wrong. Text: where: what, with value and unit; what is allowed; what to do.
/// what() is one line for each independent problem, each with its location in front.
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
