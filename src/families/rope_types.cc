#include "families/rope_types.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "families/rope_keys.h"
#include "families/shared_keys.h"

namespace candor::families {
namespace {

constexpr std::string_view kFactor = "factor", kOriginal = "original_max_position_embeddings",
                           kAttention = "attention_factor";

float F(double x) { return static_cast<float>(x); }

void Refuse(const package::Config& own, std::string_view key, std::string allowed, Problems& problems) {
  problems.push_back(
      {Code::kUnsupportedConfigVariant, own.At(key), own.Shown(key), std::move(allowed), Phase::kConfig});
}

// One object as a type's reader sees it.
struct Parameters {
  const package::Config& top;  // config.json
  const package::Config& own;  // the object
  const RopeFacts& facts;
  double theta;
  Problems& problems;

  double AtLeast(std::string_view key, double least, double fallback) const {
    const double value = own.Real(key, fallback, problems);
    if (std::isfinite(value) && value >= least) return value;
    Refuse(own, key, "a number of at least " + std::to_string(static_cast<int>(least)), problems);
    return std::max(least, 1.0);
  }
  // One that must be there.
  double Needed(std::string_view key, double least) const {
    if (!own.Has(key)) {
      Refuse(own, key, "a number of at least " + std::to_string(static_cast<int>(least)), problems);
      return std::max(least, 1.0);
    }
    return AtLeast(key, least, least);
  }
  double Positive(std::string_view key, double fallback) const {
    const double value = own.Real(key, fallback, problems);
    if (std::isfinite(value) && value > 0) return value;
    Refuse(own, key, "a number above 0", problems);
    return 1;
  }
  std::vector<float> Plain() const { return Frequencies(theta, facts.pairs); }

