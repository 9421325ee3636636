#include "coenergy/reduce/boxes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "coenergy/base/error.hpp"
#include "coenergy/math/decompositions.hpp"

namespace coenergy::reduce {

namespace {

using Place = std::vector<double>;

int power(int base, int exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

/// All tuples of `count` digits below `base`, the first digit fastest.
std::vector<std::vector<int>> count_up(int base, int count) {
  std::vector<std::vector<int>> tuples;
  for (int k = 0; k < power(base, count); ++k) {
    std::vector<int> digits(count);
    for (int i = 0, rest = k; i < count; ++i, rest /= base) digits[i] = rest % base;
    tuples.push_back(std::move(digits));
  }
  return tuples;
}

std::vector<std::vector<int>> list_monomials(Fit fit, int size) {
  std::vector<std::vector<int>> all = count_up(3, size), kept;
  for (const std::vector<int>& m : all) {
    int degree = 0;
    for (const int e : m) degree += e;
    if (fit == Fit::lagrange || degree <= 2) kept.push_back(m);
  }
  return kept;
}

std::vector<Place> list_places(Fit fit, int size) {
  std::vector<Place> places;
  if (fit == Fit::quadratic && size == 1) return {{-1}, {-0.5}, {0}, {0.5}, {1}};
  for (const std::vector<int>& m : count_up(3, size)) {
    const int inside = int(std::count(m.begin(), m.end(), 1));
    if (fit == Fit::quadratic && inside != 0 && inside != size && inside != size - 1) continue;
    Place p;
    for (const int digit : m) p.push_back(digit - 1);
    places.push_back(std::move(p));
  }
  return places;
}

double norm(const std::vector<double>& f, const std::vector<double>& weights) {
  double sum = 0;
  for (std::size_t i = 0; i < f.size(); ++i) sum += std::pow(weights.empty() ? f[i] : weights[i] * f[i], 2);
  return std::sqrt(sum);
}

}  // namespace

FitCost find_cost(Fit fit, int s) {
  if (fit == Fit::lagrange) return {2 * (power(3, s) - 1), power(3, s), power(3, s)};
  // of one coordinate there is nothing between corners and faces but the places half-way
  return {s * s + 3 * s, (s * s + 3 * s + 2) / 2, power(2, s) + 2 * s + 1};
}

BoxModel::BoxModel(Place low, Place high, const Sample& sample, const BoxOptions& options)
    : options_(options), size_(int(low.size())) {
  if (low.empty() || low.size() != high.size()) throw Error("a box needs two ends of each coordinate");
  for (int i = 0; i < size_; ++i)
    if (!(low[i] < high[i]))
      throw Error(fmt::format("box: its lower end {} must be below its upper end {}", low[i], high[i]));
  if (!(options.tolerance > 0)) throw Error(fmt::format("tolerance = {} must be > 0", options.tolerance));
  if (options_.width.empty())
    for (int i = 0; i < size_; ++i) options_.width.push_back((high[i] - low[i]) / 64);
  if (int(options_.width.size()) != size_)
    throw Error(fmt::format("{} smallest widths for {} coordinates; give one for each", options_.width.size(), size_));
  for (const double width : options_.width)
    if (!(width > 0)) throw Error(fmt::format("smallest width = {} must be > 0", width));
  monomials_ = list_monomials(options_.fit, size_), places_ = list_places(options_.fit, size_);
  build(std::move(low), std::move(high), sample);
}

const std::optional<std::vector<double>>& BoxModel::ask(Place at, const Sample& sample) {
  // places that boxes share are one to the last digit: multiples of a fraction of the region
  constexpr double parts = 1 << 30;
  for (int k = 0; k < size_; ++k) {
    const double low = boxes_[0].low[k], high = boxes_[0].high[k];
    const double share = std::round((at[k] - low) / (high - low) * parts) / parts;
    at[k] = share == 1 ? high : low + share * (high - low);
  }
  const auto known = samples_.find(at);
  if (known != samples_.end()) return known->second;
  const auto& result = samples_.emplace(at, sample(at)).first->second;
  if (options_.progress) options_.progress(configurations(), leaves());
  return result;
}

math::Matrix BoxModel::fit(const std::vector<Place>& places, const std::vector<std::vector<double>>& values) const {
  math::Matrix a(int(places.size()), int(monomials_.size())), b(int(places.size()), int(values[0].size()));
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < a.columns; ++j) {
      a(i, j) = 1;
      for (int k = 0; k < size_; ++k) a(i, j) *= std::pow(places[i][k], monomials_[j][k]);
    }
    for (int j = 0; j < b.columns; ++j) b(i, j) = values[i][j];
  }
  return math::solve_least_squares(a, b);
}

