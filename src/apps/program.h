// Program: the whole command line as a function of its arguments, streams, environment and engine.
#pragma once
#include <chrono>
#include <span>
#include <string>

#include "apps/console.h"
#include "apps/context.h"
#include "apps/environment.h"

namespace candor::apps {

struct Surroundings {
  Console console;
  Environment environment;
  EngineFactory new_engine;
  std::chrono::steady_clock::time_point started;
};
// `arguments` stand after the program's name. Gives the exit code.
int RunProgram(std::span<const std::string> arguments, Surroundings surroundings);

}  // namespace candor::apps
