#include "cpu/cpus.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>

namespace candor::cpu {
namespace {

// A small file of the kernel's; empty when it cannot be read.
std::string ReadSmall(const std::string& path) {
  std::string text(4096, '\0');
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const ssize_t got = file < 0 ? -1 : read(file, text.data(), text.size());
  if (file >= 0) close(file);
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return text;
}

std::string_view NextWord(std::string_view& text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \n"), text.size());
  const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

std::optional<std::int64_t> Number(std::string_view word) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

void Lower(std::size_t& cpus, std::string_view quota_and_period) {
  if (const auto quota = QuotaCpus(quota_and_period)) cpus = std::min(cpus, *quota);
}

// Applies the quota of a group and of every group above it.
void LowerByGroup(std::size_t& cpus, const std::string& root, std::string path, bool v2) {
  for (;;) {
    const std::string at = root + path;
    if (v2) {
      Lower(cpus, ReadSmall(at + "/cpu.max"));
    } else {
      Lower(cpus, ReadSmall(at + "/cpu.cfs_quota_us") + " " + ReadSmall(at + "/cpu.cfs_period_us"));
    }
    if (path.empty()) return;
    path.resize(path.rfind('/'));
  }
}

}  // namespace

std::optional<std::size_t> QuotaCpus(std::string_view text) {
  const auto quota = Number(NextWord(text)), period = Number(NextWord(text));
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return static_cast<std::size_t>((*quota - 1) / *period + 1);
}

std::size_t UsableCpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  // Machines with more than 1024 CPUs answer with an error; then the count of those online has to do.
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  std::size_t cpus = sched_getaffinity(0, sizeof set, &set) == 0
                         ? static_cast<std::size_t>(CPU_COUNT(&set))
                         : static_cast<std::size_t>(std::max(online, 1L));
  const std::string groups = ReadSmall("/proc/self/cgroup");  // lines of "number:controllers:path"
  for (std::size_t begin = 0; begin < groups.size();) {
    const std::size_t end = std::min(groups.find('\n', begin), groups.size());
    const std::string_view line = std::string_view(groups).substr(begin, end - begin);
    begin = end + 1;
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const std::string path(line.substr(second + 1));
    if (!path.starts_with('/')) continue;
    const std::string below = path == "/" ? std::string() : path;
    if (controllers.empty())
      LowerByGroup(cpus, "/sys/fs/cgroup", below, true);
    else if (controllers == "cpu" || controllers == "cpu,cpuacct" || controllers == "cpuacct,cpu")
      LowerByGroup(cpus, "/sys/fs/cgroup/cpu", below, false);
  }
  return std::max<std::size_t>(cpus, 1);
}

}  // namespace candor::cpu
