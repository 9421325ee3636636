#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "coenergy/base/error.hpp"
#include "coenergy/base/units.hpp"
#include "coenergy/symbolic/expr.hpp"

namespace coenergy::model {

/// A value in SI and what is known of its dimension.
///  - A *plain number* comes from literals without a unit only. It means SI of whatever it is added to, compared
///    with or
///    assigned to, and counts as dimensionless in products.
///  - A dimension that is not known (of a signal without a unit, of a root that is no whole power) fits everything.
///  - Angles are dimensionless: rad is 1.
struct Quantity {
  symbolic::Expr value;
  Dimension dimension = {};
  bool dimension_known = true;
  bool plain_number = false;
};

/// What a name stands for, or nothing if there is no such name.
using Scope = std::function<std::optional<Quantity>(const std::string& name)>;

Quantity make_plain(double value);
Quantity make_quantity(double value, const Unit& unit);  ///< value given in the unit

/// What most entries are, a number or a number with a unit of letters ("10 kohm"), read without ado; nothing for any
/// other text, which is an Expression then.
std::optional<Quantity> find_quantity(std::string_view text);

/// The dimension two quantities share when added or compared, as a quantity without value; nothing if they differ.
std::optional<Quantity> find_common(const Quantity& a, const Quantity& b);
/// True if the quantity is a plain number, has this dimension, or an unknown one.
bool fits(const Quantity& quantity, const Dimension& dimension);

Quantity operator*(const Quantity& a, const Quantity& b);
Quantity operator/(const Quantity& a, const Quantity& b);
/// base^n for whole n.
Quantity power(const Quantity& base, int n);
/// The square root; its dimension is unknown if the powers of the argument's are odd.
Quantity square_root(const Quantity& a);

/// The unit of entries that take every unit, such as the input of a gain.
inline constexpr const char* any_unit = "any";

/// "A", "N.m", "no unit", "unknown unit": for messages.
std::string dimension_text(const Quantity& quantity);

/// Throws at `where` unless the quantity fits the unit: "R1.R = 5 A must be in ohm, not in A".
void check_unit(const Quantity& quantity, std::string_view unit, const Location& where, std::string_view what,
                std::string_view text);

}  // namespace coenergy::model
