// Text for people: tables, JSON answers as sections, the short receipt.
#include <gtest/gtest.h>

#include "apps/receipt_text.h"
#include "apps/table.h"
#include "apps/text_view.h"

namespace candor::apps {
namespace {

TEST(Table, AlignsByCodePointsAndDropsTrailingBlanks) {
  Table table;
  table.Column("n", Table::Align::kRight).Column("name").Column("");
  table.Row({"1", "é", "x"}).Row({"10", "long", ""});
  EXPECT_EQ(table.Text("> "), ">  n  name\n>  1  é     x\n> 10  long\n");
}

TEST(Table, OneLineHasNoControlsAndAnEnd) {
  EXPECT_EQ(OneLine("a\nb\tc\x1b[31m", 20), "a b c [31m");
  EXPECT_EQ(OneLine("ééé", 2), "éé…");
  EXPECT_EQ(OneLine("ééé", 3), "ééé");
}

TEST(TextView, ScalarsThenSectionsThenTables) {
  EXPECT_EQ(TextView(R"({"product":"candor","ok":true,"none":null,"cpu_features":["avx2","fma"],"empty":[],
                         "kernels":[{"op":"project","calls":2},{"op":"norm","calls":10,"more":{"a":1}}],
                         "limits":{"tokens":512}})"),
            "product       candor\n"
            "ok            yes\n"
            "none          -\n"
            "cpu features  avx2, fma\n"
            "empty         none\n"
            "\nkernels (2)\n"
            "  op       calls  more\n"
            "  project      2\n"
            "  norm        10  {\"a\":1}\n"
            "\nlimits\n"
            "  tokens  512\n");
}

TEST(TextView, PlacesReadAsInMessages) {
  EXPECT_EQ(TextView(R"({"where":{"option":"device"},"problems":[
                         {"where":{"file":"config.json","pointer":"/hidden_act"},"found":"odd"},
                         {"where":{"line":3,"field":"text"},"found":""}]})"),
            "where  device\n"
            "\nproblems (2)\n"
            "  where                    found\n"
            "  config.json:/hidden_act  odd\n"
            "  line 3: text\n");
}

TEST(TextView, LongListsStandOneItemALine) {
  const std::string item(60, 'x');
  EXPECT_EQ(TextView("{\"short\":[1,2],\"long\":[\"" + item + "\",\"" + item + "\"]}"),
            "short  1, 2\n\nlong (2)\n  " + item + "\n  " + item + "\n");
}

TEST(ReceiptText, SaysWhatRan) {
  Receipt receipt;
  receipt.product = "candor";
  receipt.version = "0.1.0";
  receipt.plan = "sha256:0123456789abcdef";
  receipt.decision = "unqualified";
  receipt.unqualified = {"hidden_act=odd", "eps"};
  receipt.kernels = {{"project", "cpu.avx2.gemm_f32", "f32", 3},
                     {"residual", "cpu.avx2.gemm_f32", "f32", 2},
                     {"norm", "cpu.avx2.norm", "f32", 1}};
  receipt.as_planned = false;
  receipt.difference = "norm";
  receipt.items = 3;
  receipt.failed = 1;
  receipt.tokens = {4, 5, 0};
  receipt.truncated = {{.item = 0, .tokens = 9, .kept = 4, .side = "right"}};
  const std::string text = ReceiptText(receipt);
  for (const char* part : {"candor 0.1.0\n", "sha256:0123456789ab…, unqualified: hidden_act=odd, eps\n",
                           "3 (9 tokens), 1 failed, 1 truncated\n",
                           "cpu.avx2.gemm_f32, cpu.avx2.norm (not as planned: norm)\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

}  // namespace
}  // namespace candor::apps
