#include "coenergy/study/measured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace coenergy::study {

std::vector<Measured> read_measured(const std::vector<std::string>& files) {
  std::vector<Measured> all;
  ErrorList errors;
  for (const std::string& file : files) try {
      all.push_back({file, read_csv(file)});
      if (all.back().data.rows() == 0) throw Error({file}, "the file has no rows of data");
    } catch (const Error& e) {
      errors.add(e);
    }
  errors.throw_if_any();
  return all;
}

void look_at_residuals(MeasuredCourse& course) {
  const std::size_t n = course.measured.size();
  std::vector<double> r(n);
  double sum = 0, squares = 0;
  for (std::size_t k = 0; k < n; ++k) {
    r[k] = course.computed[k] - course.measured[k];
    sum += r[k], squares += r[k] * r[k];
  }
  course.rms = n > 0 ? std::sqrt(squares / static_cast<double>(n)) : 0;
  course.autocorrelation.clear();
  course.bound = n > 0 ? 1.96 / std::sqrt(static_cast<double>(n)) : 0;
  const std::size_t lags = std::min<std::size_t>(20, n / 4);
  const double mean = n > 0 ? sum / static_cast<double>(n) : 0;
  double variance = 0;
  for (const double x : r) variance += (x - mean) * (x - mean);
  for (std::size_t lag = 1; lag <= lags && variance > 0; ++lag) {
    double product = 0;
    for (std::size_t k = lag; k < n; ++k) product += (r[k] - mean) * (r[k - lag] - mean);
    course.autocorrelation.push_back(product / variance);
  }
}

bool MeasuredCourse::is_white() const {
  // five of a hundred are above it by chance; of twenty more than four are so once in four hundred cases
  const auto above =
      std::count_if(autocorrelation.begin(), autocorrelation.end(), [&](double a) { return std::abs(a) > bound; });
  return above <= 4;
}

Identification identify(LeastSquares& problem, std::vector<double>& weights,
                        const std::function<std::vector<MeasuredCourse>(std::span<const double>)>& courses,
                        const IdentifyOptions& options) {
  Identification result;
  result.start = problem.start;
  const std::vector<double> begin = problem.start;
  constexpr int most_rounds = 10;
  for (int round = 0; round < most_rounds; ++round) {
    result.fit = fit(problem, options.fit);
    if (!result.fit.good) break;
    result.courses = courses(result.fit.p);
    for (MeasuredCourse& c : result.courses) look_at_residuals(c);
    if (weights.size() < 2) break;
    double change = 0;
    double largest = 0;
    for (std::size_t g = 0; g < weights.size(); ++g) largest = std::max(largest, result.courses[g].rms / weights[g]);
    for (std::size_t g = 0; g < weights.size(); ++g) {
      // what is met exactly keeps a small weight: nothing weighs without limit
      const double size = std::max(result.courses[g].rms, 1e-9 * largest * weights[g]);
      if (!(size > 0)) continue;
      change = std::max(change, std::abs(std::log(size / weights[g])));
      weights[g] = size;
    }
    problem.start = result.fit.p;
    if (change < 1e-3) break;
  }
  problem.start = begin;
  if (result.fit.good && options.profiles)
    for (std::size_t k = 0; k < problem.start.size(); ++k)
      result.profiles.push_back(find_profile(problem, result.fit, static_cast<int>(k), options.fit));
  for (const MeasuredCourse& c : result.courses)
    if (!c.is_white())
      result.notes.push_back(
          fmt::format("the residuals of {}{} are not white: the model lacks something, or the noise is coloured, and "
                      "intervals are too "
                      "small",
                      c.name, result.courses.size() > 1 && !c.experiment.empty() ? " in " + c.experiment : ""));
  return result;
}

}  // namespace coenergy::study
