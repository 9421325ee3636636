#include <algorithm>
#include <set>

#include "coenergy/equations/data.hpp"
#include "coenergy/generate/fmu.hpp"

namespace coenergy::generate {

namespace {

using equations::Layout;

/// Which states and inputs the unknowns a, λ, ẋ, y depend on, and so everything else.
class Dependencies {
 public:
  explicit Dependencies(const SystemCode& code) : code_(code), layout_(code.system.data().layout) {
    const int n = layout_.n();
    unknown_of_.assign(layout_.values(), -1);
    for (int i = 0; i < n; ++i) unknown_of_[place_of(i)] = i;
    for (std::size_t j = 0; j < code.inputs.size(); ++j) {
      const int p = parameter_place(code.inputs[j]);
      input_of_[p].insert(p);
      for (const int law : code.follow[code.inputs[j]])
        input_of_[parameter_place(code.system.data().parameter_laws[law].parameter)].insert(p);
    }
    match();
    of_unknown_.resize(n);
    for (int i = 0; i < n; ++i) {
      std::vector<char> seen(n, 0);
      visit(i, seen, of_unknown_[i]);
    }
  }

  std::vector<int> of(const std::vector<int>& reads) const {
    std::set<int> all;
    for (const int place : reads) add(place, all);
    return {all.begin(), all.end()};
  }

 private:
  int place_of(int unknown) const {
    const int a = 1 + layout_.nq() + layout_.nv();
    return unknown < layout_.nv() + layout_.multipliers ? a + unknown : a + layout_.states + unknown;
  }
  int parameter_place(int k) const { return layout_.values() - layout_.parameters + k; }

  bool is_state(int place) const {
    const int a = 1 + layout_.nq() + layout_.nv(), x = a + layout_.nv() + layout_.multipliers;
    return (place > 0 && place < a) || (place >= x && place < x + layout_.states);
  }

  void add_known(int place, std::set<int>& all) const {
    if (is_state(place)) all.insert(place);
    if (const auto at = input_of_.find(place); at != input_of_.end()) all.insert(at->second.begin(), at->second.end());
  }
  void add(int place, std::set<int>& all) const {
    add_known(place, all);
    if (const int u = unknown_of_[place]; u >= 0) all.insert(of_unknown_[u].begin(), of_unknown_[u].end());
  }

  /// A row for each unknown that reads it, by augmenting ways; without one, all rows.
  void match() {
    row_of_.assign(layout_.n(), -1);
    std::vector<char> seen;
    for (int row = 0; row < layout_.n(); ++row) {
      seen.assign(layout_.n(), 0);
      is_matched_ = is_matched_ && augment(row, seen);
    }
  }
  bool augment(int row, std::vector<char>& seen) {
    for (const int place : code_.row_reads[row]) {
      const int u = unknown_of_[place];
      if (u < 0 || seen[u] != 0) continue;
      seen[u] = 1;
      if (row_of_[u] >= 0 && !augment(row_of_[u], seen)) continue;
      row_of_[u] = row;
      return true;
    }
    return false;
  }

  void visit(int unknown, std::vector<char>& seen, std::set<int>& all) const {
    if (seen[unknown] != 0) return;
    seen[unknown] = 1;
    const auto read = [&](int row) {
      for (const int place : code_.row_reads[row]) {
        add_known(place, all);
        if (unknown_of_[place] >= 0) visit(unknown_of_[place], seen, all);
      }
    };
    if (is_matched_) return read(row_of_[unknown]);
    for (int row = 0; row < layout_.n(); ++row) read(row);
  }

  const SystemCode& code_;
  const Layout& layout_;
  bool is_matched_ = true;
  std::vector<int> unknown_of_, row_of_;
  std::map<int, std::set<int>> input_of_;
  std::vector<std::set<int>> of_unknown_;
};

bool is_plain(const std::string& part) {
  std::size_t end = part.find('[');
  const std::string word = part.substr(0, end);
  if (word.empty() || std::isdigit(static_cast<unsigned char>(word[0])) != 0) return false;
  for (const char c : word)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') return false;
  if (end == std::string::npos) return true;
  if (part.back() != ']' || end + 2 > part.size() - 1) return false;
  return std::all_of(part.begin() + static_cast<std::ptrdiff_t>(end) + 1, part.end() - 1,
                     [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == ','; });
}

/// A name by the structured convention: parts that are no identifiers stand in quotes.
std::string structured(const std::string& name) {
  std::string out, part;
  int depth = 0;
  const auto close = [&] {
    if (!is_plain(part)) {
      std::string quoted;
      for (const char c : part)
        if (static_cast<unsigned char>(c) >= 32 && static_cast<unsigned char>(c) < 127)
          quoted += c == '\'' || c == '"' || c == '\\' ? '_' : c;
      part = "'" + (quoted.empty() ? "_" : quoted) + "'";
    }
    out += part;
    part.clear();
  };
  for (const char c : name) {
    depth += c == '[' || c == '(' ? 1 : c == ']' || c == ')' ? -1 : 0;
    if (c == '.' && depth == 0) {
      close();
      out += '.';
    } else {
      part += c;
    }
  }
  close();
  return out;
}

class VariableList {
 public:
  explicit VariableList(const SystemCode& code)
      : code_(code), data_(code.system.data()), layout_(data_.layout), dependencies_(code) {
    const int nq = layout_.nq(), nv = layout_.nv();
    for (int k = 0; k < nq + nv; ++k) places_.push_back(1 + k);
    for (int k = 0; k < layout_.states; ++k) places_.push_back(1 + nq + 2 * nv + layout_.multipliers + k);
  }

