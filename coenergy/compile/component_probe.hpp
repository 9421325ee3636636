#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "coenergy/compile/compilation.hpp"
#include "coenergy/model/circuit.hpp"

namespace coenergy::compile {

/// What components ask of their ports, learned by running their equations once without writing anything; parameters and
/// variables are fresh symbols. Components of one type that gave the same structure (which entries are there, which of
/// them are 0 or 1, which ports are connected) answer alike and are asked once, unless they read the values themselves.
class ComponentProbe {
 public:
  explicit ComponentProbe(Compilation& compilation) : m_(compilation) {}

  /// Highest derivative of a port's across variable that is used, −1 for none, and whether it is constrained.
  struct PortNeed {
    int order = -1;
    bool constrained = false;
  };
  /// By port.
  const std::vector<PortNeed>& needs(int component);
  /// Without their values.
  const std::vector<model::Branch>& branches(int component);
  int held_port(int component);  ///< the one whose across variable it gives

 private:
  void write_key(int component);

  Compilation& m_;
  symbolic::Graph graph_;
  std::unordered_map<std::string, std::vector<PortNeed>> needs_;
  std::unordered_map<std::string, std::vector<model::Branch>> branches_;
  std::string key_;  ///< of the component asked for last
  std::vector<PortNeed> own_needs_;
  std::vector<model::Branch> own_branches_;
};

}  // namespace coenergy::compile
