#include <cmath>

#include "coenergy/base/names.hpp"
#include "coenergy/base/version.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/io/model_file.hpp"
#include "coenergy/io/model_writer.hpp"
#include "coenergy/io/part_file.hpp"
#include "coenergy/library/prepared.hpp"
#include "coenergy/model/expand.hpp"
#include "coenergy/solve/simulation.hpp"

namespace coenergy {

using library::with_places;

std::string library_version() { return version; }

std::shared_ptr<const library::Prepared> Model::Impl::prepare() const {
  const std::lock_guard lock(mutex);
  if (!prepared) prepared = library::prepare(model);
  return prepared;
}

void Model::Impl::forget() { prepared.reset(); }

Model::Model(const std::string& title) : impl_(std::make_shared<Impl>()) { impl_->model.title = title; }

Model Model::load(const std::string& path) {
  Model m;
  m.impl_->model = io::read_any_model(path);
  return m;
}

Model Model::parse(const std::string& text, const std::string& name) {
  Model m;
  m.impl_->model = io::parse_model(text, name);
  return m;
}

Model::Impl& Model::own() {
  // copies share a model until one of them changes it
  if (impl_.use_count() > 1) {
    auto copy = std::make_shared<Impl>();
    copy->model = impl_->model;
    impl_ = std::move(copy);
  }
  impl_->forget();
  return *impl_;
}

void Model::add(const std::string& name, const std::string& type,
                const std::vector<std::pair<std::string, std::string>>& entries) {
  Impl& impl = own();
  if (impl.model.find(name) != nullptr) throw Error("there is a component " + name + " already");
  std::vector<std::pair<std::string, model::Value>> values;
  for (const auto& [key, text] : entries) values.emplace_back(key, io::parse_value(text, name + "." + key));
  impl.model.add(name, type, std::move(values));
}

void Model::set(const std::string& path, const std::string& value) {
  own().model.set(path, io::parse_value(value, path));
}
void Model::set(const std::string& path, double value) { set(path, format_number(value)); }

std::string Model::get(const std::string& path) const {
  const model::Model& m = impl_->model;
  for (const auto& [name, value] : m.parameters)
    if (name == path) return value.text;
  const auto [component, entry] = m.find_owner(path);
  if (component != nullptr)
    for (const auto& [name, value] : component->values)
      if (name == entry && value.kind == model::Value::Kind::text) return value.text;
  const equations::System& s = impl_->prepare()->compiled.system;
  const int k = s.find_parameter(path);
  if (k >= 0) return format_number(s.parameter(k)) + (s.parameter_unit(k).empty() ? "" : " " + s.parameter_unit(k));
  std::vector<std::string> known;
  for (int i = 0; i < s.parameters(); ++i) known.push_back(s.parameter_name(i));
  throw Error("there is no parameter \"" + path + "\"" + did_you_mean(path, known));
}

void Model::add_function(const std::string& name, double (*call)(const double*),
                         const std::vector<std::string>& units) {
  if (units.size() < 2) throw Error("function " + name + ": needs the unit of an argument and that of the value");
  auto external = std::make_shared<symbolic::External>();
  external->name = name, external->arity = static_cast<int>(units.size()) - 1, external->value = call;
  model::UserFunction function{external, {units.begin(), units.end() - 1}, units.back()};
  own().model.own_functions[name] = std::make_shared<const model::UserFunction>(std::move(function));
}

void Model::allow_libraries() { own().model.libraries = model::Libraries::allowed; }

std::string Model::title() const { return impl_->model.title; }
std::string Model::file() const { return impl_->model.file; }
std::string Model::text() const { return io::to_model_text(impl_->model); }

std::vector<Signal> Model::signals() const {
  std::vector<Signal> all;
  const auto prepared = impl_->prepare();
  for (const equations::SignalInfo& s : prepared->compiled.system.signals()) all.push_back({s.name, s.unit});
  return all;
}

std::vector<Parameter> Model::parameters() const {
  std::vector<Parameter> all;
  const auto prepared = impl_->prepare();
  const equations::System& s = prepared->compiled.system;
  for (int k = 0; k < s.parameters(); ++k) all.push_back({s.parameter_name(k), s.parameter_unit(k), s.parameter(k)});
  return all;
}

std::vector<std::string> Model::inputs() const {
  std::vector<std::string> names;
  for (const model::Value& value : impl_->model.inputs) names.push_back(value.text);
  return names;
}
std::vector<std::string> Model::outputs() const {
  std::vector<std::string> names;
  for (const model::Value& value : impl_->model.outputs) names.push_back(value.text);
  return names;
}

std::vector<std::string> Model::notes() const {
  std::vector<std::string> all = impl_->model.notes;
  const auto prepared = impl_->prepare();
  all.insert(all.end(), prepared->compiled.summary.notes.begin(), prepared->compiled.summary.notes.end());
  return all;
}

Result Model::run(const Options& options) const {
  const auto prepared = impl_->prepare();
  auto data = std::make_shared<Result::Data>();
  data->prepared = prepared, data->options = library::make_options(prepared->model, options);
  solve::Hooks hooks;
  if (options.progress) hooks.progress = [&](const solve::Progress& p) { return options.progress(p.t, p.fraction); };
  data->result =
      with_places(prepared->model, [&] { return solve::simulate(prepared->compiled.system, data->options, hooks); });
  return Result(std::move(data));
}

}  // namespace coenergy
