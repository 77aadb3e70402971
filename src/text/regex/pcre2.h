// Patterns without a scanner of their own, run by PCRE2.
#pragma once
#include "text/regex/regex.h"
#include "text/regex/translate.h"

namespace candor::text {

// The translated pattern, ready to run; null when PCRE2 does not take it.
RegexPtr MakePcre2(Translation translation);

}  // namespace candor::text
