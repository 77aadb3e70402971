// The public Embedder over a loaded model: lay out, pack, run, finish, account for it.
//
// Any number of callers at once. A caller's thread parses and tokenises, then works on its own batches
// together with whatever threads of the machine are idle; at most as many passes run as there are threads.
#pragma once
#include <memory>
#include <string>

#include "candor/engine.h"
#include "engine/backends.h"
#include "engine/loaded_model.h"
#include "engine/session_pool.h"

namespace candor::engine {

// The embedder keeps the machine alive, and with it the threads and the backend its weights belong to.
std::shared_ptr<const Embedder> MakeEmbedder(std::shared_ptr<const LoadedModel> model,
                                             const ModelOptions& options,
                                             std::shared_ptr<const CpuMachine> machine);

}  // namespace candor::engine
