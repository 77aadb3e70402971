// Evidence: a fact a decision rests on, where it stands and which rule made it a fact (SPEC R2).
//
// A ReadLog collects, for one package and one planning run, every fact read, every key seen and every choice.
// Not thread-safe; one planning run owns one.
#pragma once
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace candor::package {

struct Evidence {
  std::string fact;           // "hidden_act"
  std::string value;          // "gelu"
  std::string origin;         // config_field, tensor_inventory, registry_mapping, user_selection, ...
  std::string file, pointer;  // empty for a default
  std::string rule;           // "config/v1", "default: transformers BertConfig"
  bool choice = false;  // decides which arithmetic runs: compared with the envelope, part of the fingerprint
};

class ReadLog {
 public:
  void Add(Evidence evidence) { evidence_.push_back(std::move(evidence)); }
  void Choice(std::string_view fact, std::string_view value, std::string_view file, std::string_view pointer,
              std::string_view rule) {
    evidence_.push_back({std::string(fact), std::string(value), "config_field", std::string(file),
                         std::string(pointer), std::string(rule), true});
  }
  // True when it was not marked before.
  bool MarkRead(const std::string& file, const std::string& pointer) {
    return read_.insert(file + ":" + pointer).second;
  }
  bool WasRead(const std::string& file, const std::string& pointer) const {
    return read_.contains(file + ":" + pointer);
  }
  // Whether anything below `pointer` was read or ignored.
  bool ReadBelow(const std::string& file, const std::string& pointer) const {
    const std::string stem = file + ":" + pointer + "/";
    const auto next = read_.lower_bound(stem);
    return next != read_.end() && next->starts_with(stem);
  }
  struct Ignored {
    std::string file, pointer, rule;
  };
  void Ignore(std::string file, std::string pointer, std::string rule) {
    read_.insert(file + ":" + pointer);
    ignored_.push_back({std::move(file), std::move(pointer), std::move(rule)});
  }
  const std::vector<Evidence>& evidence() const { return evidence_; }
  const std::vector<Ignored>& ignored() const { return ignored_; }

 private:
  std::vector<Evidence> evidence_;
  std::vector<Ignored> ignored_;
  std::set<std::string> read_;
};

}  // namespace candor::package
