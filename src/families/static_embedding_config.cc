// The static table's row, and its sizes, which only the stored tensors say.
//
// Tensors are `embedding.weight`, or as model2vec names them `embeddings`, with an optional `mapping` from
// ids to its rows and optional `weights` of ids; sentence-transformers folds both into one table when it
// loads, in f32. Its torch module cannot hold whole numbers: a table of I8 needs weights there, while
// model2vec takes it as it is. Halves are widened, as everywhere: model2vec's own vectors of such a table
// would be rounded to halves.
#include <algorithm>
#include <string>

#include "families/static_embedding.h"
#include "package/module_folder.h"

namespace candor::families {
namespace {

using Form = package::StaticTable::Form;

constexpr std::string_view kDistilled = "how the table was made";
constexpr std::string_view kStored = "the stored tensors say it";

constexpr DescriptiveKey kDescriptive[] = {
    {"tokenizer_name", kDistilled},
    {"apply_pca", kDistilled},
    {"apply_zipf", kDistilled},
    {"sif_coefficient", kDistilled},
    {"seq_length", kDistilled},
    {"pooling", kDistilled},
    {"remove_tokens", kDistilled},
    {"hidden_dim", kStored},
    {"embedding_dtype", kStored},
    {"vocabulary_quantization", kStored},
    {"head_config", "of a head that an embedding does not run"},
};

constexpr std::string_view kArchitectures[] = {"StaticModel"};

// `max_length` and `normalize` are the recipe's to read.
std::unique_ptr<Model> ReadStatic(const package::Config&, Problems&) {
  return std::make_unique<StaticModel>(package::StaticTable{Form::kModel2Vec});
}

std::string ShapeText(const TensorInfo& t) {
  std::string out = "[";
  for (const std::size_t n : t.shape) out += (out.size() > 1 ? ", " : "") + std::to_string(n);
  return out + "]";
}

// Whether the tensor has `rank` dimensions, none of them zero.
bool HasRank(const TensorInfo& t, std::size_t rank, const char* allowed, Problems& problems) {
  if (t.shape.size() == rank && t.Count() != 0) return true;
  problems.push_back(
      {Code::kShapeMismatch, Where::Tensor(t.file, t.name), ShapeText(t), allowed, Phase::kTensors});
  return false;
}

}  // namespace

void StaticModel::TakeSizes(const package::Package& package, package::ReadLog& log, Problems& problems) {
  const std::vector<TensorInfo>& stored = package.tensors(place_.folder);
  const std::string file = place_.folder + "model.safetensors";
  const bool module = place_.form == Form::kModule;
  if (stored.empty()) {
    problems.push_back({Code::kComponentMissing, Where::At(file), "no tensors",
                        "safetensors weights of this module", Phase::kTensors});
    return;
  }
  const auto find = [&](std::string_view name) -> const TensorInfo* {
    const auto it = std::ranges::find(stored, name, &TensorInfo::name);
    return it == stored.end() ? nullptr : &*it;
  };
  const TensorInfo* own = module ? find("embedding.weight") : nullptr;
  const TensorInfo* table = own != nullptr ? own : find("embeddings");
  if (table == nullptr) {
    problems.push_back({Code::kMissingRequiredTensor,
                        Where::Tensor(stored.front().file, module ? "embedding.weight" : "embeddings"),
                        "absent", "table [rows, width]", Phase::kTensors});
    return;
  }
  const TensorInfo* mapping = own != nullptr ? nullptr : find("mapping");
  const bool whole = HasRank(*table, 2, "[rows, width], neither 0", problems);
  if (mapping != nullptr && !HasRank(*mapping, 1, "[ids], not 0", problems)) return;
  if (!whole) return;
  spec_.table = table->name, spec_.stored = table->shape[0], spec_.width = table->shape[1];
  spec_.mapped = mapping != nullptr, spec_.ids = spec_.mapped ? mapping->shape[0] : spec_.stored;
  spec_.scaled = own == nullptr && find("weights") != nullptr;
  spec_.whole_numbers = own == nullptr && (!module || spec_.scaled);
  for (const auto& [fact, value] : {std::pair<std::string, std::string>{"table", spec_.table},
                                    {"mapping", spec_.mapped ? "set" : "none"},
                                    {"weights", spec_.scaled ? "set" : "none"}})
    log.Add({fact, value, "tensor_inventory", table->file, "", "safetensors header", true});
}

constinit const Family kStaticFamily{
    .name = "static",
    .version = "static/v1",
    .model_type = "model2vec",
    .read = ReadStatic,
    .names = {{}, {}},
    .architectures = kArchitectures,
    .descriptive = kDescriptive,
    .neutral = {},
    .module = package::kStaticEmbedding,
};

}  // namespace candor::families
