#include "coenergy/study/sobol.hpp"

#include <array>
#include <bit>
#include <stdexcept>

namespace coenergy::study {

namespace {

/// A primitive polynomial x^degree + … + 1 with its inner coefficients as bits, and the first direction numbers.
struct Generator {
  int degree;
  std::uint32_t coefficients;
  std::array<std::uint32_t, 7> first;
};

constexpr Generator generators[Sobol::most_dimensions - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};

}  // namespace

Sobol::Sobol(int dimensions) : directions_(static_cast<std::size_t>(dimensions) * bits) {
  if (dimensions > most_dimensions) throw std::logic_error("Sobol: too many dimensions");
  for (int d = 0; d < dimensions; ++d) {
    std::uint32_t* v = directions_.data() + static_cast<std::ptrdiff_t>(d) * bits;
    if (d == 0) {
      for (int k = 0; k < bits; ++k) v[k] = 1u << (bits - 1 - k);
      continue;
    }
    const Generator& g = generators[d - 1];
    for (int k = 0; k < bits; ++k) {
      if (k < g.degree) {
        v[k] = g.first[static_cast<std::size_t>(k)] << (bits - 1 - k);
        continue;
      }
      v[k] = v[k - g.degree] ^ (v[k - g.degree] >> g.degree);
      for (int j = 1; j < g.degree; ++j)
        if ((g.coefficients >> (g.degree - 1 - j) & 1u) != 0) v[k] ^= v[k - j];
    }
  }
}

double Sobol::at(std::uint64_t point, int dimension) const {
  const std::uint32_t* v = directions_.data() + static_cast<std::ptrdiff_t>(dimension) * bits;
  const std::uint64_t gray = point ^ (point >> 1);
  std::uint32_t x = 0;
  for (int k = 0; k < bits; ++k)
    if ((gray >> k & 1u) != 0) x ^= v[k];
  return (x + 0.5) / 4294967296.0;
}

}  // namespace coenergy::study
