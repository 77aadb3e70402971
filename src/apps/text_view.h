// TextView: any JSON answer of the product as text for people. Objects become sections, lists of objects
// tables.
#pragma once
#include <string>
#include <string_view>

namespace candor::apps {

// `json` is ours and valid; should it not be, it is shown as it stands.
std::string TextView(std::string_view json);

}  // namespace candor::apps
