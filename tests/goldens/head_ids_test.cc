// What the tasks of heads put in front of the model: ids, by the package's own template or conversation.
#include <gtest/gtest.h>

#include "bound_model.h"
#include "head_golden.h"
#include "tasks/registry.h"

namespace candor::goldens {
namespace {

class HeadIds : public testing::TestWithParam<std::string> {};

// TSK-08, TSK-18: exactly, where texts are cut and the conversation's end stands again too.
TEST_P(HeadIds, OfATaskAreTheReferences) {
  const HeadGolden golden = LoadHead(GetParam());
  BoundModel m;
  ASSERT_TRUE(m.Open(golden.package));
  Problems problems;
  families::Found found = families::FindModel(*m.package, m.log, problems);
  ASSERT_NE(found.model, nullptr) << Words(problems);
  const auto task =
      tasks::MakeTask(golden.task, *m.package, m.log, {.family = found.family}, found.model.get(), problems);
  ASSERT_NE(task, nullptr) << Words(problems);
  for (const HeadItem& item : golden.items) {
    Request request = RerankRequest{.query = item.text, .documents = {item.pair.value_or("")}};
    if (golden.task != "rerank") request = ClassifyRequest{.inputs = {{item.text, item.pair}}};
    const auto laid = task->Lay(request);
    ASSERT_TRUE(laid) << Message(laid.error());
    ASSERT_EQ(laid->works.size(), 1u) << item.text;
    EXPECT_EQ(laid->works[0].tokens, item.ids) << item.text;
    EXPECT_EQ(laid->items[0].total, item.tokens_before_truncation) << item.text;
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, HeadIds, testing::ValuesIn(HeadNames()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace candor::goldens
