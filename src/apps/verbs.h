// The verbs of the command line: one file each, one row each in verbs.cc. A verb returns the exit code.
#pragma once
#include <span>
#include <string_view>

#include "apps/context.h"

namespace candor::apps {

struct Verb {
  std::string_view name, summary;
  unsigned groups;  // OptionGroup
  int (*run)(const Context& context);
};
std::span<const Verb> Verbs();

int RunEmbed(const Context& context);
int RunRerank(const Context& context);
int RunClassify(const Context& context);
int RunSimilarity(const Context& context);
int RunTokenize(const Context& context);
int RunInspect(const Context& context);
int RunPlan(const Context& context);
int RunWhyNot(const Context& context);
int RunBench(const Context& context);
int RunServe(const Context& context);
int RunVersion(const Context& context);

}  // namespace candor::apps
