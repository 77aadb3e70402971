// Renders as the reference library: goldens/templates, made by tools/oracle/make_template_goldens.py and
// compare_templates.py, which compares many more.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "io/json.h"
#include "text/templates/chat.h"
#include "text/templates/template.h"

namespace candor::text::jinja {
namespace {

const std::string kFolder = CANDOR_SOURCE_DIR "/goldens/templates/";
const RenderOptions kOptions = {
    .now = Moment{.year = 2024, .month = 7, .day = 26, .hour = 9, .minute = 5, .second = 7}};

io::Json Golden(const std::string& name) {
  std::ifstream file(kFolder + name + ".json", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  auto json = io::ParseJson(text, name);
  EXPECT_TRUE(json) << name;
  return json ? *json : io::Json();
}

Value Converted(const io::Json& json) {
  auto value = Value::FromJson(json, "golden");
  EXPECT_TRUE(value);
  return value ? *value : Value::None();
}

std::vector<std::pair<std::string, Value>> Variables(const io::Json* object) {
  std::vector<std::pair<std::string, Value>> out;
  if (object != nullptr)
    for (const io::JsonMember& member : object->members())
      out.emplace_back(member.key, Converted(member.value));
  return out;
}

Result<Value> ContextOf(const io::Json& chats, const io::Json& golden_case) {
  const io::Json& setting =
      chats.Find("settings")->items()[static_cast<std::size_t>(golden_case.Find("setting")->as_int())];
  Chat chat;
  for (const io::Json& message : chats.Find("chats")->Find(golden_case.Find("chat")->as_string())->items())
    chat.messages.push_back(Converted(message));
  chat.special_tokens = Variables(chats.Find("special_tokens"));
  chat.variables = Variables(setting.Find("variables"));
  if (setting.Find("tools") != nullptr) chat.tools = Converted(*setting.Find("tools"));
  if (setting.Find("documents") != nullptr) chat.documents = Converted(*setting.Find("documents"));
  const io::Json* const prompt = setting.Find("add_generation_prompt");
  chat.add_generation_prompt = prompt != nullptr && prompt->as_bool();
  return ChatContext(chat);
}

// Empty when `text` is a template that answers what the case says, else what came instead. What the reference
// refuses must be refused, and what a template itself says then is said.
std::string Difference(std::string_view text, const Value& context, const io::Json& golden_case) {
  const io::Json* const wanted = golden_case.Find("text");
  const auto judged = [&](const Error& error) -> std::string {
    const io::Json* const says = golden_case.Find("says");
    const bool right_code = error.code == Code::kInvalidInput || error.code == Code::kArtifactMalformed ||
                            error.code == Code::kUnsupportedProcessorRecipe;
    if (wanted == nullptr && right_code && error.where.line > 0 &&
        (says == nullptr || error.found.ends_with(says->as_string())))
      return "";
    return "refused: " + Message(error);
  };
  const auto chat = Template::Parse(text, Where::At("template"));
  if (!chat) return judged(chat.error()[0]);
  const auto answer = (*chat)->Render(context, kOptions);
  if (!answer) return judged(answer.error());
  if (wanted == nullptr) return "not refused: " + *answer;
  return *answer == wanted->as_string()
             ? ""
             : "rendered " + *answer + "\ninstead of " + std::string(wanted->as_string());
}

TEST(TemplateGolden, TemplatesOfEveryShape) {
  const io::Json chats = Golden("chats");
  std::size_t templates = 0, cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    const std::string name = entry.path().stem().string();
    if (name == "chats" || name == "quirks" || name == "random") continue;
    ++templates;
    const io::Json golden = Golden(name);
    for (const io::Json& golden_case : golden.Find("cases")->items()) {
      ++cases;
      const auto context = ContextOf(chats, golden_case);
      ASSERT_TRUE(context);
      EXPECT_EQ(Difference(golden.Find("template")->as_string(), *context, golden_case), "")
          << name << ": " << golden_case.Find("chat")->as_string() << golden_case.Find("setting")->as_int();
    }
  }
  EXPECT_GE(templates, 14u);
  EXPECT_GE(cases, 700u);
}

// A random template may be outside of the subset, but few are.
TEST(TemplateGolden, QuirksAndRandomTemplates) {
  const std::string kOutside(Info(Code::kUnsupportedProcessorRecipe).summary);
  for (const char* name : {"quirks", "random"}) {
    const io::Json golden = Golden(name);
    const Value context = Converted(*golden.Find("context"));
    std::size_t rendered = 0, outside = 0;
    for (const io::Json& golden_case : golden.Find("cases")->items()) {
      const std::string_view text = golden_case.Find("template")->as_string();
      const std::string difference = Difference(text, context, golden_case);
      if (std::string_view(name) == "random" && difference.find(kOutside) != std::string::npos) {
        ++outside;
        continue;
      }
      rendered += difference.empty() && golden_case.Find("text") != nullptr;
      EXPECT_EQ(difference, "") << text;
    }
    EXPECT_GE(rendered, 80u) << name;
    EXPECT_LE(outside, rendered / 10) << name;
  }
}

// Many threads render one template with one context.
TEST(TemplateGolden, RendersAtOnce) {
  const io::Json golden = Golden("quirks");
  const Value context = Converted(*golden.Find("context"));
  const auto chat = Template::Parse(
      "{% set ns = namespace(n=0) %}{% for m in messages %}{% set ns.n = ns.n + loop.length %}{{ m.role ~ "
      "ns.n }}"
      "{% for k, v in m|items %}{{ k ~ v|string|length }}{% endfor %}{% endfor %}",
      Where::At("template"));
  ASSERT_TRUE(chat);
  const std::string alone = *(*chat)->Render(context);
  std::vector<std::string> answers(4);
  std::vector<std::thread> threads;
  for (std::string& answer : answers)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) answer = *(*chat)->Render(context);
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& answer : answers) EXPECT_EQ(answer, alone);
}

}  // namespace
}  // namespace candor::text::jinja
