#include "tasks/lay.h"

namespace candor::tasks {
namespace {

Error Bad(Code code, Where where, std::string found, std::string allowed) {
  return {code, std::move(where), std::move(found), std::move(allowed), Phase::kRequest};
}

}  // namespace

Result<Laid> LayEach(std::size_t count, const TextOptions& options, const TextLayout& layout,
                     const LayOne& one) {
  if (count == 0)
    return Bad(Code::kEmptyInput, Where::Field("inputs"), "an empty list", "at least one input");
  Laid laid;
  laid.items.resize(count);
  laid.prompt = layout.prompt.text.empty() ? "" : layout.prompt.name;
  laid.options = Effective(options, layout);
  for (std::size_t i = 0; i < count; ++i) {
    ItemReport& report = laid.items[i];
    Result<Work> work = one(i, report);
    if (!work) {
      report.error = work.error();
      continue;
    }
    report.tokens = work->tokens.size();
    work->item = i;
    laid.works.push_back(std::move(work).value());
  }
  return laid;
}

Result<Work> LayIds(const TokenIds& ids, const InputRule& input, std::size_t limit, ItemReport& report) {
  report.total = ids.size();
  if (ids.empty()) return Bad(Code::kZeroValidTokens, Where::Field("ids"), "no token", "at least one token");
  if (ids.size() > limit) {
    return Bad(Code::kInputTooLarge, Where::Field("ids"), std::to_string(ids.size()) + " tokens",
               std::to_string(limit));
  }
  for (const std::int32_t id : ids) {
    if (id < 0 || static_cast<std::size_t>(id) >= input.vocabulary) {
      return Bad(Code::kInvalidInput, Where::Field("ids"), "token " + std::to_string(id),
                 "0 to " + std::to_string(input.vocabulary - 1));
    }
  }
  return LayRows(input, ids, std::vector<std::int32_t>(ids.size(), 0));
}

}  // namespace candor::tasks
