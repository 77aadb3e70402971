#include "text/templates/objects.h"

#include "base/check.h"
#include "base/utf8.h"

namespace candor::text::jinja {

bool IsIterable(const Value& value) {
  switch (value.kind()) {
    case Kind::kUndefined:
    case Kind::kString:
    case Kind::kList:
    case Kind::kTuple:
    case Kind::kDict:
    case Kind::kRange:
    case Kind::kView:
    case Kind::kGenerator:
    case Kind::kLoop:
      return true;
    default:
      return false;
  }
}

std::optional<std::size_t> LengthOf(const Value& value) {
  switch (value.kind()) {
    case Kind::kUndefined:
      return 0;
    case Kind::kString:
      return value.length();
    case Kind::kList:
    case Kind::kTuple:
      return value.items().size();
    case Kind::kDict:
      return value.members().size();
    case Kind::kRange:
      return static_cast<std::size_t>(As<Range>(value).count);
    case Kind::kView:
      return As<View>(value).dictionary.members().size();
    default:
      return std::nullopt;
  }
}

Result<std::optional<Value>, Failure> Cursor::Next() {
  using Answer = Result<std::optional<Value>, Failure>;
  const std::size_t at = at_++;
  switch (over_.kind()) {
    case Kind::kString: {
      const std::string& text = over_.text();
      if (at >= text.size()) return Answer(std::nullopt);
      const std::size_t bytes = DecodeUtf8(text, at).bytes;
      at_ = at + bytes;
      return Answer(Value::String(text.substr(at, bytes)));
    }
    case Kind::kList:
    case Kind::kTuple:
      if (at >= over_.items().size()) return Answer(std::nullopt);
      return Answer(over_.items()[at]);
    case Kind::kDict:
      if (at >= over_.members().size()) return Answer(std::nullopt);
      return Answer(over_.members()[at].first);
    case Kind::kRange: {
      const Range& range = As<Range>(over_);
      if (static_cast<std::int64_t>(at) >= range.count) return Answer(std::nullopt);
      return Answer(Value::Int(range.start + static_cast<std::int64_t>(at) * range.step));
    }
    case Kind::kView: {
      const View& view = As<View>(over_);
      if (at >= view.dictionary.members().size()) return Answer(std::nullopt);
      const auto& [key, value] = view.dictionary.members()[at];
      if (view.of == View::Of::kKeys) return Answer(key);
      if (view.of == View::Of::kValues) return Answer(value);
      return Answer(Value::Tuple({key, value}));
    }
    case Kind::kGenerator: {
      auto& generator = As<Generator>(over_);
      if (generator.next < generator.items.size()) return Answer(generator.items[generator.next++]);
      if (generator.failure) {
        Failure failure = std::move(*generator.failure);
        generator.failure.reset();
        return failure;
      }
      return Answer(std::nullopt);
    }
    default:
      CANDOR_CHECK(over_.is_undefined(), "iterable");
      return Answer(std::nullopt);
  }
}

}  // namespace candor::text::jinja
