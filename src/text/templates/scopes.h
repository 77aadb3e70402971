// Which variable a name means, decided once by jinja2's rules before anything runs.
//
// jinja2 compiles a template to Python functions and decides for every scope, from the order in which names
// are read and set in it, whether a name begins as the caller's variable, as an outer scope's, or as nothing.
// A variable that is set behind a loop and read inside the loop is nothing there, even if the caller gave
// one. This is that analysis (its idtracking.py), so that such templates answer what they answer there.
#pragma once
#include <vector>

#include "text/templates/ast.h"
#include "text/templates/failure.h"

namespace candor::text::jinja {

// Fills in the slots, scopes and reads of `program`. What macros have beyond the subset goes to `outside`.
void ResolveNames(Program& program, std::vector<Failure>& outside);

}  // namespace candor::text::jinja
