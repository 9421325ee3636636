#include "coenergy/io/spice_cards.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "coenergy/io/spice_steps.hpp"

namespace coenergy::io::spice {

const Assignment* ModelCard::find(const std::string& wanted) const {
  for (const Assignment& a : values)
    if (a.name == wanted) return &a;
  return nullptr;
}

const ModelCard* Definition::find_model(const std::string& wanted) const {
  for (const Definition* d = this; d != nullptr; d = d->parent)
    if (auto place = d->models.find(wanted); place != d->models.end()) return &place->second;
  return nullptr;
}

const Definition* Definition::find_subcircuit(const std::string& wanted) const {
  for (const Definition* d = this; d != nullptr; d = d->parent)
    if (auto place = d->subcircuits.find(wanted); place != d->subcircuits.end()) return place->second.get();
  return nullptr;
}

ExpressionPtr parse_value(const Token& token) {
  if (token.quoted) {
    Location where = token.where;
    ++where.column;
    return parse_expression(token.text, where);
  }
  if (const auto number = parse_number(token.text)) {
    if (!std::isfinite(*number)) throw Error(token.where, "the number " + token.text + " is out of range");
    return make_number(*number);
  }
  return parse_expression(token.text, token.where);
}

std::vector<Assignment> parse_assignments(const Card& card, std::size_t first, std::size_t end) {
  std::vector<Assignment> list;
  const auto& t = card.tokens;
  for (std::size_t k = first; k < end;) {
    if (k + 2 >= end || !t[k + 1].is("="))
      throw Error(t[k].where, "\"" + t[k].text + "\" is not understood; name=value was expected");
    list.push_back({to_lower(t[k].text), parse_value(t[k + 2]), t[k].where});
    k += 3;
  }
  return list;
}

namespace {

/// name=value as often as it stands there; a value may hold blanks and goes on to the next name=.
std::vector<Assignment> parse_parameters(const Card& card) {
  std::vector<Assignment> list;
  const auto& t = card.tokens;
  for (std::size_t k = 1; k < t.size();) {
    if (k + 2 >= t.size() || !t[k + 1].is("="))
      throw Error(t[k].where, "\"" + t[k].text + "\" is not understood; name=value was expected");
    std::size_t end = k + 3;
    while (end < t.size() && !(end + 1 < t.size() && t[end + 1].is("="))) ++end;
    const Token &first = t[k + 2], &last = t[end - 1];
    const std::string_view text = std::string_view(card.line.text).substr(first.begin, last.end - first.begin);
    list.push_back(
        {to_lower(t[k].text), end == k + 3 ? parse_value(first) : parse_expression(text, first.where), t[k].where});
    k = end;
  }
  return list;
}

/// Reads files and sorts their statements.
class CardReader {
 public:
  CardReader(Cards& cards, ErrorList& errors) : cards_(cards), errors_(errors) { open_.push_back(cards.top.get()); }

  void read(std::string_view text, const std::string& file, bool has_title) {
    std::string title;
    std::vector<Line> lines;
    try {
      lines = split_lines(text, file, has_title, title, cards_.texts);
    } catch (const Error& e) {
      errors_.add(e);
      return;
    }
    if (has_title) cards_.title = title;
    for (Line& line : lines) {
      if (ended_) break;
      try {
        read_line(std::move(line), file);
      } catch (const Error& e) {
        errors_.add(e);
      }
    }
  }

  void finish() {
    for (std::size_t k = 1; k < open_.size(); ++k)
      errors_.add(open_[k]->where, "the subcircuit " + open_[k]->name + " has no .ends");
    if (in_control_) errors_.add(control_where_, "the block .control has no .endc");
    if (!conditions_.empty()) errors_.add(conditions_.back().where, ".if has no .endif");
    if (in_table_) errors_.add(in_table_->first().where, ".data has no .enddata");
    read_steps(
        cards_, [this](const Token& token) { return evaluate(parse_value(token), token.where); }, errors_);
    if (!left_out_.empty()) note(control_where_, "commands of the block .control that are left out: " + left_out_);
  }

  void open_file(const std::filesystem::path& path) { files_.push_back(path); }

 private:
  Definition& scope() { return *open_.back(); }
  void note(const Location& where, const std::string& text) { cards_.notes.push_back(where.text() + ": " + text); }

  void read_line(Line line, const std::string& file) {
    if (in_control_) return read_command(std::move(line));
    if (in_table_) return read_table_line(line);
    if (!is_chosen() && !is_condition(line)) return;
    Card card{std::move(line), {}};
    card.tokens = split_tokens(card.line);
    if (card.tokens.empty()) return;
    const std::string word = to_lower(card.first().text);
    if (word[0] != '.') {
      if (!std::isalpha(static_cast<unsigned char>(word[0])))
        throw Error(card.first().where,
                    "\"" + card.first().text + "\" is no element; its name must start with a letter");
      scope().elements.push_back(std::move(card.line));
      return;
    }
    read_dot_card(std::move(card), word, file);
  }

