#pragma once
#include <functional>
#include <string>
#include <vector>

#include "coenergy/io/spice.hpp"
#include "coenergy/io/spice_cards.hpp"

namespace coenergy::io::spice {

/// Names and values that a card goes through, as .step, .dc and .data write them.
struct Sweep {
  std::vector<std::string> names;         ///< in small letters
  std::vector<std::vector<double>> rows;  ///< a value of each name
  std::size_t end = 0;                    ///< the token behind it
};

using NumberOf = std::function<double(const Token&)>;

/// Reads one sweep of a card from token k on: name from to step, name list a b …, dec name from to points (also oct and
/// lin), each with a further word `sweep` or `param` if wanted; data=table. Throws located errors.
Sweep read_sweep(const Card& card, std::size_t k, const Cards& cards, const NumberOf& number);

/// The .step cards and .data tables, once all parameters are known. A parameter that only .step gives is one.
void read_steps(Cards& cards, const NumberOf& number, ErrorList& errors);

/// Whether a parameter, `temp`, an element, a parameter of an element (m1:w) or of a model (nmos1:vto) has this name.
bool has_value(const Cards& cards, const std::string& name);

/// Puts values in the place of those that are written. Throws Error where there is no such name.
void set_values(Cards& cards, const NetlistValues& values);

}  // namespace coenergy::io::spice
