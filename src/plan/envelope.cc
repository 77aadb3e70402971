#include "plan/envelope.h"

#include <algorithm>

namespace candor::plan {
namespace {

constexpr std::string_view kRows[] = {
#include "plan/envelope.inc"
};

std::string Row(const Plan& plan, const std::string& choice) {
  return plan.family + ' ' + std::string(Name(plan.profile)) + ' ' + plan.device + ' ' + choice;
}

}  // namespace

std::vector<std::string> OutsideEnvelope(const Plan& plan) {
  std::vector<std::string> out;
  for (const std::string& choice : plan.Choices())
    if (std::ranges::find(kRows, Row(plan, choice)) == std::end(kRows)) out.push_back(choice);
  return out;
}

std::vector<std::string> EnvelopeRows() { return {std::begin(kRows), std::end(kRows)}; }

std::vector<std::string> EnvelopeRows(const Plan& plan) {
  std::vector<std::string> out;
  for (const std::string& choice : plan.Choices()) out.push_back(Row(plan, choice));
  return out;
}

}  // namespace candor::plan