  void read_dot_card(Card card, const std::string& word, const std::string& file) {
    const Location where = card.first().where;
    if (word == ".end") {
      ended_ = files_.size() <= 1;
    } else if (word == ".subckt" || word == ".macro") {
      begin_subcircuit(card);
    } else if (word == ".ends" || word == ".eom") {
      if (open_.size() == 1) throw Error(where, ".ends without a .subckt");
      open_.pop_back();
    } else if (word == ".model") {
      read_model_card(card);
    } else if (word == ".param" || word == ".params" || word == ".csparam" || word == ".global_param") {
      for (Assignment& a : parse_parameters(card)) {
        if (scope().parameters.count(a.name) != 0)
          note(a.where, "parameter " + a.name + " is given twice; the last value counts");
        scope().parameters[a.name] = a;
      }
    } else if (word == ".func") {
      read_function(card);
    } else if (word == ".include" || word == ".inc") {
      if (card.tokens.size() < 2) throw Error(where, word + " needs the name of a file");
      include(card.tokens[1], file, "");
    } else if (word == ".lib") {
      read_library(card, file);
    } else if (word == ".endl") {
      // the end of a library section that was read as a whole
    } else if (word == ".data") {
      if (card.tokens.size() < 2) throw Error(where, ".data needs a name");
      in_table_ = &(cards_.tables[to_lower(card.tokens[1].text)] = std::move(card));
    } else if (word == ".step") {
      if (open_.size() > 1) throw Error(where, ".step cannot stand in a subcircuit");
      cards_.step_cards.push_back(std::move(card));
    } else if (word == ".control") {
      in_control_ = true;
      control_where_ = where;
    } else if (word == ".if" || word == ".elseif" || word == ".else" || word == ".endif") {
      read_condition(card, word);
    } else {
      read_control_card(std::move(card), word);
    }
  }

  /// The rows of .data, up to .enddata.
  void read_table_line(const Line& line) {
    std::vector<Token> tokens = split_tokens(line);
    if (!tokens.empty() && to_lower(tokens.front().text) == ".enddata")
      in_table_ = nullptr;
    else
      in_table_->tokens.insert(in_table_->tokens.end(), tokens.begin(), tokens.end());
  }

  // ---- .if

  struct Condition {
    Location where;
    bool is_taken = false, was_taken = false;
  };
  bool is_chosen() const {
    return std::all_of(conditions_.begin(), conditions_.end(), [](const Condition& c) { return c.is_taken; });
  }
  static bool is_condition(const Line& line) {
    const std::string word = to_lower(first_word(line));
    return word.starts_with(".if") || word.starts_with(".else") || word == ".endif";
  }

  /// .if (expression), .elseif (expression), .else, .endif; inside one another as often as wanted.
  void read_condition(const Card& card, const std::string& word) {
    const Location where = card.first().where;
    if (word != ".if" && conditions_.empty()) throw Error(where, word + " without an .if");
    if (word == ".endif") return conditions_.pop_back();
    if (word == ".if") conditions_.push_back({where, false, !is_chosen()});
    Condition& c = conditions_.back();
    c.is_taken = false;
    if (c.was_taken) return;
    if (word == ".else") {
      c.is_taken = c.was_taken = true;
      return;
    }
    if (card.tokens.size() < 2) throw Error(where, word + " has no condition");
    const Token& first = card.tokens[1];
    const ExpressionPtr e = first.quoted && card.tokens.size() == 2
                                ? parse_value(first)
                                : parse_expression(card.line.text.substr(first.begin), first.where);
    c.is_taken = c.was_taken = evaluate(e, where) != 0;
  }

  /// With the parameters as they stand at this line.
  double evaluate(const ExpressionPtr& e, const Location& where) {
    std::set<std::string> open;
    std::size_t work = 0;
    ExpressionScope names{{},
                          [this](const std::string& name) -> const UserFunction* {
                            for (const Definition* d = &scope(); d != nullptr; d = d->parent)
                              if (auto place = d->functions.find(name); place != d->functions.end())
                                return &place->second;
                            return nullptr;
                          },
                          &work};
    names.find_name = [&](const std::string& name) -> ExpressionPtr {
      for (const Definition* d = &scope(); d != nullptr; d = d->parent) {
        if (std::any_of(d->defaults.begin(), d->defaults.end(), [&](const Assignment& a) { return a.name == name; }))
          throw Error(where, "the condition depends on " + name + ", a parameter that every use of the subcircuit " +
                                 d->name + " may have its own value of; only parameters of the netlist may stand here");
        const auto place = d->parameters.find(name);
        if (place == d->parameters.end()) continue;
        if (!open.insert(name).second) throw Error(where, "parameter " + name + " is defined by itself");
        ExpressionPtr value = resolve(place->second.value, names);
        open.erase(name);
        return value;
      }
      return nullptr;
    };
    const ExpressionPtr value = resolve(e, names);
    if (!value->is_number()) throw Error(where, "the condition must be a constant");
    return value->value;
  }

