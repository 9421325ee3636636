#include "coenergy/analyze/charge_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coenergy/base/error.hpp"
#include "coenergy/solve/initialize.hpp"

namespace coenergy::analyze {

namespace {

constexpr double least_size = 1e-3;

class Checker {
 public:
  Checker(equations::Evaluator& evaluator, const compile::ChargeFormulation& charges)
      : evaluator_(evaluator),
        charges_(charges),
        newton_(evaluator, {.tolerance = 1e-12, .max_iterations = 50, .line_search = true}, statistics_) {
    result_.left_out = charges.left_out;
    values_.resize(evaluator.system().signals().size());
    for (const auto& row : charges.rows)
      places_.push_back({evaluator.system().find_signal(row.residual), evaluator.system().find_signal(row.size)});
  }

  ChargeCheck run(const CompareOptions& options) {
    const solve::Start start = solve::initialize(evaluator_);
    if (!start.good) throw Error(start.text);
    check(0, start.point);
    RandomStates random(evaluator_, options);
    for (int k = 1; k <= options.random_states; ++k) {
      equations::Point p = start.point;
      if (random.move(p))
        check(k, std::move(p));
      else
        ++result_.skipped;
    }
    return std::move(result_);
  }

 private:
  void check(int state, equations::Point p) {
    // the second time takes away what scales of rows and round-off have left
    complete(evaluator_, newton_, p);
    if (const std::string failure = complete(evaluator_, newton_, p); !failure.empty()) {
      result_.failures.push_back(fmt::format("state {}: {}", state, failure));
      return;
    }
    ++result_.states;
    evaluator_.signals(p, values_);
    for (std::size_t k = 0; k < places_.size(); ++k) {
      const auto& [residual, size] = places_[k];
      const double value = std::abs(values_[residual]) / std::max(least_size, values_[size]);
      const std::string& unit = charges_.rows[k].unit;
      Difference& largest = unit == "V" ? result_.voltage : unit == "A" ? result_.current : result_.power;
      if (value > largest.value || !std::isfinite(value)) largest = {value, charges_.rows[k].name, state};
    }
  }

  struct Place {
    int residual, size;  // signals
  };
  equations::Evaluator& evaluator_;
  const compile::ChargeFormulation& charges_;
  solve::Statistics statistics_;
  solve::Newton newton_;
  ChargeCheck result_;
  std::vector<Place> places_;
  std::vector<double> values_;
};

}  // namespace

const Difference& ChargeCheck::largest() const {
  const Difference* largest = &voltage;
  for (const Difference* d : {&current, &power})
    if (!(d->value <= largest->value)) largest = d;
  return *largest;
}

ChargeCheck check_charges(equations::Evaluator& evaluator, const compile::ChargeFormulation& charges,
                          const CompareOptions& options) {
  return Checker(evaluator, charges).run(options);
}

}  // namespace coenergy::analyze
