#include "transparent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

namespace candor::goldens {
namespace {

using package::SafetensorsOf;
using package::TestTensor;

std::string Joined(std::size_t count, const std::function<std::string(std::size_t)>& part) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += (i == 0 ? "" : ",") + part(i);
  return out;
}

std::string Quoted(const std::string& text) { return '"' + text + '"'; }

// Of a finite value: sign, five bits of exponent, ten of fraction.
std::uint16_t Half(float value) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  if (value == 0) return sign;
  int exponent = 0;
  const float fraction = std::frexp(std::abs(value), &exponent) * 2 - 1;  // of 1.x
  const float bits = std::ldexp(fraction, 10);
  EXPECT_TRUE(exponent >= -13 && exponent <= 16 && bits == std::floor(bits)) << value << " is no F16";
  return static_cast<std::uint16_t>(sign + ((exponent + 14) << 10) + static_cast<int>(bits));
}

std::uint16_t Bfloat(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  EXPECT_EQ(bits & 0xffff, 0u) << value << " is no BF16";
  return static_cast<std::uint16_t>(bits >> 16);
}

std::string TokenizerJson(const Transparent& t) {
  const auto id = [&](const std::string& token) {
    return std::to_string(std::ranges::find(t.tokens, token) - t.tokens.begin());
  };
  std::string added;
  for (const char* special : {"[CLS]", "[PAD]", "[SEP]", "[UNK]"}) {
    added += (added.empty() ? R"({"id":)" : R"(,{"id":)") + id(special) + R"(,"content":")" + special +
             R"(","single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":true})";
  }
  // The template's list in the file's words.
  const auto piece = [](const std::string& name, const char* type) {
    const bool text = name == "A" || name == "B";
    return std::string(text ? R"({"Sequence":{"id":")" : R"({"SpecialToken":{"id":")") + name +
           R"(","type_id":)" + type + "}}";
  };
  std::string post = "null";
  if (t.single != "null") {
    std::vector<std::string> names;
    for (std::size_t at = 0; (at = t.single.find('"', at)) != std::string::npos;) {
      const std::size_t end = t.single.find('"', at + 1);
      names.push_back(t.single.substr(at + 1, end - at - 1));
      at = end + 1;
    }
    post = R"({"type":"TemplateProcessing","single":[)" +
           Joined(names.size(), [&](std::size_t i) { return piece(names[i], "0"); }) + R"(],"pair":[)" +
           piece("[CLS]", "0") + "," + piece("A", "0") + "," + piece("[SEP]", "0") + "," + piece("B", "1") +
           "," + piece("[SEP]", "1") + R"(],"special_tokens":{)" +
           Joined(2,
                  [&](std::size_t i) {
                    const std::string name = i == 0 ? "[CLS]" : "[SEP]";
                    return Quoted(name) + R"(:{"id":")" + name + R"(","ids":[)" + id(name) +
                           R"(],"tokens":[")" + name + R"("]})";
                  }) +
           "}}";
  }
  return R"({"version":"1.0","truncation":null,"padding":)" + t.padding + R"(,"added_tokens":[)" + added +
         R"(],"normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,)"
         R"("strip_accents":null,"lowercase":true},"pre_tokenizer":{"type":"BertPreTokenizer"},)"
         R"("post_processor":)" +
         post +
         R"(,"decoder":null,"model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##",)"
         R"("max_input_chars_per_word":100,"vocab":{)" +
         Joined(t.tokens.size(),
                [&](std::size_t i) { return Quoted(t.tokens[i]) + ":" + std::to_string(i); }) +
         "}}}";
}

