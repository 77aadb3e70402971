#include <gtest/gtest.h>

#include "cpu/cpu_backend.h"
TEST(X, Y) {
  auto b = candor::cpu::CpuBackend::New();
  ASSERT_TRUE(b.has_value());
  printf("%s\n", (*b)->machine().c_str());
}
