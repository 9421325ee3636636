#include "coenergy/io/electran.hpp"

#include <charconv>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>

namespace coenergy::io {

namespace {

/// The values of the file, one after the other.
class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : file_(file) {
    std::istringstream lines{std::string(text)};
    int number = 0;
    std::string comment;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      const std::size_t begin = line.find_first_not_of(" \t\r");
      if (begin == std::string::npos) continue;
      if (line[begin] == '%') {
        comment = line;
        continue;
      }
      values_.push_back({line.substr(begin, line.find_first_of(" \t\r(", begin) - begin), comment, number});
    }
    last_line_ = number;
  }

  Location where() const { return {file_, next_ < values_.size() ? values_[next_].line : last_line_}; }
  bool at_end() const { return next_ == values_.size(); }
  /// The comment that stands nearest before the next value.
  const std::string& comment() const {
    static const std::string none;
    return at_end() ? none : values_[next_].comment;
  }

  std::string word(const std::string& what) {
    if (at_end()) throw Error(where(), "the file ends where " + what + " is expected");
    return values_[next_++].text;
  }
  int number(const std::string& what, int low, int high) {
    const Location place = where();
    const std::string text = word(what);
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      throw Error(place, "\"" + text + "\" is no whole number; " + what + " is expected");
    if (value < low || value > high)
      throw Error(place, what + " = " + text + " must be from " + std::to_string(low) + " to " + std::to_string(high));
    return value;
  }
  char type(const std::string& what, const std::string& allowed) {
    const Location place = where();
    const std::string text = word(what);
    if (text.size() != 1 || allowed.find(text[0]) == std::string::npos)
      throw Error(place, what + " = " + text + " must be one of " + allowed);
    return text[0];
  }

 private:
  struct Line {
    std::string text, comment;
    int line;
  };
  std::string file_;
  std::vector<Line> values_;
  std::size_t next_ = 0;
  int last_line_ = 0;
};

class Maker {
 public:
  Maker(Reader& reader, const std::string& file) : r_(reader) {
    model_.file = file;
    model_.title = "Electran circuit";
  }

  model::Model run() {
    // one published file leaves the first value out
    constexpr int most = 10000;
    if (r_.comment().find("circuit") == std::string::npos)
      r_.number("the joint variable of the electromechanical interaction", 0, most);
    const int circuits = r_.number("the number of circuits", 1, most);
    const int magnets = r_.number("the number of permanent magnets", 0, most);
    for (int k = 0; k < circuits; ++k) read_circuit(k);
    if (circuits == 2) read_influences(0, 1, "of the external mutual influence");
    if (circuits > 2 && !r_.at_end())
      throw Error(r_.where(), "mutual influences between more than two circuits do not name them; use a model file");
    if (!r_.at_end()) throw Error(r_.where(), "the description ends before this line");
    for (int k = 1; k <= magnets; ++k)
      for (int l = 1; l <= count_['L']; ++l) {
        const std::string winding = "L" + std::to_string(l);
        add("magnet" + std::to_string(k) + "_" + winding, "electrical.PermanentMagnet", {{"winding", winding}}, {});
      }
    return std::move(model_);
  }

 private:
  struct Element {
    int parent;
    char type;
    std::string name;
    Location where;
  };
  static constexpr int most = 1000000;

  void read_circuit(int index) {
    const int count = r_.number("the number of elements", 1, most);
    std::vector<Element> elements;
    for (int k = 1; k <= count; ++k) {
      const std::string of = " of element " + std::to_string(k);
      Element e{0, 0, "", r_.where()};
      e.parent = r_.number("the parent" + of, 0, k - 1);
      e.type = r_.type("the type" + of, "RLCUI");
      e.name = e.type + std::to_string(++count_[e.type]);
      elements.push_back(e);
    }
    std::vector<int> node(count + 1);
    std::iota(node.begin(), node.end(), 0);
    const int loops = r_.number("the number of loops", 0, most);
    for (int k = 1; k <= loops; ++k) {
      const std::string what = "a node of loop " + std::to_string(k);
      const int a = r_.number(what, 0, count), b = r_.number(what, 0, count);
      const int from = std::max(node[a], node[b]), to = std::min(node[a], node[b]);
      for (int& n : node)
        if (n == from) n = to;
    }
    circuits_.push_back(elements);
    read_influences(index, index, "of the internal mutual influence");
    for (int k = 1; k <= count; ++k)
      add_element(elements[k - 1], label(index, node[elements[k - 1].parent]), label(index, node[k]));
  }

  static std::string label(int circuit, int node) {
    if (circuit == 0) return node == 0 ? "gnd" : "n" + std::to_string(node);
    return "c" + std::to_string(circuit + 1) + (node == 0 ? "_root" : "_n" + std::to_string(node));
  }

  void add_element(const Element& e, const std::string& start, const std::string& end) {
    static const std::map<char, const char*> types = {{'R', "electrical.Resistor"},
                                                      {'L', "electrical.Inductor"},
                                                      {'C', "electrical.Capacitor"},
                                                      {'U', "electrical.VoltageSource"},
                                                      {'I', "electrical.CurrentSource"}};
    const bool rises = e.type == 'U';
    add(e.name, types.at(e.type), {{"p", rises ? end : start}, {"n", rises ? start : end}}, e.where);
  }

  void read_influences(int first, int second, const std::string& of) {
    const int count = r_.number("the number " + of, 0, most);
    for (int k = 1; k <= count; ++k) {
      const Location where = r_.where();
      const char type = r_.type("the type " + of, "LC");
      const std::string a = element(first, type, of), b = element(second, type, of);
      if (type == 'L')
        add("M" + std::to_string(++couplings_), "electrical.Coupling", {{"a", a}, {"b", b}}, where);
      else
        add("CM" + std::to_string(++capacitances_), "electrical.MutualCapacitance", {{"a", a}, {"b", b}}, where);
    }
  }
  std::string element(int circuit, char type, const std::string& of) {
    const Location where = r_.where();
    const std::vector<Element>& all = circuits_[circuit];
    const int k = r_.number("an element " + of, 1, static_cast<int>(all.size()));
    if (all[k - 1].type != type)
      throw Error(where, "element " + std::to_string(k) + " is " + all[k - 1].name + "; an influence of type " + type +
                             " needs elements of that type");
    return all[k - 1].name;
  }

  void add(const std::string& name, const std::string& type, std::vector<std::pair<std::string, model::Value>> values,
           const Location& where) {
    for (auto& [key, value] : values) value.where = where;
    model::Component& c = model_.add(name, type, std::move(values));
    c.where = c.type_where = where;
  }

  Reader& r_;
  model::Model model_;
  std::vector<std::vector<Element>> circuits_;
  std::map<char, int> count_;
  int couplings_ = 0, capacitances_ = 0;
};

}  // namespace

model::Model parse_electran(std::string_view text, const std::string& file) {
  Reader reader(text, file);
  return Maker(reader, file).run();
}

model::Model read_electran(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw Error("cannot read " + path.string() + ": there is no such file");
  std::stringstream text;
  text << stream.rdbuf();
  return parse_electran(text.str(), path.string());
}

}  // namespace coenergy::io
