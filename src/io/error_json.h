// An Error as JSON (SPEC R15): one form for inspect, plan, why-not and result lines.
#pragma once
#include "candor/result.h"
#include "io/json.h"

namespace candor::io {

// {"code", "class", "phase", "where": {…}, "found", "allowed", "message", "retryable"}; only members of
// `where` that are set.
void WriteError(JsonWriter& writer, const Error& error);

}  // namespace candor::io
