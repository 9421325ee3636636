// Groups of coupled inductors
#include <cmath>

#include "coenergy/io/spice_expander.hpp"
#include "coenergy/math/matrix.hpp"

namespace coenergy::io::spice {

namespace {

/// One group of coils: k_ij with ones on the diagonal.
struct Group {
  std::vector<std::string> coils, elements;
  std::map<std::pair<int, int>, double> k;
  Location where;

  int add_coil(const std::string& name) {
    for (std::size_t i = 0; i < coils.size(); ++i)
      if (coils[i] == name) return static_cast<int>(i);
    coils.push_back(name);
    return static_cast<int>(coils.size()) - 1;
  }
  /// By the factors of Cholesky.
  bool is_positive_definite() const {
    const int n = static_cast<int>(coils.size());
    math::Matrix l(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) {
        const auto place = k.find({j, i});
        double sum = i == j ? 1 : place == k.end() ? 0 : place->second;
        for (int m = 0; m < j; ++m) sum -= l(i, m) * l(j, m);
        if (i == j && !(sum > 0)) return false;
        l(i, j) = i == j ? std::sqrt(sum) : sum / l(j, j);
      }
    return true;
  }
};

}  // namespace

void check_couplings(const std::vector<CoupledPair>& pairs, ErrorList& errors) {
  // groups are joined by pairs
  std::map<std::string, std::string> parent;
  const auto find_root = [&](std::string name) {
    while (parent.emplace(name, name).first->second != name) name = parent[name];
    return name;
  };
  for (const CoupledPair& p : pairs) parent[find_root(p.a)] = find_root(p.b);
  std::map<std::string, Group> groups;
  for (const CoupledPair& p : pairs) {
    Group& g = groups[find_root(p.a)];
    const int a = g.add_coil(p.a), b = g.add_coil(p.b);
    if (!g.k.emplace(std::minmax(a, b), p.k).second)
      errors.add(p.where, p.element + ": " + p.a + " and " + p.b + " are coupled already");
    if (g.elements.empty() || g.elements.back() != p.element) g.elements.push_back(p.element);
    g.where = p.where;
  }
  for (const auto& [root, g] : groups) {
    if (g.is_positive_definite()) continue;
    std::string coils, elements;
    for (const std::string& name : g.coils) coils += (coils.empty() ? "" : ", ") + name;
    for (const std::string& name : g.elements) elements += (elements.empty() ? "" : ", ") + name;
    errors.add(g.where, "the couplings " + elements + " of " + coils +
                            " cannot be true together: some currents would have a negative energy");
  }
}

}  // namespace coenergy::io::spice
