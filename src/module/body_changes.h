// What the statements of a body do to names, as their text says it.
#pragma once

#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "syntax/ast.h"

namespace pyk {

/// What the statements of a function's body, or of a class's, do to names.
class BodyChanges {
  public:
    /// `passing`: functions that return what they are given. `moving`: methods that change their objects.
    BodyChanges(const ast::Block& body, const std::set<std::string_view>& passing,
                const std::set<std::string_view>& moving)
        : passing_(passing), moving_(moving) {
        block(body);
    }

    std::map<std::string_view, const ast::Expr*> assigned, in_place;
    std::multimap<std::string_view, const ast::Expr*> aliases;  ///< variables, and names whose objects they may have
    std::set<std::string_view> globals;
    std::vector<const ast::Call*> calls;

    void change(const ast::Expr& place);
    /// What is changed by the name of a variable that has it.
    void follow_aliases();

  private:
    void alias(const ast::Expr& target, const ast::Expr& value);
    void block(const ast::Block& body);
    void inside(const ast::Expr& expr);
    void target(const ast::Expr& expr);
    void called(const ast::Call& call);

    const std::set<std::string_view>&passing_, &moving_;
};

/// The `for` parts of a comprehension; none: it is another expression.
ast::List<ast::Comprehension> generators_of(const ast::Expr& expr);

}  // namespace pyk
