#include "apps/context.h"

#include <cerrno>
#include <cstring>

namespace candor::apps {

Result<std::shared_ptr<Engine>> Context::OpenEngine() const {
  auto engine = new_engine({.threads = options.threads, .isa = environment.isa});
  if (engine || engine.error().where.option != "isa") return engine;
  Error refused = engine.error();
  refused.where = Where::Option("CANDOR_ISA");  // where this program has it from
  return refused;
}

bool Context::WantsText() const {
  if (options.json || options.format == "json") return false;
  const bool to_file = options.output && *options.output != "-";
  return options.format == "text" || (!to_file && console.out_is_terminal());
}

int Refuse(const Context& context, const Problems& problems) {
  for (const Error& problem : problems) context.console.Problem(problem);
  if (context.options.json) {
    context.console.Print(RefusalJson(problems) + '\n');
    context.console.Flush();
  }
  return ExitCode(problems);
}

int PrintAnswer(const Context& context, std::string_view text) {
  std::string lines(text);
  if (!lines.ends_with('\n')) lines += '\n';
  if (context.console.Print(lines) && context.console.Flush()) return kDone;
  return Refuse(context, {WriteFailure("standard output", errno)});
}

Error WriteFailure(const char* option, int error_number) {
  return {Code::kInvalidInput, Where::Option(option), std::strerror(error_number),
          "a place that takes it all", Phase::kRun};
}

}  // namespace candor::apps
