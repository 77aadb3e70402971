// PackageTemplates: the chat templates of a package, where transformers finds them for a tokenizer.
//
// chat_template.jinja is "default"; additional_chat_templates/NAME.jinja are others. One such file makes
// tokenizer_config.json's `chat_template`, a text or a list of named ones, count for nothing.
// chat_template.json is for classes of processors alone, and no tokenizer reads it.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "package/package.h"
#include "text/templates/value.h"

namespace candor::text::jinja {

struct NamedTemplate {
  std::string name;  // "default" where it is the only one
  std::string text;
  Where place;
};

struct PackageTemplates {
  std::vector<NamedTemplate> templates;  // by name
  bool of_processor = false;             // chat_template.json is there too
  // Of bos_token, eos_token, unk_token, sep_token, pad_token, cls_token and mask_token those that the package
  // writes. A class of the reference may have defaults for the others: a template that Reads() one that is
  // not here has to be refused.
  std::vector<std::pair<std::string, Value>> special_tokens;

  // What get_chat_template chooses: the one of the name; without a name "tool_use" for a request with tools,
  // else "default". Null when there is none.
  const NamedTemplate* Choose(std::string_view name, bool with_tools = false) const;
};

Planned<PackageTemplates> ReadPackageTemplates(const package::Package& package);

}  // namespace candor::text::jinja
