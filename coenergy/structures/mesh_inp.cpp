#include <algorithm>
#include <cctype>
#include <charconv>
#include <unordered_map>

#include "coenergy/base/error.hpp"
#include "coenergy/structures/mesh.hpp"

namespace coenergy::structures {

namespace {

std::string trimmed(const std::string& text) {
  const std::size_t from = text.find_first_not_of(" \t\r"), to = text.find_last_not_of(" \t\r");
  return from == std::string::npos ? "" : text.substr(from, to - from + 1);
}
std::string to_upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// Fields between commas.
std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::size_t from = 0;
  while (true) {
    const std::size_t comma = line.find(',', from);
    fields.push_back(trimmed(line.substr(from, comma == std::string::npos ? comma : comma - from)));
    if (comma == std::string::npos) break;
    from = comma + 1;
  }
  if (fields.back().empty()) fields.pop_back();
  return fields;
}

class InpReader {
 public:
  InpReader(const std::string& text, const std::string& file) : text_(text) { mesh_.file = file; }

  Mesh read() {
    std::size_t from = 0;
    while (from < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', from), text_.size());
      ++line_;
      const std::string line = trimmed(text_.substr(from, end - from));
      from = end + 1;
      if (line.empty() || line.compare(0, 2, "**") == 0) continue;
      line[0] == '*' ? read_card(line) : read_data(split(line));
    }
    if (!pending_.empty()) fail("the file ends inside an element");
    give_materials();
    return std::move(mesh_);
  }

 private:
  [[noreturn]] void fail(const std::string& text) const { throw Error({mesh_.file, line_}, text); }

  double number(const std::string& field) const {
    double value = 0;
    const char* begin = field.data() + (!field.empty() && field[0] == '+' ? 1 : 0);
    std::string copy;
    if (field.find_first_of("dD") != std::string::npos) {  // Fortran's exponents
      copy = field;
      for (char& c : copy)
        if (c == 'd' || c == 'D') c = 'e';
      begin = copy.c_str();
    }
    const char* end = copy.empty() ? field.data() + field.size() : copy.data() + copy.size();
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (error != std::errc() || stop != end) fail("\"" + field + "\" is not a number");
    return value;
  }
  int whole(const std::string& field) const {
    const double value = number(field);
    if (value != static_cast<int>(value)) fail("\"" + field + "\" is not a whole number");
    return static_cast<int>(value);
  }
  int node(const std::string& field) const {
    const auto place = index_.find(whole(field));
    if (place == index_.end()) fail("there is no node " + field);
    return place->second;
  }

  void read_card(const std::string& line) {
    if (!pending_.empty()) fail("the element before has too few nodes");
    const std::vector<std::string> fields = split(line.substr(1));
    card_ = to_upper(fields.empty() ? "" : fields[0]);
    std::erase(card_, ' ');
    arguments_.clear();
    for (std::size_t k = 1; k < fields.size(); ++k) {
      const std::size_t equals = fields[k].find('=');
      arguments_[to_upper(trimmed(fields[k].substr(0, equals)))] =
          equals == std::string::npos ? "" : trimmed(fields[k].substr(equals + 1));
    }
    if (card_ == "ELEMENT") begin_elements();
    if (card_ == "MATERIAL") {
      material_names_.push_back(to_upper(argument("NAME")));
      mesh_.materials.emplace_back();
    }
    if ((card_ == "ELASTIC" || card_ == "DENSITY") && mesh_.materials.empty()) fail("*" + card_ + " without *MATERIAL");
    if (card_ == "SOLIDSECTION")
      sections_.push_back({to_upper(argument("ELSET")), to_upper(argument("MATERIAL")), line_});
    if (card_ == "INCLUDE") fail("*INCLUDE is not read; put the file in its place");
  }

  std::string argument(const std::string& name) const {
    const auto place = arguments_.find(name);
    if (place == arguments_.end()) fail("*" + card_ + " needs " + name + "=");
    return place->second;
  }

  void begin_elements() {
    const std::string type = to_upper(argument("TYPE"));
    reduced_ = type == "C3D20R";
    if (type == "C3D4")
      kind_ = SolidKind::tet4;
    else if (type == "C3D10" || type == "C3D10M")
      kind_ = SolidKind::tet10;
    else if (type == "C3D8")
      kind_ = SolidKind::hex8;
    else if (type == "C3D20" || reduced_)
      kind_ = SolidKind::hex20;
    else
      fail("elements of type " + type + " are not known; known are C3D4, C3D10, C3D8, C3D20, C3D20R");
  }

