#include <algorithm>

#include "coenergy/symbolic/lowering.hpp"

namespace coenergy::symbolic::lowering {

namespace {

/// Wider nodes are left alone: their pairs are too many.
constexpr std::size_t widest = 24;

/// One occurrence of a pair of children in a node. In sums the key carries the relative sign.
struct Occurrence {
  std::uint64_t key;
  std::uint32_t node;
};

struct Candidate {
  std::uint32_t count, first;  ///< occurrences from first on
};

std::uint64_t key_of(Ref a, Ref b) {
  const std::uint64_t low = node_of(a), high = node_of(b);
  return low << 32 | high << 1 | static_cast<std::uint64_t>(is_negative(a) != is_negative(b));
}

class Sharing {
 public:
  Sharing(Dag& dag, Kind kind) : dag_(dag), kind_(kind) {}

  /// Extracts pairs once, the most frequent first; false where there was none.
  bool run() {
    list_occurrences();
    std::vector<Candidate> candidates;
    for (std::uint32_t i = 0; i < found_.size();) {
      std::uint32_t j = i;
      while (j < found_.size() && found_[j].key == found_[i].key) ++j;
      if (j - i > 1) candidates.push_back({j - i, i});
      i = j;
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.count > b.count; });
    bool any = false;
    for (const Candidate& c : candidates) any |= extract(c);
    return any;
  }

 private:
  void list_occurrences() {
    found_.clear();
    for (const std::uint32_t node : needed_nodes(dag_)) {
      const std::span<const Ref> x = dag_.children(node);
      if (dag_[node].kind != kind_ || x.size() < 2 || x.size() > widest) continue;
      for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = i + 1; j < x.size(); ++j)
          found_.push_back({key_of(std::min(x[i], x[j]), std::max(x[i], x[j])), node});
    }
    // a pair counts once per node
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Occurrence& a, const Occurrence& b) { return a.key < b.key; });
    const auto same = [](const Occurrence& a, const Occurrence& b) { return a.key == b.key && a.node == b.node; };
    found_.erase(std::unique(found_.begin(), found_.end(), same), found_.end());
  }

  /// Position of the pair among the children, if both are still there.
  bool find(std::uint32_t node, std::uint64_t key, std::size_t& i, std::size_t& j) const {
    const std::span<const Ref> x = dag_.children(node);
    const auto a = static_cast<std::uint32_t>(key >> 32), b = static_cast<std::uint32_t>(key >> 1 & 0x7fffffffu);
    i = j = x.size();
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (node_of(x[k]) == a && i == x.size())
        i = k;
      else if (node_of(x[k]) == b && j == x.size())
        j = k;
    }
    return i < x.size() && j < x.size() && (is_negative(x[i]) != is_negative(x[j])) == ((key & 1) != 0);
  }

  bool extract(const Candidate& c) {
    const std::uint64_t key = found_[c.first].key;
    std::size_t i, j;
    std::vector<std::uint32_t> wide, exact;
    for (std::uint32_t k = c.first; k < c.first + c.count; ++k)
      if (find(found_[k].node, key, i, j))
        (dag_.children(found_[k].node).size() == 2 ? exact : wide).push_back(found_[k].node);
    if (wide.empty() || wide.size() + exact.size() < 2) return false;

    // a node that is just the pair serves the others
    const Ref a = 2 * static_cast<Ref>(key >> 32),
              b = 2 * static_cast<Ref>(key >> 1 & 0x7fffffffu) + static_cast<Ref>(key & 1);
    Ref pair;
    if (!exact.empty()) {
      find(exact[0], key, i, j);
      pair = with_sign(2 * exact[0], is_negative(dag_.children(exact[0])[i]));
    } else {
      pair = kind_ == Kind::sum ? dag_.sum({a, b}) : dag_.product({a, b});
    }
    for (const std::uint32_t node : wide) {
      find(node, key, i, j);
      std::vector<Ref> x(dag_.children(node).begin(), dag_.children(node).end());
      x[std::min(i, j)] = with_sign(pair, is_negative(x[i]));
      x.erase(x.begin() + static_cast<std::ptrdiff_t>(std::max(i, j)));
      dag_.set_children(node, x);
    }
    return true;
  }

  Dag& dag_;
  Kind kind_;
  std::vector<Occurrence> found_;
};

}  // namespace

void share_pairs(Dag& dag) {
  constexpr int most_rounds = 10;
  for (const Kind kind : {Kind::product, Kind::sum}) {
    Sharing sharing(dag, kind);
    for (int round = 0; round < most_rounds && sharing.run(); ++round) continue;
  }
}

}  // namespace coenergy::symbolic::lowering
