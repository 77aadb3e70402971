// DeBERTa v2's row: what config.json and tensor names may say. Defaults are those of transformers 5.24's
// DebertaV2Config, and of the getattr calls of its modeling file for the keys that the class does not
// declare.
#include <algorithm>
#include <cctype>
#include <string>

#include "families/activations.h"
#include "families/deberta.h"
#include "families/masked_heads.h"
#include "families/shared_keys.h"

namespace candor::families {
namespace {

// "p2c | c2p" as its words, in lower case.
std::vector<std::string> Words(const std::string& text) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (c == '|') {
      out.emplace_back();
    } else if (c != ' ') {
      out.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return out;
}

// A list, or one text with bars. "p2p", which older releases computed, is ignored by the class, so it is
// refused.
void ReadTerms(const package::Config& c, DebertaSpec& s, Problems& problems) {
  std::vector<std::string> terms;
  const io::Json* value = c.Raw("pos_att_type");
  if (value != nullptr && value->is_string()) {
    terms = Words(std::string(value->as_string()));
  } else {
    terms = c.Texts("pos_att_type", problems);
  }
  for (const std::string& term : terms) {
    if (term == "c2p") {
      s.content_to_position = true;
    } else if (term == "p2c") {
      s.position_to_content = true;
    } else if (term != "none" && !term.empty()) {
      problems.push_back(
          {Code::kUnsupportedConfigVariant, c.At("pos_att_type"), term, "c2p, p2c", Phase::kConfig});
    }
  }
  c.Choice("pos_att_type",
           std::string(s.content_to_position ? "c2p" : "") +
               (s.content_to_position && s.position_to_content ? "|" : "") +
               (s.position_to_content ? "p2c" : ""),
           "pos_att_type");
}

void ReadRelative(const package::Config& c, DebertaSpec& s, Problems& problems) {
  const auto whole = [&](const char* key) {  // -1 and other values below 1: none
    const double value = c.Real(key, -1, problems);
    if (value != static_cast<double>(static_cast<std::int32_t>(std::clamp(value, -1e6, 1e6)))) {
      problems.push_back({Code::kUnsupportedConfigVariant, c.At(key), c.Shown(key),
                          "a whole number up to 1000000", Phase::kConfig});
    }
    return value < 1 ? 0 : static_cast<std::int32_t>(std::min(value, 1e6));
  };
  s.relative = ReadSwitch(c, "relative_attention", false, problems);
  s.share_keys = ReadSwitch(c, "share_att_key", false, problems);
  s.max_relative = whole("max_relative_positions");
  s.buckets = whole("position_buckets");
  if (s.max_relative == 0) s.max_relative = static_cast<std::int32_t>(s.max_positions);
  // The class asks for "layer_norm" among the words; it makes the norm even when there is no table.
  for (const std::string& word : Words(c.Text("norm_rel_ebd", "none", problems))) {
    if (word == "layer_norm") {
      s.norm_relative = true;
    } else if (word != "none") {
      problems.push_back(
          {Code::kUnsupportedConfigVariant, c.At("norm_rel_ebd"), word, "layer_norm, none", Phase::kConfig});
    }
  }
  // Logarithms of 0 and 1 have no quotient: the class answers NaN.
  if (s.relative && s.buckets > 0 && (s.buckets < 4 || s.max_relative - 1 <= s.buckets / 2)) {
    problems.push_back({Code::kUnsupportedConfigVariant, c.At("position_buckets"), std::to_string(s.buckets),
                        "at least 4, and half of it below max_relative_positions - 1", Phase::kConfig});
  }
  c.Choice("position_buckets", s.buckets > 0 ? "set" : "none", "position_buckets");
  c.Choice("norm_rel_ebd", s.norm_relative ? "layer_norm" : "none", "norm_rel_ebd");
}

void ReadConvolution(const package::Config& c, DebertaSpec& s, Problems& problems) {
  s.conv_taps = c.Size("conv_kernel_size", 0, problems);
  c.Choice("convolution", s.conv_taps != 0 ? "set" : "none", "conv_kernel_size");
  if (s.conv_taps == 0) return;
  if (s.conv_taps % 2 == 0) {
    problems.push_back({Code::kUnsupportedConfigVariant, c.At("conv_kernel_size"),
                        std::to_string(s.conv_taps), "an odd number: others change the length of a text",
                        Phase::kConfig});
  }
  s.conv_activation = ReadActivation(c, "conv_act", "tanh", problems);
  if (const std::size_t groups = c.Size("conv_groups", 1, problems, 1); groups != 1) {
    problems.push_back(
        {Code::kUnsupportedConfigVariant, c.At("conv_groups"), std::to_string(groups), "1", Phase::kConfig});
  }
}

std::unique_ptr<Model> ReadDeberta(const package::Config& c, Problems& problems) {
  const std::size_t before = problems.size();
  RefuseNulls(c,
              {"vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
               "max_position_embeddings", "type_vocab_size", "layer_norm_eps", "hidden_act",
               "relative_attention", "position_biased_input", "max_relative_positions", "position_buckets",
               "norm_rel_ebd", "embedding_size", "conv_kernel_size", "conv_act", "conv_groups"},
              problems);
  DebertaSpec s;
  s.vocabulary = c.Size("vocab_size", 128100, problems, 1);
  s.width = c.Size("hidden_size", 1536, problems, 1);
  s.heads = ReadHeads(c, "num_attention_heads", 24, problems.size() == before ? s.width : 0, "hidden_size",
                      problems);
  s.layers = ReadLayers(c, "num_hidden_layers", 24, problems);
  s.inner = c.Size("intermediate_size", 6144, problems, 1);
  s.max_positions = c.Size("max_position_embeddings", 512, problems, 1, 1000000);
  s.segments = ReadTokenTypes(c, "type_vocab_size", 0, 0, problems);
  s.embedding = c.Size("embedding_size", s.width, problems, 1);
  s.positions_in_input = ReadSwitch(c, "position_biased_input", true, problems);
  s.eps = ReadEpsilon(c, "layer_norm_eps", 1e-7, problems);
  s.activation = ReadActivation(c, "hidden_act", "gelu", problems);
  ReadTerms(c, s, problems);
  ReadRelative(c, s, problems);
  ReadConvolution(c, s, problems);
  if (problems.size() == before) {
    const std::size_t own = s.width / s.heads, head = c.Size("attention_head_size", own, problems);
    if (head != own) {
      problems.push_back({Code::kUnsupportedConfigVariant, c.At("attention_head_size"), std::to_string(head),
                          std::to_string(own) + ", hidden_size by num_attention_heads", Phase::kConfig});
    }
  }
  c.Choice("embedding_size", s.embedding == s.width ? "hidden_size" : "another", "embedding_size");
  if (problems.size() != before) return nullptr;
  return std::make_unique<DebertaModel>(s);
}

// Of the class for sequences. Its pooler stands beside the encoder.
HeadSpec DebertaHead(const package::Config& c, const HeadSizes& sizes, Problems& problems) {
  if (c.Size("pooler_hidden_size", sizes.width, problems) != sizes.width) {
    problems.push_back({Code::kUnsupportedConfigVariant, c.At("pooler_hidden_size"),
                        c.Shown("pooler_hidden_size"), std::to_string(sizes.width) + ", the width",
                        Phase::kConfig});
  }
  return {.steps = {{.dense = "pooler.dense",
                     .out = sizes.width,
                     .activation = ReadActivation(c, "pooler_hidden_act", "gelu", problems)},
                    {.dense = "classifier", .out = sizes.labels}}};
}

constexpr NameDialect kDialects[] = {
    {"bare", "", kGammaBeta},
    {"prefix deberta.", "deberta.", kGammaBeta},
    {"prefix 0.auto_model.", "0.auto_model.", kGammaBeta},
};

// Without absolute positions a file may still hold their table, which the class then leaves out.
constexpr KnownTensors kKnown[] = {
    {"embeddings.position_ids", kBuffer},
    {"embeddings.position_embeddings.", "absolute positions, which position_biased_input leaves out"},
    {"pooler.", kPooler, true},
    {"cls.", kMaskedLm, true},
    {"lm_predictions.", kMaskedLm, true},
    {"mask_predictions.", "replaced-token head of the pretraining, not used for embeddings", true},
    {"deberta.mask_predictions.", "replaced-token head of the pretraining, not used for embeddings", true},
    {"classifier.", kClassifier, true},
    {"qa_outputs.", kAnswers, true},
};

constexpr std::string_view kArchitectures[] = {
    "DebertaV2Model",
    "DebertaV2ForMaskedLM",
    "DebertaV2ForSequenceClassification",
    "DebertaV2ForTokenClassification",
    "DebertaV2ForQuestionAnswering",
    "DebertaV2ForMultipleChoice",
};

constexpr std::string_view kPoolerKey = "of the pooler, which an embedding does not run";
constexpr DescriptiveKey kDescriptive[] = {
    {"pooler_dropout", kPoolerKey},
    {"pooler_hidden_act", kPoolerKey},
    {"pooler_hidden_size", kPoolerKey},
    {"legacy", "layout of the masked-LM head, which an embedding does not run"},
    {"conv_act", "no convolution, so no activation"},
    {"conv_groups", "no convolution, so no groups"},
    {"summary_type", "of the pooler of older releases"},
    {"summary_activation", "of the pooler of older releases"},
    {"summary_last_dropout", "of the pooler of older releases"},
};

constexpr NeutralKey kNeutral[] = {{"z_steps", "0 | null"}};

}  // namespace

constinit const Family kDebertaFamily{
    .name = "deberta",
    .version = "deberta/v1",
    .model_type = "deberta-v2",
    .read = ReadDeberta,
    .names = {kDialects, kKnown},
    .architectures = kArchitectures,
    .descriptive = kDescriptive,
    .neutral = kNeutral,
    .sequence_head = DebertaHead,
    .token_head = RowHead,
    .masked_head = DebertaMaskedHead,
};

}  // namespace candor::families
