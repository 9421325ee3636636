#include "coenergy/equations/layout.hpp"

#include <stdexcept>

namespace coenergy::equations {

using symbolic::Expr;

Layout::Layout(const Variables& v)
    : coordinates(v.coordinates()),
      rotations(v.rotations()),
      multipliers(v.multipliers()),
      states(v.states()),
      algebraics(v.algebraics()),
      discretes(v.discretes()),
      parameters(v.parameters()) {}

int Layout::value_index(const Address& a) const {
  const int q = 1, v = q + nq(), acc = v + nv(), l = acc + nv(), x = l + multipliers, xd = x + states, y = xd + states,
            d = y + algebraics, p = d + discretes;
  switch (a.source) {
    case Source::time:
      return 0;
    case Source::q:
      return q + a.index;
    case Source::rotation_q:
      return q + coordinates + 4 * a.index + a.part;
    case Source::v:
      return v + a.index;
    case Source::rotation_v:
      return v + coordinates + 3 * a.index + a.part;
    case Source::a:
      return acc + a.index;
    case Source::rotation_a:
      return acc + coordinates + 3 * a.index + a.part;
    case Source::lambda:
      return l + a.index;
    case Source::x:
      return x + a.index;
    case Source::xd:
      return xd + a.index;
    case Source::y:
      return y + a.index;
    case Source::d:
      return d + a.index;
    case Source::parameter:
      return p + a.index;
  }
  throw std::logic_error("unknown source");
}

Address Layout::address(int value_index) const {
  struct Range {
    Source source;
    int count, parts;
  };
  const Range ranges[] = {{Source::time, 1, 1},
                          {Source::q, coordinates, 1},
                          {Source::rotation_q, rotations, 4},
                          {Source::v, coordinates, 1},
                          {Source::rotation_v, rotations, 3},
                          {Source::a, coordinates, 1},
                          {Source::rotation_a, rotations, 3},
                          {Source::lambda, multipliers, 1},
                          {Source::x, states, 1},
                          {Source::xd, states, 1},
                          {Source::y, algebraics, 1},
                          {Source::d, discretes, 1},
                          {Source::parameter, parameters, 1}};
  for (const Range& r : ranges) {
    if (value_index < r.count * r.parts) return {r.source, value_index / r.parts, value_index % r.parts};
    value_index -= r.count * r.parts;
  }
  throw std::logic_error("no variable has this place");
}

int Layout::unknown_index(const Address& a) const {
  switch (a.source) {
    case Source::q:
    case Source::v:
    case Source::a:
      return a.index;
    case Source::rotation_q:
    case Source::rotation_v:
    case Source::rotation_a:
      return coordinates + 3 * a.index + a.part;
    case Source::lambda:
      return nv() + a.index;
    case Source::x:
    case Source::xd:
      return nv() + multipliers + a.index;
    case Source::y:
      return nv() + multipliers + states + a.index;
    default:
      return -1;
  }
}

std::vector<Expr> input_symbols(EquationSet& set) {
  Variables& v = set.variables;
  std::vector<Expr> s{v.time()};
  for (int k = 0; k < v.coordinates(); ++k) s.push_back(v.coordinate(k).q);
  for (int k = 0; k < v.rotations(); ++k) s.insert(s.end(), v.rotation(k).p.begin(), v.rotation(k).p.end());
  for (int k = 0; k < v.coordinates(); ++k) s.push_back(v.coordinate(k).v);
  for (int k = 0; k < v.rotations(); ++k) s.insert(s.end(), v.rotation(k).w.e.begin(), v.rotation(k).w.e.end());
  for (int k = 0; k < v.coordinates(); ++k) s.push_back(v.coordinate(k).a);
  for (int k = 0; k < v.rotations(); ++k) s.insert(s.end(), v.rotation(k).alpha.e.begin(), v.rotation(k).alpha.e.end());
  for (int k = 0; k < v.multipliers(); ++k) s.push_back(v.multiplier(k));
  for (int k = 0; k < v.states(); ++k) s.push_back(v.state(k).x);
  for (int k = 0; k < v.states(); ++k) s.push_back(v.state(k).xd);
  for (int k = 0; k < v.algebraics(); ++k) s.push_back(v.algebraic(k));
  for (int k = 0; k < v.discretes(); ++k) s.push_back(v.discrete(k));
  for (int k = 0; k < v.parameters(); ++k) s.push_back(v.parameter(k));
  return s;
}

}  // namespace coenergy::equations
