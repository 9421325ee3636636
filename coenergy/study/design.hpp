#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "coenergy/study/sobol.hpp"

namespace coenergy::study {

/// How an entry varies over the variants of a study, all in SI:
///
///   motor.R=1:0.1:3                    a grid: first, step, last       motor.R=1,2,5   values
///   wheel.J~uniform(1e-4, 2e-4)        wheel.J~normal(1e-4, 5%)        mean and standard deviation, or its share
///   wheel.J~triangular(1, 2, 4)        wheel.J~lognormal(1e-4, 10%)    median, and the relative deviation
struct Spread {
  enum class Kind { grid, uniform, normal, lognormal, triangular };
  std::string path;
  Kind kind = Kind::grid;
  std::vector<double> values;  ///< of a grid
  double a = 0, b = 0, c = 0;  ///< of a distribution, in the order above
  /// Of a distribution: the value that a share 0 < u < 1 lies below.
  double quantile(double u) const;
};

/// The path, before = or ~. Throws Error where there is none.
std::string spread_path(const std::string& text);
/// Reads a text for an entry with a unit. Throws Error for what cannot be, such as a variance of zero.
Spread read_spread(const std::string& text, const std::string& unit);

enum class Sampling { random, latin_hypercube, sobol, saltelli };

/// All variants of a study, each made from its number alone: on any machine, in any order. Every point of the grids (the
/// last one changes fastest) is combined with every sample of the distributions.
///
/// Random numbers are a hash of (seed, number, dimension). Latin hypercube: each of N equal shares of every dimension
/// holds one sample, in an order by a keyed permutation of 0 … N − 1 (a Feistel network, walked until it falls below N).
/// Saltelli: N points A, N points B, and for each dimension i those of A with coordinate i of B, from one Sobol
/// sequence of twice the dimensions. Correlations are those of the normal scores of the samples (a Gaussian copula).
class Design {
 public:
  struct Correlation {
    std::string a, b;
    double value = 0;
  };
  /// Throws Error where samples are missing or not wanted, for more dimensions than a sequence has, and for correlations
  /// that contradict each other.
  Design(std::vector<Spread> spreads, Sampling sampling, std::uint64_t samples, std::uint64_t seed,
         const std::vector<Correlation>& correlations = {});

  std::uint64_t variants() const { return grid_points_ * samples_; }
  std::uint64_t base_samples() const { return base_; }  ///< of saltelli: N
  const std::vector<Spread>& spreads() const { return spreads_; }
  const std::vector<int>& random() const { return random_; }  ///< indices of the spreads that are distributions
  void at(std::uint64_t variant, std::span<double> values) const;

 private:
  double uniform(std::uint64_t sample, int dimension) const;
  void correlate(const std::vector<Correlation>& correlations);
  std::vector<Spread> spreads_;
  Sampling sampling_;
  std::uint64_t samples_ = 1, base_ = 0, seed_, grid_points_ = 1;
  std::vector<int> random_;
  std::vector<double> factor_;  ///< L of L Lᵀ = correlations, row by row; empty: none
  std::unique_ptr<Sobol> sobol_;
};

double normal_quantile(double u);
double normal_share(double z);

}  // namespace coenergy::study
