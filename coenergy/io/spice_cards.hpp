#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "coenergy/io/spice.hpp"
#include "coenergy/io/spice_expression.hpp"
#include "coenergy/io/spice_lines.hpp"

namespace coenergy::io::spice {

/// A statement with its words.
struct Card {
  Line line;
  std::vector<Token> tokens;
  bool is_command = false;  ///< of a .control block: what is wrong with it is a note
  const Token& first() const { return tokens.front(); }
};

/// name = value pairs, values still as expressions; names in lower case.
struct Assignment {
  std::string name;
  ExpressionPtr value;
  Location where;
};

struct ModelCard {
  std::string name, kind;  ///< kind in lower case: d, npn, nmos, sw …
  std::vector<Assignment> values;
  Location where;
  const Assignment* find(const std::string& name) const;
};

/// The netlist itself, or a subcircuit of it.
struct Definition {
  std::string name;
  Location where;
  std::vector<std::string> pins;     ///< of a subcircuit, in lower case
  std::vector<Assignment> defaults;  ///< of a subcircuit's parameters
  std::vector<Line> elements;        ///< in order; without their words, for there may be many
  std::map<std::string, Assignment> parameters;
  std::map<std::string, UserFunction> functions;
  std::map<std::string, ModelCard> models;
  std::map<std::string, std::unique_ptr<Definition>> subcircuits;
  std::vector<Card> starts;  ///< .ic and .nodeset of a subcircuit
  const Definition* parent = nullptr;

  const ModelCard* find_model(const std::string& name) const;        ///< here or outside
  const Definition* find_subcircuit(const std::string& name) const;  ///< here or outside
};

/// A netlist sorted into definitions.
struct Cards {
  std::string title;
  std::unique_ptr<Definition> top = std::make_unique<Definition>();  ///< its address is known to its subcircuits
  std::vector<Card> controls;                                        ///< .tran, .ac, .op, .ic, .print …
  std::vector<Card> step_cards;
  std::map<std::string, Card> tables;  ///< .data, by name: the names and the values
  std::vector<Netlist::Step> steps;    ///< of the cards
  std::optional<double> temperature;   ///< °C, instead of what cards say
  std::set<std::string> globals;       ///< nodes that are one in all subcircuits
  std::vector<std::string> notes;
  std::list<std::string> texts;  ///< of included files and of lines that were continued
};

/// Reads the value of a word: a number, an expression in braces or quotes, or the name of a parameter.
ExpressionPtr parse_value(const Token& token);
/// Reads `name = value` pairs from a token on; throws at what is none.
std::vector<Assignment> parse_assignments(const Card& card, std::size_t first, std::size_t end);

/// Sorts the statements; mistakes are collected in `errors`. The text must outlive them.
Cards read_cards(std::string_view text, const std::string& file, ErrorList& errors);

}  // namespace coenergy::io::spice
