// The facts that a package states about itself, each with the place where it stands (SPEC EVI-04, EVI-05).
//
// Facts of one name that disagree are kept side by side and named in conflicts; nothing is chosen here. Pure.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/json.h"
#include "package/package.h"

namespace candor::package {

using Documents = std::map<std::string, std::shared_ptr<const io::Json>, std::less<>>;

// Of each of `encoders` what its own files say.
std::vector<Fact> CollectFacts(const Documents& documents,
                               const std::map<std::string, std::vector<TensorInfo>, std::less<>>& tensors,
                               std::span<const EncoderPlace> encoders);
// Names that stand with more than one value, by where the second value stands. Logarithmic per fact.
std::vector<std::string> ConflictsOf(const std::vector<Fact>& facts);

}  // namespace candor::package
