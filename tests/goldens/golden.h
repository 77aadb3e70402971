// A golden case as goldens/README.md describes it: a package, inputs, and what the reference library
// answered.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "candor/types.h"
#include "io/json.h"

namespace candor::goldens {

struct Array {
  std::vector<std::size_t> shape;
  std::vector<double> values;  // f32 widened
};

// Members of a golden.json.
Array ReadArray(const io::Json& json);
std::vector<std::int32_t> ReadIds(const io::Json* json);  // null: none
std::optional<std::string> ReadText(const io::Json& item, std::string_view key);

struct Item {
  std::string text;
  std::optional<std::string> prompt_name, prompt, adapter, role;
  std::vector<std::int32_t> ids, type_ids;
  std::size_t tokens_before_truncation = 0;
};

struct Cut {
  std::size_t dimensions = 0;
  Array embeddings;
  double delta = 0;
};

// Last hidden rows of one item.
struct Hidden {
  std::size_t item = 0;
  Array rows;
  double delta = 0;
};

// The same for the model cut down to its first layer, and the keys of config.json that cut it: where a
// difference begins.
struct FirstLayer {
  std::vector<std::pair<std::string, io::Json>> config;
  std::vector<Hidden> hidden;
};

struct Golden {
  std::string name, package;  // package: folder
  std::size_t max_length = 0, dimension = 0;
  std::vector<Item> items;
  Array embeddings;  // f64
  double delta = 0;  // of the library's own f32 run
  std::vector<Hidden> hidden;
  std::optional<FirstLayer> first_layer;
  std::string similarity;
  Array similarity_matrix;
  std::optional<Cut> cut;
};

// Every case ("roberta/plain"), and the real MiniLM where its package was fetched or CANDOR_REQUIRE_MODELS
// is set, as ./check does: then its absence is a failure. Failures are test failures.
std::vector<std::string> CaseNames();
// As a part of a test's name.
std::string TestName(std::string name);
bool IsReal(const std::string& name);
Golden Load(const std::string& name);

// Whether the package leaves the pooling to its caller: the golden was then made with the mean.
bool NeedsPooling(const Golden& golden);
// max_length, or where it is 0, for no limit, the most that can be run.
std::size_t LengthOf(const Golden& golden);

// One request per distinct choice of prompt, role and adapter: the public API takes one for all inputs of a
// request.
struct Asked {
  EmbedRequest request;
  std::vector<std::size_t> items;  // which of the golden's
};
std::vector<Asked> Requests(const Golden& golden);

// DESIGN section 9, the bound of the f32 profile on RelativeL2: four times the distance of the library's own
// f32 run from its f64 run, and never under 1e-6.
double Bound(double delta);
// |a - b| / |b| over everything.
double RelativeL2(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace candor::goldens
