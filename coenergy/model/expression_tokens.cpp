#include "coenergy/model/expression_tokens.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace coenergy::model {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_keyword(std::string_view s) { return s == "and" || s == "or" || s == "not"; }

class Tokens {
 public:
  Tokens(const std::string& text, const Location& where) : text_(text), where_(where) {}

  std::vector<Token> read() {
    std::vector<Token> tokens;
    do {
      tokens.push_back(read_token());
    } while (tokens.back().kind != Token::Kind::end);
    return tokens;
  }

 private:
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  std::string_view from(std::size_t i) const { return std::string_view(text_).substr(std::min(i, text_.size())); }
  std::string slice(std::size_t begin, std::size_t end) const { return text_.substr(begin, end - begin); }
  std::size_t skip_spaces(std::size_t i) const {
    while (is_space(at(i))) ++i;
    return i;
  }
  [[noreturn]] void fail(std::size_t offset, const std::string& text) const {
    throw Error(locate(text_, offset, where_), text);
  }

  Token read_token() {
    position_ = skip_spaces(position_);
    Token token;
    token.begin = token.end = position_;
    if (position_ >= text_.size()) return token;
    const char c = at(position_);
    if (is_digit(c) || (c == '.' && is_digit(at(position_ + 1))))
      read_number(token);
    else if (is_letter(c) || c == '_')
      read_name(token);
    else if (c == '"' || c == '\'')
      read_text(token);
    else
      read_sign(token);
    position_ = token.end;
    return token;
  }

  void read_name(Token& token) const {
    token.kind = Token::Kind::name;
    token.end = skip_index(skip_word(token.begin));
    // a dot continues a name only if a name follows
    while (at(token.end) == '.' && (is_letter(at(token.end + 1)) || at(token.end + 1) == '_'))
      token.end = skip_index(skip_word(token.end + 1));
    token.text = slice(token.begin, token.end);
    if (is_keyword(token.text)) token.kind = Token::Kind::sign;
  }

  void read_text(Token& token) const {
    token.kind = Token::Kind::text;
    const std::size_t close = text_.find(at(token.begin), token.begin + 1);
    if (close == std::string::npos) fail(token.begin, "the quote is not closed");
    token.text = slice(token.begin + 1, close);
    token.end = close + 1;
  }

  std::size_t skip_word(std::size_t i) const {
    while (is_word(at(i))) ++i;
    return i;
  }

  // past the index of an element of an array, s[k-1], which belongs to its name
  std::size_t skip_index(std::size_t i) const {
    if (at(i) != '[') return i;
    const std::size_t close = text_.find(']', i);
    if (close == std::string::npos) fail(i, "the [ is not closed; ] is missing");
    return close + 1;
  }

  void read_sign(Token& token) const {
    struct Sign {
      std::string_view written, meant;
    };
    constexpr Sign signs[] = {{"**", "^"},  {"<=", "<="}, {">=", ">="}, {"==", "=="}, {"!=", "!="}, {"&&", "and"},
                              {"||", "or"}, {"+", "+"},   {"-", "-"},   {"*", "*"},   {"/", "/"},   {"^", "^"},
                              {"<", "<"},   {">", ">"},   {"(", "("},   {")", ")"},   {"[", "["},   {"]", "]"},
                              {",", ","},   {"?", "?"},   {":", ":"},   {"!", "not"}, {"−", "-"},   {"·", "*"},
                              {"×", "*"},   {"≤", "<="},  {"≥", ">="}};
    token.kind = Token::Kind::sign;
    const auto rest = from(token.begin);
    for (const auto& sign : signs) {
      if (!rest.starts_with(sign.written)) continue;
      token.text = sign.meant;
      token.end = token.begin + sign.written.size();
      return;
    }
    if (rest[0] == '=') fail(token.begin, "a single = is no comparison; write ==");
    // show one whole character
    std::size_t length = 1;
    while (length < rest.size() && (static_cast<unsigned char>(rest[length]) & 0xc0) == 0x80) ++length;
    fail(token.begin, "unexpected \"" + std::string(rest.substr(0, length)) + "\" in the expression");
  }

  // ---- numbers and their units

  void read_number(Token& token) const {
    token.kind = Token::Kind::number;
    const auto rest = from(token.begin);
    const auto result = std::from_chars(rest.data(), rest.data() + rest.size(), token.value);
    token.end = token.begin + static_cast<std::size_t>(result.ptr - rest.data());
    if (result.ec != std::errc()) fail(token.begin, "the number " + slice(token.begin, token.end) + " is out of range");
    read_unit(token);
  }

  void read_unit(Token& token) const {
    const auto number_end = token.end;
    const auto start = skip_spaces(number_end);
    const bool inverse = start > number_end && from(start).starts_with("1/");
    auto end = start + 1;
    if (!inverse) {
      if (is_keyword(from(start).substr(0, skip_word(start) - start))) return;
      end = skip_run(start);
      if (end == start) return check_word_after(token);
      if (at(end) == '(' || is_word(at(end)) || !find_unit(from(start).substr(0, end - start)))
        fail_unit(token, start, end);
    }
    // every denominator that is a unit belongs to it
    while (at(end) == '/') {
      const auto next = skip_denominator(end + 1, token);
      if (next == end + 1) break;
      end = next;
    }
    const auto unit_text = from(start).substr(0, end - start);
    if (unit_text == "1") return;
    try {
      token.unit = parse_unit(unit_text);
    } catch (const Error& e) {
      fail(start, e.items().at(0).text);
    }
    token.has_unit = true;
    token.end = end;
  }

