#include "base/sha256.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace candor {
namespace {

// Vectors of FIPS 180-4.
TEST(Sha256, PublishedVectors) {
  EXPECT_EQ(Sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256Hex(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesAndReuse) {
  Sha256 hash;
  hash.Update("a");
  hash.Update("");
  hash.Update("bc");
  EXPECT_EQ(Hex(hash.Finish()), Sha256Hex("abc"));
  Sha256 moved = std::move(hash);
  EXPECT_EQ(Hex(moved.Finish()), Sha256Hex(""));
}

}  // namespace
}  // namespace candor
