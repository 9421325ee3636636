#pragma once
#include <array>
#include <complex>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "coenergy/base/error.hpp"

namespace coenergy {

/// 64-bit check sum of bytes that come in pieces of any length (FNV-1a over words of eight bytes).
class Checksum {
 public:
  void add(std::string_view bytes) {
    size_ += bytes.size();
    while (!bytes.empty()) {
      const std::size_t part = std::min(bytes.size(), sizeof(word_) - filled_);
      std::memcpy(reinterpret_cast<char*>(&word_) + filled_, bytes.data(), part);
      filled_ += part;
      bytes.remove_prefix(part);
      if (filled_ < sizeof(word_)) return;
      mix();
    }
  }
  std::uint64_t value() const {
    Checksum end = *this;
    end.mix();
    end.word_ = size_;
    end.mix();
    return end.sum_ ^ (end.sum_ >> 29);
  }
  std::uint64_t size() const { return size_; }  ///< bytes so far
  template <class Archive>
  void visit(Archive& archive) {
    archive(sum_, word_, size_, filled_);
  }

 private:
  void mix() {
    sum_ = (sum_ ^ word_) * 0x100000001b3ULL;
    sum_ ^= sum_ >> 32;
    word_ = 0, filled_ = 0;
  }
  std::uint64_t sum_ = 0xcbf29ce484222325ULL, word_ = 0, size_ = 0;
  std::size_t filled_ = 0;
};

/// Writes members into bytes, or reads them back, by one and the same function, so that saving and loading cannot
/// differ:
///
///   void visit(StateArchive& archive) { archive(last_step_, memory_, lu_); }
///
/// Numbers have the bytes of the machine. The kinds of all values enter a check sum, by which a reader refuses bytes
/// that were written by another list of members. Reading throws Error where the bytes do not fit.
class StateArchive {
 public:
  StateArchive() = default;
  explicit StateArchive(std::string_view bytes) : source_(bytes), reads_(true) {}

  bool reads() const { return reads_; }
  const std::string& bytes() const { return written_; }

  template <class... T>
  void operator()(T&... values) {
    (value(values), ...);
  }

  /// After the last value: writes the check sum of their kinds, or compares it and the number of bytes.
  void close() {
    const std::uint64_t here = kinds_.value();
    std::uint64_t there = here;
    raw(&there, sizeof there);
    if (there != here || (reads_ && !source_.empty())) fail();
  }

 private:
  [[noreturn]] static void fail() {
    throw Error("the state was saved by another build of the program, or is damaged; run again from the start");
  }

  void raw(void* data, std::size_t size) {
    if (!reads_) {
      written_.append(static_cast<const char*>(data), size);
      return;
    }
    if (size > source_.size()) fail();
    if (size > 0) std::memcpy(data, source_.data(), size);
    source_.remove_prefix(size);
  }

  void note(char kind, std::size_t size = 0) {
    const char mark[] = {kind, static_cast<char>(size)};
    kinds_.add({mark, sizeof mark});
  }

  template <class T>
  std::size_t length(const T& container) {
    std::uint64_t size = container.size();
    raw(&size, sizeof size);
    // damaged bytes must not ask for all memory
    if (reads_ && size > source_.size()) fail();
    return static_cast<std::size_t>(size);
  }

  template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void value(T& number) {
    note(std::is_floating_point_v<T> ? 'f' : 'i', sizeof number);
    raw(&number, sizeof number);
  }
  void value(std::complex<double>& number) { raw(&number, sizeof number); }
  void value(std::string& text) {
    note('s');
    text.resize(length(text));
    raw(text.data(), text.size());
  }
  template <class T>
  void value(std::vector<T>& list) {
    note('v', sizeof(T));
    list.resize(length(list));
    if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::complex<double>>)
      raw(list.data(), list.size() * sizeof(T));
    else
      for (T& item : list) quietly(item);
  }
  template <class T, std::size_t n>
  void value(std::array<T, n>& list) {
    for (T& item : list) value(item);
  }
  template <class A, class B>
  void value(std::pair<A, B>& both) {
    value(both.first), value(both.second);
  }
  /// Objects that were not there before are made anew.
  template <class T>
  requires std::default_initializable<T>
  void value(std::optional<T>& maybe) {
    bool has = maybe.has_value();
    value(has);
    if (has && !maybe) maybe.emplace();
    if (!has) maybe.reset();
    if (maybe) quietly(*maybe);
  }
  template <class T>
  requires requires(T& object, StateArchive& archive) { object.visit(archive); }
  void value(T& object) { object.visit(*this); }

  /// Plain data is visited by a function of its own namespace.
  template <class T>
  requires requires(T& object, StateArchive& archive) { visit_members(archive, object); }
  void value(T& object) { visit_members(*this, object); }

  /// Items of a list, whose number may vary, leave the check sum of kinds alone.
  template <class T>
  void quietly(T& item) {
    const Checksum before = kinds_;
    value(item);
    kinds_ = before;
  }

  std::string written_;
  std::string_view source_;
  bool reads_ = false;
  Checksum kinds_;
};

}  // namespace coenergy
