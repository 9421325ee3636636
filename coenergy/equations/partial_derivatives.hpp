#pragma once
#include <memory>
#include <span>
#include <vector>

#include "coenergy/equations/layout.hpp"
#include "coenergy/equations/lazy_function.hpp"
#include "coenergy/equations/point.hpp"
#include "coenergy/equations/workspace.hpp"
#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::equations {

/// Which of the Weights multiplies a partial derivative.
enum class WeightKind : std::uint8_t { q, v, a, lambda, x, xd, y };
double weight(const Weights& w, WeightKind kind);
WeightKind weight_of(Source source);  ///< of variables that belong to an unknown

/// The matrix S = Σ weight·∂R/∂(variable) of some rows R of an equation set; rotations vary along their body axes. One
/// of two ways, by how many nodes of the expressions a derivation would visit:
///
///   entries   a program with every structurally non-zero ∂Rᵢ/∂s as an output. Best for sparse and for small systems.
///             Of rows of one shape (see RowGroup) the first is differentiated and stands for all.
///   columns   a program for the directional derivative δR = Σ ∂R/∂s·δs, in which the seeds δs are inputs. With
///             δs = weight of s for the variables s of unknown j, and 0 for all others, δR is column j of S. Unknowns
///             that meet in no row share a call, and calls run side by side in lanes. A chain of n joints has a full S,
///             whose entries take O(n²) statements to write down; δR takes O(n).
///
/// Where the weights of q, v and x are zero (the restart solve) a smaller program with the other seeds alone serves.
/// Columns whose weights are all zero are not computed.
class PartialDerivatives {
 public:
  struct Entry {
    int row, column;    ///< local unknown indices
    WeightKind weight;  ///< by entries only
  };

  /// Beyond this many nodes visited, and as many for every node, entries take longer to make than columns to compute.
  static constexpr symbolic::JacobianLimit entries_limit{.visits = 100'000, .visits_per_node = 20};

  PartialDerivatives() = default;
  /// `rows` are the local rows of the expressions `e`. By entries within `limit`. Programs are made when they are first
  /// needed.
  PartialDerivatives(const std::shared_ptr<EquationSet>& set, const Layout& layout,
                     const std::vector<symbolic::Expr>& e, const std::vector<int>& rows,
                     const symbolic::JacobianLimit& limit = entries_limit);

  const std::vector<Entry>& entries() const { return entries_; }
  bool by_columns() const { return by_columns_; }
  std::size_t columns() const { return group_.size(); }  ///< to be computed, where it goes by columns
  /// What the entries depend on besides parameters, as far as is known: nothing, discrete variables only, or more.
  enum class Dependence { none, discrete, any };
  Dependence dependence() const { return dependence_; }
  /// The discrete variables that they depend on, where they depend on no more.
  const std::vector<int>& modes() const { return modes_; }
  /// Whether the entries of a, λ, ẋ and y are known not to depend on these: the restart solve is linear.
  bool is_linear_in_rates() const { return entries_.empty() || is_linear_in_rates_; }
  /// values[places[i]] of every part += entry i of its S at the inputs `in`; places in the order of entries().
  void add_to(std::span<const MatrixPart> parts, std::span<const int> places, const double* in,
              Workspace& memory) const;
  /// The programs, for tests.
  std::vector<const symbolic::Function*> functions() const;

 private:
  /// The seed of a variable: its unknown and weight.
  struct Seed {
    int unknown;
    WeightKind weight;
  };
  struct Directional {
    std::vector<Seed> seeds;
    std::vector<unsigned> kinds;  ///< of each colour: bits of the weights its seeds have
    LazyFunction function;
  };

  void make_entries(const std::shared_ptr<EquationSet>& set, const Layout& layout, std::vector<symbolic::Expr> values,
                    std::vector<RowGroup> groups);
  void derive_columns(const std::shared_ptr<EquationSet>& set, const Layout& layout,
                      const std::vector<symbolic::Expr>& e, const std::vector<int>& rows);
  Directional make_directional(const std::shared_ptr<EquationSet>& set, const Layout& layout,
                               const std::vector<symbolic::Expr>& e, bool frozen) const;
  void add_columns(const MatrixPart& part, std::span<const int> places, const double* in, Workspace& memory) const;

  std::vector<Entry> entries_;
  bool by_columns_ = false;
  Dependence dependence_ = Dependence::none;
  std::vector<int> modes_;
  LazyRows function_;  ///< of the entries
  // of those of a, λ, ẋ and y, where there are others
  std::vector<int> frozen_entries_;
  LazyRows frozen_function_;
  bool is_linear_in_rates_ = false;

  // by columns
  std::size_t inputs_ = 0, outputs_ = 0;
  std::vector<int> output_;              ///< of each entry
  std::vector<int> colour_;              ///< of each unknown
  std::vector<std::vector<int>> group_;  ///< entries of each colour
  Directional full_, frozen_;
};

/// part.values[places[i]] += weight · out[i] for every entry.
void add_weighted(const MatrixPart& part, std::span<const PartialDerivatives::Entry> entries,
                  std::span<const int> places, const double* out);

}  // namespace coenergy::equations
