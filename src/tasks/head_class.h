// Which class with a head config.json names, for the tasks that run one. Internal to the room.
#pragma once
#include <string_view>

#include "model/model.h"
#include "package/config.h"

namespace candor::tasks {

inline constexpr std::string_view kForSequences = "ForSequenceClassification";
inline constexpr std::string_view kForTokens = "ForTokenClassification";

// Whether config.json names a class that ends so, and the family has its head; logged as the choice "head".
// The problem otherwise, unsupported_task_head, says what the package is for.
bool NamesHead(const package::Config& config, const Family& family, std::string_view ending,
               Problems& problems);

}  // namespace candor::tasks
