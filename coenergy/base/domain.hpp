#pragma once

namespace coenergy {

/// The kinds of connection points. One across variable per domain; the through variable is positive into the component.
enum class Domain { electrical, rotational, translational, hydraulic, pneumatic, frame };
const char* to_string(Domain domain);    ///< "electrical" …
const char* across_unit(Domain domain);  ///< "V", "rad", "m", "Pa"
const char* across_name(Domain domain);  ///< "v", "phi", "s", "p": the variable a node shows
const char* rate_name(Domain domain);    ///< "w", "v" of mechanical nodes, which show their rates too; else ""
const char* rate_unit(Domain domain);    ///< "rad/s", "m/s"; else ""

}  // namespace coenergy
