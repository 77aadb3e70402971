#include "apps/score_run.h"

#include <unistd.h>

#include "apps/lines.h"

namespace candor::apps {

std::string FailedText(const Context& context, const Item& item, const Error& error, RunAccount& account) {
  account.Failed(item, error);
  return context.WantsText() ? "error: " + Message(Placed(item, error)) + '\n' : ErrorLine(item, error);
}

Planned<std::vector<Item>> ItemsOf(const Context& context, LineForm form) {
  return ReadItems(context.options, form, ::isatty(STDIN_FILENO) == 1);
}

}  // namespace candor::apps
