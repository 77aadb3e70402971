// A family's reader on the text of a config.json, for tests.
#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "families/registry.h"

namespace candor::families {

struct ReadResult {
  std::shared_ptr<package::ReadLog> log = std::make_shared<package::ReadLog>();
  std::unique_ptr<Model> model;
  Problems problems;
  std::vector<std::string> unread;
};

inline ReadResult Read(const std::string& text) {
  ReadResult r;
  auto json = io::ParseJson(text, "config.json");
  EXPECT_TRUE(json) << text;
  const auto document = std::make_shared<const io::Json>(std::move(json).value());
  const package::Config config(document, document.get(), "config.json", "", r.log);
  if (const Family* family = Recognise(config, r.problems)) r.model = ReadModel(*family, config, r.problems);
  r.unread = config.Unread();
  return r;
}

inline std::string ChoiceOf(const ReadResult& r, std::string_view fact) {
  for (const package::Evidence& e : r.log->evidence())
    if (e.choice && e.fact == fact) return e.value;
  return "";
}

// A member that is refused, alone and for nothing else.
struct Refused {
  const char *member, *pointer, *found;
  const char* allowed;  // null: too long to repeat
  Code code = Code::kUnsupportedConfigVariant;
};

inline void ExpectRefused(const std::string& text, const Refused& wanted) {
  const ReadResult r = Read(text);
  EXPECT_EQ(r.model, nullptr) << text;
  ASSERT_EQ(r.problems.size(), 1u) << text;
  EXPECT_EQ(r.problems[0].code, wanted.code) << text;
  EXPECT_EQ(r.problems[0].where, Where::At("config.json", wanted.pointer)) << text;
  EXPECT_EQ(r.problems[0].found, wanted.found) << text;
  if (wanted.allowed != nullptr) {
    EXPECT_EQ(r.problems[0].allowed, wanted.allowed) << text;
  }
  EXPECT_EQ(r.problems[0].phase, Phase::kConfig) << text;
}

}  // namespace candor::families
