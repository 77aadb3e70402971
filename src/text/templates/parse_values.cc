// Names, literals and targets.
#include <algorithm>

#include "text/templates/names.h"
#include "text/templates/parser.h"

namespace candor::text::jinja {
namespace {

using Node = Expr::Kind;
using Type = Token::Type;

}  // namespace

ExpressionParser::Read ExpressionParser::Primary(bool with_attributes) {
  const Token token = Current();
  if (token.type == Type::kName) {
    const bool yes = token.text == "true" || token.text == "True";
    ExprPtr node = Make(Node::kConst, at_);
    Next();
    if (yes || token.text == "false" || token.text == "False") {
      node->value = Value::Bool(yes);
    } else if (token.text == "none" || token.text == "None") {
      node->value = Value::None();
    } else {
      node->kind = Node::kName;
      node->text = token.text;
      if (with_attributes && SkipOperator(".")) {
        CANDOR_TRY(Token attribute, ExpectName());
        node->kind = Node::kAttributeTarget;
        node->more = attribute.text;
      } else if (IsForeignGlobal(token.text)) {
        outside_.push_back(At(Unsupported("a function that is not implemented",
                                          "dict, namespace, raise_exception, range, strftime_now"),
                              token, token));
      }
    }
    return Finish(std::move(node));
  }
  if (token.type == Type::kString || token.type == Type::kInt || token.type == Type::kFloat)
    return Literal(token);
  if (token.IsOperator("(")) {
    Next();
    const std::size_t first = at_;
    CANDOR_TRY(ExprPtr node, Tuple({.parentheses = true}));
    CANDOR_CHECKED(ExpectOperator(")"));
    node->begin = tokens_[first - 1].begin;
    node->end = tokens_[at_ - 1].end;
    return node;
  }
  if (token.IsOperator("[")) return ListLiteral();
  if (token.IsOperator("{")) return DictLiteral();
  return Unexpected("an expression");
}

ExpressionParser::Read ExpressionParser::Literal(const Token& token) {
  ExprPtr node = Make(Node::kConst, at_);
  Next();
  if (token.type == Type::kInt) {
    node->value = Value::Int(token.whole);
  } else if (token.type == Type::kFloat) {
    node->value = Value::Float(token.real);
  } else {
    std::string text = token.text;
    while (Current().type == Type::kString) text += Next().text;
    node->value = Value::String(std::move(text));
  }
  return Finish(std::move(node));
}

ExpressionParser::Read ExpressionParser::ListLiteral() {
  ExprPtr node = Make(Node::kList, at_);
  Next();
  while (!Current().IsOperator("]")) {
    if (!node->parts.empty()) CANDOR_CHECKED(ExpectOperator(","));
    if (Current().IsOperator("]")) break;
    CANDOR_TRY(ExprPtr item, Expression());
    node->parts.push_back(std::move(item));
  }
  CANDOR_CHECKED(ExpectOperator("]"));
  return Finish(std::move(node));
}

ExpressionParser::Read ExpressionParser::DictLiteral() {
  ExprPtr node = Make(Node::kDict, at_);
  Next();
  while (!Current().IsOperator("}")) {
    if (!node->parts.empty()) CANDOR_CHECKED(ExpectOperator(","));
    if (Current().IsOperator("}")) break;
    CANDOR_TRY(ExprPtr key, Expression());
    CANDOR_CHECKED(ExpectOperator(":"));
    CANDOR_TRY(ExprPtr value, Expression());
    node->parts.push_back(std::move(key));
    node->parts.push_back(std::move(value));
  }
  CANDOR_CHECKED(ExpectOperator("}"));
  return Finish(std::move(node));
}

ExpressionParser::Read ExpressionParser::Target(std::string_view end_name, bool with_attributes) {
  CANDOR_TRY(ExprPtr target,
             Tuple({.end_name = end_name, .simple = true, .with_attributes = with_attributes}));
  if (!CanAssign(*target))
    return At(Malformed("nothing that can be set", "a name, or names with commas"), *target);
  return target;
}

bool ExpressionParser::CanAssign(const Expr& expr) {
  if (expr.kind == Node::kTuple)
    return std::ranges::all_of(expr.parts, [](const ExprPtr& part) { return CanAssign(*part); });
  return expr.kind == Node::kName || expr.kind == Node::kAttributeTarget;
}

}  // namespace candor::text::jinja
