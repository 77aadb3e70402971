// The candor binary.
#include <unistd.h>

#include <chrono>
#include <string>
#include <vector>

#include "apps/program.h"

int main(int argc, char** argv) {
  const auto started = std::chrono::steady_clock::now();
  using namespace candor::apps;
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  return RunProgram(arguments, {.console = Console(stdout, stderr, ::isatty(STDOUT_FILENO) == 1,
                                                   ::isatty(STDERR_FILENO) == 1),
                                .environment = ReadEnvironment(),
                                .new_engine = &candor::Engine::New,
                                .started = started});
}