  // The length of texts that the frequencies were learnt with. At the top level it has priority in the
  // reference; nowhere written it is max_position_embeddings.
  std::size_t Original() const {
    RefuseNulls(own, {kOriginal}, problems);
    RefuseNulls(top, {kOriginal}, problems);
    const std::size_t inside = own.Size(kOriginal, facts.max_length, problems, 1);
    const std::size_t above = top.Size(kOriginal, inside, problems, 1);
    if (own.Has(kOriginal) && above != inside) {
      problems.push_back({Code::kEvidenceConflict, top.At(kOriginal), std::to_string(above),
                          std::to_string(inside) + ", as " + own.At(kOriginal).pointer.substr(1) + " says",
                          Phase::kConfig});
    }
    return above;
  }
};

Rope Default(const Parameters& p) { return {p.Plain()}; }

Rope Linear(const Parameters& p) {
  Rope rope{p.Plain()};
  const float factor = F(p.Needed(kFactor, 1));
  for (float& f : rope.frequency) f /= factor;
  return rope;
}

Rope DynamicNtk(const Parameters& p) {
  Rope rope{p.Plain()};
  const double factor = p.Needed(kFactor, 1);
  if (p.facts.pairs < 2)
    Refuse(p.top, "head_dim", "at least 4 columns, where rope_type is dynamic", p.problems);
  rope.dynamic =
      Rope::Dynamic{.base = p.theta, .factor = factor, .trained = p.facts.max_length, .rounded = true};
  return rope;
}

// Llama 3.1: long waves by `factor`, short ones as they are, and a blend between them.
Rope Llama3(const Parameters& p) {
  Rope rope{p.Plain()};
  const float factor = F(p.Needed(kFactor, 1));
  const double low = p.Positive("low_freq_factor", 0), high = p.Positive("high_freq_factor", 0);
  const double length = static_cast<double>(p.Original());
  if (!(high > low)) Refuse(p.own, "high_freq_factor", "a number above low_freq_factor", p.problems);
  for (float& f : rope.frequency) {
    const float wave = F(2 * std::numbers::pi) / f;
    if (wave > F(length / low)) {
      f /= factor;
    } else if (wave >= F(length / high)) {
      const float smooth = (F(length) / wave - F(low)) / F(high - low);
      f = (1 - smooth) * f / factor + smooth * f;
    }
  }
  return rope;
}

// The factor of cosines and sines: written, of both mscales, or by the factor alone.
double YarnScale(const Parameters& p, double factor) {
  const auto scale = [&](double by) { return factor <= 1 ? 1.0 : 0.1 * by * std::log(factor) + 1.0; };
  const double one = p.own.Real("mscale", 0, p.problems), all = p.own.Real("mscale_all_dim", 0, p.problems);
  const bool written = p.own.Has(kAttention), both = one != 0 && all != 0;
  p.own.Choice("rope_scale", written ? "written" : both ? "mscale" : "factor", kAttention);
  if (written) return p.Positive(kAttention, 1);
  return both ? scale(one) / scale(all) : scale(1);
}

// NTK by parts (arXiv:2309.00071): pairs that turn often within the original length stay as they are, those
// that turn seldom are slowed by `factor`, a ramp between them.
Rope Yarn(const Parameters& p) {
  const std::size_t pairs = p.facts.pairs, original = p.Original();
  const double ratio = static_cast<double>(p.facts.max_length) / static_cast<double>(original);
  // A null stands for the ratio; without the key the reference has nothing.
  const bool null = IsNull(p.own, kFactor);
  p.own.Choice("rope_factor", null ? "ratio" : "written", kFactor);
  const double factor = null ? ratio : p.Needed(kFactor, 1);
  // Zero is as good as nothing there.
  const auto beta = [&](std::string_view key, double fallback) {
    const double value = p.AtLeast(key, 0, 0);
    return value == 0 ? fallback : value;
  };
  const double fast = beta("beta_fast", 32), slow = beta("beta_slow", 1);
  if (!(p.theta > 1)) Refuse(p.own, "rope_theta", "a number above 1, where rope_type is yarn", p.problems);
  const bool truncate = p.own.Flag("truncate", true, p.problems);
  p.own.Choice("rope_truncate", truncate ? "true" : "false", "truncate");
  const double dim = 2 * static_cast<double>(pairs);
  const auto pair_of = [&](double turns) {
    return dim * std::log(static_cast<double>(original) / (turns * 2 * std::numbers::pi)) /
           (2 * std::log(p.theta));
  };
  double low = pair_of(fast), high = pair_of(slow);
  if (truncate) low = std::floor(low), high = std::ceil(high);
  low = std::max(low, 0.0), high = std::min(high, dim - 1);
  if (low == high) high += 0.001;
  Rope rope{Powers(p.theta, pairs)};
  for (std::size_t i = 0; i < pairs; ++i) {
    const float power = rope.frequency[i], slowed = 1.0f / (F(factor) * power);
    const float kept = 1 - std::clamp((F(static_cast<double>(i)) - F(low)) / F(high - low), 0.0f, 1.0f);
    rope.frequency[i] = slowed * (1 - kept) + 1.0f / power * kept;
  }
  rope.scale = F(YarnScale(p, factor));
  return rope;
}

std::vector<float> ReadFactors(const Parameters& p, std::string_view key) {
  const io::Json* list = p.own.Raw(key);
  std::vector<float> out;
  if (list != nullptr && list->is_array()) {
    for (const io::Json& item : list->items())
      if (item.is_number() && std::isfinite(item.as_real()) && item.as_real() > 0)
        out.push_back(F(item.as_real()));
    if (out.size() == p.facts.pairs && list->items().size() == out.size()) return out;
  }
  Refuse(p.own, key, "a list of " + std::to_string(p.facts.pairs) + " numbers above 0, one for each pair",
         p.problems);
  return std::vector<float>(p.facts.pairs, 1.0f);
}

// LongRoPE: a factor for each pair, of texts up to the original length and of longer ones.
Rope LongRope(const Parameters& p) {
  const std::size_t original = p.Original();
  const std::vector<float> brief = ReadFactors(p, "short_factor"), wide = ReadFactors(p, "long_factor"),
                           powers = Powers(p.theta, p.facts.pairs);
  Rope rope{powers};
  rope.beyond = Rope::Long{powers, original};
  for (std::size_t i = 0; i < powers.size(); ++i) {
    rope.frequency[i] = 1.0f / (brief[i] * powers[i]);
    rope.beyond->frequency[i] = 1.0f / (wide[i] * powers[i]);
  }
  const bool written = p.own.Has(kAttention);
  p.own.Choice("rope_scale", written ? "written" : "factor", kAttention);
  if (written) {
    rope.scale = F(p.Positive(kAttention, 1));
    p.own.Ignore(kFactor, "attention_factor is written");
    return rope;
  }
  const double factor =
      p.Positive(kFactor, static_cast<double>(p.facts.max_length) / static_cast<double>(original));
  if (factor > 1 && original < 2) {
    Refuse(p.own, kOriginal, "at least 2, where no attention_factor is written", p.problems);
  } else if (factor > 1) {
    rope.scale = F(std::sqrt(1 + std::log(factor) / std::log(static_cast<double>(original))));
  }
  return rope;
}

struct Type {
  std::string_view name;
  Rope (*read)(const Parameters&);
  std::span<const std::string_view> keys;  // beside those of every type
};
constexpr std::string_view kOfEveryType[] = {"rope_theta", "rope_type", "type", "partial_rotary_factor"};
constexpr std::string_view kOne[] = {kFactor};
constexpr std::string_view kOfLlama3[] = {kFactor, kOriginal, "low_freq_factor", "high_freq_factor"};
constexpr std::string_view kOfYarn[] = {kFactor,          kOriginal,   kAttention,  "mscale",
                                        "mscale_all_dim", "beta_fast", "beta_slow", "truncate"};
constexpr std::string_view kOfLong[] = {kFactor, kOriginal, kAttention, "short_factor", "long_factor"};
constexpr Type kTypes[] = {
    {"default", Default, {}},      {"linear", Linear, kOne}, {"dynamic", DynamicNtk, kOne},
    {"llama3", Llama3, kOfLlama3}, {"yarn", Yarn, kOfYarn},  {"longrope", LongRope, kOfLong},
};

std::string Joined(std::string text, std::string_view name) {
  return text + (text.empty() ? "" : ", ") + std::string(name);
}

// Null or empty, an object says nothing.
std::optional<package::Config> Written(const package::Config& config, std::string_view key,
                                       Problems& problems) {
  std::optional<package::Config> out = config.Inside(key, problems);
  return out && !out->Keys().empty() ? out : std::nullopt;
}

}  // namespace

Rope ReadRopeOfObject(const package::Config& top, const package::Config& own, const RopeFacts& facts,
                      Problems& problems) {
  const std::size_t before = problems.size();
  const std::string_view type_key = Spelling(own, "rope_type", "type", problems);
  RefuseNulls(own, {type_key}, problems);
  const std::string name = own.Text(type_key, "default", problems);
  const Type* const type = std::ranges::find(kTypes, name, &Type::name);
  if (problems.size() != before) return {};
  if (type == std::end(kTypes)) {
    std::string all;
    for (const Type& t : kTypes) all = Joined(std::move(all), t.name);
    problems.push_back({Code::kUnsupportedConfigVariant, own.At(type_key), name, all, Phase::kConfig});
    return {};
  }
  own.Choice("rope_type", name, type_key);
  const auto lists = [](const auto& keys, std::string_view key) {
    return std::ranges::find(keys, key) != std::ranges::end(keys);
  };
  for (const std::string& key : own.Keys()) {
    if (lists(kOfEveryType, key) || lists(type->keys, key) || lists(facts.more_keys, key) || !own.Has(key))
      continue;
    std::string all;
    for (const std::string_view k : kOfEveryType) all = Joined(std::move(all), k);
    for (const std::string_view k : type->keys) all = Joined(std::move(all), k);
    Refuse(own, key, all + ", of type " + name, problems);
  }
  if (own.Real("partial_rotary_factor", facts.part, problems) != facts.part)
    Refuse(own, "partial_rotary_factor", "1 | null", problems);
  const double above = ReadTheta(top, facts.theta_key, facts.theta, problems);
  const double theta = ReadTheta(own, "rope_theta", above, problems);
  if (top.Has(facts.theta_key) && own.Has("rope_theta") && above != theta) {
    problems.push_back({Code::kEvidenceConflict, top.At(facts.theta_key), top.Shown(facts.theta_key),
                        own.Shown("rope_theta") + ", as " + own.At("rope_theta").pointer.substr(1) + " says",
                        Phase::kConfig});
  }
  if (problems.size() != before) return {};
  return type->read({top, own, facts, theta, problems});
}

std::optional<package::Config> RopeObject(const package::Config& c, Problems& problems) {
  std::optional<package::Config> old = Written(c, "rope_scaling", problems);
  return old ? old : Written(c, "rope_parameters", problems);
}

Rope ReadRopeOfAnyType(const package::Config& c, const RopeFacts& facts, Problems& problems) {
  const std::size_t before = problems.size();
  const std::optional<package::Config> old = Written(c, "rope_scaling", problems),
                                       fresh = Written(c, "rope_parameters", problems);
  if (problems.size() != before) return {};
  if (!old && !fresh) {
    c.Choice("rope_type", "default", "rope_parameters");
    return {Frequencies(ReadTheta(c, "rope_theta", facts.theta, problems), facts.pairs)};
  }
  Rope rope = ReadRopeOfObject(c, old ? *old : *fresh, facts, problems);
  if (old && fresh && problems.size() == before &&
      (ReadRopeOfObject(c, *fresh, facts, problems) != rope || problems.size() != before)) {
    problems.push_back({Code::kEvidenceConflict, c.At("rope_parameters"), c.Shown("rope_parameters"),
                        "what rope_scaling says, or neither", Phase::kConfig});
  }
  return rope;
}

}  // namespace candor::families
