#include "plan/envelope.h"

#include <algorithm>

namespace candor::plan {
namespace {

constexpr std::string_view kRows[] = {
#include "plan/envelope.inc"
};

std::string Row(const Plan& plan, const std::string& choice) {
  return EnvelopeRow(plan.family, Name(plan.profile), plan.device, choice);
}

}  // namespace

std::string EnvelopeRow(std::string_view family, std::string_view profile, std::string_view device,
                        std::string_view choice) {
  std::string row;
  const auto add = [&](std::string_view word) { (row += word) += ' '; };
  if (!choice.starts_with("tokenizer.")) {
    if (!choice.starts_with("recipe.") && !choice.starts_with("weights.")) add(family);
    add(profile), add(device);
  }
  return row += choice;
}

const Envelope& BuiltInEnvelope() {
  static constexpr Envelope envelope{kRows};  // nothing has been withdrawn so far
  return envelope;
}

std::vector<std::string> OutsideEnvelope(const Plan& plan, const Envelope& envelope) {
  std::vector<std::string> out;
  for (const std::string& choice : plan.Choices())
    if (std::ranges::find(envelope.rows, Row(plan, choice)) == envelope.rows.end()) out.push_back(choice);
  return out;
}

Problems Withdrawn(const Plan& plan, const Envelope& envelope) {
  Problems out;
  for (const package::Evidence& e : plan.evidence) {
    if (!e.choice) continue;
    const std::string choice = e.fact + "=" + e.value;
    const auto at = std::ranges::find(envelope.withdrawn, Row(plan, choice), &Withdrawal::row);
    if (at != envelope.withdrawn.end()) {
      out.push_back({Code::kCaseWithdrawn, Where::At(e.file, e.pointer),
                     choice + ": " + std::string(at->reason), "a choice whose evidence still holds",
                     Phase::kPolicy});
    }
  }
  return out;
}

}  // namespace candor::plan
