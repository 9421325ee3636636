#include "apps/coenergy/interruption.hpp"

#include <csignal>

namespace coenergy::app {
namespace {

// a handler can reach nothing else
volatile std::sig_atomic_t noted = 0;

void note(int signal) { noted = signal; }

void set_handler(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

Interruption::Interruption() {
  noted = 0;
  set_handler(note);
}
Interruption::~Interruption() { set_handler(SIG_DFL); }
int Interruption::signal() const { return noted; }
const char* Interruption::name() const { return noted == SIGINT ? "SIGINT" : "SIGTERM"; }

}  // namespace coenergy::app
