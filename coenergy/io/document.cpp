#include "coenergy/io/document.hpp"

#include <algorithm>

namespace coenergy::io {
namespace {

std::string kind_name(const Node& node) {
  if (node.is_sequence()) return "a list";
  if (node.is_mapping()) return "a mapping";
  if (node.is_null()) return "empty";
  return "the text \"" + node.text + "\"";
}

[[noreturn]] void fail_kind(const Node& node, std::string_view what, std::string_view wanted) {
  throw Error(node.where, std::string(what) + " must be " + std::string(wanted) + ", not " + kind_name(node));
}

}  // namespace

bool Node::is_null() const { return is_scalar() && !quoted && (text.empty() || text == "~" || text == "null"); }

const Node* Node::find(std::string_view key) const {
  const auto entry = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key == key; });
  return entry == entries.end() ? nullptr : &entry->value;
}

const Node& Node::at(std::string_view key) const {
  if (const auto* value = find(key)) return *value;
  if (!is_mapping()) fail_kind(*this, "the value", "a mapping with the key \"" + std::string(key) + "\"");
  throw Error(where, "the key \"" + std::string(key) + "\" is missing");
}

const std::string& Node::to_text(std::string_view what) const {
  if (!is_scalar() || is_null()) fail_kind(*this, what, "a single value");
  return text;
}

const std::vector<Node>& Node::to_sequence(std::string_view what) const {
  if (!is_sequence()) fail_kind(*this, what, "a list");
  return items;
}

const std::vector<Node::Entry>& Node::to_mapping(std::string_view what) const {
  if (!is_mapping()) fail_kind(*this, what, "a mapping");
  return entries;
}

bool Node::to_bool(std::string_view what) const {
  const bool yes = text == "true" || text == "yes", no = text == "false" || text == "no";
  if (!is_scalar() || quoted || (!yes && !no)) fail_kind(*this, what, "true or false");
  return yes;
}

void check_keys(const Node& mapping, const std::vector<std::string>& allowed, std::string_view what,
                ErrorList& errors) {
  for (const auto& entry : mapping.entries) {
    if (std::find(allowed.begin(), allowed.end(), entry.key) != allowed.end()) continue;
    auto hint = did_you_mean(entry.key, allowed);
    if (hint.empty() && !allowed.empty() && allowed.size() <= 12) {
      hint = "; allowed: ";
      for (const auto& key : allowed) hint += (&key == &allowed.front() ? "" : ", ") + key;
    }
    errors.add(entry.where, "unknown key \"" + entry.key + "\" in " + std::string(what) + hint);
  }
}

}  // namespace coenergy::io
