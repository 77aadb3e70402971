#include "io/directory.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace candor::io {
namespace {
namespace fs = std::filesystem;

class DirectoryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    base_ = fs::path(::testing::TempDir()) /
            ("candor_io_" + std::string(info->name()) + std::to_string(::getpid()));
    fs::remove_all(base_);
    root_ = base_ / "package";
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(base_); }

  static void Write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  std::shared_ptr<const Directory> Opened(const fs::path& path) {
    auto directory = Directory::Open(path.string());
    EXPECT_TRUE(directory) << path;
    return directory ? *directory : nullptr;
  }
  static std::string Content(const Directory& directory, const std::string& path) {
    const auto file = directory.OpenFile(path);
    if (!file) return "refused: " + Message(file.error());
    const auto text = (*file)->ReadAll(1000);
    return text ? *text : "refused: " + Message(text.error());
  }
  static void ExpectRefusal(const Directory& directory, std::string_view path, Code code,
                            const std::string& found) {
    const auto file = directory.OpenFile(path);
    ASSERT_FALSE(file) << path;
    EXPECT_EQ(file.error().code, code) << Message(file.error());
    EXPECT_EQ(file.error().where.file, path);
    EXPECT_EQ(file.error().found, found);
    EXPECT_FALSE(directory.Has(path));
    EXPECT_FALSE(directory.Identify(path));
  }

  fs::path base_, root_;
};

TEST_F(DirectoryTest, ReadsFilesAndLists) {
  Write(root_ / "config.json", "{}");
  Write(root_ / "1_Pooling" / "config.json", "pool");
  Write(root_ / ".git" / "x", "");
  Write(root_ / ".hidden", "");
  fs::create_symlink("config.json", root_ / "alias.json");
  const auto directory = Opened(root_);
  EXPECT_EQ(Content(*directory, "1_Pooling/config.json"), "pool");
  EXPECT_EQ(Content(*directory, "./1_Pooling//config.json"), "pool");
  EXPECT_EQ(Content(*directory, "alias.json"), "{}");
  const auto files = directory->List(10);
  ASSERT_TRUE(files);
  EXPECT_EQ(*files, (std::vector<std::string>{"1_Pooling/config.json", "alias.json", "config.json"}));
}

TEST_F(DirectoryTest, FolderItself) {
  EXPECT_EQ(Directory::Open((base_ / "none").string()).error().code, Code::kArtifactMissing);
  Write(root_ / "file", "");
  EXPECT_EQ(Directory::Open((root_ / "file").string()).error().code, Code::kArtifactMissing);
  fs::create_symlink(root_, base_ / "alias");
  EXPECT_EQ(Content(*Opened(base_ / "alias"), "file"), "");
}

// ART-05, BR-096.
TEST_F(DirectoryTest, PathsThatLeaveAreRefused) {
  Write(base_ / "secret", "secret");
  Write(root_ / "a", "a");
  fs::create_directories(root_ / "folder");
  fs::create_symlink("../secret", root_ / "out");
  fs::create_symlink("/etc/passwd", root_ / "absolute");
  fs::create_symlink("..", root_ / "up");
  fs::create_symlink("loop", root_ / "loop");
  ::mkfifo((root_ / "fifo").c_str(), 0600);
  const auto directory = Opened(root_);
  const Code escape = Code::kPathEscape;
  ExpectRefusal(*directory, "../secret", escape, "a path with '..'");
  ExpectRefusal(*directory, "folder/../a", escape, "a path with '..'");
  ExpectRefusal(*directory, "/etc/passwd", escape, "an absolute path");
  ExpectRefusal(*directory, std::string_view("a\0b", 3), escape, "a path with a NUL byte");
  ExpectRefusal(*directory, "C:\\x", escape, "a path with a backslash");
  ExpectRefusal(*directory, "", escape, "an empty path");
  ExpectRefusal(*directory, "out", escape, "a link to ../secret, outside the package");
  ExpectRefusal(*directory, "absolute", escape, "a link to /etc/passwd, outside the package");
  ExpectRefusal(*directory, "up/secret", escape, "a link to .., outside the package");
  ExpectRefusal(*directory, "loop", escape, "more than 16 links");
  ExpectRefusal(*directory, "folder", escape, "a folder");
  ExpectRefusal(*directory, "fifo", escape, "a FIFO");
  ExpectRefusal(*directory, "none", Code::kArtifactMissing, "nothing");
  ExpectRefusal(*directory, "a/b", Code::kArtifactMissing, "nothing");
  const auto asked = directory->OpenFile("../x", Where::At("modules.json", "/1/path"));
  EXPECT_EQ(asked.error().found, "a path with '..', named in modules.json:/1/path");
  EXPECT_EQ(asked.error().allowed, "a regular file inside the package");
}

TEST_F(DirectoryTest, DeviceFiles) { EXPECT_EQ(Opened("/dev")->OpenFile("null").error().found, "a device"); }

