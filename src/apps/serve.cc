// candor serve: one embedding model behind HTTP until SIGTERM or SIGINT.
#include "apps/embed_run.h"
#include "apps/verbs.h"
#include "candor/server.h"

namespace candor::apps {

int RunServe(const Context& context) {
  const Options& options = context.options;
  const auto run = EmbedRun::Open(context);
  if (!run) return Refuse(context, run.error());
  ServerOptions server_options;
  server_options.host = options.host;
  server_options.port = options.port;
  server_options.workers = options.workers.value_or(server_options.workers);
  server_options.queue = options.queue.value_or(server_options.queue);
  server_options.stop_on_signals = true;
  const auto server =
      Server::Listen({{.name = options.served_name, .embedder = run.value().shared_model()}}, server_options);
  if (!server) return Refuse(context, {server.error()});
  const std::string& name =
      options.served_name.empty() ? run.value().model().info().name : options.served_name;
  const std::string host =
      options.host.find(':') == std::string::npos ? options.host : '[' + options.host + ']';
  context.console.Note("serving " + name + " on http://" + host + ':' +
                       std::to_string(server.value()->port()));
  if (const auto served = server.value()->Run(); !served) return Refuse(context, {served.error()});
  context.console.Note("stopped");
  return kDone;
}

}  // namespace candor::apps
