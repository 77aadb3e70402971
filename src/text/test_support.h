// What the tokenizer's tests share: a small tokenizer.json in parts, its reading, and exact refusals.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "package/test_folder.h"
#include "text/tokenizer.h"

namespace candor::text {

inline constexpr std::string_view kModel =
    R"("model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##",)"
    R"("max_input_chars_per_word":100,"vocab":{"[PAD]":0,"[UNK]":1,"[CLS]":2,"[SEP]":3,"a":4,"##a":5,"b":6}})";
inline constexpr std::string_view kNormalizer =
    R"("normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,)"
    R"("strip_accents":null,"lowercase":true})";
inline constexpr std::string_view kPre = R"("pre_tokenizer":{"type":"BertPreTokenizer"})";
inline constexpr std::string_view kPost =
    R"("post_processor":{"type":"BertProcessing","sep":["[SEP]",3],"cls":["[CLS]",2]})";

inline std::string File(std::string_view normalizer = kNormalizer, std::string_view pre = kPre,
                        std::string_view post = kPost, std::string_view model = kModel,
                        std::string_view more = R"("version":"1.0")") {
  std::string out = "{";
  for (const std::string_view part : {more, normalizer, pre, post, model}) {
    if (part.empty()) continue;
    if (out.size() > 1) out += ",";
    out += part;
  }
  return out + "}";
}

using Answer = Planned<std::shared_ptr<const Tokenizer>>;

inline Answer Read(std::string_view file, std::string_view config = {}) {
  const package::TestFolder folder("tokenizer");
  if (!file.empty()) folder.Write("tokenizer.json", file);
  if (!config.empty()) folder.Write("tokenizer_config.json", config);
  const auto package = package::Package::Open(folder.path());
  if (!package) return Problems{package.error()};
  return Tokenizer::Read(**package, std::make_shared<package::ReadLog>());
}

struct Want {
  Code code;
  std::string place, found, allowed;
};

// Empty when `answer` is refused with just these problems, in this order; else both lists.
inline std::string Difference(const Answer& answer, const std::vector<Want>& wanted) {
  if (answer) return "not refused";
  const auto line = [](Code code, const std::string& place, const std::string& found,
                       const std::string& allowed) {
    return std::string(Info(code).name) + " at " + place + ": found " + found + ", allowed " + allowed + "\n";
  };
  std::string is, should;
  for (const Error& e : answer.error()) {
    is += line(e.code, e.where.file + ":" + e.where.pointer, e.found, e.allowed);
  }
  for (const Want& w : wanted) should += line(w.code, w.place, w.found, w.allowed);
  return is == should ? "" : "is\n" + is + "should be\n" + should;
}

}  // namespace candor::text
