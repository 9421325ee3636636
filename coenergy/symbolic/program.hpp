#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coenergy/symbolic/expr.hpp"

namespace coenergy::symbolic {

/// Operation counts of a program, as Robotran and CasADi count them.
struct OperationCount {
  int additions = 0, multiplications = 0, divisions = 0, functions = 0;  ///< subtractions and negations are additions
  int selections = 0;     ///< comparisons, select, min, max, abs, sign, floor
  int temporaries = 0;    ///< slots after reuse, without inputs and constants
  std::size_t bytes = 0;  ///< of the native code, 0 before it is made
  int total() const { return additions + multiplications + divisions + functions + selections; }
};

struct NamedExpr {
  std::string name;
  Expr value;
};

/// Straight-line code: one basic block over double slots, made from expressions by dead-code elimination and lowering.
/// Immutable, needs no Graph any more, shareable between threads.
///
/// Value numbering: instruction k defines value k (SSA); operands are value indices below k. Inputs and constants are
/// instructions of kind `input` and `constant`. Neighbouring sin and cos instructions whose arguments are known before
/// the first of them are evaluated together, so lowering puts them side by side.
struct Program {
  enum class Code : std::uint8_t {
    input,
    constant,
    add,
    sub,
    mul,
    div,
    neg,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    sinh,
    cosh,
    tanh,
    exp,
    log,
    sqrt,
    abs,
    sign,
    floor,
    atan2,
    pow,
    min,
    max,
    less,
    less_equal,
    equal,
    logical_and,
    logical_or,
    logical_not,
    select,
    table,
    external,
  };
  struct Instruction {
    Code code;
    std::uint32_t a = 0, b = 0,
                  c = 0;  ///< operands; input: index in a; constant: index in a; table/external: a = index into calls
  };
  struct Call {  ///< of a table or an external function
    std::shared_ptr<const Table> table;
    std::shared_ptr<const External> external;
    int dx = 0, dy = 0;  ///< table: derivative orders; external: dx = −1 value, else argument index
    std::vector<std::uint32_t> arguments;
  };
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<Instruction> code;
  std::vector<double> constants;
  std::vector<Call> calls;
  std::vector<std::uint32_t> result;  ///< value index of each output
  std::vector<std::string> label;  ///< name of the let binding a value came from ("" otherwise, "-x" for its negative),
                                   ///< for messages and printers
  std::vector<std::uint32_t> slot;  ///< working slot of each value: constants first, then inputs, then temporaries
  std::uint32_t slots = 0;

  OperationCount count() const;
};

/// Lowers outputs to a program with the given inputs (symbols, in the order of the input array).
/// Throws coenergy::Error naming a symbol that is used but is not among the inputs, and for division by a structural
/// zero.
Program make_program(std::span<const Expr> inputs, std::span<const NamedExpr> outputs);

/// Gives every value a slot, reusing those of values that are not needed any more. make_program has done it.
void assign_slots(Program& program);

/// Number of operands among a, b, c that are values: 0 for inputs, constants, tables and externals.
constexpr int operand_count(Program::Code code) {
  using Code = Program::Code;
  if (code == Code::select) return 3;
  if ((code >= Code::add && code <= Code::div) || (code >= Code::atan2 && code <= Code::logical_or)) return 2;
  return code < Code::add || code >= Code::table ? 0 : 1;
}
std::string_view name(Program::Code code);  ///< "add", "sin", …

/// The operands of an instruction, whatever its kind.
inline std::span<const std::uint32_t> operands(const Program& program, const Program::Instruction& i) {
  if (i.code >= Program::Code::table) return program.calls[i.a].arguments;
  return {&i.a, static_cast<std::size_t>(operand_count(i.code))};
}

/// One past the last of the sin and cos instructions from `first` on that are evaluated together; `first` where there
/// are none.
std::uint32_t end_of_sincos(const Program& program, std::uint32_t first);

}  // namespace coenergy::symbolic
