// Damaged packages, one way each: the exact code, place, found and allowed. Long because it is one table, and
// a case is easiest to check beside its neighbours.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <functional>
#include <set>
#include <string>
#include <utility>

#include "package/package.h"
#include "package/test_folder.h"

namespace candor::package {
namespace {

using Folder = const TestFolder&;

struct Case {
  std::function<void(Folder)> damage;
  Code code;
  Where where;
  std::string found, allowed;
  PackageLimits limits = {};
};

constexpr auto kMalformed = Code::kArtifactMalformed;
constexpr auto kSchema = Code::kInvalidPackageSchema;
constexpr auto kMismatch = Code::kShardIndexMismatch;
const std::string kWeights = "model.safetensors";
const std::string kIndex = "model.safetensors.index.json";
const std::string kInside = "a regular file inside the package";
const std::string kDtypes =
    "F32, F16, BF16, F64, I8, U8, I16, U16, I32, U32, I64, U64, BOOL, F8_E4M3 or F8_E5M2";

// Weights with this header and `bytes` bytes of data.
auto Header(std::string header, std::size_t bytes = 0) {
  return [=](Folder f) { f.Write(kWeights, WithHeader(header, std::string(bytes, '\0'))); };
}
// Weights of one tensor `name`, its description as given.
auto Tensor(const std::string& name, const std::string& description, std::size_t bytes = 4) {
  return Header("{\"" + name + "\":" + description + "}", bytes);
}
auto File(std::string file, std::string text) {
  return [=](Folder f) { f.Write(file, text); };
}
auto Sharded(std::function<void(Folder)> then) {
  return [=](Folder f) {
    f.WriteSharded();
    then(f);
  };
}
auto Fifo(std::string file) {
  return [=](Folder f) {
    f.Remove(file);
    ::mkfifo((f.path() + "/" + file).c_str(), 0600);
  };
}
Where At(std::string file, std::string pointer = {}) {
  return Where::At(std::move(file), std::move(pointer));
}
Where In(std::string name) { return Where::Tensor(kWeights, std::move(name)); }
Where Mapped(const std::string& name) {
  Where where = At(kIndex, "/weight_map/" + name);
  where.tensor = name;
  return where;
}

const Case kCases[] = {
    // ART-08, BR-099: the header as a whole
    {File(kWeights, ""), kMalformed, At(kWeights), "a file of 0 bytes",
     "at least the 8 bytes of the header length"},
    {File(kWeights, "1234567"), kMalformed, At(kWeights), "a file of 7 bytes",
     "at least the 8 bytes of the header length"},
    {File(kWeights, std::string("\xff\xff\xff\xff\xff\xff\xff\xff", 8)), Code::kArtifactTooLarge,
     At(kWeights), "header length 18446744073709551615", "at most 100000000 bytes"},
    {File(kWeights, std::string("\0\0\0\0\0\0\0\x80{}", 10)), Code::kArtifactTooLarge, At(kWeights),
     "header length 9223372036854775808", "at most 100000000 bytes"},
    {File(kWeights, std::string("\x01\xe1\xf5\x05\0\0\0\0{}", 10)), Code::kArtifactTooLarge, At(kWeights),
     "header length 100000001", "at most 100000000 bytes"},
    {File(kWeights, "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"), kMalformed,
     At(kWeights), "a Git LFS pointer in place of the weights",
     "the weights, as `git lfs pull` fetches them"},
    {File(kWeights, std::string("\x03\0\0\0\0\0\0\0{}", 10)), kMalformed, At(kWeights),
     "header length 3 in a file of 10 bytes", "at most 2"},
    {File(kWeights, std::string(8, '\0')), kMalformed, At(kWeights), "an empty header",
     "a header that starts with '{'"},
    {Header(" {}"), kMalformed, At(kWeights), "a header that starts with byte 32",
     "a header that starts with '{'"},
    {Header("{\"a\" 1}"), kMalformed, At(kWeights), "in the header, '1' at byte 5", "':'"},
    {Header("{\"\xff\":1}"), kMalformed, At(kWeights), "in the header, a byte that is not UTF-8 at byte 2",
     "UTF-8"},
    {Header(R"({"d":{},"d":{}})"), kMalformed, At(kWeights, "/d"),
     "in the header, the key twice in one object", "each key once"},
    {Header(R"({"e":{"shape":[[[[1]]]]}})"), kMalformed, At(kWeights, "/e/shape/0/0"),
     "in the header, nesting deeper than 4 levels at byte 16", "at most 4 levels"},
    {Header(R"({"__metadata__":{"n":1}})"), kMalformed, At(kWeights, "/__metadata__/n"), "integer",
     "a string"},
    {Header(R"({"__metadata__":[]})"), kMalformed, At(kWeights, "/__metadata__"), "array",
     "an object of strings"},
    {[](Folder) {},
     Code::kArtifactTooLarge,
     At(kWeights),
     "2 tensors",
     "at most 1",
     {.weights = {.tensors = 1}}},
    // ART-08: one tensor
    {Tensor("t1", "7", 0), kMalformed, In("t1"), "integer", "an object with dtype, shape and data_offsets"},
    {Tensor("t2", R"({"dtype":"F33","shape":[1],"data_offsets":[0,4]})"), kMalformed, In("t2"),
     "dtype \"F33\"", kDtypes},
    {Tensor("t3", R"({"dtype":"F8_E8M0","shape":[4],"data_offsets":[0,4]})"), Code::kUnsupportedQuantization,
     In("t3"), "dtype \"F8_E8M0\"", kDtypes},
    {Tensor("t4", R"({"shape":[1],"data_offsets":[0,4]})"), kMalformed, In("t4"), "no dtype",
     "a dtype as a string"},
    {Tensor("t5", R"({"dtype":"F32","data_offsets":[0,4]})"), kMalformed, In("t5"), "no shape",
     "a shape as a list"},
    {Tensor("t6", R"({"dtype":"F32","shape":[1]})"), kMalformed, In("t6"), "no data_offsets",
     "two whole numbers of at least 0"},
    {Tensor("t7", R"({"dtype":"F32","shape":[1],"data_offsets":[0,4],"scale":2})"), kMalformed, In("t7"),
     "the key \"scale\"", "dtype, shape and data_offsets"},
    {Tensor("t8", R"({"dtype":"F32","shape":[-1],"data_offsets":[0,4]})"), kMalformed, In("t8"),
     "dimension -1", "a whole number of at least 0"},
    {Tensor("t9", R"({"dtype":"F32","shape":[1.5],"data_offsets":[0,4]})"), kMalformed, In("t9"),
     "dimension 1.5", "a whole number of at least 0"},
    {Tensor("t10", R"({"dtype":"F32","shape":[2147483648],"data_offsets":[0,4]})"), Code::kArtifactTooLarge,
     In("t10"), "dimension 2147483648", "at most 2147483647"},
    {Tensor("t11", R"({"dtype":"F32","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,4]})"),
     Code::kArtifactTooLarge, In("t11"), "rank 9", "at most 8"},
    {Tensor("t12", R"({"dtype":"F32","shape":[2147483647,2147483647,2147483647],"data_offsets":[0,4]})"),
     kMalformed, In("t12"), "shape [2147483647,2147483647,2147483647], whose product overflows",
     "a product below 2^64"},
    {Tensor("t13", R"({"dtype":"F64","shape":[2147483647,2147483647],"data_offsets":[0,4]})"), kMalformed,
     In("t13"), "data_offsets that span 4 bytes",
     "2^64 or more bytes, as F64 [2147483647, 2147483647] takes"},
    {Tensor("t14", R"({"dtype":"F32","shape":[2],"data_offsets":[0,4]})"), kMalformed, In("t14"),
     "data_offsets that span 4 bytes", "8 bytes, as F32 [2] takes"},
    {Tensor("t15", R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})"), kMalformed, In("t15"),
     "data_offsets [0,8]", "begin <= end <= 4, the bytes of data"},
    {Tensor("t16", R"({"dtype":"F32","shape":[1],"data_offsets":[4,0]})"), kMalformed, In("t16"),
     "data_offsets [4,0]", "begin <= end <= 4, the bytes of data"},
    {Tensor("t17", R"({"dtype":"F32","shape":[1],"data_offsets":[-4,0]})"), kMalformed, In("t17"),
     "data_offsets [-4,0]", "two whole numbers of at least 0"},
    {Tensor("t18", R"({"dtype":"F32","shape":[1],"data_offsets":[0.0,4]})"), kMalformed, In("t18"),
     "data_offsets [0,4]", "two whole numbers of at least 0"},
    // ART-08: the layout
    {Header(R"({"u":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"v":{"dtype":"F32","shape":[2],)"
            R"("data_offsets":[4,12]}})",
            12),
     kMalformed, In("v"), "data from byte 4, inside tensor \"u\"", "data from byte 8"},
    {Header(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"y":{"dtype":"F32","shape":[1],)"
            R"("data_offsets":[8,12]}})",
            12),
     kMalformed, In("y"), "a hole of 4 bytes before it", "data from byte 4"},
    {Tensor("z", R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})", 9), kMalformed, At(kWeights),
     "5 bytes after the last tensor", "a file of " + std::to_string(8 + 54 + 4) + " bytes"},
    // ART-06, ART-07, BR-096: shards
    {Sharded([](Folder f) { f.Remove("model-00002-of-00002.safetensors"); }), kMismatch, Mapped("b"),
     "shard model-00002-of-00002.safetensors: nothing", "a shard that is in the package"},
    {Sharded([](Folder f) {
       f.Write(kIndex, R"({"weight_map":{"a":"model-00001-of-00002.safetensors",)"
                       R"("b":"model-00002-of-00002.safetensors","c":"model-00002-of-00002.safetensors"}})");
     }),
     kMismatch, Mapped("c"), "a tensor that model-00002-of-00002.safetensors does not hold",
     "tensors of the shards"},
    {Sharded([](Folder f) {
       f.Write("model-00001-of-00002.safetensors",
               SafetensorsOf({{"a", "F32", "[1]", F32Bytes({1})}, {"extra", "F32", "[1]", F32Bytes({1})}}));
     }),
     kMismatch, Where::Tensor("model-00001-of-00002.safetensors", "extra"), "not in the index",
     "every stored tensor in model.safetensors.index.json"},
    {Sharded([](Folder f) {
       f.Write("model-00002-of-00002.safetensors",
               SafetensorsOf({{"a", "F32", "[1]", F32Bytes({1})}, {"b", "F32", "[1]", F32Bytes({1})}}));
     }),
     Code::kDuplicateTensor, Where::Tensor("model-00002-of-00002.safetensors", "a"),
     "also in model-00001-of-00002.safetensors; the index names model-00001-of-00002.safetensors",
     "one shard with the tensor"},
    {Sharded([](Folder f) { f.Write(kIndex, R"({"weight_map":{"a":"model-00001-of-00002.safetensors"}})"); }),
     kMismatch, At("model-00002-of-00002.safetensors"), "a shard that the index does not name",
     "every shard in model.safetensors.index.json"},
    {Sharded([](Folder f) { f.Write(kIndex, "{}"); }), kSchema, At(kIndex, "/weight_map"), "nothing",
     "an object from tensor names to shard files"},
    {Sharded([](Folder f) { f.Write(kIndex, "[]"); }), kSchema, At(kIndex), "array", "an object"},
    {Sharded([](Folder f) {
       f.Write(kIndex, R"({"weight_map":{"a":"model-00001-of-00002.safetensors",)"
                       R"("b":"model-00002-of-00002.safetensors","q":7}})");
     }),
     kSchema, At(kIndex, "/weight_map/q"), "7", "a shard file's name"},
    {Sharded([](Folder f) { f.Write(kIndex, R"({"weight_map":{"p":"../x.safetensors"}})"); }),
     Code::kPathEscape, Mapped("p"), "a path with '..'", kInside},
    {Sharded([](Folder f) { f.Write(kIndex, R"({"weight_map":{"o":"/etc/passwd"}})"); }), Code::kPathEscape,
     Mapped("o"), "an absolute path", kInside},
    {Sharded([](Folder f) { f.Write(kIndex, R"({"weight_map":{"k":"a/../../x"}})"); }), Code::kPathEscape,
     Mapped("k"), "a path with '..'", kInside},
    {Sharded([](Folder f) { f.Write(kIndex, R"({"weight_map":{"n":"a\u0000b"}})"); }), Code::kPathEscape,
     Mapped("n"), "a path with a NUL byte", kInside},
    {Sharded([](Folder f) { f.Write(kIndex, R"({"weight_map":{"w":"C:\\x"}})"); }), Code::kPathEscape,
     Mapped("w"), "a path with a backslash", kInside},
    {Sharded([](Folder f) { f.Remove(kIndex); }), Code::kComponentMissing, At(kIndex),
     "shards without their index: model-00001-of-00002.safetensors, model-00002-of-00002.safetensors",
     "the index that says which shard holds which tensor"},
    // ART-11, BR-097: a single file beside an index
    {Sharded([](Folder f) {
       f.Write(kWeights, SafetensorsOf({{"a", "F32", "[2,2]", F32Bytes({1, 2, 3, 4})},
                                        {"b", "F32", "[3]", F32Bytes({5, 6, 8})}}));
     }),
     Code::kAmbiguousArtifact, At(kWeights),
     "model.safetensors and model.safetensors.index.json, which differ in tensor b", "one of them"},
    // ART-02: absent parts
    {[](Folder f) { f.Remove(kWeights); }, Code::kComponentMissing, At(kWeights), "no weights",
     "model.safetensors, or model.safetensors.index.json with its shards"},
    {[](Folder f) {
       f.Remove(kWeights);
       f.Write("pytorch_model.bin", "pickle");
     },
     Code::kComponentMissing, At(kWeights), "pickled weights, which are never opened: pytorch_model.bin",
     "weights converted to safetensors"},
    {[](Folder f) {
       f.Remove(kWeights);
       f.Write("model.fp16.safetensors", "");
       f.Write("tf_model.h5", "");
     },
     Code::kComponentMissing, At(kWeights), "only model.fp16.safetensors, tf_model.h5",
     "weights under this name"},
    {File("1_Pooling/pytorch_model.bin", ""), Code::kComponentMissing, At("1_Pooling/model.safetensors"),
     "pickled weights, which are never opened: 1_Pooling/pytorch_model.bin",
     "weights converted to safetensors"},
    {[](Folder f) { f.Remove("config.json"); }, Code::kComponentMissing, At("config.json"), "nothing",
     "the model's configuration"},
    // ART-05, BR-096, BR-104: links, devices, FIFOs
    {[](Folder f) { f.Link("tokenizer.json", "../outside.json"); }, Code::kPathEscape, At("tokenizer.json"),
     "a link to ../outside.json, outside the package", kInside},
    {[](Folder f) { f.Link("config.json", "/dev/zero"); }, Code::kPathEscape, At("config.json"),
     "a link to /dev/zero, outside the package", kInside},
    {Fifo(kWeights), Code::kPathEscape, At(kWeights), "a FIFO", kInside},
    {Fifo("vocab.txt"), Code::kPathEscape, At("vocab.txt"), "a FIFO", kInside},
    {[](Folder f) { f.Link("merges.txt", "gone.txt"); }, Code::kArtifactMissing, At("merges.txt"),
     "a link whose target is missing: gone.txt", "a file"},
    {[](Folder f) { f.Link("1_Pooling/config.json", "config.json"); }, Code::kPathEscape,
     At("modules.json", "/1/path"), "\"1_Pooling\": more than 16 links", "a folder inside the package"},
    {Sharded([](Folder f) { f.Link("model-00002-of-00002.safetensors", "/etc/passwd"); }), Code::kPathEscape,
     Mapped("b"), "a link to /etc/passwd, outside the package", kInside},
    // ART-10, LIM-02: documents
    {File("config.json", R"({"a":1,"a":2})"), kSchema, At("config.json", "/a"), "the key twice in one object",
     "each key once"},
    {File("config.json", "[]"), kSchema, At("config.json"), "array", "an object"},
    {File("tokenizer_config.json", R"({"x":"\ud800"})"), kSchema, At("tokenizer_config.json", "/x"),
     "a string with a wrong escape at byte 5",
     "after \\ one of \"\\/bfnrt, or u and four hexadecimal digits, surrogates in pairs"},
    {File("1_Pooling/config.json", "{"), kSchema, At("1_Pooling/config.json"), "'{' at byte 0",
     "'}' as the last character"},
    {File("tokenizer.json", "{}" + std::string(200, ' ')),
     Code::kArtifactTooLarge,
     At("tokenizer.json"),
     "202 bytes",
     "at most 201 bytes",
     {.json_bytes = 201}},
    {File("modules.json", "{}"), kSchema, At("modules.json"), "object", "a list of modules"},
    {File("modules.json", R"([{"idx":0}])"), kSchema, At("modules.json", "/0/path"), "nothing",
     "a folder's name, or \"\""},
    {File("modules.json", R"([{"path":""},{"path":""},{"path":"../x"}])"), Code::kPathEscape,
     At("modules.json", "/2/path"), "\"../x\": a path with '..'", "a folder inside the package"},
    {File("modules.json", R"([{"path":""},{"path":""},{"path":""},{"path":"/x"}])"), Code::kPathEscape,
     At("modules.json", "/3/path"), "\"/x\": an absolute path", "a folder inside the package"},
};

