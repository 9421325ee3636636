#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "coenergy/base/error.hpp"

/// Runs a reader on any bytes. A mistake of the user is an Error; anything else that leaves the reader, a crash, a hang
/// or memory without bound is a finding.
template <class Read>
int read_bytes(const std::uint8_t* data, std::size_t size, Read&& read) {
  try {
    read(std::string_view(reinterpret_cast<const char*>(data), size));
  } catch (const coenergy::Error& e) {
    // the text of a mistake is made here, and may fail too
    if (e.items().empty() || *e.what() == 0) __builtin_trap();
  }
  return 0;
}
