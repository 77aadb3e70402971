#include "families/activations.h"

#include <string>
#include <utility>

namespace candor::families {
namespace {

// The first name of a function is the one it is logged under. The tanh forms differ in how they are written,
// not in the function; that they are not the erf form is the point of the table.
constexpr std::pair<std::string_view, Activation> kNames[] = {
    {"gelu", Activation::kGeluErf},
    {"gelu_python", Activation::kGeluErf},
    {"gelu_new", Activation::kGeluTanh},
    {"gelu_fast", Activation::kGeluTanh},
    {"gelu_accurate", Activation::kGeluTanh},
    {"gelu_pytorch_tanh", Activation::kGeluTanh},
    {"gelu_python_tanh", Activation::kGeluTanh},
    {"gelu_10", Activation::kGelu10},
    {"quick_gelu", Activation::kQuickGelu},
    {"silu", Activation::kSilu},
    {"swish", Activation::kSilu},
    {"relu", Activation::kRelu},
    {"relu2", Activation::kRelu2},
    {"relu6", Activation::kRelu6},
    {"leaky_relu", Activation::kLeakyRelu},
    {"mish", Activation::kMish},
    {"hardswish", Activation::kHardswish},
    {"laplace", Activation::kLaplace},
    {"sqrtsoftplus", Activation::kSqrtSoftplus},
    {"sigmoid", Activation::kSigmoid},
    {"tanh", Activation::kTanh},
    {"linear", Activation::kNone},
};

}  // namespace

Activation ReadActivation(const package::Config& config, std::string_view key, std::string_view fallback,
                          Problems& problems) {
  const std::string name = config.Text(key, fallback, problems);
  std::string allowed;
  for (const auto& [known, activation] : kNames) {
    if (known == name) {
      for (const auto& [first, same] : kNames) {
        if (same != activation) continue;
        config.Choice(key, first, key);
        return activation;
      }
    }
    allowed += (allowed.empty() ? "" : ", ") + std::string(known);
  }
  problems.push_back(
      {Code::kUnsupportedConfigVariant, config.At(key), name, std::move(allowed), Phase::kConfig});
  return Activation::kNone;
}

}  // namespace candor::families
