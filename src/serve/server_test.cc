// The whole server over a real socket on this machine, with an embedder that does what the test says.
// Long because all cases share one fixture.
#include "candor/server.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "io/json.h"
#include "serve/fake_embedder.h"
#include "serve/test_client.h"

namespace candor {
namespace {

using serve::FakeEmbedder;
using serve::TestClient;
using serve::TestReply;
using std::chrono::milliseconds;

class ServerTest : public testing::Test {
 protected:
  void Start(ServerOptions options = {}, std::vector<std::string> names = {"fake"}) {
    options.port = 0;
    std::vector<ServedModel> models;
    for (std::string& name : names) {
      models.push_back({.name = {}, .embedder = std::make_shared<FakeEmbedder>(std::move(name))});
    }
    fake = std::const_pointer_cast<FakeEmbedder>(
        std::static_pointer_cast<const FakeEmbedder>(models.front().embedder));
    auto listening = Server::Listen(std::move(models), options);
    ASSERT_TRUE(listening) << Message(listening.error());
    server = std::move(listening).value();
    runner = std::thread([this] { outcome = server->Run(); });
  }
  Result<void> Finish() {
    if (runner.joinable()) {
      server->Stop();
      runner.join();
    }
    return outcome;
  }
  void TearDown() override {
    if (fake != nullptr) fake->Open();
    static_cast<void>(Finish());
  }
  // Until the page has the line: counters move just after the answer leaves.
  void AwaitMetric(const std::string& line) {
    TestClient client(server->port());
    for (int i = 0; i < 1000; ++i) {
      if (("\n" + client.Get("/metrics").body).find("\n" + line + "\n") != std::string::npos) return;
      std::this_thread::sleep_for(milliseconds(5));
    }
    FAIL() << "never saw " << line;
  }
  static std::string ErrorCode(const TestReply& reply) {
    auto json = io::ParseJson(reply.body, "reply");
    if (!json || json->Find("error") == nullptr) return "no error body: " + reply.body;
    return std::string(json->Find("error")->Find("code")->as_string());
  }

  std::shared_ptr<FakeEmbedder> fake;
  std::unique_ptr<Server> server;
  std::thread runner;
  Result<void> outcome;
};

constexpr char kPath[] = "/v1/embeddings";
constexpr char kHold[] = R"({"input":"!hold"})";

TEST_F(ServerTest, AnswersOnOneConnection) {
  Start();
  TestClient client(server->port());
  for (int i = 0; i < 3; ++i) {
    const TestReply reply = client.Post(kPath, R"({"input":["ab","c"],"model":"any"})");
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.body, R"({"object":"list","data":[{"object":"embedding","index":0,"embedding":[2,97]},)"
                          R"({"object":"embedding","index":1,"embedding":[1,99]}],)"
                          R"("model":"fake","usage":{"prompt_tokens":3,"total_tokens":3}})");
    EXPECT_TRUE(reply.Has("Content-Type: application/json"));
    EXPECT_TRUE(reply.Has("x-candor-plan: plan-1"));  // API-04
    EXPECT_EQ(reply.Header("x-candor-receipt"), "run-" + std::to_string(i + 1));
  }
  EXPECT_EQ(client.Get("/health").body, R"({"status":"ok","models":["fake"]})");
  EXPECT_EQ(client.Get("/v1/models?x=1").status, 200);
  EXPECT_TRUE(Finish());
  EXPECT_TRUE(client.Ended());
}

TEST_F(ServerTest, PipelinedRequestsAreAnsweredInOrder) {
  Start();
  TestClient client(server->port());
  std::string bytes;
  for (const char* text : {"a", "bb", "ccc"}) {
    bytes += TestClient::PostText(kPath, R"({"input":")" + std::string(text) + "\"}");
  }
  ASSERT_TRUE(client.Send(bytes));
  for (int i = 1; i <= 3; ++i) {
    const TestReply reply = client.Receive();
    EXPECT_NE(reply.body.find("\"embedding\":[" + std::to_string(i) + ","), std::string::npos) << reply.body;
  }
}

