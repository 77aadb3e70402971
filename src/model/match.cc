#include "model/match.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "package/roles.h"

namespace candor {
namespace {

constexpr NameDialect kAsDeclared{"as declared", ""};

// What modules' own folders store beside their tensors.
constexpr KnownTensors kOfModules[] = {{"stats_last_nonzero", "counts of a SparseAutoEncoder's training"}};

// Tensors of one declared name: one, or a collision.
struct Stored {
  const TensorInfo* tensor = nullptr;
  std::string alias;
};
using ByName = std::map<std::string, std::vector<Stored>, std::less<>>;

// The declared name of a stored one; nullopt when the dialect's prefix is missing.
std::optional<std::string> Declared(std::string_view stored, const NameDialect& dialect, std::string& alias) {
  if (!stored.starts_with(dialect.prefix)) return std::nullopt;
  std::string name(stored.substr(dialect.prefix.size()));
  for (const auto& [from, to] : dialect.renames) {
    const bool whole = name == from || (name.ends_with(from) && name[name.size() - from.size() - 1] == '.');
    if (!whole) continue;
    name.replace(name.size() - from.size(), from.size(), to);
    alias = "rename " + std::string(from) + " to " + std::string(to) + "/v1";
    break;
  }
  for (const auto& [from, to] : dialect.starts) {
    if (!name.starts_with(from)) continue;
    name.replace(0, from.size(), to);
    break;
  }
  return name;
}

ByName Names(std::span<const TensorInfo> stored, const NameDialect& dialect) {
  ByName out;
  for (const TensorInfo& t : stored) {
    std::string alias;
    if (auto name = Declared(t.name, dialect, alias)) out[*std::move(name)].push_back({&t, std::move(alias)});
  }
  return out;
}

std::string ShapeText(std::span<const std::size_t> shape) {
  std::string out = "[";
  for (const std::size_t n : shape) out += (out.size() > 1 ? ", " : "") + std::to_string(n);
  return out + "]";
}

// What tensors of one purpose may be stored in.
using Types = std::initializer_list<StoredType>;
constexpr Types kParameters = {StoredType::kF32, StoredType::kF16, StoredType::kBf16};
constexpr Types kOrWhole = {StoredType::kF32, StoredType::kF16, StoredType::kBf16, StoredType::kI8};
constexpr Types kScales = {StoredType::kF32, StoredType::kF16, StoredType::kBf16, StoredType::kF64};
constexpr Types kMaps = {StoredType::kI32, StoredType::kI64};

bool IsQuantized(StoredType type) {
  return type == StoredType::kI8 || type == StoredType::kU8 || type == StoredType::kF8E4M3 ||
         type == StoredType::kF8E5M2;
}

// Whether a stored tensor can be the part; the problem otherwise.
std::optional<Error> CheckPart(const TensorInfo& t, const std::vector<std::size_t>& shape, Types types,
                               Take take = Take::kRows) {
  const Where where = Where::Tensor(t.file, t.name);
  if (std::ranges::find(types, t.type) == types.end()) {
    std::string allowed;
    for (const StoredType type : types) allowed += (allowed.empty() ? "" : ", ") + std::string(Name(type));
    return Error{IsQuantized(t.type) ? Code::kUnsupportedQuantization : Code::kUnsupportedOperatorDtypeDevice,
                 where, std::string(Name(t.type)), std::move(allowed), Phase::kTensors};
  }
  if (t.shape == shape) return std::nullopt;
  const bool transposed =
      shape.size() == 2 && t.shape.size() == 2 && t.shape[0] == shape[1] && t.shape[1] == shape[0];
  return Error{transposed ? Code::kLayoutMismatch : Code::kShapeMismatch, where, ShapeText(t.shape),
               ShapeText(shape) + (!transposed           ? ""
                                   : take == Take::kRows ? ", rows are outputs"
                                                         : ", rows are inputs"),
               Phase::kTensors};
}

// What happens to stored values on their way into a slot.
std::string_view Transform(const std::vector<Part>& parts) {
  const auto some = [&](const auto& is) { return std::ranges::any_of(parts, is); };
  if (some([](const Part& p) { return p.take == Take::kTranspose; })) return "transpose rows/v1";
  if (some([](const Part& p) { return p.of != 0; }))
    return parts.size() == 1 ? "take rows/v1" : "reorder rows/v1";
  return parts.size() == 1 ? "as is" : "stack rows/v1";
}

// Every part of every form of a slot.
template <class F>
void EachPart(const TensorDecl& d, F&& fn) {
  std::ranges::for_each(d.parts, fn);
  for (const std::vector<Part>& form : d.other_forms) std::ranges::for_each(form, fn);
}

class Matcher {
 public:
  Matcher(std::span<const TensorDecl> wanted, std::span<const TensorInfo> stored, const NameRules& rules)
      : wanted_(wanted), stored_(stored), rules_(rules), dialects_(rules.dialects) {
    if (dialects_.empty()) dialects_ = std::span(&kAsDeclared, 1);
    for (const NameDialect& d : dialects_) {
      names_.push_back(Names(stored, d));
      beside_.push_back(Names(stored, {d.name, "", d.renames, d.starts}));
    }
    for (const TensorDecl& d : wanted_) EachPart(d, [&](const Part& p) { declared_.insert(p.name); });
    one_file_ = std::ranges::all_of(stored_, [&](const TensorInfo& t) { return t.file == stored_[0].file; });
  }