  // past the signs of a unit symbol; `i` if there are none
  std::size_t skip_symbol(std::size_t i) const {
    constexpr std::string_view signs[] = {"µ", "μ", "Ω", "\u2126", "°", "%"};
    for (bool found = true; found;) {
      found = is_letter(at(i));
      if (found) ++i;
      for (const auto sign : signs)
        if (from(i).starts_with(sign)) i += sign.size(), found = true;
    }
    return i;
  }

  // past m, m2, m^2, m^-2, m**2, m²; `i` if it can only be a name: a_b, L1, m2x
  std::size_t skip_factor(std::size_t i) const {
    auto end = skip_symbol(i);
    if (end == i || at(end) == '_') return i;
    if (is_digit(at(end))) {
      const auto digits = end;
      while (is_digit(at(end))) ++end;
      const bool is_name = is_word(at(end)) || at(digits) == '0' || from(digits).substr(0, end - digits) == "1";
      return is_name ? i : end;
    }
    constexpr std::string_view superscripts[] = {"⁻", "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    for (bool found = true; found;) {
      found = false;
      for (const auto s : superscripts)
        if (from(end).starts_with(s)) end += s.size(), found = true;
    }
    return skip_power(end);
  }

  // past ^2, ^-2, **2 with a whole number
  std::size_t skip_power(std::size_t i) const {
    auto end = i;
    if (at(end) == '^')
      ++end;
    else if (from(end).starts_with("**"))
      end += 2;
    else
      return i;
    if (at(end) == '-') ++end;
    if (!is_digit(at(end))) return i;
    while (is_digit(at(end))) ++end;
    return is_word(at(end)) || (at(end) == '.' && is_digit(at(end + 1))) ? i : end;
  }

  // past factors joined by dots; `i` if one of them is no factor
  std::size_t skip_run(std::size_t i) const {
    auto end = skip_factor(i);
    if (end == i) return i;
    while (true) {
      const std::size_t dot = at(end) == '.' ? 1 : from(end).starts_with("·") ? 2 : from(end).starts_with("⋅") ? 3 : 0;
      if (dot == 0) return end;
      if (skip_symbol(end + dot) == end + dot) return end;
      const auto next = skip_factor(end + dot);
      if (next == end + dot) return i;
      end = next;
    }
  }

  // past a denominator "s", "rad2" or "(kg.K)" that is a unit; `i` otherwise
  std::size_t skip_denominator(std::size_t i, Token& token) const {
    const bool group = at(i) == '(';
    const auto start = group ? i + 1 : i;
    auto end = skip_run(start);
    const auto run = from(start).substr(0, end - start);
    if (run.empty() || !find_unit(run)) return i;
    if (group && at(end++) != ')') return i;
    // kg.K in J/kg.K may be a name, and is no clear unit: the evaluation decides
    if (!group && std::all_of(run.begin(), run.end(), [](char c) { return is_word(c) || c == '.' || c == '^'; }) &&
        run.find('.') != std::string_view::npos)
      return i;
    // a function call, or a power that belongs to the denominator alone
    const auto next = skip_spaces(end);
    if (is_word(at(end)) || at(end) == '(' || at(next) == '^' || from(next).starts_with("**")) return i;
    if (run.find_first_of(".0123456789") != std::string_view::npos) token.denominators.emplace_back(run);
    return end;
  }

  // a word behind a number that cannot be a unit
  void check_word_after(const Token& token) const {
    const auto start = skip_spaces(token.end);
    if (is_word(at(start)) && !is_digit(at(start))) fail_unit(token, start, start);
  }

  [[noreturn]] void fail_unit(const Token& token, std::size_t start, std::size_t end) const {
    const auto number = slice(token.begin, token.end);
    Token word;
    word.begin = start;
    read_name(word);
    end = std::max(end, word.end);
    const auto text = slice(start, end);
    std::string problem = "\"" + text + "\" is no unit";
    if (at(end) != '(') {
      try {
        parse_unit(text);
      } catch (const Error& e) {
        problem = e.items().at(0).text;
      }
    }
    if (problem.find("did you mean") == std::string::npos)
      problem += "; to multiply, write " + number + "*" + text + (at(end) == '(' ? "(…)" : "");
    fail(start, problem);
  }

  const std::string& text_;
  const Location& where_;
  std::size_t position_ = 0;
};

}  // namespace

Location locate(std::string_view text, std::size_t offset, const Location& where) {
  Location place = where;
  if (where.column <= 0) return place;
  for (std::size_t i = 0; i < std::min(offset, text.size()); ++i) {
    if (text[i] == '\n') {
      ++place.line;
      place.column = where.column;
    } else if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) {
      ++place.column;
    }
  }
  return place;
}

std::vector<Token> read_tokens(const std::string& text, const Location& where) { return Tokens(text, where).read(); }

}  // namespace coenergy::model
