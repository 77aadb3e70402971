// Rotary positions: which angle each pair of columns of a head turns by at each position. Pure.
//
// A head's first 2 * pairs() columns turn: column i with column i + pairs() ("halves", GPT-NeoX), by the
// angle position * frequency[i]. Source: RoFormer (arXiv:2104.09864), in the form of transformers'
// rotate_half.
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

namespace candor {

struct Rope {
  std::vector<float> frequency;  // per pair, as the reference rounds it to f32
  // Sequences of more than `trained` rows turn by frequencies of a larger base (dynamic NTK, Nomic BERT):
  // base * (factor * length / trained - (factor - 1)) ^ (d / (d - 2)) for d = 2 * pairs().
  struct Dynamic {
    double base = 0, factor = 1;
    std::size_t trained = 0;
  };
  std::optional<Dynamic> dynamic = {};
  std::size_t pairs() const { return frequency.size(); }
};

// 1 / base^(i / pairs) in f32, as the references compute it.
std::vector<float> Frequencies(double base, std::size_t pairs);

// The frequencies of a sequence of `length` rows. `out` has room for pairs().
void FrequenciesOf(const Rope& rope, std::size_t length, float* out);

}  // namespace candor
