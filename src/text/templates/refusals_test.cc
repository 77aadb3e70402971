// What is outside of the subset, no template at all, or not to be rendered: each with its line and its
// expression.
#include <gtest/gtest.h>

#include <set>

#include "text/templates/template.h"

namespace candor::text::jinja {
namespace {

struct Refusal {
  const char* text;
  Code code;
  std::int64_t line;
  const char *found, *allowed;  // `allowed` null: not compared, a list of names
};

constexpr Code kOutside = Code::kUnsupportedProcessorRecipe, kWrong = Code::kInvalidInput,
               kMalformed = Code::kArtifactMalformed;

// When the template is read.
constexpr Refusal kReading[] = {
    {"a\n{% include 'x' %}", kOutside, 2, "`{% include`: a tag that is not implemented",
     "break, continue, for, generation, if, macro, raw, set"},
    {"{% extends 'x' %}", kOutside, 1, "`{% extends`: a tag that is not implemented", nullptr},
    {"{%- call f() %}x{% endcall %}", kOutside, 1, "`{%- call`: a tag that is not implemented", nullptr},
    {"{% filter upper %}x{% endfilter %}", kOutside, 1, "`{% filter`: a tag that is not implemented",
     nullptr},
    {"{% autoescape true %}{% endautoescape %}", kOutside, 1,
     "`{% autoescape`: a tag that is not implemented", nullptr},
    {"\n\n{{ x | shout }}", kOutside, 3, "`x | shout`: no filter \"shout\" here", nullptr},
    {"{{ x|wordwrap(3)\n|upper }}", kOutside, 1, "`x|wordwrap(3)`: no filter \"wordwrap\" here", nullptr},
    {"{{ x is loud }}", kOutside, 1, "`x is loud`: no test \"loud\" here", nullptr},
    {"{% if x is escaped %}{% endif %}", kOutside, 1, "`x is escaped`: no test \"escaped\" here", nullptr},
    {"{{ x|map('shout')|list }}", kOutside, 1, "`x|map('shout')`: no filter \"shout\" here", nullptr},
    {"{{ x|selectattr('a', 'loud')|list }}", kOutside, 1,
     "`x|selectattr('a', 'loud')`: no test \"loud\" here", nullptr},
    {"{{ x|trim(1, 2) }}", kOutside, 1, "`x|trim(1, 2)`: trim with 2 arguments",
     "the arguments that are implemented"},
    {"{{ x|int(0, 16) }}", kOutside, 1, "`x|int(0, 16)`: int with 2 arguments", nullptr},
    {"{{ x|replace('a') }}", kOutside, 1, "`x|replace('a')`: replace with too few arguments", nullptr},
    {"{{ x|tojson(cls=1) }}", kOutside, 1, "`x|tojson(cls=1)`: tojson with an argument \"cls\"", nullptr},
    {"{{ x is divisibleby }}", kOutside, 1, "`x is divisibleby`: divisibleby with too few arguments",
     nullptr},
    {"{{ f(*x) }}", kOutside, 1, "`*x`: arguments from a list or a dictionary", "arguments one by one"},
    {"{{ f(**x) }}", kOutside, 1, "`**x`: arguments from a list or a dictionary", "arguments one by one"},
    {"{{ x.__class__ }}", kOutside, 1, "`__class__`: an attribute of Python's own", "attributes of the data"},
    {"{{ (x|safe) ~ y }}", kOutside, 1, "`(x|safe)`: safe inside of an expression",
     "safe at the end of an output"},
    {"{{ joiner() }}", kOutside, 1, "`joiner`: a function that is not implemented", nullptr},
    {"{{ self.block() }}", kOutside, 1, "`self`: a function that is not implemented", nullptr},
    {"{% for x in y recursive %}{% endfor %}", kOutside, 1, "`recursive`: a loop that calls itself",
     "loops inside each other"},
    {"{% set loop = 1 %}", kOutside, 1, "`loop`: a variable in the place of a loop's own", "another name"},
    {"{% macro a() %}{% macro b() %}{% endmacro %}{% endmacro %}", kOutside, 1,
     "`{% macro`: a macro inside of another", "macros beside each other"},
    {"{% macro a() %}{{ caller() }}{% endmacro %}", kOutside, 1,
     "`{% macro a() %}`: a macro that asks for caller", "the parameters it names"},
    {"{{ -2 ** x }}", kOutside, 1, "`-2`: a power of a number with a sign", "the number in a variable"},
    {"{% set x | replace(a, b) %}y{% endset %}", kOutside, 1, "`a`: an argument that is computed",
     "texts and numbers in the filter of a set"},
    {"{{ \xc3\xa9 }}", kOutside, 1, "`\xc3\xa9`: a name with letters beyond ASCII",
     "ASCII outside of strings"},
    {"{{ 9223372036854775808 }}", kOutside, 1, "`9223372036854775808`: a number beyond 64 bits",
     "whole numbers of 64 bits"},
    {"{{ 1e999 }}", kOutside, 1, "`1e999`: a number without a double", "numbers that are finite"},
    {"{{ '\\ud83d' }}", kOutside, 1, "`'\\ud83d'`: half a surrogate pair", "whole characters"},
    {"{{ '\\N{DASH}' }}", kOutside, 1, "`'\\N{DASH}'`: a character by its name", "\\u with its number"},
    {"{{ x", kMalformed, 1, "the end of the template", "}}"},
    {"a\n{% if x %}\nb", kMalformed, 3, "the end of the template", "{% endif %}"},
    {"{% endfor %}", kMalformed, 1, "`{% endfor`: no tag that could stand here", nullptr},
    {"{% nonsense %}", kMalformed, 1, "`{% nonsense`: no tag that could stand here", nullptr},
    {"{{ x y }}", kMalformed, 1, "`y`: unexpected here", "}}"},
    {"{{ (x] }}", kMalformed, 1, "`]`: a bracket that closes another", ")"},
    {"{{ x) }}", kMalformed, 1, "`)`: a bracket that closes nothing", "brackets in pairs"},
    {"{{ 'x }}", kMalformed, 1, "`'x }}`: a string without an end", "'"},
    {"{# x", kMalformed, 1, "`{# x`: a comment without an end", "#}"},
    {"{% raw %}x", kMalformed, 1, "`{% raw %}x`: a raw part without an end", "{% endraw %}"},
    {"{{ x ! y }}", kMalformed, 1, "`!`: a character that starts nothing", "an operator, a name or a value"},
    {"{% break %}", kMalformed, 1, "`break`: outside of a loop", "a for around it"},
    {"{% for x in y %}{% generation %}{% break %}{% endgeneration %}{% endfor %}", kMalformed, 1,
     "`break`: outside of a loop", "a for around it"},
    {"{% set 'x' = 1 %}", kMalformed, 1, "`'x'`: nothing that can be set", "a name, or names with commas"},
    {"{% set none = 1 %}", kMalformed, 1, "`none`: nothing that can be set", "a name, or names with commas"},
    {"{{ f(a=1, a=2) }}", kMalformed, 1, "`a`: unexpected here", "each name once"},
    {"{{ f(a=1, 2) }}", kMalformed, 1, "`(a=1, 2`: an argument behind a named one", "named arguments last"},
    {"{% macro f(a=1, b) %}{% endmacro %}", kMalformed, 1, "`)`: unexpected here",
     "a default behind a default"},
    {"{{ x is a is b }}", kMalformed, 1, "`is`: unexpected here", "one test alone"},
};

// When it runs, over the variables below.
constexpr Refusal kRendering[] = {
    {"a\n{{ missing.x }}", kWrong, 2, "`missing.x`: 'missing' is undefined",
     "a request that the template accepts"},
    {"{{ s + 1 }}", kWrong, 1, "`s + 1`: + of str and int", "values that it takes"},
    {"{{ 'a' ~ (n + s) }}", kWrong, 1, "`(n + s)`: + of int and str", "values that it takes"},
    {"{% for x in n %}{% endfor %}", kWrong, 1, "`n`: a int has no items", "a list, a dictionary or a text"},
    {"{{ raise_exception('No ' ~ s) }}", kWrong, 1,
     "`raise_exception('No ' ~ s)`: the template refuses: No text", "a request that the template accepts"},
    {"{{ s.nothing() }}", kWrong, 1, "`s.nothing()`: 'str object' has no attribute 'nothing'", nullptr},
    {"{{ l.append(1) }}", kWrong, 1,
     "`l.append(1)`: access to attribute 'append' of 'list' object is unsafe.", nullptr},
    {"{{ n() }}", kWrong, 1, "`n()`: a int is called", "a macro or a function"},
    {"{% set a, b = [1] %}", kWrong, 1, "`{% set a, b = [1] %}`: 1 values for 2 names", "as many as names"},
    {"{% set d.x = 1 %}", kOutside, 1, "`{% set d.x = 1 %}`: a key of a dictionary that is set",
     "an attribute of a namespace"},
    {"{% set s.x = 1 %}", kWrong, 1, "`{% set s.x = 1 %}`: an attribute of what is no namespace",
     "namespace()"},
    {"{% macro m(a) %}{% endmacro %}\n{{ m(1, 2) }}", kWrong, 2,
     "`m(1, 2)`: macro 'm' takes not more than 1 argument(s)", nullptr},
    {"{% macro m(a) %}{% endmacro %}{{ m(b=2) }}", kWrong, 1,
     "`m(b=2)`: macro 'm' takes no keyword argument 'b'", nullptr},
    {"{{ 1 // 0 }}", kWrong, 1, "`1 // 0`: division by zero", "a divisor that is not 0"},
    {"{{ n < s }}", kWrong, 1, "`n < s`: an order between int and str", nullptr},
    {"{{ n in s }}", kWrong, 1, "`n in s`: a text is asked for a int", "a text in a text"},
    {"{{ {l: 1} }}", kWrong, 1, "`{l: 1}`: a list as a key", "a text or a number"},
    {"{{ l|tojson|length + missing }}", kWrong, 1, "`l|tojson|length + missing`: 'missing' is undefined",
     nullptr},
    {"{{ missing|tojson }}", kWrong, 1, "`missing|tojson`: JSON of a Undefined",
     "texts, numbers, lists and dictionaries"},
    {"{{ n|length }}", kWrong, 1, "`n|length`: the length of a int", "a list, a dictionary or a text"},
    {"{{ s[::0] }}", kWrong, 1, "`s[::0]`: a slice with steps of 0", "steps that move"},
    {"{{ s['a':] }}", kWrong, 1, "`s['a':]`: a slice from or to a str", "whole numbers as bounds"},
    {"{{ s.split('') }}", kWrong, 1, "`s.split('')`: an empty separator", "a text to split at"},
    {"{{ s.index('z') }}", kWrong, 1, "`s.index('z')`: substring not found", "a text that is in it"},
    {"{{ s.strip(1) }}", kWrong, 1, "`s.strip(1)`: a int as an argument", "a text"},
    {"{{ s.encode() }}", kOutside, 1, "`s.encode()`: the method encode of a str", nullptr},
    {"{{ '%s' % s }}", kOutside, 1, "`'%s' % s`: formatting with %", "texts joined with ~"},
    {"{{ l|map('string') }}", kOutside, 1, "`{{`: the text of a generator",
     "texts, numbers, lists and dictionaries"},
    {"{{ d.items() }}", kOutside, 1, "`{{`: the text of a dict view", nullptr},
    {"{{ '' ~ d.get }}", kOutside, 1, "`'' ~ d.get`: the text of a method", nullptr},
    {"{{ strftime_now('%d') }}", kOutside, 1,
     "`strftime_now('%d')`: strftime_now, whose answer depends on the day",
     "a template with a fixed date, or a date"},
    {"{{ 9223372036854775807 + n }}", kOutside, 1, "`9223372036854775807 + n`: a whole number beyond 64 bits",
     "whole numbers of 64 bits"},
    {"{{ 1e308 * 10 }}", kOutside, 1, "`1e308 * 10`: a number that is not finite", "numbers that are finite"},
    {"{{ '\xc3\xa9'|upper }}", kOutside, 1,
     "`'\xc3\xa9'|upper`: letters beyond ASCII, whose case needs Python's tables", "ASCII"},
    {"{{ s is sameas(s) }}", kOutside, 1, "`s is sameas(s)`: whether two values are one in memory", nullptr},
    {"{{ n.real }}", kOutside, 1, "`n.real`: the attribute real of a int", "attributes of the data"},
    {"{{ l|map(s) }}", kOutside, 1, "`{{`: the text of a generator", nullptr},
    {"{{ l|map(s)|list }}", kOutside, 1, "`l|map(s)|list`: no filter \"text\" here", nullptr},
    {"{{ range(100001) }}", kWrong, 1, "`range(100001)`: a range of more items", "at most 100000"},
    {"{% for x in l %}{% set o = loop %}{% set ns = namespace(l=o) %}{% endfor %}{{ namespace(_x=1) }}",
     kWrong, 1, "`namespace(_x=1)`: an attribute of a namespace with an underscore in front", "other names"},
};

Value Variables() {
  return Value::Dict({{Value::String("s"), Value::String("text")},
                      {Value::String("n"), Value::Int(5)},
                      {Value::String("l"), Value::List({Value::Int(1), Value::Int(2)})},
                      {Value::String("d"), Value::Dict({{Value::String("k"), Value::Int(1)}})}});
}

void Check(const Refusal& want, const Error& is, std::set<std::string>& seen) {
  EXPECT_EQ(Info(is.code).name, Info(want.code).name) << want.text;
  EXPECT_EQ(is.where.file, "tokenizer_config.json");
  EXPECT_EQ(is.where.pointer, "/chat_template");
  EXPECT_EQ(is.where.line, want.line) << want.text;
  EXPECT_EQ(is.found, want.found) << want.text;
  EXPECT_EQ(is.allowed, want.allowed != nullptr ? want.allowed : is.allowed) << want.text;
  EXPECT_FALSE(is.allowed.empty()) << want.text;
  seen.insert(is.found.substr(is.found.find("`: ") + 1));
}

const Where kPlace = Where::At("tokenizer_config.json", "/chat_template");

TEST(TemplateRefusals, WhenItIsRead) {
  std::set<std::string> seen;
  for (const Refusal& want : kReading) {
    const auto chat = Template::Parse(want.text, kPlace);
    ASSERT_FALSE(chat) << want.text;
    Check(want, chat.error()[0], seen);
    EXPECT_EQ(chat.error()[0].phase, Phase::kProcessing);
  }
  EXPECT_GE(seen.size(), 35u);
}

TEST(TemplateRefusals, WhenItRuns) {
  std::set<std::string> seen;
  for (const Refusal& want : kRendering) {
    const auto chat = Template::Parse(want.text, kPlace);
    ASSERT_TRUE(chat) << want.text << ": " << Message(chat.error()[0]);
    const auto text = (*chat)->Render(Variables());
    ASSERT_FALSE(text) << want.text << " gives " << *text;
    Check(want, text.error(), seen);
    EXPECT_EQ(text.error().phase, Phase::kRequest);
  }
  EXPECT_GE(seen.size(), 30u);
}

// All that is outside of the subset at once, in the order of lines, and what ends the reading last.
TEST(TemplateRefusals, AreListedTogether) {
  const auto chat = Template::Parse("{{ a|one }}\n{{ b is two }}{{ c|three }}\n{{ d", kPlace);
  ASSERT_FALSE(chat);
  std::string found;
  for (const Error& error : chat.error())
    found += std::to_string(error.where.line) + ' ' + error.found + '\n';
  EXPECT_EQ(found,
            "1 `a|one`: no filter \"one\" here\n2 `b is two`: no test \"two\" here\n"
            "2 `c|three`: no filter \"three\" here\n3 the end of the template\n");
}

// A long expression is shown in part, on one line.
TEST(TemplateRefusals, ShowOneLine) {
  const auto chat =
      Template::Parse("{{ nothing.x(\n  'one',\n\n  '" + std::string(200, 'y') + "') }}", kPlace);
  ASSERT_TRUE(chat);
  const auto text = (*chat)->Render(Variables());
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().found, "`nothing.x`: 'nothing' is undefined");
  const auto calls = Template::Parse("{{ n(\n  'one',\n\n  '" + std::string(200, 'y') + "') }}", kPlace);
  ASSERT_TRUE(calls);
  const auto refused = (*calls)->Render(Variables());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().found, "`n( 'one', '" + std::string(109, 'y') + "...`: a int is called");
}

