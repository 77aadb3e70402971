// Rotary positions: which angle each pair of columns of a head turns by at each position. Pure.
//
// A head's first 2 * pairs() columns turn: column i with column i + pairs() ("halves", GPT-NeoX), by the
// angle position * frequency[i]. Source: RoFormer (arXiv:2104.09864), in the form of transformers'
// rotate_half.
#pragma once
#include <cstddef>
#include <cstdint>
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
    bool rounded = false;  // each step of that to f32, as transformers takes it of a length in a tensor
    bool operator==(const Dynamic&) const = default;
  };
  std::optional<Dynamic> dynamic = {};
  // Or by these (LongRoPE, arXiv:2402.13753).
  struct Long {
    std::vector<float> frequency;
    std::size_t trained = 0;
    bool operator==(const Long&) const = default;
  };
  std::optional<Long> beyond = {};
  float scale = 1;  // of every cosine and sine (YaRN, arXiv:2309.00071)
  // And of those of position p: 1 + beta * log(1 + floor(p / trained)). What is turned grows by it, which is
  // for queries alone (Ministral 3).
  struct Growth {
    float beta = 0;
    std::size_t trained = 1;
    bool operator==(const Growth&) const = default;
  };
  std::optional<Growth> growth = {};
  std::size_t pairs() const { return frequency.size(); }
  bool operator==(const Rope&) const = default;
};

// base^(i / pairs) in f32, as the references compute it, and 1 / that.
std::vector<float> Powers(double base, std::size_t pairs);
std::vector<float> Frequencies(double base, std::size_t pairs);

// The frequencies of a sequence of `length` rows. `out` has room for pairs().
void FrequenciesOf(const Rope& rope, std::size_t length, float* out);

// What the cosines and sines of a position are multiplied by, in f32.
float ScaleAt(const Rope& rope, std::int32_t position);

}  // namespace candor
