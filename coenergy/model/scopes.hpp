#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "coenergy/base/error.hpp"

namespace coenergy::model {

/// What names mean inside the instances of a flat model. A name that stands inside an instance is looked for
///   1. among the components, instances, nodes and ports of the part,
///   2. among its parameters,
///   3. in the whole model: parameters of the model, and time;
/// one in an entry of an element of an array first among the index variables and the words previous and next.
class Scopes {
 public:
  using Names = std::unordered_set<std::string>;
  /// One instance: a part where it is used.
  struct Instance {
    std::string path, part;
    Location where;
    std::shared_ptr<const Names> locals;  ///< of the part: components, instances, nodes, parameters
    std::vector<std::pair<std::string, std::string>> aliases;  ///< port or node → its name in the model
    const std::string* find_alias(const std::string& name) const;
  };

  void add(Instance instance);
  void add_indexed(const std::string& name, const Way* inside, std::string meaning);

  const Instance* find(const std::string& path) const;
  const std::vector<Instance>& instances() const { return instances_; }  ///< outer ones first

  /// The name in the whole model: "motor.i" inside robot.x is "robot.x.motor.i", a port is what it leads to.
  std::string resolve(const std::string& name, const Way* inside) const;
  /// The value of an index variable, or nothing.
  static std::optional<int> find_index(const std::string& name, const Way* inside);

 private:
  std::string follow_ports(std::string name) const;

  std::vector<Instance> instances_;
  std::unordered_map<std::string, int> index_;
  std::map<std::pair<const Way*, std::string>, std::string> indexed_;  ///< "s[k-1].q", where it stands
};

}  // namespace coenergy::model
