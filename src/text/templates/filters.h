// The filters by what they work on. Each takes the value in front of it and its arguments by parameter.
#pragma once
#include <string_view>

#include "text/templates/interpreter.h"

namespace candor::text::jinja {

// filters_text.cc
Got FilterText(Interpreter& run, std::string_view name, const Value& on, const Bound& bound);
// filters_list.cc
Got FilterList(Interpreter& run, std::string_view name, const Value& on, const Bound& bound);
Got FilterEach(Interpreter& run, std::string_view name, const Value& on, const Arguments& arguments);

bool IsTextFilter(std::string_view name);
// The key by which sort, min, max, dictsort and unique compare: texts in small letters unless case counts.
Got IgnoreCase(Interpreter& run, const Value& value, bool case_sensitive);
// What a dotted path leads to from a value, as attribute="a.b.0" names it.
Got Follow(Interpreter& run, const Value& from, const Value& path, const Value* fallback, bool lazy);

}  // namespace candor::text::jinja
