#pragma once
#include <string>
#include <vector>

#include "coenergy/base/data_file.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/study/least_squares.hpp"

namespace coenergy::study {

/// Measured courses of one experiment, as a file gives them.
struct Measured {
  std::string file;
  CsvData data;
};
/// Reads the files. Throws Error where a file cannot be read or has no rows.
std::vector<Measured> read_measured(const std::vector<std::string>& files);

/// What one column, or one formula, gave to a fit: all that a report shows of it.
struct MeasuredCourse {
  std::string experiment, name, unit;
  std::vector<double> times;  ///< of the samples; their numbers where the data have no times
  std::vector<double> measured, computed;
  double rms = 0;                       ///< of computed − measured
  std::vector<double> autocorrelation;  ///< of the residuals, from lag 1
  double bound = 0;                     ///< 95 % of the autocorrelations of white noise are below it
  bool is_white() const;                ///< no more of them are above it than chance allows
};
/// Fills rms, autocorrelation and bound.
void look_at_residuals(MeasuredCourse& course);

/// A fit of measured data, however the model computes them.
struct Identification {
  std::vector<std::string> names, units;  ///< of the parameters
  std::vector<double> start;
  Fit fit;
  std::vector<Interval> profiles;  ///< where they were asked for
  std::vector<MeasuredCourse> courses;
  std::vector<std::string> notes;
};

struct IdentifyOptions {
  FitOptions fit;
  bool profiles = false;
};

/// Fits, gives columns of unlike kinds the weights of their own residuals, and fits again until those do not change;
/// then the profiles. `weights` are of the groups that rows of `problem` are divided by; `courses` computes what is
/// shown.
Identification identify(LeastSquares& problem, std::vector<double>& weights,
                        const std::function<std::vector<MeasuredCourse>(std::span<const double> p)>& courses,
                        const IdentifyOptions& options);

}  // namespace coenergy::study
