// The module's names: imports and their aliases, constants, functions and how they are decorated. Host code around the
// kernels is passed over: only what a compiled function reaches is looked at.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "builtins/builtins.h"
#include "sema/constant.h"
#include "sema/sema.h"
#include "support/diagnostics.h"
#include "syntax/ast.h"

namespace pyk {

enum class FunctionKind : uint8_t { plain, kernel, device };

/// A module-level function.
struct FunctionInfo {
    const ast::FunctionDef* def = nullptr;
    Span span;  ///< of the whole statement
    FunctionKind kind = FunctionKind::plain;
    bool always_inline = false;
    ast::ExprRef signatures = nullptr;  ///< the decorator's first argument
};

/// A dotted name that has members (a module, `cuda.threadIdx`) or that nobody knows: `cuda.atomic`, `np.linalg`.
struct Path {
    std::string name;
};
/// A type as a value: a dtype, or a cast when called.
struct TypeName {
    Type type;
};
/// A module-level name that holds a constant, with the name it is emitted under.
struct NamedConst {
    std::string name;
    Const value;
    Span span;
};

enum class ClassKind : uint8_t { named_tuple, dataclass, enumeration };

/// A class of the module that kernels know.
struct ClassInfo {
    ClassKind kind{};
    std::string name;
    bool is_int = false;                                 ///< an enumeration whose members are integers
    std::vector<std::string> names;                      ///< of the fields
    std::vector<ast::ExprRef> annotations, defaults;     ///< of the fields; null where there is none
    std::vector<std::pair<std::string, Const>> members;  ///< of an enumeration
    std::map<std::string, FunctionInfo, std::less<>> methods;
};

/// What a name means before run time.
using Entity = std::variant<Path, TypeName, const Builtin*, const FunctionInfo*, Const, NamedConst, const ClassInfo*>;

class ModuleScope {
  public:
    ModuleScope(const ast::Module& module, const Defines& defines);

    /// The meaning of a name of the module or of Python's builtins; nullopt: there is none.
    /// Non-constant module variables give a Path that names them (`is_opaque`).
    std::optional<Entity> lookup(std::string_view name) const;
    /// The member of an entity, `base.attr`; nullopt: it has no such member.
    std::optional<Entity> member(const Entity& base, std::string_view attr) const;
    /// The value of a compile-time expression over the module's names; nullopt: it is not one.
    std::optional<Entity> evaluate(const ast::Expr& expr) const;
    std::optional<Const> constant(const ast::Expr& expr) const;

    /// The expression that a variable of the module is assigned; null: none, or several.
    const ast::Expr* definition(std::string_view name) const;
    /// The records that the module's variables name, in the order of the text.
    std::vector<ir::NamedType> named_types() const;

    const ClassInfo* class_named(std::string_view name) const;
    std::optional<Const> enum_member(const ClassInfo& info, std::string_view name) const;

    const FunctionInfo* function(std::string_view name) const;
    const std::vector<const FunctionInfo*>& functions() const { return order_; }
    /// A module variable that is assigned, but whose value is not known at compile time.
    bool is_opaque(std::string_view name) const;
    /// The names that a misspelt one may have meant.
    std::vector<std::string_view> names() const;

  private:
    struct Variable {
        ast::ExprRef value = nullptr;
        std::optional<size_t> item;  ///< of a tuple: `A, B = 1, 2`
        Span span;
    };

    void declare(const ast::Stmt& stmt);
    void import_names(const ast::Import& node);
    void import_names(const ast::ImportFrom& node);
    void declare_class(const ast::ClassDef& node, Span span);
    void declare_named_tuple(std::string_view name, const ast::Call& call);
    void assign(const ast::Expr& target, ast::ExprRef value, std::optional<size_t> item);
    FunctionInfo classify(const ast::FunctionDef& def, Span span) const;
    std::optional<Entity> variable(std::string_view name, const Variable& variable) const;
    std::optional<Entity> call(const ast::Call& node) const;

    std::unordered_map<std::string_view, std::string> imports_;  ///< local name → dotted path
    std::unordered_map<std::string_view, Variable> variables_;
    std::unordered_map<std::string_view, std::unique_ptr<FunctionInfo>> functions_;
    std::vector<const FunctionInfo*> order_;
    std::map<std::string, ClassInfo, std::less<>> classes_;
    std::vector<std::string_view> star_imports_;  ///< modules of `from module import *`
    bool certain_ = true;                         ///< while declaring: the statement runs, and runs once
    std::map<std::string, ConstantValue, std::less<>> defines_;
    mutable std::vector<std::string_view> evaluating_;
};

/// Types as they are written in decorators and annotations: `float32[:, ::1]`, `types.int64`, `"f4[:]"`,
/// `UniTuple(int64, 2)`.
std::optional<Type> evaluate_type(const ModuleScope& scope, const ast::Expr& expr);
/// The types that the module's names stand for.
TypeNames names_of(std::shared_ptr<const ModuleScope> scope);
/// The type of a class' values, where its annotations say it.
std::optional<Type> class_type(const ModuleScope& scope, const ClassInfo& info);
/// What a call makes that declares a type: `np.dtype([...])`, `from_dtype(dt)`, `Record.make_c_struct([...])`.
std::optional<Type> called_type(const ModuleScope& scope, const ast::Call& call);
/// A decorator's signatures: a string, a type expression `void(f4[:])`, a tuple of types, or a list of these.
std::vector<Signature> evaluate_signatures(const ModuleScope& scope, const ast::Expr& expr, Diagnostics& diagnostics);

}  // namespace pyk
