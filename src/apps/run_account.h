// RunAccount: what a verb that runs a model tells when it ends: truncations, failures, the receipt of the
// whole run. One thread; the context must outlive it.
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "apps/context.h"
#include "apps/file_output.h"
#include "apps/input.h"
#include "candor/receipt.h"
#include "candor/types.h"

namespace candor::apps {

class RunAccount {
 public:
  // The receipt's file is opened before the work: a place that cannot be written is no news for its end.
  static Result<RunAccount> Open(const Context& context);

  // One request's part: its receipt joins the run's.
  void Add(std::span<const ItemReport> items, const Receipt& receipt);
  // Failed items are named on standard error: a few where their lines name them all, every one in an array.
  void Failed(const Item& item, const Error& error);
  // Counts for people, then the receipt where it was asked for. Gives the exit code.
  int Finish(std::size_t max_length);

 private:
  explicit RunAccount(const Context& context) : context_(&context) {}
  const Context* context_;
  std::unique_ptr<FileOutput> receipt_file_;  // null: none asked for
  std::optional<Receipt> receipt_;
  std::size_t items_ = 0, truncated_ = 0, failed_ = 0;
};

}  // namespace candor::apps
