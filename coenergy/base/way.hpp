#pragma once
#include <string>
#include <utility>
#include <vector>

namespace coenergy {

/// Where in a hierarchy of parts a text stands: inside the instance of a part (`robot.x (Axis)`), or in an entry of one
/// element of an array (`s3 (k = 3)`). Names in the text are looked for from there.
struct Way {
  std::string path;                                  ///< of the instance or element, in the whole model: "robot.x"
  std::string part;                                  ///< the part's name; "" of an element
  const Way* outer = nullptr;                        ///< in which this one stands; null: the model itself
  std::vector<std::pair<std::string, int>> indices;  ///< of an element
  std::string previous, next;                        ///< its neighbours in the array, "" where there is none

  bool is_element() const { return part.empty(); }
  std::string text() const;  ///< "robot.x (Axis)", "s3 (k = 3)"
  friend bool operator<(const Way& a, const Way& b);
};

/// The one copy of a way, kept as long as the program runs, as names of files are: errors outlive models.
const Way* keep_way(Way way);

/// The text with names told from inside the instance: "robot.x.motor.R" is "motor.R" in robot.x.
std::string tell_from_inside(const std::string& text, const Way& way);

}  // namespace coenergy
