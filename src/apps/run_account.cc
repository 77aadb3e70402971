#include "apps/run_account.h"

#include "apps/lines.h"
#include "apps/receipt_text.h"

namespace candor::apps {
namespace {

constexpr std::size_t kNamedFailures = 5;  // on standard error, when all stand in their lines

// An array has no place for an error: there every failure is named on standard error.
bool HasLines(const Context& context) {
  return !context.options.output || !context.options.output->ends_with(".npy");
}

Result<void> WriteReceipt(FileOutput& file, const Receipt& receipt) {
  CANDOR_CHECKED(file.Write(ToJson(receipt, true) + '\n'));
  return file.Commit();
}

}  // namespace

Result<RunAccount> RunAccount::Open(const Context& context) {
  RunAccount account(context);
  if (context.options.receipt) {
    CANDOR_TRY(account.receipt_file_, FileOutput::Open(*context.options.receipt, "receipt", context.console));
  }
  return account;
}

void RunAccount::Add(std::span<const ItemReport> items, const Receipt& receipt) {
  items_ += items.size();
  for (const ItemReport& item : items) {
    if (!item.error && item.total > item.tokens) ++truncated_;
  }
  if (receipt_) {
    Merge(*receipt_, receipt);
  } else {
    receipt_ = receipt;
  }
}

void RunAccount::Failed(const Item& item, const Error& error) {
  if (++failed_ <= kNamedFailures || !HasLines(*context_)) context_->console.Problem(Placed(item, error));
}

int RunAccount::Finish(std::size_t max_length) {
  const Console& console = context_->console;
  if (truncated_ > 0) {
    console.Note(std::to_string(truncated_) + " of " + std::to_string(items_) + " texts were truncated to " +
                 std::to_string(max_length) + " tokens");
  }
  if (failed_ > 0) {
    console.Note(std::to_string(failed_) + " items failed; " +
                 (HasLines(*context_) ? "each is named in its line" : "each is a row of NaN"));
  }
  if (receipt_ && context_->options.verbose) console.Lines(ReceiptText(*receipt_));
  if (receipt_ && receipt_file_) {
    if (const auto written = WriteReceipt(*receipt_file_, *receipt_); !written) {
      return Refuse(*context_, {written.error()});
    }
  }
  return failed_ > 0 ? kSomeFailed : kDone;
}

}  // namespace candor::apps
