#pragma once
#include <filesystem>
#include <string_view>

#include "coenergy/io/xml_file.hpp"

namespace coenergy::io {

/// Reads a Robotran model: the XML file of MBsysPad (.mbs), or the text file of Sass 2004, fig. 5.5, which a file that
/// does not begin with `<` is taken for.
RobotFile read_robotran(const std::filesystem::path& path);

/// The XML form.
///
///   base          gravity; points of the base are points of the ground
///   body          multibody.Body; its joints T1–T3, R1–R3 one after the other from the parent's point, with massless
///                 bodies BODY_JOINT between them
///   nature        independent: q0, qd0 are start values; dependent: q0 is a guess; driven: a drive JOINT_drive holds
///                 q = q0 + qd0 t + qdd0 t²/2; locked: multibody.Fixed at q0
///   cuts          ball: multibody.Spherical; rod: multibody.Strut of fixed length; solid: multibody.Fixed
///   extforce      multibody.Force NAME and multibody.Torque NAME_torque, zero until they are set
///   sensor        multibody.Sensor
///   links         multibody.PointSpringDamper without a force, since the law is not part of the file; told in the
///   notes,
///                 as user models are
RobotFile parse_robotran_xml(std::string_view text, const std::string& file);

/// The text form: name, number of bodies, parents, then sections of joints (type and symbols of s, ṡ, s̈), vectors
/// d^hi and d^ii, masses, inertias, external forces and torques, gravity; every entry a symbol or 0. A joint whose ṡ
/// and s̈ are 0 is locked. The symbols become parameters of the model with the value 1, since the file holds no numbers.
RobotFile parse_robotran_text(std::string_view text, const std::string& file);

}  // namespace coenergy::io
