// Tags, outputs and the text between them.
#include <algorithm>

#include "text/templates/names.h"
#include "text/templates/parser.h"

namespace candor::text::jinja {
namespace {

using Type = Token::Type;

class StatementParser : ExpressionParser {
 public:
  using ExpressionParser::ExpressionParser;

  Result<Body, Failure> Run() {
    CANDOR_TRY(Body body, Statements({}));
    return body;
  }

 private:
  using Made = Result<std::unique_ptr<Stmt>, Failure>;
  using Ends = std::vector<std::string_view>;

  // What surrounds a statement.
  struct Around {
    bool loop = false;   // break and continue have a loop, in the same function
    bool macro = false;  // inside of a function that has no macros of its own
  };

  std::unique_ptr<Stmt> MakeStmt(Stmt::Kind kind, const Token& tag) const {
    auto out = std::make_unique<Stmt>();
    out->kind = kind;
    out->line = tag.line;
    out->begin = tag.begin;
    out->end = tag.end;
    return out;
  }
  void EndTag(Stmt& stmt) const { stmt.end = std::max(stmt.end, tokens_[at_].end); }

  bool IsEnd(const Ends& ends) const {
    return Current().type == Type::kName && std::ranges::find(ends, Current().text) != ends.end();
  }

  // Until one of `ends`, whose name is then current; without ends until the template's.
  Result<Body, Failure> Statements(const Ends& ends) {
    ++depth_;
    CANDOR_CHECKED(Deeper());
    Body body;
    while (Current().type != Type::kEnd) {
      const Token token = Current();
      Next();
      if (token.type == Type::kData) {
        body.push_back(MakeStmt(Stmt::Kind::kText, token));
        body.back()->text = token.text;
      } else if (token.type == Type::kOpen) {
        body.push_back(MakeStmt(Stmt::Kind::kOutput, token));
        CANDOR_TRY(body.back()->expr, Tuple({}));
        if (Current().type != Type::kClose) return Unexpected("}}");
        Next();
        Safe(body.back()->expr);
        SafeElsewhere(*body.back()->expr);
      } else {
        if (IsEnd(ends)) {
          --depth_;
          return body;
        }
        CANDOR_TRY(auto stmt, Statement(token));
        for (const ExprPtr* expr : {&stmt->target, &stmt->expr, &stmt->test, &stmt->filter})
          if (*expr) SafeElsewhere(**expr);
        for (const auto& [test, branch] : stmt->branches) SafeElsewhere(*test);
        for (const auto& [name, fallback] : stmt->parameters)
          if (fallback) SafeElsewhere(*fallback);
        body.push_back(std::move(stmt));
        if (Current().type != Type::kBlockClose) return Unexpected("%}");
        Next();
      }
    }
    if (!ends.empty()) return Unexpected("{% " + std::string(ends.back()) + " %}");
    --depth_;
    return body;
  }

  // A body whose tag still has to be closed.
  Result<Body, Failure> Block(const Ends& ends) {
    SkipOperator(":");
    if (Current().type != Type::kBlockClose) return Unexpected("%}");
    Next();
    return Statements(ends);
  }

  // Without escaping of HTML, "safe" at the end of an output changes nothing; its text elsewhere would escape
  // what it is joined with.
  static void Safe(ExprPtr& expr) {
    if (expr->kind != Expr::Kind::kFilter || expr->text != "safe") return;
    expr->text = "string";
  }
  void SafeElsewhere(const Expr& expr) {
    if (expr.kind == Expr::Kind::kFilter && expr.text == "safe")
      outside_.push_back(
          At(Unsupported("safe inside of an expression", "safe at the end of an output"), expr));
    for (const ExprPtr& part : expr.parts)
      if (part) SafeElsewhere(*part);
    for (const auto& [name, part] : expr.named) SafeElsewhere(*part);
  }

  Made Statement(const Token& open) {
    const Token name = Current();
    if (name.type != Type::kName) return Unexpected("a tag's name");
    Token tag = open;
    tag.end = name.end;
    Next();
    if (name.text == "if") return If(tag);
    if (name.text == "for") return For(tag);
    if (name.text == "set") return Set(tag);
    if (name.text == "macro") return Macro(tag);
    if (name.text == "generation") return Generation(tag);
    if (name.text == "break" || name.text == "continue") {
      auto out = MakeStmt(name.text == "break" ? Stmt::Kind::kBreak : Stmt::Kind::kContinue, tag);
      if (!around_.loop) return At(Malformed("outside of a loop", "a for around it"), name, name);
      return out;
    }
    constexpr std::string_view kTags = "break, continue, for, generation, if, macro, raw, set";
    if (IsForeignTag(name.text))
      return At(Unsupported("a tag that is not implemented", std::string(kTags)), tag, tag);
    return At(Malformed("no tag that could stand here", std::string(kTags)), tag, tag);
  }

  Made If(const Token& tag) {
    auto out = MakeStmt(Stmt::Kind::kIf, tag);
    while (true) {
      CANDOR_TRY(ExprPtr test, Tuple({.conditional = false}));
      if (out->branches.empty()) EndTag(*out);
      CANDOR_TRY(Body body, Block({"elif", "else", "endif"}));
      out->branches.emplace_back(std::move(test), std::move(body));
      if (SkipName("elif")) continue;
      if (SkipName("else")) {
        CANDOR_TRY(out->orelse, Block({"endif"}));
      }
      Next();
      return out;
    }
  }

