#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace coenergy::symbolic {

/// True where two lists, ordered by `Key`, have no key in common.
template <auto Key, class Item>
bool are_distinct(const Item* a, std::size_t na, const Item* b, std::size_t nb) {
  for (std::size_t i = 0, j = 0; i < na && j < nb;) {
    const std::uint32_t x = a[i].*Key, y = b[j].*Key;
    if (x == y) return false;
    i += x < y;
    j += y < x;
  }
  return true;
}

/// Merges two ordered lists into words; false where they have a key in common.
template <auto Key, class Item>
bool merge_distinct(const Item* a, std::size_t na, const Item* b, std::size_t nb, std::uint32_t* out) {
  static_assert(sizeof(Item) == 2 * sizeof(std::uint32_t));
  const Item *const a_end = a + na, *const b_end = b + nb;
  for (; a != a_end && b != b_end; out += 2) {
    if (a->*Key == b->*Key) return false;
    const bool first = a->*Key < b->*Key;
    std::memcpy(out, first ? a : b, sizeof(Item));
    a += first;
    b += !first;
  }
  for (; a != a_end; ++a, out += 2) std::memcpy(out, a, sizeof(Item));
  for (; b != b_end; ++b, out += 2) std::memcpy(out, b, sizeof(Item));
  return true;
}

}  // namespace coenergy::symbolic
