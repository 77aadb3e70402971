// What HttpServer does with a handler that does not do its part. The rest is tested through Server.
#include "serve/http.h"

#include <gtest/gtest.h>

#include <new>
#include <thread>

#include "serve/http_budget.h"
#include "serve/test_client.h"

namespace candor::serve {
namespace {

class Careless : public HttpHandler {
 public:
  void Handle(HttpRequest request, HttpReply reply) override {
    if (request.path == "/drop") return;
    if (request.path == "/throw")
      throw std::bad_alloc();  // lint: allow throws because a real allocation does
    if (request.path == "/twice") reply({.body = "first"});
    reply({.body = "last"});
  }
  HttpResponse Refuse(int status, const Error& error) override {
    return {.status = status, .body = std::string(Info(error.code).name)};
  }
};

TEST(HttpServer, OutlivesItsHandlersMistakes) {
  auto server = HttpServer::Listen({.host = "127.0.0.1",
                                    .body_bytes = 100,
                                    .header_bytes = 1000,
                                    .held_body_bytes = 100,
                                    .idle_timeout = std::chrono::seconds(10),
                                    .drain_timeout = std::chrono::seconds(10)});
  ASSERT_TRUE(server) << Message(server.error());
  Careless handler;
  bool drained = false;
  std::thread runner([&] { drained = (*server)->Run(handler); });
  TestClient client((*server)->port());
  const TestReply dropped = client.Get("/drop");
  EXPECT_EQ(dropped.status, 503);
  EXPECT_EQ(dropped.body, "insufficient_memory");
  EXPECT_EQ(client.Get("/twice").body, "first");
  EXPECT_EQ(client.Get("/throw").status, 0);  // this connection ends, others do not
  EXPECT_EQ(TestClient((*server)->port()).Get("/").body, "last");
  (*server)->Stop();
  runner.join();
  EXPECT_TRUE(drained);
}

TEST(BodyShare, TakesFromWhatIsLeftAndGivesItBack) {
  std::atomic<std::size_t> held{0};
  BodyShare first(held, 10);
  EXPECT_TRUE(first.Grow(4));
  {
    BodyShare second(held, 10);
    EXPECT_FALSE(second.Grow(7));
    EXPECT_TRUE(second.Grow(6));
    EXPECT_FALSE(first.Grow(1));
    EXPECT_EQ(held, 10u);
  }
  EXPECT_EQ(held, 4u);
  EXPECT_TRUE(first.Grow(6));
}

}  // namespace
}  // namespace candor::serve
