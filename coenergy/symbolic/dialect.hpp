#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "coenergy/symbolic/printer.hpp"

namespace coenergy::symbolic {

/// An expression and how loosely its outermost operation binds.
struct Text {
  enum Binding { atom, product, sum };
  std::string text;
  Binding binding = atom;
};

/// What differs between languages. The walk over the program (printer.cpp) asks for expressions and statements in
/// order.
class Dialect {
 public:
  virtual ~Dialect() = default;

  /// The arrays that hold inputs and outputs.
  void set_arguments(std::vector<ArrayArgument> inputs, std::vector<ArrayArgument> outputs) {
    inputs_ = std::move(inputs);
    outputs_ = std::move(outputs);
  }
  /// Name of the only input array where the caller gave none.
  virtual const char* input_name() const { return "in"; }

  // ---- expressions
  virtual Text number(double value) const;
  /// Value of an operation (not input, constant, table, external).
  virtual Text operation(Program::Code code, std::span<const Text> x);
  /// Value of a table look-up; `table` counts the distinct tables of the program.
  virtual Text look_up(const Program::Call& call, int table, std::span<const Text> x) = 0;
  /// Value of an external function; may write statements before.
  virtual Text external(const Program::Call& call, std::span<const Text> x, const std::string& scratch,
                        std::string& out) = 0;

  // ---- statements
  virtual void assign(std::string& out, const std::string& variable, const Text& value) = 0;
  virtual void read_input(std::string& out, const std::string& variable, std::size_t index) = 0;
  virtual void write_output(std::string& out, const std::string& name, std::size_t index, const Text& value) = 0;
  /// The whole: comment, helper functions that were asked for, tables, the function around the statements.
  virtual std::string wrap(const Program& program, const PrintOptions& options,
                           std::span<const Program::Call* const> tables, const std::string& statements) = 0;

  // ---- names
  /// Words that no variable may have.
  virtual bool is_reserved(const std::string& word) const = 0;
  /// How a variable is spelled, from an identifier.
  virtual std::string spell(const std::string& identifier) const { return identifier; }

 protected:
  /// Name of a function of one or two arguments with the plain form name(a, b); "" where the language has another form.
  virtual std::string function(Program::Code code) const = 0;
  /// Throws where a function lives in this process only.
  static void check_callable(const External& function);
  virtual Text condition(Program::Code code, std::span<const Text> x) = 0;
  /// The same in a language with infix comparisons, given its words for and, or, and its choice by a test.
  using Choice = std::function<std::string(const std::string& test, const std::string& yes, const std::string& no)>;
  static Text write_condition(Program::Code code, std::span<const Text> x, const char* both, const char* either,
                              const Choice& choose);

  /// Array and index of an input or output of the program.
  struct Place {
    std::string array;
    std::size_t index;
  };
  static Place find_place(const std::vector<ArrayArgument>& arrays, std::size_t index);
  /// Every array in the form that `spell` gives it, with commas between.
  static std::string list(const std::vector<ArrayArgument>& arrays,
                          const std::function<std::string(const ArrayArgument&)>& spell);
  bool is_argument(const std::string& word) const;
  std::vector<ArrayArgument> inputs_, outputs_;
};

std::unique_ptr<Dialect> make_c_dialect(bool cpp, const std::string& prefix);
std::unique_ptr<Dialect> make_matlab_dialect(const std::string& prefix);
std::unique_ptr<Dialect> make_python_dialect(const std::string& prefix);
std::unique_ptr<Dialect> make_latex_dialect();

/// x in parentheses where it binds as loosely as `limit` or more loosely.
std::string enclose(const Text& x, Text::Binding limit);
/// "a, b, c".
std::string join(std::span<const Text> x);
std::string join(std::span<const double> x, const Dialect& dialect);
/// Lines of a text, each behind a prefix.
std::string comment(const std::string& text, const std::string& prefix);
/// The text with every '@' replaced.
std::string replace_at(std::string_view text, const std::string& prefix);

}  // namespace coenergy::symbolic