  std::vector<FmuVariable> make() {
    add({.name = "time", .unit = "s", .causality = "independent", .initial = ""});
    // names of outputs stay as they are; an entry of the same name gets an underscore
    add_outputs();
    add_states();
    add_parameters();
    add_indicators();
    return std::move(all_);
  }

 private:
  void add(FmuVariable v) {
    v.name = structured(v.name);
    // names are unique, whatever they came from
    while (!names_.insert(v.name).second) v.name += "_";
    all_.push_back(std::move(v));
  }

  void add_parameters() {
    using Kind = equations::ParameterInfo::Kind;
    std::set<int> follows;
    for (const auto& law : data_.parameter_laws) follows.insert(law.parameter);
    const std::set<int> inputs(code_.inputs.begin(), code_.inputs.end());
    const int first = layout_.values() - layout_.parameters;
    for (int k = 0; k < layout_.parameters; ++k) {
      const equations::ParameterInfo& info = data_.parameters[k];
      FmuVariable v{.name = info.name,
                    .unit = info.unit,
                    .reference = first + k,
                    .has_start = true,
                    .start = code_.start[first + k]};
      if (inputs.contains(k)) {
        v.causality = "input", v.initial = "";
      } else if (follows.contains(k)) {
        v.causality = "calculatedParameter", v.variability = "tunable", v.has_start = false;
      } else {
        const bool is_start = info.kind == Kind::start;
        const bool is_fixed = is_start || !code_.system.find_clocked(k).empty();
        if ((info.kind != Kind::entry && info.kind != Kind::model && !is_start) ||
            !code_.system.find_built_in(k).empty())
          continue;
        v.causality = "parameter", v.variability = is_fixed ? "fixed" : "tunable", v.initial = "exact";
      }
      add(std::move(v));
    }
  }

  void add_outputs() {
    const int out = layout_.values() + static_cast<int>(places_.size());
    for (std::size_t k = 0; k < code_.output_names.size(); ++k) {
      FmuVariable v{.name = code_.output_names[k],
                    .unit = code_.output_units[k],
                    .reference = out + static_cast<int>(k),
                    .causality = "output"};
      const auto at = std::find(places_.begin(), places_.end(), code_.output_place[k]);
      if (at != places_.end() && taken_.insert(*at).second) {
        v.state = static_cast<int>(at - places_.begin()), v.reference = *at;
        v.nominal = nominal_of(v.state);
      }
      v.dependencies = dependencies_.of(code_.output_reads[k]);
      add(std::move(v));
    }
  }

  void add_states() {
    const std::vector<equations::UnknownInfo>& unknowns = data_.unknowns;
    const int nq = layout_.nq(), nv = layout_.nv();
    for (int k = 0; k < static_cast<int>(places_.size()); ++k) {
      if (taken_.contains(places_[k])) continue;
      const std::string unit = k < layout_.coordinates ? unknowns[k].unit
                               : k >= nq + nv          ? unknowns[k - nq + layout_.multipliers].unit
                                                       : "";
      add({.name = code_.value_names[places_[k]],
           .unit = unit,
           .reference = places_[k],
           .nominal = nominal_of(k),
           .state = k});
    }
    std::vector<std::string> name(places_.size());
    for (const FmuVariable& v : all_)
      if (v.state >= 0) name[v.state] = v.name;
    for (int k = 0; k < static_cast<int>(places_.size()); ++k) {
      const std::vector<int> reads = reads_of_derivative(k);
      all_.push_back({.name = "der(" + name[k] + ")",
                      .reference = layout_.values() + k,
                      .derivative = k,
                      .dependencies = dependencies_.of(reads)});
    }
  }

  void add_indicators() {
    const int first = layout_.values() + static_cast<int>(places_.size() + code_.output_names.size());
    for (std::size_t k = 0; k < code_.indicator_reads.size(); ++k)
      add({.name = "event_indicator[" + std::to_string(k + 1) + "]",
           .reference = first + static_cast<int>(k),
           .dependencies = dependencies_.of(code_.indicator_reads[k])});
  }

  /// q̇ is v, of a quaternion ½ p ⊗ ω; v̇ and ẋ are unknowns.
  std::vector<int> reads_of_derivative(int k) const {
    const int nq = layout_.nq(), nv = layout_.nv(), c = layout_.coordinates, a = 1 + nq + nv;
    if (k < c) return {1 + nq + k};
    if (k < nq) {
      const int r = (k - c) / 4;
      std::vector<int> reads;
      for (int i = 0; i < 4; ++i) reads.push_back(1 + c + 4 * r + i);
      for (int i = 0; i < 3; ++i) reads.push_back(1 + nq + c + 3 * r + i);
      return reads;
    }
    if (k < nq + nv) return {a + k - nq};
    return {a + nv + layout_.multipliers + layout_.states + k - nq - nv};
  }

  double nominal_of(int k) const {
    const int nq = layout_.nq(), nv = layout_.nv(), c = layout_.coordinates;
    if (k >= c && k < nq) return 1;
    return data_.unknowns[k < c ? k : k < nq + nv ? k - nq : k - nq + layout_.multipliers].nominal;
  }

  const SystemCode& code_;
  const equations::System::Data& data_;
  const Layout& layout_;
  Dependencies dependencies_;
  std::vector<int> places_;  // of states
  std::set<int> taken_;      // places of states that are outputs
  std::set<std::string> names_;
  std::vector<FmuVariable> all_;
};

}  // namespace

std::vector<FmuVariable> list_variables(const SystemCode& code) { return VariableList(code).make(); }

}  // namespace coenergy::generate
