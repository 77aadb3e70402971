// The parser, over CLI11.
//
// CLI11 sees the structure of the line only: every value is replaced by its index before parsing and looked
// up after it, because the library takes a value such as [MASK] apart as a list and -5 for an option. It also
// finds out what is an option of this verb; values are checked by the table, so that messages name place,
// found, allowed.
#include "apps/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <charconv>

namespace candor::apps {
namespace {

bool LooksLikeOption(std::string_view argument) {
  const std::size_t dashes = argument.starts_with("--") ? 2 : argument.starts_with("-") ? 1 : 0;
  return dashes > 0 && argument.size() > dashes &&
         std::isalpha(static_cast<unsigned char>(argument[dashes])) != 0;
}

// The line with "@N" in place of its values.
class Masked {
 public:
  explicit Masked(std::span<const std::string> arguments) {
    bool only_values = false;
    for (const std::string& argument : arguments) {
      if (only_values || !LooksLikeOption(argument)) {
        if (argument == "--" && !only_values) {
          only_values = true;
          line_.push_back(argument);
        } else {
          AddValue(argument);
        }
        continue;
      }
      const std::size_t equals = argument.starts_with("--") ? argument.find('=') : std::string::npos;
      line_.push_back(argument.substr(0, equals));
      if (equals != std::string::npos) AddValue(argument.substr(equals + 1));
    }
  }
  const std::vector<std::string>& line() const { return line_; }
  std::string Value(const std::string& argument) const {
    std::size_t index = 0;
    if (!argument.starts_with('@')) return argument;
    std::from_chars(argument.data() + 1, argument.data() + argument.size(), index);
    return index < values_.size() ? values_[index] : argument;
  }

 private:
  void AddValue(std::string value) {
    line_.push_back("@" + std::to_string(values_.size()));
    values_.push_back(std::move(value));
  }
  std::vector<std::string> line_, values_;
};

// As a refusal names it: without dashes.
std::string Bare(std::string_view option) {
  option.remove_prefix(std::min(option.find_first_not_of('-'), option.size()));
  return std::string(option);
}

std::string LongName(const OptionRow& row) {
  const std::string_view names = row.names;
  const std::size_t comma = names.find(',');
  return std::string(comma == std::string_view::npos ? names : names.substr(comma + 1));
}

std::string NamesOf(unsigned groups) {
  std::string names;
  for (const OptionRow& row : OptionTable()) {
    if ((row.groups & groups) == 0) continue;
    names += names.empty() ? "" : " ";
    names += LongName(row);
  }
  return names;
}

struct Bound {
  const OptionRow* row;
  CLI::Option* option;
};

std::vector<Bound> Declare(CLI::App& app, unsigned groups) {
  std::vector<Bound> bound;
  const auto keep = [](const CLI::results_t&) { return true; };
  for (const OptionRow& row : OptionTable()) {
    if ((row.groups & groups) == 0) continue;
    CLI::Option* option =
        row.value == nullptr ? app.add_flag(row.names, row.help) : app.add_option(row.names, keep, row.help);
    if (row.value != nullptr) {
      option->type_name(row.value)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
      if (row.repeats) option->expected(1, -1)->allow_extra_args();
    }
    bound.push_back({&row, option});
  }
  return bound;
}

Result<void> Apply(const std::vector<Bound>& bound, const Masked& masked, Options& options) {
  for (const auto& [row, option] : bound) {
    if (option->count() == 0) continue;
    if (row->value == nullptr) {
      CANDOR_CHECKED(row->set(options, ""));
      continue;
    }
    if (!row->repeats && option->results().size() > 1) {
      return Error{Code::kUnsupportedOption, Where::Option(Bare(LongName(*row))),
                   std::to_string(option->results().size()) + " values", "one value"};
    }
    for (const std::string& argument : option->results()) {
      CANDOR_CHECKED(row->set(options, masked.Value(argument)));
    }
  }
  return {};
}

bool Given(const std::vector<Bound>& bound, std::string_view name) {
  for (const auto& [row, option] : bound) {
    if (row->names == name) return option->count() > 0;
  }
  return false;
}

// An option of another verb or of no verb; else a word too many.
Result<void> CheckExtras(const std::vector<std::string>& extras, const Masked& masked, unsigned groups) {
  const std::string* word = nullptr;
  for (const std::string& extra : extras) {
    if (extra == "--") continue;
    if (extra.starts_with('-')) {
      return Error{Code::kUnsupportedOption, Where::Option(Bare(extra)), "not an option of this verb",
                   NamesOf(groups)};
    }
    if (word == nullptr) word = &extra;
  }
  if (word == nullptr) return {};
  return Error{Code::kInvalidInput,
               {},
               "an argument too many: \"" + masked.Value(*word) + '"',
               "options, each with its value"};
}

}  // namespace

Result<ParsedLine> ParseOptions(std::string_view verb, std::string_view summary, unsigned groups,
                                std::span<const std::string> arguments) {
  const Masked masked(arguments);
  ParsedLine parsed;
  parsed.options.verb = verb;
  CLI::App app{std::string(summary), "candor " + std::string(verb)};
  app.allow_extras();
  std::string model;
  CLI::Option* model_option = nullptr;
  if ((groups & kModelArgument) != 0) {
    model_option = app.add_option("MODEL", model, "a folder in Hugging Face layout")->required();
    model_option->type_name("");
  }
  const std::vector<Bound> bound = Declare(app, groups);
  try {
    app.parse(std::vector<std::string>(masked.line().rbegin(), masked.line().rend()));
  } catch (const CLI::CallForHelp&) {
    parsed.help = app.help();
    return parsed;
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string text = error.what();
    return Error{Code::kUnsupportedOption, Where::Option(Bare(text.substr(0, text.find(':')))), "no value",
                 "a value after it"};
  } catch (const CLI::RequiredError&) {
    // An unknown option swallows nothing, so it is the better explanation where there is one.
    CANDOR_CHECKED(CheckExtras(app.remaining(), masked, groups));
    return Error{Code::kInvalidInput, Where::Option("MODEL"), "none",
                 "candor " + std::string(verb) + " MODEL [options]"};
  } catch (const CLI::ParseError& error) {
    return Error{Code::kInvalidInput, {}, error.what(), "the options that --help lists"};
  }
  CANDOR_CHECKED(CheckExtras(app.remaining(), masked, groups));
  CANDOR_CHECKED(Apply(bound, masked, parsed.options));
  if (model_option != nullptr) parsed.options.model.path = masked.Value(model);
  if (model_option != nullptr && parsed.options.model.path.empty()) {
    return Error{Code::kInvalidInput, Where::Option("MODEL"), "an empty name", "a folder"};
  }
  if (Given(bound, "--truncate") && Given(bound, "--no-truncate")) {
    return Error{Code::kUnsupportedOption, Where::Option("truncate"), "with --no-truncate", "one of the two"};
  }
  CANDOR_CHECKED(CheckTogether(parsed.options));
  return parsed;
}

}  // namespace candor::apps