  Match Run() {
    Choose();
    for (const TensorDecl& d : wanted_) match_.bindings.push_back(Bind(d));
    if (stored_.empty() && !match_.problems.empty()) NoTensors();
    for (const TensorInfo& t : stored_)
      if (!used_.contains(&t)) LeftOver(t);
    return std::move(match_);
  }

 private:
  // How many parts a dialect finds. Where two find all, the leftover of the other is reported as duplicates.
  std::size_t Fit(const ByName& names) const {
    std::size_t found = 0;
    for (const TensorDecl& d : wanted_)
      if (!d.beside) EachPart(d, [&](const Part& p) { found += names.contains(p.name) ? 1u : 0u; });
    return found;
  }

  const ByName& NamesOf(const TensorDecl& d) const { return d.beside ? beside_[best_] : names_[best_]; }

  // Whether the slot is its twin: none of its own parts is stored.
  bool IsTwin(const TensorDecl& d) const {
    if (d.twin.empty() || !names_[best_].contains(d.twin)) return false;
    bool own = false;
    EachPart(d, [&](const Part& p) { own = own || NamesOf(d).contains(p.name); });
    return !own;
  }

  // The form that is there, even in part; of a slot that is not, that of a stack where the file has some, or
  // the first.
  const std::vector<Part>& FormOf(const TensorDecl& d) const {
    const auto present = [&](const std::vector<Part>& form) {
      return std::ranges::any_of(form, [&](const Part& p) { return NamesOf(d).contains(p.name); });
    };
    if (present(d.parts)) return d.parts;
    const auto it = std::ranges::find_if(d.other_forms, present);
    if (it != d.other_forms.end()) return *it;
    const auto stack = std::ranges::find_if(
        d.other_forms, [](const std::vector<Part>& form) { return form.front().stack != 0; });
    return !stacks_ || stack == d.other_forms.end() ? d.parts : *stack;
  }

  void Choose() {
    std::size_t most = 0;
    for (std::size_t i = 0; i < dialects_.size(); ++i) {
      const std::size_t found = Fit(names_[i]);
      if (found > most) best_ = i, most = found;
    }
    match_.dialect = dialects_[best_].name;
    for (const TensorDecl& d : wanted_)
      EachPart(d, [&](const Part& p) { stacks_ = stacks_ || (p.stack != 0 && NamesOf(d).contains(p.name)); });
  }

