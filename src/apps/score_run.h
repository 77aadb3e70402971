// RunScores: a verb whose answers are lines of text about its items: read, open, answer slice by slice,
// account.
#pragma once
#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "apps/file_output.h"
#include "apps/input.h"
#include "apps/progress.h"
#include "apps/run_account.h"
#include "candor/engine.h"

namespace candor::apps {

// What stands in the place of a failed item's answer; the failure is counted.
std::string FailedText(const Context& context, const Item& item, const Error& error, RunAccount& account);

Planned<std::vector<Item>> ItemsOf(const Context& context, LineForm form);

// The text of a slice of items, each shown by show(item, output, row, report); `request` holds the options,
// and input(item) is what it takes of an item. One that failed before takes no part in the request.
template <class Request, class Output, class Input, class Show>
Result<std::string> AnswerItems(const Context& context, const Runs<Request, Output>& model, Request request,
                                std::span<const Item> items, RunAccount& account, Input&& input,
                                Show&& show) {
  for (const Item& item : items)
    if (!item.error) request.inputs.push_back(input(item));
  Reply<Output> reply;
  if (!request.inputs.empty()) {
    CANDOR_TRY(reply, model.Run(request));
    account.Add(reply.items, reply.receipt);
  }
  std::string text;
  std::size_t row = 0;
  for (const Item& item : items) {
    const std::optional<Error>& error = item.error ? item.error : reply.items[row].error;
    text +=
        error ? FailedText(context, item, *error, account) : show(item, reply.output, row, reply.items[row]);
    if (!item.error) ++row;
  }
  return text;
}

// `open` is the engine's way to a handle of `task`. answer(model, items, account) gives the text of `at_once`
// items, or the error of a request that is wrong as a whole. Gives the exit code.
template <class Handle, class Answer>
int RunScores(const Context& context, const char* task, LineForm form, std::size_t at_once,
              Planned<std::shared_ptr<const Handle>> (Engine::*open)(const ModelOptions&) const,
              Answer&& answer) {
  const auto items = ItemsOf(context, form);
  if (!items) return Refuse(context, items.error());
  auto account = RunAccount::Open(context);
  if (!account) return Refuse(context, {account.error()});
  const auto engine = context.OpenEngine();
  if (!engine) return Refuse(context, {engine.error()});
  ModelOptions options = context.options.model;
  options.task = task;
  const auto model = (*engine.value().*open)(options);
  if (!model) return Refuse(context, model.error());
  const std::span<const Item> all = items.value();
  std::unique_ptr<FileOutput> file;  // opened after the first answer: a wrong request leaves no file
  {
    Progress progress(context.console, all.size());
    for (std::size_t begin = 0; begin < all.size(); begin += at_once) {
      const auto slice = all.subspan(begin, std::min(at_once, all.size() - begin));
      const Result<std::string> text = answer(*model.value(), slice, account.value());
      if (!text) return Refuse(context, {text.error()});
      if (file == nullptr) {
        auto opened = FileOutput::Open(context.options.output.value_or("-"), "output", context.console);
        if (!opened) return Refuse(context, {opened.error()});
        file = std::move(opened).value();
      }
      if (const auto written = file->Write(text.value()); !written) return Refuse(context, {written.error()});
      if (const auto flushed = file->Flush(); !flushed) return Refuse(context, {flushed.error()});
      progress.Advance(begin + slice.size());
    }
  }
  if (const auto committed = file->Commit(); !committed) return Refuse(context, {committed.error()});
  return account->Finish(model.value()->info().max_length);
}

}  // namespace candor::apps
