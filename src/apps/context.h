// Context: what a verb is given, and the ways every verb ends.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <string_view>

#include "apps/console.h"
#include "apps/environment.h"
#include "apps/options.h"
#include "candor/engine.h"

namespace candor::apps {

using EngineFactory = std::function<Result<std::shared_ptr<Engine>>(const EngineOptions&)>;

inline constexpr int kDone = 0, kSomeFailed = 1, kWrongRequest = 2;

struct Context {
  const Options& options;
  const Console& console;
  const Environment& environment;
  const EngineFactory& new_engine;
  std::chrono::steady_clock::time_point started;  // first thing in main

  Result<std::shared_ptr<Engine>> OpenEngine() const;
  // Text for people: where it was asked for, and on a terminal unless JSON was.
  bool WantsText() const;
};

// Every problem on standard error, and as JSON on standard output with --json. Gives the exit code.
int Refuse(const Context& context, const Problems& problems);
// The answer of a verb that prints once.
int PrintAnswer(const Context& context, std::string_view text);
// A stream or file of the caller took less than it was given.
Error WriteFailure(const char* option, int error_number);

}  // namespace candor::apps
