#include "coenergy/compile/user_functions.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>

#include "coenergy/base/argument.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/base/units.hpp"
#include "coenergy/model/expression_syntax.hpp"
#include "coenergy/model/quantity.hpp"

namespace coenergy::compile {
namespace {

using model::UserFunction;
using model::Value;

/// A function together with the library that it lives in.
struct Loaded {
  explicit Loaded(void* handle) : library(handle) {}
  ~Loaded() { dlclose(library); }
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;
  void* library;
  symbolic::External function;
};

/// Reads one entry of `functions`.
class FunctionReader {
 public:
  FunctionReader(const model::Model& model, const std::string& name, const Value& value)
      : what_("function " + name), model_(model), name_(name), value_(value) {}

  UserFunction read() const {
    if (!is_identifier(name_)) fail(value_, "a name has letters, digits and underscores, and no digit first");
    if (model::find_function(name_) != nullptr) fail(value_, name_ + " is built in; choose another name");
    if (value_.kind != Value::Kind::map)
      fail(value_, "write " + name_ + ": {library: ./mine.so, arguments: [m/s], unit: N}");
    const std::vector<std::string> known = {"library", "symbol", "arguments", "unit"};
    for (const auto& [key, value] : value_.map)
      if (std::find(known.begin(), known.end(), key) == known.end())
        fail(value, "unknown entry \"" + key + "\"" + did_you_mean(key, known) +
                        (did_you_mean(key, known).empty() ? "; known are library, symbol, arguments, unit" : ""));
    UserFunction function;
    function.units = read_arguments();
    function.unit = value_.find("unit") != nullptr ? read_unit(*value_.find("unit")) : model::any_unit;
    function.call = load(static_cast<int>(function.units.size()));
    return function;
  }

 private:
  [[noreturn]] void fail(const Value& at, const std::string& text) const {
    throw Error(at.where.known() ? at.where : value_.where, what_ + ": " + text);
  }

  const Value& require(const char* key) const {
    const Value* value = value_.find(key);
    if (value == nullptr) fail(value_, std::string(key) + " is missing");
    return *value;
  }

  std::string read_unit(const Value& value) const {
    if (value.kind != Value::Kind::text) fail(value, "a unit must be a text such as N.m");
    if (value.text == "1") return "";
    try {
      parse_unit(value.text);
    } catch (const Error& e) {
      fail(value, e.items().at(0).text);
    }
    return value.text;
  }

  std::vector<std::string> read_arguments() const {
    const Value& value = require("arguments");
    constexpr int most = 100;
    std::vector<std::string> units;
    if (value.kind == Value::Kind::list) {
      for (const Value& item : value.list) units.push_back(read_unit(item));
    } else {
      char* end = nullptr;
      const long count = std::strtol(value.text.c_str(), &end, 10);
      if (value.kind != Value::Kind::text || value.text.empty() || *end != 0 || count < 1 || count > most)
        fail(value, "arguments must be a list of units, such as [m/s, N], or their number");
      units.assign(static_cast<std::size_t>(count), model::any_unit);
    }
    if (units.empty() || units.size() > most) fail(value, "a function has 1 to 100 arguments");
    return units;
  }

  std::shared_ptr<const symbolic::External> load(int arity) const {
    const Value& library = require("library");
    const Value* symbol = value_.find("symbol");
    const std::string name = symbol != nullptr ? symbol->text : name_;
    if (!is_identifier(name)) fail(*symbol, "symbol must be the name of a C function");
    if (library.kind != Value::Kind::text) fail(library, "library must be a file, such as ./mine.so");
    if (model_.libraries == model::Libraries::replaced) return make_stand_in(name, arity);
    const std::filesystem::path path = find_library(library);
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) fail(library, std::string("the library cannot be loaded: ") + dlerror());
    const auto loaded = std::make_shared<Loaded>(handle);
    const auto find = [&](const std::string& what) { return dlsym(handle, what.c_str()); };
    loaded->function.name = name;
    loaded->function.arity = arity;
    loaded->function.value = reinterpret_cast<double (*)(const double*)>(find(name));
    loaded->function.derivative = reinterpret_cast<double (*)(const double*, int)>(find(name + "_derivative"));
    if (loaded->function.value == nullptr)
      fail(symbol != nullptr ? *symbol : library, path.filename().string() + " has no function " + name +
                                                      "; it must be a C function double " + name + "(const double* x)");
    return {loaded, &loaded->function};
  }

  /// The file, where it exists and may be loaded.
  std::filesystem::path find_library(const Value& library) const {
    namespace fs = std::filesystem;
    const fs::path path =
        fs::absolute(fs::path(library.where.file.text()).parent_path() / library.text).lexically_normal();
    if (model_.libraries == model::Libraries::refused)
      fail(library, "the library " + library.text +
                        " is not loaded without your consent, since it can do all that you can; if you trust it, use " +
                        argument("allow-libraries"));
    if (!fs::exists(path)) fail(library, "there is no library " + path.string() + "; make it with cc -shared -fPIC");
    // links are followed first: what counts is where the file is
    const fs::path real = fs::canonical(path), folder = fs::canonical(fs::absolute(model_.file).parent_path());
    const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), real.begin(), real.end());
    if (end != folder.end())
      fail(library, "the library " + path.string() + " is not in the folder of the model, " + folder.string() +
                        "; only those in it are loaded: put a copy there");
    return real;
  }

  /// Never the function itself, for those who only look at names and units.
  static std::shared_ptr<const symbolic::External> make_stand_in(const std::string& name, int arity) {
    auto function = std::make_shared<symbolic::External>();
    function->name = name;
    function->arity = arity;
    function->value = [](const double*) { return 1.0; };
    return function;
  }

  std::string what_;
  const model::Model& model_;
  const std::string& name_;
  const Value& value_;
};

}  // namespace

model::UserFunctions load_user_functions(const model::Model& model, ErrorList& errors) {
  model::UserFunctions functions;
  for (const auto& [name, value] : model.functions) {
    try {
      functions.emplace(name, FunctionReader(model, name, value).read());
    } catch (const Error& e) {
      errors.add(e);
    }
  }
  return functions;
}

}  // namespace coenergy::compile