TEST_F(ServerTest, ChunkedBodiesAndHead) {
  Start();
  TestClient client(server->port());
  ASSERT_TRUE(
      client.Send("POST /v1/embeddings HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n"
                  "8\r\n{\"input\"\r\n6\r\n:\"abc\"\r\n1\r\n}\r\n0\r\n\r\n"));
  EXPECT_EQ(client.Receive().status, 200);
  ASSERT_TRUE(client.Send("HEAD /health HTTP/1.0\r\n\r\n"));
  EXPECT_TRUE(client.Send(""));
  TestClient continued(server->port());
  ASSERT_TRUE(
      continued.Send("POST /v1/embeddings HTTP/1.1\r\nHost: here\r\nExpect: 100-continue\r\n"
                     "Content-Length: 15\r\n\r\n"));
  EXPECT_EQ(continued.Receive().status, 100);
  ASSERT_TRUE(continued.Send(R"({"input":"abc"})"));
  EXPECT_EQ(continued.Receive().status, 200);
}

TEST_F(ServerTest, WrongRequestsGetTheirReasonAndTheConnectionLives) {
  Start();
  TestClient client(server->port());
  const TestReply unknown = client.Get("/nowhere");
  EXPECT_EQ(unknown.status, 404);
  EXPECT_EQ(ErrorCode(unknown), "invalid_input");
  const TestReply method = client.Get(kPath);
  EXPECT_EQ(method.status, 405);
  EXPECT_TRUE(method.Has("Allow: POST"));
  const TestReply damaged = client.Post(kPath, "{");
  EXPECT_EQ(damaged.status, 400);
  EXPECT_EQ(ErrorCode(damaged), "invalid_input");
  const TestReply empty = client.Post(kPath, R"({"input":[]})");
  EXPECT_EQ(empty.status, 400);
  EXPECT_EQ(ErrorCode(empty), "empty_input");
  const TestReply item = client.Post(kPath, R"({"input":["a","!fail"]})");
  EXPECT_EQ(item.status, 400);
  EXPECT_EQ(ErrorCode(item), "input_too_large");
  EXPECT_NE(item.body.find(R"("param":"input[1]")"), std::string::npos) << item.body;
  const TestReply failed = client.Post(kPath, R"({"input":"!stop"})");
  EXPECT_EQ(failed.status, 500);
  EXPECT_EQ(ErrorCode(failed), "runtime_failure");
  const TestReply memory = client.Post(kPath, R"({"input":"!memory"})");
  EXPECT_EQ(memory.status, 503);
  EXPECT_EQ(ErrorCode(memory), "insufficient_memory");
  EXPECT_TRUE(memory.Has("Retry-After: 1"));
  EXPECT_EQ(client.Post(kPath, R"({"input":"a"})").status, 200);
  AwaitMetric(R"(candor_http_requests_total{route="unknown",status="404"} 1)");
}

TEST_F(ServerTest, DamagedHttpIsAnsweredAndClosed) {
  Start({.header_bytes = 1024});
  TestClient garbage(server->port());
  ASSERT_TRUE(garbage.Send("this is not a request\r\n\r\n"));
  EXPECT_EQ(garbage.Receive().status, 400);
  EXPECT_TRUE(garbage.Ended());
  TestClient twice(server->port());
  ASSERT_TRUE(
      twice.Send("POST /v1/embeddings HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\n{}   "));
  EXPECT_EQ(twice.Receive().status, 400);
  TestClient header(server->port());
  ASSERT_TRUE(header.Send("GET /health HTTP/1.1\r\nX: " + std::string(5000, 'x') + "\r\n\r\n"));
  EXPECT_EQ(header.Receive().status, 431);
  EXPECT_TRUE(header.Ended());
  EXPECT_EQ(TestClient(server->port()).Get("/health").status, 200);
}

