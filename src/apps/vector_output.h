// VectorOutput: vectors as JSON Lines, as a NumPy array, or as a table for people.
#pragma once
#include <cstddef>
#include <memory>
#include <span>

#include "apps/context.h"
#include "apps/input.h"
#include "candor/engine.h"

namespace candor::apps {

class VectorOutput {
 public:
  virtual ~VectorOutput() = default;
  // The next items, in input order. `errors[i]` is set where item i has no vector.
  virtual Result<void> Write(std::span<const Item> items, const EmbedReply& reply,
                             std::span<const Error* const> errors) = 0;
  virtual Result<void> Commit() = 0;
};

// The form that the options ask for, opened. `rows` is how many items will come in all.
Result<std::unique_ptr<VectorOutput>> OpenVectorOutput(const Context& context, std::size_t rows);

}  // namespace candor::apps
