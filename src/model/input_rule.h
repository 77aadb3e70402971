// InputRule: what the packer must know to lay out a batch for a model, and what a request's ids are checked
// against. Pure.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace candor {

// Changes to a model's weights that a request selects by name.
struct Adapter {
  std::string name;
  std::string space;  // adapters of one name here give vectors that may be compared
};

struct InputRule {
  std::size_t max_length = 0;  // rows per sequence; 0 is unlimited
  // max_length is what config.json declares and not the end of a table: a package may set a longer limit.
  bool elastic = false;
  std::size_t vocabulary = 0;  // rows of the token table: ids are below it
  std::size_t segments = 0;    // rows of the token type table; 0: the model has none
  // Positions are 0, 1, 2, ... of a sequence's rows. With a padding id p they are RoBERTa's: p + 1, p + 2,
  // ... of the rows whose token is not p, while a row of p itself, which a text may spell, is at p and not
  // counted. Reference: transformers, modeling_roberta.py, create_position_ids_from_input_ids.
  std::optional<std::int32_t> padding = {};
  // Rows at the end of a text may be none's keys (Sequence::unseen), which then gives what the reference
  // gives with them masked: nothing else of the model looks at a mask or at how many rows there are.
  bool may_hide = false;
  // A row depends on the rows before it alone, however many follow: texts that begin alike may share the rows
  // of that beginning (Sequence::prefix).
  bool may_share = false;
  std::vector<Adapter> adapters = {};  // in the order of Batch::adapter
};

// `positions` is as long as `tokens`, the rows of one sequence.
void FillPositions(const InputRule& rule, std::span<const std::int32_t> tokens,
                   std::span<std::int32_t> positions);

}  // namespace candor
