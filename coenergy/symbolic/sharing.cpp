#include <algorithm>
#include <bit>

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

/// Greedy: in every round the most frequent pairs first. A pair that survives a round occurs once, so the next round
/// looks only at pairs with a node that the last one put in.
class Sharing {
 public:
  Sharing(Dag& dag, Kind kind) : dag_(dag), kind_(kind) {}

  void run() {
    constexpr int most_rounds = 10;
    for (const std::uint32_t node : needed_nodes_unordered(dag_))
      if (dag_[node].kind == kind_) open_.push_back(node);
    fresh_.assign(dag_.size(), true);
    for (int round = 0; round < most_rounds && !open_.empty(); ++round) {
      list_occurrences();
      const std::vector<Candidate> candidates = find_candidates();
      fresh_.assign(dag_.size(), false);
      open_.clear();
      for (const Candidate& c : candidates) extract(c);
      std::sort(open_.begin(), open_.end());
      open_.erase(std::unique(open_.begin(), open_.end()), open_.end());
    }
  }

 private:
  /// Calls f(key, node) for every pair worth a look.
  template <class F>
  void visit_pairs(F f) const {
    for (const std::uint32_t node : open_) {
      const std::span<const Ref> x = dag_.children(node);
      if (x.size() < 2 || x.size() > widest) continue;
      for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = i + 1; j < x.size(); ++j)
          if (fresh_[node_of(x[i])] || fresh_[node_of(x[j])])
            f(key_of(std::min(x[i], x[j]), std::max(x[i], x[j])), node);
    }
  }

  void list_occurrences() {
    // most pairs occur once: those whose hash is met a second time are listed
    std::size_t pairs = 0;
    visit_pairs([&](std::uint64_t, std::uint32_t) { ++pairs; });
    const int bits = std::bit_width(4 * pairs + 1);
    std::vector<std::uint8_t> met(std::size_t{1} << bits, 0);
    const auto hash = [bits](std::uint64_t key) { return key * 0x9E3779B97F4A7C15u >> (64 - bits); };
    visit_pairs([&](std::uint64_t key, std::uint32_t) {
      std::uint8_t& m = met[hash(key)];
      m = static_cast<std::uint8_t>(m << 1 | 1);
    });
    found_.clear();
    visit_pairs([&](std::uint64_t key, std::uint32_t node) {
      if (met[hash(key)] > 1) found_.push_back({key, node});
    });
    // a pair counts once per node
    const auto before = [](const Occurrence& a, const Occurrence& b) {
      return a.key != b.key ? a.key < b.key : a.node < b.node;
    };
    const auto same = [](const Occurrence& a, const Occurrence& b) { return a.key == b.key && a.node == b.node; };
    std::sort(found_.begin(), found_.end(), before);
    found_.erase(std::unique(found_.begin(), found_.end(), same), found_.end());
  }

  std::vector<Candidate> find_candidates() const {
    std::vector<Candidate> candidates;
    for (std::uint32_t i = 0; i < found_.size();) {
      std::uint32_t j = i;
      while (j < found_.size() && found_[j].key == found_[i].key) ++j;
      if (j - i > 1) candidates.push_back({j - i, i});
      i = j;
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.count > b.count; });
    return candidates;
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

  void extract(const Candidate& c) {
    const std::uint64_t key = found_[c.first].key;
    std::size_t i, j;
    std::vector<std::uint32_t> wide, exact;
    for (std::uint32_t k = c.first; k < c.first + c.count; ++k)
      if (find(found_[k].node, key, i, j))
        (dag_.children(found_[k].node).size() == 2 ? exact : wide).push_back(found_[k].node);
    if (wide.empty() || wide.size() + exact.size() < 2) return;

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
      open_.push_back(node);
    }
    if (node_of(pair) >= fresh_.size()) fresh_.resize(node_of(pair) + 1, false);
    fresh_[node_of(pair)] = true;
  }

  Dag& dag_;
  Kind kind_;
  std::vector<std::uint32_t> open_;  ///< nodes to look at
  std::vector<bool> fresh_;          ///< nodes that the last round put in
  std::vector<Occurrence> found_;
};

}  // namespace

void share_pairs(Dag& dag) {
  Sharing(dag, Kind::product).run();
  Sharing(dag, Kind::sum).run();
}

}  // namespace coenergy::symbolic::lowering
