#include "engine/version.h"

#include <string>

#include "candor/engine.h"

namespace candor {
namespace engine {

std::string_view Version() { return CANDOR_VERSION; }
std::string_view Commit() { return CANDOR_COMMIT; }

}  // namespace engine

std::string VersionText() {
  return "candor " + std::string(engine::Version()) + " (" + std::string(engine::Commit()) + ")";
}

}  // namespace candor
