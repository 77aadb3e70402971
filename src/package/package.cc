// The look-ups of a package that has been read. Reading is reader.cc, digests are digest.cc.
#include "package/package.h"

#include <algorithm>
#include <span>
#include <utility>

#include "package/digest.h"

namespace candor::package {

Package::Package() : digests_(std::make_shared<DigestMemo>()) {}

const std::vector<TensorInfo>& Package::tensors(std::string_view folder) const {
  static const std::vector<TensorInfo> kNone;
  const auto it = tensors_.find(folder);
  return it == tensors_.end() ? kNone : it->second;
}

std::vector<std::string> Package::tensor_folders() const {
  std::vector<std::string> folders;
  for (const auto& [folder, tensors] : tensors_) {
    if (!tensors.empty()) folders.push_back(folder);
  }
  return folders;
}

bool Package::Has(std::string_view file) const {
  const auto it =
      std::lower_bound(files_.begin(), files_.end(), file,
                       [](const FileFact& fact, std::string_view path) { return fact.path < path; });
  return it != files_.end() && it->path == file;
}

std::shared_ptr<const io::Json> Package::Document(std::string_view file) const {
  const auto it = documents_.find(file);
  return it == documents_.end() ? nullptr : it->second;
}

std::optional<Config> Package::Read(std::string_view file, std::shared_ptr<ReadLog> log) const {
  std::shared_ptr<const io::Json> document = Document(file);
  if (document == nullptr) return std::nullopt;
  const io::Json* root = document.get();
  return Config(std::move(document), root, std::string(file), {}, std::move(log));
}

Result<std::string> Package::Contents(std::string_view file) const {
  const auto it = open_.find(file);
  if (it == open_.end()) {
    return Error{.code = Code::kComponentMissing,
                 .where = Where::At(std::string(file)),
                 .found = "nothing",
                 .allowed = "a file that can be read"};
  }
  return it->second->ReadAll(limits_.json_bytes);
}

Result<std::string> Package::Head(std::string_view file, std::size_t bytes) const {
  CANDOR_TRY(const auto opened, directory_->OpenFile(file));
  std::string text(static_cast<std::size_t>(std::min<std::uint64_t>(opened->size(), bytes)), '\0');
  CANDOR_CHECKED(opened->Read(0, std::as_writable_bytes(std::span(text))));
  return text;
}

}  // namespace candor::package