std::string Places(const Problems& problems) {
  std::string text;
  for (const Error& problem : problems)
    text += "\n  " + std::string(Info(problem.code).name) + " " + Message(problem);
  return text;
}

TEST(DamagedPackages, EachGivesItsOneProblem) {
  for (const Case& c : kCases) {
    const TestFolder folder("damaged");
    folder.WriteValid();
    c.damage(folder);
    const auto package = Package::Open(folder.path(), c.limits);
    ASSERT_TRUE(package) << Message(package.error());
    const Problems& problems = (*package)->problems();
    ASSERT_EQ(problems.size(), 1u) << ToString(c.where) << Places(problems);
    EXPECT_EQ(Info(problems[0].code).name, Info(c.code).name) << Places(problems);
    EXPECT_EQ(problems[0].where, c.where) << Places(problems);
    EXPECT_EQ(problems[0].found, c.found);
    EXPECT_EQ(problems[0].allowed, c.allowed);
  }
}

// Issue 3: at least 40, each a distinct (code, place).
TEST(DamagedPackages, CasesAreDistinct) {
  std::set<std::pair<Code, std::string>> places, whole_file;
  for (const Case& c : kCases) {
    // Damage of a whole file has no finer place than the file; what was found tells those apart.
    const bool file = c.where.pointer.empty() && c.where.tensor.empty();
    if (!file) {
      EXPECT_TRUE(places.emplace(c.code, ToString(c.where)).second) << ToString(c.where);
    }
    EXPECT_TRUE(whole_file.emplace(c.code, ToString(c.where) + c.found).second) << ToString(c.where);
  }
  for (const Case& c : kCases) places.emplace(c.code, ToString(c.where));
  EXPECT_GE(places.size(), 40u);
}

