#include "apps/program.h"

#include <algorithm>
#include <new>

#include "apps/options.h"
#include "apps/table.h"
#include "apps/verbs.h"
#include "base/check.h"

namespace candor::apps {
namespace {

std::string Usage() {
  Table table;
  table.Column("").Column("");
  for (const Verb& verb : Verbs()) table.Row({std::string(verb.name), std::string(verb.summary)});
  return "candor VERB MODEL [options]\n\n" + table.Text("  ") +
         "\nMODEL is a folder in Hugging Face layout. candor help VERB shows the verb's options.\n"
         "CANDOR_ISA=scalar, avx2 or avx512 in the environment forces a kernel table; NO_COLOR=1 turns "
         "colours off.\n";
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

Context ContextOf(const Surroundings& surroundings, const Options& options) {
  return {options, surroundings.console, surroundings.environment, surroundings.new_engine,
          surroundings.started};
}

int Dispatch(std::span<const std::string> arguments, const Options& none, bool colour,
             Surroundings& surroundings) {
  Console& console = surroundings.console;
  const auto context = [&](const Options& options) { return ContextOf(surroundings, options); };
  if (arguments.empty()) {
    console.Lines(Usage());
    return kWrongRequest;
  }
  std::vector<std::string> words(arguments.begin(), arguments.end());
  if (AsksForHelp(words.front())) {
    if (words.size() == 1) return PrintAnswer(context(none), Usage());
    words = {words[1], "--help"};  // candor help VERB
  }
  const std::string word = words.front() == "--version" ? "version" : words.front();
  const auto verb =
      std::find_if(Verbs().begin(), Verbs().end(), [&](const Verb& v) { return v.name == word; });
  if (verb == Verbs().end()) return Refuse(context(none), {UnknownVerb(word)});
  const auto parsed = ParseOptions(verb->name, verb->summary, verb->groups, std::span(words).subspan(1));
  if (!parsed) return Refuse(context(none), {parsed.error()});
  if (!parsed.value().help.empty()) return PrintAnswer(context(none), parsed.value().help);
  const Options& options = parsed.value().options;
  console.Configure(options.quiet, options.log_json, colour);
  return verb->run(context(options));
}

}  // namespace

int RunProgram(std::span<const std::string> arguments, Surroundings surroundings) {
  const bool colour = surroundings.console.err_is_terminal() && !surroundings.environment.no_colour;
  surroundings.console.Configure(false, Mentions(arguments, "--log-json"), colour);
  Options none;
  none.json = Mentions(arguments, "--json");
  // The program's own door, as the engine has one: what was thrown in a verb ends as an exit code too.
  try {
    return Dispatch(arguments, none, colour, surroundings);
  } catch (const std::bad_alloc&) {
    return Refuse(
        ContextOf(surroundings, none),
        {{Code::kInsufficientMemory, {}, "an allocation failed", "memory for the request", Phase::kRun}});
  } catch (const InternalError& defect) {
    return Refuse(ContextOf(surroundings, none),
                  {{Code::kInternalInvariant,
                    {},
                    std::string(defect.what()) + " (" + defect.condition() + " at " + defect.file() + ':' +
                        std::to_string(defect.line()) + ')',
                    "none: please report this text",
                    Phase::kRun}});
  }
}

}  // namespace candor::apps
