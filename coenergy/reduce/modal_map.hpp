#pragma once
#include <map>
#include <string>
#include <vector>

#include "coenergy/reduce/boxes.hpp"
#include "coenergy/reduce/local_model.hpp"

namespace coenergy::reduce {

/// Local models of many poses, each made once from the nearest one that is known: its pose by continuation, its internal modes
/// by their likeness. Where a likeness is below 0.95 the way is halved, so that modes are followed through crossings.
class Database {
 public:
  explicit Database(Mechanism& mechanism);

  /// Nothing where the way there ends, or a mode is lost; text() says why.
  const LocalModel* find(const std::vector<double>& theta);
  const std::string& text() const { return text_; }
  int size() const { return int(models_.size()); }
  const std::map<std::vector<double>, LocalModel>& models() const { return models_; }

 private:
  const LocalModel* make(const LocalModel& from, const std::vector<double>& theta, int halvings);

  Mechanism& mechanism_;
  std::map<std::vector<double>, LocalModel> models_;
  std::string text_;
};

/// The values of a local model in a row: M̄ and K̄ (upper halves), h̄ (of each i the upper half), Ψ, gravity, then frequencies of the
/// internal modes (Hz).
struct Layout {
  int size = 0, sensors = 0, internal = 0;
  int mass() const { return 0; }
  int half() const { return size * (size + 1) / 2; }
  int stiffness() const { return half(); }
  int quadratic() const { return 2 * half(); }
  int sensor_rows() const { return quadratic() + size * half(); }
  int gravity() const { return sensor_rows() + sensors * size; }
  int frequencies() const { return gravity() + size; }
  int count() const { return frequencies() + internal; }
};
Layout layout_of(const LocalModel& model);
std::vector<double> flatten(const LocalModel& model);

/// The global modal parameterisation of a mechanism over a region of θ.
struct ModalMap {
  BoxModel boxes;
  Layout layout;
  std::vector<std::string> coordinates, sensors;
};

/// Which values count in the error: "M", "h", "K", "Psi", "gravity". A family is weighted by its size at the start. Throws Error
/// for other words, and where nothing of the region can be reached.
ModalMap make_modal_map(Database& database, const std::vector<double>& low, const std::vector<double>& high,
                        BoxOptions options, const std::vector<std::string>& families,
                        const std::vector<std::string>& coordinates, const std::vector<std::string>& sensors);

/// A C function `int NAME(const double* theta, double* f)`, without dependencies: the values in the order of Layout; 1 outside of
/// the region or in an invalid box.
std::string write_c(const ModalMap& map, const std::string& name);

}  // namespace coenergy::reduce
