#include "text/templates/template.h"

#include <algorithm>

#include "base/utf8.h"
#include "text/templates/ast.h"
#include "text/templates/failure.h"
#include "text/templates/interpreter.h"
#include "text/templates/parser.h"
#include "text/templates/scopes.h"

namespace candor::text::jinja {

Template::Template(Key, std::unique_ptr<const Program> program, Where place)
    : program_(std::move(program)), place_(std::move(place)) {}
Template::~Template() = default;

Planned<std::shared_ptr<const Template>> Template::Parse(std::string_view text, const Where& place,
                                                         const TemplateLimits& limits) {
  constexpr Phase kPhase = Phase::kProcessing;
  if (text.size() > limits.bytes)
    return Problems{{Code::kArtifactTooLarge, place, std::to_string(text.size()) + " bytes",
                     "at most " + std::to_string(limits.bytes), kPhase}};
  if (const std::size_t bad = FirstInvalidUtf8(text); bad < text.size())
    return Problems{
        {Code::kArtifactMalformed, place, "no UTF-8 at byte " + std::to_string(bad), "UTF-8", kPhase}};
  auto program = std::make_unique<Program>();
  program->source = NormalizeSource(text);
  std::vector<Failure> outside;
  auto body = ParseTemplate(program->source, limits, outside);
  if (body) {
    program->body = std::move(*body);
    ResolveNames(*program, outside);
  } else {
    outside.push_back(body.error());
  }
  if (!outside.empty()) {
    Problems problems;
    std::ranges::stable_sort(outside, {}, &Failure::line);
    for (const Failure& failure : outside)
      problems.push_back(Placed(failure, program->source, place, kPhase));
    return problems;
  }
  return std::shared_ptr<const Template>(std::make_shared<Template>(Key(), std::move(program), place));
}

Result<std::string> Template::Render(const Value& context, const RenderOptions& options) const {
  if (!context.Is(Kind::kDict))
    return Error{Code::kInvalidInput, place_, "a " + std::string(TypeName(context)),
                 "a dictionary of variables", Phase::kRequest};
  auto text = Interpreter(*program_, context, options).Run();
  if (!text) return Placed(text.error(), program_->source, place_, Phase::kRequest);
  return std::move(*text);
}

const std::vector<std::string>& Template::reads() const { return program_->reads; }
bool Template::Reads(std::string_view name) const {
  return std::ranges::binary_search(program_->reads, name);
}

}  // namespace candor::text::jinja
