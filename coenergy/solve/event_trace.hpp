#pragma once
#include <vector>

#include "coenergy/equations/point.hpp"

namespace coenergy::solve {

/// Who took part in an impact, and how: with this the impact is one smooth function of where it happens.
struct ImpactRecord {
  std::vector<int> contacts;  ///< that touched
  /// Contacts that had their impulses at once, by their places in `contacts`.
  struct Turn {
    std::vector<int> members;
    std::vector<char> bounces;  ///< of each member: it leaves with its restitution, else it comes to rest
    std::vector<char> active;   ///< of each member: it has an impulse
  };
  std::vector<Turn> turns;
};

/// One thing that was done at the instant of an event (see EventHandler), and where.
struct EventStage {
  enum class Kind {
    solved,   ///< `at` solves all equations with the modes it has
    sampled,  ///< clocks took their turn, from `at`
    modes,    ///< modes were decided, from `at`
    jumped,   ///< drives that jump moved what they hold, from `at` to `to`
    hit       ///< an impact, from `at` to `to`
  };
  Kind kind;
  equations::Point at, to;
  bool positions_jump = false;
  ImpactRecord impact;
};

/// All stages of one event in their order, for analyses that differentiate what happens.
using EventTrace = std::vector<EventStage>;

}  // namespace coenergy::solve
