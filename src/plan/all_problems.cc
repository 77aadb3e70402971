#include "plan/all_problems.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "package/roles.h"

namespace candor::plan {
namespace {

constexpr std::string_view kIndex = "model.safetensors.index.json";

// The class of files that are absent, damaged or too large.
bool IsDamage(const Error& e) { return Info(e.code).class_name.starts_with("artifact"); }

std::string FolderOf(const std::string& file) {
  return package::IsHeadFile(file) ? file : file.substr(0, file.rfind('/') + 1);
}

bool IsWeights(const std::string& file) {
  return file.ends_with(".safetensors") || file.ends_with(".safetensors.index.json");
}

class Told {
 public:
  explicit Told(const package::Package& package) : package_(package) {
    for (const Error& e : package.problems()) {
      Tell(e);
      if (!e.where.tensor.empty()) tensors_.emplace(FolderOf(e.where.file), e.where.tensor);
    }
  }

  void Tell(const Error& e) {
    if (!IsDamage(e)) return;
    places_.insert(ToString(e.where));
    if (IsWeights(e.where.file)) weights_.insert(FolderOf(e.where.file));
  }

  bool Follows(const Error& e) const {
    if (!e.where.file.empty() && places_.contains(ToString(e.where))) return true;
    const std::string folder = FolderOf(e.where.file);
    if (e.code == Code::kComponentMissing)
      return IsWeights(e.where.file) && weights_.contains(folder) && package_.tensors(folder).empty();
    if (e.code != Code::kMissingRequiredTensor) return false;
    return tensors_.contains({folder, e.where.tensor}) ||
           (weights_.contains(folder) && IsIndexed(folder, e.where.tensor));
  }

 private:
  // The index knows the tensor: its shard is what is wrong.
  bool IsIndexed(const std::string& folder, const std::string& tensor) const {
    const auto index = package_.Document(folder + std::string(kIndex));
    const io::Json* map = index == nullptr ? nullptr : index->Find("weight_map");
    return map != nullptr && map->Find(tensor) != nullptr;
  }

  const package::Package& package_;
  std::set<std::string> places_, weights_;
  std::set<std::pair<std::string, std::string>> tensors_;
};

}  // namespace

Problems AllProblems(const package::Package& package, Problems found) {
  Told told(package);
  Problems out = package.problems();
  std::set<std::string> same;
  for (Error& e : found) {
    // Text-reading stages repeat what the package said of a file; the key is the message, which holds all.
    if (told.Follows(e) || !same.insert(Message(e)).second) continue;
    told.Tell(e);
    out.push_back(std::move(e));
  }
  std::ranges::stable_sort(out, {}, [](const Error& e) { return static_cast<int>(e.phase); });
  return out;
}

}  // namespace candor::plan
