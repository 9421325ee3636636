#pragma once
#include <string_view>

namespace coenergy::generate {

/// C99 and C++ text that stands behind the tables and functions of a model; '@' is the prefix of all names. Nothing is
/// allocated, and nothing is kept but in the caller's @_model.
extern const std::string_view runtime_interface;  ///< what can be called
extern const std::string_view runtime_types;
extern const std::string_view runtime_functions;  ///< the functions of the interface
extern const std::string_view runtime_main;       ///< a program that prints a run
extern const std::string_view runtime_algebra;    ///< matrices, LU, rates, projection
extern const std::string_view runtime_events;     ///< modes, samples, impulses
extern const std::string_view runtime_steps;      ///< Radau IIA, Runge–Kutta, steps cut at events

}  // namespace coenergy::generate
