#include "coenergy/compile/vectors.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace coenergy::compile {

using model::Expression;

namespace {

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

/// The text with a name, where it stands alone, put in another's place.
std::string rename(const std::string& text, const std::string& name, const std::string& other) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t place = text.find(name, at), end = place + name.size();
    if (place == std::string::npos) return result + text.substr(at);
    const bool whole = (place == 0 || !is_of_name(text[place - 1])) && (end == text.size() || !is_of_name(text[end]));
    result += text.substr(at, place - at) + (whole ? other : name);
    at = end;
  }
  return result;
}

class Expander {
 public:
  Expander(BoundModel& bound, const ModelParameters& parameters) : bound_(bound), parameters_(parameters) {}

  void expand(BoundComponent& c) {
    const auto varies = [](const ParameterValue& p) {
      return std::any_of(p.scalars.begin(), p.scalars.end(), [](const ScalarValue& s) { return s.varying != nullptr; });
    };
    if (std::none_of(c.parameters.begin(), c.parameters.end(), varies)) return;
    State& state = states_[&c];
    if (state == State::done) return;
    if (state == State::running)
      throw Error(c.component->where, c.name() + ": its vector of inputs follows from itself");
    state = State::running;
    try {
      for (std::size_t p = 0; p < c.parameters.size(); ++p) {
        const std::string entry = c.name() + "." + c.type->description.parameters[p].name;
        if (c.type->description.parameters[p].kind == model::ParameterInfo::Kind::list)
          expand(c, c.parameters[p], entry);
        else
          refuse(c.parameters[p], entry);
      }
    } catch (const Error&) {
      state = State::done;  // told once
      throw;
    }
    state = State::done;
  }

 private:
  enum class State { waiting, running, done };
  struct Vector {
    std::string name;                   ///< as it is written
    std::vector<std::string> elements;  ///< the names of the single signals
  };

  BoundComponent* find(const std::string& name) {
    const auto place = bound_.index.find(name);
    return place == bound_.index.end() || place->second < 0 ? nullptr : &bound_.components[place->second];
  }

  void expand(BoundComponent& c, ParameterValue& value, const std::string& entry) {
    std::pmr::vector<ScalarValue> all(value.scalars.get_allocator());
    for (const ScalarValue& scalar : value.scalars) {
      const std::vector<Vector> vectors = scalar.varying ? find_vectors(*scalar.varying) : std::vector<Vector>();
      if (vectors.empty()) {
        all.push_back(scalar);
        continue;
      }
      for (const Vector& v : vectors)
        if (v.elements.size() != vectors.front().elements.size())
          throw Error(scalar.where, entry + " = " + scalar.text + ": " + vectors.front().name + " has " +
                                        std::to_string(vectors.front().elements.size()) + " elements, " + v.name + " " +
                                        std::to_string(v.elements.size()));
      for (std::size_t k = 0; k < vectors.front().elements.size(); ++k) {
        ScalarValue item = scalar;
        for (const Vector& v : vectors) item.text = rename(item.text, v.name, v.elements[k]);
        item.varying = std::make_shared<const Expression>(
            Expression::parse(item.text, scalar.where, entry, &parameters_.parsed()));
        all.push_back(std::move(item));
      }
    }
    if (all.size() != value.scalars.size() && value.scalars.front().opened)
      throw Error(c.component->where, entry + " is a vector, which cannot be an input; name its items");
    value.scalars = std::move(all);
  }

  /// What takes one signal takes no vector.
  void refuse(const ParameterValue& value, const std::string& entry) {
    for (const ScalarValue& scalar : value.scalars)
      if (const auto vectors = scalar.varying ? find_vectors(*scalar.varying) : std::vector<Vector>(); !vectors.empty())
        throw Error(scalar.where, entry + " = " + scalar.text + ": " + vectors[0].name + " is a vector of " +
                                      std::to_string(vectors[0].elements.size()) +
                                      " signals; name one of them, such as " + vectors[0].elements[0]);
  }

  std::vector<Vector> find_vectors(const Expression& e) {
    std::vector<Vector> found;
    for (const std::string& name : e.names()) {
      const std::string meant = parameters_.resolve(name, e.where().inside);
      const std::size_t dot = meant.rfind('.');
      if (dot == std::string::npos || dot == 0) continue;
      const std::string owner = meant.substr(0, dot), field = meant.substr(dot + 1);
      const std::size_t written = name.rfind('.');
      if (written == std::string::npos) continue;
      Vector vector{name, {}};
      if (BoundComponent* c = find(owner)) {
        for (std::size_t k = 1; k <= count(*c, field); ++k) vector.elements.push_back(name + std::to_string(k));
      } else if (bound_.index.count(owner + "1") != 0 && !is_other(owner)) {
        const std::string array = name.substr(0, written);
        for (std::size_t k = 1; bound_.index.count(owner + std::to_string(k)) != 0; ++k)
          vector.elements.push_back(array + std::to_string(k) + "." + field);
      }
      if (!vector.elements.empty()) found.push_back(std::move(vector));
    }
    return found;
  }

  /// Whether a name is that of a node, or of an instance of a part, so that it means no array.
  bool is_other(const std::string& name) {
    if (others_.empty())
      for (const BoundComponent& c : bound_.components) {
        for (const model::Value* connection : c.connections)
          if (connection != nullptr) others_.insert(connection->text);
        for (std::size_t dot = c.name().find('.'); dot != std::string::npos; dot = c.name().find('.', dot + 1))
          others_.insert(c.name().substr(0, dot));
      }
    return others_.count(name) != 0;
  }

  /// How many outputs of a name with numbers a component has; none where the name is one signal.
  std::size_t count(BoundComponent& c, const std::string& field) {
    const model::Description& d = c.type->description;
    for (const model::Description::OutputInfo& output : d.outputs) {
      if (!output.count || output.name != field + "#") continue;
      const auto size = [&](model::List list) {
        // what it consists of may be vectors itself
        const auto& scalars = c.parameters[list.index].scalars;
        if (std::any_of(scalars.begin(), scalars.end(), [](const ScalarValue& s) { return s.varying != nullptr; }))
          expand(c);
        return c.parameters[list.index].scalars.size();
      };
      const std::size_t n = output.count(size);
      return n > 1 ? n : 0;
    }
    return 0;
  }

  BoundModel& bound_;
  const ModelParameters& parameters_;
  std::map<const BoundComponent*, State> states_;
  std::set<std::string> others_;
};

}  // namespace

void expand_vectors(BoundModel& bound, const ModelParameters& parameters, ErrorList& errors) {
  Expander expander(bound, parameters);
  for (BoundComponent& c : bound.components) {
    try {
      expander.expand(c);
    } catch (const Error& e) {
      errors.add(e);
    }
  }
}

}  // namespace coenergy::compile
