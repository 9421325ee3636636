#include "coenergy/study/design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "coenergy/base/argument.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/study/texts.hpp"

namespace coenergy::study {

namespace {

/// A deviation, or a share of what it is one of.
double read_deviation(const std::string& text, const std::string& unit, const std::string& what, double of) {
  if (text.empty() || text.back() != '%') return read_number(text, unit, what);
  return read_number(text.substr(0, text.size() - 1), "", what) / 100 * std::abs(of);
}

std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
std::uint64_t hash(std::uint64_t a, std::uint64_t b, std::uint64_t c) { return mix(mix(mix(a) ^ b) ^ c); }
double to_share(std::uint64_t bits) { return (static_cast<double>(bits >> 11) + 0.5) / 9007199254740992.0; }

/// A permutation of 0 … n − 1 by a key.
std::uint64_t permute(std::uint64_t k, std::uint64_t n, std::uint64_t key) {
  int half = 1;
  while ((std::uint64_t{1} << (2 * half)) < n) ++half;
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  do {
    std::uint64_t left = k >> half, right = k & mask;
    for (std::uint64_t round = 0; round < 4; ++round) {
      const std::uint64_t next = left ^ (hash(key, round, right) & mask);
      left = right, right = next;
    }
    k = left << half | right;
  } while (k >= n);
  return k;
}

}  // namespace

double normal_share(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }

double normal_quantile(double u) {
  // Newton's and Halley's steps on the distribution from a rough start; in the lower half, where erfc is accurate
  if (u > 0.5) return -normal_quantile(1 - u);
  const double t = std::sqrt(-2 * std::log(u));
  double z = -(t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
  for (int k = 0; k < 3; ++k) {
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi), e = (normal_share(z) - u) / density;
    z -= e / (1 + z * e / 2);
  }
  return z;
}

double Spread::quantile(double u) const {
  switch (kind) {
    case Kind::uniform:
      return a + (b - a) * u;
    case Kind::normal:
      return a + b * normal_quantile(u);
    case Kind::lognormal:
      return a * std::exp(b * normal_quantile(u));
    case Kind::triangular: {
      const double middle = (b - a) / (c - a);
      return u < middle ? a + std::sqrt(u * (c - a) * (b - a)) : c - std::sqrt((1 - u) * (c - a) * (c - b));
    }
    case Kind::grid:
      break;
  }
  return values.front();
}

std::string spread_path(const std::string& text) {
  const std::size_t at = text.find_first_of("=~");
  if (at == std::string::npos || trim(text.substr(0, at)).empty())
    throw Error(argument("vary ") + "\"" + text +
                "\": write ENTRY=1:0.1:3, ENTRY=1,2,3 or ENTRY~normal(MEAN, DEVIATION)");
  return trim(text.substr(0, at));
}

Spread read_spread(const std::string& text, const std::string& unit) {
  Spread spread;
  spread.path = spread_path(text);
  const std::size_t at = text.find_first_of("=~");
  const std::string rest = trim(text.substr(at + 1)), what = argument("vary ") + spread.path;
  if (text[at] == '=') {
    const std::vector<std::string> range = split(rest, ':');
    if (range.size() == 1) {
      for (const std::string& value : split(rest, ',')) spread.values.push_back(read_number(value, unit, what));
      return spread;
    }
    if (range.size() != 3) throw Error(what + "=" + rest + ": write FIRST:STEP:LAST, or values A,B,C");
    const double first = read_number(range[0], unit, what), step = read_number(range[1], unit, what),
                 last = read_number(range[2], unit, what);
    if (step == 0 || (last - first) / step < 0)
      throw Error(what + "=" + rest + ": the step does not lead from the first value to the last one");
    // the last one counts although the steps are rounded
    const double count = std::floor((last - first) / step + 1e-9);
    constexpr double most = 1e9;
    if (count > most) throw Error(what + "=" + rest + ": these are more than 1e9 values");
    for (double k = 0; k <= count; ++k) spread.values.push_back(first + k * step);
    return spread;
  }
  const std::size_t open = rest.find('(');
  if (open == std::string::npos || rest.back() != ')')
    throw Error(what + "~" + rest + ": write DISTRIBUTION(NUMBER, NUMBER)");
  const std::string name = trim(rest.substr(0, open));
  const std::vector<std::string> numbers = split(rest.substr(open + 1, rest.size() - open - 2), ',');
  const std::vector<std::string> known{"uniform", "normal", "lognormal", "triangular"};
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw Error(what + ": there is no distribution \"" + name + "\"" + did_you_mean(name, known) +
                "; there are uniform, normal, lognormal, triangular");
  const std::size_t wanted = name == "triangular" ? 3 : 2;
  if (numbers.size() != wanted) throw Error(fmt::format("{}: {} needs {} numbers", what, name, wanted));
  spread.a = read_number(numbers[0], unit, what);
  if (name == "normal" || name == "lognormal") {
    spread.kind = name == "normal" ? Spread::Kind::normal : Spread::Kind::lognormal;
    spread.b =
        name == "normal" ? read_deviation(numbers[1], unit, what, spread.a) : read_deviation(numbers[1], "", what, 1);
    if (!(spread.b > 0)) throw Error(what + ": the standard deviation " + numbers[1] + " must be > 0");
    if (name == "lognormal" && spread.a == 0)
      throw Error(what + ": the median of a lognormal distribution must not be 0");
    return spread;
  }
  spread.kind = name == "uniform" ? Spread::Kind::uniform : Spread::Kind::triangular;
  spread.b = read_number(numbers[1], unit, what);
  if (name == "triangular") spread.c = read_number(numbers[2], unit, what);
  const bool good =
      name == "uniform" ? spread.a < spread.b : spread.a <= spread.b && spread.b <= spread.c && spread.a < spread.c;
  if (!good) throw Error(what + "~" + rest + ": the numbers must increase");
  return spread;
}

Design::Design(std::vector<Spread> spreads, Sampling sampling, std::uint64_t samples, std::uint64_t seed,
               const std::vector<Correlation>& correlations)
    : spreads_(std::move(spreads)), sampling_(sampling), seed_(seed) {
  for (std::size_t k = 0; k < spreads_.size(); ++k) {
    if (spreads_[k].kind == Spread::Kind::grid)
      grid_points_ *= spreads_[k].values.size();
    else
      random_.push_back(static_cast<int>(k));
  }
  if (random_.empty() && samples > 0)
    throw Error(argument("samples") +
                ": all entries vary over grids; give one a distribution, such as ENTRY~normal(1, 5%)");
  if (!random_.empty() && samples == 0)
    throw Error(argument("samples") + ": say how many are to be drawn of " +
                spreads_[static_cast<std::size_t>(random_[0])].path);
  const int dimensions = static_cast<int>(random_.size());
  samples_ = std::max<std::uint64_t>(samples, 1), base_ = samples_;
  const int needed = sampling == Sampling::sobol ? dimensions : sampling == Sampling::saltelli ? 2 * dimensions : 0;
  if (needed > Sobol::most_dimensions)
    throw Error(fmt::format("{}: the sequence has {} dimensions, not {}; use lhs or random", argument("sampling"),
                            Sobol::most_dimensions, needed));
  if (needed > 0) sobol_ = std::make_unique<Sobol>(needed);
  if (sampling == Sampling::saltelli) samples_ = base_ * static_cast<std::uint64_t>(dimensions + 2);
  if (sampling == Sampling::saltelli && (grid_points_ > 1 || !correlations.empty()))
    throw Error(argument("sampling") +
                ": saltelli needs independent distributions alone, no grids and no correlations");
  correlate(correlations);
}

void Design::correlate(const std::vector<Correlation>& correlations) {
  if (correlations.empty()) return;
  const std::size_t n = random_.size();
  std::vector<double> matrix(n * n, 0);
  for (std::size_t i = 0; i < n; ++i) matrix[i * n + i] = 1;
  const auto find = [&](const std::string& path) {
    std::vector<std::string> known;
    for (std::size_t i = 0; i < n; ++i) {
      known.push_back(spreads_[static_cast<std::size_t>(random_[i])].path);
      if (known.back() == path) return i;
    }
    throw Error(argument("correlate ") + path + ": it has no distribution" + did_you_mean(path, known));
  };
  for (const Correlation& c : correlations) {
    const std::size_t i = find(c.a), j = find(c.b);
    if (i == j || !(std::abs(c.value) < 1))
      throw Error(fmt::format("{}{},{}={:g}: it must lie between -1 and 1, of two entries", argument("correlate "), c.a,
                              c.b, c.value));
    matrix[i * n + j] = matrix[j * n + i] = c.value;
  }
  factor_.assign(n * n, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = matrix[i * n + j];
      for (std::size_t k = 0; k < j; ++k) rest -= factor_[i * n + k] * factor_[j * n + k];
      if (i == j && !(rest > 1e-12))
        throw Error(argument("correlate") + ": the correlations of " +
                    spreads_[static_cast<std::size_t>(random_[i])].path +
                    " contradict the others: no variables have all of them");
      factor_[i * n + j] = i == j ? std::sqrt(rest) : rest / factor_[j * n + j];
    }
}

double Design::uniform(std::uint64_t sample, int dimension) const {
  const auto d = static_cast<std::uint64_t>(dimension);
  switch (sampling_) {
    case Sampling::random:
      break;
    case Sampling::latin_hypercube: {
      const std::uint64_t cell = permute(sample, samples_, hash(seed_, d, 1));
      return (static_cast<double>(cell) + to_share(hash(seed_, sample, d))) / static_cast<double>(samples_);
    }
    case Sampling::sobol: {
      // a shift by the seed keeps the sequence even; seed 0: none
      const double u = sobol_->at(sample, dimension) + (seed_ == 0 ? 0 : to_share(hash(seed_, d, 2)));
      return std::clamp(u - std::floor(u), 1e-12, 1 - 1e-12);
    }
    case Sampling::saltelli: {
      const int dimensions = static_cast<int>(random_.size());
      const std::uint64_t block = sample / base_, k = sample % base_;
      const bool from_b = block == 1 || block == d + 2;
      const double u = sobol_->at(k, from_b ? dimensions + dimension : dimension) +
                       (seed_ == 0 ? 0 : to_share(hash(seed_, d, from_b ? 4 : 3)));
      return std::clamp(u - std::floor(u), 1e-12, 1 - 1e-12);
    }
  }
  return to_share(hash(seed_, sample, d));
}

void Design::at(std::uint64_t variant, std::span<double> values) const {
  std::uint64_t grid = variant / samples_;
  const std::uint64_t sample = variant % samples_;
  for (std::size_t k = spreads_.size(); k-- > 0;) {
    const Spread& s = spreads_[k];
    if (s.kind != Spread::Kind::grid) continue;
    values[k] = s.values[grid % s.values.size()];
    grid /= s.values.size();
  }
  const std::size_t n = random_.size();
  for (std::size_t i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(random_[i]);
    if (factor_.empty()) {
      values[k] = spreads_[k].quantile(uniform(sample, static_cast<int>(i)));
      continue;
    }
    double z = 0;
    for (std::size_t j = 0; j <= i; ++j)
      z += factor_[i * n + j] * normal_quantile(uniform(sample, static_cast<int>(j)));
    values[k] = spreads_[k].quantile(std::clamp(normal_share(z), 1e-15, 1 - 1e-15));
  }
}

}  // namespace coenergy::study
