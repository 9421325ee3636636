#pragma once
#include <string>
#include <vector>

#include "coenergy/equations/data.hpp"

namespace coenergy::equations {

/// What follows parameter k, directly or by way of others: "motor.k" follows "kT" where the model says `k: 2*kT`.
///
/// With the laws p_j = f_j(p), each of parameters before it, the values and slopes dp_j/dp_k of all that follow p_k are
/// one function each of all values. Made when first asked for; good as long as the system.
struct Followers {
  std::vector<int> parameters;        ///< in the order of their laws, without k itself
  symbolic::Function values, slopes;  ///< over the value array of the system
  std::vector<std::size_t> starts;    ///< start laws that depend on k or on its followers
  symbolic::Function start_slopes;
};
const Followers& followers_of(const System::Data& data, int k);

/// What Data::parameter_read says of a number that was looked at: only to check it, or to make equations by it.
constexpr char checked = 1, made_by = 2;

/// The entry by which the value of a parameter, or of one that follows it, went into the equations as a number: it
/// cannot be changed without compiling again. "" where it can.
std::string find_built_in(const System::Data& data, int k);

/// A discrete variable that is set at times which follow parameter k: a sample whose period it is. "" where none is.
std::string find_clocked(const System::Data& data, int k);

}  // namespace coenergy::equations
