#include <algorithm>
#include <charconv>
#include <sstream>

#include "coenergy/base/names.hpp"
#include "coenergy/io/robotran.hpp"

namespace coenergy::io {

using model::Component;
using model::Value;

namespace {

using Entries = std::vector<std::pair<std::string, Value>>;

struct Word {
  std::string text;
  Location where;
};
using Line = std::vector<Word>;

/// Words of all lines but empty ones and section headings (`-- Joints --`).
std::vector<Line> split(std::string_view text, const std::string& file) {
  std::vector<Line> lines;
  int number = 0;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    ++number;
    Line words;
    for (std::size_t i = 0; i < line.size();) {
      const std::size_t first = line.find_first_not_of(" \t\r", i);
      if (first == std::string_view::npos) break;
      i = std::min(line.find_first_of(" \t\r", first), line.size());
      words.push_back({std::string(line.substr(first, i - first)), {file, number, static_cast<int>(first) + 1}});
    }
    if (!words.empty() && !words[0].text.starts_with("--")) lines.push_back(std::move(words));
    begin = end + 1;
  }
  return lines;
}

class TextReader {
 public:
  TextReader(std::vector<Line> lines, const std::string& file, RobotFile& robot)
      : lines_(std::move(lines)), file_(file), robot_(robot) {}

  void read() {
    robot_.model.file = file_;
    robot_.model.title = take(1, "the name")[0].text;
    const Word count = take(1, "the number of bodies")[0];
    const int n = integer(count, "the number of bodies");
    if (n < 1 || n > 100000) throw Error(count.where, "the number of bodies is " + count.text + "; it must be >= 1");
    parents_ = take(n, "the parent of each body");
    joints_ = take_lines(n, 4, "joint: type and symbols of s, its rate and its acceleration");
    const auto d = take_lines(n, 3, "vector d^hi"), com = take_lines(n, 3, "vector d^ii");
    const auto mass = take_lines(n, 1, "mass");
    std::vector<Line> inertia;
    for (int i = 0; i < n; ++i) {
      Line all;
      for (int k = 3; k >= 1; --k)
        for (Word& w : take(k, "inertia of body " + std::to_string(i + 1))) all.push_back(std::move(w));
      inertia.push_back(std::move(all));
    }
    const auto force = take_lines(n, 3, "external force"), torque = take_lines(n, 3, "external torque");
    const Line gravity = take(3, "gravity");
    if (next_ < lines_.size())
      throw Error(lines_[next_][0].where, "the file should end here, after the gravity vector");

    for (int i = 0; i < n; ++i) add_body(i, mass[i][0], com[i], inertia[i]);
    for (int i = 0; i < n; ++i) add_joint(i, d[i]);
    for (int i = 0; i < n; ++i) add_load(i, com[i], force[i], torque[i]);
    add("gravity", "multibody.Gravity", {{"g", vector(gravity, "9.81 m/s2")}}, gravity[0].where);
    note_parameters();
  }

 private:
  Line take(int count, const std::string& what) {
    if (next_ == lines_.size())
      throw Error({file_, lines_.empty() ? 1 : lines_.back()[0].where.line + 1, 1},
                  "the file ends where " + what + " is expected");
    Line& line = lines_[next_++];
    if (static_cast<int>(line.size()) != count)
      throw Error(line[0].where, what + ": " + std::to_string(count) + (count == 1 ? " entry" : " entries") +
                                     " expected, not " + std::to_string(line.size()));
    return line;
  }
  std::vector<Line> take_lines(int n, int count, const std::string& what) {
    std::vector<Line> lines;
    for (int i = 0; i < n; ++i) lines.push_back(take(count, what + " of body " + std::to_string(i + 1)));
    return lines;
  }
  static int integer(const Word& word, const std::string& what) {
    int value = 0;
    const auto [end, error] = std::from_chars(word.text.data(), word.text.data() + word.text.size(), value);
    if (error != std::errc() || end != word.text.data() + word.text.size())
      throw Error(word.where, what + ": \"" + word.text + "\" is not a whole number");
    return value;
  }

