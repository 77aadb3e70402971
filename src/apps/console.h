// Console: where a verb prints, and what a person sees on standard error.
//
// Standard output carries answers only. Everything for people goes to standard error through Console, as
// sentences or, with --log-json, as one JSON object a line. Streams are borrowed; one thread uses a Console.
#pragma once
#include <cstdio>
#include <string>
#include <string_view>

#include "candor/result.h"

namespace candor::apps {

class Console {
 public:
  Console(std::FILE* out, std::FILE* err, bool out_is_terminal, bool err_is_terminal)
      : out_(out), err_(err), out_is_terminal_(out_is_terminal), err_is_terminal_(err_is_terminal) {}
  void Configure(bool quiet, bool log_json, bool colour) {
    quiet_ = quiet;
    log_json_ = log_json;
    colour_ = colour;
  }

  std::FILE* out() const { return out_; }
  bool out_is_terminal() const { return out_is_terminal_; }
  bool err_is_terminal() const { return err_is_terminal_; }
  bool shows_progress() const { return err_is_terminal_ && !quiet_ && !log_json_; }

  // What went not as asked, but on: truncation, failed items. Not with --quiet.
  void Note(std::string_view text) const;
  // Never silenced.
  void Problem(const Error& error) const;
  // Preformatted lines for people, such as the receipt's short form.
  void Lines(std::string_view text) const;
  void DrawProgress(std::string_view bar) const;  // replaces the line; empty clears it
  // False when the stream took not all of it; errno says why.
  bool Print(std::string_view text) const;
  bool Flush() const;

 private:
  void PutMessage(std::string_view text) const;
  void WriteError(std::string_view level, std::string_view colour, std::string_view text) const;
  std::FILE* out_;
  std::FILE* err_;
  bool out_is_terminal_, err_is_terminal_;
  bool quiet_ = false, log_json_ = false, colour_ = false;
};

}  // namespace candor::apps