std::string Weights(const Transparent& t) {
  std::vector<TestTensor> out;
  std::uint32_t seed = 1;
  const auto add = [&](const std::string& name, std::size_t rows, std::size_t cols, float value) {
    std::vector<float> values(rows * std::max<std::size_t>(cols, 1), value);
    if (t.scrambled) {
      for (float& v : values) {
        seed = seed * 1664525 + 1013904223;
        v += static_cast<float>(static_cast<std::int32_t>(seed) >> 25) / 128;  // steps of 1/128 within 1/2
      }
    }
    if (const auto own = t.tensors.find(name); own != t.tensors.end()) values = own->second;
    const std::string shape = cols == 0 ? "" : "," + std::to_string(cols);
    const auto other = t.types.find(name);
    const std::string& type = other == t.types.end() ? t.stored : other->second;
    std::string written = t.prefix + name;
    if (const std::size_t norm = written.find("LayerNorm."); t.gammas && norm != std::string::npos)
      written.replace(norm + 10, std::string::npos, name.ends_with("weight") ? "gamma" : "beta");
    out.push_back({written, type, "[" + std::to_string(rows) + shape + "]", StoredBytes(values, type)});
  };
  const auto norm = [&](const std::string& name) {
    add(name + ".weight", t.width, 0, 1);
    add(name + ".bias", t.width, 0, 0);
  };
  const auto linear = [&](const std::string& name, std::size_t rows, std::size_t cols) {
    add(name + ".weight", rows, cols, 0);
    add(name + ".bias", rows, 0, 0);
  };
  add("embeddings.word_embeddings.weight", t.tokens.size(), t.width, 0);
  add("embeddings.position_embeddings.weight", t.positions, t.width, 0);
  add("embeddings.token_type_embeddings.weight", t.segments, t.width, 0);
  norm("embeddings.LayerNorm");
  const std::string layer = "encoder.layer.0.";
  for (const char* part : {"query", "key", "value"})
    linear(layer + "attention.self." + part, t.width, t.width);
  linear(layer + "attention.output.dense", t.width, t.width);
  norm(layer + "attention.output.LayerNorm");
  linear(layer + "intermediate.dense", t.inner, t.width);
  linear(layer + "output.dense", t.width, t.inner);
  norm(layer + "output.LayerNorm");
  out.insert(out.end(), t.more.begin(), t.more.end());
  return SafetensorsOf(out);
}

}  // namespace

std::string StoredBytes(const std::vector<float>& values, const std::string& type) {
  if (type == "F32") return package::F32Bytes(values);
  std::string out;
  for (const float v : values) {
    const std::uint16_t bits = type == "F16" ? Half(v) : Bfloat(v);
    out += static_cast<char>(bits & 0xff);
    out += static_cast<char>(bits >> 8);
  }
  return out;
}

TransparentModule PoolingModule(const std::string& mode, std::size_t width) {
  return {"Pooling",
          R"({"embedding_dimension":)" + std::to_string(width) + R"(,"pooling_mode":")" + mode + R"("})"};
}

void Transparent::WriteTo(const package::TestFolder& folder) const {
  Transparent whole = *this;
  std::vector<float>& words = whole.tensors["embeddings.word_embeddings.weight"];
  if (words.empty() && !scrambled) {
    for (const std::string& token : tokens) {
      const auto row = rows.find(token);
      const std::vector<float> zeros(width);
      const std::vector<float>& values = row == rows.end() ? zeros : row->second;
      words.insert(words.end(), values.begin(), values.end());
    }
  }
  if (words.empty()) whole.tensors.erase("embeddings.word_embeddings.weight");
  folder.Write("model.safetensors", Weights(whole));
  folder.Write("tokenizer.json", TokenizerJson(*this));
  folder.Write("config.json",
               R"({"model_type":")" + model_type + R"(","vocab_size":)" + std::to_string(tokens.size()) +
                   R"(,"hidden_size":)" + std::to_string(width) + R"(,"num_attention_heads":)" +
                   std::to_string(heads) + R"(,"num_hidden_layers":1,"intermediate_size":)" +
                   std::to_string(inner) + R"(,"max_position_embeddings":)" + std::to_string(positions) +
                   R"(,"type_vocab_size":)" + std::to_string(segments) +
                   R"(,"hidden_act":"relu","layer_norm_eps":1e-12)" + config + "}");
  std::string chain = R"([{"idx":0,"name":"0","path":"","type":"sentence_transformers.models.Transformer"})";
  for (std::size_t i = 0; i < modules.size(); ++i) {
    const std::string number = std::to_string(i + 1), place = number + "_" + modules[i].type;
    chain += R"(,{"idx":)" + number + R"(,"name":")" + number + R"(","path":")" + place +
             R"(","type":"sentence_transformers.models.)" + modules[i].type + R"("})";
    if (!modules[i].config.empty()) folder.Write(place + "/config.json", modules[i].config);
    if (!modules[i].tensors.empty()) {
      folder.Write(place + "/model.safetensors", SafetensorsOf(modules[i].tensors));
    }
  }
  folder.Write("modules.json", chain + "]");
  for (const auto& [name, text] : files) folder.Write(name, text);
}

}  // namespace candor::goldens
