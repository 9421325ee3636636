#pragma once
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "coenergy/system/system.hpp"

namespace coenergy::system {

/// Finds signals or parameters by name; made when it is first asked, since a large system has hundreds of thousands of
/// which few are ever looked for. Thread-safe.
class NameIndex {
 public:
  /// Place in the list, which stays the same in all calls; −1: not there. Of equal names the first.
  int find(const std::vector<SignalInfo>& list, const std::string& name) const {
    std::call_once(once_, [&] {
      index_.reserve(list.size());
      for (std::size_t k = 0; k < list.size(); ++k) index_.emplace(list[k].name, static_cast<int>(k));
    });
    const auto place = index_.find(name);
    return place == index_.end() ? -1 : place->second;
  }

 private:
  mutable std::once_flag once_;
  mutable std::unordered_map<std::string_view, int> index_;
};

}  // namespace coenergy::system
