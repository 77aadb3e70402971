// Every task of the command line, in one visible table: which verb is built, and by what.
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "candor/result.h"
#include "package/package.h"
#include "tasks/task.h"

namespace candor::tasks {

struct TaskOptions {
  std::optional<std::string> pooling = {};     // only for a package without a module manifest
  bool no_normalize = false;                   // asserts that the package's chain does not normalise
  std::optional<std::size_t> max_length = {};  // at most the package's own limit
  const Family* family = nullptr;              // null where none was recognised
};

// Whether `verb` ("embed") is a task, and one that is built; the error is unknown_task. Needs no package.
Result<void> CheckVerb(std::string_view verb);

// A request of the task for one empty text, for questions that are answered without running; that of embed
// where `verb` is no task.
Request SmallestRequest(std::string_view verb);

// Reads the task's recipe and tokenizer. `model` may be null when the family was refused: what depends on it
// is not checked, and all other problems are found. With problems the task, if there is one, is good for
// DeclareTensors alone: the tensors of its modules are compared in the same answer.
std::unique_ptr<Task> MakeTask(std::string_view verb, const package::Package& package,
                               std::shared_ptr<package::ReadLog> log, const TaskOptions& options,
                               const Model* model, Problems& problems);

// The task of embeddings that the package declares itself for: a verb of this table.
std::string_view DeclaredEmbedding(const package::Package& package);

// Scores of `one`'s first row against each row of `many`, by their similarity function, computed in double.
// embedding_space_mismatch when the two do not belong together.
Result<std::vector<float>> Similarity(const Embeddings& one, const Embeddings& many);

}  // namespace candor::tasks
