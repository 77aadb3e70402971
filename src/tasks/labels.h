// The labels of a classifier, from config.json: names in the order of their ids, and what makes scores of
// logits.
#pragma once
#include <string>
#include <vector>

#include "package/config.h"

namespace candor::tasks {

enum class ScoreActivation { kNone, kSigmoid, kSoftmax };
std::string_view Name(ScoreActivation activation);  // "none", "sigmoid", "softmax"

struct Labels {
  std::vector<std::string> names;  // empty when there were problems
  ScoreActivation activation = ScoreActivation::kNone;
};

// As transformers 5.24 reads id2label (configuration_utils.py); empty when there were problems. A package
// without it is labels_missing: the library would call them LABEL_0 and LABEL_1.
std::vector<std::string> ReadLabelNames(const package::Config& config, Problems& problems);

// And as its pipelines/text_classification.py chooses the activation: by problem_type, and without one by the
// number of labels.
Labels ReadLabels(const package::Config& config, Problems& problems);

// How many logits a class of transformers has: of id2label, else num_labels, else two.
std::size_t LabelCount(const package::Config& config, Problems& problems);

// Logits of one item into scores, computed in double.
void Activate(ScoreActivation activation, const float* logits, std::size_t count, float* scores);

}  // namespace candor::tasks
