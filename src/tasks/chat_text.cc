#include "tasks/chat_text.h"

#include <algorithm>

#include "base/utf8.h"
#include "text/templates/chat.h"

namespace candor::tasks {
namespace {

namespace jinja = text::jinja;
using jinja::Value;

Error Bad(std::string found, std::string allowed) {
  return {Code::kInvalidInput, Where::Field("text"), std::move(found), std::move(allowed), Phase::kRequest};
}

bool EndsInAny(std::string_view text, std::initializer_list<std::string_view> ends) {
  return std::ranges::any_of(ends, [&](std::string_view end) { return text.ends_with(end); });
}

// What the reference takes for an image, a video or a sound, where contents have types (infer_modality): an
// address by its path. Files of the machine it runs on are not looked for.
bool NamesMedia(std::string_view text) {
  if (text.starts_with("data:image/")) return true;
  const std::size_t scheme = text.starts_with("http://") ? 7 : text.starts_with("https://") ? 8 : 0;
  if (scheme == 0 || text.find(' ') != std::string_view::npos) return false;
  const std::string_view rest = text.substr(scheme);
  const std::size_t host_end = std::min(rest.find_first_of("/?#"), rest.size());
  const std::string_view host = rest.substr(0, host_end);
  for (const char* known : {"www.youtube.com", "youtube.com", "youtu.be", "m.youtube.com"})
    if (host == known) return true;
  std::string_view path = rest.substr(host_end);
  path = path.substr(0, path.find_first_of("?#"));
  if (const std::size_t last = path.rfind('/'); last != std::string_view::npos)
    path = path.substr(0, path.find(';', last));  // its parameters
  std::string lower(path);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return EndsInAny(lower, {".jpg", ".jpeg", ".png", ".gif", ".bmp", ".tiff", ".webp", ".mp4", ".avi", ".mov",
                           ".wmv", ".flv", ".mkv", ".mp3", ".wav", ".ogg", ".flac", ".aac"});
}

}  // namespace

Value ChatText::OneMessage(std::string_view role, std::string_view text) const {
  if (!parts_.structured) return jinja::Message(std::string(role), std::string(text));
  const auto word = [](std::string_view w) { return Value::String(std::string(w)); };
  return Value::Dict(
      {{word("role"), word(role)},
       {word("content"),
        Value::List({Value::Dict({{word("type"), word("text")}, {word("text"), word(text)}})})}});
}

Result<std::string> ChatText::Render(std::string_view prompt, const TextPair& input) const {
  for (const std::string_view text : {prompt, std::string_view(input.text),
                                      input.pair ? std::string_view(*input.pair) : std::string_view()}) {
    if (const std::size_t at = FirstInvalidUtf8(text); at != text.size())
      return Bad("invalid UTF-8 at byte " + std::to_string(at), "valid UTF-8");
  }
  if (parts_.structured && input.pair && (NamesMedia(input.text) || NamesMedia(*input.pair)))
    return Bad("the address of an image, a video or a sound", "text: the reference would open it");
  jinja::Chat chat{.messages = {},
                   .special_tokens = parts_.tokens,
                   .variables = parts_.variables,
                   .add_generation_prompt = parts_.generation_prompt};
  if (!prompt.empty()) chat.messages.push_back(OneMessage("system", prompt));
  chat.messages.push_back(OneMessage(input.pair ? "query" : "user", input.text));
  if (input.pair) chat.messages.push_back(OneMessage("document", *input.pair));
  CANDOR_TRY(const Value context, jinja::ChatContext(chat));
  return parts_.chat->Render(context);
}

// What two conversations of other texts end in alike; none where they are alike from end to end.
Result<std::vector<std::int32_t>> ChatText::Tail(const text::Tokenizer& tokenizer, const TextLayout& layout,
                                                 bool pair) const {
  text::EncodeOptions whole = layout.encode;
  whole.max_length = 0, whole.add_special = false, whole.offsets = false;
  const auto tokens = [&](const char* filler) -> Result<std::vector<std::int32_t>> {
    TextPair input{filler, std::nullopt};
    if (pair) input.pair = filler;
    CANDOR_TRY(const std::string text, Render(layout.prompt.text, input));
    CANDOR_TRY(text::Encoding e, tokenizer.Encode(text, whole));
    return std::move(e.ids);
  };
  CANDOR_TRY(std::vector<std::int32_t> first, tokens("0"));
  CANDOR_TRY(const std::vector<std::int32_t> second, tokens("1 2 3 4"));
  const std::size_t most = std::min(first.size(), second.size());
  std::size_t alike = 0;
  while (alike < most && first[first.size() - 1 - alike] == second[second.size() - 1 - alike]) ++alike;
  if (alike == most) alike = 0;
  first.erase(first.begin(), first.end() - static_cast<std::ptrdiff_t>(alike));
  return first;
}

Result<text::Encoding> ChatText::Encode(const text::Tokenizer& tokenizer, const TextLayout& layout,
                                        const TextPair& input, std::size_t& total) const {
  CANDOR_TRY(const std::string text, Render(layout.prompt.text, input));
  text::EncodeOptions options = layout.encode;
  options.add_special = false;
  CANDOR_TRY(text::Encoding e, tokenizer.Encode(text, options));
  total = e.total;
  // The reference cannot tell a text that was cut from one that just fits.
  if (options.max_length == 0 || e.ids.size() < options.max_length) return e;
  // No tail is known where the template refuses the texts that it is sought with.
  const Result<std::vector<std::int32_t>> tail = Tail(tokenizer, layout, input.pair.has_value());
  if (!tail) return e;
  const std::size_t kept = std::min(tail->size(), e.ids.size());
  std::copy(tail->end() - static_cast<std::ptrdiff_t>(kept), tail->end(),
            e.ids.end() - static_cast<std::ptrdiff_t>(kept));
  return e;
}

std::string ChatText::Description() const {
  std::string out = "sha256:" + parts_.digest + (parts_.structured ? ", typed contents" : ", plain contents");
  if (parts_.generation_prompt) out += ", with the beginning of an answer";
  for (const auto& [name, value] : parts_.variables) out += ", " + name;
  return out;
}

}  // namespace candor::tasks
