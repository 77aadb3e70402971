#include "package/safetensors.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <tuple>
#include <utility>

#include "base/checked.h"
#include "io/json.h"

namespace candor::package {
namespace {

// In the format, but nothing here reads them: a refusal of another kind than damage.
constexpr std::string_view kOtherTypes[] = {"F4", "F6_E2M3", "F6_E3M2", "F8_E8M0", "C64"};
constexpr std::string_view kKnownTypes =
    "F32, F16, BF16, F64, I8, U8, I16, U16, I32, U32, I64, U64, BOOL, F8_E4M3 or F8_E5M2";

std::string Quoted(std::string_view text) { return '"' + std::string(text.substr(0, 80)) + '"'; }

std::string ShapeText(const std::vector<std::size_t>& shape) {
  std::string text = "[";
  for (const std::size_t size : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + "]";
}

class HeaderReader {
 public:
  HeaderReader(std::shared_ptr<const io::ByteSource> source, const std::string& file,
               const SafetensorsLimits& limits, Problems& problems)
      : source_(std::move(source)), file_(file), limits_(limits), problems_(problems) {}

  Safetensors Read() {
    const std::size_t before = problems_.size();
    const std::optional<io::Json> header = Header();
    if (!header) return {};
    if (header->members().size() > limits_.tensors) {
      Refuse(Where::At(file_), Code::kArtifactTooLarge, std::to_string(header->members().size()) + " tensors",
             "at most " + std::to_string(limits_.tensors));
      return {};
    }
    Safetensors out;
    for (const io::JsonMember& member : header->members()) {
      if (member.key == "__metadata__") {
        Metadata(member.value, out);
      } else if (std::optional<TensorInfo> tensor = Tensor(member.key, member.value)) {
        out.tensors.push_back(std::move(*tensor));
      }
    }
    std::sort(out.tensors.begin(), out.tensors.end(), [](const TensorInfo& a, const TensorInfo& b) {
      return std::tie(a.offset, a.bytes, a.name) < std::tie(b.offset, b.bytes, b.name);
    });
    // A tensor that was refused leaves a hole that would only repeat its own problem.
    if (problems_.size() == before) CheckLayout(out.tensors);
    return out;
  }

 private:
  void Refuse(Where where, Code code, std::string found, std::string allowed) {
    problems_.push_back({code, std::move(where), std::move(found), std::move(allowed), Phase::kInspect});
  }
  void Malformed(std::string found, std::string allowed) {
    Refuse(Where::At(file_), Code::kArtifactMalformed, std::move(found), std::move(allowed));
  }

  // What a clone without Git LFS leaves. Its first bytes would be read as an absurd header length.
  bool IsStorePointer() {
    constexpr std::string_view kStart = "version https://git-lfs";
    std::string start(kStart.size(), '\0');
    return source_->size() >= start.size() && Fill(0, std::as_writable_bytes(std::span(start))) &&
           start == kStart;
  }

  std::optional<io::Json> Header() {
    const std::uint64_t size = source_->size();
    if (size < 8) {
      Malformed("a file of " + std::to_string(size) + " bytes", "at least the 8 bytes of the header length");
      return std::nullopt;
    }
    std::uint64_t length = 0;
    if (!Fill(0, std::as_writable_bytes(std::span(&length, 1)))) return std::nullopt;
    if (IsStorePointer()) {
      Malformed("a Git LFS pointer in place of the weights", "the weights, as `git lfs pull` fetches them");
      return std::nullopt;
    }
    if (length > limits_.header_bytes) {
      Refuse(Where::At(file_), Code::kArtifactTooLarge, "header length " + std::to_string(length),
             "at most " + std::to_string(limits_.header_bytes) + " bytes");
      return std::nullopt;
    }
    if (length > size - 8) {
      Malformed(
          "header length " + std::to_string(length) + " in a file of " + std::to_string(size) + " bytes",
          "at most " + std::to_string(size - 8));
      return std::nullopt;
    }
    std::string text(length, '\0');
    if (!Fill(8, std::as_writable_bytes(std::span(text)))) return std::nullopt;
    data_ = 8 + length;
    if (!text.starts_with('{')) {
      Malformed(text.empty()
                    ? "an empty header"
                    : "a header that starts with byte " + std::to_string(static_cast<unsigned char>(text[0])),
                "a header that starts with '{'");
      return std::nullopt;
    }
    auto json = io::ParseJson(text, file_, {.bytes = text.size(), .depth = 4, .string_bytes = text.size()});
    if (!json) {
      Error error = json.error();
      error.code = Code::kArtifactMalformed;
      error.found = "in the header, " + error.found;
      problems_.push_back(std::move(error));
      return std::nullopt;
    }
    return std::move(*json);
  }

  bool Fill(std::uint64_t offset, std::span<std::byte> out) {
    const auto read = source_->Read(offset, out);
    if (!read) problems_.push_back(read.error());
    return read.has_value();
  }

  void Metadata(const io::Json& value, Safetensors& out) {
    if (!value.is_object()) {
      Refuse(Where::At(file_, "/__metadata__"), Code::kArtifactMalformed, std::string(value.KindName()),
             "an object of strings");
      return;
    }
    for (const io::JsonMember& entry : value.members()) {
      if (entry.value.is_string()) {
        out.metadata.emplace(entry.key, entry.value.as_string());
      } else {
        Refuse(Where::At(file_, "/__metadata__/" + io::EscapePointer(entry.key)), Code::kArtifactMalformed,
               std::string(entry.value.KindName()), "a string");
      }
    }
  }

  std::optional<TensorInfo> Tensor(std::string_view key, const io::Json& value) {
    const std::string name(key);
    const std::size_t before = problems_.size();
    const auto refuse = [&](std::string found, std::string allowed, Code code = Code::kArtifactMalformed) {
      Refuse(Where::Tensor(file_, name), code, std::move(found), std::move(allowed));
    };
    if (!value.is_object()) {
      refuse(std::string(value.KindName()), "an object with dtype, shape and data_offsets");
      return std::nullopt;
    }
    for (const io::JsonMember& member : value.members()) {
      if (member.key != "dtype" && member.key != "shape" && member.key != "data_offsets") {
        refuse("the key " + Quoted(member.key), "dtype, shape and data_offsets");
      }
    }
    TensorInfo tensor{.name = name, .shape = {}, .file = file_, .source = source_};
    const io::Json* dtype = value.Find("dtype");
    const io::Json* shape = value.Find("shape");
    const io::Json* offsets = value.Find("data_offsets");
    if (dtype == nullptr || !dtype->is_string()) {
      refuse(dtype == nullptr ? "no dtype" : "dtype " + std::string(dtype->KindName()),
             "a dtype as a string");
    } else if (const auto type = StoredTypeOf(dtype->as_string())) {
      tensor.type = *type;
    } else {
      const bool other = std::ranges::find(kOtherTypes, dtype->as_string()) != std::end(kOtherTypes);
      refuse("dtype " + Quoted(dtype->as_string()), std::string(kKnownTypes),
             other ? Code::kUnsupportedQuantization : Code::kArtifactMalformed);
    }
    std::uint64_t count = 1;
    if (shape == nullptr || !shape->is_array()) {
      refuse(shape == nullptr ? "no shape" : "shape " + std::string(shape->KindName()), "a shape as a list");
    } else if (shape->items().size() > limits_.rank) {
      refuse("rank " + std::to_string(shape->items().size()), "at most " + std::to_string(limits_.rank),
             Code::kArtifactTooLarge);
    } else {
      for (const io::Json& item : shape->items()) {
        if (item.kind() != io::Json::Kind::kInt || item.as_int() < 0) {
          refuse("dimension " + item.Dump().substr(0, 80), "a whole number of at least 0");
        } else if (item.as_uint() > limits_.dimension) {
          refuse("dimension " + std::to_string(item.as_uint()),
                 "at most " + std::to_string(limits_.dimension), Code::kArtifactTooLarge);
        } else {
          tensor.shape.push_back(static_cast<std::size_t>(item.as_uint()));
          const auto product = CheckedMul<std::uint64_t>(count, item.as_uint());
          if (!product) {
            refuse("shape " + shape->Dump() + ", whose product overflows", "a product below 2^64");
            return std::nullopt;
          }
          count = *product;
        }
      }
    }
    if (!Offsets(offsets, tensor, refuse) || problems_.size() != before) return std::nullopt;
    const auto bytes = CheckedMul<std::uint64_t>(count, SizeOf(tensor.type));
    if (!bytes || *bytes != tensor.bytes) {
      refuse("data_offsets that span " + std::to_string(tensor.bytes) + " bytes",
             (bytes ? std::to_string(*bytes) : "2^64 or more") + " bytes, as " +
                 std::string(Name(tensor.type)) + " " + ShapeText(tensor.shape) + " takes");
      return std::nullopt;
    }
    return tensor;
  }

  template <class RefuseTensor>
  bool Offsets(const io::Json* offsets, TensorInfo& tensor, const RefuseTensor& refuse) {
    const auto whole = [](const io::Json& j) { return j.kind() == io::Json::Kind::kInt && j.as_int() >= 0; };
    if (offsets == nullptr || !offsets->is_array() || offsets->items().size() != 2 ||
        !whole(offsets->items()[0]) || !whole(offsets->items()[1])) {
      refuse(offsets == nullptr ? "no data_offsets" : "data_offsets " + offsets->Dump().substr(0, 80),
             "two whole numbers of at least 0");
      return false;
    }
    const std::uint64_t begin = offsets->items()[0].as_uint();
    const std::uint64_t end = offsets->items()[1].as_uint();
    const std::uint64_t size = source_->size() - data_;
    if (begin > end || end > size) {
      refuse("data_offsets " + offsets->Dump(),
             "begin <= end <= " + std::to_string(size) + ", the bytes of data");
      return false;
    }
    tensor.offset = data_ + begin;
    tensor.bytes = end - begin;
    return true;
  }

  // Sorted by offset, tensors must cover the data without overlap, hole or rest.
  void CheckLayout(const std::vector<TensorInfo>& tensors) {
    std::uint64_t expected = data_;
    std::string_view previous;
    for (const TensorInfo& tensor : tensors) {
      if (tensor.offset < expected) {
        Refuse(
            Where::Tensor(file_, tensor.name), Code::kArtifactMalformed,
            "data from byte " + std::to_string(tensor.offset - data_) + ", inside tensor " + Quoted(previous),
            "data from byte " + std::to_string(expected - data_));
      } else if (tensor.offset > expected) {
        Refuse(Where::Tensor(file_, tensor.name), Code::kArtifactMalformed,
               "a hole of " + std::to_string(tensor.offset - expected) + " bytes before it",
               "data from byte " + std::to_string(expected - data_));
      }
      if (tensor.offset + tensor.bytes > expected) {
        expected = tensor.offset + tensor.bytes;
        previous = tensor.name;
      }
    }
    if (expected != source_->size()) {
      Malformed(std::to_string(source_->size() - expected) + " bytes after the last tensor",
                "a file of " + std::to_string(expected) + " bytes");
    }
  }

  std::shared_ptr<const io::ByteSource> source_;
  const std::string& file_;
  const SafetensorsLimits& limits_;
  Problems& problems_;
  std::uint64_t data_ = 0;  // offset of the first byte of data
};

}  // namespace

Safetensors ReadSafetensors(std::shared_ptr<const io::ByteSource> source, const std::string& file,
                            const SafetensorsLimits& limits, Problems& problems) {
  return HeaderReader(std::move(source), file, limits, problems).Read();
}

}  // namespace candor::package
