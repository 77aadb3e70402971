#include "apps/environment.h"

#include <cstdlib>

namespace candor::apps {
namespace {

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

}  // namespace

Environment ReadEnvironment() {
  return {.isa = Variable("CANDOR_ISA"), .no_colour = !Variable("NO_COLOR").empty()};
}

}  // namespace candor::apps
