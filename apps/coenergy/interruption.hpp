#pragma once

namespace coenergy::app {

/// While this lives, SIGINT and SIGTERM are only noted, so that the work can end in order; a second one ends the
/// program at once.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// The signal that came, 0: none.
  int signal() const;
  /// "SIGINT" or "SIGTERM".
  const char* name() const;
};

}  // namespace coenergy::app
