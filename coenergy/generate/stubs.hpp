#pragma once
#include <string>
#include <vector>

#include "coenergy/generate/write.hpp"

namespace coenergy::generate {

/// The functions of the user's own that routines call, and those whose derivative they call.
struct UserCalls {
  struct Function {
    std::string name;
    int arity = 0;
    bool derivative = false;
  };
  std::vector<Function> functions;  ///< by name
};
UserCalls find_user_calls(const std::vector<const Routine*>& routines);

/// Empty bodies of them to be filled in: user_functions.c, .cpp or .py; of Matlab NAME.m for each. None without calls.
std::vector<SourceFile> make_stubs(const UserCalls& calls, symbolic::Language language);

/// What a Python module with such calls begins with.
std::string make_python_import(const UserCalls& calls);

}  // namespace coenergy::generate