  Binding Bind(const TensorDecl& d) {
    const bool twin = IsTwin(d);
    std::vector<Part> parts = twin ? d.parts : FormOf(d);
    for (Part& p : parts)
      if (twin) p.name = d.twin;
    const ByName& names = twin ? names_[best_] : NamesOf(d);
    Binding b;
    b.slot = d.name, b.folder = d.folder, b.role = d.role, b.need = d.need, b.exact = d.exact;
    b.rows = d.rows(), b.cols = d.cols, b.transform = Transform(parts);
    if (!d.map.empty() || !d.scale.empty()) b.transform = Made(d);
    if (d.plus_one) b.plus_one = true, b.transform = "add 1/v1";
    b.state = BindState::kBound;
    std::size_t absent = 0;
    Problems missing;
    for (const Part& p : parts) {
      const auto it = names.find(p.name);
      if (it == names.end()) {
        ++absent;
        AddOnce(missing, Missing(d, p));
        continue;
      }
      const Stored& first = it->second.front();
      for (const Stored& s : it->second) {
        used_.insert(s.tensor);
        if (&s != &first) Duplicate(*s.tensor, *first.tensor, p.name), b.state = BindState::kMismatch;
      }
      b.stored.push_back({first.tensor, p.first, p.rows, p.take});
      if (!first.alias.empty()) b.alias = first.alias;
      const Types types = d.whole_numbers ? kOrWhole : kParameters;
      if (auto problem = CheckPart(*first.tensor, d.Shape(p), types, p.take))
        AddOnce(match_.problems, *std::move(problem)), b.state = BindState::kMismatch;
    }
    if (parts.front().name == d.twin) b.alias = "tied to " + d.twin + "/v1";
    b.map = RowValues(d, d.map, kMaps, b.state, missing);
    b.scale = RowValues(d, d.scale, kScales, b.state, missing);
    if (absent == parts.size() && d.need == Need::kOptional) {
      b.state = BindState::kOptionalAbsent;
    } else if (!missing.empty()) {
      b.state = BindState::kMissing;
      for (Error& problem : missing) AddOnce(match_.problems, std::move(problem));
    }
    if (b.state == BindState::kBound && !d.unused.empty()) {
      b.state = BindState::kUnused;
      for (const Binding::Rows& rows : b.stored) match_.explained.push_back({rows.tensor, d.unused});
    }
    return b;
  }

  static std::string Made(const TensorDecl& d) {
    return d.scale.empty() ? "map rows/v1" : d.map.empty() ? "scale rows/v1" : "map and scale rows/v1";
  }

  // The tensor of one value a row; null where none is declared.
  const TensorInfo* RowValues(const TensorDecl& d, const std::string& name, Types types, BindState& state,
                              Problems& missing) {
    if (name.empty()) return nullptr;
    const auto it = names_[best_].find(name);
    if (it == names_[best_].end()) {
      missing.push_back({Code::kMissingRequiredTensor, Where::Tensor(Home(d), name), "absent",
                         "vector " + ShapeText(std::vector{d.rows()}), Phase::kTensors});
      return nullptr;
    }
    const TensorInfo* tensor = it->second.front().tensor;
    used_.insert(tensor);
    if (auto problem = CheckPart(*tensor, {d.rows()}, types))
      match_.problems.push_back(*std::move(problem)), state = BindState::kMismatch;
    return tensor;
  }

  // Parts of one tensor share its problem, and so do neighbouring slots that it has rows of.
  static void AddOnce(Problems& problems, Error problem) {
    const bool same =
        !problems.empty() && problems.back().code == problem.code && problems.back().where == problem.where;
    if (!same) problems.push_back(std::move(problem));
  }

  // One problem for the whole file instead of one for each of its tensors.
  void NoTensors() {
    const std::string file = package::WeightsFile(wanted_.front().folder);
    match_.problems = {{Code::kComponentMissing, Where::At(file), "no tensors",
                        "safetensors weights of this module", Phase::kTensors}};
  }

  Error Missing(const TensorDecl& d, const Part& p) const {
    std::string found = "absent";
    for (const ByName& other : names_) {
      if (const auto it = other.find(p.name); it != other.end())
        found = "only \"" + it->second.front().tensor->name + "\", under another prefix";
    }
    return {Code::kMissingRequiredTensor,
            Where::Tensor(Home(d), std::string(d.beside ? "" : dialects_[best_].prefix) + p.name),
            std::move(found), std::string(Name(d.role)) + " " + ShapeText(d.Shape(p)), Phase::kTensors};
  }

  // The file that should say where a tensor is: the weights themselves, or the index of several.
  std::string Home(const TensorDecl& d) const {
    if (stored_.empty()) return package::WeightsFile(d.folder);
    return one_file_ ? stored_.front().file : d.folder + "model.safetensors.index.json";
  }

