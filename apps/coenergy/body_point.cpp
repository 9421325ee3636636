#include "apps/coenergy/body_point.hpp"

#include <algorithm>
#include <sstream>

#include "coenergy/base/error.hpp"

namespace coenergy::app {

std::vector<double> parse_numbers(const std::string& text, const std::string& complaint) {
  std::vector<double> numbers;
  std::istringstream in(text);
  for (double x = 0; in >> x;) {
    numbers.push_back(x);
    if ((in >> std::ws).eof()) return numbers;
    if (in.get() != ',') break;
  }
  throw Error(complaint);
}

mechanics::BodyPoint parse_body_point(const std::string& option, const std::string& text) {
  const std::size_t colon = text.find(':');
  mechanics::BodyPoint point{text.substr(0, colon), {}};
  if (colon == std::string::npos) return point;
  const std::string complaint =
      option + " " + text + ": write BODY:X,Y,Z in metres, such as " + option + " hand:0,0,0.1";
  const std::vector<double> at = parse_numbers(text.substr(colon + 1), complaint);
  if (at.size() != 3) throw Error(complaint);
  std::copy(at.begin(), at.end(), point.at.begin());
  return point;
}

}  // namespace coenergy::app
