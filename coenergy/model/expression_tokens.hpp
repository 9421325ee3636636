#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "coenergy/base/error.hpp"
#include "coenergy/base/units.hpp"

namespace coenergy::model {

/// One word of an expression. A number carries the unit that follows it (the rule is in expression.hpp).
struct Token {
  enum class Kind { number, name, sign, text, end };
  Kind kind = Kind::end;
  std::size_t begin = 0, end = 0;  ///< bytes of the text
  std::string
      text;  ///< of a name, a sign, or between quotes; "**" and "^" are "^", "&&" is "and", "||" is "or", "!" is "not"
  double value = 0;  ///< of a number, in its unit
  Unit unit = {};
  bool has_unit = false;
  std::vector<std::string> denominators = {};  ///< parts of the unit behind a '/' that could be names: "L2", "m.s"
};

/// The place of a byte of a text that begins at `where`; columns count characters.
Location locate(std::string_view text, std::size_t offset, const Location& where);

/// Splits a text; the last token has the kind `end`. Throws located errors for signs and units it does not know.
std::vector<Token> read_tokens(const std::string& text, const Location& where);

}  // namespace coenergy::model
