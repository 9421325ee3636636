#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>

namespace coenergy::symbolic {

/// A growing array of trivial values whose first N elements need no allocation.
template <class T, std::size_t N>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  void push_back(const T& value) {
    if (size_ == capacity_) grow(2 * capacity_);
    data_[size_++] = value;
  }
  /// New elements are not set.
  void resize(std::size_t size) {
    if (size > capacity_) grow(size);
    size_ = size;
  }
  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T* data() { return data_; }
  const T* data() const { return data_; }

 private:
  void grow(std::size_t capacity) {
    std::unique_ptr<T[]> heap(new T[capacity]);
    std::copy_n(data_, size_, heap.get());
    heap_ = std::move(heap);
    data_ = heap_.get();
    capacity_ = capacity;
  }
  struct alignas(T) Storage {
    unsigned char bytes[N * sizeof(T)];
  } inline_;
  std::unique_ptr<T[]> heap_;
  T* data_ = reinterpret_cast<T*>(inline_.bytes);
  std::size_t size_ = 0, capacity_ = N;
};

}  // namespace coenergy::symbolic
