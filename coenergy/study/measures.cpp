#include "coenergy/study/measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "coenergy/base/argument.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/base/units.hpp"
#include "coenergy/study/texts.hpp"

namespace coenergy::study {

namespace {

using Kind = analyze::Measure::Kind;

const std::map<std::string, Kind> kinds = {
    {"max", Kind::max},           {"min", Kind::min},     {"mean", Kind::mean},          {"rms", Kind::rms},
    {"integral", Kind::integral}, {"range", Kind::range}, {"time_of_max", Kind::max_at}, {"time_of_min", Kind::min_at}};

class MeasureReader {
 public:
  MeasureReader(const equations::System& system, const solve::Options& options) : system_(system), options_(options) {}

  RunMeasure read(const std::string& text) {
    what_ = argument("measure") + " \"" + text + "\"";
    RunMeasure m;
    m.text = trim(text);
    const std::size_t open = m.text.find('('), at = m.text.find(" at ");
    if (open == std::string::npos) {
      m.signal = find(trim(m.text.substr(0, at)));
      if (at != std::string::npos) {
        m.place = RunMeasure::Place::at;
        m.time = read_number(m.text.substr(at + 4), "s", what_);
        if (!(m.time >= options_.t_start && m.time <= options_.t_end))
          throw Error(fmt::format("{}: the run lasts from {:g} s to {:g} s", what_, options_.t_start, options_.t_end));
      }
      m.unit = unit(m.signal);
      return m;
    }
    if (m.text.back() != ')') throw Error(what_ + ": the parenthesis is not closed at its end");
    const std::string name = trim(m.text.substr(0, open)), inside = m.text.substr(open + 1, m.text.size() - open - 2);
    if (name == "end") {
      m.signal = find(trim(inside)), m.unit = unit(m.signal);
      return m;
    }
    m.place = RunMeasure::Place::course;
    if (name == "rise" || name == "fall") {
      read_crossing(m, inside, name == "rise");
    } else {
      const auto kind = kinds.find(name);
      if (kind == kinds.end()) refuse(name);
      m.signal = find(trim(inside)), m.what.kind = kind->second;
      m.unit = is_time(m.what.kind)            ? "s"
               : m.what.kind == Kind::integral ? times_second(unit(m.signal))
                                               : unit(m.signal);
    }
    return m;
  }

 private:
  static bool is_time(Kind kind) { return kind == Kind::max_at || kind == Kind::min_at || kind == Kind::when; }
  static std::string times_second(const std::string& unit) {
    return unit_name(parse_unit(unit).dimension * parse_unit("s").dimension);
  }
  void read_crossing(RunMeasure& m, const std::string& inside, bool rises) {
    const std::size_t comma = inside.find(',');
    if (comma == std::string::npos) throw Error(what_ + ": write rise(SIGNAL, LEVEL)");
    m.signal = find(trim(inside.substr(0, comma)));
    m.what.kind = Kind::when;
    m.what.target.kind = rises ? analyze::Crossing::Kind::rise : analyze::Crossing::Kind::fall;
    m.what.target.level = read_number(inside.substr(comma + 1), unit(m.signal), what_);
    m.unit = "s";
  }
  [[noreturn]] void refuse(const std::string& name) const {
    std::vector<std::string> known{"end", "rise", "fall"};
    std::string list = "end, rise, fall";
    for (const auto& [word, kind] : kinds) known.push_back(word), list += ", " + word;
    const std::string hint = did_you_mean(name, known);
    throw Error(what_ + ": there is no measure \"" + name + "\"" + (hint.empty() ? "; there are " + list : hint));
  }
  int find(const std::string& name) const { return system_.get_signal(name, what_); }
  std::string unit(int signal) const { return system_.signals()[static_cast<std::size_t>(signal)].unit; }

