// Routes against those that sentence-transformers 6.2's Router._resolve_route gives for texts.
#include "tasks/router.h"

#include <gtest/gtest.h>

#include "package/test_folder.h"

namespace candor::tasks {
namespace {

constexpr std::string_view kDense = R"("sentence_transformers.models.Dense")";

struct Read {
  std::optional<Router> router;
  Problems problems;
};

Read ReadRouterOf(const std::string& structure, const std::string& parameters, std::string types = "") {
  const package::TestFolder folder("router");
  folder.WriteValid();
  folder.Write("modules.json",
               R"([{"idx":0,"name":"0","path":"","type":"sentence_transformers.models.Router"}])");
  if (types.empty()) {
    types = "{";
    for (const char* name : {"a_0_Dense", "b_0_Dense"})
      types += std::string(types.size() == 1 ? "" : ",") + '"' + name + "\":" + std::string(kDense);
    types += "}";
  }
  folder.Write("router_config.json", R"({"types":)" + types + R"(,"structure":)" + structure +
                                         R"(,"parameters":)" + parameters + "}");
  const auto package = package::Package::Open(folder.path());
  EXPECT_TRUE(package);
  Read read;
  read.router = ReadRouter(**package, std::make_shared<package::ReadLog>(), "", read.problems);
  return read;
}

// Names of the routes of no role, query and document; "-" where the reference raises.
std::string Taken(const std::string& structure, const std::string& parameters) {
  const Read read = ReadRouterOf(structure, parameters);
  EXPECT_TRUE(read.router) << (read.problems.empty() ? "" : Message(read.problems[0]));
  if (!read.router) return "";
  std::string out;
  using Roles = std::vector<std::optional<TextRole>>;
  for (const auto role : Roles{std::nullopt, TextRole::kQuery, TextRole::kDocument}) {
    const Router::Route* route = read.router->Of(role);
    out += (out.empty() ? "" : " ") + (route == nullptr ? "-" : route->name);
  }
  return out;
}

constexpr const char* kSides = R"({"query":["a_0_Dense"],"document":["b_0_Dense"]})";
constexpr const char* kOthers = R"({"one":["a_0_Dense"],"text":["b_0_Dense"]})";

// TSK-05
TEST(Router, RoutesByRole) {
  EXPECT_EQ(Taken(kSides, R"({"default_route":"document"})"), "document query document");
  EXPECT_EQ(Taken(kSides, "{}"), "query query document");  // the first, where an empty key is allowed
  EXPECT_EQ(Taken(kSides, R"({"allow_empty_key":false})"), "- query document");
  EXPECT_EQ(Taken(R"({"one":["a_0_Dense"],"two":["b_0_Dense"]})", "{}"), "one - -");
}

std::string Mapped(const char* structure, const std::string& mappings) {
  return Taken(structure, R"({"route_mappings":{)" + mappings + "}}");
}

TEST(Router, RoutesByModalityAndMapping) {
  EXPECT_EQ(Taken(kOthers, "{}"), "text text text");  // the modality's name
  EXPECT_EQ(Mapped(kOthers, R"x("('query', None)":"one")x"), "text one text");
  EXPECT_EQ(Mapped(kOthers, R"x("(None, None)":"one")x"), "one one one");
  EXPECT_EQ(Mapped(kOthers, R"x("(None, 'image')":"one")x"), "text text text");
  EXPECT_EQ(Mapped(kOthers, R"x("(None, ('image', 'text'))":"one")x"), "text text text");
  EXPECT_EQ(Mapped(kSides, R"x("(None, 'text')":"document","('query', 'text')":"query")x"),
            "document query document");
  EXPECT_EQ(Mapped(kSides, R"x("(None, 'text')":"document")x"), "document document document");
}

TEST(Router, FoldersAndClasses) {
  const Read read = ReadRouterOf(
      R"({"query":["","a_0_Dense"]})", "{}",
      R"({"":"sentence_transformers.models.Transformer","a_0_Dense":)" + std::string(kDense) + "}");
  ASSERT_TRUE(read.router);
  const auto& modules = read.router->routes[0].modules;
  ASSERT_EQ(modules.size(), 2u);
  EXPECT_EQ(modules[0].folder, "");
  EXPECT_EQ(modules[0].type, "Transformer");
  EXPECT_EQ(modules[1].folder, "a_0_Dense/");
  EXPECT_EQ(modules[1].where, Where::At("router_config.json", "/structure/query/1"));
}

void ExpectOne(const Read& read, Code code, const std::string& pointer, std::string_view found,
               std::string_view allowed) {
  EXPECT_FALSE(read.router);
  ASSERT_EQ(read.problems.size(), 1u);
  EXPECT_EQ(read.problems[0].code, code);
  EXPECT_EQ(read.problems[0].where, Where::At("router_config.json", pointer));
  EXPECT_EQ(read.problems[0].found, found);
  EXPECT_EQ(read.problems[0].allowed, allowed);
}

TEST(Router, Damage) {
  ExpectOne(ReadRouterOf("{}", "{}"), Code::kInvalidPackageSchema, "/structure", "no routes",
            "the modules of each route");
  ExpectOne(ReadRouterOf(R"({"query":[]})", "{}"), Code::kInvalidPackageSchema, "/structure/query",
            "no modules", "at least one");
  ExpectOne(ReadRouterOf(R"({"query":["a_0_Dense","c"]})", "{}"), Code::kInvalidPackageSchema,
            "/structure/query/1", "c", "a folder that types names");
  ExpectOne(ReadRouterOf(kSides, R"({"default_route":"other"})"), Code::kInvalidPackageSchema,
            "/parameters/default_route", "other", "one of the routes: query, document");
  ExpectOne(ReadRouterOf(kSides, R"({"route_mappings":{"query":"query"}})"), Code::kInvalidPackageSchema,
            "/parameters/route_mappings/query", "query", "a task and a modality, as ('query', 'text')");
  ExpectOne(ReadRouterOf(kSides, R"x({"route_mappings":{"(None, None)":"other"}})x"),
            Code::kInvalidPackageSchema, "/parameters/route_mappings/(None, None)", "other",
            "one of the routes: query, document");
  ExpectOne(ReadRouterOf(kSides, R"({"depth":2})"), Code::kUnsupportedProcessorRecipe, "/parameters/depth",
            "depth", "default_route, allow_empty_key, route_mappings");
  ExpectOne(
      ReadRouterOf(kSides, "{}", R"({"a_0_Dense":"own.Dense","b_0_Dense":)" + std::string(kDense) + "}"),
      Code::kCustomCodeDenied, "/types/a_0_Dense", "own.Dense",
      "modules of sentence_transformers; code of a package is never run");
}

}  // namespace
}  // namespace candor::tasks
