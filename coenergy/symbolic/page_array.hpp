#pragma once
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace coenergy::symbolic {

/// A fixed number of zeroed values. Large arrays get large memory pages where the system has them: random access over
/// many small pages costs more in address translation than in memory. Pages come zeroed from the system and are not
/// touched before they are used.
template <class T>
class PageArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  static constexpr std::size_t page = std::size_t{2} << 20;

  PageArray() = default;
  explicit PageArray(std::size_t size) : size_(size) {
    const std::size_t bytes = size * sizeof(T);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (bytes >= page) {
      // one page more than needed, so that the first value can stand at the start of a large page
      reserved_ = bytes + page;
      memory_ = mmap(nullptr, reserved_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (memory_ == MAP_FAILED) throw std::bad_alloc();
      std::size_t room = reserved_;
      void* first = memory_;
      data_ = static_cast<T*>(std::align(page, bytes, first, room));
      madvise(data_, bytes, MADV_HUGEPAGE);
      return;
    }
#endif
    std::size_t room = bytes + alignof(T);
    memory_ = std::calloc(room, 1);
    if (memory_ == nullptr) throw std::bad_alloc();
    void* first = memory_;
    data_ = static_cast<T*>(std::align(alignof(T), bytes, first, room));
  }
  PageArray(PageArray&& other) noexcept { swap(other); }
  PageArray& operator=(PageArray&& other) noexcept {
    swap(other);
    return *this;
  }
  ~PageArray() {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (reserved_ != 0) {
      munmap(memory_, reserved_);
      return;
    }
#endif
    std::free(memory_);
  }

  void swap(PageArray& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(reserved_, other.reserved_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }
  T* data() { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

 private:
  void* memory_ = nullptr;
  std::size_t reserved_ = 0;  ///< bytes of mapped memory, 0 for the heap
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace coenergy::symbolic
