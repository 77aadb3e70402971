#include "tasks/head_class.h"

#include <algorithm>
#include <string>
#include <vector>

namespace candor::tasks {
namespace {

// A kind of class with a head: how its names end, the head of a family, its name among choices, and what a
// package of it is for.
struct HeadClass {
  std::string_view ending;
  decltype(Family::sequence_head) Family::*head;
  std::string_view choice, verbs;
};
constexpr HeadClass kClasses[] = {
    {kForSequences, &Family::sequence_head, "sequence", "classify or rerank"},
    {kForTokens, &Family::token_head, "token", "classify --task tokens"},
};

// What can be done with a package of the named classes, the tasks beside it left out of account.
std::string_view Use(const std::vector<std::string>& names, const Family& family) {
  for (const std::string& name : names) {
    for (const HeadClass& c : kClasses)
      if (name.ends_with(c.ending) && family.*c.head != nullptr) return c.verbs;
  }
  return "embed";
}

}  // namespace

bool NamesHead(const package::Config& config, const Family& family, std::string_view ending,
               Problems& problems) {
  const HeadClass& wanted = *std::ranges::find(kClasses, ending, &HeadClass::ending);
  const std::vector<std::string> names = config.Texts("architectures", problems);
  const bool built = family.*wanted.head != nullptr;
  if (built && std::ranges::any_of(names, [&](const std::string& n) { return n.ends_with(ending); })) {
    config.Choice("head", wanted.choice, "architectures");
    return true;
  }
  const std::string use(Use(names, family));
  problems.push_back({Code::kUnsupportedTaskHead, config.At("architectures"),
                      names.empty() ? "absent" : names.front(),
                      built ? "a class ..." + std::string(ending) + "; this one is for " + use
                            : use + ": no " + std::string(wanted.choice) + " head of " +
                                  std::string(family.name) + " is built",
                      Phase::kProcessing});
  return false;
}

}  // namespace candor::tasks
