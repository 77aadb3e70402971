#include "apps/console.h"

#include "candor/engine.h"
#include "io/json.h"

namespace candor::apps {
namespace {

constexpr std::string_view kRed = "\x1b[31m", kYellow = "\x1b[33m", kPlain = "\x1b[0m",
                           kClearLine = "\r\x1b[K";

void Put(std::FILE* stream, std::string_view text) { std::fwrite(text.data(), 1, text.size(), stream); }

}  // namespace

// A bar may stand on the line; it is drawn again with the next step.
void Console::PutMessage(std::string_view text) const {
  if (shows_progress()) Put(err_, kClearLine);
  Put(err_, text);
}

void Console::WriteError(std::string_view level, std::string_view colour, std::string_view text) const {
  std::string line;
  if (log_json_) {
    io::JsonWriter writer;
    writer.BeginObject().Member("level", level).Member("message", text).EndObject();
    line = writer.Take();
  } else {
    if (colour_) line += colour;
    line.append("candor: ").append(text);
    if (colour_) line += kPlain;
  }
  line += '\n';
  PutMessage(line);
}

void Console::Note(std::string_view text) const {
  if (!quiet_) WriteError("note", kYellow, text);
}

void Console::Problem(const Error& error) const {
  if (!log_json_) {
    WriteError("error", kRed, std::string(Info(error.code).name) + ": " + Message(error));
    return;
  }
  io::JsonWriter writer;
  writer.BeginObject().Member("level", "error").Member("message", Message(error));
  writer.Key("problem").Raw(ErrorJson(error)).EndObject();
  Put(err_, writer.Take() + '\n');
}

void Console::Lines(std::string_view text) const {
  if (log_json_) return WriteError("info", {}, text);
  PutMessage(text);
}

void Console::DrawProgress(std::string_view bar) const {
  Put(err_, kClearLine);
  Put(err_, bar);
  std::fflush(err_);
}

bool Console::Print(std::string_view text) const {
  return std::fwrite(text.data(), 1, text.size(), out_) == text.size();
}

bool Console::Flush() const { return std::fflush(out_) == 0 && std::ferror(out_) == 0; }

}  // namespace candor::apps
