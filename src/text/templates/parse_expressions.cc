// Operators by their precedence, and what the parser's parts share.
#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "text/templates/names.h"
#include "text/templates/parser.h"

namespace candor::text::jinja {
namespace {

using Node = Expr::Kind;
using Type = Token::Type;

constexpr std::pair<std::string_view, Operator> kComparisons[] = {
    {"==", Operator::kEqual},     {"!=", Operator::kNotEqual}, {"<", Operator::kLess},
    {"<=", Operator::kLessEqual}, {">", Operator::kGreater},   {">=", Operator::kGreaterEqual}};
constexpr std::pair<std::string_view, Operator> kSums[] = {{"+", Operator::kAdd}, {"-", Operator::kSubtract}};
constexpr std::pair<std::string_view, Operator> kProducts[] = {{"*", Operator::kMultiply},
                                                               {"/", Operator::kDivide},
                                                               {"//", Operator::kFloorDivide},
                                                               {"%", Operator::kModulo}};

std::optional<Operator> OperatorOf(const Token& token,
                                   std::span<const std::pair<std::string_view, Operator>> table) {
  if (token.type != Type::kOperator) return std::nullopt;
  for (const auto& [text, op] : table)
    if (token.text == text) return op;
  return std::nullopt;
}

// Counts a level of the recursion while it stands.
class Level {
 public:
  explicit Level(std::size_t& depth) : depth_(depth) { ++depth_; }
  ~Level() { --depth_; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

 private:
  std::size_t& depth_;
};

}  // namespace

bool ExpressionParser::SkipName(std::string_view name) {
  if (!Current().IsName(name)) return false;
  Next();
  return true;
}
bool ExpressionParser::SkipOperator(std::string_view op) {
  if (!Current().IsOperator(op)) return false;
  Next();
  return true;
}
Done ExpressionParser::ExpectOperator(std::string_view op) {
  if (SkipOperator(op)) return {};
  return Unexpected(op);
}
Result<Token, Failure> ExpressionParser::ExpectName() {
  if (Current().type != Type::kName) return Unexpected("a name");
  return Next();
}

Failure ExpressionParser::Unexpected(std::string_view allowed) const {
  const Token& token = Current();
  return At(Malformed(token.type == Type::kEnd ? "the end of the template" : "unexpected here",
                      std::string(allowed)),
            token, token);
}
Failure ExpressionParser::At(Failure failure, const Token& first, const Token& last) {
  failure.line = first.line;
  failure.begin = first.begin;
  failure.end = last.end;
  return failure;
}
Failure ExpressionParser::At(Failure failure, const Expr& expr) {
  failure.line = expr.line;
  failure.begin = expr.begin;
  failure.end = expr.end;
  return failure;
}

Done ExpressionParser::Deeper() {
  if (depth_ <= 2 * limits_.depth) return {};
  Failure failure = Malformed("deeper nesting", "at most " + std::to_string(limits_.depth) + " levels");
  failure.code = Code::kArtifactTooLarge;
  return At(std::move(failure), Current(), Current());
}

ExprPtr ExpressionParser::Make(Expr::Kind kind, std::size_t first_token) {
  auto expr = std::make_unique<Expr>();
  expr->kind = kind;
  expr->line = tokens_[first_token].line;
  expr->begin = tokens_[first_token].begin;
  return expr;
}

ExpressionParser::Read ExpressionParser::Finish(ExprPtr expr) {
  expr->end = std::max(expr->begin, tokens_[at_ > 0 ? at_ - 1 : 0].end);
  for (const ExprPtr& part : expr->parts)
    if (part) {
      expr->depth = std::max(expr->depth, part->depth + 1);
      expr->begin = std::min(expr->begin, part->begin);
      expr->line = std::min(expr->line, part->line);
    }
  for (const auto& [name, part] : expr->named) expr->depth = std::max(expr->depth, part->depth + 1);
  if (expr->depth > limits_.depth) {
    Failure failure = Malformed("deeper nesting", "at most " + std::to_string(limits_.depth) + " levels");
    failure.code = Code::kArtifactTooLarge;
    return At(std::move(failure), *expr);
  }
  return expr;
}

bool ExpressionParser::IsTupleEnd(const TupleRules& rules) const {
  const Token& token = Current();
  return token.type == Type::kClose || token.type == Type::kBlockClose || token.IsOperator(")") ||
         (!rules.end_name.empty() && token.IsName(rules.end_name));
}

ExpressionParser::Read ExpressionParser::Tuple(const TupleRules& rules) {
  const std::size_t first = at_;
  std::vector<ExprPtr> parts;
  bool is_tuple = false;
  while (true) {
    if (!parts.empty()) CANDOR_CHECKED(ExpectOperator(","));
    if (IsTupleEnd(rules)) break;
    CANDOR_TRY(ExprPtr part, rules.simple ? Primary(rules.with_attributes) : Expression(rules.conditional));
    parts.push_back(std::move(part));
    if (!Current().IsOperator(",")) break;
    is_tuple = true;
  }
  if (!is_tuple) {
    if (!parts.empty()) return std::move(parts[0]);
    if (!rules.parentheses) return Unexpected("an expression");
  }
  ExprPtr tuple = Make(Node::kTuple, first);
  tuple->parts = std::move(parts);
  return Finish(std::move(tuple));
}

ExpressionParser::Read ExpressionParser::Expression(bool conditional) {
  return conditional ? Conditional() : Or();
}

ExpressionParser::Read ExpressionParser::Conditional() {
  const Level level(depth_);
  CANDOR_CHECKED(Deeper());
  const std::size_t first = at_;
  CANDOR_TRY(ExprPtr left, Or());
  while (SkipName("if")) {
    ExprPtr made = Make(Node::kIf, first);
    CANDOR_TRY(ExprPtr test, Or());
    ExprPtr otherwise;
    if (SkipName("else")) {
      CANDOR_TRY(otherwise, Conditional());
    }
    made->parts.push_back(std::move(left));
    made->parts.push_back(std::move(test));
    made->parts.push_back(std::move(otherwise));
    CANDOR_TRY(left, Finish(std::move(made)));
  }
  return left;
}

ExpressionParser::Read ExpressionParser::Or() {
  const std::size_t first = at_;
  CANDOR_TRY(ExprPtr left, And());
  while (SkipName("or")) {
    ExprPtr made = Make(Node::kOr, first);
    CANDOR_TRY(ExprPtr right, And());
    made->parts.push_back(std::move(left));
    made->parts.push_back(std::move(right));
    CANDOR_TRY(left, Finish(std::move(made)));
  }
  return left;
}

ExpressionParser::Read ExpressionParser::And() {
  const std::size_t first = at_;
  CANDOR_TRY(ExprPtr left, Not());
  while (SkipName("and")) {
    ExprPtr made = Make(Node::kAnd, first);
    CANDOR_TRY(ExprPtr right, Not());
    made->parts.push_back(std::move(left));
    made->parts.push_back(std::move(right));
    CANDOR_TRY(left, Finish(std::move(made)));
  }
  return left;
}

ExpressionParser::Read ExpressionParser::Not() {
  if (!Current().IsName("not")) return Compare();
  const Level level(depth_);
  CANDOR_CHECKED(Deeper());
  ExprPtr made = Make(Node::kNot, at_);
  Next();
  CANDOR_TRY(ExprPtr on, Not());
  made->parts.push_back(std::move(on));
  return Finish(std::move(made));
}

ExpressionParser::Read ExpressionParser::Compare() {
  ExprPtr made = Make(Node::kCompare, at_);
  CANDOR_TRY(ExprPtr left, Sum());
  made->parts.push_back(std::move(left));
  while (true) {
    if (const auto op = OperatorOf(Current(), kComparisons)) {
      Next();
      made->operators.push_back(*op);
    } else if (SkipName("in")) {
      made->operators.push_back(Operator::kIn);
    } else if (Current().IsName("not") && Ahead().IsName("in")) {
      Next();
      Next();
      made->operators.push_back(Operator::kNotIn);
    } else {
      break;
    }
    CANDOR_TRY(ExprPtr right, Sum());
    made->parts.push_back(std::move(right));
  }
  if (made->operators.empty()) return std::move(made->parts[0]);
  return Finish(std::move(made));
}

ExpressionParser::Read ExpressionParser::Sum() {
  const std::size_t first = at_;
  CANDOR_TRY(ExprPtr left, Concat());
  while (const auto op = OperatorOf(Current(), kSums)) {
    Next();
    ExprPtr made = Make(Node::kBinary, first);
    made->operators.push_back(*op);
    CANDOR_TRY(ExprPtr right, Concat());
    made->parts.push_back(std::move(left));
    made->parts.push_back(std::move(right));
    CANDOR_TRY(left, Finish(std::move(made)));
  }
  return left;
}

ExpressionParser::Read ExpressionParser::Concat() {
  ExprPtr made = Make(Node::kConcat, at_);
  CANDOR_TRY(ExprPtr left, Product());
  made->parts.push_back(std::move(left));
  while (SkipOperator("~")) {
    CANDOR_TRY(ExprPtr right, Product());
    made->parts.push_back(std::move(right));
  }
  if (made->parts.size() == 1) return std::move(made->parts[0]);
  return Finish(std::move(made));
}

ExpressionParser::Read ExpressionParser::Product() {
  const std::size_t first = at_;
  CANDOR_TRY(ExprPtr left, Power());
  while (const auto op = OperatorOf(Current(), kProducts)) {
    Next();
    ExprPtr made = Make(Node::kBinary, first);
    made->operators.push_back(*op);
    CANDOR_TRY(ExprPtr right, Power());
    made->parts.push_back(std::move(left));
    made->parts.push_back(std::move(right));
    CANDOR_TRY(left, Finish(std::move(made)));
  }
  return left;
}

ExpressionParser::Read ExpressionParser::Power() {
  const std::size_t first = at_;
  CANDOR_TRY(ExprPtr left, Unary(true));
  while (SkipOperator("**")) {
    ExprPtr made = Make(Node::kBinary, first);
    made->operators.push_back(Operator::kPower);
    CANDOR_TRY(ExprPtr right, Unary(true));
    // jinja2 folds the sign into the number and then writes -2 ** x, which Python reads as -(2 ** x).
    if (left->kind == Node::kNegative || left->kind == Node::kPositive)
      outside_.push_back(
          At(Unsupported("a power of a number with a sign", "the number in a variable"), *left));
    made->parts.push_back(std::move(left));
    made->parts.push_back(std::move(right));
    CANDOR_TRY(left, Finish(std::move(made)));
  }
  return left;
}

ExpressionParser::Read ExpressionParser::Unary(bool filters) {
  const Level level(depth_);
  CANDOR_CHECKED(Deeper());
  const std::size_t first = at_;
  ExprPtr node;
  if (Current().IsOperator("-") || Current().IsOperator("+")) {
    node = Make(Current().text == "-" ? Node::kNegative : Node::kPositive, first);
    Next();
    CANDOR_TRY(ExprPtr on, Unary(false));
    node->parts.push_back(std::move(on));
    CANDOR_TRY(node, Finish(std::move(node)));
  } else {
    CANDOR_TRY(node, Primary(false));
  }
  CANDOR_TRY(node, Postfix(std::move(node)));
  if (filters) return PostfixAndFilters(std::move(node));
  return node;
}

}  // namespace candor::text::jinja
