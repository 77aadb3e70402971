// Tokenizer::Parts: the components that one package's tokenizer is made of, ready to encode.
#pragma once
#include "text/added_tokens.h"
#include "text/blanks.h"
#include "text/decoders/decoder.h"
#include "text/models/token_model.h"
#include "text/normalizers/normalizer.h"
#include "text/post_processors/template.h"
#include "text/pre_tokenizers/pre_tokenizer.h"
#include "text/tokenizer.h"

namespace candor::text {

struct Tokenizer::Parts {
  NormalizerPtr normalizer;       // may be null
  PreTokenizerPtr pre_tokenizer;  // may be null
  TokenModelPtr model;
  Template post_processor;
  std::optional<TokenBlanks> blanks;  // when the post-processor trims
  DecoderPtr decoder;                 // may be null
  Problems decoder_problems;          // what Decode answers with
  AddedTokens added;
  TokenizerFacts facts;
  bool type_ids = true;       // false: the model is never given any, so all are 0
  bool parse_special = true;  // false: text that spells a special token never becomes it
  bool add_special = true;    // false: the template adds none, whatever is asked
};

}  // namespace candor::text
