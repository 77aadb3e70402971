// MatchTensors: a declared list against a package's tensors, and everything that is wrong with it at once.
//
// A checkpoint's names are mapped to the declared ones by a name dialect; exactly one dialect of a family
// must fit. The result is the binding audit of the plan (SPEC R12): a Binding per declared slot, what is
// known and not used, what nothing explains, and all problems. Nothing is transposed, sliced or filled to
// make it fit. A Match looks at the TensorInfos it was made from; they must outlive it.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "candor/result.h"
#include "model/tensor_decl.h"
#include "package/package.h"

namespace candor {

// One way checkpoints of a family have been named: a prefix before every tensor of the model, then renames of
// whole dotted segments, applied tensor by tensor: at the end of a name ("LayerNorm.gamma" is stored,
// "LayerNorm.weight" declared), at its start ("layers." is stored, "encoder.layers." declared).
struct NameDialect {
  std::string_view name;
  std::string_view prefix;
  std::span<const std::pair<std::string_view, std::string_view>> renames =
      {};  // stored suffix, declared suffix
  std::span<const std::pair<std::string_view, std::string_view>> starts = {};  // each with its last dot
};

// Tensors that are explained without being bound, by the start of their declared name.
struct KnownTensors {
  std::string_view prefix;  // a whole name, or a module's with its last dot ("cls.")
  std::string_view rule;    // why: "masked-LM head, not used for embeddings"
  bool head = false;        // a head beside the recipe (SPEC FAM-06), not a buffer
};

struct NameRules {
  std::span<const NameDialect> dialects;  // empty: names as declared
  std::span<const KnownTensors> known = {};
};

// kUnused: fits, and is among the explained.
enum class BindState : std::uint8_t { kBound, kOptionalAbsent, kUnused, kMissing, kMismatch };
std::string_view Name(BindState state);
std::string_view Name(Need need);
std::string_view Name(Role role);

struct Binding {
  std::string slot, folder;
  Role role = Role::kMatrix;
  Need need = Need::kRequired;
  bool exact = false;
  BindState state = BindState::kMissing;
  struct Rows {
    const TensorInfo* tensor = nullptr;
    std::size_t first = 0, count = 0;
    Take take = Take::kRows;
  };
  std::vector<Rows> stored;                           // in the slot's order; as many as were found
  const TensorInfo *map = nullptr, *scale = nullptr;  // TensorDecl's; null where it has none
  bool plus_one = false;                              // 1 is added to every value
  // "as is", "stack rows/v1", "reorder rows/v1", "take rows/v1", "transpose rows/v1", "add 1/v1"
  std::string transform;
  // "rename gamma to weight/v1", "tied to word.weight/v1"; empty when stored under its own name
  std::string alias;
  std::size_t rows = 0, cols = 0;
};

struct Explained {
  const TensorInfo* tensor = nullptr;
  std::string_view rule;
  bool head = false;
};

struct Match {
  std::string dialect;                        // "transformers, prefix bert."
  std::vector<Binding> bindings;              // one per declaration, in order
  std::vector<Explained> explained;           // known and not used
  std::vector<const TensorInfo*> unexpected;  // each also a problem
  Problems problems;                          // of the closest dialect when none fits
};

// All declarations must be of one folder, the tensors those of that folder.
Match MatchTensors(std::span<const TensorDecl> wanted, std::span<const TensorInfo> stored,
                   const NameRules& rules);

// Declarations of several folders, each against its own tensors. `rules` are the encoder's; modules' folders
// store names as declared.
Match MatchPackage(std::span<const TensorDecl> wanted, const package::Package& package,
                   const NameRules& rules);

// Gives every bound slot its size and nothing else: enough for a dry pass.
void BindShapes(std::span<const TensorDecl> wanted, const Match& match);

}  // namespace candor
