// Parameters of every registered kind: each changes something in its own form or is refused, what has no effect is
// refused by name, and bounds hold at the start and during a run.
#include <cmath>

#include "coenergy/base/error.hpp"
#include "coenergy/solve/simulate.hpp"
#include "tests/conformance_points.hpp"

namespace coenergy::conformance {
namespace {

using Entries = std::vector<std::pair<std::string, Value>>;

/// Everything that a model computes: its start, and at some points with random modes all rows, signals, indicators, new
/// modes and energies.
std::vector<double> compute_everything(const Model& model) {
  const System system = compile::compile(model, registry()).system;
  Evaluator evaluator(system);
  std::mt19937 random(17);
  // delayed signals now have a past, in which or before which their outputs lie, and now none
  equations::Histories pasts(system.delays());
  for (equations::History& past : pasts) past.begin(0), past.add_step(0, 1, {3, 1, 4, 1, 5, 9, 2});
  std::vector<double> all, part(system.n()), signals(system.signals().size()), g(system.indicators());
  const auto add = [&](const std::vector<double>& numbers) { all.insert(all.end(), numbers.begin(), numbers.end()); };
  for (const auto* values : {&system.start().q, &system.start().v, &system.start().x, &system.start().d}) add(*values);
  for (int trial = 0; trial < 30; ++trial) {
    Point p = random_point(system, evaluator, random);
    p.t = 0.12 * trial;
    for (double& d : p.d) d = std::uniform_int_distribution(0, 5)(random);
    for (const auto& delay : system.data().delays) p.d[delay.passed] = trial % 2 - 1;
    evaluator.follow(trial % 3 == 0 ? nullptr : &pasts);
    evaluator.residual(p, Level::position, part);
    add(part);
    evaluator.residual(p, Level::acceleration, part);
    evaluator.signals(p, signals);
    evaluator.indicators(p, g);
    std::vector<double> contacts(system.data().contact_values.size());
    evaluator.contacts(p, contacts);
    add(contacts);
    const Evaluator::Energy energy = evaluator.energy(p);
    const double next = evaluator.next_clock_time(p.t);
    p.t = std::isfinite(next) ? next : p.t;
    evaluator.update_clocks(p);
    evaluator.update_modes(p);
    for (const auto& numbers : {part, signals, g, p.d}) add(numbers);
    add({energy.stored, energy.supplied_power, energy.dissipated_power, next});
  }
  return all;
}

/// Numbers that have nothing to do with an entry are the same to the last bit.
bool differ(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() != b.size() || !std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) {
           return x == y || (std::isnan(x) && std::isnan(y));
         });
}

Value default_of(const ParameterInfo& info) {
  const std::string& text = *info.fallback;
  if (text[0] != '[') return text;
  std::vector<Value> items;
  for (std::size_t at = 1, end; at < text.size(); at = end + 1) {
    at = text.find_first_not_of(" ", at);
    end = text.find_first_of(",]", at);
    items.emplace_back(text.substr(at, end - at));
  }
  return items;
}

/// 1 % smaller, or 0.01 instead of zero; another axis instead of a word.
Value reduce(const Value& value, const ParameterInfo& info) {
  if (value.kind == Value::Kind::list) {
    std::vector<Value> items;
    for (const Value& item : value.list) items.push_back(reduce(item, info));
    return items;
  }
  if (info.kind == ParameterInfo::Kind::vector) return value.text == "x" ? "y" : "x";
  const bool has_unit = !info.unit.empty() && info.unit != "any";
  // whole numbers and modes of a count change by more
  if (const bool is_count = info.unit.empty() && info.maximum >= 12 && info.minimum >= 1; is_count)
    return "1 + (" + value.text + ")";
  return value.text[0] == '0' && std::stod(value.text) == 0 ? "0.01" + (has_unit ? " " + info.unit : "")
                                                            : "0.99*(" + value.text + ")";
}

Value* find_entry(Model& model, const ParameterInfo& info) {
  Entries& values = model.find("subject")->values;
  auto entry = std::find_if(values.begin(), values.end(), [&](const auto& v) { return v.first == info.name; });
  if (entry == values.end() && !info.fallback) return nullptr;
  if (entry == values.end()) entry = values.insert(values.end(), {info.name, default_of(info)});
  return &entry->second;
}

/// Values to try: of a choice all its words, of a quantity a little less.
std::vector<Value> alternatives(const ParameterInfo& info, const Value& value) {
  if (info.words.empty()) return {reduce(value, info)};
  return {info.words.begin(), info.words.end()};
}

