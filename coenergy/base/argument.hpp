#pragma once
#include <string>
#include <string_view>

#include "coenergy/base/error.hpp"

namespace coenergy {

/// The name of an argument of a call, for the text of an error: argument("actuated") + ": there is no coordinate q7".
/// Error::what() tells it as it is; tell_error() lets a caller for whom arguments are options say so.
std::string argument(std::string_view name);

/// What e.what() says, with a prefix for every argument that is named: "--" where arguments are options of a command
/// line.
std::string tell_error(const Error& e, const std::string& before_arguments);

}  // namespace coenergy
