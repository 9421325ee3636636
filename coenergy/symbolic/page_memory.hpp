#pragma once
#include <cstddef>
#include <cstdlib>
#include <new>
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace coenergy::symbolic {

/// Allocator that asks for large memory pages where an array is big: random access over many small pages costs more in
/// address translation than in memory.
template <class T>
struct PageAllocator {
  using value_type = T;
  PageAllocator() = default;
  template <class U>
  PageAllocator(const PageAllocator<U>&) {}

  static constexpr std::size_t page = std::size_t{2} << 20;

  T* allocate(std::size_t n) {
    const std::size_t bytes = n * sizeof(T);
    if (bytes < page) return static_cast<T*>(::operator new(bytes, std::align_val_t(alignof(T))));
    const std::size_t rounded = (bytes + page - 1) / page * page;
    void* memory = std::aligned_alloc(page, rounded);
    if (memory == nullptr) throw std::bad_alloc();
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    madvise(memory, rounded, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* p, std::size_t n) {
    if (n * sizeof(T) < page)
      ::operator delete(p, std::align_val_t(alignof(T)));
    else
      std::free(p);
  }
  template <class U>
  bool operator==(const PageAllocator<U>&) const {
    return true;
  }
};

}  // namespace coenergy::symbolic
