// Package::Open: lists the folder, parses the documents, reads the tensor headers, collects every problem.
//
// The order is fixed (files, documents, modules, weights, facts), so that two runs give the same inventory.
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "package/digest.h"
#include "package/encoder_folder.h"
#include "package/facts.h"
#include "package/module_folder.h"
#include "package/package.h"
#include "package/roles.h"
#include "package/shards.h"

namespace candor::package {
namespace {

constexpr std::string_view kModules = "modules.json";
constexpr std::string_view kIndex = "model.safetensors.index.json";

}  // namespace

class PackageReader {
 public:
  static Result<std::shared_ptr<const Package>> Read(const std::string& path, const PackageLimits& limits) {
    PackageReader reader(limits);
    CANDOR_TRY(reader.p_.directory_, io::Directory::Open(path));
    CANDOR_TRY(reader.listed_, reader.p_.directory_->List(limits.files));
    reader.Documents("");
    reader.ModuleFolders();
    reader.p_.encoders_ = EncodersOf(reader.p_.documents_, reader.folders_);
    reader.Files();
    reader.Weights();
    reader.p_.facts_ = CollectFacts(reader.p_.documents_, reader.p_.tensors_, reader.p_.encoders_);
    reader.p_.conflicts_ = ConflictsOf(reader.p_.facts_);
    return std::shared_ptr<const Package>(std::move(reader.package_));
  }

 private:
  // Gives make_shared the private constructor.
  struct Made : Package {};
  explicit PackageReader(const PackageLimits& limits)
      : limits_(limits), package_(std::make_shared<Made>()), p_(*package_) {
    p_.limits_ = limits;
  }

  bool Listed(std::string_view path) const {
    return std::binary_search(listed_.begin(), listed_.end(), path);
  }

  bool InModuleFolder(std::string_view path) const {
    const std::size_t slash = path.rfind('/');
    return slash != std::string_view::npos && folders_.contains(path.substr(0, slash + 1));
  }

  // Opens for the closure; what cannot be opened is a problem.
  std::shared_ptr<const io::File> Open(const std::string& path) {
    auto file = p_.directory_->OpenFile(path);
    if (!file) {
      p_.problems_.push_back(file.error());
      return nullptr;
    }
    p_.open_.emplace(path, *file);
    return *file;
  }

  // The JSON documents directly in `folder` ("" or "1_Pooling/").
  void Documents(const std::string& folder) {
    // From the folder's first file: modules.json may name a million folders.
    for (auto it = std::ranges::lower_bound(listed_, folder); it != listed_.end(); ++it) {
      const std::string& path = *it;
      if (!path.starts_with(folder)) break;
      if (path.find('/', folder.size()) != std::string::npos) continue;
      if (!RoleOf(path, !folder.empty()).document) continue;
      const auto file = Open(path);
      if (file == nullptr) continue;
      const auto text = file->ReadAll(limits_.json_bytes);
      if (!text) {
        p_.problems_.push_back(text.error());
        continue;
      }
      const auto json =
          io::ParseJson(*text, path, {.bytes = limits_.json_bytes, .string_bytes = limits_.json_bytes});
      if (!json) {
        p_.problems_.push_back(json.error());
        continue;
      }
      const bool list = path == kModules;
      if (list ? !json->is_array() : !json->is_object()) {
        p_.problems_.push_back({Code::kInvalidPackageSchema, Where::At(path), std::string(json->KindName()),
                                list ? "a list of modules" : "an object", Phase::kConfig});
        continue;
      }
      p_.documents_.emplace(path, std::make_shared<const io::Json>(*json));
    }
  }

  // The folders that modules.json names: "1_Pooling/".
  void ModuleFolders() {
    const auto chain = p_.Document(kModules);
    if (chain == nullptr) return;
    for (std::size_t i = 0; i < chain->items().size(); ++i) {
      const io::Json& entry = chain->items()[i];
      const std::string pointer = "/" + std::to_string(i);
      if (!entry.is_object()) {
        p_.problems_.push_back({Code::kInvalidPackageSchema, Where::At(std::string(kModules), pointer),
                                std::string(entry.KindName()), "an object", Phase::kConfig});
        continue;
      }
      const Where where = Where::At(std::string(kModules), pointer + "/path");
      const io::Json* path = entry.Find("path");
      if (path == nullptr || !path->is_string()) {
        p_.problems_.push_back({Code::kInvalidPackageSchema, where,
                                path == nullptr ? "nothing" : path->Dump(), "a folder's name, or \"\"",
                                Phase::kConfig});
        continue;
      }
      const std::string folder = ModuleFolder(std::string(path->as_string()));
      if (!folder.empty()) ModuleFolderAt(folder, path->as_string(), where);
      if (const io::Json* type = entry.Find("type"); type != nullptr && type->is_string())
        if (IsRouter(type->as_string())) RoutedFolders(folder);
    }
  }