/// Which of the alternatives change anything at all, or are refused, in a model where the entry itself is not.
std::vector<bool> find_effects(const Case& c, const ParameterInfo& info, bool varying) {
  Model model = Bench(c, *registry().find(c.type), varying, 41).make();
  Value* entry = find_entry(model, info);
  if (entry == nullptr) return {};
  std::vector<double> before;
  try {
    before = compute_everything(model);
  } catch (const Error&) {
    return {};  // the case is not its form
  }
  const Value original = *entry;
  std::vector<bool> effects;
  for (const Value& other : alternatives(info, original)) {
    *entry = other;
    try {
      effects.push_back(
          !(info.words.empty() || other.text != original.text) ? false : differ(before, compute_everything(model)));
    } catch (const Error&) {
      effects.push_back(true);
    }
  }
  return effects;
}

/// What pictures show, and names of other components and files, change no number.
bool is_of_numbers(const ParameterInfo& info) {
  return !info.name.starts_with("shape.") && !(info.kind == ParameterInfo::Kind::choice && info.words.empty());
}

class KindTest : public testing::TestWithParam<std::string> {
 protected:
  const ComponentType& type() const { return *registry().find(GetParam()); }
  std::vector<Case> cases() const {
    std::vector<Case> own;
    for (const Case& c : all_cases())
      if (c.type == GetParam()) own.push_back(c);
    return own;
  }
  const std::vector<ParameterInfo>& parameters() const { return type().description.parameters; }
};

TEST_P(KindTest, EveryParameterHasAnEffectInItsForm) {
  for (const ParameterInfo& info : parameters()) {
    if (!is_of_numbers(info)) continue;
    std::vector<bool> any(std::max<std::size_t>(1, info.words.size()));
    if (!info.words.empty()) any[0] = true;  // the default, from which the others differ
    const auto all_found = [&] { return std::find(any.begin(), any.end(), false) == any.end(); };
    for (const Case& c : cases())
      for (bool varying : {false, true}) {
        if (all_found()) break;
        const std::vector<bool> effects = find_effects(c, info, varying);
        for (std::size_t k = 0; k < effects.size(); ++k) any[k] = any[k] || effects[k];
      }
    for (std::size_t k = 0; k < any.size(); ++k)
      EXPECT_TRUE(any[k]) << GetParam() << "." << info.name << (info.words.empty() ? "" : ": " + info.words[k])
                          << " changes nothing in any case";
  }
}

