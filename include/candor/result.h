// Result<T> and Error: how every fallible call in Candor answers.
//
// Errors are values with fields, never prose: the sentence is made where it is shown (Message below). A code
// tells the caller what to do next; its spelling, class, exit code and HTTP status stand in one table,
// src/base/error_table.cc. Value types; any thread may hold its own copy.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace candor {

// One code per remedy.
enum class Code : std::uint8_t {
  // artifact: other files, or plan again
  kArtifactMissing,
  kArtifactStale,
  kComponentMissing,
  kArtifactTooLarge,
  // the package contradicts its format
  kArtifactMalformed,
  kInvalidPackageSchema,
  kPathEscape,
  kShardIndexMismatch,
  kDuplicateTensor,
  kAmbiguousArtifact,
  // recognition
  kAmbiguousFamily,
  kUnknownFamily,
  kEvidenceConflict,
  kUnsupportedConfigVariant,
  // parameters
  kMissingRequiredTensor,
  kUnexpectedTensor,
  kShapeMismatch,
  kLayoutMismatch,
  kNonFiniteParameter,
  // task
  kUnsupportedTaskHead,
  kUnknownTask,
  kUnknownExtension,
  kLabelsMissing,
  kEmbeddingSpaceMismatch,
  kCompositionMismatch,
  // preprocessing and graph
  kUnsupportedProcessorRecipe,
  kPreprocessingContractMismatch,
  kExportUnsupported,
  kExportConstraintViolation,
  // backend
  kUnsupportedOperatorDtypeDevice,
  kUnsupportedQuantization,
  kDevicePlanRejected,
  kBackendNotCompiled,
  // qualification and policy
  kDependencyVersionUnqualified,
  kUnqualifiedCase,
  kCaseWithdrawn,
  kNumericalQualificationFailed,
  kCustomCodeDenied,
  kNetworkDenied,
  kTrustPolicyRejected,
  // resource: retry later, or with less
  kInsufficientMemory,
  kOverloaded,
  kNotReady,
  // input: change the request
  kInvalidInput,
  kEmptyInput,
  kZeroValidTokens,
  kNonFiniteInput,
  kInputTooLarge,
  kUnsupportedOption,
  // execution and lifecycle
  kModelLoadFailed,
  kRuntimeFailure,
  kNumericalFailure,
  kInvalidOutput,
  kZeroNormOutput,
  kExecutionAborted,
  kCancellationPending,
  kDrainFailed,
  kDeadlineExceeded,
  // a defect of Candor
  kInternalInvariant,
};

// The stage that found the problem: the ten of loading (SPEC section 1), then the two of running.
enum class Phase : std::uint8_t {
  kResolve,     // find the files
  kInspect,     // read headers and metadata
  kConfig,      // parse configuration by a known schema
  kFamily,      // resolve architecture and head
  kTensors,     // validate tensors
  kProcessing,  // tokenizer, prompts, pooling, labels
  kPolicy,      // trust, envelope, limits
  kPlan,        // dry pass and kernels
  kLoad,
  kProbe,
  kRequest,  // the caller's input
  kRun,
};

// Where a problem stands. Only the members that apply are set; line counts from 1, 0 is none.
struct Where {
  std::string file = {};     // relative to the package, or the input's name
  std::string pointer = {};  // RFC 6901, inside a JSON file
  std::string tensor = {};
  std::string option = {};  // command line or request option
  std::int64_t line = 0;
  std::string field = {};  // request or input-line field

  static Where At(std::string file, std::string pointer = {}) {
    return {.file = std::move(file), .pointer = std::move(pointer)};
  }
  static Where Tensor(std::string file, std::string tensor) {
    return {.file = std::move(file), .tensor = std::move(tensor)};
  }
  static Where Option(std::string option) { return {.option = std::move(option)}; }
  static Where Line(std::int64_t line, std::string field = {}) {
    return {.line = line, .field = std::move(field)};
  }
  static Where Field(std::string field) { return {.field = std::move(field)}; }
  bool operator==(const Where&) const = default;
};

struct [[nodiscard]] Error {
  Code code = Code::kInternalInvariant;
  Where where = {};
  std::string found = {};    // what was found
  std::string allowed = {};  // what would have been accepted
  Phase phase = Phase::kRequest;
};

// All problems of one package, in file order. Empty means none.
using Problems = std::vector<Error>;

enum class Retry : std::uint8_t { kUnchanged, kAfterChange, kNever };

struct CodeInfo {
  Code code;
  std::string_view name;        // "missing_required_tensor"
  std::string_view class_name;  // "parameter_schema"
  int exit_code;
  int http_status;
  Retry retry;
  std::string_view summary;  // what went wrong, in a few words, without the place
};
const CodeInfo& Info(Code code);
std::span<const CodeInfo> AllCodes();
std::string_view Name(Phase phase);
std::string_view Name(Retry retry);
std::string ToString(const Where& where);  // "config.json:/hidden_act"
std::string Message(const Error& error);   // one sentence: place, found, allowed
// The first problem's: several may stand side by side, and the first in file order is the one to mend first.
// No problem: 0.
int ExitCode(const Problems& problems);

template <class T, class E = Error>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(E error) : state_(std::in_place_index<1>, std::move(error)) {}
  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  const E& error() const { return std::get<1>(state_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  std::variant<T, E> state_;
};

template <class E>
class [[nodiscard]] Result<void, E> {
 public:
  Result() = default;
  Result(E error) : error_(std::move(error)) {}
  bool has_value() const { return !error_; }
  explicit operator bool() const { return has_value(); }
  const E& error() const { return *error_; }

 private:
  std::optional<E> error_;
};

// What planning answers: a value, or every problem at once.
template <class T>
using Planned = Result<T, Problems>;

}  // namespace candor

#define CANDOR_CONCAT_(a, b) a##b
#define CANDOR_CONCAT(a, b) CANDOR_CONCAT_(a, b)
#define CANDOR_TRY_(tmp, declaration, expression) \
  auto tmp = (expression);                        \
  if (!tmp) return tmp.error();                   \
  declaration = std::move(tmp).value()
// CANDOR_TRY(auto x, F()); returns the error of F() or declares x.
#define CANDOR_TRY(declaration, expression) \
  CANDOR_TRY_(CANDOR_CONCAT(candor_try_, __COUNTER__), declaration, expression)
// CANDOR_CHECKED(F()); returns the error of a Result<void>.
#define CANDOR_CHECKED(expression)                                        \
  do {                                                                    \
    if (auto candor_r = (expression); !candor_r) return candor_r.error(); \
  } while (false)
