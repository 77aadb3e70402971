// Package: a model folder as published, read but not judged.
//
// Opening lists files, reads every small JSON document and every tensor header, and collects what is damaged;
// it runs nothing from the package and touches no weight (SPEC ART-03..12, SEC-02). Immutable; shared by all
// who use it; keeps the descriptors it opened, so later reads see the same files or say artifact_stale.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "candor/result.h"
#include "io/directory.h"
#include "io/json.h"
#include "package/config.h"
#include "package/evidence.h"
#include "package/inventory.h"
#include "package/safetensors.h"

namespace candor::package {

struct PackageLimits {
  std::uint64_t json_bytes = 64u << 20;
  std::size_t files = 10'000;
  SafetensorsLimits weights = {};
};

struct FileFact {
  std::string path;
  // weights, index, config, tokenizer, module, labels, template, code, pickle, foreign, license, other
  std::string role;
  std::uint64_t bytes = 0;
  std::string note;         // "pickled weights: never opened"; empty when nothing is to be said
  bool in_closure = false;  // its bytes decide answers: part of the digest
};

// A folder that modules.json, or a router, names as that of an encoder, and the place that does.
struct EncoderPlace {
  std::string folder;  // "0_Transformer/"; "": the root
  std::string file, pointer;
};

// A fact with its place; facts of one name that disagree stand side by side (SPEC EVI-04).
struct Fact {
  std::string name, value, file, pointer;
};

class Package {
 public:
  // Problems of opening itself (no such folder) are the error; problems of its content are in problems().
  static Result<std::shared_ptr<const Package>> Open(const std::string& path,
                                                     const PackageLimits& limits = {});

  const PackageLimits& limits() const { return limits_; }  // that it was opened with
  const std::vector<FileFact>& files() const { return files_; }
  // Tensors of the root, of each module's or encoder's folder ("2_Dense/") and of each head's own file
  // (IsHeadFile), names as stored.
  const std::vector<TensorInfo>& tensors(std::string_view folder = "") const;
  std::vector<std::string> tensor_folders() const;
  const std::map<std::string, std::string>& metadata() const { return metadata_; }  // "file: key" to value
  const std::vector<Fact>& facts() const { return facts_; }
  const std::vector<std::string>& conflicts() const { return conflicts_; }  // names of facts that disagree
  const Problems& problems() const { return problems_; }

  // The encoders that its files name, each folder once, in their order. Where nothing names one it is the
  // root.
  const std::vector<EncoderPlace>& encoders() const { return encoders_; }
  // The folder of the first: whose config.json, tokenizer and weights are the encoder's.
  const std::string& encoder() const { return encoders_.front().folder; }
  std::string InEncoder(std::string_view file) const { return encoder() + std::string(file); }

  bool Has(std::string_view file) const;
  // A parsed JSON document; null when absent or damaged (then it is in problems()).
  std::shared_ptr<const io::Json> Document(std::string_view file) const;
  // The same as typed look-ups that leave evidence in `log`. Absent: nullopt.
  std::optional<Config> Read(std::string_view file, std::shared_ptr<ReadLog> log) const;
  // The whole of a file of the closure that is no document (vocab.txt), within limits().json_bytes.
  Result<std::string> Contents(std::string_view file) const;
  // At most the first `bytes` of any listed file, outside the closure too.
  Result<std::string> Head(std::string_view file, std::size_t bytes) const;

  // SHA-256 over the closure: "sha256:…" of the sorted list of (path, size, digest). Computed once, on the
  // first call; blocks; thread-safe. `FileDigests` are the files' own. artifact_stale when a file
  // changed meanwhile.
  Result<std::string> Digest() const;
  Result<std::vector<std::pair<std::string, std::string>>> FileDigests() const;
  Result<void> CheckUnchanged() const;

 private:
  friend class PackageReader;
  struct DigestMemo;  // digest.cc
  Package();

  PackageLimits limits_;
  std::shared_ptr<const io::Directory> directory_;
  std::vector<EncoderPlace> encoders_{{}};
  std::vector<FileFact> files_;
  std::map<std::string, std::vector<TensorInfo>, std::less<>> tensors_;
  std::map<std::string, std::shared_ptr<const io::Json>, std::less<>> documents_;
  std::map<std::string, std::shared_ptr<const io::File>, std::less<>> open_;  // the closure
  std::map<std::string, std::string> metadata_;
  std::vector<Fact> facts_;
  std::vector<std::string> conflicts_;
  Problems problems_;
  std::shared_ptr<DigestMemo> digests_;
};

// `candor inspect --json`: stable JSON by schemas/inspect.schema.json.
std::string InspectJson(const Package& package);

}  // namespace candor::package