// BR-104: the hub cache: every file a link to the store's blobs, and only there.
TEST_F(DirectoryTest, CacheLayout) {
  const fs::path store = base_ / "models--o--n";
  const fs::path snapshot = store / "snapshots" / "abc";
  Write(store / "blobs" / "0001", "config");
  Write(base_ / "models--o--other" / "blobs" / "0001", "other");
  fs::create_directories(snapshot / "1_Pooling");
  fs::create_symlink("../../blobs/0001", snapshot / "config.json");
  fs::create_symlink("../../../blobs/0001", snapshot / "1_Pooling" / "config.json");
  fs::create_symlink("../../blobs/gone", snapshot / "broken.json");
  fs::create_symlink("../../../models--o--other/blobs/0001", snapshot / "foreign.json");
  fs::create_symlink("../../refs/main", snapshot / "refs.json");
  const auto directory = Opened(snapshot);
  EXPECT_EQ(Content(*directory, "config.json"), "config");
  EXPECT_EQ(Content(*directory, "1_Pooling/config.json"), "config");
  ExpectRefusal(*directory, "broken.json", Code::kArtifactMissing,
                "a link whose target is missing: ../../blobs/gone");
  ExpectRefusal(*directory, "foreign.json", Code::kPathEscape,
                "a link to ../../../models--o--other/blobs/0001, outside the package");
  ExpectRefusal(*directory, "refs.json", Code::kPathEscape, "a link to ../../refs/main, outside the package");
}

// ART-12: the descriptor sees what happens to its file.
TEST_F(DirectoryTest, ChangesAreSeen) {
  Write(root_ / "a", "0123456789");
  const auto directory = Opened(root_);
  const auto file = directory->OpenFile("a");
  ASSERT_TRUE(file);
  EXPECT_TRUE((*file)->CheckUnchanged());
  fs::resize_file(root_ / "a", 4);
  const auto stale = (*file)->CheckUnchanged();
  ASSERT_FALSE(stale);
  EXPECT_EQ(stale.error().code, Code::kArtifactStale);
  EXPECT_EQ(stale.error().found, "4 bytes");
  EXPECT_EQ(stale.error().allowed, "10 bytes, as when it was opened");
  std::byte buffer[10];
  const auto cut = (*file)->Read(0, buffer);
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, Code::kArtifactStale);
  EXPECT_EQ(cut.error().found, "the file ends at byte 4");
}

TEST_F(DirectoryTest, ReplacementIsSeen) {
  Write(root_ / "a", "old");
  Write(root_ / "b", "new");
  const auto file = Opened(root_)->OpenFile("a");
  ASSERT_TRUE(file);
  fs::rename(root_ / "b", root_ / "a");
  EXPECT_EQ(*(*file)->ReadAll(10), "old");
  const auto stale = (*file)->CheckUnchanged();
  ASSERT_FALSE(stale);
  EXPECT_EQ(stale.error().found, "written, replaced or removed since it was opened");
}

TEST_F(DirectoryTest, Limits) {
  Write(root_ / "a", "0123456789");
  Write(root_ / "b", "");
  const auto directory = Opened(root_);
  const auto file = directory->OpenFile("a");
  EXPECT_TRUE((*file)->ReadAll(10));
  const auto large = (*file)->ReadAll(9);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, Code::kArtifactTooLarge);
  EXPECT_EQ(large.error().found, "10 bytes");
  EXPECT_TRUE(directory->List(3));
  const auto many = directory->List(2);
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().code, Code::kArtifactTooLarge);
  std::byte buffer[4];
  EXPECT_EQ((*file)->Read(8, buffer).error().code, Code::kInternalInvariant);
}

// BR-096: what could not be opened is not listed either, and a deep tree costs no quadratic walk.
TEST_F(DirectoryTest, DeepFoldersAreRefused) {
  fs::path deep = root_;
  for (int i = 0; i < 63; ++i) deep /= "d";
  Write(deep / "file", "at the limit");
  const auto directory = Opened(root_);
  const auto listed = directory->List(100);
  ASSERT_TRUE(listed);
  ASSERT_EQ(listed->size(), 1u);
  EXPECT_EQ(Content(*directory, listed->front()), "at the limit");
  const std::string beyond = listed->front().substr(0, listed->front().size() - 4) + "d/file";
  fs::create_directories(deep / "d");
  Write(deep / "d" / "file", "");
  ExpectRefusal(*directory, beyond, Code::kPathEscape, "a path of more than 64 components");
  const auto refused = directory->List(100);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kPathEscape);
  EXPECT_EQ(refused.error().where.file, beyond);
  EXPECT_EQ(refused.error().found, "a path of more than 64 components");
  EXPECT_EQ(refused.error().allowed, "a regular file inside the package");
}

}  // namespace
}  // namespace candor::io