  void Duplicate(const TensorInfo& t, const TensorInfo& other, const std::string& slot) {
    AddOnce(match_.problems,
            {Code::kDuplicateTensor, Where::Tensor(t.file, t.name),
             "\"" + t.name + "\" and \"" + other.name + "\"", "one tensor for " + slot, Phase::kTensors});
  }

  void LeftOver(const TensorInfo& t) {
    std::string alias;
    const std::string own = Declared(t.name, dialects_[best_], alias).value_or(t.name);
    for (const KnownTensors& k : rules_.known) {
      if (own == k.prefix || (k.prefix.ends_with('.') && own.starts_with(k.prefix))) {
        match_.explained.push_back({&t, k.rule, k.head});
        return;
      }
    }
    match_.unexpected.push_back(&t);
    for (std::size_t i = 0; i < dialects_.size(); ++i) {
      const auto name = Declared(t.name, dialects_[i], alias);
      if (i == best_ || !name || !declared_.contains(*name)) continue;
      const auto bound = names_[best_].find(*name);
      // Under a missing slot the problem of that slot already names this tensor.
      if (bound != names_[best_].end()) Duplicate(t, *bound->second.front().tensor, *name);
      return;
    }
    match_.problems.push_back({Code::kUnexpectedTensor, Where::Tensor(t.file, t.name), ShapeText(t.shape),
                               "tensors of the family's declaration, or of a known unused group",
                               Phase::kTensors});
  }

  std::span<const TensorDecl> wanted_;
  std::span<const TensorInfo> stored_;
  const NameRules& rules_;
  std::span<const NameDialect> dialects_;
  std::vector<ByName> names_, beside_;   // per dialect; `beside_` whatever the prefix, for heads
  std::set<std::string_view> declared_;  // every part's name
  bool one_file_ = true, stacks_ = false;
  std::size_t best_ = 0;
  std::set<const TensorInfo*> used_;
  Match match_;
};

}  // namespace

std::string_view Name(BindState state) {
  switch (state) {
    case BindState::kBound:
      return "bound";
    case BindState::kOptionalAbsent:
      return "optional_absent";
    case BindState::kUnused:
      return "unused";
    case BindState::kMissing:
      return "missing";
    case BindState::kMismatch:
      return "mismatch";
  }
  return "";
}

std::string_view Name(Need need) { return need == Need::kRequired ? "required" : "optional"; }

std::string_view Name(Role role) {
  switch (role) {
    case Role::kMatrix:
      return "matrix";
    case Role::kTable:
      return "table";
    case Role::kVector:
      return "vector";
  }
  return "";
}

Match MatchTensors(std::span<const TensorDecl> wanted, std::span<const TensorInfo> stored,
                   const NameRules& rules) {
  return Matcher(wanted, stored, rules).Run();
}

Match MatchPackage(std::span<const TensorDecl> wanted, const package::Package& package,
                   const NameRules& rules) {
  const std::string& encoder = package.encoder();
  std::vector<std::string> folders{encoder};
  for (const TensorDecl& d : wanted)
    if (std::ranges::find(folders, d.folder) == folders.end()) folders.push_back(d.folder);
  Match out;
  out.bindings.resize(wanted.size());
  for (const std::string& folder : folders) {
    std::vector<TensorDecl> here;
    std::vector<std::size_t> at;
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (wanted[i].folder == folder) here.push_back(wanted[i]), at.push_back(i);
    const bool own = folder == encoder;
    Match m = MatchTensors(here, package.tensors(folder), own ? rules : NameRules{{}, kOfModules});
    if (own) out.dialect = m.dialect;
    for (std::size_t i = 0; i < at.size(); ++i) out.bindings[at[i]] = std::move(m.bindings[i]);
    std::ranges::move(m.explained, std::back_inserter(out.explained));
    std::ranges::move(m.unexpected, std::back_inserter(out.unexpected));
    std::ranges::move(m.problems, std::back_inserter(out.problems));
  }
  return out;
}

void BindShapes(std::span<const TensorDecl> wanted, const Match& match) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (match.bindings[i].state == BindState::kBound && wanted[i].slot != nullptr)
      *wanted[i].slot = Weight(nullptr, wanted[i].rows(), wanted[i].cols);
  }
}

}  // namespace candor
