// From a package's files to its ChatText.
#include <algorithm>
#include <iterator>

#include "base/sha256.h"
#include "tasks/chat_text.h"

namespace candor::tasks {
namespace {

namespace jinja = text::jinja;
using jinja::Value;

constexpr std::string_view kModalities = "modality_config", kKwargs = "processing_kwargs";

void Push(Problems& problems, Code code, Where where, std::string found, std::string allowed) {
  problems.push_back({code, std::move(where), std::move(found), std::move(allowed), Phase::kProcessing});
}

std::string Quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

// What the settings say of conversations.
struct Settings {
  bool used = false;
  std::string format = "auto";
  bool generation_prompt = false;
  std::vector<std::pair<std::string, Value>> variables;
};

// Only text and conversations of text, through the model's own forward pass.
void ReadModalities(const package::Config& config, const EncoderOutput& output, Settings& out,
                    Problems& problems) {
  const auto modalities = config.Inside(kModalities, problems);
  if (!modalities) return;  // texts alone
  for (const std::string& key : modalities->Keys()) {
    if (key != "text" && key != "message") {
      Push(problems, Code::kUnsupportedProcessorRecipe, modalities->At(key), key, "text, message");
      continue;
    }
    const auto entry = modalities->Inside(key, problems);
    if (!entry) continue;
    OnlyNeutral(*entry, "method", {"\"forward\""}, Code::kUnsupportedProcessorRecipe, problems);
    OnlyNeutral(*entry, "method_output_name", {Quoted(output.of_model)}, Code::kUnsupportedProcessorRecipe,
                problems);
    for (const char* needed : {"method", "method_output_name"})
      if (!entry->Has(needed))
        Push(problems, Code::kInvalidPackageSchema, entry->At(needed), entry->Shown(needed), "a name");
    if (key != "message") continue;
    out.used = true;
    OnlyNeutral(*entry, "format", {"\"flat\"", "\"structured\"", "\"auto\""},
                Code::kUnsupportedProcessorRecipe, problems);
    out.format = entry->Text("format", "auto", problems);
  }
}

// Keywords of apply_chat_template that are no variables of a template.
constexpr std::string_view kOwnWords[] = {
    "conversation", "tools",          "documents",        "chat_template",
    "tokenize",     "return_tensors", "return_dict",      "return_assistant_tokens_mask",
    "padding",      "truncation",     "max_length",       "continue_final_message",
    "messages",     "restore_suffix", "tokenizer_kwargs", "sanitize_control_tokens",
    "common_kwargs"};

void ReadKwargs(const package::Config& config, Settings& out, Problems& problems) {
  const auto groups = config.Inside(kKwargs, problems);
  if (!groups) return;
  for (const std::string& group : groups->Keys()) {
    if (group == "chat_template") continue;
    OnlyNeutral(*groups, group,
                group == "text" ? std::initializer_list<std::string_view>{"{}", "{\"logits_to_keep\":1}"}
                                : std::initializer_list<std::string_view>{"{}"},
                Code::kUnsupportedProcessorRecipe, problems);
  }
  const auto chat = groups->Inside("chat_template", problems);
  if (!chat) return;
  for (const std::string& key : chat->Keys()) {
    if (key == "add_generation_prompt") {
      out.generation_prompt = chat->Flag(key, false, problems);
    } else if (std::ranges::find(kOwnWords, key) != std::end(kOwnWords)) {
      Push(problems, Code::kUnsupportedProcessorRecipe, chat->At(key), key,
           "add_generation_prompt, and variables of the template");
    } else if (auto value = Value::FromJson(*chat->Raw(key), key)) {
      out.variables.emplace_back(key, *std::move(value));
    } else {
      problems.push_back(value.error());
      problems.back().where = chat->At(key);
    }
  }
}

// The reference's guess by what the template looks at; it does not look into one of several.
bool IsStructured(const Settings& settings, const jinja::NamedTemplate& chosen,
                  const jinja::PackageTemplates& all) {
  if (settings.format != "auto") return settings.format == "structured";
  const bool listed = all.templates.size() > 1 || chosen.place.pointer.starts_with("/chat_template/");
  if (listed || chosen.text.empty()) return true;
  for (const char* sign : {"content[0]", ".type", "'type'", "\"type\"", "item.type", "message.content["})
    if (chosen.text.find(sign) != std::string::npos) return true;
  return false;
}

// A template that does not write both texts makes scores of nothing: the reference tries it, and so does
// this.
void TryPairs(const ChatText& chat, const Where& place, Problems& problems) {
  const auto render = [&](const char* query, const char* document) {
    auto text = chat.Render("", {query, document});
    if (text) return std::optional<std::string>(*std::move(text));
    problems.push_back(text.error());
    Error& e = problems.back();
    if (e.code == Code::kInvalidInput) e.code = Code::kUnsupportedProcessorRecipe;
    e.phase = Phase::kProcessing;
    return std::optional<std::string>();
  };
  const auto base = render("alpha", "bravo");
  if (!base) return;
  const auto query = render("charlie", "bravo");
  if (!query) return;
  const auto document = render("alpha", "foxtrot");
  if (!document) return;
  for (const auto& [text, role] : {std::pair(&*query, "query"), std::pair(&*document, "document")})
    if (*text == *base)
      Push(problems, Code::kUnsupportedProcessorRecipe, place, std::string("no text of the role ") + role,
           "a template that writes the messages of the roles query and document");
}

}  // namespace

std::shared_ptr<const ChatText> ReadChat(const package::Package& package,
                                         const std::shared_ptr<package::ReadLog>& log,
                                         const EncoderOutput& output, bool pairs, Problems& problems) {
  const std::size_t before = problems.size();
  const bool manifest = package.Has("modules.json");
  Settings settings;
  if (manifest) {
    const std::optional<package::Config> config = EncoderConfig(package, log);
    if (!config) return nullptr;
    ReadModalities(*config, output, settings, problems);
    ReadKwargs(*config, settings, problems);
    if (problems.size() != before || !settings.used) return nullptr;
    if (!package.encoder().empty()) {
      Push(problems, Code::kUnsupportedProcessorRecipe, config->At(kModalities),
           "a conversation in " + package.encoder(), "an encoder in the package's root, beside its template");
      return nullptr;
    }
  }
  Planned<jinja::PackageTemplates> templates = jinja::ReadPackageTemplates(package);
  if (!templates) {
    std::ranges::copy(templates.error(), std::back_inserter(problems));
    return nullptr;
  }
  if (!manifest && templates->templates.empty()) return nullptr;
  const jinja::NamedTemplate* chosen = templates->Choose("");
  if (chosen == nullptr) {
    Push(problems, Code::kComponentMissing, Where::At("chat_template.jinja"),
         templates->templates.empty() ? "no template" : "none that is named default",
         "the template that " + std::string(kModalities) + " asks for");
    return nullptr;
  }
  auto parsed = jinja::Template::Parse(chosen->text, chosen->place);
  if (!parsed) {
    std::ranges::copy(parsed.error(), std::back_inserter(problems));
    return nullptr;
  }
  for (const char* token : {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token",
                            "mask_token", "common_kwargs"}) {
    const bool written = std::ranges::any_of(templates->special_tokens,
                                             [&](const auto& known) { return known.first == token; });
    if (!written && (*parsed)->Reads(token))
      Push(problems, Code::kUnsupportedProcessorRecipe, chosen->place, "reads " + std::string(token),
           "special tokens that tokenizer_config.json writes");
  }
  if (problems.size() != before) return nullptr;
  auto chat =
      std::make_shared<const ChatText>(ChatParts{.chat = *std::move(parsed),
                                                 .digest = Sha256Hex(chosen->text),
                                                 .structured = IsStructured(settings, *chosen, *templates),
                                                 .generation_prompt = settings.generation_prompt,
                                                 .tokens = templates->special_tokens,
                                                 .variables = std::move(settings.variables)});
  if (pairs) TryPairs(*chat, chosen->place, problems);
  if (problems.size() != before) return nullptr;
  log->Add({"recipe.chat", "template", "registry_mapping", chosen->place.file, chosen->place.pointer,
            "texts are messages of a conversation", true});
  return chat;
}

}  // namespace candor::tasks
