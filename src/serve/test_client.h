// TestClient: one TCP connection to a server on this machine, for tests. Blocking; gives up after ten
// seconds.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace candor::serve {

struct TestReply {
  int status = 0;  // 0: the connection ended before an answer was complete
  std::string head, body;
  bool Has(std::string_view header_line) const;  // "Name: value", as sent
  std::string Header(std::string_view name) const;
};

class TestClient {
 public:
  explicit TestClient(std::uint16_t port);
  ~TestClient();
  TestClient(const TestClient&) = delete;
  TestClient& operator=(const TestClient&) = delete;

  bool Send(std::string_view bytes);
  TestReply Receive();  // what follows the reply stays for the next
  bool Ended();         // waits for the other side to close
  void EndSending();    // and still reads
  void Close();
  void Reset();  // closes so that the other side notices at once

  TestReply Get(std::string_view path);
  TestReply Post(std::string_view path, std::string_view body);
  static std::string PostText(std::string_view path, std::string_view body);

 private:
  bool Fill();
  int fd_ = -1;
  std::string pending_;
};

}  // namespace candor::serve