  void read_data(const std::vector<std::string>& fields) {
    if (fields.empty()) return;
    if (card_ == "NODE") return read_node(fields);
    if (card_ == "ELEMENT") return read_element(fields);
    if (card_ == "NSET") return read_set(fields, mesh_.node_sets[argument("NSET")], true);
    if (card_ == "ELSET") return read_set(fields, element_sets_[to_upper(argument("ELSET"))], false);
    if (card_ == "ELASTIC") {
      if (fields.size() < 2) fail("*ELASTIC needs Young's modulus and Poisson's ratio");
      mesh_.materials.back().E = number(fields[0]), mesh_.materials.back().nu = number(fields[1]);
      card_.clear();  // further rows are for other temperatures
    }
    if (card_ == "DENSITY") mesh_.materials.back().rho = number(fields[0]), card_.clear();
  }

  void read_node(const std::vector<std::string>& fields) {
    if (fields.size() < 4) fail("a node needs its number and x, y, z");
    const int label = whole(fields[0]);
    if (!index_.emplace(label, static_cast<int>(mesh_.nodes.size())).second)
      fail("node " + fields[0] + " is there twice");
    mesh_.nodes.push_back({number(fields[1]), number(fields[2]), number(fields[3])});
    mesh_.labels.push_back(label);
    if (const auto set = arguments_.find("NSET"); set != arguments_.end())
      mesh_.node_sets[set->second].push_back(static_cast<int>(mesh_.nodes.size()) - 1);
  }

  void read_element(const std::vector<std::string>& fields) {
    pending_.insert(pending_.end(), fields.begin(), fields.end());
    if (static_cast<int>(pending_.size()) < 1 + node_count(kind_)) return;
    if (static_cast<int>(pending_.size()) > 1 + node_count(kind_))
      fail("element " + pending_[0] + " has too many nodes");
    Mesh::Element e{kind_, reduced_, {}, whole(pending_[0]), line_};
    for (std::size_t k = 1; k < pending_.size(); ++k) e.nodes.push_back(node(pending_[k]));
    if (const auto set = arguments_.find("ELSET"); set != arguments_.end())
      element_sets_[to_upper(set->second)].push_back(e.label);
    mesh_.elements.push_back(std::move(e));
    pending_.clear();
  }

  /// Numbers or names of other sets; with GENERATE from, to, step.
  void read_set(const std::vector<std::string>& fields, std::vector<int>& set, bool of_nodes) {
    if (arguments_.count("GENERATE") != 0) {
      if (fields.size() < 2) fail("GENERATE needs the first and the last number");
      const int step = fields.size() > 2 ? whole(fields[2]) : 1;
      if (step <= 0) fail("the step must be positive");
      for (int k = whole(fields[0]); k <= whole(fields[1]); k += step) {
        const auto place = index_.find(k);
        if (!of_nodes)
          set.push_back(k);
        else if (place != index_.end())
          set.push_back(place->second);
      }
      return;
    }
    for (const std::string& field : fields) {
      if (std::isdigit(static_cast<unsigned char>(field[0])) != 0) {
        set.push_back(of_nodes ? node(field) : whole(field));
        continue;
      }
      const std::vector<int>* other = nullptr;
      if (const auto place = mesh_.node_sets.find(field); of_nodes && place != mesh_.node_sets.end())
        other = &place->second;
      if (const auto place = element_sets_.find(to_upper(field)); !of_nodes && place != element_sets_.end())
        other = &place->second;
      if (other == nullptr) fail("there is no set " + field);
      const std::vector<int> copy = *other;
      set.insert(set.end(), copy.begin(), copy.end());
    }
  }

  void give_materials() {
    std::unordered_map<int, std::size_t> element;
    for (std::size_t k = 0; k < mesh_.elements.size(); ++k) element[mesh_.elements[k].label] = k;
    for (const Section& section : sections_) {
      line_ = section.line;
      const auto name = std::find(material_names_.begin(), material_names_.end(), section.material);
      if (name == material_names_.end()) fail("there is no material " + section.material);
      const auto set = element_sets_.find(section.elements);
      if (set == element_sets_.end()) fail("there is no element set " + section.elements);
      for (int label : set->second)
        if (const auto place = element.find(label); place != element.end())
          mesh_.elements[place->second].material = static_cast<int>(name - material_names_.begin());
    }
    // a single material without a section is that of all
    if (sections_.empty() && mesh_.materials.size() == 1)
      for (Mesh::Element& e : mesh_.elements) e.material = 0;
  }

  struct Section {
    std::string elements, material;
    int line;
  };
  const std::string& text_;
  Mesh mesh_;
  int line_ = 0;
  std::string card_;
  std::map<std::string, std::string> arguments_;
  std::unordered_map<int, int> index_;
  SolidKind kind_ = SolidKind::tet4;
  bool reduced_ = false;
  std::vector<std::string> pending_;
  std::map<std::string, std::vector<int>> element_sets_;
  std::vector<std::string> material_names_;
  std::vector<Section> sections_;
};

}  // namespace

Mesh read_inp(const std::string& text, const std::string& file) { return InpReader(text, file).read(); }

}  // namespace coenergy::structures
