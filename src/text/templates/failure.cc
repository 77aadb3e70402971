#include "text/templates/failure.h"

#include "base/utf8.h"

namespace candor::text::jinja {

std::string Shown(std::string_view text) {
  constexpr std::size_t kLongest = 120;
  std::string out;
  bool blank = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = DecodeUtf8(text, at).bytes;
    if (out.size() + bytes > kLongest) return out + "...";
    if (static_cast<unsigned char>(text[at]) <= ' ') {
      blank = !out.empty();
    } else {
      if (blank) out += ' ';
      blank = false;
      out += text.substr(at, bytes);
    }
    at += bytes;
  }
  return out;
}

Error Placed(const Failure& failure, const std::string& source, const Where& place, Phase phase) {
  Error error{failure.code, place, failure.what, failure.allowed, phase};
  error.where.line = failure.line;
  if (failure.end > failure.begin)
    error.found = '`' + Shown(std::string_view(source).substr(failure.begin, failure.end - failure.begin)) +
                  "`: " + failure.what;
  return error;
}

}  // namespace candor::text::jinja
