// The text of a member of a JSON object, as its writer spelled it: what is carried unchanged is not read as a
// number.
#pragma once
#include <string_view>

namespace candor::apps {

// `object` is one valid JSON object. Empty when no key is spelled exactly so (one written with escapes is
// not).
std::string_view RawMember(std::string_view object, std::string_view key);

}  // namespace candor::apps
