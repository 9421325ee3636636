#pragma once
#include <string>
#include <vector>

#include "coenergy/io/spice_expander.hpp"

namespace coenergy::io::spice {

/// The words of an element behind its name: pins, other words, and name=value pairs. What is not taken is refused.
class Arguments {
 public:
  /// `first_word` counts the words up to the first that is no pin: 3 for R1 a b value.
  Arguments(const Element& e, std::size_t first_word);

  std::vector<Token> pins, words;
  /// A pair by its name, or null. It counts as read.
  const Assignment* take(const std::string& name);
  void ignore(const std::vector<std::string>& names);
  /// Counts a word as the value of a name, as if it were written name=word.
  void add_pair(const std::string& name, const Token& value);
  /// Removes a word if it is there.
  bool take_word(const std::string& word);
  /// Throws where something was not read.
  void finish(const Element& e) const;

 private:
  std::vector<Assignment> pairs_;
  std::vector<char> read_;
};

/// The temperature of an element, °C: temp=, or that of the circuit and dtemp=.
double take_temperature(Expander& x, const Element& e, Arguments& a);
/// Entries T and Tnom (K) of a component, where they are not the ones it has by itself.
void add_temperatures(Expander& x, double celsius, double nominal_celsius, const Location& where, Entries& entries);

/// The parameters of a .model card. What is neither asked for nor known to be harmless is refused.
class ModelValues {
 public:
  ModelValues(Expander& x, const Element& e, const ModelCard& card) : x_(x), e_(e), card_(card) {}

  bool has(const std::string& name);
  /// The value, or null.
  ExpressionPtr find(const std::string& name);
  double number(const std::string& name, double fallback);
  /// Adds an entry if the model has the parameter.
  void copy(Entries& entries, const std::string& name, const std::string& entry, const std::string& unit);
  /// The same times a factor (area), and so is the value that SPICE takes where the model has none.
  void copy_scaled(Entries& entries, const std::string& name, const std::string& entry, const std::string& unit,
                   double factor, double fallback = 0);
  /// Parameters that have no part in what is computed here (noise, temperature).
  void ignore(const std::vector<std::string>& names);
  /// Parameters that are told to be without effect where they are given.
  void note_unused(const std::vector<std::string>& names, const std::string& text);
  /// Parameters whose effect is not modelled: refused where they are not at their default.
  void expect(const std::string& name, double neutral);
  void finish() const;

 private:
  Expander& x_;
  const Element& e_;
  const ModelCard& card_;
  std::set<std::string> read_;
};

}  // namespace coenergy::io::spice
