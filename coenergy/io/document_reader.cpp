#include <yaml.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "coenergy/io/document.hpp"

namespace coenergy::io {
namespace {

constexpr int deepest_nesting = 200;
constexpr std::size_t most_values = 1'000'000;
constexpr std::size_t most_bytes = 100 << 20;

// ---- the text as characters

struct Character {
  std::uint32_t code = 0;
  std::size_t length = 0;  ///< bytes; 0 if they are no UTF-8
};

Character read_character(std::string_view s) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || s.size() < length) return {};
  std::uint32_t code = first & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3f);
  }
  // overlong forms, surrogates and codes past the last one
  constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < smallest[length] || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff) return {};
  return {code, length};
}

bool is_forbidden(std::uint32_t code) {
  if (code < 0x20) return code != '\t' && code != '\n' && code != '\r';
  return code == 0x7f || (code > 0x7f && code < 0xa0 && code != 0x85) || code == 0xfeff || code == 0xfffe ||
         code == 0xffff;
}

std::string hexadecimal(std::uint32_t value, int digits) {
  std::string text;
  for (int k = digits - 1; k >= 0; --k) text += "0123456789ABCDEF"[value >> (4 * k) & 15];
  return text;
}

/// Checks the text and finds where its lines begin. Breaks are those of YAML: LF, CR, CR LF, NEL, LS, PS.
std::vector<std::size_t> find_lines(std::string_view text, const std::string& file) {
  std::vector<std::size_t> lines{0};
  int column = 1;
  for (std::size_t i = 0; i < text.size();) {
    const auto c = read_character(text.substr(i));
    const Location where{file, static_cast<int>(lines.size()), column++};
    if (c.length == 0)
      throw Error(where, "the byte 0x" + hexadecimal(static_cast<unsigned char>(text[i]), 2) +
                             " is not UTF-8; save the file with the encoding UTF-8");
    if (is_forbidden(c.code))
      throw Error(where, "the control character U+" + hexadecimal(c.code, 4) + " is not allowed; remove it");
    i += c.length;
    const bool inside_break = c.code == '\r' && i < text.size() && text[i] == '\n';
    if (inside_break) continue;
    if (c.code == '\n' || c.code == '\r' || c.code == 0x85 || c.code == 0x2028 || c.code == 0x2029) {
      lines.push_back(i);
      column = 1;
    }
  }
  return lines;
}

// ---- events

struct Event {
  yaml_event_t event{};
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { yaml_event_delete(&event); }
  yaml_event_type_t type() const { return event.type; }
};

std::string to_string(const yaml_char_t* text) { return text ? reinterpret_cast<const char*>(text) : ""; }

/// An anchored value: complete, or still being read.
struct Anchor {
  Node value;
  std::size_t size = 0;
  int height = 0;
  bool complete = false;
};