  const equations::System& system_;
  const solve::Options& options_;
  std::string what_;
};

std::vector<int> find_columns(const std::vector<RunMeasure>& measures) {
  std::vector<int> columns;
  for (const RunMeasure& m : measures)
    if (m.place == RunMeasure::Place::course) columns.push_back(m.signal);
  return columns;
}

analyze::MeasureTaker make_taker(const std::vector<RunMeasure>& measures) {
  std::vector<analyze::Measure> list;
  for (const RunMeasure& m : measures) {
    if (m.place != RunMeasure::Place::course) continue;
    const int column = static_cast<int>(list.size());
    list.push_back(m.what);
    list.back().column = list.back().target.column = column;
  }
  std::vector<char> angles(list.size(), 0);
  return {std::move(list), std::move(angles)};
}

}  // namespace

std::vector<RunMeasure> read_measures(const std::vector<std::string>& texts, const equations::System& system,
                                      const solve::Options& options) {
  MeasureReader reader(system, options);
  std::vector<RunMeasure> measures;
  ErrorList errors;
  for (const std::string& text : texts) try {
      measures.push_back(reader.read(text));
    } catch (const Error& e) {
      errors.add(e);
    }
  errors.throw_if_any();
  return measures;
}

MeasureObserver::MeasureObserver(const std::vector<RunMeasure>& measures, equations::Evaluator& evaluator)
    : measures_(measures),
      evaluator_(evaluator),
      columns_(find_columns(measures)),
      taker_(make_taker(measures)),
      all_(evaluator.system().signals().size()),
      last_(columns_.size()),
      next_(columns_.size()),
      values_(measures.size()) {}

void MeasureObserver::read(const equations::Point& p) { evaluator_.signals(p, all_); }

void MeasureObserver::pick(const equations::Point& p, std::span<double> columns) {
  read(p);
  for (std::size_t k = 0; k < columns.size(); ++k) columns[k] = all_[static_cast<std::size_t>(columns_[k])];
}

void MeasureObserver::begin(const equations::Point& p, const solve::EventTrace&) {
  if (!columns_.empty()) pick(p, last_);
  for (std::size_t k = 0; k < measures_.size(); ++k)
    if (measures_[k].place == RunMeasure::Place::at && measures_[k].time <= p.t) {
      read(p);
      values_[k].value = all_[static_cast<std::size_t>(measures_[k].signal)];
    }
}

void MeasureObserver::step(const equations::Point& from, const equations::Point& to, const Interpolate& at) {
  const double h = to.t - from.t;
  for (std::size_t k = 0; k < measures_.size(); ++k) {
    const RunMeasure& m = measures_[k];
    if (m.place != RunMeasure::Place::at || !(m.time > from.t && m.time <= to.t)) continue;
    read(m.time == to.t ? to : at((m.time - from.t) / h));
    values_[k].value = all_[static_cast<std::size_t>(m.signal)];
  }
  if (columns_.empty()) return;
  constexpr int parts = 4;
  for (int k = 0; k < parts; ++k) {
    const double s0 = double(k) / parts, s1 = double(k + 1) / parts;
    pick(k + 1 == parts ? to : at(s1), next_);
    taker_.add({from.t + s0 * h, k + 1 == parts ? to.t : from.t + s1 * h, last_, next_,
                [&](double s, std::span<double> y) { pick(at(s0 + s * (s1 - s0)), y); }});
    std::swap(last_, next_);
  }
}

void MeasureObserver::event(const equations::Point& before, const equations::Point& after, const std::vector<int>&,
                            const solve::EventTrace&) {
  if (columns_.empty()) return;
  pick(after, next_);
  taker_.add({before.t, before.t, last_, next_, [&](double s, std::span<double> y) {
                std::copy_n(s < 0.5 ? last_.begin() : next_.begin(), y.size(), y.begin());
              }});
  std::swap(last_, next_);
}

std::vector<analyze::MeasureResult> MeasureObserver::results(const equations::Point& end) {
  const std::vector<analyze::MeasureResult> courses = taker_.results();
  std::vector<analyze::MeasureResult> all = values_;
  std::size_t next = 0;
  read(end);
  for (std::size_t k = 0; k < measures_.size(); ++k) {
    if (measures_[k].place == RunMeasure::Place::course) all[k] = courses[next++];
    if (measures_[k].place == RunMeasure::Place::end)
      all[k].value = all_[static_cast<std::size_t>(measures_[k].signal)];
    if (!all[k].value && all[k].failure.empty()) all[k].failure = "the run did not come there";
  }
  return all;
}

}  // namespace coenergy::study