  /// A symbol becomes a parameter of the model with a value of its kind; a number stays one.
  std::string symbol(const Word& word, const std::string& value) {
    const bool negative = word.text.starts_with('-');
    const std::string name = word.text.substr(negative ? 1 : 0);
    double number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc() && end == name.data() + name.size()) return word.text;
    if (!is_identifier(name)) throw Error(word.where, "\"" + word.text + "\" is neither a symbol nor a number");
    auto& parameters = robot_.model.parameters;
    if (std::none_of(parameters.begin(), parameters.end(), [&](const auto& p) { return p.first == name; }))
      parameters.emplace_back(name, make_value(value, word.where));
    return word.text;
  }
  Value scalar(const Word& word, const std::string& value) { return make_value(symbol(word, value), word.where); }
  Value vector(const Line& words, const std::string& value) {
    std::vector<Value> items;
    for (const Word& w : words) items.push_back(scalar(w, value));
    Value list(std::move(items));
    list.where = words[0].where;
    return list;
  }
  void add(const std::string& name, const std::string& type, Entries entries, const Location& where) {
    Component& c = robot_.model.add(name, type, std::move(entries));
    c.where = c.type_where = where;
  }
  static std::string body(int i) { return i < 0 ? "ground" : "body" + std::to_string(i + 1); }
  static bool is_zero(const Line& words) {
    return std::all_of(words.begin(), words.end(), [](const Word& w) { return w.text == "0"; });
  }

  void add_body(int i, const Word& mass, const Line& com, const Line& inertia) {
    // I11 I12 I13 I22 I23 I33 → Jxx Jyy Jzz Jxy Jxz Jyz
    Line ordered;
    for (const int k : {0, 3, 5, 1, 2, 4}) ordered.push_back(inertia[k]);
    add(body(i), "multibody.Body",
        {{"mass", scalar(mass, "1 kg")}, {"com", vector(com, "1 m")}, {"inertia", vector(ordered, "1 kg.m2")}},
        mass.where);
  }

  void add_joint(int i, Line d) {
    const Line& joint = joints_[i];
    const Word &type = joint[0], &s = joint[1];
    if (type.text.size() != 2 || (type.text[0] != 'T' && type.text[0] != 'R') || type.text[1] < '1' ||
        type.text[1] > '3')
      throw Error(type.where,
                  "joint " + std::to_string(i + 1) + ": type \"" + type.text + "\" must be T1, T2, T3, R1, R2 or R3");
    const int parent = integer(parents_[i], "parent of body " + std::to_string(i + 1)) - 1;
    if (parent < -1 || parent >= i)
      throw Error(parents_[i].where, "the parent of body " + std::to_string(i + 1) + " is " + parents_[i].text +
                                         "; it must be 0 (the base) or a body before it");
    const bool turns = type.text[0] == 'R', locked = joint[2].text == "0" && joint[3].text == "0";
    const int axis = type.text[1] - '1';
    const std::string name = s.text != "0" && is_identifier(s.text) && robot_.model.find(s.text) == nullptr
                                 ? s.text + (locked ? "_lock" : "")
                                 : "joint" + std::to_string(i + 1);
    Value at = vector(d, "1 m"), angles = make_list({0, 0, 0}, s.where);
    if (locked && s.text != "0") {
      Value& moved = (turns ? angles : at).list[axis];
      const std::string value = symbol(s, turns ? "0 rad" : "0 m");
      moved.text = moved.text == "0" ? value : moved.text + " + " + value;
    }
    Entries entries{{"parent", make_value(body(parent), parents_[i].where)},
                    {"child", make_value(body(i), type.where)},
                    {"parent_at", std::move(at)}};
    if (locked)
      entries.emplace_back("parent_angles", std::move(angles));
    else
      entries.emplace_back("axis", make_value(std::string(1, "xyz"[axis]), type.where));
    add(name,
        locked  ? "multibody.Fixed"
        : turns ? "multibody.Revolute"
                : "multibody.Prismatic",
        std::move(entries), type.where);
  }

  void add_load(int i, const Line& com, const Line& force, const Line& torque) {
    const Value axes = make_value("body", force[0].where), on = make_value(body(i), force[0].where);
    if (!is_zero(force))
      add("force" + std::to_string(i + 1), "multibody.Force",
          {{"body", on}, {"at", vector(com, "1 m")}, {"force", vector(force, "0 N")}, {"axes", axes}}, force[0].where);
    if (!is_zero(torque))
      add("torque" + std::to_string(i + 1), "multibody.Torque",
          {{"body", on}, {"torque", vector(torque, "0 N.m")}, {"axes", axes}}, torque[0].where);
  }

  void note_parameters() {
    if (robot_.model.parameters.empty()) return;
    std::string names;
    for (const auto& [name, value] : robot_.model.parameters) names += (names.empty() ? "" : " ") + name;
    robot_.notes.push_back(
        "the file holds symbols without values; lengths, masses and inertias are 1, loads 0, until they are "
        "set: " +
        names);
  }

  std::vector<Line> lines_;
  std::size_t next_ = 0;
  std::string file_;
  RobotFile& robot_;
  Line parents_;
  std::vector<Line> joints_;
};

}  // namespace

RobotFile parse_robotran_text(std::string_view text, const std::string& file) {
  RobotFile robot;
  TextReader(split(text, file), file, robot).read();
  return robot;
}

}  // namespace coenergy::io
