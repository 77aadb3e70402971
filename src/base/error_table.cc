// The one table of error codes (SPEC section 11): spelling, class, exit code, HTTP status, what a retry can
// do.
//
// Wire dialects and the command line map classes and these numbers, never single codes.
#include <algorithm>
#include <array>
#include <cstddef>

#include "base/check.h"
#include "candor/result.h"

namespace candor {
namespace {

constexpr auto kUnchanged = Retry::kUnchanged;
constexpr auto kAfterChange = Retry::kAfterChange;
constexpr auto kNever = Retry::kNever;

constexpr CodeInfo kTable[] = {
    {Code::kArtifactMissing, "artifact_missing", "artifact", 3, 404, kAfterChange, "nothing is there"},
    {Code::kArtifactStale, "artifact_stale", "artifact", 3, 409, kAfterChange,
     "the bytes changed since they were read"},
    {Code::kComponentMissing, "component_missing", "artifact", 3, 422, kAfterChange,
     "a part of the package is absent"},
    {Code::kArtifactTooLarge, "artifact_too_large", "artifact_too_large", 3, 413, kAfterChange,
     "larger than the limit"},
    {Code::kArtifactMalformed, "artifact_malformed", "artifact_malformed", 3, 422, kAfterChange,
     "the file contradicts its format"},
    {Code::kInvalidPackageSchema, "invalid_package_schema", "artifact_malformed", 3, 422, kAfterChange,
     "the value does not fit the schema"},
    {Code::kPathEscape, "path_escape", "artifact_malformed", 3, 422, kAfterChange,
     "the path does not stay inside the package"},
    {Code::kShardIndexMismatch, "shard_index_mismatch", "artifact_malformed", 3, 422, kAfterChange,
     "the shard index and the shards differ"},
    {Code::kDuplicateTensor, "duplicate_tensor", "artifact_malformed", 3, 422, kAfterChange,
     "the tensor is stored twice"},
    {Code::kAmbiguousArtifact, "ambiguous_artifact", "artifact_malformed", 3, 422, kAfterChange,
     "the package holds several candidates"},
    {Code::kAmbiguousFamily, "ambiguous_family", "recognition", 3, 422, kAfterChange,
     "several families recognise the package"},
    {Code::kUnknownFamily, "unknown_family", "recognition", 3, 422, kAfterChange,
     "no family recognises the package"},
    {Code::kEvidenceConflict, "evidence_conflict", "recognition", 3, 422, kAfterChange,
     "the package contradicts itself"},
    {Code::kUnsupportedConfigVariant, "unsupported_config_variant", "recognition", 3, 422, kAfterChange,
     "the configuration asks for something that is not implemented"},
    {Code::kMissingRequiredTensor, "missing_required_tensor", "parameter_schema", 3, 422, kAfterChange,
     "a required tensor is absent"},
    {Code::kUnexpectedTensor, "unexpected_tensor", "parameter_schema", 3, 422, kAfterChange,
     "a tensor has no place in the model"},
    {Code::kShapeMismatch, "shape_mismatch", "parameter_schema", 3, 422, kAfterChange,
     "the tensor has another shape"},
    {Code::kLayoutMismatch, "layout_mismatch", "parameter_schema", 3, 422, kAfterChange,
     "the tensor is laid out differently"},
    {Code::kNonFiniteParameter, "non_finite_parameter", "parameter_schema", 3, 422, kAfterChange,
     "the tensor holds NaN or infinity"},
    {Code::kUnsupportedTaskHead, "unsupported_task_head", "task", 3, 422, kAfterChange,
     "the package has no head for the task"},
    {Code::kUnknownTask, "unknown_task", "task", 3, 422, kAfterChange, "no such task"},
    {Code::kUnknownExtension, "unknown_extension", "task", 3, 422, kAfterChange,
     "a required extension is not known"},
    {Code::kLabelsMissing, "labels_missing", "task", 3, 422, kAfterChange, "the labels are absent"},
    {Code::kEmbeddingSpaceMismatch, "embedding_space_mismatch", "task", 3, 422, kAfterChange,
     "the vectors are of different spaces"},
    {Code::kCompositionMismatch, "composition_mismatch", "task", 3, 422, kAfterChange,
     "the parts do not fit together"},
    {Code::kUnsupportedProcessorRecipe, "unsupported_processor_recipe", "preprocessing", 3, 422, kAfterChange,
     "the processing recipe is not implemented"},
    {Code::kPreprocessingContractMismatch, "preprocessing_contract_mismatch", "preprocessing", 3, 422,
     kAfterChange, "preprocessing and model do not fit"},
    {Code::kExportUnsupported, "export_unsupported", "graph", 3, 422, kAfterChange,
     "the exported graph cannot be used"},
    {Code::kExportConstraintViolation, "export_constraint_violation", "graph", 3, 422, kAfterChange,
     "outside the exported graph's domain"},
    {Code::kUnsupportedOperatorDtypeDevice, "unsupported_operator_dtype_device", "backend", 3, 422,
     kAfterChange, "no kernel for the operation, type and device"},
    {Code::kUnsupportedQuantization, "unsupported_quantization", "backend", 3, 422, kAfterChange,
     "the stored or asked number format is not supported"},
    {Code::kDevicePlanRejected, "device_plan_rejected", "backend", 3, 422, kAfterChange,
     "the device cannot run the plan"},
    {Code::kBackendNotCompiled, "backend_not_compiled", "backend", 3, 422, kAfterChange,
     "this build lacks the backend"},
    {Code::kDependencyVersionUnqualified, "dependency_version_unqualified", "qualification", 3, 422,
     kAfterChange, "a dependency has a version without evidence"},
    {Code::kUnqualifiedCase, "unqualified_case", "qualification", 3, 422, kAfterChange,
     "no evidence covers this case"},
    {Code::kCaseWithdrawn, "case_withdrawn", "qualification", 3, 422, kNever, "the case was withdrawn"},
    {Code::kNumericalQualificationFailed, "numerical_qualification_failed", "qualification", 3, 422,
     kAfterChange, "the numbers are outside the bound"},
    {Code::kCustomCodeDenied, "custom_code_denied", "policy", 3, 403, kNever,
     "the package needs its own code, which is never run"},
    {Code::kNetworkDenied, "network_denied", "policy", 3, 403, kNever, "the network may not be used"},
    {Code::kTrustPolicyRejected, "trust_policy_rejected", "policy", 3, 403, kNever,
     "the policy does not admit the package"},
    {Code::kInsufficientMemory, "insufficient_memory", "resource", 4, 503, kUnchanged, "not enough memory"},
    {Code::kOverloaded, "overloaded", "resource", 4, 429, kUnchanged, "too many requests"},
    {Code::kNotReady, "not_ready", "resource", 4, 503, kUnchanged, "not ready yet"},
    {Code::kInvalidInput, "invalid_input", "input", 2, 400, kAfterChange, "the input is not valid"},
    {Code::kEmptyInput, "empty_input", "input", 2, 400, kAfterChange, "the input is empty"},
    {Code::kZeroValidTokens, "zero_valid_tokens", "input", 2, 400, kAfterChange, "no valid token remains"},
    {Code::kNonFiniteInput, "non_finite_input", "input", 2, 400, kAfterChange,
     "the input holds NaN or infinity"},
    {Code::kInputTooLarge, "input_too_large", "input", 2, 413, kAfterChange, "the input is too large"},
    {Code::kUnsupportedOption, "unsupported_option", "input", 2, 422, kAfterChange,
     "the option is not supported"},
    {Code::kModelLoadFailed, "model_load_failed", "execution", 70, 500, kAfterChange,
     "the model could not be loaded"},
    {Code::kRuntimeFailure, "runtime_failure", "execution", 70, 500, kUnchanged, "the run failed"},
    {Code::kNumericalFailure, "numerical_failure", "execution", 70, 500, kNever,
     "the computation gave no finite number"},
    {Code::kInvalidOutput, "invalid_output", "execution", 70, 500, kNever, "the output breaks its contract"},
    {Code::kZeroNormOutput, "zero_norm_output", "execution", 70, 500, kNever,
     "the vector has no length and cannot be normalised"},
    {Code::kExecutionAborted, "execution_aborted", "lifecycle", 5, 499, kUnchanged, "the work was aborted"},
    {Code::kCancellationPending, "cancellation_pending", "lifecycle", 5, 499, kNever,
     "cancellation was asked for and the work has not ended"},
    {Code::kDrainFailed, "drain_failed", "lifecycle", 5, 504, kNever, "the work did not end in time"},
    {Code::kDeadlineExceeded, "deadline_exceeded", "lifecycle", 5, 504, kUnchanged, "the deadline passed"},
    {Code::kInternalInvariant, "internal_invariant", "internal", 70, 500, kNever, "a defect of Candor"},
};

constexpr std::size_t kCodes = static_cast<std::size_t>(Code::kInternalInvariant) + 1;

// The table is indexed by code: a row that is missing or out of order does not compile.
constexpr bool InOrder() {
  for (std::size_t i = 0; i < kCodes; ++i) {
    if (static_cast<std::size_t>(kTable[i].code) != i) return false;
  }
  return true;
}
static_assert(std::size(kTable) == kCodes);
static_assert(InOrder());

constexpr std::array<std::string_view, 12> kPhases = {"resolve", "inspect",    "config",  "family",
                                                      "tensors", "processing", "policy",  "plan",
                                                      "load",    "probe",      "request", "run"};

void Join(std::string& text, std::string_view separator, std::string_view part) {
  if (!text.empty()) text += separator;
  text += part;
}

}  // namespace

const CodeInfo& Info(Code code) {
  const auto index = static_cast<std::size_t>(code);
  CANDOR_CHECK(index < kCodes, "codes are the enumerators");
  return kTable[index];
}

std::span<const CodeInfo> AllCodes() { return kTable; }

std::string_view Name(Phase phase) {
  const auto index = static_cast<std::size_t>(phase);
  CANDOR_CHECK(index < kPhases.size(), "phases are the enumerators");
  return kPhases[index];
}

std::string_view Name(Retry retry) {
  switch (retry) {
    case Retry::kUnchanged:
      return "unchanged";
    case Retry::kAfterChange:
      return "after_change";
    case Retry::kNever:
      break;
  }
  return "never";
}

std::string ToString(const Where& where) {
  std::string text = where.file;
  if (!where.pointer.empty()) text += ":" + where.pointer;
  if (!where.tensor.empty()) Join(text, ": ", "tensor " + where.tensor);
  if (!where.option.empty()) Join(text, ": ", where.option);
  if (where.line != 0) Join(text, ": ", "line " + std::to_string(where.line));
  if (!where.field.empty()) Join(text, ": ", where.field);
  return text;
}

std::string Message(const Error& error) {
  std::string text = ToString(error.where);
  Join(text, ": ", Info(error.code).summary);
  if (!error.found.empty()) text += ": found " + error.found;
  if (!error.allowed.empty()) text += (error.found.empty() ? ": allowed " : ", allowed ") + error.allowed;
  return text;
}

int ExitCode(const Problems& problems) {
  return problems.empty() ? 0 : Info(problems.front().code).exit_code;
}

}  // namespace candor
