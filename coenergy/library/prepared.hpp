#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "coenergy/coenergy.hpp"
#include "coenergy/compile/compile.hpp"
#include "coenergy/model/model.hpp"
#include "coenergy/solve/options.hpp"
#include "coenergy/solve/result.hpp"

namespace coenergy::library {

/// A model that was compiled for a list of inputs.
struct Prepared {
  model::Model model;  ///< flat
  compile::Compiled compiled;
};
std::shared_ptr<const Prepared> prepare(const model::Model& model, const std::vector<std::string>& inputs = {});

/// The options of a run: those of the model, changed by the caller's.
solve::Options make_options(model::Model model, const Options& options);

/// Does what is wanted; errors that only know names get their place in the file of the model.
template <class Action>
auto with_places(const model::Model& model, Action&& action) {
  try {
    return action();
  } catch (const Error& e) {
    throw locate(e, model);
  }
}

/// The word of a method in model files.
const char* word_of(Method method);

}  // namespace coenergy::library

namespace coenergy {

struct Result::Data {
  std::shared_ptr<const library::Prepared> prepared;
  solve::Options options;
  solve::Result result;
};

struct Model::Impl {
  model::Model model;
  mutable std::mutex mutex;
  mutable std::shared_ptr<const library::Prepared> prepared;  ///< without inputs; made when first asked for

  std::shared_ptr<const library::Prepared> prepare() const;
  void forget();  ///< after a change
};

}  // namespace coenergy