  // ---- .control

  /// A command of a .control block: those that ask for an analysis or show its results are cards, others are left out.
  void read_command(Line line) {
    static const std::map<std::string, std::string> cards = {
        {"tran", ".tran"}, {"ac", ".ac"},        {"dc", ".dc"},     {"op", ".op"},      {"meas", ".meas"},
        {"save", ".save"}, {"print", ".print"},  {"plot", ".plot"}, {"option", ".opt"}, {"measure", ".meas"},
        {"four", ".four"}, {"fourier", ".four"}, {"tf", ".tf"},     {"pz", ".pz"},      {"noise", ".noise"},
        {"sens", ".sens"}, {"disto", ".disto"}};
    static const std::set<std::string> changes = {"alter",  "altermod", "alterparam", "foreach", "while",
                                                  "repeat", "dowhile",  "if",         "step",    "set_temp"};
    const std::string word = to_lower(first_word(line));
    if (word == ".endc") {
      in_control_ = stopped_ = false;
      return;
    }
    if (word.empty() || word == "run" || word == "end" || word == "else") return;
    const auto place = cards.find(word);
    if (changes.count(word) != 0 && !stopped_) {
      stopped_ = true;
      note(line.where, "the command " + word + " is not understood; the analyses behind it in its block are left out");
      return;
    }
    if (stopped_) return;
    if (place == cards.end()) {
      if ((" " + left_out_ + ",").find(" " + word + ",") == std::string::npos)
        left_out_ += (left_out_.empty() ? "" : ", ") + word;
      return;
    }
    try {
      Card card{std::move(line), {}};
      card.tokens = split_tokens(card.line);
      card.tokens.front().text = place->second;
      card.is_command = true;
      read_control_card(std::move(card), place->second);
    } catch (const Error& e) {
      note(e.items()[0].where, e.items()[0].text);
    }
  }

  void read_control_card(Card card, const std::string& word) {
    static const std::vector<std::string> used = {".tran",    ".ac",     ".dc",   ".op",   ".ic",      ".nodeset",
                                                  ".print",   ".plot",   ".save", ".meas", ".measure", ".temp",
                                                  ".options", ".option", ".opt",  ".tf",   ".noise",   ".four"};
    static const std::vector<std::string> left_out = {".probe", ".width",    ".disto", ".sens", ".pz",
                                                      ".title", ".backanno", ".pss",   ".fft",  ".preprocess"};
    const Location where = card.first().where;
    if (word == ".global") {
      for (std::size_t k = 1; k < card.tokens.size(); ++k) cards_.globals.insert(to_lower(card.tokens[k].text));
      return;
    }
    if (std::find(used.begin(), used.end(), word) != used.end()) {
      if (open_.size() > 1 && (word == ".ic" || word == ".nodeset")) {
        scope().starts.push_back(std::move(card));
        return;
      }
      if (open_.size() > 1) throw Error(where, word + " cannot stand in a subcircuit");
      cards_.controls.push_back(std::move(card));
    } else if (std::find(left_out.begin(), left_out.end(), word) != left_out.end()) {
      note(where, word + " is left out");
    } else {
      std::vector<std::string> known = used;
      known.insert(known.end(), {".model", ".param", ".func", ".subckt", ".ends", ".include", ".lib", ".end"});
      throw Error(where, "\"" + card.first().text + "\" is not understood" + did_you_mean(word, known));
    }
  }

  void begin_subcircuit(const Card& card) {
    const auto& t = card.tokens;
    if (t.size() < 2) throw Error(card.first().where, ".subckt needs a name");
    auto d = std::make_unique<Definition>();
    d->name = t[1].text;
    d->where = card.first().where;
    d->parent = &scope();
    std::size_t k = 2;
    // pins until the first name=value
    while (k < t.size() && !(k + 1 < t.size() && t[k + 1].is("=")) && to_lower(t[k].text) != "params:") {
      if (!t[k].is("(") && !t[k].is(")")) d->pins.push_back(to_lower(t[k].text));
      ++k;
    }
    if (k < t.size() && to_lower(t[k].text) == "params:") ++k;
    // opened before its parameters are read, so that a mistake in them leaves the block structure whole
    auto [place, inserted] = scope().subcircuits.emplace(to_lower(d->name), std::move(d));
    if (!inserted) {
      scraps_.push_back(std::make_unique<Definition>());
      scraps_.back()->where = card.first().where;
      scraps_.back()->name = t[1].text;
      open_.push_back(scraps_.back().get());
      throw Error(t[1].where, "there are two subcircuits " + t[1].text);
    }
    open_.push_back(place->second.get());
    place->second->defaults = parse_assignments(card, k, t.size());
  }