// Neither is part of the body that is counted, nor of the header that is limited.
TEST_F(ServerTest, ChunkExtensionsAndTrailersAreBounded) {
  Start({.header_bytes = 1024});
  const std::string flood(300'000, 'x');
  std::string lines;
  while (lines.size() < flood.size()) lines += "X-Some-Trailer: value\r\n";
  for (const std::string& tail : {"1;" + flood, "1\r\n{\r\n0\r\nX: " + flood, "1\r\n{\r\n0\r\n" + lines}) {
    TestClient client(server->port());
    ASSERT_TRUE(client.Send(
        "POST /v1/embeddings HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n" + tail));
    const TestReply reply = client.Receive();
    EXPECT_EQ(reply.status, 431) << tail.substr(0, 20);
    EXPECT_EQ(ErrorCode(reply), "input_too_large");
    EXPECT_TRUE(client.Ended());
  }
  EXPECT_EQ(fake->calls, 0);
  EXPECT_EQ(TestClient(server->port()).Get("/health").status, 200);
}

TEST_F(ServerTest, BodyLimitIsExact) {
  Start({.body_bytes = 1000});
  TestClient client(server->port());
  const std::string fits = R"({"input":")" + std::string(1000 - 12, 'a') + R"("})";
  ASSERT_EQ(fits.size(), 1000u);
  EXPECT_EQ(client.Post(kPath, fits).status, 200);
  const TestReply over = client.Post(kPath, fits + " ");
  EXPECT_EQ(over.status, 413);
  EXPECT_EQ(ErrorCode(over), "input_too_large");
  EXPECT_NE(over.body.find("1001 bytes"), std::string::npos) << over.body;
  EXPECT_EQ(client.Post(kPath, fits).status, 200);  // the connection is still usable
  ASSERT_TRUE(
      client.Send("POST /v1/embeddings HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n5dc\r\n" +
                  std::string(1500, ' ') + "\r\n0\r\n\r\n"));
  EXPECT_EQ(client.Receive().status, 413);
  EXPECT_EQ(client.Post(kPath, fits).status, 200);
  const TestReply far = client.Post(kPath, std::string(200'000, ' '));
  EXPECT_EQ(far.status, 413);
  EXPECT_TRUE(client.Ended());
  TestClient polite(server->port());
  ASSERT_TRUE(
      polite.Send("POST /v1/embeddings HTTP/1.1\r\nHost: here\r\nExpect: 100-continue\r\n"
                  "Content-Length: 9999\r\n\r\n"));
  EXPECT_EQ(polite.Receive().status, 413);
}

TEST_F(ServerTest, ItemLimit) {
  Start({.items = 2});
  TestClient client(server->port());
  EXPECT_EQ(client.Post(kPath, R"({"input":["a","b"]})").status, 200);
  const TestReply reply = client.Post(kPath, R"({"input":["a","b","c"]})");
  EXPECT_EQ(reply.status, 400);
  EXPECT_EQ(ErrorCode(reply), "input_too_large");
}

TEST_F(ServerTest, SlowClientsAreLetGo) {
  Start({.idle_timeout = milliseconds(100)});
  TestClient silent(server->port());
  TestClient half(server->port());
  ASSERT_TRUE(half.Send("POST /v1/embeddings HTTP/1.1\r\nContent-Length: 100\r\n\r\n{"));
  EXPECT_TRUE(silent.Ended());
  EXPECT_TRUE(half.Ended());
  EXPECT_EQ(fake->calls, 0);
  // A long computation is not a slow client.
  TestClient waiting(server->port());
  ASSERT_TRUE(waiting.Send(TestClient::PostText(kPath, kHold)));
  fake->AwaitHeld(1);
  std::this_thread::sleep_for(milliseconds(300));
  fake->Open();
  EXPECT_EQ(waiting.Receive().status, 200);
}

TEST_F(ServerTest, FullQueueIsOverloaded) {
  Start({.workers = 1, .queue = 1});
  TestClient running(server->port());
  ASSERT_TRUE(running.Send(TestClient::PostText(kPath, kHold)));
  fake->AwaitHeld(1);
  TestClient waiting(server->port());
  ASSERT_TRUE(waiting.Send(TestClient::PostText(kPath, R"({"input":"a"})")));
  AwaitMetric("candor_queue_waiting 1");
  TestClient refused(server->port());
  for (const char* body : {R"({"input":"a"})", R"({"input":["a"]})"}) {  // one rule for both forms
    const TestReply reply = refused.Post(kPath, body);
    EXPECT_EQ(reply.status, 429);
    EXPECT_EQ(ErrorCode(reply), "overloaded");
    EXPECT_TRUE(reply.Has("Retry-After: 1"));
  }
  EXPECT_EQ(refused.Get("/health").status, 200);  // the reactor is free
  fake->Open();
  EXPECT_EQ(running.Receive().status, 200);
  EXPECT_EQ(waiting.Receive().status, 200);
  AwaitMetric("candor_overloaded_total 2");
}

TEST_F(ServerTest, WorkOfAClientThatLeftIsDropped) {  // API-08
  Start({.workers = 1});
  TestClient running(server->port());
  ASSERT_TRUE(running.Send(TestClient::PostText(kPath, kHold)));
  fake->AwaitHeld(1);
  TestClient leaving(server->port());
  ASSERT_TRUE(leaving.Send(TestClient::PostText(kPath, R"({"input":"a"})")));
  AwaitMetric("candor_queue_waiting 1");
  leaving.Reset();
  // The reactor has seen the reset once it has answered a request that came later.
  EXPECT_EQ(TestClient(server->port()).Get("/health").status, 200);
  fake->Open();
  EXPECT_EQ(running.Receive().status, 200);
  AwaitMetric(R"(candor_http_requests_total{route="/v1/embeddings",status="499"} 1)");
  EXPECT_EQ(fake->calls, 1);
}

TEST_F(ServerTest, AClientThatOnlyEndedSendingIsAnswered) {  // API-08: an end is no hang-up
  Start({.workers = 1});
  TestClient running(server->port());
  ASSERT_TRUE(running.Send(TestClient::PostText(kPath, kHold)));
  running.EndSending();
  fake->AwaitHeld(1);
  TestClient waiting(server->port());
  ASSERT_TRUE(waiting.Send(TestClient::PostText(kPath, R"({"input":"a"})")));
  waiting.EndSending();
  AwaitMetric("candor_queue_waiting 1");
  EXPECT_EQ(TestClient(server->port()).Get("/health").status, 200);
  fake->Open();
  for (TestClient* client : {&running, &waiting}) {
    EXPECT_EQ(client->Receive().status, 200);
    EXPECT_TRUE(client->Ended());
  }
}

TEST_F(ServerTest, BodiesShareABudget) {
  Start({.workers = 1, .body_bytes = 1000, .held_body_bytes = 1500});
  const auto padded = [](std::string body) { return body + std::string(900 - body.size(), ' '); };
  TestClient holding(server->port());
  ASSERT_TRUE(holding.Send(TestClient::PostText(kPath, padded(kHold))));
  fake->AwaitHeld(1);
  TestClient client(server->port());
  for (int i = 0; i < 2; ++i) {  // what was refused holds nothing, and the connection lives
    const TestReply refused = client.Post(kPath, padded(R"({"input":"a"})"));
    EXPECT_EQ(refused.status, 503);
    EXPECT_EQ(ErrorCode(refused), "overloaded");
    EXPECT_TRUE(refused.Has("Retry-After: 1"));
    EXPECT_NE(refused.body.find("900 bytes of other bodies"), std::string::npos) << refused.body;
  }
  EXPECT_EQ(client.Get("/health").status, 200);
  ASSERT_TRUE(client.Send(TestClient::PostText(kPath, R"({"input":"a"})")));  // 600 bytes are left
  AwaitMetric("candor_queue_waiting 1");
  fake->Open();
  EXPECT_EQ(holding.Receive().status, 200);
  EXPECT_EQ(client.Receive().status, 200);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(client.Post(kPath, padded(R"({"input":"a"})")).status, 200);
}

TEST_F(ServerTest, ANewConnectionReplacesTheOneIdleForLongest) {
  Start({.workers = 1, .connections = 3});
  TestClient busy(server->port());
  ASSERT_TRUE(busy.Send(TestClient::PostText(kPath, kHold)));
  fake->AwaitHeld(1);
  TestClient second(server->port());
  EXPECT_EQ(second.Get("/health").status, 200);
  TestClient third(server->port());
  EXPECT_EQ(third.Get("/health").status, 200);
  EXPECT_EQ(second.Get("/health").status, 200);  // now the third is idle for longer
  TestClient fourth(server->port());
  EXPECT_EQ(fourth.Get("/health").status, 200);
  EXPECT_TRUE(third.Ended());
  EXPECT_EQ(second.Get("/health").status, 200);
  fake->Open();
  EXPECT_EQ(busy.Receive().status, 200);
}

TEST_F(ServerTest, WhatHasNotArrivedDoesNotSpoilAStop) {
  for (const int drain_ms : {10, 30'000}) {
    Start({.drain_timeout = milliseconds(drain_ms)});
    TestClient half(server->port());
    ASSERT_TRUE(half.Send("POST /v1/embeddings HTTP/1.1\r\nContent-Length: 100\r\n\r\n{"));
    TestClient begun(server->port());
    ASSERT_TRUE(begun.Send("POST /v1/emb"));
    AwaitMetric("candor_connections 3");
    server->Stop();
    runner.join();
    EXPECT_TRUE(outcome) << drain_ms;
    EXPECT_TRUE(half.Ended());
    EXPECT_TRUE(begun.Ended());
    EXPECT_EQ(fake->calls, 0);
    server.reset();
  }
}

TEST_F(ServerTest, StopFinishesWhatIsAdmitted) {  // BR: nothing in flight is lost
  Start({.workers = 2, .queue = 16});
  std::vector<std::unique_ptr<TestClient>> clients;
  for (int i = 0; i < 10; ++i) {
    clients.push_back(std::make_unique<TestClient>(server->port()));
    ASSERT_TRUE(clients.back()->Send(TestClient::PostText(kPath, kHold)));
  }
  fake->AwaitHeld(2);
  AwaitMetric("candor_queue_waiting 8");
  TestClient idle(server->port());
  EXPECT_EQ(idle.Get("/health").status, 200);
  server->Stop();
  EXPECT_TRUE(idle.Ended());
  EXPECT_EQ(TestClient(server->port()).Get("/health").status, 0);  // nobody listens
  fake->Open();
  for (auto& client : clients) {
    const TestReply reply = client->Receive();
    EXPECT_EQ(reply.status, 200);
    EXPECT_TRUE(reply.Has("Connection: close"));
    EXPECT_TRUE(client->Ended());
  }
  runner.join();
  EXPECT_TRUE(outcome);
}

TEST_F(ServerTest, DrainHasALimit) {
  Start({.workers = 1, .drain_timeout = milliseconds(50)});
  TestClient client(server->port());
  ASSERT_TRUE(client.Send(TestClient::PostText(kPath, kHold)));
  fake->AwaitHeld(1);
  server->Stop();
  EXPECT_TRUE(client.Ended());  // cut off, without an answer
  fake->Open();
  runner.join();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kDrainFailed);
}

TEST_F(ServerTest, SecondStopDoesNotWait) {
  Start({.workers = 1});
  TestClient client(server->port());
  ASSERT_TRUE(client.Send(TestClient::PostText(kPath, kHold)));
  fake->AwaitHeld(1);
  server->Stop();
  server->Stop();
  EXPECT_TRUE(client.Ended());
  fake->Open();
  runner.join();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Code::kDrainFailed);
}

TEST_F(ServerTest, SignalsStop) {
  for (const int signal : {SIGTERM, SIGINT}) {
    Start({.stop_on_signals = true});
    EXPECT_EQ(TestClient(server->port()).Get("/health").status, 200);
    ASSERT_EQ(raise(signal), 0);
    runner.join();
    EXPECT_TRUE(outcome);
    server.reset();
  }
}

TEST_F(ServerTest, SeveralModelsAreChosenByName) {
  Start({}, {"one", "two"});
  TestClient client(server->port());
  const auto model = [&](const char* body) {
    auto json = io::ParseJson(client.Post(kPath, body).body, "reply");
    return std::string(json->Find("model")->as_string());
  };
  EXPECT_EQ(model(R"({"input":"a"})"), "one");
  EXPECT_EQ(model(R"({"input":"a","model":"two"})"), "two");
  const TestReply unknown = client.Post(kPath, R"({"input":"a","model":"three"})");
  EXPECT_EQ(unknown.status, 404);
  EXPECT_NE(unknown.body.find(R"("param":"model")"), std::string::npos);
}

TEST_F(ServerTest, ManyClientsAtOnce) {
  Start({.workers = 2, .queue = 64, .connections = 8});
  std::atomic<int> answered{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 24; ++t) {
    threads.emplace_back([&] {
      TestClient client(server->port());
      for (int i = 0; i < 5; ++i) answered += client.Post(kPath, R"({"input":"a"})").status == 200 ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(answered, 120);
  EXPECT_EQ(fake->calls, 120);
}

TEST(ServerListen, RefusesWhatItCannotHave) {
  const auto model = [](const char* name) {
    return ServedModel{.name = name, .embedder = std::make_shared<FakeEmbedder>("f")};
  };
  const auto refused = [](Result<std::unique_ptr<Server>> server) {
    EXPECT_FALSE(server);
    return server ? Error{} : server.error();
  };
  EXPECT_EQ(refused(Server::Listen({}, {})).where, Where::Option("models"));
  EXPECT_EQ(refused(Server::Listen({model("a"), model("a")}, {})).found, "\"a\" twice");
  EXPECT_EQ(refused(Server::Listen({model("a")}, {.host = "example"})).where, Where::Option("--host"));
  EXPECT_EQ(refused(Server::Listen({model("a")}, {.workers = 0})).where, Where::Option("workers"));
  auto first = Server::Listen({model("a")}, {.port = 0});
  ASSERT_TRUE(first);
  const Error taken = refused(Server::Listen({model("a")}, {.port = (*first)->port()}));
  EXPECT_EQ(taken.code, Code::kUnsupportedOption);
  EXPECT_EQ(taken.where, Where::Option("--port"));
}

}  // namespace
}  // namespace candor
