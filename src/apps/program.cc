#include "apps/program.h"

#include <algorithm>

#include "apps/options.h"
#include "apps/table.h"
#include "apps/verbs.h"

namespace candor::apps {
namespace {

std::string Usage() {
  Table table;
  table.Column("").Column("");
  for (const Verb& verb : Verbs()) table.Row({std::string(verb.name), std::string(verb.summary)});
  return "candor VERB MODEL [options]\n\n" + table.Text("  ") +
         "\nMODEL is a folder in Hugging Face layout. candor VERB --help shows the verb's options.\n";
}

bool AsksForHelp(const std::string& word) { return word == "--help" || word == "-h" || word == "help"; }

Error UnknownVerb(const std::string& word) {
  std::string names;
  for (const Verb& verb : Verbs()) names += (names.empty() ? "" : ", ") + std::string(verb.name);
  return {Code::kInvalidInput, Where::Option("VERB"), '"' + word + '"', names};
}

// A wrong line cannot be parsed, so whether it asked for JSON is read off its words.
bool Mentions(std::span<const std::string> arguments, std::string_view word) {
  return std::find(arguments.begin(), arguments.end(), word) != arguments.end();
}

}  // namespace

int RunProgram(std::span<const std::string> arguments, Surroundings surroundings) {
  Console& console = surroundings.console;
  const bool colour = console.err_is_terminal() && !surroundings.environment.no_colour;
  console.Configure(false, Mentions(arguments, "--log-json"), colour);
  Options none;
  none.json = Mentions(arguments, "--json");
  const auto context = [&](const Options& options) {
    return Context{options, console, surroundings.environment, surroundings.new_engine, surroundings.started};
  };
  if (arguments.empty()) {
    console.Lines(Usage());
    return kWrongRequest;
  }
  if (AsksForHelp(arguments.front())) return PrintAnswer(context(none), Usage());
  const std::string word = arguments.front() == "--version" ? "version" : arguments.front();
  const auto verb =
      std::find_if(Verbs().begin(), Verbs().end(), [&](const Verb& v) { return v.name == word; });
  if (verb == Verbs().end()) return Refuse(context(none), {UnknownVerb(word)});
  const auto parsed = ParseOptions(verb->name, verb->summary, verb->groups, arguments.subspan(1));
  if (!parsed) return Refuse(context(none), {parsed.error()});
  if (!parsed.value().help.empty()) return PrintAnswer(context(none), parsed.value().help);
  const Options& options = parsed.value().options;
  console.Configure(options.quiet, options.log_json, colour);
  return verb->run(context(options));
}

}  // namespace candor::apps
