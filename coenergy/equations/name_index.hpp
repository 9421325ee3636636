#pragma once
#include <algorithm>
#include <atomic>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "coenergy/equations/system.hpp"

namespace coenergy::equations {

/// Finds signals or parameters by name. A large system has hundreds of thousands, of which few are ever looked for: the
/// first questions are answered by a look at all of them, a table is made for those that follow. Thread-safe.
template <class Info>
class NameIndex {
 public:
  /// Place in the list, which stays the same in all calls; −1: not there. Of equal names the first.
  int find(const std::vector<Info>& list, const std::string& name) const {
    constexpr int few = 8;
    if (questions_.fetch_add(1, std::memory_order_relaxed) < few) {
      const auto has_name = [&](const Info& s) { return s.name == name; };
      const auto found = std::find_if(list.begin(), list.end(), has_name);
      return found == list.end() ? -1 : static_cast<int>(found - list.begin());
    }
    std::call_once(once_, [&] {
      index_.reserve(list.size());
      for (std::size_t k = 0; k < list.size(); ++k) index_.emplace(list[k].name, static_cast<int>(k));
    });
    const auto place = index_.find(name);
    return place == index_.end() ? -1 : place->second;
  }

 private:
  mutable std::atomic<int> questions_ = 0;
  mutable std::once_flag once_;
  mutable std::unordered_map<std::string_view, int> index_;
};

}  // namespace coenergy::equations
