#pragma once
#include <filesystem>
#include <functional>
#include <list>
#include <string>
#include <string_view>
#include <vector>

#include "coenergy/base/error.hpp"

namespace coenergy::io::spice {

/// One statement of a netlist: a line with its continuations ("+ …") joined by a space, comments removed.
struct Line {
  std::string_view text;
  Location where;  ///< of its first character
  struct Piece {
    std::size_t begin;  ///< in the text
    int line, column;
  };
  std::vector<Piece> pieces;  ///< that continue it

  Location locate(std::size_t offset) const;  ///< the place of a character
};

/// The statements of a netlist text. Removed are lines that start with `*`, and what follows `;`, ` $ ` or ` // `. The
/// lines are parts of the text, or of `joined` where they were continued; both must outlive them.
std::vector<Line> split_lines(std::string_view text, const std::string& file, bool has_title, std::string& title,
                              std::list<std::string>& joined);

/// A word of a statement, or one of the signs ( ) = which separate words as spaces and commas do. What stands in { },
/// ' ' or " " is one word, with `quoted` set and the quotes removed.
struct Token {
  std::string text;
  Location where;
  std::size_t begin = 0, end = 0;  ///< in the line's text
  bool quoted = false;

  bool is(std::string_view sign) const { return !quoted && text == sign; }
};
/// Throws an error where a brace or quote is not closed.
std::vector<Token> split_tokens(const Line& line);
/// The text of the first token.
std::string first_word(const Line& line);

std::string to_lower(std::string_view text);

}  // namespace coenergy::io::spice