  void read_model_card(const Card& card) {
    const auto& t = card.tokens;
    if (t.size() < 3)
      throw Error(card.first().where, ".model needs a name and a kind, such as .model D1N4148 D(IS=1n)");
    ModelCard m{t[1].text, to_lower(t[2].text), {}, card.first().where};
    Card values{card.line, {}};
    // parentheses around the list mean nothing; a word without a value (a flag) neither
    for (std::size_t k = 3; k < t.size(); ++k)
      if (!t[k].is("(") && !t[k].is(")")) values.tokens.push_back(t[k]);
    for (Assignment& a : parse_assignments(values, 0, values.tokens.size())) {
      if (std::erase_if(m.values, [&](const Assignment& other) { return other.name == a.name; }) > 0)
        note(a.where, "model " + m.name + ": " + a.name + " is given twice; the last value counts");
      m.values.push_back(std::move(a));
    }
    if (!scope().models.emplace(to_lower(m.name), m).second)
      throw Error(t[1].where, "there are two models " + t[1].text);
  }

  /// .func name(a, b) {body}, also with a =
  void read_function(const Card& card) {
    const auto& t = card.tokens;
    std::size_t k = 3;
    UserFunction f;
    if (t.size() < 5 || !t[2].is("("))
      throw Error(card.first().where, ".func must be written .func name(x, y) {expression}");
    for (; k < t.size() && !t[k].is(")"); ++k) f.arguments.push_back(to_lower(t[k].text));
    ++k;
    if (k < t.size() && t[k].is("=")) ++k;
    if (k >= t.size()) throw Error(card.first().where, ".func " + t[1].text + " has no expression");
    if (t[k].quoted)
      f.body = parse_value(t[k]);
    else
      f.body = parse_expression(card.line.text.substr(t[k].begin), t[k].where);
    scope().functions[to_lower(t[1].text)] = std::move(f);
  }

  /// .lib file section reads the part of the file between .lib section and .endl.
  void read_library(const Card& card, const std::string& file) {
    const auto& t = card.tokens;
    if (t.size() < 2) throw Error(card.first().where, ".lib needs the name of a file");
    include(t[1], file, t.size() > 2 ? to_lower(t[2].text) : "");
  }

  void include(const Token& name, const std::string& file, const std::string& section) {
    const std::filesystem::path path = (std::filesystem::path(file).parent_path() / name.text).lexically_normal();
    if (std::find(files_.begin(), files_.end(), path) != files_.end())
      throw Error(name.where, path.string() + " includes itself");
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
      throw Error(name.where, "cannot include " + path.string() + ": there is no such file");
    std::ifstream stream(path, std::ios::binary);
    std::stringstream content;
    content << stream.rdbuf();
    if (!stream) throw Error(name.where, "cannot read " + path.string());
    const std::string& text = cards_.texts.emplace_back(content.str());
    files_.push_back(path);
    if (section.empty())
      read(text, path.string(), false);
    else
      read_section(text, path.string(), section, name.where);
    files_.pop_back();
  }

  void read_section(const std::string& text, const std::string& file, const std::string& section,
                    const Location& where) {
    std::string title;
    bool inside = false, found = false;
    for (Line& line : split_lines(text, file, false, title, cards_.texts)) {
      const std::vector<Token> t = split_tokens(line);
      const std::string word = t.empty() ? "" : to_lower(t[0].text);
      if (word == ".lib" && t.size() == 2) {
        inside = to_lower(t[1].text) == section;
        found = found || inside;
      } else if (word == ".endl") {
        inside = false;
      } else if (inside) {
        read_line(std::move(line), file);
      }
    }
    if (!found) throw Error(where, file + " has no section " + section);
  }

  Cards& cards_;
  ErrorList& errors_;
  std::vector<Definition*> open_;
  std::vector<std::unique_ptr<Definition>> scraps_;
  std::vector<std::filesystem::path> files_;
  bool ended_ = false, in_control_ = false, stopped_ = false;
  std::vector<Condition> conditions_;
  std::string left_out_;
  Location control_where_;
  Card* in_table_ = nullptr;  ///< of .data, until .enddata
};

}  // namespace

Cards read_cards(std::string_view text, const std::string& file, ErrorList& errors) {
  Cards cards;
  CardReader reader(cards, errors);
  reader.open_file(std::filesystem::path(file).lexically_normal());
  reader.read(text, file, true);
  reader.finish();
  return cards;
}

}  // namespace coenergy::io::spice
