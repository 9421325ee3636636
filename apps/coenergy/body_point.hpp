#pragma once
#include <string>
#include <vector>

#include "coenergy/mechanics/body_point.hpp"

namespace coenergy::app {

/// "1,2,3": numbers with commas between; else an error with this text.
std::vector<double> parse_numbers(const std::string& text, const std::string& complaint);

/// BODY or BODY:X,Y,Z in metres, of an option that the error names.
mechanics::BodyPoint parse_body_point(const std::string& option, const std::string& text);

}  // namespace coenergy::app
