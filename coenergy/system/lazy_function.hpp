#pragma once
#include <functional>
#include <memory>
#include <mutex>

#include "coenergy/symbolic/function.hpp"

namespace coenergy::system {

/// A function that is made when it is first asked for, since many a run needs only few of a system's functions.
/// Thread-safe. `graph` guards the expressions it is made of: a graph serves one derivation at a time.
class LazyFunction {
 public:
  using Maker = std::function<symbolic::Function()>;
  LazyFunction() = default;  ///< none
  LazyFunction(std::mutex& graph, Maker make) : state_(std::make_unique<State>(&graph, std::move(make))) {}

  explicit operator bool() const { return state_ != nullptr; }
  const symbolic::Function& get() const {
    std::call_once(state_->once, [this] {
      const std::lock_guard lock(*state_->graph);
      state_->function = state_->make();
      state_->make = nullptr;
    });
    return state_->function;
  }

 private:
  struct State {
    State(std::mutex* g, Maker m) : graph(g), make(std::move(m)) {}
    std::mutex* graph;
    Maker make;
    std::once_flag once;
    symbolic::Function function;
  };
  std::unique_ptr<State> state_;
};

}  // namespace coenergy::system