// ERR-03: five faults, five entries, in one answer.
TEST(DamagedPackages, AllProblemsAtOnce) {
  const TestFolder folder("all");
  folder.WriteValid();
  folder.Write("config.json", "{");
  folder.Write("tokenizer.json", "[]");
  folder.Link("vocab.txt", "../x");
  folder.Write(kWeights, WithHeader(R"({"m":{"dtype":"F33","shape":[-1],"data_offsets":[0,0]},"n":3})", ""));
  const auto package = Package::Open(folder.path());
  ASSERT_TRUE(package);
  const Problems& problems = (*package)->problems();
  ASSERT_EQ(problems.size(), 6u) << Places(problems);
  const Where want[] = {At("config.json"), At("tokenizer.json"), At("vocab.txt"), In("m"), In("m"), In("n")};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(problems[i].where, want[i]) << Places(problems);
}

TEST(DamagedPackages, FolderItself) {
  const TestFolder folder("folder");
  const auto none = Package::Open(folder.path() + "/none");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, Code::kArtifactMissing);
  folder.WriteValid();
  const auto many = Package::Open(folder.path(), {.files = 5});
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().code, Code::kArtifactTooLarge);
  EXPECT_EQ(many.error().found, "more than 5 files");
}

}  // namespace
}  // namespace candor::package
