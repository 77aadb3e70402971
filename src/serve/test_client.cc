#include "serve/test_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace candor::serve {

bool TestReply::Has(std::string_view header_line) const {
  return head.find("\r\n" + std::string(header_line) + "\r\n") != std::string::npos;
}

std::string TestReply::Header(std::string_view name) const {
  const std::string lead = "\r\n" + std::string(name) + ": ";
  const std::size_t at = head.find(lead);
  if (at == std::string::npos) return "";
  return head.substr(at + lead.size(), head.find("\r\n", at + 2) - at - lead.size());
}

TestClient::TestClient(std::uint16_t port) : fd_(socket(AF_INET, SOCK_STREAM, 0)) {
  const timeval limit{.tv_sec = 10, .tv_usec = 0};
  setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
  setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) Close();
}

TestClient::~TestClient() { Close(); }

void TestClient::Close() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

void TestClient::EndSending() { shutdown(fd_, SHUT_WR); }

void TestClient::Reset() {
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
  Close();
}

bool TestClient::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool TestClient::Fill() {
  std::array<char, 65536> chunk{};
  const ssize_t got = recv(fd_, chunk.data(), chunk.size(), 0);
  if (got <= 0) return false;
  pending_.append(chunk.data(), static_cast<std::size_t>(got));
  return true;
}

TestReply TestClient::Receive() {
  std::size_t end = 0;
  while ((end = pending_.find("\r\n\r\n")) == std::string::npos) {
    if (!Fill()) return {};
  }
  TestReply reply;
  reply.head = pending_.substr(0, end + 2);
  pending_.erase(0, end + 4);
  const std::string length = reply.Header("Content-Length");
  const std::size_t size = length.empty() ? 0 : std::strtoull(length.c_str(), nullptr, 10);
  while (pending_.size() < size) {
    if (!Fill()) return {};
  }
  reply.body = pending_.substr(0, size);
  pending_.erase(0, size);
  reply.status = std::atoi(reply.head.c_str() + sizeof("HTTP/1.1"));
  return reply;
}

bool TestClient::Ended() {
  char byte = 0;
  return recv(fd_, &byte, 1, 0) == 0;
}

TestReply TestClient::Get(std::string_view path) {
  if (!Send("GET " + std::string(path) + " HTTP/1.1\r\nHost: here\r\n\r\n")) return {};
  return Receive();
}

std::string TestClient::PostText(std::string_view path, std::string_view body) {
  return "POST " + std::string(path) + " HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n" +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

TestReply TestClient::Post(std::string_view path, std::string_view body) {
  if (!Send(PostText(path, body))) return {};
  return Receive();
}

}  // namespace candor::serve
