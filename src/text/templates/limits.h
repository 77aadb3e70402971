// What a hostile template or request may not exceed. Far above what any published template needs: the longest
// has some 30 KiB and nests a dozen levels; a long conversation takes some ten thousand steps.
#pragma once
#include <cstddef>
#include <cstdint>

namespace candor::text::jinja {

struct TemplateLimits {
  std::size_t bytes = 256u << 10;  // of the template's text
  std::size_t depth = 100;         // of statements and expressions inside each other
};

struct RenderLimits {
  std::uint64_t steps = 2'000'000;        // nodes evaluated, items visited, and 256 bytes of text looked at
  std::size_t output_bytes = 8u << 20;    // of the rendered text
  std::uint64_t made_bytes = 256u << 20;  // of all texts and lists made on the way
  std::size_t depth = 400;                // nodes and macros that wait for each other
};

}  // namespace candor::text::jinja
