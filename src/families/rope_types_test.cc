// Rotary tables of every type against transformers 5.24's ROPE_INIT_FUNCTIONS on the same config.json.
#include "families/rope_types.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "families/decoder.h"
#include "families/test_support.h"

namespace candor::families {
namespace {

std::string Llama(const std::string& members) {
  return R"({"model_type":"llama","head_dim":8,"num_hidden_layers":1)" +
         (members.empty() ? "" : "," + members) + "}";
}

Rope RopeOf(const std::string& members) {
  const ReadResult r = Read(Llama(members));
  EXPECT_TRUE(r.problems.empty()) << members << (r.problems.empty() ? "" : r.problems[0].allowed);
  if (r.model == nullptr) return {};
  return dynamic_cast<const DecoderModel&>(*r.model).spec().ropes.at(0);
}

void Expect(const std::vector<float>& got, const std::vector<float>& wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_FLOAT_EQ(got[i], wanted[i]) << i;
}

TEST(RopeTypes, DefaultInEverySpelling) {
  const std::vector<float> wanted = Frequencies(300, 4);
  for (const char* members :
       {R"("rope_theta":300)", R"("rope_theta":300,"rope_scaling":null)",
        R"("rope_scaling":{"rope_theta":300})",
        R"("rope_parameters":{"rope_theta":300,"rope_type":"default"})",
        R"("rope_theta":300,"rope_parameters":{"type":"default"},"rope_scaling":{})",
        R"("rope_scaling":{"type":"default","rope_theta":300},"rope_parameters":{"rope_theta":300.0})"}) {
    EXPECT_EQ(RopeOf(members), (Rope{wanted})) << members;
  }
  EXPECT_EQ(RopeOf("").frequency, Frequencies(10000, 4));
}

TEST(RopeTypes, Linear) {
  const Rope rope = RopeOf(R"("rope_theta":300.0,"rope_scaling":{"type":"linear","factor":2.5})");
  Expect(rope.frequency,
         {0.4000000059604645f, 0.096112459897995f, 0.02309400960803032f, 0.005549055524170399f});
  EXPECT_EQ(rope.scale, 1);
}

TEST(RopeTypes, DynamicByTheLengthOfEachText) {
  const Rope rope = RopeOf(R"("max_position_embeddings":8,"rope_scaling":{"type":"dynamic","factor":2.0})");
  const std::pair<std::size_t, std::vector<float>> kWanted[] = {
      {1, {1, 0.1f, 0.01f, 0.001f}},
      {8, {1, 0.1f, 0.01f, 0.001f}},
      {9, {1, 0.09283177554607391f, 0.008617738261818886f, 0.0007999999215826392f}},
      {30, {1, 0.05358323082327843f, 0.0028711624909192324f, 0.0001538461510790512f}},
      {100, {1, 0.03466806188225746f, 0.0012018745765089989f, 4.166666622040793e-05f}}};
  for (const auto& [length, wanted] : kWanted) {
    std::vector<float> got(4);
    FrequenciesOf(rope, length, got.data());
    Expect(got, wanted);
  }
}

TEST(RopeTypes, Llama3) {
  const Rope rope =
      RopeOf(R"("rope_theta":100.0,"rope_scaling":{"rope_type":"llama3","factor":8.0,"low_freq_factor":1.0,)"
             R"("high_freq_factor":4.0,"original_max_position_embeddings":64})");
  Expect(rope.frequency, {1, 0.24438458681106567f, 0.013042256236076355f, 0.0039528473280370235f});
}

TEST(RopeTypes, Yarn) {
  const Rope plain = RopeOf(
      R"("rope_theta":50,"rope_scaling":{"type":"yarn","factor":4.0,"original_max_position_embeddings":32})");
  Expect(plain.frequency, {1, 0.2350376844406128f, 0.0353553406894207f, 0.013295739889144897f});
  EXPECT_FLOAT_EQ(plain.scale, 1.13862943649292f);
  const Rope more =
      RopeOf(R"("rope_theta":60,"max_position_embeddings":140,"rope_scaling":{"type":"yarn","factor":null,)"
             R"("original_max_position_embeddings":35,"beta_fast":16,"beta_slow":2,"mscale":0.7,)"
             R"("mscale_all_dim":0.25,"truncate":false})");
  Expect(more.frequency, {1, 0.0900200754404068f, 0.03227486088871956f, 0.011596490629017353f});
  EXPECT_FLOAT_EQ(more.scale, 1.0602936744689941f);
}

TEST(RopeTypes, LongRope) {
  const std::string factors =
      R"("type":"longrope","short_factor":[1.0,1.1,1.3,1.5],"long_factor":[1.2,2.0,4.0,8.0])";
  const Rope rope =
      RopeOf(R"("max_position_embeddings":140,"original_max_position_embeddings":9,"rope_scaling":{)" +
             factors + "}");
  Expect(rope.frequency, {1, 0.09090909361839294f, 0.007692307699471712f, 0.0006666666595265269f});
  ASSERT_TRUE(rope.beyond);
  Expect(rope.beyond->frequency,
         {0.8333333134651184f, 0.05000000074505806f, 0.0024999999441206455f, 0.0001250000059371814f});
  EXPECT_EQ(rope.beyond->trained, 9u);
  EXPECT_FLOAT_EQ(rope.scale, 1.499679446220398f);
  const Rope by_factor =
      RopeOf(R"("rope_scaling":{)" + factors + R"(,"original_max_position_embeddings":7,"factor":3.0})");
  EXPECT_FLOAT_EQ(by_factor.scale, 1.2508296966552734f);
}

TEST(RopeTypes, Refusals) {
  constexpr Code kConflict = Code::kEvidenceConflict, kSchema = Code::kInvalidPackageSchema;
  const Refused kCases[] = {
      {R"("rope_scaling":{"type":"su"})", "/rope_scaling/type", "su",
       "default, linear, dynamic, llama3, yarn, longrope"},
      {R"("rope_scaling":{"type":"linear","rope_type":"yarn"})", "/rope_scaling/type", "\"linear\"",
       "\"yarn\", as rope_type says", kConflict},
      {R"("rope_scaling":{"type":"linear"})", "/rope_scaling/factor", "absent", "a number of at least 1"},
      {R"("rope_scaling":{"type":"linear","factor":0.5})", "/rope_scaling/factor", "0.5",
       "a number of at least 1"},
      {R"("rope_scaling":{"type":"dynamic","factor":"2"})", "/rope_scaling/factor", "\"2\"", "a number",
       kSchema},
      {R"("rope_scaling":{"type":"linear","factor":2,"mscale":1})", "/rope_scaling/mscale", "1",
       "rope_theta, rope_type, type, partial_rotary_factor, factor, of type linear"},
      {R"("rope_scaling":{"type":"linear","factor":2,"partial_rotary_factor":0.5})",
       "/rope_scaling/partial_rotary_factor", "0.5", "1 | null"},
      {R"("partial_rotary_factor":0.5)", "/partial_rotary_factor", "0.5", "1 | null"},
      {R"("rope_theta":8,"rope_scaling":{"rope_theta":9})", "/rope_theta", "8",
       "9, as rope_scaling/rope_theta says", kConflict},
      {R"("rope_theta":null)", "/rope_theta", "null", "a value", kSchema},
      {R"("rope_scaling":{"rope_theta":9},"rope_parameters":{"rope_theta":8})", "/rope_parameters",
       R"({"rope_theta":8})", "what rope_scaling says, or neither", kConflict},
      {R"("rope_parameters":{"full_attention":{}})", "/rope_parameters/full_attention", "{}",
       "rope_theta, rope_type, type, partial_rotary_factor, of type default"},
      {R"("rope_scaling":{"type":"llama3","factor":8,"low_freq_factor":4,"high_freq_factor":4})",
       "/rope_scaling/high_freq_factor", "4", "a number above low_freq_factor"},
      {R"("rope_scaling":{"type":"llama3","factor":8,"high_freq_factor":4})", "/rope_scaling/low_freq_factor",
       "absent", "a number above 0"},
      {R"("original_max_position_embeddings":9,"rope_scaling":{"type":"yarn","factor":2,)"
       R"("original_max_position_embeddings":8})",
       "/original_max_position_embeddings", "9", "8, as rope_scaling/original_max_position_embeddings says",
       kConflict},
      {R"("rope_scaling":{"type":"yarn","factor":2,"beta_fast":-1})", "/rope_scaling/beta_fast", "-1",
       "a number of at least 0"},
      {R"("rope_scaling":{"type":"yarn","factor":2,"rope_theta":1})", "/rope_scaling/rope_theta", "1",
       "a number above 1, where rope_type is yarn"},
      {R"("rope_scaling":{"type":"yarn","factor":2,"attention_factor":0})", "/rope_scaling/attention_factor",
       "0", "a number above 0"},
      {R"("rope_scaling":{"type":"longrope","short_factor":[1,1,1],"long_factor":[1,1,1,1]})",
       "/rope_scaling/short_factor", "[1,1,1]", "a list of 4 numbers above 0, one for each pair"},
      {R"("rope_scaling":{"type":"longrope","short_factor":[1,1,1,1],"long_factor":[1,1,0,1]})",
       "/rope_scaling/long_factor", "[1,1,0,1]", "a list of 4 numbers above 0, one for each pair"},
  };
  for (const Refused& c : kCases) ExpectRefused(Llama(c.member), c);
}

}  // namespace
}  // namespace candor::families
