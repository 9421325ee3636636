#include "coenergy/symbolic/program.hpp"

#include <array>
#include <cstddef>
#include <limits>

namespace coenergy::symbolic {

using Code = Program::Code;

namespace {

struct CodeTraits {
  std::string_view name;
  int OperationCount::*counted;  ///< the count it belongs to, none for inputs and constants
};

/// In the order of Program::Code.
constexpr std::array<CodeTraits, 35> traits = {{
    {"input", nullptr},
    {"constant", nullptr},
    {"add", &OperationCount::additions},
    {"sub", &OperationCount::additions},
    {"mul", &OperationCount::multiplications},
    {"div", &OperationCount::divisions},
    {"neg", &OperationCount::additions},
    {"sin", &OperationCount::functions},
    {"cos", &OperationCount::functions},
    {"tan", &OperationCount::functions},
    {"asin", &OperationCount::functions},
    {"acos", &OperationCount::functions},
    {"atan", &OperationCount::functions},
    {"sinh", &OperationCount::functions},
    {"cosh", &OperationCount::functions},
    {"tanh", &OperationCount::functions},
    {"exp", &OperationCount::functions},
    {"log", &OperationCount::functions},
    {"sqrt", &OperationCount::functions},
    {"abs", &OperationCount::selections},
    {"sign", &OperationCount::selections},
    {"floor", &OperationCount::selections},
    {"atan2", &OperationCount::functions},
    {"pow", &OperationCount::functions},
    {"min", &OperationCount::selections},
    {"max", &OperationCount::selections},
    {"less", &OperationCount::selections},
    {"less_equal", &OperationCount::selections},
    {"equal", &OperationCount::selections},
    {"logical_and", &OperationCount::selections},
    {"logical_or", &OperationCount::selections},
    {"logical_not", &OperationCount::selections},
    {"select", &OperationCount::selections},
    {"table", &OperationCount::functions},
    {"external", &OperationCount::functions},
}};

static_assert(operand_count(Code::neg) == 1 && operand_count(Code::floor) == 1 &&
              operand_count(Code::logical_not) == 1);
static_assert(offsetof(Program::Instruction, c) == offsetof(Program::Instruction, a) + 2 * sizeof(std::uint32_t));

const CodeTraits& traits_of(Code code) { return traits[static_cast<std::size_t>(code)]; }

}  // namespace

std::string_view name(Code code) { return traits_of(code).name; }

std::uint32_t end_of_sincos(const Program& program, std::uint32_t first) {
  const auto n = static_cast<std::uint32_t>(program.code.size());
  std::uint32_t k = first;
  while (k < n && (program.code[k].code == Code::sin || program.code[k].code == Code::cos) && program.code[k].a < first)
    ++k;
  return k;
}

OperationCount Program::count() const {
  OperationCount total;
  for (const Instruction& i : code)
    if (const auto counted = traits_of(i.code).counted) ++(total.*counted);
  total.temporaries = static_cast<int>(slots - constants.size() - inputs.size());
  return total;
}

void assign_slots(Program& program) {
  const auto n = static_cast<std::uint32_t>(program.code.size());
  // last use of every value; outputs are written where they are defined, so they are not uses
  std::vector<std::uint32_t> last(n, 0);
  for (std::uint32_t k = 0; k < n; ++k)
    for (const std::uint32_t v : operands(program, program.code[k])) last[v] = k;

  const auto fixed = static_cast<std::uint32_t>(program.constants.size() + program.inputs.size());
  program.slot.assign(n, 0);
  program.slots = fixed;
  std::vector<std::uint32_t> free;
  for (std::uint32_t k = 0; k < n; ++k) {
    const Program::Instruction& i = program.code[k];
    if (i.code == Code::constant) {
      program.slot[k] = i.a;
      continue;
    }
    if (i.code == Code::input) {
      program.slot[k] = static_cast<std::uint32_t>(program.constants.size()) + i.a;
      continue;
    }
    // operands that end here give their slots back; a repeated operand gives it once
    for (const std::uint32_t v : operands(program, i)) {
      if (last[v] != k || program.slot[v] < fixed) continue;
      free.push_back(program.slot[v]);
      last[v] = std::numeric_limits<std::uint32_t>::max();
    }
    if (free.empty()) {
      program.slot[k] = program.slots++;
    } else {
      program.slot[k] = free.back();
      free.pop_back();
    }
    // a value nobody reads (an output) leaves its slot at once; not where a batch of sines is written before its
    // outputs
    const bool batched = i.code == Code::sin || i.code == Code::cos;
    if (last[k] == 0 && !batched) free.push_back(program.slot[k]);
  }
}

}  // namespace coenergy::symbolic
