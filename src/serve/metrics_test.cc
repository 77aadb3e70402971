// OBS-01, OBS-02: what is counted, and that labels stay ours.
#include "serve/metrics.h"

#include <gtest/gtest.h>

#include <string>

namespace candor::serve {
namespace {

bool Has(const std::string& page, const std::string& line) {
  return ("\n" + page).find("\n" + line + "\n") != std::string::npos;
}

Receipt Ran() {
  Receipt receipt;
  receipt.items = 3;
  receipt.failed = 1;
  receipt.rows = 40;
  receipt.batches = 2;
  receipt.truncated.push_back({.item = 0, .tokens = 600, .kept = 512, .side = "right"});
  return receipt;
}

TEST(Metrics, CountsRequestsByRouteAndStatus) {
  Metrics metrics;
  metrics.CountRequest("/health", 200, 0.002);
  metrics.CountRequest("/health", 200, 0.3);
  metrics.CountRequest("/v1/embeddings", 429, 100);
  metrics.CountOverload();
  metrics.CountWait(0.0005);
  const std::string page =
      metrics.Text({.connections = 7, .in_flight = 5, .waiting = 3, .running = 2, .ready = true});
  EXPECT_TRUE(Has(page, R"(candor_http_requests_total{route="/health",status="200"} 2)"));
  EXPECT_TRUE(Has(page, R"(candor_http_requests_total{route="/v1/embeddings",status="429"} 1)"));
  EXPECT_TRUE(Has(page, R"(candor_http_request_duration_seconds_bucket{route="/health",le="0.001"} 0)"));
  EXPECT_TRUE(Has(page, R"(candor_http_request_duration_seconds_bucket{route="/health",le="0.0025"} 1)"));
  EXPECT_TRUE(Has(page, R"(candor_http_request_duration_seconds_bucket{route="/health",le="0.5"} 2)"));
  EXPECT_TRUE(Has(page, R"(candor_http_request_duration_seconds_bucket{route="/health",le="+Inf"} 2)"));
  EXPECT_TRUE(Has(page, R"(candor_http_request_duration_seconds_sum{route="/health"} 0.302)"));
  EXPECT_TRUE(Has(page, R"(candor_http_request_duration_seconds_bucket{route="/v1/embeddings",le="30"} 0)"));
  EXPECT_TRUE(Has(page, R"(candor_http_request_duration_seconds_count{route="/v1/embeddings"} 1)"));
  EXPECT_TRUE(Has(page, "candor_overloaded_total 1"));
  EXPECT_TRUE(Has(page, R"(candor_queue_wait_seconds_bucket{le="0.001"} 1)"));
  EXPECT_TRUE(Has(page, "candor_connections 7"));
  EXPECT_TRUE(Has(page, "candor_requests_in_flight 5"));
  EXPECT_TRUE(Has(page, "candor_queue_waiting 3"));
  EXPECT_TRUE(Has(page, "candor_queue_running 2"));
  EXPECT_TRUE(Has(page, "candor_ready 1"));
}

TEST(Metrics, CountsWhatModelsDid) {
  Metrics metrics;
  ModelInfo info;
  info.family = "bert";
  info.contract = "candor.embedding.dense/v1";
  info.precision = "f32";
  info.device = "cpu";
  info.weight_bytes = 90;
  info.session_bytes = 20;
  metrics.AddModel("a\"b\\c\nd", info);
  const Receipt receipt = Ran();
  metrics.CountInference("a\"b\\c\nd", 0.02, &receipt);
  metrics.CountInference("a\"b\\c\nd", 0.02, nullptr);
  metrics.CountInference("nobody added this", 1, &receipt);
  const std::string page = metrics.Text({});
  const std::string model = R"(model="a\"b\\c\nd")";
  EXPECT_TRUE(Has(
      page, "candor_model_info{" + model +
                R"(,family="bert",contract="candor.embedding.dense/v1",precision="f32",device="cpu"} 1)"));
  EXPECT_TRUE(Has(page, "candor_model_bytes{" + model + R"(,kind="weights"} 90)"));
  EXPECT_TRUE(Has(page, "candor_model_bytes{" + model + R"(,kind="session"} 20)"));
  for (const char* outcome : {"completed", "failed"}) {
    EXPECT_TRUE(Has(page, "candor_inferences_total{" + model + ",outcome=\"" + outcome + "\"} 1")) << outcome;
  }
  EXPECT_TRUE(Has(page, "candor_inference_duration_seconds_count{" + model + "} 2"));
  EXPECT_TRUE(Has(page, "candor_items_total{" + model + "} 3"));
  EXPECT_TRUE(Has(page, "candor_items_failed_total{" + model + "} 1"));
  EXPECT_TRUE(Has(page, "candor_items_truncated_total{" + model + "} 1"));
  EXPECT_TRUE(Has(page, "candor_rows_total{" + model + "} 40"));
  EXPECT_TRUE(Has(page, "candor_batches_total{" + model + "} 2"));
  EXPECT_TRUE(Has(page, "candor_models 1"));
  EXPECT_EQ(page.find("nobody"), std::string::npos);
}

// The format: each family once, with its type, its samples right below.
TEST(Metrics, PageIsWellFormed) {
  Metrics metrics;
  metrics.AddModel("m", {});
  metrics.CountRequest("/health", 200, 0.1);
  const std::string page = metrics.Text({});
  std::string family;
  std::size_t samples = 0;
  for (std::size_t begin = 0; begin < page.size();) {
    const std::size_t end = page.find('\n', begin);
    ASSERT_NE(end, std::string::npos);
    const std::string line = page.substr(begin, end - begin);
    begin = end + 1;
    if (line.starts_with("# TYPE ")) {
      family = line.substr(7, line.find(' ', 7) - 7);
      EXPECT_EQ(page.find("# TYPE " + family + " "), page.rfind("# TYPE " + family + " "));
    } else if (!line.starts_with("# HELP ")) {
      EXPECT_TRUE(line.starts_with(family)) << line;
      ++samples;
    }
  }
  EXPECT_GT(samples, 40u);
}

}  // namespace
}  // namespace candor::serve
