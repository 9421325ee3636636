#include "coenergy/io/spice_lines.hpp"

#include <algorithm>
#include <cctype>

namespace coenergy::io::spice {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

/// Where the comment at the end of a line starts; the length of the line if there is none.
std::size_t find_comment(std::string_view line) {
  for (std::size_t k = 0; k < line.size(); ++k) {
    const bool starts_word = k == 0 || is_space(line[k - 1]) || line[k - 1] == ',';
    const bool ends_word = k + 1 == line.size() || is_space(line[k + 1]);
    if (line[k] == ';' || (line[k] == '$' && starts_word && ends_word)) return k;
    if (line[k] == '/' && starts_word && k + 1 < line.size() && line[k + 1] == '/') return k;
  }
  return line.size();
}

/// The end of the word that begins at k.
std::size_t find_word_end(std::string_view text, std::size_t k) {
  while (k < text.size() && !is_space(text[k]) && std::string_view(",()={'\"").find(text[k]) == std::string_view::npos)
    ++k;
  return k;
}

}  // namespace

std::string to_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

Location Line::locate(std::size_t offset) const {
  Location place = where;
  place.column += static_cast<int>(offset);
  for (const Piece& piece : pieces) {
    if (piece.begin > offset) break;
    place.line = piece.line;
    place.column = piece.column + static_cast<int>(offset - piece.begin);
  }
  return place;
}

std::vector<Line> split_lines(std::string_view text, const std::string& file, bool has_title, std::string& title,
                              std::list<std::string>& joined) {
  std::vector<Line> lines;
  const FileName name(file);
  int number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view raw = text.substr(at, end - at);
    at = end + 1;
    ++number;
    if (number == 1 && raw.substr(0, 3) == "\xef\xbb\xbf") raw.remove_prefix(3);
    if (number == 1 && has_title) {
      while (!raw.empty() && is_space(raw.back())) raw.remove_suffix(1);
      title = raw;
      continue;
    }
    std::size_t first = 0;
    while (first < raw.size() && is_space(raw[first])) ++first;
    if (first == raw.size() || raw[first] == '*') continue;
    const bool continues = raw[first] == '+';
    if (continues) ++first;
    std::string_view content = raw.substr(first);
    content = content.substr(0, find_comment(content));
    while (!content.empty() && is_space(content.back())) content.remove_suffix(1);
    const int column = static_cast<int>(first) + 1;
    if (continues) {
      if (lines.empty())
        throw Error({file, number, column}, "this line continues nothing; a + must follow a statement");
      Line& line = lines.back();
      if (line.pieces.empty()) joined.emplace_back(line.text);
      std::string& whole = joined.back();
      whole += ' ';
      line.pieces.push_back({whole.size(), number, column});
      whole += content;
      line.text = whole;
    } else if (!content.empty()) {
      lines.push_back({content, {name, number, column}, {}});
    }
  }
  return lines;
}

std::string first_word(const Line& line) {
  std::size_t k = 0;
  while (k < line.text.size() && (is_space(line.text[k]) || line.text[k] == ',')) ++k;
  return std::string(line.text.substr(k, find_word_end(line.text, k) - k));
}

std::vector<Token> split_tokens(const Line& line) {
  std::vector<Token> tokens;
  tokens.reserve(4);
  const std::string_view text = line.text;
  for (std::size_t k = 0; k < text.size();) {
    const char c = text[k];
    if (is_space(c) || c == ',') {
      ++k;
      continue;
    }
    Token token;
    token.begin = k;
    token.where = line.locate(k);
    if (c == '(' || c == ')' || c == '=') {
      token.text = c;
      ++k;
    } else if (c == '{') {
      int depth = 0;
      std::size_t end = k;
      for (; end < text.size(); ++end) {
        depth += text[end] == '{' ? 1 : text[end] == '}' ? -1 : 0;
        if (depth == 0) break;
      }
      if (end == text.size()) throw Error(token.where, "the brace { is not closed");
      token.text = text.substr(k + 1, end - k - 1);
      token.quoted = true;
      k = end + 1;
    } else if (c == '\'' || c == '"') {
      const std::size_t end = text.find(c, k + 1);
      if (end == std::string::npos) throw Error(token.where, std::string("the quote ") + c + " is not closed");
      token.text = text.substr(k + 1, end - k - 1);
      token.quoted = true;
      k = end + 1;
    } else {
      const std::size_t end = find_word_end(text, k);
      token.text = text.substr(k, end - k);
      k = end;
    }
    token.end = k;
    tokens.push_back(std::move(token));
  }
  return tokens;
}

}  // namespace coenergy::io::spice
