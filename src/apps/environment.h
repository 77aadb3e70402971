// Environment: the only place where the product reads environment variables (DESIGN section 10).
#pragma once
#include <string>

namespace candor::apps {

struct Environment {
  std::string isa;         // CANDOR_ISA: forces a kernel table
  bool no_colour = false;  // NO_COLOR, when not empty
};
Environment ReadEnvironment();

}  // namespace candor::apps
