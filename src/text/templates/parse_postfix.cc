// What stands behind a value: attributes, items, slices, calls, filters and tests.
#include <algorithm>

#include "text/templates/names.h"
#include "text/templates/parser.h"

namespace candor::text::jinja {
namespace {

using Node = Expr::Kind;
using Type = Token::Type;

std::vector<std::string_view> NamesOf(const std::vector<std::pair<std::string, ExprPtr>>& named) {
  std::vector<std::string_view> out;
  for (const auto& [name, value] : named) out.push_back(name);
  return out;
}

// The filter or test that map, select and their kin name in a literal: nothing to say, or what is wrong.
std::string BadInner(const Expr& filter) {
  const bool attribute = filter.text.ends_with("attr");
  const bool maps = filter.text == "map";
  const std::size_t at = attribute ? 2 : 1;
  if (filter.parts.size() <= at || filter.parts[at]->kind != Node::kConst ||
      !filter.parts[at]->value.is_string())
    return {};
  const std::string& name = filter.parts[at]->value.text();
  if (maps ? FindFilter(name) != nullptr : FindTest(name) != nullptr) return {};
  return (maps ? "no filter \"" : "no test \"") + name + "\" here";
}

}  // namespace

ExpressionParser::Read ExpressionParser::Postfix(ExprPtr on) {
  while (true) {
    if (Current().IsOperator(".") || Current().IsOperator("[")) {
      CANDOR_TRY(on, Subscript(std::move(on)));
    } else if (Current().IsOperator("(")) {
      CANDOR_TRY(on, Call(std::move(on)));
    } else {
      return on;
    }
  }
}

ExpressionParser::Read ExpressionParser::PostfixAndFilters(ExprPtr on) {
  while (true) {
    if (Current().IsOperator("|")) {
      CANDOR_TRY(on, Filters(std::move(on), false));
    } else if (Current().IsName("is")) {
      CANDOR_TRY(on, Test(std::move(on)));
    } else if (Current().IsOperator("(")) {
      CANDOR_TRY(on, Call(std::move(on)));
    } else {
      return on;
    }
  }
}

ExpressionParser::Read ExpressionParser::Subscript(ExprPtr on) {
  const std::size_t first = at_;
  ExprPtr node = Make(Node::kItem, first);
  node->parts.push_back(std::move(on));
  if (SkipOperator(".")) {
    const Token token = Current();
    Next();
    if (token.type == Type::kName) {
      node->kind = Node::kAttribute;
      node->text = token.text;
      if (token.text.starts_with("__"))
        outside_.push_back(
            At(Unsupported("an attribute of Python's own", "attributes of the data"), token, token));
    } else if (token.type == Type::kInt) {
      ExprPtr index = Make(Node::kConst, first + 1);
      index->value = Value::Int(token.whole);
      CANDOR_TRY(index, Finish(std::move(index)));
      node->parts.push_back(std::move(index));
    } else {
      --at_;
      return Unexpected("a name or a number");
    }
    return Finish(std::move(node));
  }
  Next();
  std::vector<ExprPtr> subscripts;
  bool slice = false;
  while (!Current().IsOperator("]")) {
    if (!subscripts.empty()) CANDOR_CHECKED(ExpectOperator(","));
    if (slice) return Unexpected("]");
    CANDOR_CHECKED(SubscriptPart(subscripts, slice));
    if (slice && subscripts.size() != 3) return Unexpected("a slice alone");
  }
  CANDOR_CHECKED(ExpectOperator("]"));
  if (slice) {
    node->kind = Node::kSlice;
    for (ExprPtr& bound : subscripts) node->parts.push_back(std::move(bound));
  } else if (subscripts.size() == 1) {
    node->parts.push_back(std::move(subscripts[0]));
  } else {
    ExprPtr tuple = Make(Node::kTuple, first);
    tuple->parts = std::move(subscripts);
    CANDOR_TRY(tuple, Finish(std::move(tuple)));
    node->parts.push_back(std::move(tuple));
  }
  return Finish(std::move(node));
}

// One subscript, or the three bounds of a slice, of which any may be null.
Done ExpressionParser::SubscriptPart(std::vector<ExprPtr>& bounds, bool& slice) {
  const auto ends = [&] { return Current().IsOperator("]") || Current().IsOperator(","); };
  ExprPtr start, stop, step;
  if (!Current().IsOperator(":")) {
    CANDOR_TRY(start, Expression());
    if (!Current().IsOperator(":")) {
      bounds.push_back(std::move(start));
      return {};
    }
  }
  Next();
  slice = true;
  if (!Current().IsOperator(":") && !ends()) {
    CANDOR_TRY(stop, Expression());
  }
  if (SkipOperator(":") && !ends()) {
    CANDOR_TRY(step, Expression());
  }
  bounds.push_back(std::move(start));
  bounds.push_back(std::move(stop));
  bounds.push_back(std::move(step));
  return {};
}

Result<ExpressionParser::Arguments, Failure> ExpressionParser::CallArguments() {
  const std::size_t first = at_;
  CANDOR_CHECKED(ExpectOperator("("));
  Arguments out;
  bool comma = false;
  while (!Current().IsOperator(")")) {
    if (comma) {
      CANDOR_CHECKED(ExpectOperator(","));
      if (Current().IsOperator(")")) break;
    }
    comma = true;
    if (Current().IsOperator("*") || Current().IsOperator("**")) {
      outside_.push_back(At(Unsupported("arguments from a list or a dictionary", "arguments one by one"),
                            Current(), Ahead()));
      Next();
      CANDOR_TRY(ExprPtr spread, Expression());
      continue;
    }
    if (Current().type == Type::kName && Ahead().IsOperator("=")) {
      const std::string name = Current().text;
      const auto names = NamesOf(out.named);
      if (std::ranges::find(names, name) != names.end()) return Unexpected("each name once");
      Next();
      Next();
      CANDOR_TRY(ExprPtr value, Expression());
      out.named.emplace_back(name, std::move(value));
      continue;
    }
    if (!out.named.empty())
      return At(Malformed("an argument behind a named one", "named arguments last"), tokens_[first],
                Current());
    CANDOR_TRY(ExprPtr value, Expression());
    out.positional.push_back(std::move(value));
  }
  CANDOR_CHECKED(ExpectOperator(")"));
  return out;
}

ExpressionParser::Read ExpressionParser::Call(ExprPtr on) {
  ExprPtr node = Make(Node::kCall, at_);
  node->parts.push_back(std::move(on));
  CANDOR_TRY(Arguments arguments, CallArguments());
  for (ExprPtr& value : arguments.positional) node->parts.push_back(std::move(value));
  node->named = std::move(arguments.named);
  return Finish(std::move(node));
}

ExpressionParser::Read ExpressionParser::Filters(ExprPtr on, bool at_once) {
  while (at_once || Current().IsOperator("|")) {
    if (!at_once) Next();
    at_once = false;
    ExprPtr node = Make(Node::kFilter, at_);
    CANDOR_TRY(Token name, ExpectName());
    node->text = name.text;
    while (SkipOperator(".")) {
      CANDOR_TRY(Token more, ExpectName());
      node->text += '.' + more.text;
    }
    node->parts.push_back(std::move(on));
    if (Current().IsOperator("(")) {
      CANDOR_TRY(Arguments arguments, CallArguments());
      for (ExprPtr& value : arguments.positional) node->parts.push_back(std::move(value));
      node->named = std::move(arguments.named);
    }
    CANDOR_TRY(on, Finish(std::move(node)));
    const Signature* const signature = FindFilter(on->text);
    if (signature == nullptr) {
      outside_.push_back(At(Unsupported("no filter \"" + on->text + "\" here", AllFilters()), *on));
      continue;
    }
    if (std::string bad = BadCall(*signature, on->parts.size() - 1, NamesOf(on->named)); !bad.empty())
      outside_.push_back(
          At(Unsupported(on->text + " with " + bad, "the arguments that are implemented"), *on));
    if (std::string bad = BadInner(*on); signature->any && !bad.empty())
      outside_.push_back(At(Unsupported(std::move(bad), on->text == "map" ? AllFilters() : AllTests()), *on));
  }
  return on;
}

ExpressionParser::Read ExpressionParser::Test(ExprPtr on) {
  const std::size_t first = at_;
  Next();
  const bool negated = SkipName("not");
  ExprPtr node = Make(Node::kTest, first);
  CANDOR_TRY(Token name, ExpectName());
  node->text = name.text;
  while (SkipOperator(".")) {
    CANDOR_TRY(Token more, ExpectName());
    node->text += '.' + more.text;
  }
  node->parts.push_back(std::move(on));
  const Token& token = Current();
  const bool value = token.type == Type::kName || token.type == Type::kString || token.type == Type::kInt ||
                     token.type == Type::kFloat || token.IsOperator("[") || token.IsOperator("{");
  if (token.IsOperator("(")) {
    CANDOR_TRY(Arguments arguments, CallArguments());
    for (ExprPtr& argument : arguments.positional) node->parts.push_back(std::move(argument));
    node->named = std::move(arguments.named);
  } else if (value && !token.IsName("else") && !token.IsName("or") && !token.IsName("and")) {
    if (token.IsName("is")) return Unexpected("one test alone");
    CANDOR_TRY(ExprPtr argument, Primary(false));
    CANDOR_TRY(argument, Postfix(std::move(argument)));
    node->parts.push_back(std::move(argument));
  }
  CANDOR_TRY(node, Finish(std::move(node)));
  const Signature* const signature = FindTest(node->text);
  if (signature == nullptr) {
    outside_.push_back(At(Unsupported("no test \"" + node->text + "\" here", AllTests()), *node));
  } else if (std::string bad = BadCall(*signature, node->parts.size() - 1, NamesOf(node->named));
             !bad.empty()) {
    outside_.push_back(
        At(Unsupported(node->text + " with " + bad, "the arguments that are implemented"), *node));
  }
  if (!negated) return node;
  ExprPtr inverse = Make(Node::kNot, first);
  inverse->parts.push_back(std::move(node));
  return Finish(std::move(inverse));
}

}  // namespace candor::text::jinja
