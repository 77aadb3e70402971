// Handlers of the embedding routes: a dialect's call, one run of a model, the dialect's reply. On worker
// threads.
#pragma once
#include "serve/routes.h"

namespace candor::serve {

HttpResponse OpenaiEmbeddings(Service& service, const HttpRequest& request);

}  // namespace candor::serve
