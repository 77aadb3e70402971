// ChatText: texts as the conversation that a package's chat template writes.
//
// As sentence-transformers 6.2 does it: of a pair one message each by the roles "query" and "document", of a
// text one by "user", a prompt as "system" in front; the template's text is encoded without further special
// tokens. Where it was cut, the tokens that the template puts behind the texts stand at its end again
// (Transformer._restore_chat_template_suffix). Immutable; any thread.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tasks/modules.h"
#include "tasks/text_rules.h"
#include "text/templates/package_templates.h"
#include "text/templates/template.h"

namespace candor::tasks {

struct ChatParts {
  std::shared_ptr<const text::jinja::Template> chat;
  std::string digest;                                                 // of its text
  bool structured = false;                                            // a message is a list of contents
  bool generation_prompt = false;                                     // asks for the beginning of an answer
  std::vector<std::pair<std::string, text::jinja::Value>> tokens;     // special ones
  std::vector<std::pair<std::string, text::jinja::Value>> variables;  // of processing_kwargs
};

class ChatText {
 public:
  explicit ChatText(ChatParts parts) : parts_(std::move(parts)) {}
  // Its tokens; `total` are those before the cut.
  Result<text::Encoding> Encode(const text::Tokenizer& tokenizer, const TextLayout& layout,
                                const TextPair& input, std::size_t& total) const;
  // What the template makes of it, behind a prompt that may be empty.
  Result<std::string> Render(std::string_view prompt, const TextPair& input) const;
  // The digest and all that it is given, for plans and identities.
  std::string Description() const;

 private:
  Result<std::vector<std::int32_t>> Tail(const text::Tokenizer& tokenizer, const TextLayout& layout,
                                         bool pair) const;
  text::jinja::Value OneMessage(std::string_view role, std::string_view text) const;
  ChatParts parts_;
};

// What a package's texts go through: its settings say so (`modality_config`), or, without modules.json, that
// it has a template. Null: nothing, or what is said cannot be done, with problems. `pairs`: a template that
// loses the query or the document is a problem, as in the reference.
std::shared_ptr<const ChatText> ReadChat(const package::Package& package,
                                         const std::shared_ptr<package::ReadLog>& log,
                                         const EncoderOutput& output, bool pairs, Problems& problems);

}  // namespace candor::tasks
