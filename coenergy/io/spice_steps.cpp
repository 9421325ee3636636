// .step and .data: values that take the place of those in a netlist
#include "coenergy/io/spice_steps.hpp"

#include <algorithm>
#include <cmath>

#include "coenergy/base/names.hpp"

namespace coenergy::io::spice {

namespace {

constexpr double most_values = 1e6;

bool is_spacing(const std::string& word) { return word == "lin" || word == "dec" || word == "oct"; }

/// From one number to another by steps, or by so many points in each decade or octave.
std::vector<double> make_values(const std::string& spacing, const Token* words, const NumberOf& number,
                                const std::string& card) {
  const double from = number(words[0]), to = number(words[1]), step = number(words[2]);
  std::vector<double> values;
  if (spacing == "dec" || spacing == "oct") {
    if (!(from > 0) || !(to >= from)) throw Error(words[0].where, card + ": the values must increase from above zero");
    if (!(step >= 1)) throw Error(words[2].where, card + ": the number of points must be >= 1");
    const double ratio = std::pow(spacing == "dec" ? 10.0 : 2.0, 1 / step);
    for (int k = 0; k < most_values && from * std::pow(ratio, k) <= to * (1 + 1e-9); ++k)
      values.push_back(from * std::pow(ratio, k));
    return values;
  }
  if (from == to) return {from};
  if (step == 0 || (to - from) / step < 0)
    throw Error(words[2].where, card + ": the step does not lead from the first value to the last");
  if ((to - from) / step > most_values) throw Error(words[2].where, card + ": there are more than 1e6 values");
  const int last = static_cast<int>(std::floor((to - from) / step + 1e-9));
  for (int k = 0; k <= last; ++k) values.push_back(from + k * step);
  return values;
}

Sweep read_table(const Card& card, std::size_t k, const Cards& cards, const NumberOf& number) {
  const Token& name = card.tokens[k];
  const auto place = cards.tables.find(to_lower(name.text));
  if (place == cards.tables.end())
    throw Error(name.where, card.first().text + ": there is no .data \"" + name.text + "\"");
  const std::vector<Token>& t = place->second.tokens;
  Sweep sweep;
  std::size_t at = 2;
  for (; at < t.size() && !t[at].quoted && !parse_number(t[at].text); ++at) sweep.names.push_back(to_lower(t[at].text));
  const std::size_t width = sweep.names.size();
  if (width == 0 || at == t.size() || (t.size() - at) % width != 0)
    throw Error(place->second.first().where,
                ".data " + name.text + " must hold names, and rows with a number for each of them");
  for (; at < t.size(); at += width) {
    std::vector<double>& row = sweep.rows.emplace_back();
    for (std::size_t c = 0; c < width; ++c) row.push_back(number(t[at + c]));
  }
  sweep.end = k + 1;
  return sweep;
}

}  // namespace

Sweep read_sweep(const Card& card, std::size_t k, const Cards& cards, const NumberOf& number) {
  const auto& t = card.tokens;
  const std::string& name = t[0].text;
  const auto word = [&](std::size_t j) { return j < t.size() && !t[j].quoted ? to_lower(t[j].text) : std::string(); };
  if (word(k) == "data" && k + 2 < t.size() && t[k + 1].is("=")) return read_table(card, k + 2, cards, number);
  Sweep sweep;
  std::string spacing = "lin";
  while (word(k) == "sweep" || word(k) == "param" || is_spacing(word(k))) {
    if (is_spacing(word(k))) spacing = word(k);
    ++k;
  }
  if (k >= t.size())
    throw Error(t[0].where, name + " must be written " + name + " name from to step, or name list values");
  // a parameter of a model, as LTspice writes it: npn 2N2222(VAF)
  if (k + 4 < t.size() && t[k + 2].is("(") && t[k + 4].is(")")) {
    sweep.names = {word(k + 1) + ":" + word(k + 3)};
    k += 5;
  } else if (k + 3 < t.size() && t[k + 1].is("(") && t[k + 3].is(")")) {
    sweep.names = {word(k) + ":" + word(k + 2)};
    k += 4;
  } else {
    sweep.names = {word(k++)};
  }
  if (is_spacing(word(k))) spacing = word(k++);
  std::vector<double> values;
  if (word(k) == "list") {
    for (++k; k < t.size() && (t[k].quoted || parse_number(t[k].text)); ++k) values.push_back(number(t[k]));
    if (values.empty()) throw Error(t[k - 1].where, name + ": list has no values");
  } else {
    if (k + 2 >= t.size())
      throw Error(t[0].where, name + " must be written " + name + " name from to step, or name list values");
    values = make_values(spacing, &t[k], number, name);
    k += 3;
  }
  for (double value : values) sweep.rows.push_back({value});
  sweep.end = k;
  return sweep;
}

void read_steps(Cards& cards, const NumberOf& number, ErrorList& errors) {
  for (const Card& card : cards.step_cards) {
    try {
      for (std::size_t k = 1; k < card.tokens.size();) {
        const Sweep sweep = read_sweep(card, k, cards, number);
        for (std::size_t c = 0; c < sweep.names.size(); ++c) {
          const std::string& name = sweep.names[c];
          if (has_value(cards, name)) continue;
          if (name.find(':') != std::string::npos || to_lower(card.tokens[k].text) != "param")
            throw Error(card.tokens[k].where, ".step: there is no parameter, element or model \"" + name + "\"");
          cards.top->parameters[name] = {name, make_number(sweep.rows.front()[c]), card.first().where};
        }
        cards.steps.push_back({sweep.names, sweep.rows, card.first().where});
        k = sweep.end;
      }
    } catch (const Error& e) {
      errors.add(e);
    }
  }
}

// ---- values

namespace {

Line* find_line(Cards& cards, const std::string& name) {
  for (Line& line : cards.top->elements)
    if (to_lower(first_word(line)) == name) return &line;
  return nullptr;
}

/// Replaces a part of an element's line.
void replace(Cards& cards, Line& line, std::size_t begin, std::size_t end, const std::string& text) {
  std::string& whole = cards.texts.emplace_back(line.text);
  whole.replace(begin, end - begin, text);
  line.text = whole;
}

/// The value behind name=, or a further pair.
void set_pair(Cards& cards, Line& line, const std::string& name, double value) {
  const std::vector<Token> t = split_tokens(line);
  const std::string number = format_number(value);
  for (std::size_t k = 1; k + 2 < t.size(); ++k)
    if (t[k + 1].is("=") && to_lower(t[k].text) == name)
      return replace(cards, line, t[k + 2].begin, t[k + 2].end, number);
  replace(cards, line, line.text.size(), line.text.size(), " " + name + "=" + number);
}

/// The value of a resistor, capacitor, inductor or source.
void set_element(Cards& cards, Line& line, double value) {
  const std::vector<Token> t = split_tokens(line);
  const char kind = static_cast<char>(std::tolower(static_cast<unsigned char>(t[0].text[0])));
  const std::string number = format_number(value);
  const bool is_source = kind == 'v' || kind == 'i';
  for (std::size_t k = 3; k + 1 < t.size(); ++k) {
    const std::string word = to_lower(t[k].text);
    if (is_source ? word != "dc" : !(t[k + 1].is("=") && word == std::string(1, kind))) continue;
    const std::size_t at = k + (t[k + 1].is("=") ? 2 : 1);
    if (at < t.size()) return replace(cards, line, t[at].begin, t[at].end, number);
  }
  const bool has_number = t.size() > 3 && (t[3].quoted || parse_number(t[3].text)) && !(t.size() > 4 && t[4].is("="));
  // a word of the netlist's parameters stands for a number, that of a model or of a function of time does not
  const bool has_parameter = t.size() > 3 && cards.top->parameters.count(to_lower(t[3].text)) != 0;
  if (has_number || has_parameter) return replace(cards, line, t[3].begin, t[3].end, number);
  const std::size_t at = t.size() > 2 ? t[2].end : line.text.size();
  replace(cards, line, at, at, (is_source ? " dc " : " ") + number);
}

bool has_single_value(const std::string& name) { return std::string("rclvi").find(name[0]) != std::string::npos; }

}  // namespace

bool has_value(const Cards& cards, const std::string& name) {
  if (name.empty()) return false;
  const auto& lines = cards.top->elements;
  const std::string first = name.substr(0, name.find(':'));
  const bool has_line =
      std::any_of(lines.begin(), lines.end(), [&](const Line& line) { return to_lower(first_word(line)) == first; });
  if (first != name) return has_line || cards.top->models.count(first) != 0;
  return name == "temp" || name == "temper" || cards.top->parameters.count(name) != 0 ||
         (has_single_value(name) && has_line);
}

void set_values(Cards& cards, const NetlistValues& values) {
  for (const NetlistValue& v : values) {
    const std::size_t colon = v.name.find(':');
    const std::string first = v.name.substr(0, colon),
                      second = colon == std::string::npos ? "" : v.name.substr(colon + 1);
    Line* const line = find_line(cards, first);
    if (!has_value(cards, v.name))
      throw Error(v.where, "there is no parameter, element or model \"" + v.name + "\" whose value could be set");
    if (const auto parameter = cards.top->parameters.find(v.name); parameter != cards.top->parameters.end()) {
      parameter->second.value = make_number(v.value);
    } else if (v.name == "temp" || v.name == "temper") {
      cards.temperature = v.value;
    } else if (line != nullptr) {
      const bool is_value = second.empty() || (has_single_value(first) &&
                                               (second == first.substr(0, 1) || second == "dc" || second == "dcv0"));
      is_value ? set_element(cards, *line, v.value) : set_pair(cards, *line, second, v.value);
    } else {
      ModelCard& model = cards.top->models.at(first);
      std::erase_if(model.values, [&](const Assignment& a) { return a.name == second; });
      model.values.push_back({second, make_number(v.value), model.where});
    }
  }
}

}  // namespace coenergy::io::spice
