// The value half of json.h: typed access and look-up. Reading is json_parse.cc, writing json_write.cc.
#include "io/json.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <memory>

#include "base/check.h"
#include "io/json_document.h"
#include "io/json_number.h"

namespace candor::io {
bool Json::as_bool() const {
  CANDOR_CHECK(is_bool(), "a JSON bool was asked for");
  return bool_;
}

std::int64_t Json::as_int() const {
  CANDOR_CHECK(kind_ == Kind::kInt, "a JSON integer in the signed range was asked for");
  return int_;
}

std::uint64_t Json::as_uint() const {
  if (kind_ == Kind::kUint) return uint_;
  CANDOR_CHECK(kind_ == Kind::kInt && int_ >= 0, "a non-negative JSON integer was asked for");
  return static_cast<std::uint64_t>(int_);
}

double Json::as_real() const {
  CANDOR_CHECK(is_number(), "a JSON number was asked for");
  if (kind_ == Kind::kInt) return static_cast<double>(int_);
  if (kind_ == Kind::kUint) return static_cast<double>(uint_);
  double real = 0;
  std::from_chars(text_, text_ + size_, real);
  return real;
}

double Json::as_serde_real() const {
  if (kind_ != Kind::kReal) return as_real();
  return SerdeReal({text_, size_}).value_or(std::numeric_limits<double>::quiet_NaN());
}

std::string_view Json::as_string() const {
  CANDOR_CHECK(is_string(), "a JSON string was asked for");
  return size_ == 0 ? std::string_view("") : std::string_view(text_, size_);
}

std::span<const Json> Json::items() const {
  CANDOR_CHECK(is_array(), "a JSON array was asked for");
  return size_ == 0 ? std::span<const Json>{} : std::span(items_, size_);
}

std::span<const JsonMember> Json::members() const {
  CANDOR_CHECK(is_object(), "a JSON object was asked for");
  return size_ == 0 ? std::span<const JsonMember>{} : std::span(members_, size_);
}

const Json* Json::Find(std::string_view key) const {
  if (!is_object()) return nullptr;
  const std::span<const JsonMember> all = members();
  const JsonMember* found = nullptr;
  if (index_ == Index::kNone) {
    const auto it = std::find_if(all.begin(), all.end(), [&](const JsonMember& m) { return m.key == key; });
    if (it != all.end()) found = &*it;
  } else if (index_ == Index::kHash) {
    found = FindHashed(all, reinterpret_cast<const KeySlot*>(members_ + size_), key);
  } else {
    found = FindSorted(all, reinterpret_cast<const std::uint32_t*>(members_ + size_), key);
  }
  return found == nullptr ? nullptr : &found->value;
}

void Json::Copy(const Json& other) {
  std::memcpy(static_cast<void*>(this), &other, sizeof *this);
  owner_ = document_ != nullptr;
  if (owner_) document_->owners.fetch_add(1, std::memory_order_relaxed);
}

void Json::Release() {
  owner_ = false;
  if (document_->owners.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  const std::unique_ptr<Document> last(document_);
}

std::byte* Json::Document::NewBlock(std::size_t bytes) {
  // From a page's size upwards, so that a small document stays small and a large one has few blocks.
  constexpr std::size_t kFirst = 4096, kMost = std::size_t{1} << 20;
  block_ = block_ == 0 ? kFirst : std::min(block_ * 2, kMost);
  // What fills a block of its own leaves the open one open.
  const bool own = bytes > block_ / 4;
  blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(own ? bytes : block_));
  std::byte* place = blocks_.back().get();
  if (own) return place;
  next_ = place + bytes;
  left_ = block_ - bytes;
  return place;
}

std::string_view Json::Document::Keep(std::string_view text) {
  if (text.empty()) return std::string_view("");  // with an address
  char* place = Place<char>(text.size());
  std::memcpy(place, text.data(), text.size());
  return {place, text.size()};
}

std::string Json::Dump() const {
  JsonWriter writer;
  writer.Value(*this);
  return writer.Take();
}

std::string_view Json::KindName() const {
  switch (kind_) {
    case Kind::kNull:
      return "null";
    case Kind::kBool:
      return "bool";
    case Kind::kInt:
    case Kind::kUint:
      return "integer";
    case Kind::kReal:
      return "number";
    case Kind::kString:
      return "string";
    case Kind::kArray:
      return "array";
    case Kind::kObject:
      break;
  }
  return "object";
}

std::string EscapePointer(std::string_view key) {
  if (key.find('~') == key.npos && key.find('/') == key.npos) return std::string(key);
  std::string out;
  out.reserve(key.size());
  for (const char c : key) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace candor::io
