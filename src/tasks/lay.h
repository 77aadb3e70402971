// Inputs of a request to rows, as every task that takes texts does it. Internal to the room; any thread.
#pragma once
#include <cstddef>
#include <functional>

#include "tasks/task.h"
#include "tasks/text_rules.h"

namespace candor::tasks {

// Rows of every item by `one`, which fills the item's report too. What fails keeps its place and its error;
// empty_input where there is nothing at all.
using LayOne = std::function<Result<Work>(std::size_t item, ItemReport& report)>;
Result<Laid> LayEach(std::size_t count, const TextOptions& options, const TextLayout& layout,
                     const LayOne& one);

// Final ids: nothing is added and nothing cut.
Result<Work> LayIds(const TokenIds& ids, const InputRule& input, std::size_t limit, ItemReport& report);

}  // namespace candor::tasks
