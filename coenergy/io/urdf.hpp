#pragma once
#include <filesystem>
#include <string_view>

#include "coenergy/io/xml_file.hpp"

namespace coenergy::io {

/// Reads a URDF robot into a model.
///
///   link                 multibody.Body: mass, centre of mass, inertia (turned into the link's axes), the first visual
///                        as shape: box, cylinder, sphere, or a mesh (.stl, .obj) whose file is found
///   revolute, continuous multibody.Revolute with axis, damping, friction;  prismatic: multibody.Prismatic
///   fixed, floating      multibody.Fixed, multibody.Free;  planar: multibody.Planar normal to the axis
///   limit                lower and upper: rigid stops without rebound; those of a joint that mimics another stop that one
///   mimic                a drive that holds q = multiplier·q_other + offset
/// The root link is fixed to the ground (a root named "world" is the ground). Gravity is 9.81 m/s² along −z, since
/// URDF does not speak of it. A joint with the name of a link is NAME_joint. Limits of speed and effort are left out;
/// meshes that are not found are told in the notes.
RobotFile read_urdf(const std::filesystem::path& path);
RobotFile parse_urdf(std::string_view text, const std::string& file);

}  // namespace coenergy::io
