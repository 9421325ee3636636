#include "coenergy/equations/variables.hpp"

#include <stdexcept>

#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::equations {

using symbolic::Expr;

static constexpr Address nowhere{Source::time, -1};

Expr Variables::add_symbol(const std::string& name, Address address) {
  Expr s = graph_->symbol(name);
  const std::size_t k = graph_->symbol_index(s);
  if (k >= addresses_.size()) addresses_.resize(k + 1, nowhere);
  if (addresses_[k].index >= 0) throw std::logic_error("two variables are named " + name);
  addresses_[k] = address;
  return s;
}

Expr Variables::time() {
  if (!has_time_) {
    time_ = add_symbol("time", {Source::time});
    has_time_ = true;
  }
  return time_;
}

int Variables::add_coordinate(const std::string& name) {
  const int k = coordinates();
  coordinates_.push_back({add_symbol(name, {Source::q, k}), add_symbol(name + "d", {Source::v, k}),
                          add_symbol(name + "dd", {Source::a, k})});
  return k;
}

int Variables::add_rotation(const std::string& name) {
  const int k = rotations();
  const char* axis[] = {"x", "y", "z"};
  Rotation r;
  for (int i = 0; i < 4; ++i) r.p[i] = add_symbol(name + ".p" + std::to_string(i), {Source::rotation_q, k, i});
  for (int i = 0; i < 3; ++i) r.w[i] = add_symbol(name + ".w" + axis[i], {Source::rotation_v, k, i});
  for (int i = 0; i < 3; ++i) r.alpha[i] = add_symbol(name + ".w" + axis[i] + "d", {Source::rotation_a, k, i});
  rotations_.push_back(r);
  return k;
}

int Variables::add_multiplier(const std::string& name) {
  const int k = multipliers();
  multipliers_.push_back(add_symbol(name, {Source::lambda, k}));
  return k;
}

int Variables::add_state(const std::string& name) {
  const int k = states();
  states_.push_back({add_symbol(name, {Source::x, k}), add_symbol("der(" + name + ")", {Source::xd, k})});
  return k;
}

int Variables::add_algebraic(const std::string& name) {
  const int k = algebraics();
  algebraics_.push_back(add_symbol(name, {Source::y, k}));
  return k;
}

int Variables::add_discrete(const std::string& name) {
  const int k = discretes();
  discretes_.push_back(add_symbol(name, {Source::d, k}));
  return k;
}

int Variables::add_parameter(const std::string& name) {
  const int k = parameters();
  parameters_.push_back(add_symbol(name, {Source::parameter, k}));
  return k;
}

Address Variables::address(const Expr& symbol) const {
  const std::size_t k = graph_->symbol_index(symbol);
  if (k >= addresses_.size() || addresses_[k].index < 0)
    throw std::logic_error("no variable has the symbol " + to_string(symbol));
  return addresses_[k];
}

Expr Variables::time_derivative(const Expr& e) const {
  if (e.is_number()) return 0;
  std::vector<Expr> symbols = symbolic::free_symbols(std::span(&e, 1)), rates;
  for (const Expr& s : symbols) {
    if (auto rate = rates_.find(s.id()); rate != rates_.end()) {
      rates.push_back(rate->second);
      continue;
    }
    const Address at = address(s);
    switch (at.source) {
      case Source::time:
        rates.push_back(1);
        break;
      case Source::q:
        rates.push_back(coordinates_[at.index].v);
        break;
      case Source::v:
        rates.push_back(coordinates_[at.index].a);
        break;
      case Source::rotation_q: {
        const Rotation& r = rotations_[at.index];
        rates.push_back(symbolic::quaternion_rate(r.p, r.w)[at.part]);
        break;
      }
      case Source::rotation_v:
        rates.push_back(rotations_[at.index].alpha[at.part]);
        break;
      case Source::x:
        rates.push_back(states_[at.index].xd);
        break;
      case Source::d:
      case Source::parameter:
        rates.push_back(0);
        break;
      default:
        throw std::logic_error("no time derivative of " + to_string(s));
    }
  }
  return symbolic::time_derivative(e, symbols, rates);
}

}  // namespace coenergy::equations