  void ModuleFolderAt(const std::string& folder, std::string_view written, const Where& where) {
    // Identify judges the path; a folder without a config.json is a module without settings.
    const auto config = p_.directory_->Identify(folder + "config.json");
    if (!config && config.error().code == Code::kPathEscape) {
      p_.problems_.push_back({Code::kPathEscape, where,
                              '"' + std::string(written) + "\": " + config.error().found,
                              "a folder inside the package", Phase::kResolve});
      return;
    }
    if (folders_.insert(folder).second) Documents(folder);
  }

  // The folders of a router's own modules.
  void RoutedFolders(const std::string& folder) {
    std::string file = folder + std::string(kRouterFile);
    if (p_.Document(file) == nullptr && !folder.empty()) file = folder + std::string(kOldRouterFile);
    const auto router = p_.Document(file);
    const io::Json* types = router == nullptr ? nullptr : router->Find("types");
    if (types == nullptr || !types->is_object()) return;
    for (const io::JsonMember& member : types->members()) {
      const std::string key(member.key);
      if (const std::string own = ModuleFolder(key); !own.empty())
        ModuleFolderAt(folder + own, key, Where::At(file, "/types/" + io::EscapePointer(key)));
    }
  }

  void Files() {
    for (const std::string& path : listed_) {
      const Role role = RoleOf(path, InModuleFolder(path));
      FileFact fact{path, std::string(role.name), 0, std::string(role.note), false};
      if (const auto identity = p_.directory_->Identify(path)) {
        fact.bytes = identity->size;
      } else {
        fact.note = identity.error().found;
      }
      // Weights enter the closure when they are chosen, documents when they were opened.
      if (role.in_closure && role.name != "weights" && !role.document) Open(path);
      p_.files_.push_back(std::move(fact));
    }
  }

  void Weights() {
    const FirstModule first = FirstModuleOf(p_.Document(kModules).get());
    const bool table = first.Is(kStaticEmbedding);
    std::set<std::string_view> homes;  // of the weights that must be there
    if (table) homes.insert(first.folder);
    if (!table)
      for (const EncoderPlace& encoder : p_.encoders_) homes.insert(encoder.folder);
    FolderOfWeights("", homes.contains(""));
    for (const std::string& folder : folders_) FolderOfWeights(folder, homes.contains(folder));
    for (const std::string& path : listed_)
      if (IsHeadFile(path)) HeadFile(path);
    for (FileFact& fact : p_.files_) fact.in_closure = p_.open_.contains(fact.path);
    if (table) return;
    for (const std::string_view home : homes) {
      const std::string config = std::string(home) + "config.json";
      if (!p_.documents_.contains(config) && !Listed(config))
        p_.problems_.push_back({Code::kComponentMissing, Where::At(config), "nothing",
                                "the model's configuration", Phase::kConfig});
    }
  }

  void FolderOfWeights(const std::string& folder, bool required) {
    const std::string index = folder + std::string(kIndex);
    const auto document = p_.Document(index);
    const FolderContent content{.directory = *p_.directory_,
                                .folder = folder,
                                .files = listed_,
                                .index = document.get(),
                                .has_index = Listed(index),
                                .required = required};
    FolderWeights weights = ReadFolderWeights(content, limits_.weights, p_.problems_);
    for (auto& file : weights.files) p_.open_.emplace(file->path(), std::move(file));
    p_.metadata_.merge(weights.metadata);
    p_.tensors_.emplace(folder, std::move(weights.tensors));
  }

  void HeadFile(const std::string& path) {
    const auto file = Open(path);
    if (file == nullptr) return;
    Safetensors read = ReadSafetensors(file, path, limits_.weights, p_.problems_);
    for (auto& [key, value] : read.metadata) p_.metadata_.emplace(path + ": " + key, std::move(value));
    p_.tensors_.emplace(path, std::move(read.tensors));
  }

  PackageLimits limits_;
  std::shared_ptr<Package> package_;
  Package& p_;
  std::vector<std::string> listed_;
  std::set<std::string, std::less<>> folders_;
};

Result<std::shared_ptr<const Package>> Package::Open(const std::string& path, const PackageLimits& limits) {
  return PackageReader::Read(path, limits);
}

}  // namespace candor::package