  Made For(const Token& tag) {
    auto out = MakeStmt(Stmt::Kind::kFor, tag);
    CANDOR_TRY(out->target, Target("in", false));
    CANDOR_CHECKED(NoLoopName(*out->target));
    if (!SkipName("in")) return Unexpected("in");
    CANDOR_TRY(out->expr, Tuple({.conditional = false, .end_name = "recursive"}));
    if (SkipName("if")) {
      CANDOR_TRY(out->test, Expression());
    }
    if (Current().IsName("recursive"))
      return At(Unsupported("a loop that calls itself", "loops inside each other"), Current(), Current());
    EndTag(*out);
    const Around before = around_;
    around_.loop = true;
    CANDOR_TRY(out->body, Block({"endfor", "else"}));
    around_ = before;
    const bool has_else = Current().text == "else";
    Next();
    if (has_else) {
      CANDOR_TRY(out->orelse, Block({"endfor"}));
      Next();
    }
    return out;
  }

  Made Set(const Token& tag) {
    auto out = MakeStmt(Stmt::Kind::kSet, tag);
    CANDOR_TRY(out->target, Target({}, true));
    CANDOR_CHECKED(NoLoopName(*out->target));
    if (SkipOperator("=")) {
      CANDOR_TRY(out->expr, Tuple({}));
      EndTag(*out);
      return out;
    }
    out->kind = Stmt::Kind::kSetBlock;
    if (Current().IsOperator("|")) {
      CANDOR_TRY(out->filter, Filters(nullptr, false));
      CANDOR_CHECKED(ConstArguments(*out->filter));
    }
    EndTag(*out);
    CANDOR_TRY(out->body, Block({"endset"}));
    Next();
    return out;
  }

  // jinja2 forgets to look up the names in them.
  Done ConstArguments(const Expr& filter) {
    for (std::size_t i = 1; i < filter.parts.size(); ++i) CANDOR_CHECKED(Const(*filter.parts[i]));
    for (const auto& [name, value] : filter.named) CANDOR_CHECKED(Const(*value));
    return filter.parts[0] ? ConstArguments(*filter.parts[0]) : Done();
  }
  Done Const(const Expr& expr) {
    if (expr.kind == Expr::Kind::kConst) return {};
    return At(Unsupported("an argument that is computed", "texts and numbers in the filter of a set"), expr);
  }

  Done NoLoopName(const Expr& target) {
    if (target.kind == Expr::Kind::kTuple) {
      for (const ExprPtr& part : target.parts) CANDOR_CHECKED(NoLoopName(*part));
    } else if (target.text == "loop" && target.kind == Expr::Kind::kName) {
      return At(Unsupported("a variable in the place of a loop's own", "another name"), target);
    }
    return {};
  }

  Done CanBeName(const Token& token) {
    constexpr std::string_view kConstants[] = {"true", "True", "false", "False", "none", "None"};
    if (std::ranges::find(kConstants, token.text) != std::end(kConstants))
      return At(Malformed("a constant", "a name that can be set"), token, token);
    if (token.text == "caller" || token.text == "loop")
      return At(Unsupported("a name with a meaning of its own", "another name"), token, token);
    return {};
  }

  Made Macro(const Token& tag) {
    auto out = MakeStmt(Stmt::Kind::kMacro, tag);
    if (around_.macro)
      return At(Unsupported("a macro inside of another", "macros beside each other"), tag, tag);
    CANDOR_TRY(Token name, ExpectName());
    CANDOR_CHECKED(CanBeName(name));
    out->text = name.text;
    CANDOR_CHECKED(ExpectOperator("("));
    while (!Current().IsOperator(")")) {
      if (!out->parameters.empty()) CANDOR_CHECKED(ExpectOperator(","));
      ExprPtr parameter = Make(Expr::Kind::kName, at_);
      CANDOR_TRY(Token called, ExpectName());
      parameter->text = called.text;
      CANDOR_TRY(parameter, Finish(std::move(parameter)));
      CANDOR_CHECKED(CanBeName(called));
      ExprPtr fallback;
      if (SkipOperator("=")) {
        CANDOR_TRY(fallback, Expression());
      } else if (!out->parameters.empty() && out->parameters.back().second) {
        return Unexpected("a default behind a default");
      }
      out->parameters.emplace_back(std::move(parameter), std::move(fallback));
    }
    CANDOR_CHECKED(ExpectOperator(")"));
    EndTag(*out);
    CANDOR_TRY(out->body, Function({"endmacro"}));
    return out;
  }

  Made Generation(const Token& tag) {
    auto out = MakeStmt(Stmt::Kind::kGeneration, tag);
    EndTag(*out);
    CANDOR_TRY(out->body, Function({"endgeneration"}));
    return out;
  }

  Result<Body, Failure> Function(const Ends& ends) {
    const Around before = around_;
    around_ = {.loop = false, .macro = true};
    CANDOR_TRY(Body body, Block(ends));
    around_ = before;
    Next();
    return body;
  }

  Around around_;
};

}  // namespace

Result<Body, Failure> ParseTemplate(const std::string& source, const TemplateLimits& limits,
                                    std::vector<Failure>& outside) {
  CANDOR_TRY(std::vector<Token> tokens, Tokenize(source));
  return StatementParser(std::move(tokens), limits, outside).Run();
}

}  // namespace candor::text::jinja
