#pragma once
#include <array>
#include <filesystem>
#include <pugixml.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "coenergy/model/model.hpp"

namespace coenergy::io {

/// An XML document that knows the line and column of its elements, for located errors.
class XmlFile {
 public:
  /// Throws Error with the place where the text stops being XML.
  XmlFile(std::string_view text, const std::string& file);

  pugi::xml_node root() const { return document_.document_element(); }
  const std::string& file() const { return file_; }
  Location where(const pugi::xml_node& node) const;

  /// The text of a child element, without blanks around it; "" if there is none.
  std::string text(const pugi::xml_node& parent, const char* child) const;
  /// The same of a child that must be there.
  std::string required_text(const pugi::xml_node& parent, const char* child) const;
  std::string required_attribute(const pugi::xml_node& node, const char* name) const;
  /// A number: content of a child element, or attribute. Throws Error where the text is none.
  double number(const pugi::xml_node& parent, const char* child, double otherwise) const;
  double attribute(const pugi::xml_node& node, const char* name, double otherwise) const;
  /// Three numbers in an attribute; zeros without it.
  std::array<double, 3> attribute3(const pugi::xml_node& node, const char* name,
                                   std::array<double, 3> otherwise = {}) const;

 private:
  Location at(std::ptrdiff_t offset) const;
  double to_number(const std::string& text, const pugi::xml_node& node, const std::string& what) const;
  std::string file_, source_;
  std::vector<std::ptrdiff_t> lines_;  ///< offset of each line
  pugi::xml_document document_;
};

/// Whole content of a file. Throws Error naming the file if it cannot be read.
std::string read_source(const std::filesystem::path& path);

/// Makes names of a robot file names of components: letters, digits and underscores, each once.
class ComponentNames {
 public:
  std::string make(const std::string& wish, const std::string& suffix = "");

 private:
  std::set<std::string> used_{"ground", "world", "simulate", "energy", "time"};
};

/// A value that stands in a file.
model::Value make_value(std::string text, const Location& where);
model::Value make_value(double number, const Location& where);
model::Value make_list(const std::vector<double>& numbers, const Location& where);

/// A model made from a robot file, and what was left out of it.
struct RobotFile {
  model::Model model;
  std::vector<std::string> notes;
};

}  // namespace coenergy::io
