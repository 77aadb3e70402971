// CANDOR_CHECK(condition, "words"): for what no package and no request can cause.
//
// A failed check is a defect of Candor. It throws InternalError, which only the three places that answer for
// a whole call catch (DESIGN section 7) and turn into internal_invariant; the process is not ended. Any
// thread.
#pragma once
#include <exception>

namespace candor {

class InternalError final : public std::exception {
 public:
  InternalError(const char* condition, const char* words, const char* file, int line)
      : condition_(condition), words_(words), file_(file), line_(line) {}
  const char* what() const noexcept override { return words_; }
  const char* condition() const { return condition_; }
  const char* file() const { return file_; }
  int line() const { return line_; }

 private:
  const char* condition_;
  const char* words_;
  const char* file_;
  int line_;
};

// Out of line, so that a check costs one compare and a cold call.
[[noreturn]] void CheckFailed(const char* condition, const char* words, const char* file, int line);

}  // namespace candor

#define CANDOR_CHECK(condition, words) \
  ((condition) ? void(0) : ::candor::CheckFailed(#condition, words, __FILE__, __LINE__))
