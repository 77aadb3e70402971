// The public handles, each a Runner whose requests and answers are those of one task.
#pragma once
#include <memory>

#include "engine/runner.h"

namespace candor::engine {

std::shared_ptr<const Embedder> MakeEmbedder(std::shared_ptr<const LoadedModel> model,
                                             const ModelOptions& options,
                                             std::shared_ptr<const CpuMachine> machine);
// Of each pair that candor/engine.h names.
template <class Request, class Output>
std::shared_ptr<const Runs<Request, Output>> MakeHandle(std::shared_ptr<const LoadedModel> model,
                                                        const ModelOptions& options,
                                                        std::shared_ptr<const CpuMachine> machine);

}  // namespace candor::engine
