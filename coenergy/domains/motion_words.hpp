#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains {

/// The words and units of one-dimensional motion, so that a law is written once for rotation and translation.
template <class Flange>
struct Words;

template <>
struct Words<Rotational> {
  static constexpr const char* kind = "Rotational";
  static constexpr const char* position = "phi";
  static constexpr const char* rate = "w";
  static constexpr const char* force = "tau";
  static constexpr const char* position_help = "angle";
  static constexpr const char* force_help = "torque";
  static constexpr const char* position_unit = "rad";
  static constexpr const char* rate_unit = "rad/s";
  static constexpr const char* force_unit = "N.m";
  static constexpr const char* stiffness_unit = "N.m/rad";
  static constexpr const char* damping_unit = "N.m.s/rad";
};

template <>
struct Words<Translational> {
  static constexpr const char* kind = "Translational";
  static constexpr const char* position = "s";
  static constexpr const char* rate = "v";
  static constexpr const char* force = "f";
  static constexpr const char* position_help = "position";
  static constexpr const char* force_help = "force";
  static constexpr const char* position_unit = "m";
  static constexpr const char* rate_unit = "m/s";
  static constexpr const char* force_unit = "N";
  static constexpr const char* stiffness_unit = "N/m";
  static constexpr const char* damping_unit = "N.s/m";
};

}  // namespace coenergy::domains