std::vector<double> BoxModel::value(const Box& box, const Place& at) const {
  std::vector<double> f(box.coefficients.columns, 0.0);
  for (int j = 0; j < box.coefficients.rows; ++j) {
    double factor = 1;
    for (int k = 0; k < size_; ++k) {
      const double local = (2 * at[k] - box.low[k] - box.high[k]) / (box.high[k] - box.low[k]);
      for (int e = 0; e < monomials_[j][k]; ++e) factor *= local;
    }
    for (std::size_t i = 0; i < f.size(); ++i) f[i] += factor * box.coefficients(j, int(i));
  }
  return f;
}

int BoxModel::build(Place low, Place high, const Sample& sample) {
  const int index = int(boxes_.size());
  boxes_.push_back({low, high});
  const auto global = [&](const Place& local) {
    Place p(size_);
    for (int k = 0; k < size_; ++k) p[k] = (low[k] + high[k]) / 2 + local[k] * (high[k] - low[k]) / 2;
    return p;
  };
  std::vector<double> growth(size_);  // of the error, or the width in units of the smallest
  for (int k = 0; k < size_; ++k) growth[k] = (high[k] - low[k]) / options_.width[k];
  std::vector<std::vector<double>> values;
  for (const Place& place : places_)
    if (const auto& f = ask(global(place), sample)) values.push_back(*f);
  boxes_[index].state = State::invalid;
  if (values.size() == places_.size()) {
    boxes_[index].coefficients = fit(places_, values);
    double sum = 0;
    std::vector<double> along(size_, 0.0);
    bool complete = true;
    for (int k = 0; k < size_; ++k)
      for (const double side : {-0.5, 0.5}) {
        Place local(size_, 0.0);
        local[k] = side;
        const auto& f = ask(global(local), sample);
        if (!f) {
          complete = false;
          continue;
        }
        std::vector<double> difference = value(boxes_[index], global(local));
        for (std::size_t i = 0; i < f->size(); ++i) difference[i] -= (*f)[i];
        const double size = norm(*f, options_.weights),
                     error = size > 0 ? norm(difference, options_.weights) / size : 0;
        sum += error / (2 * size_), along[k] += error;
      }
    if (complete) {
      boxes_[index].error = sum;
      boxes_[index].state = sum < options_.tolerance ? State::valid : State::inaccurate;
      if (boxes_[index].state == State::valid) return index;
      growth = along;
    }
  }
  int direction = -1;
  for (int k = 0; k < size_; ++k)
    if (high[k] - low[k] >= 2 * options_.width[k] && (direction < 0 || growth[k] > growth[direction])) direction = k;
  if (direction < 0) return index;
  const double middle = (low[direction] + high[direction]) / 2;
  Place upper = high, lower = low;
  upper[direction] = lower[direction] = middle;
  const int left = build(low, upper, sample), right = build(lower, high, sample);
  boxes_[index].direction = direction, boxes_[index].left = left, boxes_[index].right = right;
  boxes_[index].coefficients = {};
  return index;
}

int BoxModel::leaves() const {
  return int(std::count_if(boxes_.begin(), boxes_.end(), [](const Box& b) { return b.direction < 0; }));
}

int BoxModel::leaves(State state) const {
  return int(std::count_if(boxes_.begin(), boxes_.end(),
                           [state](const Box& b) { return b.direction < 0 && b.state == state; }));
}

const BoxModel::Box& BoxModel::find(const Place& at) const {
  if (int(at.size()) != size_) throw Error(fmt::format("{} values for {} coordinates", at.size(), size_));
  const Box* box = &boxes_[0];
  for (int k = 0; k < size_; ++k)
    if (!(at[k] >= box->low[k] && at[k] <= box->high[k]))
      throw Error(
          fmt::format("{} is outside of the reduced model, which is for {} to {}", at[k], box->low[k], box->high[k]));
  while (box->direction >= 0)
    box = &boxes_[at[box->direction] < boxes_[box->right].low[box->direction] ? box->left : box->right];
  return *box;
}

std::vector<double> BoxModel::evaluate(const Place& at) const {
  const Box& box = find(at);
  if (box.state == State::invalid)
    throw Error(fmt::format("there is no reduced model at {}: the mechanism is singular near it", fmt::join(at, ", ")));
  return value(box, at);
}

}  // namespace coenergy::reduce
