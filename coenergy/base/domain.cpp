#include "coenergy/base/domain.hpp"

namespace coenergy {

const char* to_string(Domain domain) {
  switch (domain) {
    case Domain::electrical:
      return "electrical";
    case Domain::rotational:
      return "rotational";
    case Domain::translational:
      return "translational";
    case Domain::hydraulic:
      return "hydraulic";
    case Domain::pneumatic:
      return "pneumatic";
    case Domain::frame:
      return "frame";
  }
  return "";
}

const char* across_unit(Domain domain) {
  switch (domain) {
    case Domain::electrical:
      return "V";
    case Domain::rotational:
      return "rad";
    case Domain::translational:
      return "m";
    case Domain::hydraulic:
    case Domain::pneumatic:
      return "Pa";
    case Domain::frame:
      return "";
  }
  return "";
}

const char* rate_name(Domain domain) {
  return domain == Domain::rotational ? "w" : domain == Domain::translational ? "v" : "";
}

const char* rate_unit(Domain domain) {
  return domain == Domain::rotational ? "rad/s" : domain == Domain::translational ? "m/s" : "";
}

const char* across_name(Domain domain) {
  switch (domain) {
    case Domain::electrical:
      return "v";
    case Domain::rotational:
      return "phi";
    case Domain::translational:
      return "s";
    case Domain::hydraulic:
    case Domain::pneumatic:
      return "p";
    case Domain::frame:
      return "pose";
  }
  return "";
}

}  // namespace coenergy
