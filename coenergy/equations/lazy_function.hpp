#pragma once
#include <functional>
#include <memory>
#include <mutex>

#include "coenergy/equations/row_function.hpp"

namespace coenergy::equations {

/// A function that is made when it is first asked for, since many a run needs only few of a system's functions.
/// Thread-safe. `graph` guards the expressions it is made of: a graph serves one derivation at a time.
template <class Function>
class Lazy {
 public:
  using Maker = std::function<Function()>;
  Lazy() = default;  ///< none
  Lazy(std::mutex& graph, Maker make) : state_(std::make_unique<State>(&graph, std::move(make))) {}

  explicit operator bool() const { return state_ != nullptr; }
  const Function& get() const {
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
    Function function;
  };
  std::unique_ptr<State> state_;
};

using LazyFunction = Lazy<symbolic::Function>;
using LazyRows = Lazy<RowFunction>;

}  // namespace coenergy::equations
