#include "package/shards.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "package/roles.h"

namespace candor::package {
namespace {

class WeightsReader {
 public:
  WeightsReader(const FolderContent& content, const SafetensorsLimits& limits, Problems& problems)
      : content_(content), limits_(limits), problems_(problems) {}

  FolderWeights Read() {
    const bool single = Listed(single_);
    if (content_.has_index) {
      if (content_.index != nullptr) ReadShards(*content_.index);
      if (single && !shards_.contains(single_)) CompareWithSingle();
      return std::move(out_);
    }
    if (single) {
      if (auto file = Open(single_, {})) AddFile(std::move(file));
    } else {
      ReportAbsent();
    }
    return std::move(out_);
  }

 private:
  bool Listed(const std::string& path) const {
    return std::binary_search(content_.files.begin(), content_.files.end(), path);
  }

  void Refuse(Code code, Where where, std::string found, std::string allowed) {
    problems_.push_back({code, std::move(where), std::move(found), std::move(allowed), Phase::kInspect});
  }

  std::shared_ptr<const io::File> Open(const std::string& path, const Where& referrer) {
    auto file = content_.directory.OpenFile(path, referrer);
    if (file) return *file;
    problems_.push_back(file.error());
    return nullptr;
  }

  std::vector<TensorInfo> ReadHeader(const std::shared_ptr<const io::File>& file,
                                     std::map<std::string, std::string>& metadata) {
    Safetensors read = ReadSafetensors(file, file->path(), limits_, problems_);
    for (auto& [key, value] : read.metadata) metadata.emplace(file->path() + ": " + key, std::move(value));
    return std::move(read.tensors);
  }

  void AddFile(std::shared_ptr<const io::File> file) {
    for (TensorInfo& tensor : ReadHeader(file, out_.metadata)) out_.tensors.push_back(std::move(tensor));
    out_.files.push_back(std::move(file));
  }

  Where AtTensor(std::string_view name) const {
    return Where::At(index_, "/weight_map/" + io::EscapePointer(name));
  }

  // The index's map from tensor to shard, with every shard path checked and opened.
  std::map<std::string, std::string, std::less<>> ReadMap(const io::Json& index) {
    std::map<std::string, std::string, std::less<>> owner;
    const io::Json* map = index.Find("weight_map");
    if (map == nullptr || !map->is_object() || map->members().empty()) {
      Refuse(Code::kInvalidPackageSchema, Where::At(index_, "/weight_map"),
             map == nullptr ? "nothing" : map->Dump().substr(0, 80),
             "an object from tensor names to shard files");
      return owner;
    }
    std::set<std::string> refused;
    for (const io::JsonMember& entry : map->members()) {
      if (!entry.value.is_string()) {
        Refuse(Code::kInvalidPackageSchema, AtTensor(entry.key), entry.value.Dump().substr(0, 80),
               "a shard file's name");
        owner.emplace(entry.key, std::string());  // indexed all the same
        continue;
      }
      const std::string shard = content_.folder + std::string(entry.value.as_string());
      if (!shards_.contains(shard) && !refused.contains(shard)) OpenShard(shard, entry, refused);
      owner.emplace(entry.key, shard);
    }
    return owner;
  }

  void OpenShard(const std::string& shard, const io::JsonMember& entry, std::set<std::string>& refused) {
    auto file = content_.directory.OpenFile(shard);
    if (file) {
      shards_.emplace(shard, *file);
      return;
    }
    refused.insert(shard);
    Error error = file.error();
    if (error.code == Code::kArtifactMissing) {
      error.code = Code::kShardIndexMismatch;
      error.found = "shard " + std::string(entry.value.as_string()) + ": " + error.found;
      error.allowed = "a shard that is in the package";
    }
    error.where = AtTensor(entry.key);
    error.where.tensor = std::string(entry.key);
    problems_.push_back(std::move(error));
  }

