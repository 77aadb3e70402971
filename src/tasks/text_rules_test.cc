#include "tasks/text_rules.h"

#include <gtest/gtest.h>

namespace candor::tasks {
namespace {

Result<Prompt> ByRole(std::vector<std::pair<std::string, std::string>> prompts, TextRole role,
                      bool has_roles = false) {
  EmbedRecipe recipe;
  recipe.prompts = std::move(prompts);
  if (!recipe.prompts.empty()) recipe.default_prompt = recipe.prompts.front().first;
  recipe.has_roles = has_roles;
  TextOptions options;
  options.role = role;
  return ChoosePrompt(recipe, options);
}

// TSK-05: as encode_query and encode_document of sentence-transformers 6.2: the prompt of the role's name, or
// none; never the default one, and never "passage" in the place of "document".
TEST(ChoosePrompt, ByRole) {
  EXPECT_EQ(ByRole({{"query", "q: "}}, TextRole::kQuery)->text, "q: ");
  EXPECT_EQ(ByRole({{"query", "q: "}}, TextRole::kDocument)->text, "");
  EXPECT_EQ(ByRole({{"document", "d: "}}, TextRole::kDocument)->text, "d: ");
  EXPECT_EQ(ByRole({{"document", "d: "}}, TextRole::kQuery)->text, "");
  EXPECT_EQ(ByRole({{"query", ""}, {"other", "o: "}}, TextRole::kQuery)->text, "");
  EXPECT_EQ(ByRole({{"other", "o: "}}, TextRole::kQuery, true)->text, "");
}

TEST(ChoosePrompt, ARoleThatThePackageLacks) {
  const auto passage = ByRole({{"query", "q: "}, {"passage", "p: "}}, TextRole::kDocument);
  ASSERT_FALSE(passage);
  EXPECT_EQ(passage.error().code, Code::kUnsupportedOption);
  EXPECT_EQ(passage.error().where, Where::Option("role"));
  EXPECT_EQ(passage.error().allowed, "--prompt-name passage");
  const auto none = ByRole({{"other", "o: "}}, TextRole::kQuery);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().found, "query");
  EXPECT_EQ(none.error().allowed, "none: the package does not tell queries from documents");
}

TEST(ChoosePrompt, WhatIsAskedForComesBeforeTheRole) {
  EmbedRecipe recipe;
  recipe.prompts = {{"query", "q: "}, {"other", "o: "}};
  TextOptions options;
  options.role = TextRole::kQuery, options.prompt_name = "other";
  EXPECT_EQ(ChoosePrompt(recipe, options)->text, "o: ");
  options.prompt_name.reset(), options.prompt = "x ";
  EXPECT_EQ(ChoosePrompt(recipe, options)->text, "x ");
}

}  // namespace
}  // namespace candor::tasks
