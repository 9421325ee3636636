#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "coenergy/symbolic/expr.hpp"

namespace coenergy::symbolic {

/// Operation counts of a program, as Robotran and CasADi count them.
struct OperationCount {
  int additions = 0, multiplications = 0, divisions = 0, functions = 0;  ///< additions include subtractions and negations are free where they fold
  int selections = 0;                                                    ///< comparisons, select, min, max, abs, sign, floor
  int temporaries = 0;                                                   ///< slots after reuse
  std::size_t bytes = 0;                                                 ///< of the native code, 0 before it is made
  int total() const { return additions + multiplications + divisions + functions + selections; }
};

struct NamedExpr {
  std::string name;
  Expr value;
};

/// Straight-line code: one basic block over double slots, made from expressions by dead-code elimination and lowering.
/// Immutable, needs no Graph any more, shareable between threads.
///
/// Value numbering: instruction k defines value k (SSA); operands are value indices. Inputs and constants are
/// instructions of kind `input` and `constant`. Slots (after liveness-based reuse) are in `slot[k]`.
struct Program {
  enum class Code : std::uint8_t {
    input, constant, add, sub, mul, div, neg,
    sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, exp, log, sqrt, abs, sign, floor,
    atan2, pow, min, max, less, less_equal, equal, logical_and, logical_or, logical_not, select,
    table, external,
  };
  struct Instruction {
    Code code;
    std::uint32_t a = 0, b = 0, c = 0;  ///< operands; input: index in a; constant: index in a; table/external: a = index into calls
  };
  struct Call {  ///< of a table or an external function
    std::shared_ptr<const Table> table;
    std::shared_ptr<const External> external;
    int dx = 0, dy = 0;                  ///< table: derivative orders; external: dx = −1 value, else argument index
    std::vector<std::uint32_t> arguments;
  };
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<Instruction> code;
  std::vector<double> constants;
  std::vector<Call> calls;
  std::vector<std::uint32_t> result;     ///< value index of each output
  std::vector<std::string> label;        ///< name of the let binding a value came from ("" otherwise), for messages and printers
  std::vector<std::uint32_t> slot;       ///< working slot of each value
  std::uint32_t slots = 0;

  OperationCount count() const;
};

/// Lowers outputs to a program with the given inputs (symbols, in the order of the input array).
/// Throws coenergy::Error naming a symbol that is used but is not among the inputs, and for division by a structural zero.
Program make_program(std::span<const Expr> inputs, std::span<const NamedExpr> outputs);

}  // namespace coenergy::symbolic