TEST(TemplateRefusals, ContextsAndBytes) {
  const auto chat = Template::Parse("x", kPlace);
  ASSERT_TRUE(chat);
  EXPECT_FALSE((*chat)->Render(Value::None()));
  const auto broken = Template::Parse("ab\xff", kPlace);
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error()[0].found, "no UTF-8 at byte 2");
  const auto large = Template::Parse(std::string(100, 'x'), kPlace, {.bytes = 99});
  ASSERT_FALSE(large);
  EXPECT_EQ(Info(large.error()[0].code).name, "artifact_too_large");
  for (const char* json : {"[18446744073709551615]", "1e30"}) {
    const auto value = Value::FromJson(*io::ParseJson(json, "j"), "messages");
    ASSERT_FALSE(value) << json;
    EXPECT_EQ(value.error().where.field, "messages");
    EXPECT_EQ(value.error().allowed, "whole numbers of 64 bits");
  }
  EXPECT_FALSE(
      Value::FromJson(*io::ParseJson(std::string(101, '[') + std::string(101, ']'), "j"), "messages"));
  EXPECT_TRUE(Value::FromJson(*io::ParseJson(std::string(99, '[') + std::string(99, ']'), "j"), "messages"));
}

}  // namespace
}  // namespace candor::text::jinja
