// Faults of other engines that only many requests show: what ran before, what runs beside and how much fits
// in one batch must leave every bit as it is. BR numbers are those of the field log.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "candor/engine.h"
#include "golden.h"
#include "transparent.h"

namespace candor::goldens {
namespace {

std::shared_ptr<Engine> NewEngine(std::size_t threads) { return Engine::New({.threads = threads}).value(); }

std::shared_ptr<const Embedder> Open(const Engine& engine, ModelOptions options) {
  options.allow_unqualified = true;
  auto model = engine.OpenEmbedder(options);
  if (!model) {
    for (const Error& e : model.error()) ADD_FAILURE() << Message(e);
    return nullptr;
  }
  return *model;
}

bool SameBits(const float* a, const float* b, std::size_t count) {
  return std::memcmp(a, b, count * sizeof(float)) == 0;
}

// BR-011: request 10,000 gives the bits of request 1; positions are not added up in a buffer that is kept.
TEST(FieldRuns, TenThousandRequestsLeaveNoTrace) {
  const Golden golden = Load("roberta/plain");
  const auto model = Open(*NewEngine(1), {.path = golden.package});
  ASSERT_NE(model, nullptr);
  const EmbedRequest request{.inputs = {std::string("river")}};
  const auto first = model->Embed(request);
  ASSERT_TRUE(first);
  for (int i = 2; i <= 10000; ++i) {
    const auto again = model->Embed(request);
    ASSERT_TRUE(again) << i;
    ASSERT_TRUE(SameBits(again->embeddings.values.data(), first->embeddings.values.data(), golden.dimension))
        << i;
  }
}

// A thousand different texts of one to eight of the golden's words.
std::vector<std::string> ManyTexts(const Golden& golden) {
  std::vector<std::string> words;
  for (const Item& item : golden.items) {
    std::istringstream in(item.text);
    for (std::string word; in >> word;) words.push_back(word);
  }
  std::mt19937 random(7);
  std::set<std::string> out;
  while (out.size() < 1000) {
    std::string text;
    const std::size_t count = 1 + random() % 8;
    for (std::size_t i = 0; i < count; ++i) text += words[random() % words.size()] + " ";
    out.insert(text);
  }
  return {out.begin(), out.end()};
}

// BR-042: 1, 2, 8 and 32 callers with batches of 1, 3 and 64 in any order get what a text gets alone.
TEST(FieldRuns, VectorsAreTheirOwnHoweverManyRunAtOnce) {
  const Golden golden = Load("roberta/plain");
  const auto model = Open(*NewEngine(2), {.path = golden.package});
  ASSERT_NE(model, nullptr);
  const std::vector<std::string> texts = ManyTexts(golden);
  const std::size_t width = golden.dimension;
  std::vector<float> alone;
  for (const std::string& text : texts) {
    const auto reply = model->Embed({.inputs = {text}});
    ASSERT_TRUE(reply);
    alone.insert(alone.end(), reply->embeddings.values.begin(), reply->embeddings.values.end());
  }
  std::vector<std::size_t> order(texts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::mt19937 random(11);
  for (const std::size_t callers : {1u, 2u, 8u, 32u}) {
    for (const std::size_t batch : {1u, 3u, 64u}) {
      std::shuffle(order.begin(), order.end(), random);
      std::atomic<std::size_t> next = 0, right = 0;
      const auto call = [&] {
        for (std::size_t at; (at = next.fetch_add(batch)) < order.size();) {
          const std::size_t end = std::min(at + batch, order.size());
          EmbedRequest request;
          for (std::size_t i = at; i < end; ++i) request.inputs.emplace_back(texts[order[i]]);
          const auto reply = model->Embed(request);
          if (!reply) continue;
          for (std::size_t i = at; i < end; ++i)
            right += SameBits(reply->embeddings.values.data() + (i - at) * width,
                              alone.data() + order[i] * width, width);
        }
      };
      std::vector<std::thread> threads;
      for (std::size_t i = 0; i < callers; ++i) threads.emplace_back(call);
      for (std::thread& thread : threads) thread.join();
      EXPECT_EQ(right, texts.size()) << callers << " callers, batches of " << batch;
    }
  }
}

// BR-045: one text of 20 tokens where 20, 21, 64, 512 or 513 fit, as a limit of a text and of a batch.
TEST(FieldRuns, RoomThatIsLeftChangesNothing) {
  Transparent t;
  t.scrambled = true;
  t.width = 24, t.heads = 3, t.inner = 40, t.positions = 513;
  for (const char* word : {"a", "b", "c", "d", "e", "f"}) t.tokens.emplace_back(word);
  t.modules = {PoolingModule("mean", 24), {"Normalize", ""}};
  const package::TestFolder folder("room");
  t.WriteTo(folder);
  const std::string text = "a b c d e f a c e b d f f e d c b a";  // and both ends
  std::vector<float> first;
  const auto engine = NewEngine(2);
  for (const std::size_t room : {20u, 21u, 64u, 512u, 513u}) {
    for (const std::size_t longest : {std::size_t{20}, room}) {
      const auto model =
          Open(*engine, {.path = folder.path(), .max_length = longest, .max_batch_tokens = room});
      ASSERT_NE(model, nullptr) << room;
      EXPECT_EQ(model->info().max_batch_tokens, room);
      // Beside others too, which fill the batch or do not fit.
      const auto reply = model->Embed({.inputs = {std::string("a b"), text, std::string("f")}});
      const auto alone = model->Embed({.inputs = {text}});
      ASSERT_TRUE(reply && alone);
      EXPECT_EQ(alone->items[0].tokens, 20u);
      if (first.empty()) first = alone->embeddings.values;
      EXPECT_TRUE(SameBits(alone->embeddings.values.data(), first.data(), 24)) << room;
      EXPECT_TRUE(SameBits(reply->embeddings.values.data() + 24, first.data(), 24)) << room;
    }
  }
}

}  // namespace
}  // namespace candor::goldens
