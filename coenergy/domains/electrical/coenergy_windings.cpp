#include "coenergy/domains/electrical/coenergy_windings.hpp"

#include <cmath>

#include "coenergy/base/error.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/domains/coenergy.hpp"
#include "coenergy/math/decompositions.hpp"

namespace coenergy::domains::electrical {

namespace {

/// The values of a list, where none of them varies.
std::optional<std::vector<double>> find_constants(Equations& eq, List list) {
  try {
    return eq.numbers(list);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

void CoenergyWindings::describe(Description& d) {
  d.name("electrical.CoenergyWindings", "windings by their co-energy W'(i, q): v = R*i + d(dW'/di)/dt, forces dW'/dq");
  for (std::size_t k = 0; k < most; ++k) {
    const std::string number = std::to_string(k + 1);
    d.port(p[k], "p" + number, "positive pin of winding " + number).optional();
    d.port(n[k], "n" + number, "negative pin of winding " + number).optional();
  }
  d.parameter(coenergy, "coenergy", "J", "W', an expression of the own currents i1, i2, ... and of coordinates")
      .varying()
      .optional();
  d.parameter(L, "L", "H", "inductances, one row of n for each of n windings, instead of coenergy")
      .varying()
      .optional();
  d.parameter(flux, "flux", "Wb", "flux linkages of magnets, with L; without it none").varying().optional();
  d.parameter(energy, "energy", "J", "co-energy without current, for cogging").fallback("0 J").varying();
  d.parameter(R, "R", "ohm", "resistances of the windings; without it none").varying().optional();
  for (std::size_t k = 0; k < most; ++k) {
    const std::string number = std::to_string(k + 1);
    d.parameter(i0[k], "i" + number + "_0", "A", "current of winding " + number + " at the start").fallback("0 A");
    d.variable(i[k], "i" + number, "A", "current of winding " + number + " from p to n").start(i0[k]);
  }
  d.output("phi#", "Wb", "flux linkage of winding 1, 2, ...");
}

std::size_t CoenergyWindings::count(Equations& eq) const {
  std::size_t windings = 0;
  for (std::size_t k = 0; k < most; ++k) {
    if (eq.connected(p[k]) != eq.connected(n[k]))
      eq.refuse("only one end of winding " + std::to_string(k + 1) + " is connected");
    if (!eq.connected(p[k])) continue;
    if (windings != k)
      eq.refuse("winding " + std::to_string(k + 1) + " is connected, but winding " + std::to_string(k) + " is not");
    ++windings;
  }
  if (windings == 0) eq.refuse("none of its windings is connected");
  return windings;
}

std::vector<Branch> CoenergyWindings::branches(Equations& eq) const {
  const std::size_t windings = count(eq);
  std::vector<Branch> list;
  for (std::size_t k = 0; k < most; ++k)
    list.push_back(
        {p[k], k < windings ? n[k] : p[k], k < windings ? BranchKind::inductive : BranchKind::resistive, i[k]});
  return list;
}

void CoenergyWindings::check(Equations& eq, std::size_t windings) const {
  const auto need = [&](const char* name, std::size_t size, std::size_t wanted) {
    if (size != wanted)
      eq.refuse(std::string(name) + " has " + std::to_string(size) + " entries; " + std::to_string(windings) +
                " windings need " + std::to_string(wanted));
  };
  if (eq.has(coenergy) == eq.has(L)) eq.refuse("give either the co-energy or the inductances L");
  if (eq.has(flux) && !eq.has(L)) eq.refuse("flux belongs to L; write the flux of magnets into the co-energy");
  if (eq.has(L)) need("L", eq[L].size(), windings * windings);
  if (eq.has(flux)) need("flux", eq[flux].size(), windings);
  if (eq.has(R)) need("R", eq[R].size(), windings);
}

void CoenergyWindings::check_constant(Equations& eq, const std::vector<double>& l, std::size_t windings) const {
  math::Matrix matrix(static_cast<int>(windings), static_cast<int>(windings));
  for (std::size_t j = 0; j < windings; ++j)
    for (std::size_t k = 0; k < windings; ++k) {
      if (l[j * windings + k] != l[k * windings + j])
        eq.refuse("L is not symmetric: the mutual inductance of windings " + std::to_string(std::min(j, k) + 1) +
                  " and " + std::to_string(std::max(j, k) + 1) + " is both " + format_short(l[j * windings + k]) +
                  " H and " + format_short(l[k * windings + j]) + " H");
      matrix(static_cast<int>(j), static_cast<int>(k)) = l[j * windings + k];
    }
  const math::EigenPairs pairs = math::compute_eigenpairs(matrix);
  double largest = 0, least = 0;
  int place = 0;
  for (std::size_t k = 0; k < windings; ++k) {
    largest = std::max(largest, std::abs(pairs.values[k].real()));
    if (pairs.values[k].real() < least) least = pairs.values[k].real(), place = static_cast<int>(k);
  }
  constexpr double rounding = 1e-12;
  if (least >= -rounding * largest) return;
  // the winding with the largest share of these currents
  int winding = 0;
  for (int k = 1; k < static_cast<int>(windings); ++k)
    if (std::abs(pairs.vectors(k, place)) > std::abs(pairs.vectors(winding, place))) winding = k;
  eq.refuse("L has the negative eigenvalue " + format_short(least) + " H, most of it in winding " +
            std::to_string(winding + 1) +
            ": these currents would have a negative energy; mutual inductances must be "
            "at most sqrt(L_j L_k)");
}

void CoenergyWindings::equations(Equations& eq) const {
  const std::size_t windings = count(eq);
  check(eq, windings);
  std::vector<Expr> currents;
  for (std::size_t k = 0; k < windings; ++k) currents.push_back(eq[i[k]]);

  // co-energy
  Expr w = eq[energy];
  if (eq.has(coenergy)) w += eq[coenergy];
  if (eq.has(L)) {
    const std::vector<Expr> l = eq[L];
    for (std::size_t j = 0; j < windings; ++j)
      for (std::size_t k = 0; k < windings; ++k) w += l[j * windings + k] * currents[j] * currents[k] / 2;
    if (const auto values = find_constants(eq, L)) check_constant(eq, *values, windings);
  }
  if (eq.has(flux))
    for (std::size_t k = 0; k < windings; ++k) w += eq[flux][k] * currents[k];
  const Fields fields = write_coenergy(eq, w, currents, 0);

  // windings
  for (std::size_t k = 0; k < most; ++k) {
    if (k >= windings) {
      eq.zero(i[k], eq[i[k]]);
      continue;
    }
    const Expr resistance = eq.has(R) ? eq[R][k] : Expr(0);
    eq.through(p[k], currents[k]);
    eq.through(n[k], -currents[k]);
    eq.zero(i[k], resistance * currents[k] + eq.time_derivative(fields.flux[k]) - (eq[p[k]] - eq[n[k]]));
    eq.dissipated(resistance * currents[k] * currents[k]);
    eq.output("phi" + std::to_string(k + 1), "Wb", fields.flux[k]);
  }
}

}  // namespace coenergy::domains::electrical
