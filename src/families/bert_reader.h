// The fields of BertSpec from config.json, for every member. Defaults are those of transformers 5.24's
// classes.
#pragma once
#include <memory>
#include <string_view>

#include "families/bert.h"

namespace candor::families {

// What a member's config class calls its fields, and its defaults. An empty name: it has no such field.
struct BertKeys {
  std::string_view width = "hidden_size", layers = "num_hidden_layers", heads = "num_attention_heads",
                   inner = "intermediate_size", activation = "hidden_act", segments = "type_vocab_size",
                   eps = "layer_norm_eps";
  std::size_t vocabulary = 30522, default_layers = 12;
  bool counts_behind_padding = false;  // RoBERTa's positions
  BertNames names = kBertNames;
};

// Null when problems were added.
std::unique_ptr<Model> ReadBertMember(const package::Config& config, const BertKeys& keys,
                                      Problems& problems);

}  // namespace candor::families