  void ReadShards(const io::Json& index) {
    const std::size_t before = problems_.size();
    const auto owner = ReadMap(index);
    std::map<std::string, std::string, std::less<>> stored;  // tensor to the shard that holds it
    for (const auto& [path, file] : shards_) {
      out_.files.push_back(file);
      for (TensorInfo& tensor : ReadHeader(file, out_.metadata)) {
        const auto [other, fresh] = stored.emplace(tensor.name, path);
        const auto named = owner.find(tensor.name);
        if (!fresh) {
          Refuse(Code::kDuplicateTensor, Where::Tensor(path, tensor.name),
                 "also in " + other->second + "; the index names " +
                     (named == owner.end() ? "neither" : named->second),
                 "one shard with the tensor");
        } else if (named == owner.end()) {
          Refuse(Code::kShardIndexMismatch, Where::Tensor(path, tensor.name), "not in the index",
                 "every stored tensor in " + index_);
        } else {
          out_.tensors.push_back(std::move(tensor));
        }
      }
    }
    // A shard that could not be read would make each of its tensors a problem of its own.
    if (problems_.size() != before) return;
    for (const auto& [name, shard] : owner) {
      const auto holds = stored.find(name);
      if (holds != stored.end() && holds->second == shard) continue;
      Where where = AtTensor(name);
      where.tensor = name;
      Refuse(Code::kShardIndexMismatch, std::move(where),
             holds == stored.end() ? "a tensor that " + shard + " does not hold" : "shard " + shard,
             holds == stored.end() ? "tensors of the shards" : holds->second + ", which holds the tensor");
    }
    for (const std::string& path : content_.files) {
      const bool here =
          path.starts_with(content_.folder) && path.find('/', content_.folder.size()) == std::string::npos;
      if (here && IsShardName(path) && !shards_.contains(path)) {
        Refuse(Code::kShardIndexMismatch, Where::At(path), "a shard that the index does not name",
               "every shard in " + index_);
      }
    }
  }

  // Both forms are there: one answer only if they hold the same bytes, else nobody can say which was meant.
  void CompareWithSingle() {
    auto file = Open(single_, {});
    if (file == nullptr || !problems_.empty()) return;
    std::map<std::string, std::string> ignored;
    std::vector<TensorInfo> single = ReadHeader(file, ignored);
    const auto by_name = [](const TensorInfo& a, const TensorInfo& b) { return a.name < b.name; };
    std::vector<TensorInfo> sharded = out_.tensors;
    std::sort(single.begin(), single.end(), by_name);
    std::sort(sharded.begin(), sharded.end(), by_name);
    std::string difference;
    for (std::size_t i = 0; i < std::max(single.size(), sharded.size()) && difference.empty(); ++i) {
      if (i >= single.size() || i >= sharded.size() || single[i].name != sharded[i].name) {
        difference = i < single.size() ? single[i].name : sharded[i].name;
      } else if (single[i].type != sharded[i].type || single[i].shape != sharded[i].shape ||
                 !SameBytes(single[i], sharded[i])) {
        difference = single[i].name;
      }
    }
    if (difference.empty()) return;
    Refuse(Code::kAmbiguousArtifact, Where::At(single_),
           single_ + " and " + index_ + ", which differ in tensor " + difference, "one of them");
  }

  bool SameBytes(const TensorInfo& a, const TensorInfo& b) {
    constexpr std::uint64_t kChunk = 1u << 20;
    std::vector<std::byte> left(std::min(a.bytes, kChunk)), right(left.size());
    for (std::uint64_t at = 0; at < a.bytes; at += kChunk) {
      const std::size_t n = static_cast<std::size_t>(std::min(kChunk, a.bytes - at));
      const std::span<std::byte> l(left.data(), n), r(right.data(), n);
      if (!a.source->Read(a.offset + at, l) || !b.source->Read(b.offset + at, r)) return false;
      if (!std::equal(l.begin(), l.end(), r.begin())) return false;
    }
    return true;
  }

  // No weights of ours: say what is there instead.
  void ReportAbsent() {
    std::string shards, pickles, others;
    for (const std::string& path : content_.files) {
      if (!path.starts_with(content_.folder) || path.find('/', content_.folder.size()) != std::string::npos)
        continue;
      const Role role = RoleOf(path, true);
      if (role.name != "weights" && role.name != "pickle" && role.name != "foreign") continue;
      std::string& list = IsShardName(path) ? shards : role.name == "pickle" ? pickles : others;
      list += (list.empty() ? "" : ", ") + path;
    }
    if (!shards.empty()) {
      Refuse(Code::kComponentMissing, Where::At(index_), "shards without their index: " + shards,
             "the index that says which shard holds which tensor");
    } else if (!pickles.empty()) {
      Refuse(Code::kComponentMissing, Where::At(single_),
             "pickled weights, which are never opened: " + pickles, "weights converted to safetensors");
    } else if (!others.empty()) {
      Refuse(Code::kComponentMissing, Where::At(single_), "only " + others, "weights under this name");
    } else if (content_.required) {
      Refuse(Code::kComponentMissing, Where::At(single_), "no weights",
             "model.safetensors, or model.safetensors.index.json with its shards");
    }
  }

  const FolderContent& content_;
  const SafetensorsLimits& limits_;
  Problems& problems_;
  const std::string single_ = content_.folder + "model.safetensors";
  const std::string index_ = content_.folder + "model.safetensors.index.json";
  std::map<std::string, std::shared_ptr<const io::File>, std::less<>> shards_;
  FolderWeights out_;
};

}  // namespace

FolderWeights ReadFolderWeights(const FolderContent& content, const SafetensorsLimits& limits,
                                Problems& problems) {
  return WeightsReader(content, limits, problems).Read();
}

}  // namespace candor::package
