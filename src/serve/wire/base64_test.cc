#include "serve/wire/base64.h"

#include <gtest/gtest.h>

#include <vector>

namespace candor::serve {
namespace {

// Expected texts: Python, base64.b64encode(struct.pack("<nf", ...)).
TEST(Base64, IsLittleEndianFloat32) {
  EXPECT_EQ(Base64(std::vector<float>{1.0f, -2.0f, 0.5f}), "AACAPwAAAMAAAAA/");
}

TEST(Base64, PadsEveryRemainder) {
  EXPECT_EQ(Base64(std::vector<float>{}), "");
  EXPECT_EQ(Base64(std::vector<float>{1.0f}), "AACAPw==");
  EXPECT_EQ(Base64(std::vector<float>{1.0f, 3.1415927f}), "AACAP9sPSUA=");
  EXPECT_EQ(Base64(std::vector<float>{-0.1f, 1e-38f, 6.5e4f, 0.0f}), "zczMve7jbAAA6H1HAAAAAA==");
}

}  // namespace
}  // namespace candor::serve
