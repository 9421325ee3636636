// Saved states of runs: as they are, and below a head whose check sum is right, behind which no other fault would show.
#include "coenergy/base/state_archive.hpp"
#include "coenergy/solve/saved_state.hpp"
#include "fuzz/reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read_bytes(data, size, [](std::string_view text) { coenergy::solve::SavedState::from_bytes(text); });
  return read_bytes(data, size, [](std::string_view text) {
    coenergy::solve::SavedState::from_bytes(coenergy::solve::SavedState::with_head(std::string(text)));
  });
}
