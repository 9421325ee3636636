#pragma once
#include <array>
#include <cstdint>

#include "coenergy/symbolic/page_array.hpp"

namespace coenergy::symbolic {

/// Look-up table from the hash of a node to its index, made for graphs that do not fit in the cache, where most
/// look-ups find nothing because the node is new.
///
/// Entries lie in buckets of one cache line; what does not fit goes to the next bucket. A word of 64 bits beside each
/// bucket tells which values of six other bits of the hash occur in it: these words are few enough to stay in the
/// cache, and a bit that is not set answers without a look at the bucket. New entries wait in a short queue while their
/// buckets are fetched, so that the processor does not wait for them.
class NodeIndex {
 public:
  NodeIndex() : buckets_(first_size), filter_(first_size) {}

  /// The index with this hash for which `matches(index)` holds, or `none`.
  template <class Matches>
  std::uint32_t find(std::uint32_t hash, const Matches& matches) {
    if ((filter_[home(hash)] & bit(hash)) == 0) return none;
    flush();
    for (std::size_t b = home(hash);; b = (b + 1) & mask()) {
      const Bucket& bucket = buckets_[b];
      for (std::uint32_t k = 0; k < bucket.used; ++k)
        if (bucket.hash[k] == hash && matches(bucket.id[k])) return bucket.id[k];
      if (bucket.used < width) return none;
    }
  }
  /// Adds an index that find() did not find.
  void insert(std::uint32_t hash, std::uint32_t id) {
    if (waiting_ == queue_.size()) flush();
    queue_[waiting_++] = {hash, id};
    filter_[home(hash)] |= bit(hash);
    __builtin_prefetch(&buckets_[home(hash)], 1);
    if (++size_ > buckets_.size() * fullest) grow();
  }
  /// Starts to bring near what find() reads first.
  void prefetch(std::uint32_t hash) const { __builtin_prefetch(&filter_[home(hash)], 1); }
  std::size_t bytes() const { return buckets_.bytes() + filter_.bytes(); }

  static constexpr std::uint32_t none = 0xFFFFFFFF;

 private:
  static constexpr std::size_t width = 7, fullest = 4, first_size = 64;
  struct alignas(64) Bucket {
    std::uint32_t used;
    std::uint32_t hash[width];
    std::uint32_t id[width];
  };
  struct Entry {
    std::uint32_t hash, id;
  };

  std::size_t mask() const { return buckets_.size() - 1; }
  std::size_t home(std::uint32_t hash) const { return hash & mask(); }
  static std::uint64_t bit(std::uint32_t hash) { return std::uint64_t{1} << (hash >> 26); }

  void flush() {
    for (std::size_t i = 0; i < waiting_; ++i) put(queue_[i]);
    waiting_ = 0;
  }
  void put(Entry e) {
    std::size_t b = home(e.hash);
    while (buckets_[b].used == width) b = (b + 1) & mask();
    Bucket& bucket = buckets_[b];
    bucket.hash[bucket.used] = e.hash;
    bucket.id[bucket.used] = e.id;
    ++bucket.used;
  }
  void grow() {
    flush();
    PageArray<Bucket> old(buckets_.size() * 2);
    old.swap(buckets_);
    filter_ = PageArray<std::uint64_t>(buckets_.size());
    for (const Bucket& b : old)
      for (std::uint32_t k = 0; k < b.used; ++k) {
        filter_[home(b.hash[k])] |= bit(b.hash[k]);
        put({b.hash[k], b.id[k]});
      }
  }

  PageArray<Bucket> buckets_;
  PageArray<std::uint64_t> filter_;
  std::array<Entry, 16> queue_;
  std::size_t waiting_ = 0, size_ = 0;
};

}  // namespace coenergy::symbolic
