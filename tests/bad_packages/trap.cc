// Preloaded into a program under test: starting a program, opening a socket or loading a library ends it at
// once with exit code 99, naming the call.
#include <cstring>

extern "C" long write(int, const void*, unsigned long);
extern "C" [[noreturn]] void _exit(int);

namespace {
[[noreturn]] void Sprung(const char* call) {
  static_cast<void>(!::write(2, call, std::strlen(call)));
  ::_exit(99);
}
}  // namespace

extern "C" {
int execve(const char*, char* const*, char* const*) { Sprung("trap: execve\n"); }
int execv(const char*, char* const*) { Sprung("trap: execv\n"); }
int execvp(const char*, char* const*) { Sprung("trap: execvp\n"); }
int posix_spawn(int*, const char*, const void*, const void*, char* const*, char* const*) {
  Sprung("trap: posix_spawn\n");
}
int posix_spawnp(int*, const char*, const void*, const void*, char* const*, char* const*) {
  Sprung("trap: posix_spawnp\n");
}
int system(const char*) { Sprung("trap: system\n"); }
void* popen(const char*, const char*) { Sprung("trap: popen\n"); }
int fork() { Sprung("trap: fork\n"); }
int socket(int, int, int) { Sprung("trap: socket\n"); }
int connect(int, const void*, unsigned) { Sprung("trap: connect\n"); }
void* dlopen(const char*, int) { Sprung("trap: dlopen\n"); }
}
