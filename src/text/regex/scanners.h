// The patterns that have a scanner of their own.
#pragma once
#include <cstddef>
#include <memory>
#include <string_view>

#include "text/regex/regex.h"

namespace candor::text {

// The scanner for exactly this spelling of a pattern; null when there is none.
RegexPtr FindScanner(std::string_view pattern);
// How many spellings there are: a test has all of them.
std::size_t ScannerCount();

}  // namespace candor::text
