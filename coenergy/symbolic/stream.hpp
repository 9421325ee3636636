#pragma once
#include <cstdint>
#include <vector>

#include "coenergy/symbolic/program.hpp"

namespace coenergy::symbolic {

/// What the interpreter reads: a sequence of words. Each entry begins with a Program::Code or one of the codes below;
/// operands are slots of the work array.
struct Stream {
  enum Entry : std::uint32_t {
    /// count, then count × (d, a, b, c, e): d = a·b + c·e, or − where the top bit of e is set
    arithmetic = static_cast<std::uint32_t>(Program::Code::external) + 1,
    /// counts of arguments and results, argument slots, then results × (2·argument + is cosine, slot)
    sincos,
    /// count, then count × (output, slot)
    outputs,
    done,
  };
  static constexpr std::uint32_t minus = 1u << 31;
  static constexpr std::uint32_t batch = 64;  ///< most arguments of one sincos entry

  std::vector<std::uint32_t> words;
  std::vector<double> constants;  ///< those of the program, then 1, −1, −0; the inputs follow in the work array
  std::size_t slots = 0;
};

Stream make_stream(const Program& program);

}  // namespace coenergy::symbolic
