#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "coenergy/base/error.hpp"

namespace coenergy::io {

/// One value of a model file, with its place: a scalar (text), a sequence or a mapping with its keys in file order.
/// Scalars stay texts: what `5 A` or `true` means is decided by who asks for it.
class Node {
 public:
  enum class Kind { scalar, sequence, mapping };
  struct Entry;

  Kind kind = Kind::scalar;
  Location where;       ///< first character of the value
  Location text_where;  ///< scalar: first character of its text, behind a quote or block sign
  std::string text;     ///< scalar: without quotes, escapes resolved
  bool quoted = false;  ///< scalar: written with quotes, as a block, or tagged !!str: a text, never null or a number
  std::vector<Node> items;     ///< sequence
  std::vector<Entry> entries;  ///< mapping

  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_sequence() const { return kind == Kind::sequence; }
  bool is_mapping() const { return kind == Kind::mapping; }
  /// Nothing, `~` or `null`, not quoted.
  bool is_null() const;

  /// The value of a key, or nothing (also if this is no mapping).
  const Node* find(std::string_view key) const;
  /// The value of a key; throws if this is no mapping or has no such key.
  const Node& at(std::string_view key) const;
  /// These throw an error at this place if the kind is another; `what` names the value in it: "R1.R must be a text, not
  /// a list".
  const std::string& to_text(std::string_view what) const;
  const std::vector<Node>& to_sequence(std::string_view what) const;
  const std::vector<Entry>& to_mapping(std::string_view what) const;
  bool to_bool(std::string_view what) const;  ///< `true` or `false`
};

struct Node::Entry {
  std::string key;
  Location where;  ///< of the key
  Node value;
};

/// One error for each key of a mapping that is not in `allowed`, with a suggestion: `unknown key "masss" in arm; did
/// you mean mass?`.
void check_keys(const Node& mapping, const std::vector<std::string>& allowed, std::string_view what, ErrorList& errors);

/// Throws Error with the place of a byte that is no UTF-8, or of a control character.
void check_characters(std::string_view text, const std::string& source);

/// Reads one YAML document (JSON is a subset) into a tree. `file` is the name for messages.
///
/// Refused with file, line and column: malformed YAML, bytes that are no UTF-8, control characters, duplicate keys,
/// keys that are no texts, a second document, nesting deeper than 200, more than a million values (also by aliases),
/// tags other than
/// !!str, merge keys (<<), aliases of an unknown or enclosing anchor, an empty document, and unquoted values inside { }
/// or [ ] whose parentheses do not match: there a comma ends the value. An alias is replaced by a copy of the value it
/// names.
Node parse_document(std::string_view text, const std::string& file);
/// The same from a file; the path is the name for messages.
Node read_document(const std::filesystem::path& path);

}  // namespace coenergy::io
