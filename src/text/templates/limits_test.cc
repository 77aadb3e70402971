// What a hostile template may not exceed, and where a package's template is read from.
#include <gtest/gtest.h>

#include "package/test_folder.h"
#include "text/templates/chat.h"
#include "text/templates/package_templates.h"
#include "text/templates/template.h"

namespace candor::text::jinja {
namespace {

const Where kPlace = Where::At("chat_template.jinja");

std::string Repeated(std::string_view what, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += what;
  return out;
}

TEST(TemplateLimits, Nesting) {
  const auto code = [](const std::string& text) -> std::string {
    const auto chat = Template::Parse(text, kPlace);
    return chat ? "read" : std::string(Info(chat.error()[0].code).name);
  };
  EXPECT_EQ(code("{{ " + Repeated("(", 50) + "x" + Repeated(")", 50) + " }}"), "read");
  EXPECT_EQ(code("{{ " + Repeated("(", 20'000) + "x" + Repeated(")", 20'000) + " }}"), "artifact_too_large");
  EXPECT_EQ(code("{{ " + Repeated("[", 20'000)), "artifact_too_large");
  EXPECT_EQ(code("{{ " + Repeated("not ", 20'000) + "x }}"), "artifact_too_large");
  EXPECT_EQ(code("{{ " + Repeated("-", 20'000) + "x }}"), "artifact_too_large");
  EXPECT_EQ(code("{{ x" + Repeated(" + x", 20'000) + " }}"), "artifact_too_large");
  EXPECT_EQ(code("{{ x" + Repeated("|trim", 20'000) + " }}"), "artifact_too_large");
  EXPECT_EQ(code("{{ x" + Repeated(".y", 20'000) + " }}"), "artifact_too_large");
  EXPECT_EQ(code("{{ x" + Repeated(" if x else x", 10'000) + " }}"), "artifact_too_large");
  EXPECT_EQ(code("{{ x" + Repeated(" ~ x", 20'000) + " }}"), "read");  // one node with many parts
  EXPECT_EQ(code(Repeated("{% if x %}", 20'000)), "artifact_too_large");
  EXPECT_EQ(code(Repeated("{% if x %}", 50) + Repeated("{% endif %}", 50)), "read");
}

struct Case {
  const char *text, *found;
};

TEST(TemplateLimits, WorkTextAndMemory) {
  const Case cases[] = {
      {"{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}", "more work"},
      {"{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "deeper nesting"},
      {"{% set x = 'xxxxxxxx' %}{% set n = namespace(x=x) %}{% for a in range(60) %}{% set n.x = n.x ~ n.x "
       "%}{% endfor %}",
       "larger values"},
      {"{% set n = namespace(x=[1]) %}{% for a in range(60) %}{% set n.x = n.x + n.x %}{% endfor %}",
       "larger values"},
      {"{{ 'x' * 9223372036854775807 }}", "larger values"},
      {"{{ [1] * 9223372036854775807 }}", "larger values"},
      {"{{ 'a'|indent(9223372036854775807) }}", "larger values"},
      {"{{ [[1]]|tojson(indent=9223372036854775807) }}", "larger values"},
      {"{% set x = 'x' * 1000000 %}{{ x.replace('x', x) }}", "larger values"},
      {"{% set x = 'x' * 1000000 %}{% for a in range(1000) %}{{ x }}{% endfor %}", "more output"},
      {"{% set n = namespace(x=1) %}{% for a in range(5000) %}{% set n.x = [n.x] %}{% endfor %}",
       "lists inside of each other"},
      {"{% set n = namespace(x=1) %}{% for a in range(5000) %}{% set n.x = {'k': n.x} %}{% endfor %}",
       "lists inside of each other"},
      {"{% set n = namespace(x=1) %}{% for a in range(5000) %}{% set n.x = [missing]|map('default', n.x) "
       "%}{% endfor %}",
       "lists inside of each other"},
      {"{% set n = namespace(x=1) %}{% for a in range(5000) %}{% for b in [n.x] %}{% set n.x = loop %}{% "
       "endfor %}"
       "{% endfor %}",
       "lists inside of each other"},
      {"{% set x = range(100000)|list %}{% for a in x %}{{ 5 in x and x == x }}{% endfor %}", "more work"},
      {"{% set x = 'ab' * 4000000 %}{% for a in range(100000) %}{% if 'c' in x %}{% endif %}{% endfor %}",
       "more work"},
  };
  for (const Case& limit : cases) {
    const auto chat = Template::Parse(limit.text, kPlace);
    ASSERT_TRUE(chat) << limit.text;
    const auto text = (*chat)->Render(Value::Dict({}));
    ASSERT_FALSE(text) << limit.text;
    EXPECT_EQ(Info(text.error().code).name, "input_too_large") << limit.text;
    EXPECT_NE(text.error().found.find(limit.found), std::string::npos)
        << limit.text << ": " << text.error().found;
    EXPECT_EQ(text.error().where.line, 1);
  }
}

// A namespace may refer to itself; nothing of it outlives the render.
TEST(TemplateLimits, NamespacesInCircles) {
  const auto chat = Template::Parse(
      "{% set n = namespace() %}{% set n.n = n %}{% set n.l = [n] %}{{ n.n.n.l|length }}", kPlace);
  ASSERT_TRUE(chat);
  EXPECT_EQ(*(*chat)->Render(Value::Dict({})), "1");
}

TEST(TemplateReads, NamesOfTheCaller) {
  const auto chat = Template::Parse(
      "{{ bos_token }}{% set a = 1 %}{{ a }}{% for m in messages %}{{ m.role }}{% if task is defined %}{{ "
      "task }}"
      "{% endif %}{% endfor %}{{ range(3)|list }}",
      kPlace);
  ASSERT_TRUE(chat);
  EXPECT_EQ((*chat)->reads(), (std::vector<std::string>{"bos_token", "messages", "range", "task"}));
  EXPECT_TRUE((*chat)->Reads("task"));
  EXPECT_FALSE((*chat)->Reads("eos_token"));
}

Planned<PackageTemplates> ReadFrom(const package::TestFolder& folder) {
  const auto package = package::Package::Open(folder.path());
  if (!package) return Problems{package.error()};
  return ReadPackageTemplates(**package);
}

TEST(PackageTemplates, WhereTheyStand) {
  const package::TestFolder folder("templates");
  folder.Write("config.json", "{}");
  auto read = ReadFrom(folder);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->Choose(""), nullptr);

  folder.Write(
      "tokenizer_config.json",
      R"({"chat_template":"one","bos_token":"<s>","eos_token":{"content":"</s>"},"pad_token":null})");
  read = ReadFrom(folder);
  ASSERT_TRUE(read && read->Choose("") != nullptr);
  EXPECT_EQ(read->Choose("")->text, "one");
  EXPECT_EQ(read->Choose("")->place, Where::At("tokenizer_config.json", "/chat_template"));
  ASSERT_EQ(read->special_tokens.size(), 2u);
  EXPECT_EQ(read->special_tokens[0].first, "bos_token");
  EXPECT_EQ(read->special_tokens[1].second.text(), "</s>");

  folder.Write("tokenizer_config.json",
               R"({"chat_template":[{"name":"default","template":"a"},{"name":"tool_use","template":"b"},)"
               R"({"name":"rag","template":"c"}]})");
  read = ReadFrom(folder);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->Choose("")->text, "a");
  EXPECT_EQ(read->Choose("", true)->text, "b");
  EXPECT_EQ(read->Choose("rag", true)->text, "c");
  EXPECT_EQ(read->Choose("none"), nullptr);
  EXPECT_EQ(read->Choose("rag")->place.pointer, "/chat_template/2/template");

  folder.Write("chat_template.jinja", "{{ file }}\n");
  folder.Write("chat_template.json", R"({"chat_template":"of a processor"})");
  read = ReadFrom(folder);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->templates.size(), 1u);
  EXPECT_EQ(read->Choose("", true)->text, "{{ file }}\n");
  EXPECT_EQ(read->Choose("")->place, Where::At("chat_template.jinja"));
  EXPECT_TRUE(read->of_processor);

  folder.Write("additional_chat_templates/rag.jinja", "more");
  read = ReadFrom(folder);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->templates.size(), 2u);
  EXPECT_EQ(read->Choose("rag")->text, "more");

  folder.Remove("chat_template.jinja");
  read = ReadFrom(folder);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->Choose(""), nullptr);  // the files count alone, and none is the default
}

TEST(PackageTemplates, Refusals) {
  for (const auto& [config, pointer] : {std::pair{R"({"chat_template":5})", "/chat_template"},
                                        std::pair{R"({"chat_template":[{"name":"a"}]})", "/chat_template/0"},
                                        std::pair{R"({"chat_template":[7]})", "/chat_template/0"}}) {
    const package::TestFolder folder("templates");
    folder.Write("config.json", "{}");
    folder.Write("tokenizer_config.json", config);
    const auto read = ReadFrom(folder);
    ASSERT_FALSE(read) << config;
    EXPECT_EQ(read.error()[0].code, Code::kInvalidPackageSchema);
    EXPECT_EQ(read.error()[0].where.pointer, pointer);
  }
}

TEST(ChatContext, Refusals) {
  EXPECT_FALSE(ChatContext({.messages = {}}));
  EXPECT_FALSE(ChatContext({.messages = {Value::String("x")}}));
  EXPECT_FALSE(ChatContext({.messages = {Message("user", "x")}, .variables = {{"messages", Value::None()}}}));
  EXPECT_TRUE(ChatContext({.messages = {Message("user", "x")}}));
}

}  // namespace
}  // namespace candor::text::jinja
