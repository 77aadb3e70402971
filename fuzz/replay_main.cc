// The program around a fuzz target when no fuzzing engine drives it: X_fuzz [--mutations N] [--seed S]
// PATH...
//
// Runs the target on every file under the paths and on N seeded mutations of each, so that every build and
// every compiler exercises the target, and a finding is replayed by naming its file. Prints what it ran; a
// target reports by crashing (assertion or sanitizer). Single-threaded.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr std::size_t kLargestSeed = std::size_t{1} << 20;

std::vector<Bytes> ReadAll(const std::vector<std::string>& paths) {
  std::vector<std::filesystem::path> files;
  for (const std::string& path : paths) {
    if (!std::filesystem::is_directory(path)) {
      files.emplace_back(path);
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path))
      if (entry.is_regular_file() && entry.file_size() <= kLargestSeed) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Bytes> all;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    all.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return all;
}

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  // One to four small changes of the kinds that break parsers.
  Bytes Mutate(Bytes bytes, const Bytes& other) {
    for (std::size_t n = 1 + Below(4); n > 0; --n) ChangeOnce(bytes, other);
    return bytes;
  }

 private:
  std::size_t Below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }

  void ChangeOnce(Bytes& bytes, const Bytes& other) {
    static constexpr std::uint8_t kTelling[] = {0,   1,   '"', '\\', '{', '}', '[',  ']',  ',',  ':',
                                                '-', '0', '9', 'e',  ' ', 'u', 0x7f, 0x80, 0xc0, 0xff};
    const std::size_t at = bytes.empty() ? 0 : Below(bytes.size());
    const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    const std::size_t length = bytes.empty() ? 0 : std::min(bytes.size() - at, 1 + Below(16));
    const auto end = begin + static_cast<std::ptrdiff_t>(length);
    switch (Below(6)) {
      case 0:
        if (!bytes.empty()) bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ (1u << Below(8)));
        break;
      case 1:
        if (!bytes.empty()) bytes[at] = kTelling[Below(std::size(kTelling))];
        break;
      case 2:
        bytes.insert(begin, kTelling[Below(std::size(kTelling))]);
        break;
      case 3:
        bytes.erase(begin, end);
        break;
      case 4: {  // a piece twice
        const Bytes piece(begin, end);
        bytes.insert(begin, piece.begin(), piece.end());
        break;
      }
      default: {  // a piece of another seed
        if (other.empty()) break;
        const std::size_t from = Below(other.size());
        const std::size_t count = std::min(other.size() - from, 1 + Below(32));
        const auto first = other.begin() + static_cast<std::ptrdiff_t>(from);
        bytes.insert(begin, first, first + static_cast<std::ptrdiff_t>(count));
      }
    }
  }

  std::mt19937_64 random_;
};

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t mutations = 0, seed = 1;
  std::vector<std::string> paths;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--mutations" && i + 1 < argc) {
      mutations = std::strtoull(argv[++i], nullptr, 10);
    } else if (argument == "--seed" && i + 1 < argc) {
      seed = std::strtoull(argv[++i], nullptr, 10);
    } else {
      paths.emplace_back(argument);
    }
  }
  const std::vector<Bytes> seeds = ReadAll(paths);
  if (seeds.empty()) {
    std::cerr << "no seed files\n";
    return 2;
  }
  Mutator mutator(seed);
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    LLVMFuzzerTestOneInput(seeds[i].data(), seeds[i].size());
    for (std::uint64_t n = 0; n < mutations; ++n) {
      const Bytes changed = mutator.Mutate(seeds[i], seeds[(i + n) % seeds.size()]);
      LLVMFuzzerTestOneInput(changed.data(), changed.size());
    }
  }
  std::cout << seeds.size() << " seeds, " << mutations << " mutations of each\n";
  return 0;
}
