#pragma once
#include <filesystem>
#include <string_view>

#include "coenergy/io/xml_file.hpp"

namespace coenergy::io {

/// Reads a URDF robot into a model.
///
///   link                 multibody.Body: mass, centre of mass, inertia (turned into the link's axes), the first box,
///                        cylinder or sphere of its visuals as shape
///   revolute, continuous multibody.Revolute with axis, damping;  prismatic: multibody.Prismatic;
///   fixed, floating      multibody.Fixed, multibody.Free;  planar: multibody.Planar
///   mimic                a drive that holds q = multiplier·q_other + offset
///   friction             mechanical.RotationalFriction or TranslationalFriction
/// The root link is fixed to the ground (a root named "world" is the ground). Gravity is 9.81 m/s² along −z, since
/// URDF does not speak of it. A joint with the name of a link is NAME_joint. What the model has no place for (meshes,
/// limits of speed and effort) is told in the notes.
RobotFile read_urdf(const std::filesystem::path& path);
RobotFile parse_urdf(std::string_view text, const std::string& file);

}  // namespace coenergy::io
