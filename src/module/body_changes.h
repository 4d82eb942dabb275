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
    std::set<std::string_view> lost;  ///< of those in `in_place`: changed through what has their objects among others
    std::set<std::string_view> globals;
    std::vector<const ast::Call*> calls;

    /// The names that it assigns, but for the file's.
    std::set<std::string_view> own() const;
    /// `is_store`: to the place, which is then the part of an object; else the object in it is changed.
    void change(const ast::Expr& place, bool is_store = false);
    /// What is changed by the name of a variable that has it.
    void follow_aliases();

  private:
    void alias(const ast::Expr& target, const ast::Expr& value);
    void block(const ast::Block& body);
    void inside(const ast::Expr& expr);
    void target(const ast::Expr& expr);
    void called(const ast::Call& call);
    bool is_followed(const ast::Expr& value) const;
    void hold(std::string_view name, const ast::Expr& value);
    void lose(std::string_view name, const std::multimap<std::string_view, const ast::Expr*>& sources, bool& is_more);

    std::multimap<std::string_view, const ast::Expr*> held_;   ///< variables, and names whose objects are in theirs
    std::multimap<std::string_view, const ast::Expr*> items_;  ///< the same of variables that are one of such
    std::set<std::string_view> deep_;                          ///< whose items are changed
    const std::set<std::string_view>&passing_, &moving_;
};

/// Those of a function, and its parameters.
std::set<std::string_view> own_names(const ast::FunctionDef& def, const BodyChanges& body);

/// The `for` parts of a comprehension; none: it is another expression.
ast::List<ast::Comprehension> generators_of(const ast::Expr& expr);

}  // namespace pyk
