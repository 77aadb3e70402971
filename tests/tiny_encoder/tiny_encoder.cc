#include "tiny_encoder.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

#include "base/sha256.h"
#include "model/match.h"
#include "model/slot_reader.h"
#include "package/safetensors.h"
#include "tensor/workspace.h"

namespace candor::tiny {
namespace {

constexpr std::size_t kIn = 4, kHidden = 3, kOut = 2, kMaxRows = 8;
constexpr const char* kFile = "tiny_encoder.safetensors";

Problems One(Code code, Where where, std::string found, std::string allowed, Phase phase) {
  return {{code, std::move(where), std::move(found), std::move(allowed), phase}};
}

Error Bad(Code code, std::string found, std::string allowed) {
  return {code, Where::Field("rows"), std::move(found), std::move(allowed), Phase::kRequest};
}

std::vector<float> Values(const Binding& b) {
  std::vector<float> out(b.rows * b.cols);
  const auto read = SlotReader(b).Read(0, b.rows, out.data());
  return read ? out : std::vector<float>{};
}

// Only F32: this format has no other type, though the product's matcher would widen two more.
void CheckTypes(std::span<const TensorInfo> tensors, Problems& problems) {
  for (const TensorInfo& t : tensors) {
    if (t.type == StoredType::kF32) continue;
    problems.push_back({Code::kUnsupportedOperatorDtypeDevice, Where::Tensor(kFile, t.name),
                        std::string(Name(t.type)), "F32", Phase::kTensors});
  }
}

Problems CheckRows(const std::vector<std::vector<float>>& rows) {
  if (rows.empty()) return {Bad(Code::kInvalidInput, "no rows", "1 to 8 rows")};
  if (rows.size() > kMaxRows)
    return {Bad(Code::kInputTooLarge, std::to_string(rows.size()) + " rows", "1 to 8 rows")};
  for (const std::vector<float>& row : rows) {
    if (row.size() != kIn)
      return {Bad(Code::kInvalidInput, std::to_string(row.size()) + " numbers", "4 numbers a row")};
    for (const float v : row)
      if (!std::isfinite(v)) return {Bad(Code::kNonFiniteInput, std::to_string(v), "finite numbers")};
  }
  return {};
}

}  // namespace

Planned<std::unique_ptr<Encoder>> Encoder::Load(std::shared_ptr<const io::ByteSource> source,
                                                const Policy& policy) {
  if (policy.schema != "tiny/v1" && policy.schema != "tiny/v2")
    return One(Code::kUnknownFamily, {}, policy.schema, "tiny/v1, tiny/v2", Phase::kFamily);
  if (source->size() > policy.bytes) {
    return One(Code::kArtifactTooLarge, Where::At(kFile), std::to_string(source->size()) + " bytes",
               std::to_string(policy.bytes), Phase::kInspect);
  }
  const bool cpu = policy.device == "cpu";
  if (!cpu && !policy.allow_cpu_fallback)
    return One(Code::kBackendNotCompiled, Where::Option("device"), policy.device, "cpu", Phase::kPolicy);

  Problems problems;
  const package::Safetensors file = package::ReadSafetensors(source, kFile, {}, problems);
  if (!problems.empty()) return problems;

  std::unique_ptr<Encoder> e(new Encoder());
  std::vector<TensorDecl> wanted;
  const Scope root(wanted);
  root.Linear("encoder", e->encoder_, kHidden, kIn);
  root.Linear("projection", e->projection_, kOut, kHidden);
  // The schema decides whether the tensor may be there, never the tensor the schema (TNY-08).
  if (policy.schema == "tiny/v2") root.Vector("projection.scale", e->scale_, kOut, Need::kOptional);
  Match match = MatchTensors(wanted, file.tensors, {});
  if (!match.problems.empty()) return std::move(match.problems);
  CheckTypes(file.tensors, problems);
  if (!problems.empty()) return problems;

  const ReferenceBackend backend;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Binding& b = match.bindings[i];
    if (b.state != BindState::kBound) continue;
    const SlotReader reader(b);
    auto prepared = backend.Prepare(SourceOf(b, &reader), Profile::kF32);  // refuses what is not finite
    if (!prepared) {
      problems.push_back(prepared.error());
      continue;
    }
    *wanted[i].slot = Weight(prepared->get(), b.rows, b.cols);
    if (wanted[i].slot == &e->scale_) e->scale_values_ = Values(b);
    e->prepared_.push_back(std::move(prepared).value());
    e->checkpoint_.parameters.emplace_back(b.slot, b.stored[0].tensor->shape);
    e->checkpoint_.values += b.stored[0].tensor->Count();
  }
  if (!problems.empty()) return problems;
  std::ranges::sort(e->checkpoint_.parameters);

