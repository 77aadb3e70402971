// A package whose answers a hand can write down: a BERT whose attention and inner layer give zero and whose
// norms are (1, 0). A word's last hidden row is then its word, position and type row added, once normed; a
// sum of mean 0 and variance 1 comes out as it is. Tokens are whole words.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "package/test_folder.h"

namespace candor::goldens {

struct TransparentModule {
  std::string type, config;  // "Pooling", its config.json
  std::vector<package::TestTensor> tensors{};
};

struct Transparent {
  std::string model_type = "bert";
  // [CLS], [PAD], [SEP] and [UNK] are found by their names; a token's place is its id.
  std::vector<std::string> tokens{"[CLS]", "[PAD]", "[SEP]", "[UNK]"};
  std::map<std::string, std::vector<float>> rows{};  // of tokens; the others' are zeros
  std::size_t width = 4, heads = 2, inner = 1, positions = 32, segments = 2;
  std::string config{};                             // more members of config.json: R"(,"pad_token_id":1)"
  std::string prefix{};                             // of the tensors' names
  bool gammas = false;                              // norms as gamma and beta
  std::string stored = "F32";                       // or F16, BF16; every value must be one of that type
  std::map<std::string, std::string> types{};       // of single tensors, by name without prefix
  std::string single = R"(["[CLS]","A","[SEP]"])";  // the template; "null" for no post-processor
  std::string padding = "null";
  std::vector<TransparentModule> modules{};             // behind the encoder
  std::map<std::string, std::string> files{};           // written last
  std::map<std::string, std::vector<float>> tensors{};  // in place of what stands above, without prefix
  std::vector<package::TestTensor> more{};              // beside the model's, names whole
  // Every other value is a pseudo-random one of 8 bits, which each stored type has: nothing is transparent,
  // each part counts.
  bool scrambled = false;

  void WriteTo(const package::TestFolder& folder) const;
};

TransparentModule PoolingModule(const std::string& mode, std::size_t width = 4);

// `values` as stored in F32, F16 or BF16; the test fails where one of them is no value of that type.
std::string StoredBytes(const std::vector<float>& values, const std::string& type);

}  // namespace candor::goldens