std::string error_of(const Model& model) {
  try {
    compile::compile(model, registry());
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

void set(Entries& values, const std::string& name, const Value& value) {
  std::erase_if(values, [&](const auto& v) { return v.first == name; });
  values.emplace_back(name, value);
}

/// Some value that an entry may have.
Value value_of(const ParameterInfo& info) {
  if (!info.words.empty()) return info.words.back();
  if (info.fallback) return default_of(info);
  const std::string unit = info.unit.empty() || info.unit == "any" ? "" : " " + info.unit;
  const Value one = format_short(std::clamp(0.5, info.minimum, info.maximum)) + unit;
  if (info.kind == ParameterInfo::Kind::scalar) return one;
  const int count = info.kind == ParameterInfo::Kind::vector ? 3 : info.sizes.empty() ? 1 : info.sizes[0];
  return std::vector<Value>(count, one);
}

TEST_P(KindTest, EntriesThatHaveNoEffectAreRefusedByName) {
  for (const ParameterInfo& info : parameters())
    for (const model::Use& use : info.uses) {
      // a form in which the entry is not used
      Model model = Bench(cases().front(), type(), false, 43).make();
      Entries& values = model.find("subject")->values;
      set(values, info.name, value_of(info));
      bool is_possible = true;
      for (int k : use.others) {
        const ParameterInfo& other = parameters()[k];
        if (use.when == model::Use::When::given)
          std::erase_if(values, [&](const auto& v) { return v.first == other.name; });
        if (use.when == model::Use::When::absent) set(values, other.name, value_of(other));
        if (use.when == model::Use::When::given) is_possible = is_possible && (other.optional || other.fallback);
        if (use.when != model::Use::When::word) continue;
        const auto word = std::find_if(other.words.begin(), other.words.end(), [&](const std::string& w) {
          return std::find(use.words.begin(), use.words.end(), w) == use.words.end();
        });
        ASSERT_NE(word, other.words.end()) << info.name << " is used with every word of " << other.name;
        set(values, other.name, *word);
      }
      if (!is_possible) continue;  // the other one must be given always
      EXPECT_NE(error_of(model).find("subject." + info.name + " has no effect"), std::string::npos)
          << info.name << ": " << error_of(model);
    }
}

std::string with_unit(double x, const ParameterInfo& info) {
  return format_number(x) + (info.unit.empty() || info.unit == "any" ? "" : " " + info.unit);
}

/// A case in which the entry may stand; none for entries that the bench cannot give.
std::optional<Model> model_with(const std::vector<Case>& cases, const ComponentType& type, const ParameterInfo& info,
                                const std::string& text) {
  // the plain case comes last
  for (auto c = cases.rbegin(); c != cases.rend(); ++c) {
    Model model = Bench(*c, type, false, 47).make();
    Entries& values = model.find("subject")->values;
    const bool has = std::any_of(values.begin(), values.end(), [&](const auto& v) { return v.first == info.name; });
    if (!has && !info.fallback) continue;
    set(values, info.name, value_of(info));
    if (error_of(model).find("has no effect") != std::string::npos) continue;
    const Value one = text;
    set(values, info.name, info.kind == ParameterInfo::Kind::scalar ? one : Value(std::vector<Value>{one}));
    return model;
  }
  return std::nullopt;
}

TEST_P(KindTest, ConstantsBeyondTheirBoundsAreRefused) {
  for (const ParameterInfo& info : parameters()) {
    if (info.kind != ParameterInfo::Kind::scalar) continue;
    for (const auto& [bound, side] : {std::pair(info.minimum, -1), std::pair(info.maximum, 1)}) {
      if (!std::isfinite(bound)) continue;
      const double size = std::max(1.0, std::abs(bound)), beyond = info.open ? bound : bound + side * 1e-6 * size;
      const auto model = model_with(cases(), type(), info, with_unit(beyond, info));
      if (!model) continue;
      EXPECT_NE(error_of(*model).find("subject." + info.name + " = "), std::string::npos)
          << info.name << " = " << beyond << ": " << error_of(*model);
    }
  }
}

solve::Result run(const Model& model) {
  return solve::simulate(compile::compile(model, registry()).system,
                         {.t_end = 0.02, .method = "radau", .output_step = 0.002, .rtol = 1e-6, .atol = 1e-8});
}

TEST_P(KindTest, BoundsOfWhatVariesHoldAtTheStartAndDuringARun) {
  for (const ParameterInfo& info : parameters()) {
    if (info.kind != ParameterInfo::Kind::scalar || !info.varying) continue;
    for (const auto& [bound, side] : {std::pair(info.minimum, -1), std::pair(info.maximum, 1)}) {
      if (!std::isfinite(bound)) continue;
      SCOPED_TRACE(info.name);
      const double size = std::max(1.0, 0.2 * std::abs(bound)), inside = bound - side * size / 2;
      const auto text = [&](double from, double to) {
        return with_unit(from, info) + " + " + with_unit(to - from, info) + "*min(time/(10 ms), 2)";
      };
      // outside at the start, and leaving after 10 ms
      const auto wrong = model_with(cases(), type(), info, text(bound + side * size, bound + 2 * side * size));
      const auto leaves = model_with(cases(), type(), info, text(inside, bound));
      if (!wrong) continue;
      if (info.limited) {
        const std::string limit = side < 0 ? "max(" : "min(";
        const auto held =
            model_with(cases(), type(), info, limit + text(inside, bound) + ", " + with_unit(bound, info) + ")");
        const solve::Result r = run(*leaves), right = run(*held);
        ASSERT_EQ(r.status, solve::Status::done) << r.text;
        ASSERT_EQ(r.times.size(), right.times.size());
        for (std::size_t k = 0; k < r.times.size(); ++k)
          for (std::size_t i = 0; i < r.row(k).size(); ++i)
            EXPECT_NEAR(r.row(k)[i], right.row(k)[i], 1e-5 * std::max(1.0, std::abs(right.row(k)[i])));
        continue;
      }
      try {
        const solve::Result r = run(*wrong);
        EXPECT_NE(r.status, solve::Status::done) << "outside at the start";
        EXPECT_NE(r.text.find("subject." + info.name), std::string::npos) << r.text;
      } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("subject." + info.name), std::string::npos) << e.what();
      }
      const solve::Result r = run(*leaves);
      EXPECT_EQ(r.status, solve::Status::failed) << "leaves its bounds";
      // a break-away level meets the Coulomb level before
      if (info.name.ends_with("breakaway") && r.text.find("subject: the break-away") != std::string::npos) continue;
      EXPECT_NE(r.text.find("subject." + info.name), std::string::npos) << r.text;
      EXPECT_NE(r.text.find("at t = 0.01"), std::string::npos) << r.text;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, KindTest, testing::ValuesIn(registry().names()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

}  // namespace
}  // namespace coenergy::conformance
