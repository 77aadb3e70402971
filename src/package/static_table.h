// Whether a package is a static table: one vector a token, no encoder. Two things say so, and each has a
// reference of its own.
#pragma once
#include <cstdint>
#include <string>

#include "package/package.h"

namespace candor::package {

struct StaticTable {
  enum class Form : std::uint8_t {
    kNone,
    kModule,    // modules.json begins with StaticEmbedding: as sentence-transformers runs it
    kModel2Vec  // without modules.json, as the package model2vec saves and runs it
  };
  Form form = Form::kNone;
  std::string folder = {};  // that holds the table and tokenizer.json
  explicit operator bool() const { return form != Form::kNone; }
};

// Without modules.json, config.json says "model2vec", or it says no model_type and architectures at all and
// the stored tensors are those that model2vec stores, `embeddings` among them.
StaticTable StaticTableOf(const Package& package);

}  // namespace candor::package
