// Template: a chat template of a package, read once and rendered for each request.
//
// The subset of Jinja that chat templates use, rendered byte for byte as transformers renders it (jinja2's
// sandbox with trim_blocks, lstrip_blocks, loop controls and {% generation %}; no HTML is escaped). What
// jinja2 has and we have not is refused when the template is read, as far as its text shows it, else when it
// is met; never ignored. A template is immutable; any number of threads may render it at once.
//
// A recipe reads the package's template with PackageTemplates (package_templates.h), makes the context with
// ChatContext (chat.h) and renders:
//
//   CANDOR_TRY(const PackageTemplates templates, ReadPackageTemplates(package));
//   const NamedTemplate* chosen = templates.Choose("");
//   CANDOR_TRY(const auto chat, Template::Parse(chosen->text, chosen->place));
//   const Value query = Message("query", text), document = Message("document", other);
//   CANDOR_TRY(const std::string prompt,
//              chat->Render(ChatContext({.messages = {query, document}, .special_tokens =
//              templates.special_tokens,
//                                        .add_generation_prompt = true})));
//   // Tokenised without adding special tokens: the template wrote them.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "candor/result.h"
#include "text/templates/limits.h"
#include "text/templates/value.h"

namespace candor::text::jinja {

// The moment that strftime_now answers with. A template that asks for it without one is refused: its text
// would depend on the day.
struct Moment {
  int year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0;
};

struct RenderOptions {
  RenderLimits limits = {};
  std::optional<Moment> now = {};
};

struct Program;

class Template {
 public:
  // `place` is the file, and the pointer when it is a text inside of JSON. What is outside of the subset is
  // listed whole; what is no template at all ends the list.
  static Planned<std::shared_ptr<const Template>> Parse(std::string_view text, const Where& place,
                                                        const TemplateLimits& limits = {});

  // `context` is a dictionary of the variables. Errors have the file, the line and the expression:
  // invalid_input for what the reference refuses too (and what raise_exception says),
  // unsupported_processor_recipe for what is outside of the subset, input_too_large for the limits.
  Result<std::string> Render(const Value& context, const RenderOptions& options = {}) const;

  // The variables it asks the caller for, sorted; functions that every template has included.
  const std::vector<std::string>& reads() const;
  bool Reads(std::string_view name) const;

  class Key {
    friend class Template;
    Key() = default;
  };
  Template(Key, std::unique_ptr<const Program> program, Where place);  // by Parse only
  ~Template();

 private:
  std::unique_ptr<const Program> program_;
  Where place_;
};

}  // namespace candor::text::jinja
