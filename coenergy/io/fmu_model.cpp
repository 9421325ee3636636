#include "coenergy/io/fmu_model.hpp"

#include "coenergy/base/names.hpp"
#include "coenergy/fmi/archive.hpp"
#include "coenergy/fmi/description.hpp"

namespace coenergy::io {

model::Model read_fmu(const std::filesystem::path& path) {
  const fmi::Archive archive(path);
  const fmi::Description d = fmi::read_description(archive.folder(), path.string());
  ErrorList errors;
  for (const fmi::Finding& f : fmi::validate(d)) errors.add({path.string() + "/modelDescription.xml", f.line}, f.text);
  errors.throw_if_any();
  model::Model model;
  model.title = d.model, model.file = path.string();
  model.add("fmu", "fmu.Import", {{"file", model::Value(path.filename().string())}});
  if (!d.exchange && d.cosimulation && !d.step)
    model.components.back().values.emplace_back("step",
                                                model::Value(format_number(d.stop_time.value_or(1) / 500) + " s"));
  model.components.back().where.file = path.string();
  for (auto& [name, value] : model.components.back().values) value.where.file = path.string();
  const auto set = [&](const char* name, double value) {
    model.simulate.emplace_back(name, model::Value(format_number(value) + " s"));
  };
  if (d.start_time.value_or(0) != 0) set("t_start", *d.start_time);
  set("t_end", d.stop_time.value_or(1));
  return model;
}

}  // namespace coenergy::io
