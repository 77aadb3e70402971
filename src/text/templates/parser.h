// From tokens to statements and expressions, by jinja2's grammar.
//
// What the grammar refuses is malformed; what jinja2 has and we have not (tags, filters, tests, arguments) is
// outside of the subset. The former ends the reading, of the latter all are listed.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "text/templates/ast.h"
#include "text/templates/failure.h"
#include "text/templates/lexer.h"
#include "text/templates/limits.h"

namespace candor::text::jinja {

// Without slots yet. `source` is normalised. Failures of the subset are appended to `outside`.
Result<Body, Failure> ParseTemplate(const std::string& source, const TemplateLimits& limits,
                                    std::vector<Failure>& outside);

// Expressions alone, as the statements meet them.
class ExpressionParser {
 public:
  ExpressionParser(std::vector<Token> tokens, const TemplateLimits& limits, std::vector<Failure>& outside)
      : tokens_(std::move(tokens)), limits_(limits), outside_(outside) {}

 protected:
  using Read = Result<ExprPtr, Failure>;
  struct Arguments {
    std::vector<ExprPtr> positional;
    std::vector<std::pair<std::string, ExprPtr>> named;
  };
  struct TupleRules {
    bool conditional = true;         // "a if b" may stand inside
    std::string_view end_name = {};  // a name that ends it
    bool parentheses = false;        // it stands in them, and may be empty
    bool simple = false;             // names and values only: a target
    bool with_attributes = false;    // "a.b" is a target too
  };

  const Token& Current() const { return tokens_[at_]; }
  const Token& Ahead() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  const Token& Next() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
  bool SkipName(std::string_view name);
  bool SkipOperator(std::string_view op);
  Done ExpectOperator(std::string_view op);
  Result<Token, Failure> ExpectName();
  Failure Unexpected(std::string_view allowed) const;
  static Failure At(Failure failure, const Token& first, const Token& last);
  static Failure At(Failure failure, const Expr& expr);

  Read Tuple(const TupleRules& rules);
  Read Expression(bool conditional = true);
  Read Filters(ExprPtr on, bool at_once);  // one after another; a null `on` is a block's text
  Read Target(std::string_view end_name, bool with_attributes);
  bool IsTupleEnd(const TupleRules& rules) const;
  Done Deeper();
  ExprPtr Make(Expr::Kind kind, std::size_t first_token);
  Read Finish(ExprPtr expr);  // sets its end and depth

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  const TemplateLimits& limits_;
  std::vector<Failure>& outside_;
  std::size_t depth_ = 0;  // of the recursion

 private:
  Read Conditional();
  Read Or();
  Read And();
  Read Not();
  Read Compare();
  Read Sum();
  Read Concat();
  Read Product();
  Read Power();
  Read Unary(bool filters);
  Read Primary(bool with_attributes);
  Read Literal(const Token& token);
  Read ListLiteral();
  Read DictLiteral();
  Read Postfix(ExprPtr on);
  Read PostfixAndFilters(ExprPtr on);
  Read Subscript(ExprPtr on);
  Done SubscriptPart(std::vector<ExprPtr>& bounds, bool& slice);
  Read Call(ExprPtr on);
  Read Test(ExprPtr on);
  Result<Arguments, Failure> CallArguments();
  static bool CanAssign(const Expr& expr);
};

}  // namespace candor::text::jinja