  std::vector<std::byte> bytes(source->size());
  if (auto read = source->Read(0, bytes); !read) return Problems{read.error()};
  Sha256 digest;
  digest.Update(bytes);
  e->checkpoint_.sha256 = Hex(digest.Finish());
  e->checkpoint_.bytes = bytes.size();
  if (!policy.sha256.empty() && policy.sha256 != e->checkpoint_.sha256) {
    return One(Code::kArtifactStale, Where::At(kFile), e->checkpoint_.sha256, policy.sha256, Phase::kLoad);
  }
  e->device_ = {policy.device, "cpu", !cpu};
  e->free_ = policy.permits;
  return e;
}

Result<Reply> Encoder::Run(const std::vector<std::vector<float>>& rows) const {
  const Permit permit(*this);
  if (!permit.taken()) return Bad(Code::kOverloaded, "all permits are taken", "a later call");
  if (Problems problems = CheckRows(rows); !problems.empty()) return std::move(problems[0]);
  const std::size_t n = rows.size();
  std::vector<float> in, memory(1024);
  for (const std::vector<float>& row : rows) in.insert(in.end(), row.begin(), row.end());
  ReferenceOps ops;
  Workspace ws(reinterpret_cast<std::byte*>(memory.data()), memory.size() * 4, DType::kF32, Space::kHost);
  const Matrix x = ws.RowsF32(n, kIn), hidden = ws.RowsF32(n, kHidden), out = ws.RowsF32(n, kOut);
  ops.Upload(in, x);
  ops.Project(x, encoder_, hidden, {.activation = Activation::kRelu});
  ops.Project(hidden, projection_, out, {});
  Reply reply;
  reply.hidden.resize(n * kHidden), reply.embeddings.resize(n * kOut);
  ops.Download(hidden, reply.hidden);
  ops.Download(out, reply.embeddings);
  for (std::size_t r = 0; r < n; ++r) {
    float* const y = reply.embeddings.data() + r * kOut;
    for (std::size_t c = 0; c < scale_values_.size(); ++c) y[c] *= scale_values_[c];
    // No epsilon: a row without length has no direction (TNY-07).
    if (std::ranges::all_of(std::span(y, kOut), [](float v) { return v == 0; }))
      return Error{Code::kZeroNormOutput, {}, "row " + std::to_string(r), "a row with a length", Phase::kRun};
  }
  ops.Upload(reply.embeddings, out);
  ops.NormalizeL2(out, out);
  ops.Download(out, reply.embeddings);
  for (std::size_t r = 0; r < n; ++r) {
    double squares = 0;
    for (std::size_t c = 0; c < kOut; ++c) {
      const double v = static_cast<double>(reply.embeddings[r * kOut + c]);
      squares += v * v;
    }
    if (!(std::abs(squares - 1) <= 1e-5))
      return Error{Code::kInvalidOutput, {}, std::to_string(squares), "a squared norm of 1", Phase::kRun};
  }
  reply.device = device_;
  return reply;
}

}  // namespace candor::tiny
