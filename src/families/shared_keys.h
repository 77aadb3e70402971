// Keys of config.json that mean the same in every family: those of transformers' base configuration, and how
// a size, a norm's epsilon or a renamed key is read.
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/model.h"
#include "package/config.h"

namespace candor::families {

// Of all layers together: a config.json may not ask for more slots than files have room for.
inline constexpr std::size_t kMostExperts = 65536;

// Why a key or a tensor is without effect, where several families say so.
inline constexpr std::string_view kTrainingOnly = "training only";
inline constexpr std::string_view kOfAHead = "of a head that an embedding does not run";
inline constexpr std::string_view kSchedule = "how the same numbers are computed";
inline constexpr std::string_view kBuffer = "index buffer of the reference, not a parameter";
inline constexpr std::string_view kPooler = "pooler, not used: the recipe pools hidden rows";
inline constexpr std::string_view kMaskedLm = "masked-LM head, not used for embeddings";
inline constexpr std::string_view kClassifier = "classifier head, not used for embeddings";
inline constexpr std::string_view kAnswers = "question answering head, not used for embeddings";

// gamma and beta are the names of files converted from the first TensorFlow release; transformers renames
// them tensor by tensor, so one package may hold both spellings.
inline constexpr std::pair<std::string_view, std::string_view> kGammaBeta[] = {
    {"LayerNorm.gamma", "LayerNorm.weight"},
    {"LayerNorm.beta", "LayerNorm.bias"},
};

// Without effect on hidden rows in any family; a family that does read one of them has read it by then.
std::span<const DescriptiveKey> SharedDescriptive();
// Of the base class or read by it; only their neutral values pass, in any family.
std::span<const NeutralKey> SharedNeutral();

// In the reference a written null replaces the default, and the class cannot be built.
void RefuseNulls(const package::Config& config, std::initializer_list<std::string_view> keys,
                 Problems& problems);

// Whether a null is written, which in some classes says another thing than nothing at all.
bool IsNull(const package::Config& config, std::string_view key);

// The spelling that is written, `first` when none is; a problem when both are and say different things.
std::string_view Spelling(const package::Config& config, std::string_view first, std::string_view second,
                          Problems& problems);

// A switch that decides arithmetic: read, and logged as a choice.
bool ReadSwitch(const package::Config& config, std::string_view key, bool fallback, Problems& problems);

// Rows of the token type table, at least `least`; logged as the choice "type_vocabulary".
std::size_t ReadTokenTypes(const package::Config& config, std::string_view key, std::size_t fallback,
                           std::size_t least, Problems& problems);

// The id that positions count behind. The reference makes it a row of both tables, and needs one more for
// text.
std::int32_t ReadPadding(const package::Config& config, std::size_t vocabulary, std::size_t positions,
                         Problems& problems);

// Layers, at most as many as a package may have tensors for.
std::size_t ReadLayers(const package::Config& config, std::string_view key, std::size_t fallback,
                       Problems& problems);

// Attention heads, which must divide `width`, the value of `width_key`.
std::size_t ReadHeads(const package::Config& config, std::string_view key, std::size_t fallback,
                      std::size_t width, std::string_view width_key, Problems& problems);

// The kinds of attention that layers have in `layer_types` and in rope parameters.
inline constexpr std::string_view kFullAttention = "full_attention", kSlidingAttention = "sliding_attention";

// Which layers see everything: `layer_types`, or `others` where it is not written. A `reason` names the key
// that `others` come from; the list must then say the same.
std::vector<bool> ReadLayerTypes(const package::Config& config, const std::vector<bool>& others,
                                 std::string_view reason, Problems& problems);

// Heads of classes for sequences that several families share: a pooler inside the encoder's tensors, then
// "classifier"; or RoBERTa's, whose two products are both the classifier's.
HeadSpec PoolerHead(const package::Config& config, const HeadSizes& sizes, Problems& problems);
HeadSpec TwoProductHead(const package::Config& config, const HeadSizes& sizes, Problems& problems);
// That of nearly every class for tokens: "classifier" on each row.
HeadSpec RowHead(const package::Config& config, const HeadSizes& sizes, Problems& problems);

// What such a head reads, by `classifier_pooling`: one of `names`, the first where it is not written. Logged
// as a choice.
std::string ReadClassifierPooling(const package::Config& config,
                                  std::initializer_list<std::string_view> names, Problems& problems);

// Epsilon of a norm: finite as f32 and not negative.
float ReadEpsilon(const package::Config& config, std::string_view key, double fallback, Problems& problems);

}  // namespace candor::families
