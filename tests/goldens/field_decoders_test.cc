// Faults of other engines with decoders. BR numbers are those of the field log.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "candor/engine.h"
#include "golden.h"
#include "package/test_folder.h"

namespace candor::goldens {
namespace {

namespace fs = std::filesystem;

std::shared_ptr<const Embedder> Open(const std::string& path) {
  auto model = Engine::New({.threads = 1}).value()->OpenEmbedder({.path = path, .allow_unqualified = true});
  if (!model) {
    for (const Error& e : model.error()) ADD_FAILURE() << Message(e);
    return nullptr;
  }
  return *model;
}

std::vector<float> Vectors(const Embedder& model, const std::vector<std::string>& texts) {
  EmbedRequest request;
  for (const std::string& text : texts) request.inputs.emplace_back(text);
  const auto reply = model.Embed(request);
  EXPECT_TRUE(reply);
  return reply ? reply->embeddings.values : std::vector<float>();
}

bool SameBits(const float* a, const std::vector<float>& b) {
  return std::memcmp(a, b.data(), b.size() * sizeof(float)) == 0;
}

// BR-005, BR-046: short, middle and long texts in any order, which side a tokenizer pads being none of ours.
// The two whose rotation turns by a text's length are the ones that a batch would change; the long texts
// share their first half. A window of padding alone made others' rows NaN; here every vector is a number.
TEST(FieldDecoders, ABatchInAnyOrderGivesWhatATextGivesAlone) {
  const std::string shared = "the cold river ";
  const std::vector<std::string> texts{"", "river", "the quick fox", shared + "at night",
                                       shared + "in light"};
  for (const char* name : {"llama/plain", "llama/dynamic", "llama/longrope", "qwen2/plain", "qwen3/plain",
                           "mistral/window", "ministral3/plain", "gemma2/plain", "gemma3_text/embedding"}) {
    std::vector<std::vector<float>> alone;
    for (const char* side : {"right", "left"}) {
      const package::TestFolder folder("sides");
      fs::copy(Load(name).package, folder.path(),
               fs::copy_options::recursive | fs::copy_options::overwrite_existing);
      std::string config = folder.Read("tokenizer_config.json");
      config.insert(config.find('{') + 1, R"("padding_side":")" + std::string(side) + R"(",)");
      folder.Write("tokenizer_config.json", config);
      const auto model = Open(folder.path());
      ASSERT_NE(model, nullptr) << name;
      if (alone.empty())
        for (const std::string& text : texts) alone.push_back(Vectors(*model, {text}));
      for (const std::vector<float>& one : alone)
        ASSERT_TRUE(std::ranges::all_of(one, [](float x) { return std::isfinite(x); })) << name;
      std::vector<std::size_t> order{0, 1, 2, 3, 4};
      do {
        std::vector<std::string> batch;
        for (const std::size_t i : order) batch.push_back(texts[i]);
        const std::vector<float> got = Vectors(*model, batch);
        ASSERT_EQ(got.size(), texts.size() * alone[0].size()) << name;
        for (std::size_t at = 0; at < order.size(); ++at)
          ASSERT_TRUE(SameBits(got.data() + at * alone[0].size(), alone[order[at]]))
              << name << " text " << order[at] << " at " << at << ", padded " << side;
      } while (std::ranges::next_permutation(order).found);
    }
    EXPECT_NE(alone[3], alone[4]) << name;
  }
}

}  // namespace
}  // namespace candor::goldens