/// Builds the tree by recursive descent over the events of libyaml.
class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : text_(text), file_(file), lines_(find_lines(text, file)) {
    if (!yaml_parser_initialize(&parser_)) throw std::bad_alloc();
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  ~Reader() { yaml_parser_delete(&parser_); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  Node read() {
    Event start, document;
    next(start);
    next(document);
    if (document.type() == YAML_STREAM_END_EVENT)
      throw Error({file_, 1, 1}, "the file is empty; a model file begins with keys such as \"components:\"");
    Event first;
    next(first);
    Node root = read_node(first, 0, false);
    Event document_end, end;
    next(document_end);
    next(end);
    if (end.type() != YAML_STREAM_END_EVENT)
      throw Error(locate(end.event.start_mark),
                  "a second document begins here; a file holds one document, remove the ---");
    return root;
  }

 private:
  Location locate(const yaml_mark_t& mark) const {
    return {file_, static_cast<int>(mark.line) + 1, static_cast<int>(mark.column) + 1};
  }

  void next(Event& event) {
    if (!yaml_parser_parse(&parser_, &event.event)) fail_syntax();
  }

  // the text from a place to the end of its line
  std::string_view rest_of_line(const Location& where) const {
    const auto line = static_cast<std::size_t>(where.line);
    if (line > lines_.size()) return {};
    const auto end = line < lines_.size() ? lines_[line] : text_.size();
    auto rest = text_.substr(lines_[line - 1], end - lines_[line - 1]);
    for (int column = 1; column < where.column && !rest.empty(); ++column)
      rest.remove_prefix(read_character(rest).length);
    return rest;
  }

  [[noreturn]] void fail_syntax() const {
    if (parser_.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
    const std::string problem = parser_.problem ? parser_.problem : "malformed";
    const auto where = locate(parser_.problem_mark);
    const auto rest = rest_of_line(where);
    std::string text = "cannot read this as YAML: " + problem;
    if (parser_.context && parser_.context_mark.line != parser_.problem_mark.line)
      text +=
          std::string(" ") + parser_.context + " that begins in line " + std::to_string(parser_.context_mark.line + 1);
    // the mistakes made most often
    if (problem.find("mapping values are not allowed") != std::string::npos)
      text += "; put a value that contains \": \" in quotes, and check the indentation";
    else if (rest.starts_with('\t'))
      text += "; indent with spaces, not with a tab";
    else if (problem.find("cannot start any token") != std::string::npos && !rest.empty())
      text += "; put a value that begins with " + std::string(1, rest[0]) + " in quotes";
    throw Error(where, text);
  }

  // ---- nodes

  Node read_node(const Event& event, int depth, bool in_flow) {
    const auto where = locate(event.event.start_mark);
    if (depth > deepest_nesting)
      throw Error(where, "values are nested deeper than " + std::to_string(deepest_nesting) + " levels");
    if (++values_ > most_values) fail_too_many(where);
    switch (event.type()) {
      case YAML_ALIAS_EVENT:
        return read_alias(event, depth);
      case YAML_SCALAR_EVENT:
        return read_scalar(event, in_flow);
      case YAML_SEQUENCE_START_EVENT:
        return read_sequence(event, depth);
      case YAML_MAPPING_START_EVENT:
        return read_mapping(event, depth);
      default:
        throw Error(where, "a value is missing here");
    }
  }

  [[noreturn]] void fail_too_many(const Location& where) const {
    throw Error(where,
                "the file has more than " + std::to_string(most_values) + " values; keep measured data in a CSV file");
  }

  Node read_alias(const Event& event, int depth) {
    const auto where = locate(event.event.start_mark);
    const auto name = to_string(event.event.data.alias.anchor);
    const auto found = anchors_.find(name);
    if (found == anchors_.end()) {
      std::vector<std::string> known;
      for (const auto& [anchor, unused] : anchors_) known.push_back(anchor);
      throw Error(where, "no anchor &" + name + " stands above this alias *" + name + did_you_mean(name, known));
    }
    const auto& anchor = found->second;
    if (!anchor.complete) throw Error(where, "the alias *" + name + " stands inside the value it names");
    if (depth + anchor.height > deepest_nesting)
      throw Error(where, "values are nested deeper than " + std::to_string(deepest_nesting) + " levels");
    if (anchor.size > most_values - values_) fail_too_many(where);
    values_ += anchor.size;
    height_ = anchor.height;
    return anchor.value;
  }

  Node read_scalar(const Event& event, bool in_flow) {
    const auto& scalar = event.event.data.scalar;
    Node node;
    node.where = node.text_where = locate(event.event.start_mark);
    node.text.assign(reinterpret_cast<const char*>(scalar.value), scalar.length);
    node.quoted = scalar.style != YAML_PLAIN_SCALAR_STYLE;
    const auto tag = to_string(scalar.tag);
    if (tag == YAML_STR_TAG || tag == "!")
      node.quoted = true;
    else
      check_tag(scalar.tag, node.where);
    if (scalar.style == YAML_LITERAL_SCALAR_STYLE || scalar.style == YAML_FOLDED_SCALAR_STYLE)
      skip_to_block(node);
    else
      skip_to_text(node, scalar.style != YAML_PLAIN_SCALAR_STYLE);
    if (in_flow && !node.quoted) check_parentheses(node);
    height_ = 0;
    keep_anchor(scalar.anchor, node, 1);
    return node;
  }

  // the text begins behind anchor, tag and quote
  void skip_to_text(Node& node, bool quote) const {
    const auto line = rest_of_line(node.where);
    auto rest = line;
    while (rest.starts_with('&') || rest.starts_with('!')) {
      rest.remove_prefix(std::min(rest.find(' '), rest.size()));
      rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    }
    node.text_where.column += static_cast<int>(line.size() - rest.size()) + (quote ? 1 : 0);
  }

  // the text of a block scalar begins at the first character of the next lines
  void skip_to_block(Node& node) const {
    auto line = node.where;
    line.column = 1;
    for (++line.line;; ++line.line) {
      if (line.line > static_cast<int>(lines_.size())) return;
      const auto indentation = rest_of_line(line).find_first_not_of(" \r\n");
      if (indentation == std::string_view::npos) continue;
      node.text_where = {file_, line.line, static_cast<int>(indentation) + 1};
      return;
    }
  }

  void check_parentheses(const Node& node) const {
    int open = 0;
    for (const char c : node.text) {
      open += (c == '(') - (c == ')');
      if (open < 0) break;
    }
    if (open != 0)
      throw Error(node.where,
                  "the parentheses of \"" + node.text +
                      "\" do not match; inside { } and [ ] a comma ends a value: put the expression in quotes");
  }

  void check_tag(const yaml_char_t* tag, const Location& where) const {
    if (tag) throw Error(where, "the tag " + to_string(tag) + " is not supported; remove it");
  }

  Node read_sequence(const Event& event, int depth) {
    const auto& start = event.event.data.sequence_start;
    Node node;
    node.kind = Node::Kind::sequence;
    node.where = node.text_where = locate(event.event.start_mark);
    check_tag(start.tag, node.where);
    open_anchor(start.anchor);
    const auto before = values_;
    int height = 0;
    while (true) {
      Event item;
      next(item);
      if (item.type() == YAML_SEQUENCE_END_EVENT) break;
      node.items.push_back(read_node(item, depth + 1, start.style == YAML_FLOW_SEQUENCE_STYLE));
      height = std::max(height, height_ + 1);
    }
    height_ = height;
    keep_anchor(start.anchor, node, values_ - before + 1);
    return node;
  }

  Node read_mapping(const Event& event, int depth) {
    const auto& start = event.event.data.mapping_start;
    const bool flow = start.style == YAML_FLOW_MAPPING_STYLE;
    Node node;
    node.kind = Node::Kind::mapping;
    node.where = node.text_where = locate(event.event.start_mark);
    check_tag(start.tag, node.where);
    open_anchor(start.anchor);
    const auto before = values_;
    int height = 0;
    std::map<std::string, Location> seen;
    while (true) {
      Event key;
      next(key);
      if (key.type() == YAML_MAPPING_END_EVENT) break;
      Node::Entry entry = read_key(key, flow, seen);
      Event value;
      next(value);
      entry.value = read_node(value, depth + 1, flow);
      height = std::max(height, height_ + 1);
      node.entries.push_back(std::move(entry));
    }
    height_ = height;
    keep_anchor(start.anchor, node, values_ - before + 1);
    return node;
  }

  Node::Entry read_key(const Event& event, bool in_flow, std::map<std::string, Location>& seen) {
    const auto where = locate(event.event.start_mark);
    if (event.type() != YAML_SCALAR_EVENT)
      throw Error(where, "a key must be a text, not a list, a mapping or an alias");
    if (event.event.data.scalar.anchor) throw Error(where, "a key cannot have an anchor; put it before the value");
    const Node key = read_scalar(event, in_flow);
    if (!key.quoted && key.text == "<<")
      throw Error(where, "merge keys (<<) are not supported; write the keys out or use an alias for the whole value");
    if (key.is_null()) throw Error(where, "the key is empty; write \"key: value\"");
    const auto [first, is_new] = seen.try_emplace(key.text, where);
    if (!is_new)
      throw Error(where, "the key \"" + key.text + "\" stands twice; first in line " +
                             std::to_string(first->second.line) + ", column " + std::to_string(first->second.column));
    return {key.text, where, {}};
  }

  // ---- anchors

  void open_anchor(const yaml_char_t* name) {
    if (name) anchors_[to_string(name)] = {};
  }

  void keep_anchor(const yaml_char_t* name, const Node& node, std::size_t size) {
    if (!name) return;
    // nested anchors keep copies of copies
    kept_ += size;
    if (kept_ > most_values) fail_too_many(node.where);
    anchors_[to_string(name)] = {node, size, height_, true};
  }

  std::string_view text_;
  const std::string& file_;
  std::vector<std::size_t> lines_;
  yaml_parser_t parser_{};
  std::map<std::string, Anchor> anchors_;
  std::size_t values_ = 0;  ///< read so far, copies by aliases included
  std::size_t kept_ = 0;    ///< copies held by anchors
  int height_ = 0;          ///< of the value read last: 0 for a scalar
};

}  // namespace

void check_characters(std::string_view text, const std::string& source) { find_lines(text, source); }

Node parse_document(std::string_view text, const std::string& file) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  return Reader(text, file).read();
}

Node read_document(const std::filesystem::path& path) {
  std::error_code problem;
  if (std::filesystem::is_directory(path, problem)) throw Error("cannot read " + path.string() + ": it is a folder");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error("cannot read " + path.string() + ": " + std::strerror(errno ? errno : ENOENT));
  // in pieces, so that an endless source such as a device ends here
  std::string text;
  for (std::vector<char> piece(1 << 16);
       file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0;) {
    text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > most_bytes)
      throw Error("cannot read " + path.string() + ": it has more than " + std::to_string(most_bytes >> 20) +
                  " MB, which no model needs");
  }
  if (file.bad()) throw Error("cannot read " + path.string() + ": " + std::strerror(errno ? errno : EIO));
  return parse_document(text, path.string());
}

}  // namespace coenergy::io
